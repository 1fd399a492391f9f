"""The scores of each fold under the model of the others: one pass over the rows for any number of candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.summary import Together
from suffice.estimators.splits import some_rows
from suffice.evaluation.fold_models import FoldModels
from suffice.evaluation.regression_scores import RegressionScores
from suffice.evaluation.scores import Scores


def fold_scores(
    candidates: Sequence[FoldModels], X: Any, y: Any, sample_weight: Any, folds: Array
) -> list[tuple[Any, ...]]:
    """The scores of all folds for each candidate; every block of rows is read once and predicted by all of them."""
    by_fold = []
    for k in range(int(folds.max()) + 1):
        rows = np.flatnonzero(folds == k)
        truth, w = np.asarray(y)[rows], None if sample_weight is None else np.asarray(sample_weight)[rows]
        estimators = [candidate.estimators[k] for candidate in candidates]
        by_fold.append(_scored(estimators, some_rows(X, rows), truth, w))
    return list(zip(*by_fold, strict=True))


def _scored(estimators: Sequence[Any], X: Any, truth: Array, w: Array | None) -> tuple[Any, ...]:
    fitted, checked = estimators[0]._state(X)
    source = fitted.source(checked, estimators[0].threads)
    models = [estimator._state()[0].model for estimator in estimators]

    def score(block: Block) -> Together:
        here = slice(block.start, block.start + block.n)
        one = _scorer(truth[here], None if w is None else w[here], block)
        return Together(tuple(map(one, models)))

    summary = source.reduce(score)
    assert isinstance(summary, Together)
    return summary.parts


def _scorer(truth: Array, w: Array | None, block: Block) -> Callable[[Any], Scores | RegressionScores]:
    """What scores a model on a block."""

    def score(model: Any) -> Scores | RegressionScores:
        if hasattr(model, "log_posterior"):
            return Scores.of(truth, np.exp(model.log_posterior(block)), model.classes, sample_weight=w)
        return RegressionScores.of(truth, model.predict(block)[:, 0], sample_weight=w)

    return score
