"""Scores: how good predictions are, as a summary that adds over shards and from which rows can be taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any, cast

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, Together
from suffice.core.tally import Tally
from suffice.decision.curves.contingency import checked_beta
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.scores.agreement import kappa, matthews
from suffice.evaluation.scores.class_scores import ClassScores
from suffice.evaluation.scores.confusion import Confusion, aligned, label_text, number_text
from suffice.evaluation.scores.estimate import Estimate, mean, share
from suffice.evaluation.scores.predictions import Answers, losses, read_answers, read_proba
from suffice.sources.tables.labels import code_labels
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments

REFUSED = "refused"
LOG_LOSS, BRIER = 0, 1  # columns of the losses


@saved
@dataclass(frozen=True)
class Scores(Summary):
    """Accuracy, log loss, Brier score, confusion table and all that is read from it, with 95 % intervals.

        accuracy = share of right answers among the answers given (refused rows are counted apart, in `refused`)
        log loss = mean of -log p(true class),   Brier score = mean of 1/2 sum_c (p(c) - [c is the true class])^2

    Kept are, for each true class, the counts of the answers and the moments of the losses. Log loss and Brier score
    are of the probabilities, whatever was answered. A true class that was given probability 0, or that the classifier
    does not know, makes the log loss infinite; `impossible` counts such rows. The Brier score lies between 0 and 1 for
    any number of classes; with two it is the mean of (p - y)^2. A weight counts as so many rows. Precision, recall and
    F score are per class, with averages: `scores.f(beta=2)["spam"]`, `scores.recall.macro`.

    >>> scores = Scores.of(["a", "b", "b"], [[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]], ["a", "b"])
    >>> print(scores.accuracy)
    0.6667 (0.2077 to 0.9385)
    >>> (scores + scores - scores).confusion.table.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """

    by_class: ByClass  # of Together((Counts of answers and of refusals, Moments of losses)), by true class

    @classmethod
    def of(
        cls,
        y_true: Any,
        proba: Any,
        classes: Any = None,
        predicted: Any = None,
        sample_weight: Any = None,
        *,
        refusal: Any = None,
    ) -> Scores:
        """Score the predictions of some rows.

        Parameters
        ----------
        y_true : one label a row; labels that the classifier does not know are welcome
        proba : (n, K) probabilities, a `Posterior`, or None for answers alone, which have no log loss and Brier score
        classes : the K labels of the columns of `proba`
        predicted : one answer a row, missing (None, NaN) where refused; None: the most probable class
        sample_weight : one weight a row, at least 0
        refusal : another label that says an answer was refused
        """
        y = code_labels(y_true)
        (truth,), place = y.labels, y.codes[:, 0]
        n, K = len(place), len(y.labels[0])
        R = Shares.hard(place, K, read_weights(cls.__name__, sample_weight, n, some=False))
        answers, lost = _read(cls.__name__, tuple(truth), place, proba, classes, predicted, refusal)
        refused = np.where(answers.codes < 0, 0, -1)
        asked = Coded(np.column_stack([answers.codes, refused]).astype(np.int32), (answers.labels, (REFUSED,)))
        kept = Together((Counts.of(asked, R), Moments.of(lost, R)))
        return cls(ByClass.of(tuple(truth), Tally.of(R), kept))

    @classmethod
    def sum(cls, parts: Sequence[Scores]) -> Scores:
        """Align by label, then add."""
        return cls(ByClass.sum([part.by_class for part in parts]))

    def __sub__(self, other: Scores) -> Scores:
        """Take rows away."""
        return Scores(self.by_class - other.by_class)

    def scale(self, factor: float) -> Scores:
        """Weights decay."""
        return Scores(self.by_class.scale(factor))

    def spread(self, index: Index, K: int) -> Scores:
        """Classes find their places by label, never by number."""
        return Scores(self.by_class.spread(index, K))

    def align(self, labels: tuple[Any, ...]) -> Scores:
        """The same scores over another list of true classes: those not listed are dropped."""
        return Scores(self.by_class.align(labels))

    @property
    def labels(self) -> tuple[Any, ...]:
        """The true classes."""
        return self.by_class.labels

    @property
    def tally(self) -> Tally:
        """Rows and weights of the true classes."""
        return self.by_class.tally

    @property
    def accuracy(self) -> Estimate:
        """Share of right answers among the answers that were given."""
        given = self._answers.column(0)
        place = {label: i for i, label in enumerate(self._answers.labels[0])}
        right = sum(float(line[place[t]]) for t, line in zip(self.labels, given, strict=True) if t in place)
        return share(right, float(given.sum()))

    @property
    def refused(self) -> Estimate:
        """Share of rows where no answer was given."""
        return share(float(self._answers.column(1).sum()), self._n)

    @property
    def majority(self) -> Estimate:
        """Accuracy of always answering the most frequent of the true classes."""
        return share(float(self.tally.weight.value.max(initial=0.0)), self._n)

    @property
    def log_loss(self) -> Estimate:
        """Mean of -log p(true class); infinite, without an interval, if a true class was given probability 0."""
        if self.impossible:
            return Estimate(inf, nan, nan, float(self._losses.weight.value[:, BRIER].sum()))
        return self._mean(LOG_LOSS, inf)

    @property
    def impossible(self) -> int:
        """Number of rows whose true class was given probability 0."""
        log_loss, brier = self._losses.rows.sum(axis=0)
        return int(brier - log_loss)

    @property
    def brier(self) -> Estimate:
        """Mean of 1/2 sum_c (p(c) - [c is the true class])^2, from 0 to 1."""
        return self._mean(BRIER, 1.0)

    @property
    def precision(self) -> ClassScores:
        """Share of right answers among the answers of each class."""
        return ClassScores(self.confusion, by_true=0.0)

    @property
    def recall(self) -> ClassScores:
        """Share of right answers among the answered rows of each true class."""
        return ClassScores(self.confusion, by_true=1.0)

    def f(self, beta: float = 1.0) -> ClassScores:
        """F score of each class, the harmonic mean of precision and recall for beta = 1.

        Parameters
        ----------
        beta : how many times as much recall counts as precision
        """
        b = checked_beta(self, beta) ** 2
        return ClassScores(self.confusion, by_true=b / (1.0 + b))

    @property
    def balanced_accuracy(self) -> Estimate:
        """Mean recall of the true classes: accuracy if all of them had the same weight."""
        return self.recall.macro

    @property
    def matthews(self) -> Estimate:
        """Correlation of answers and true classes, from -1 to 1; 0 where either never varies."""
        return matthews(self.confusion.table)

    @property
    def kappa(self) -> Estimate:
        """Cohen's kappa: agreement beyond chance, from -1 to 1."""
        return kappa(self.confusion.table)

    @property
    def confusion(self) -> Confusion:
        """What was answered where what was true."""
        answered = self._answers.labels[0]
        labels = canonical((*self.labels, *answered))
        place = {label: i for i, label in enumerate(labels)}
        rows, columns = ([place[label] for label in side] for side in (self.labels, answered))
        table, refused = np.zeros((len(labels), len(labels))), np.zeros(len(labels))
        table[np.ix_(rows, columns)] = self._answers.column(0)
        refused[rows] = self._answers.column(1).sum(axis=1)
        return Confusion(labels, table, refused)

    def __str__(self) -> str:
        """The scores, then the confusion table."""
        scores = {"accuracy": self.accuracy, self._majority_text: self.majority, "refused": self.refused}
        scores |= {"log loss": self.log_loss, "Brier score": self.brier}
        lines = [[name, f"{e.value:.4f}", e.interval, number_text(e.n)] for name, e in scores.items()]
        text = aligned([["score", "value", "95 % interval", "of rows"], *lines])
        if self.impossible:
            text += f"\nRows whose true class had probability 0, so that the log loss is infinite: {self.impossible}"
        return f"{text}\n\n{self.confusion}"

    @property
    def _majority_text(self) -> str:
        if not self.labels:
            return "majority rule"
        return f"always {label_text(self.labels[int(self.tally.weight.value.argmax())])}"

    @property
    def _answers(self) -> Counts:
        return cast(Counts, cast(Together, self.by_class.summary).parts[0])

    @property
    def _losses(self) -> Moments:
        return cast(Moments, cast(Together, self.by_class.summary).parts[1])

    @property
    def _n(self) -> float:
        return float(self.tally.weight.sum().value)

    def _mean(self, column: int, most: float) -> Estimate:
        all_rows = self._losses.pooled()
        value, scatter, n = (
            float(pair.value[0, column]) for pair in (all_rows.mean, all_rows.scatter, all_rows.weight)
        )
        return mean(value, scatter, n, 0.0, most)


def _read(
    owner: str, truth: tuple[Any, ...], place: Array, proba: Any, classes: Any, predicted: Any, refusal: Any
) -> tuple[Answers, Array]:
    """The answer and the losses of each row."""
    n = len(place)
    if proba is None:
        if predicted is None:
            raise bad(owner, "predicted", "given where there is no proba", None, "Pass the answers, or probabilities.")
        return read_answers(owner, predicted, refusal, n), np.full((n, 2), np.nan)
    p, labels = read_proba(owner, proba, classes, n)
    column = {label: c for c, label in enumerate(labels)}
    known = np.array([column.get(label, -1) for label in truth], dtype=np.intp)
    most_probable = Answers(p.argmax(axis=1), labels)
    answers = most_probable if predicted is None else read_answers(owner, predicted, refusal, n)
    return answers, losses(p, known[place])
