"""KNNImputer: missing cells from the nearest rows."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.fitted import Found
from suffice.features.missing.fill_readings import NearestFillReadings
from suffice.features.missing.nearest_fill import WEIGHTS, NearestFill, NearestFillPlan
from suffice.sources.engines.memory import MemorySource

GAPS = DistanceRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})
MARKED = DistanceRows({"dtype": ["float64", "float32"]})


class KNNImputer(NearestFillReadings, MemoryTransformer):
    """Fills a cell with the mean of the nearest rows that have it, for scikit-learn users; in memory.

    Rows are compared over the cells that both have, scaled to all columns. Of rows equally near the first count.

    Parameters
    ----------
    missing_values : NaN, or the number that means missing; then NaN is refused
    n_neighbors : how many rows a cell is read from
    weights : "uniform", "distance" (1 / distance), or a function of distances
    metric : "nan_euclidean", or a function of two rows, some of whose cells are NaN, that takes `missing_values` too
    copy : taken for the sake of scikit-learn's interface; X is never changed
    add_indicator : whether a column of 0 and 1 is added for each that lacked cells
    keep_empty_features : whether columns without any cell stay, filled with 0
    threads : number of threads; None takes all processors

    Attributes
    ----------
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import KNNImputer
    >>> nan = float("nan")
    >>> KNNImputer(n_neighbors=2).fit_transform([[1, 2, nan], [3, 4, 3], [nan, 6, 5], [8, 8, 7]]).tolist()
    [[1.0, 2.0, 4.0], [3.0, 4.0, 3.0], [5.5, 6.0, 5.0], [8.0, 8.0, 7.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "missing_values": "no_validation",
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions(set(WEIGHTS)), callable],
        "metric": [StrOptions({"nan_euclidean"}), callable],
        "copy": ["boolean"],
        "add_indicator": ["boolean"],
        "keep_empty_features": ["boolean"],
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        n_neighbors: int = 5,
        weights: Any = "uniform",
        metric: Any = "nan_euclidean",
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.missing_values = missing_values
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features
        self.threads = threads

    @property
    def _door(self) -> Any:
        return GAPS if self._mark() is None else MARKED

    def _mark(self) -> float | None:
        """The number that means missing; None: NaN does."""
        given = self.missing_values
        if isinstance(given, bool) or not isinstance(given, Real):
            raise bad(self._owner, "missing_values", "NaN or a number", given, "Put NaN in their place first.")
        return None if np.isnan(float(given)) else float(given)

    def _plan(self) -> NearestFillPlan:
        self._mark()
        return NearestFillPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        rows = np.array(source.block(slice(0, source.table.n)).parts[0], dtype=np.float64)
        options = (int(self.n_neighbors), self.weights, bool(self.add_indicator), bool(self.keep_empty_features))
        mark = self._mark()
        rows = rows if mark is None else np.where(rows == mark, np.nan, rows)
        metric = self.metric if callable(self.metric) else None
        return Found(NearestFill(rows, *options, mark, metric), 1, True)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
