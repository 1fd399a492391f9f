"""What a fitted classifier says about rows, on the scale that a map from score to probability takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.numerics.log_space import log_sum_exp


class Response(NamedTuple):
    """How a classifier is asked, and what it would say about a class it has never met."""

    method: str  # that the classifier must have
    ask: Callable[[Any, Any], Array]  # (n, k) for the k classes of the model
    absent: float | None  # None: the least score it gave
    infinite: bool = False  # whether scores may be infinite, and are to be limited
    apart: bool = False  # whether of two classes the difference counts, instead of the second score


def decision_values(model: Any, X: Any) -> Array:
    """What `decision_function` gives for each class."""
    d = np.asarray(model.decision_function(X), dtype=np.float64)
    return np.column_stack([-d, d]) if d.ndim == 1 else d


def probabilities(model: Any, X: Any) -> Array:
    """Probability of each class."""
    return np.asarray(model.predict_proba(X), dtype=np.float64)


def log_probabilities(model: Any, X: Any) -> Array:
    """Log-probability of each class."""
    with np.errstate(divide="ignore"):  # scikit-learn takes the logarithm of probabilities that are 0
        if hasattr(model, "predict_log_proba"):
            return np.asarray(model.predict_log_proba(X), dtype=np.float64)
        return np.log(probabilities(model, X))


def odds(model: Any, X: Any) -> Array:
    """Log-odds of each class against the rest."""
    return log_odds(log_probabilities(model, X))


def log_odds(log_p: Array) -> Array:
    """log p - log(1 - p) of each class (n, K), with 1 - p as the sum of the others where p is large.

    >>> log_odds(np.array([[0.0, -800.0, -900.0]])).round(6)
    array([[ 800., -800., -900.]])
    """
    rows, top = np.arange(len(log_p)), log_p.argmax(axis=1)
    with np.errstate(divide="ignore"):
        rest = np.log1p(-np.exp(np.minimum(log_p, 0.0)))
    others = log_p.copy()
    others[rows, top] = -np.inf
    rest[rows, top] = log_sum_exp(others)
    return np.asarray(log_p - rest)


RESPONSES: dict[str, Response] = {
    "decision_function": Response("decision_function", decision_values, None),
    "log_odds": Response("predict_proba", odds, -np.inf, infinite=True),
    "log_proba": Response("predict_proba", log_probabilities, -np.inf, apart=True),
    "predict_proba": Response("predict_proba", probabilities, 0.0),
}


def read_response(owner: str, estimator: Any, wishes: Sequence[str]) -> str:
    """The first of the wishes that an estimator can answer."""
    for wish in wishes:
        if hasattr(estimator, RESPONSES[wish].method):
            return wish
    methods = " or ".join(sorted({RESPONSES[wish].method for wish in wishes}))
    raise bad(owner, "estimator", f"a classifier with {methods}", Said(type(estimator).__name__))


@saved
class ClassScorer(NamedTuple):
    """How rows are scored: a response, for all classes, kept within a limit."""

    owner: str
    answer: str  # one of RESPONSES
    classes: tuple[Any, ...]  # K
    limit: float = np.inf

    @property
    def response(self) -> Response:
        """How the classifier is asked."""
        return RESPONSES[self.answer]

    def __call__(self, model: Any, X: Any) -> Array:
        """Scores (n, K), or (n,) of the second of two classes."""
        scores = self._aligned(self.response.ask(model, X), np.asarray(model.classes_))
        if len(self.classes) == 2:
            scores = scores[:, 1] - scores[:, 0] if self.response.apart else scores[:, 1]
        return self.within(scores)

    def within(self, scores: Array) -> Array:
        """Scores cut to the limit."""
        return scores if np.isinf(self.limit) else np.clip(scores, -self.limit, self.limit)

    def bounded(self, scores: Array) -> ClassScorer:
        """With a limit that leaves the log-odds of a probability of 0 or 1 finite.

        It is the largest finite score and log 2 more: a probability of 0 lies half as far from 0 as the smallest that
        occurs, as 0 of T trees do beside 1 of T. Where no score is finite, it is what n rows can say at most:
        log((n + 1/2) / (1/2)). A larger one would be an outlier that a logistic map follows in place of all others.
        """
        if not self.response.infinite:
            return self
        size = np.abs(scores)
        most = float(size.max(initial=0.0, where=np.isfinite(size)))
        if np.isfinite(size).all():
            return self._replace(limit=max(most, float(np.log1p(2.0 * len(scores)))))
        return self._replace(limit=most + float(np.log(2.0)) if most else float(np.log1p(2.0 * len(scores))))

    def _aligned(self, scores: Array, known: Array) -> Array:
        """In the columns of all classes, where the model has met fewer."""
        if scores.ndim != 2 or scores.shape[1] != len(known):
            raise bad(self.owner, "scores", f"one for each of {len(known)} classes", Said(f"shape {scores.shape}"))
        if len(known) == len(self.classes):
            return scores
        absent = scores.min(initial=0.0) if self.response.absent is None else self.response.absent
        wide = np.full((len(scores), len(self.classes)), absent)
        place = {label: k for k, label in enumerate(self.classes)}
        wide[:, [place[label] for label in known.tolist()]] = scores
        return wide
