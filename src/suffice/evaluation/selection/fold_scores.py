"""The scores of each fold under the model of the others: one pass over the rows for any number of candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.folds import FoldOf, placed
from suffice.core.learner import Always, Source, learn
from suffice.core.summary import Together
from suffice.estimators.state.origin import label_array
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.regression_scores import RegressionScores


@dataclass(frozen=True)
class ScoreFolds:
    """Scores rows by the models that have not seen them; what it keeps adds like any summary."""

    models: tuple[tuple[Any, ...], ...]  # [candidate][fold]
    fold_of: FoldOf

    def summarize(self, block: Block, model: None = None) -> Together:
        """The scores of each fold and candidate."""
        mine = self.fold_of(block)
        parts = (block.take(np.flatnonzero(mine == k)) for k in range(self.fold_of.K))
        folds = zip(parts, zip(*self.models, strict=True), strict=True)
        return Together(tuple(Together(tuple(score_block(one, part) for one in models)) for part, models in folds))


@dataclass(frozen=True)
class ScoreSource:
    """Scores all rows by one model."""

    model: Any

    def summarize(self, block: Block, model: None = None) -> Scores | RegressionScores:
        """The scores of a block."""
        return score_block(self.model, block)


def fold_scores(models: Sequence[Sequence[Any]], source: Source, fold_of: FoldOf) -> list[tuple[Any, ...]]:
    """The scores of all folds for each candidate; every block of rows is read once and predicted by all of them.

    Parameters
    ----------
    models : [candidate][fold] what predicts blocks
    source : the rows, with their targets
    fold_of : says of rows which fold they belong to
    """
    learner = ScoreFolds(tuple(map(tuple, models)), placed(source, fold_of))
    summary = learn(Always(learner), source).summary
    return list(zip(*(fold.parts for fold in summary.parts), strict=True))


def score_block(model: Any, block: Block) -> Scores | RegressionScores:
    """The scores of a model on a block, by what the model has: probabilities, labels, or numbers."""
    if not isinstance(block.y, Coded):
        assert block.y is not None
        found = model.predict(block)[:, 0]
        if hasattr(model, "refuse_unanswered"):  # it may have no answer, and knows why
            model.refuse_unanswered(found)
        return RegressionScores.of(block.y[:, 0], found, sample_weight=block.w)
    truth = _truth(block.y)
    if hasattr(model, "log_posterior") and getattr(model, "chances", model) is not None:  # an SVC may have none
        return Scores.of(truth, np.exp(model.log_posterior(block)), model.classes, sample_weight=block.w)
    sides, classes = model.sides(block), label_array(model.classes)
    answers = [None if side < 0 else label for side, label in zip(sides, classes[sides].tolist(), strict=True)]
    return Scores.of(truth, None, predicted=answers, sample_weight=block.w)


def _truth(y: Coded) -> Array:
    return np.asarray(label_array(tuple(y.labels[0]))[y.codes[:, 0]])
