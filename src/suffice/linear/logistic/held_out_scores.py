"""What models of a path say of rows left out: of rows in memory all answers at once, of others sums that add."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.estimators.folds.any_scorer import ClassAnswers, score_answers
from suffice.estimators.folds.split_sources import truth_of
from suffice.estimators.state.origin import label_array
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.moments import Moments

SURE = float(np.log(np.finfo(np.float64).eps))  # no row costs more, as in scikit-learn


def _right(log_p: Array, own: Array) -> Array:
    return np.asarray(log_p.argmax(axis=1) == own, dtype=np.float64)


def _log_likelihood(log_p: Array, own: Array) -> Array:
    return np.maximum(log_p[np.arange(len(own)), own], SURE)


SCORINGS: Mapping[str, Callable[[Array, Array], Array]] = {"accuracy": _right, "neg_log_loss": _log_likelihood}


@dataclass(frozen=True)
class GatheredScores:
    """Scores rows whose labels are here, by any scorer."""

    owner: str
    scoring: Any
    classes: tuple[Any, ...]
    held: Source
    truth: Array
    w: Array | None
    params: Mapping[str, Any]

    def of(self, model: LogisticModel | None, met: tuple[Any, ...]) -> float:
        """The score of a model that met some of the classes."""
        log_p = np.zeros((len(self.truth), 1)) if model is None else self.held.map(model.log_posterior)
        log_p = _over_all(np.asarray(log_p), met, self.classes)
        if isinstance(self.scoring, str) and self.scoring in SCORINGS:
            each = SCORINGS[self.scoring](log_p, _own(self.truth.tolist(), self.classes))
            return float(np.average(each, weights=self.w))
        scores = log_p[:, 1] - log_p[:, 0] if log_p.shape[1] == 2 else log_p
        answers = ClassAnswers(label_array(self.classes), np.exp(log_p), scores)
        truth = label_array(self.truth.tolist())
        return score_answers(self.owner, self.scoring, answers, truth, self.w, self.params)


@dataclass(frozen=True)
class RowScores:
    """Keeps moments of the scores of rows: their mean is that of all rows, wherever these lie."""

    scoring: str
    classes: tuple[Any, ...]
    met: tuple[Any, ...]
    found: LogisticModel | None
    weighed: bool

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Of one column."""
        assert isinstance(block.y, Coded)
        log_p = np.zeros((block.n, 1)) if self.found is None else self.found.log_posterior(block)
        own = _own(block.y.labels[0], self.classes)[block.y.codes[:, 0]]
        each = SCORINGS[self.scoring](_over_all(np.asarray(log_p), self.met, self.classes), own)
        return Moments.of(each[:, None], Shares.hard(np.zeros(block.n, np.int32), 1, block.w if self.weighed else None))


@dataclass(frozen=True)
class AddedScores:
    """Scores rows of files and engines, none of which travels, by a pass a model."""

    scoring: str
    classes: tuple[Any, ...]
    held: Source
    weighed: bool

    def of(self, model: LogisticModel | None, met: tuple[Any, ...]) -> float:
        """The score of a model that met some of the classes."""
        return float(self._moments(model, met, self.weighed).mean.value[0, 0])

    @property
    def weight(self) -> float:
        """Of all rows."""
        return float(self._moments(None, self.classes[:1], True).weight.value[0, 0])

    def _moments(self, model: LogisticModel | None, met: tuple[Any, ...], weighed: bool) -> Moments:
        found: Moments = learn(Always(RowScores(self.scoring, self.classes, met, model, weighed)), self.held).summary
        return found


def held_out_scores(
    owner: str, scoring: Any, classes: tuple[Any, ...], held: Source, params: Mapping[str, Any], weighed: bool
) -> GatheredScores | AddedScores | None:
    """What scores models by rows left out; None where these weigh nothing.

    Parameters
    ----------
    owner : who asks
    scoring : "accuracy", "neg_log_loss", whose sums add; or any scorer, which wants the answers to all rows
    classes : of all rows
    held : rows left out
    params : for the scorer
    weighed : whether rows count by their weights
    """
    if not isinstance(held, MemorySource) and isinstance(scoring, str) and scoring in SCORINGS:
        added = AddedScores(scoring, classes, held, weighed)
        return added if added.weight > 0 else None
    truth, w = truth_of(held)
    if not len(truth) or (w is not None and not w.any()):
        return None
    return GatheredScores(owner, scoring, classes, held, truth, w if weighed else None, params)


def _own(labels: Any, classes: tuple[Any, ...]) -> Array:
    """The place of each label among the classes."""
    place = {label: k for k, label in enumerate(classes)}
    return np.array([place[label] for label in labels], dtype=np.intp)


def _over_all(log_p: Array, met: tuple[Any, ...], classes: tuple[Any, ...]) -> Array:
    """log p of all classes (n, K) by a model that met some of them; the others are out of the question."""
    if met == classes:
        return log_p
    out = np.full((len(log_p), len(classes)), -np.inf)
    out[:, [classes.index(label) for label in met]] = log_p
    return out
