"""ClassScores: precision, recall or F score of every class, and their averages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad, shown
from suffice.evaluation.scores.confusion import Confusion, aligned, label_text, number_text
from suffice.evaluation.scores.delta_method import table_variance
from suffice.evaluation.scores.estimate import Estimate, between, share


@dataclass(frozen=True, eq=False)
class ClassScores:
    """Right answers of each class over a mean of its true rows and its answers: one formula for three scores.

        score = right / (a true + (1 - a) answered)      a = 0 precision, 1 recall, beta^2 / (1 + beta^2) F score

    A class that was never true and never answered, as far as the score asks, has none (NaN), and does not enter the
    averages. Rows without an answer are left out, as in accuracy.

    >>> table = np.array([[3.0, 1.0], [2.0, 4.0]])
    >>> precision = ClassScores(Confusion(("ham", "spam"), table, np.zeros(2)), by_true=0.0)
    >>> print(precision["spam"], precision.macro, sep=", ")
    0.8000 (0.3755 to 0.9638), 0.7000 (0.4033 to 0.8896)
    """

    confusion: Confusion
    by_true: float  # a, from 0 to 1

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes that were true or answered."""
        return self.confusion.labels

    @cached_property
    def values(self) -> Array:
        """The score of each class (L,), NaN where there is none."""
        found = self._base > 0.0
        return np.asarray(np.divide(self._right, self._base, out=np.full(len(found), np.nan), where=found))

    def __getitem__(self, label: Any) -> Estimate:
        """The score of one class."""
        if label not in self.labels:
            rule = f"one of the classes {shown(self.labels)}"
            raise bad(self, "label", rule, label, "Only what was true or answered has a score.")
        return self._sum(np.arange(len(self.labels)) == self.labels.index(label))

    @property
    def macro(self) -> Estimate:
        """The mean over the classes."""
        return self._sum(self._base > 0.0)

    @property
    def weighted(self) -> Estimate:
        """The mean over the classes, each weighing as much as its true rows."""
        found = self._base > 0.0
        weight = np.where(found, self._true, 0.0)
        total = weight.sum()
        if not total > 0.0:
            return self._sum(np.zeros(len(found)))
        value = float(weight @ np.nan_to_num(self.values)) / total
        drift = np.where(found, np.nan_to_num(self.values) - value, 0.0) / total  # a row also moves the weights
        return self._sum(weight, drift)

    @property
    def micro(self) -> Estimate:
        """The score of all classes thrown together: accuracy, whichever of the three scores it is."""
        return share(float(self._right.sum()), float(self.confusion.table.sum()))

    def __str__(self) -> str:
        """A table of the classes and averages."""
        named = [(label_text(label), self[label]) for label in self.labels]
        named += [("macro", self.macro), ("weighted", self.weighted), ("micro", self.micro)]
        lines = [[name, f"{e.value:.4f}", e.interval, number_text(e.n)] for name, e in named]
        return aligned([["class", "value", "95 % interval", "of rows"], *lines])

    @property
    def _right(self) -> Array:
        return np.asarray(self.confusion.table.diagonal())

    @property
    def _true(self) -> Array:
        return np.asarray(self.confusion.table.sum(axis=1))

    @cached_property
    def _base(self) -> Array:
        answered = self.confusion.table.sum(axis=0)
        return np.asarray(self.by_true * self._true + (1.0 - self.by_true) * answered)

    def _sum(self, weight: Array, drift: Any = 0.0) -> Estimate:
        """The mean of the classes with some weights, and the variance it has from the table."""
        weight = np.where(self._base > 0.0, weight, 0.0)
        if not weight.any():
            return between(0.0, 0.0, 0.0)
        weight = weight / weight.sum()
        base = np.where(weight > 0.0, self._base, 1.0)
        value = float(weight @ np.nan_to_num(self.values))
        both, less = weight / base, weight * self._right / base**2
        row = drift - self.by_true * less
        variance = table_variance(self.confusion.table, row, (self.by_true - 1.0) * less, both)
        return between(value, variance, float(1.0 / (weight * both).sum()))
