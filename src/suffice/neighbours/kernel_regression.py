"""KernelRegression: targets smoothed by windows.

y(x) = sum_i K((x - x_i) / h) y_i / sum_i K((x - x_i) / h)
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.core.block import Array
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_regressor import MemoryRegressor
from suffice.estimators.state.fitted import Found
from suffice.families.windows.bandwidths import Silverman, read_candidates
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.windows import WINDOWS
from suffice.neighbours.bandwidth_options import find_bandwidth, refuse_tiny_spread
from suffice.neighbours.smoothed_rows import SmoothedRows, SmoothingPlan, SmoothingReadings
from suffice.neighbours.smoothers import SMOOTHERS, NadarayaWatson, PriestleyChao
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.shifted_sums import refuse_tiny


class KernelRegression(SmoothingReadings, MemoryRegressor):
    """Regression without a parametric form: targets of near rows, weighed by windows. In memory: it keeps the rows.

    Parameters
    ----------
    bandwidth : a number; "leave-one-out", the one with the least squared error of each row predicted from all others;
        or a rule of `suffice.families`: Scott(), Silverman(), SheatherJones(), LeaveOneOut(), which look at X alone
    kernel : gaussian, tophat, epanechnikov, exponential, linear or cosine
    method : "nadaraya-watson", a weighed mean, in any number of columns; "priestley-chao", a sum over stretches, in one
    candidates : bandwidths that "leave-one-out" tries; None takes 20 around the one of Silverman's rule

    Attributes
    ----------
    bandwidth_ : the bandwidth
    errors_ : mean squared error of each candidate, where the bandwidth was found by leaving out
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import KernelRegression
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]
    >>> KernelRegression(bandwidth=1.0).fit(X, y).predict([[1.2]]).round(6)
    array([1.771372])
    >>> KernelRegression(bandwidth=1.0, method="priestley-chao").fit(X, y).predict([[1.2]]).round(6)
    array([1.549809])

    References
    ----------
    E. A. Nadaraya, On estimating regression (1964). M. B. Priestley and M. T. Chao, Non-parametric function fitting
    (1972).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "bandwidth": [Interval(Real, 0, None, closed="neither"), StrOptions({"leave-one-out"}), HasMethods("choose")],
        "kernel": [StrOptions(set(WINDOWS))],
        "method": [StrOptions(set(SMOOTHERS))],
        "candidates": ["array-like", None],
    }

    _door = DistanceRows({"dtype": np.float64})

    def __init__(
        self,
        *,
        bandwidth: Any = "leave-one-out",
        kernel: str = "gaussian",
        method: str = "nadaraya-watson",
        candidates: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.method = method
        self.candidates = candidates

    def _plan(self) -> SmoothingPlan:
        return SmoothingPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows and find the bandwidth."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, np.ones(source.table.n) if block.w is None else block.w
        Y = np.asarray(block.y)
        refuse_tiny(Y[w > 0], "y")  # squares of its errors could not be told apart
        smoother = SMOOTHERS[self.method].of(self._owner, X, Y, w)
        return Found(self._smoothed(smoother, Points.of(X, w)))

    def _smoothed(self, smoother: NadarayaWatson | PriestleyChao, points: Points) -> SmoothedRows:
        """With the bandwidth that was given, or the best of the candidates."""
        window = WINDOWS[self.kernel]
        if not isinstance(self.bandwidth, str):
            return SmoothedRows(smoother, window, find_bandwidth(self._owner, self.bandwidth, points, window))
        refuse_tiny_spread(self._owner, points)
        tried = self._tried(points)
        errors = np.array([smoother.left_out_error(h, window) for h in tried])
        best = np.flatnonzero(errors <= errors.min())[-1]  # of equals, the smoothest
        return SmoothedRows(smoother, window, float(tried[best]), errors)

    def _tried(self, points: Points) -> Array:
        """The candidates; any bandwidth will do where all rows are one."""
        if self.candidates is not None:
            return np.sort(read_candidates(self._owner, np.asarray(self.candidates).tolist()))
        middle = Silverman().choose(points, WINDOWS[self.kernel])
        middle = middle if middle > points.smallest else 1.0
        return np.asarray(middle * np.geomspace(1.0 / 16.0, 4.0, 20))
