"""The model of `OneVsOneClassifier`: classifiers that each know two classes, by vote. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from suffice.compose.around_plan import table_of
from suffice.compose.held import Held
from suffice.compose.many_from_two.binary_answers import said
from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.decision.decide.voting import Votes, count_votes
from suffice.sources.tables.numbers import number_columns
from suffice.sources.tables.table import Table

HALF = 0.5  # labels are 0 and 1, a regressor's numbers in between


@saved
@dataclass(frozen=True)
class OneVsOneModel:
    """K (K - 1) / 2 classifiers, in the order of the pairs (0, 1), (0, 2), ..."""

    helds: tuple[Held, ...]
    classes: tuple[Any, ...]
    asks: tuple[str, ...]  # how each is asked, one of ASKS
    limit: float  # of two classes, above which the score says the second
    columns: tuple[Array, ...] | None = None  # that each reads, where columns stand for rows of training

    def votes(self, X: Any) -> Votes:
        """How many vote for each class, who has most, and where another has as many."""
        return count_votes(self._counts(self._predicted(X)))

    def values(self, X: Any) -> Array:
        """The votes for each class (n, K), and less than a third more or less by the sum of what was said."""
        predicted = self._predicted(X)
        sums = np.zeros((len(predicted), len(self.classes)))
        for column, (a, b) in zip(self._confidence(X, predicted).T, self._pairs, strict=True):
            sums[:, a] -= column
            sums[:, b] += column
        return np.asarray(self._counts(predicted) + sums / (3 * (np.abs(sums) + 1)))

    def scores(self, block: Block) -> Array:
        """The values (n, K); of two classes that of the second (n, 1)."""
        values = self.values(table_of(block))
        return values[:, 1:] if len(self.classes) == 2 else values

    def sides(self, block: Block) -> Array:
        """The number of the class with the largest value (n,)."""
        scores = self.scores(block)
        return (scores[:, 0] > self.limit).astype(np.intp) if scores.shape[1] == 1 else scores.argmax(axis=1)

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.classes)), 2))

    def _predicted(self, X: Any) -> Array:
        """What the classifier of each pair predicts (n, number of pairs): 0 for the first class, 1 for the second."""
        return said(self.helds, ["predict"] * len(self.helds), self._tables(X))

    def _confidence(self, X: Any, predicted: Array) -> Array:
        """How sure each is of the second class (n, number of pairs); a regressor by how far it is from a half."""
        if set(self.asks) == {"predict"}:
            return predicted - HALF
        return said(self.helds, self.asks, self._tables(X))

    def _counts(self, predicted: Array) -> Array:
        counts = np.zeros((len(predicted), len(self.classes)))
        for column, (a, b) in zip(predicted.T, self._pairs, strict=True):
            counts[:, a] += column <= HALF
            counts[:, b] += column > HALF
        return counts

    def _tables(self, X: Any) -> list[Any]:
        """The rows as each classifier was given them: numbers, without names."""
        X = numbers(X)
        return [X] * len(self.helds) if self.columns is None else [X[:, some] for some in self.columns]

    def holding(self, change: Callable[[Held], Held]) -> OneVsOneModel:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))


def numbers(X: Any) -> Any:
    """A table as an array; sparse matrices as they are, with rows that can be taken."""
    if hasattr(X, "tocsr"):
        return X.tocsr()
    if isinstance(X, Table):  # a chunk of a file
        return number_columns("OneVsOneClassifier", X, X.infer(), dates=True)[1]
    array = np.column_stack(list(X.values())) if isinstance(X, Mapping) else np.asarray(X)
    if array.dtype != object:
        return array
    try:
        return array.astype(np.float64)
    except ValueError:  # symbols, which the classifiers took when they learned
        return array
