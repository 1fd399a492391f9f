"""Parameters that all estimators of neighbours share, as scikit-learn names them."""

from __future__ import annotations

import itertools
import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import VALID_METRICS
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.design.kind_codes import KindCodes, column_weights
from suffice.estimators.design.kind_plan import KindPlan, is_mixed
from suffice.neighbours.near.near_rows import NearRows, SparseRows
from suffice.spaces.distances.distance import Distance, Embedded
from suffice.spaces.distances.given_distances import DistanceFunction, Precomputed, full_table
from suffice.spaces.distances.mixed_kinds import MixedDistance
from suffice.spaces.distances.named_distances import as_distance

OURS = ("angle", "jensenshannon", "mixed")
NAMES = {*itertools.chain(*VALID_METRICS.values()), *OURS}

CONSTRAINTS: dict[str, Any] = {
    "algorithm": [StrOptions({"auto", "ball_tree", "kd_tree", "brute"})],
    "leaf_size": [Interval(Integral, 1, None, closed="left")],
    "p": [Interval(Real, 0, None, closed="right"), None],
    "metric": [StrOptions(NAMES), callable, Distance, DistanceMetric],
    "metric_params": [dict, None],
    "n_jobs": [Integral, None],
}
NUMBER: list[Any] = [Interval(Integral, 1, None, closed="left")]
RADIUS: list[Any] = [Interval(Real, 0, None, closed="both")]


def check_metric_options(model: Any) -> None:
    """Refuse metrics that a tree cannot search, and say what a parameter means."""
    metric, algorithm = model.metric, model.algorithm
    if model.metric_params and "p" in model.metric_params and model.p is not None:
        words = f"{model._owner}: Parameter p is found in metric_params. The p of the model is ignored."
        warnings.warn(words, SyntaxWarning, stacklevel=6)
    if isinstance(metric, (Distance, DistanceMetric)):
        return
    if callable(metric):
        if algorithm == "kd_tree":
            rule = "a name where algorithm is 'kd_tree' (kd_tree does not support callable metric)"
            raise bad(model._owner, "metric", rule, metric, "Use algorithm='brute'.")
        return
    asked = {"auto": "brute"}.get(algorithm, algorithm)
    if metric not in (*VALID_METRICS[asked], *OURS, *(VALID_METRICS["ball_tree"] if algorithm == "auto" else ())):
        rule = f"one that algorithm={algorithm!r} can search (Metric '{metric}' not valid)"
        raise bad(model._owner, "metric", rule, metric, "Use algorithm='brute'.")


def distance_of(model: Any, X: Any, w: Array | None, codes: KindCodes | None) -> Distance:
    """The distance that the parameters name, for these rows."""
    given = dict(model.metric_params or {})
    if codes is not None:
        return codes.distance(X, w, model.metric, **column_weights(model._owner, given))
    if isinstance(model.metric, str) and model.metric in ("minkowski", "p"):
        given.setdefault("p", 2.0 if model.p is None else model.p)
    if isinstance(model.metric, DistanceMetric):
        return DistanceFunction(model.metric.pairwise, tables=True)
    return as_distance(model.metric, X, owner=model._owner, **given)


def near_rows(model: Any, X: Any, w: Array | None, plan: KindPlan) -> NearRows:
    """The rows that weigh something, as the parameters want them searched."""
    distance = distance_of(model, X, w, plan.codes)
    if hasattr(X, "tocsr") and isinstance(model.metric, str) and model.metric == "haversine":
        rule = "one for sparse rows (Metric 'haversine' not valid for sparse input.)"
        raise bad(model._owner, "metric", rule, model.metric, "Give an array.")
    rows = X if w is None or (w > 0).all() else X[w > 0]
    weight = None if w is None or (w == 1).all() else w[w > 0]
    _check_power(model, distance)
    if plan.codes is not None and model.algorithm in ("kd_tree", "ball_tree"):
        rule = "'brute' or 'auto' for columns of mixed kinds"
        raise bad(model._owner, "algorithm", rule, model.algorithm, "Use algorithm='brute'.")
    if isinstance(distance, Precomputed):
        _check_square(model, X)
        rows = np.flatnonzero(w > 0) if w is not None else np.arange(X.shape[0])
    kept = SparseRows.of(rows) if hasattr(rows, "tocsr") else np.ascontiguousarray(rows)
    return NearRows(model._owner, kept, weight, distance, _algorithm(model, X), int(model.leaf_size), _threads(model))


