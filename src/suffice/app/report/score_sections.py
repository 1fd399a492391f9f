"""Scores as sections of a report: each with its interval, the gain over the majority rule, and the confusions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.app.report.report import Section
from suffice.core.block import Block
from suffice.core.folds import FoldOf
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.estimate import Estimate, mean
from suffice.evaluation.scores.regression_scores import RegressionScores
from suffice.evaluation.selection.fold_scores import score_block


def gain_over(scores: Scores, label: Any) -> Estimate:
    """Accuracy minus the accuracy of always answering `label`, over the same rows, with its interval.

        mean of ([the answer is right] - [the true class is the label]), from -1 to 1

    The interval is that of paired rows, and so narrower than the two accuracies' intervals suggest: rows that both get
    right, or both get wrong, do not count. A refused row was not answered rightly.

    Parameters
    ----------
    scores : of the predictions
    label : the class that is always answered, for example the most frequent one in training

    >>> scores = Scores.of(["a", "b", "b"], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], ["a", "b"])
    >>> print(gain_over(scores, "b"))
    0.3333 (-0.3200 to 0.9867)
    """
    labels, table, refused = scores.confusion
    n = float(table.sum() + refused.sum())
    better = sum(float(table[i, i]) for i, true in enumerate(labels) if true != label)
    worse = sum(float(table[i].sum() + refused[i] - table[i, i]) for i, true in enumerate(labels) if true == label)
    value = (better - worse) / n if n else 0.0
    return mean(value, better + worse - n * value * value, n, -1.0, 1.0)


SHOWN = 20  # classes from which only the most frequent mistakes are listed


@dataclass(frozen=True)
class ScoreRows:
    """Scores the rows of one fold, or all; what it keeps adds like any summary."""

    model: Any
    fold_of: FoldOf | None = None
    fold: int = 0

    def summarize(self, block: Block, model: None = None) -> Scores | RegressionScores:
        """The scores of a block."""
        if self.fold_of is not None:
            block = block.take(np.flatnonzero(self.fold_of(block) == self.fold))
        return score_block(self.model, block)


def number_sections(scores: RegressionScores) -> list[Section]:
    """Scores of predicted numbers."""
    estimates: dict[str, Estimate] = {
        "R2": scores.r2,
        "root mean squared error": scores.root_mean_squared_error,
        "mean absolute error": scores.mean_absolute_error,
        "mean error": scores.mean_error,
    }
    return [_section(estimates)]


def score_sections(scores: Scores, usual: Any) -> list[Section]:
    """Scores, and the confusion table; `usual` is what the majority rule answers."""
    estimates: dict[str, Estimate] = {
        "accuracy": scores.accuracy,
        f"always {usual}": _share_of(scores, usual),
        "gained over that": gain_over(scores, usual),
    }
    if scores.log_loss.n > 0:  # what has no probabilities is scored by its answers
        estimates |= {"log loss": scores.log_loss, "Brier score": scores.brier}
    return [_section(estimates), _answers(scores)]


def _section(estimates: Mapping[str, Estimate]) -> Section:
    rows = [(name, e.value, *_interval(e), _whole(e.n)) for name, e in estimates.items()]
    return Section("scores", ("score", "value", "low", "high", "rows"), rows, "scores, each with its 95 % interval")


def _share_of(scores: Scores, label: Any) -> Estimate:
    """The accuracy of always answering a label."""
    from suffice.evaluation.scores.estimate import share

    weight = dict(zip(scores.labels, scores.tally.weight.value.tolist(), strict=True))
    return share(weight.get(label, 0.0), sum(weight.values()))


def _interval(estimate: Estimate) -> tuple[float | None, float | None]:
    return (estimate.low, estimate.high) if estimate.low <= estimate.high else (None, None)


def _answers(scores: Scores) -> Section:
    labels, table, _ = scores.confusion
    names = [str(label) for label in labels]
    if len(labels) <= SHOWN:
        rows = [(name, *(_whole(cell) for cell in line)) for name, line in zip(names, table.tolist(), strict=True)]
        return Section("confusion", ("true", *names), rows, "who was taken for whom: true classes down, answers across")
    wrong = table * (1.0 - np.eye(len(labels)))
    order = np.argsort(-wrong, axis=None, kind="stable")[:SHOWN]
    pairs = [divmod(int(place), len(labels)) for place in order]
    rows = [(names[t], names[a], _whole(float(wrong[t, a]))) for t, a in pairs if wrong[t, a] > 0]
    return Section("mistakes", ("true", "answered", "rows"), rows, "the most frequent mistakes")


def _whole(weight: float) -> int | float:
    return int(weight) if weight.is_integer() else weight
