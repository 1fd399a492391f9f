"""NearestCentroid: the class whose exemplar is nearest."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.one_pass_classifier import CONSTRAINTS, OnePassClassifier
from suffice.neighbours.centroids import EXEMPLARS, CentroidPlan, CentroidReadings, matching_exemplar
from suffice.spaces.distances.distance import Distance, Embedded
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.distances.named_distances import DISTANCES, as_distance


def _has_scores(model: Any) -> bool:
    """Scores are half a squared Euclidean distance."""
    if isinstance(model.metric, Distance):
        return isinstance(model.metric, Embedded) and model.metric.power == 2.0
    return isinstance(model.metric, str) and model.metric in ("euclidean", "l2", "sqeuclidean")


class NearestCentroid(CentroidReadings, OnePassClassifier):
    """One exemplar a class, and the nearest answers. One pass, mergeable, forgetting.

    With means and Euclidean distance and two classes it is the basic linear classifier; on word counts it is Rocchio's.

    Parameters
    ----------
    metric : a name, a `Distance`, or a function of two rows
    exemplar : "auto" takes what matches the metric: "median" of each column for manhattan, "direction", the mean of
        unit vectors, for cosine and angle, the "mean" for all others
    shrink_threshold : by how many deviations exemplars are drawn towards the mean of all rows; columns that reach it
        tell nothing
    priors : "uniform", "empirical", or shares in the order of the classes
    refusal : the label of refused rows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    centroids_, classes_, class_prior_, deviations_, within_class_std_dev_, n_features_in_, feature_names_in_ : as in
        scikit-learn
    distance_ : the distance, as a value

    Examples
    --------
    >>> from suffice import NearestCentroid
    >>> model = NearestCentroid().fit([[-1, -1], [-2, -1], [1, 1], [2, 1]], ["a", "a", "b", "b"])
    >>> model.predict([[-0.8, -1]]).tolist(), model.centroids_.tolist()
    (['a'], [[-1.5, -1.0], [1.5, 1.0]])
    >>> model.merge(NearestCentroid().fit([[9, 9]], ["c"])).predict([[8, 8]]).tolist()
    ['c']

    References
    ----------
    R. Tibshirani et al., Diagnosis of multiple cancer types by shrunken centroids (2002).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "metric": [StrOptions({*DISTANCES} - {"precomputed", "nan_euclidean"}), callable, Distance],
        "exemplar": [StrOptions({"auto", *EXEMPLARS})],
        "shrink_threshold": [Interval(Real, 0, None, closed="neither"), None],
        "priors": ["array-like", StrOptions({"empirical", "uniform"})],
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = DistanceRows({"accept_sparse": "csr", "dtype": np.float64})

    def __init__(
        self,
        metric: Any = "euclidean",
        *,
        shrink_threshold: float | None = None,
        priors: Any = "uniform",
        exemplar: str = "auto",
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.metric = metric
        self.shrink_threshold = shrink_threshold
        self.priors = priors
        self.exemplar = exemplar
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    @available_if(_has_scores)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """Scores: (n,) for two classes, above 0 for the second; (n, K) for more, which are -d^2 + 2 log p.

        Parameters
        ----------
        X : rows like those of training
        """
        state, checked = self._state(X)
        scores = 2.0 * state.map(checked, state.model.log_joint, self.threads)
        return np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores

    predict_proba = available_if(_has_scores)(Probabilistic.predict_proba)
    predict_log_proba = available_if(_has_scores)(Probabilistic.predict_log_proba)

    def _plan(self) -> CentroidPlan:
        distance = as_distance(self.metric, owner=self._owner)
        if isinstance(distance, Precomputed):
            raise bad(self._owner, "metric", "one of rows", distance, "Use KNeighborsClassifier.")
        exemplar = matching_exemplar(distance) if self.exemplar == "auto" else self.exemplar
        shrink = None if self.shrink_threshold is None else float(self.shrink_threshold)
        return CentroidPlan(self._owner, exemplar, distance, shrink, self._read_priors())

    def _read_priors(self) -> Any:
        if isinstance(self.priors, str):
            return self.priors
        given = np.asarray(self.priors, dtype=np.float64)
        if given.ndim != 1 or not (given >= 0).all():
            rule = "shares of at least 0 (priors must be non-negative)"
            raise bad(self._owner, "priors", rule, Said(str(given.tolist())), "Give one a class.")
        if not np.isclose(given.sum(), 1.0):
            words = "The priors do not sum to 1. Normalizing such that it sums to one."
            warnings.warn(f"{self._owner}: {words}", UserWarning, stacklevel=6)
        return given / given.sum()