def _algorithm(model: Any, X: Any) -> str:
    if isinstance(model.metric, DistanceMetric):
        return "brute"
    if not hasattr(X, "tocsr"):
        return str(model.algorithm)
    if model.algorithm not in ("auto", "brute"):
        words = f"{model._owner}: cannot use tree with sparse input: using brute force"
        warnings.warn(words, UserWarning, stacklevel=6)
    return "brute"


def _threads(model: Any) -> int | None:
    return None if model.n_jobs is None or model.n_jobs < 1 else int(model.n_jobs)


def _check_power(model: Any, distance: Distance) -> None:
    """For p < 1 there are no trees."""
    if not (isinstance(distance, Embedded) and distance.power < 1):
        return
    if model.algorithm in ("kd_tree", "ball_tree"):
        rule = (
            f"'brute' for p < 1 (algorithm=\"{model.algorithm}\" does not support 0 < p < 1 for the Minkowski metric. "
        )
        rule += 'To resolve this problem either set p >= 1 or algorithm="brute".)'
        raise bad(model._owner, "algorithm", rule, model.algorithm, "Use p >= 1 or algorithm='brute'.")
    words = "Mind that for 0 < p < 1, Minkowski metrics are not distance metrics. Continuing the execution with "
    words += "`algorithm='brute'`."
    warnings.warn(f"{model._owner}: {words}", UserWarning, stacklevel=6)


def _check_square(model: Any, X: Any) -> None:
    refuse_negative(model, X)
    if X.shape[0] != X.shape[1]:
        rule = "a square of distances where metric='precomputed' (Precomputed matrix must be square)"
        raise bad(model._owner, "X", rule, Said(f"shape {X.shape}"), "Give d of each row with each row.")


def refuse_negative(model: Any, X: Any) -> None:
    """A table of distances must hold none below 0."""
    if ((X.data if hasattr(X, "tocsr") else X) < 0).any():
        rule = "distances of at least 0 (Negative values in data passed to precomputed distance matrix.)"
        raise bad(model._owner, "X", rule, Said("one below 0"), "Correct it.")


def given_table(model: Any, X: Any, near: NearRows) -> Array | None:
    """The distances between the rows that are kept, where distances were given."""
    return full_table(X)[near.rows] if is_given(model.metric) else None


def is_given(metric: Any) -> bool:
    """Whether X is a table of distances."""
    return isinstance(metric, Precomputed) or (isinstance(metric, str) and metric == "precomputed")


def effective_metric(distance: Distance, given: Any) -> Any:
    """The name of a distance, as scikit-learn tells it."""
    if isinstance(distance, DistanceFunction):
        return distance.function
    if isinstance(distance, MixedDistance):
        return "mixed"
    plain = {"Euclidean": "euclidean", "Manhattan": "manhattan", "Chebyshev": "chebyshev"}
    return plain.get(type(distance).__name__, given) if given in ("minkowski", "p") else given


def tag_metric(tags: Any, metric: Any) -> Any:
    """What scikit-learn may expect of X, by the metric."""
    tags.input_tags.pairwise = tags.input_tags.positive_only = is_given(metric)
    tags.input_tags.allow_nan = isinstance(metric, str) and metric == "nan_euclidean"
    tags.input_tags.allow_nan |= is_mixed(metric)
    return tags
