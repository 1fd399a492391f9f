"""ClassicalMDS: coordinates from distances, by eigenvectors."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_map import MemoryMap
from suffice.estimators.state.fitted import Found
from suffice.projections.maps.classical_scaling import classical_scaling
from suffice.projections.maps.dissimilarities import GIVEN, given_distances
from suffice.projections.maps.map_models import ClassicalMap, ClassicalPlan, ClassicalReadings, RowMetric
from suffice.sources.engines.memory import MemorySource


class ClassicalMDS(ClassicalReadings, MemoryMap):
    """Classical multidimensional scaling: of Euclidean distances, the principal components of the rows.

    Parameters
    ----------
    n_components : number of dimensions of the map
    metric : name of a distance, a function of two rows, or "precomputed": X is a square table of distances
    metric_params : further arguments of the metric

    Attributes
    ----------
    embedding_, eigenvalues_, dissimilarity_matrix_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import ClassicalMDS
    >>> flat = ClassicalMDS(1).fit_transform([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> np.abs(np.diff(flat[:, 0])).round(9).tolist()
    [5.0, 5.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "metric": [str, callable],
        "metric_params": [dict, None],
    }
    _door = DistanceRows({"dtype": np.float64})

    def __init__(self, n_components: int = 2, *, metric: Any = "euclidean", metric_params: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params

    def _plan(self) -> ClassicalPlan:
        return ClassicalPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        X = np.asarray(source.block(slice(0, source.table.n)).parts[0])
        metric = RowMetric(self._owner, self.metric, self.metric_params)
        D = given_distances(self._owner, X if self.metric == GIVEN else metric.between(X, X))
        return Found(ClassicalMap(X, metric, classical_scaling(D, int(self.n_components))))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == GIVEN
        return tags
