"""KernelDensity: scikit-learn's window density, without its trees.

f(x) = 1 / (W h^d) sum_i w_i K((x - x_i) / h)
"""

from __future__ import annotations

import itertools
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.neighbors import VALID_METRICS
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.core.errors import bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_density import MemoryDensity
from suffice.estimators.state.fitted import Found
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.windows import WINDOWS
from suffice.neighbours.bandwidth_options import NAMED, find_bandwidth
from suffice.neighbours.window_rows import WindowPlan, WindowReadings, WindowRows
from suffice.sources.engines.memory import MemorySource

TREES = "kd_tree", "ball_tree"


class KernelDensity(WindowReadings, MemoryDensity):
    """A window at every row: a density of any shape. In memory: it keeps the rows.

    In one dimension Gaussian and exponential windows take a time in proportion to the number of rows plus the number of
    places, in more dimensions to their product.

    Parameters
    ----------
    bandwidth : a number; "scott" or "silverman", which take the columns to have a spread of 1, as scikit-learn does,
        and count the weight of the rows; "sheather-jones" (one column) or "leave-one-out"; or a rule of
        `suffice.families`: Scott(), Silverman(), SheatherJones(), LeaveOneOut(candidates), which take the spread of the
        columns
    algorithm, leaf_size, breadth_first : checked, but not used: there are no trees
    kernel : gaussian, tophat, epanechnikov, exponential, linear or cosine
    metric : euclidean; others have windows whose integral is unknown
    atol, rtol : absolute and relative error of a density that is allowed; used by Gaussian windows in one dimension
    metric_params : p of the Minkowski metric, which must be 2

    Attributes
    ----------
    bandwidth_, n_features_in_, feature_names_in_ : as in scikit-learn
    tree_ : scikit-learn's tree of the rows, made when asked for

    Examples
    --------
    >>> from suffice import KernelDensity
    >>> density = KernelDensity(bandwidth=1.0).fit([[0.0], [1.0], [2.0]])
    >>> np.exp(density.score_samples([[1.2]])).round(6)
    array([0.29164])

    References
    ----------
    B. W. Silverman, Density estimation for statistics and data analysis (1986).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "bandwidth": [Interval(Real, 0, None, closed="neither"), StrOptions(set(NAMED)), HasMethods("choose")],
        "algorithm": [StrOptions({*TREES, "auto"})],
        "kernel": [StrOptions(set(WINDOWS))],
        "metric": [StrOptions(set(itertools.chain(*(VALID_METRICS[tree] for tree in TREES))))],
        "atol": [Interval(Real, 0, None, closed="left")],
        "rtol": [Interval(Real, 0, None, closed="left")],
        "breadth_first": ["boolean"],
        "leaf_size": [Interval(Integral, 1, None, closed="left")],
        "metric_params": [None, dict],
    }

    _door = DistanceRows({"order": "C", "dtype": np.float64})

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        algorithm: str = "auto",
        kernel: str = "gaussian",
        metric: str = "euclidean",
        atol: float = 0,
        rtol: float = 0,
        breadth_first: bool = True,
        leaf_size: int = 40,
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kernel = kernel
        self.metric = metric
        self.atol = atol
        self.rtol = rtol
        self.breadth_first = breadth_first
        self.leaf_size = leaf_size
        self.metric_params = metric_params

    @property
    def tree_(self) -> Any:
        """scikit-learn's tree of the rows."""
        from sklearn.neighbors import BallTree, KDTree

        model = self._state()[0].model
        kinds = {"auto": KDTree, "kd_tree": KDTree, "ball_tree": BallTree}
        return kinds[self.algorithm](model.rows, leaf_size=self.leaf_size, sample_weight=model.weight)

    def _plan(self) -> WindowPlan:
        self._check_metric()
        return WindowPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows and find the bandwidth."""
        block = source.block(slice(0, source.table.n))
        (X,), window = block.parts, WINDOWS[self.kernel]
        h = find_bandwidth(self._owner, self.bandwidth, Points.of(X, block.w), window)
        return Found(WindowRows(X, block.w, h, window, float(self.rtol), float(self.atol)))

    def _check_metric(self) -> None:
        """Refuse metrics in which the volume of a window is not known."""
        power = (self.metric_params or {}).get("p", 2)
        if self.metric in ("euclidean", "l2") or (self.metric in ("minkowski", "p") and power == 2):
            return
        rule = "euclidean, in which the windows integrate to 1 (invalid metric)"
        raise bad(self._owner, "metric", rule, self.metric, "Scale the columns instead.")
