"""KernelDensity: scikit-learn's window density, without its trees.

f(x) = 1 / (W h^d) sum_i w_i K((x - x_i) / h)
"""

from __future__ import annotations

import itertools
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.neighbors import VALID_METRICS
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.weights import read_weights
from suffice.families.points import Points
from suffice.families.window_sums import log_sums
from suffice.families.windows import WINDOWS, Window
from suffice.neighbours.bandwidth_options import NAMED, find_bandwidth

TREES = "kd_tree", "ball_tree"


class KernelDensity(BaseEstimator):  # type: ignore[misc]
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Keep the rows and find the bandwidth.

        Parameters
        ----------
        X : rows of numbers, none missing
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            self._check_metric()
            X = self._checked(X, first=True)
            w = read_weights(self._owner, sample_weight, len(X))
            points = Points.of(X, w)
            self.bandwidth_ = find_bandwidth(self._owner, self.bandwidth, points, self._window)
            self._rows, self._weights, self._points = X, w, points
        return self

    def score_samples(self, X: Any) -> Array:
        """Log density of each row (n,).

        Parameters
        ----------
        X : rows like those of training
        """
        check_is_fitted(self)
        X = self._checked(X, first=False)
        points, h, window = self._points, self.bandwidth_, self._window
        log_top = -points.d * np.log(h) - window.log_volume(points.d)  # of one window: no density is higher
        with np.errstate(over="ignore"):
            error = max(float(self.rtol), float(self.atol * np.exp(-log_top)))
        return np.asarray(log_sums(points, X, h, window, min(error, 0.1)) + (log_top - np.log(points.total)))

    def score(self, X: Any, y: Any = None) -> float:
        """Log density of all rows together.

        Parameters
        ----------
        X : rows like those of training
        y : not used
        """
        return np.sum(self.score_samples(X))  # type: ignore[no-any-return]

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Array:
        """New rows: a row of training by its weight, and a draw from its window.

        Parameters
        ----------
        n_samples : how many
        random_state : seed, or generator of NumPy's older kind
        """
        check_is_fitted(self)
        if isinstance(n_samples, bool) or not (isinstance(n_samples, Integral) and n_samples >= 1):
            raise bad(self._owner, "n_samples", "a whole number of at least 1", n_samples, "Say how many to draw.")
        rng = check_random_state(random_state)
        w = np.ones(len(self._rows)) if self._weights is None else self._weights
        reached = np.cumsum(w)
        at = np.searchsorted(reached, rng.uniform(0, 1, size=n_samples) * reached[-1], side="right")
        at = np.minimum(at, np.flatnonzero(w)[-1])
        return np.asarray(self._rows[at] + self.bandwidth_ * self._window.draw(n_samples, self._rows.shape[1], rng))

    @property
    def tree_(self) -> Any:
        """scikit-learn's tree of the rows."""
        from sklearn.neighbors import BallTree, KDTree

        check_is_fitted(self)
        kinds = {"auto": KDTree, "kd_tree": KDTree, "ball_tree": BallTree}
        return kinds[self.algorithm](self._rows, leaf_size=self.leaf_size, sample_weight=self._weights)

    @property
    def _owner(self) -> str:
        return type(self).__name__

    @property
    def _window(self) -> Window:
        return WINDOWS[self.kernel]

    def _check_metric(self) -> None:
        """Refuse metrics in which the volume of a window is not known."""
        power = (self.metric_params or {}).get("p", 2)
        if self.metric in ("euclidean", "l2") or (self.metric in ("minkowski", "p") and power == 2):
            return
        rule = "euclidean, in which the windows integrate to 1 (invalid metric)"
        raise bad(self._owner, "metric", rule, self.metric, "Scale the columns instead.")

    def _checked(self, X: Any, first: bool) -> Array:
        with in_our_name(self._owner):
            return np.asarray(validate_data(self, X, order="C", dtype=np.float64, reset=first))

    def __sklearn_is_fitted__(self) -> bool:
        """Whether rows are kept."""
        return "_points" in vars(self)
