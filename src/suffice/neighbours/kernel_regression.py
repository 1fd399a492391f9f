"""KernelRegression: targets smoothed by windows.

y(x) = sum_i K((x - x_i) / h) y_i / sum_i K((x - x_i) / h)
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.weights import read_weights
from suffice.families.bandwidths import Silverman, read_candidates
from suffice.families.points import Points
from suffice.families.windows import WINDOWS, Window
from suffice.neighbours.bandwidth_options import find_bandwidth, refuse_tiny_spread
from suffice.neighbours.smoothers import SMOOTHERS, NadarayaWatson, PriestleyChao
from suffice.summaries.vanishing import refuse_tiny


class KernelRegression(RegressorMixin, BaseEstimator):  # type: ignore[misc]
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

    bandwidth_: float
    errors_: Array

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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the rows and find the bandwidth.

        Parameters
        ----------
        X : rows of numbers, none missing
        y : one number a row, or several
        sample_weight : one weight a row, at least 0
        """
        with all_or_nothing(self):
            self._validate_params()
            rules = {"dtype": np.float64, "multi_output": True, "y_numeric": True}
            with in_our_name(type(self).__name__):
                X, y = validate_data(self, X, y, **rules)
            w = read_weights(type(self).__name__, sample_weight, len(X))
            w = np.ones(len(X)) if w is None else w
            Y = np.asarray(y, dtype=np.float64)
            refuse_tiny(Y.reshape(len(X), -1)[w > 0], "y")  # squares of its errors could not be told apart
            smoother = SMOOTHERS[self.method].of(type(self).__name__, X, Y.reshape(len(X), -1), w)
            self._find_bandwidth(smoother, Points.of(X, w))
            self._smoother, self._flat = smoother, Y.ndim == 1
        return self

    def predict(self, X: Any) -> Array:
        """Targets at the rows X: (n,), or (n, q) where several were learned.

        Parameters
        ----------
        X : rows like those of training
        """
        check_is_fitted(self)
        with in_our_name(type(self).__name__):
            X = validate_data(self, X, dtype=np.float64, reset=False)
        answers = self._smoother.predict(X, self.bandwidth_, self._window)
        return answers[:, 0] if self._flat else answers

    @property
    def _window(self) -> Window:
        return WINDOWS[self.kernel]

    def _find_bandwidth(self, smoother: NadarayaWatson | PriestleyChao, points: Points) -> None:
        if "errors_" in vars(self):
            del self.errors_
        owner = type(self).__name__
        if not isinstance(self.bandwidth, str):
            self.bandwidth_ = find_bandwidth(owner, self.bandwidth, points, self._window)
            return
        refuse_tiny_spread(owner, points)
        tried = self._tried(points)
        self.errors_ = np.array([smoother.left_out_error(h, self._window) for h in tried])
        best = np.flatnonzero(self.errors_ <= self.errors_.min())[-1]  # of equals, the smoothest
        self.bandwidth_ = float(tried[best])

    def _tried(self, points: Points) -> Array:
        """The candidates; any bandwidth will do where all rows are one."""
        if self.candidates is not None:
            return np.sort(read_candidates(type(self).__name__, np.asarray(self.candidates).tolist()))
        middle = Silverman().choose(points, self._window)
        middle = middle if middle > points.smallest else 1.0
        return np.asarray(middle * np.geomspace(1.0 / 16.0, 4.0, 20))

    def __sklearn_is_fitted__(self) -> bool:
        """Whether rows are kept."""
        return "_smoother" in vars(self)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
