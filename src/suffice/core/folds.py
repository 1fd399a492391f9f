"""Folds: which rows belong to which, and what all folds but one say together.

A row's fold depends on a seed, its class and its rank within the class: each run of K ranks is permuted by a hash.
So folds are stratified exactly, whatever the order of the rows, in one pass over them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol, TypeVar
from zlib import crc32

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.errors import bad

T = TypeVar("T")
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio, made odd
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


class FoldOf(Protocol):
    """Says of the rows of a block which fold each belongs to."""

    @property
    def K(self) -> int:
        """Number of folds."""

    def __call__(self, block: Block) -> Array:
        """Fold of each row (n,), from 0 to K - 1."""

    def check(self, rows: Array) -> None:
        """Refuse, after all rows were met, numbers of rows in each fold (K,) that cannot be."""


class RowFolds:
    """Folds given row by row.

    Parameters
    ----------
    folds : (n,) number of the fold of each row, from 0, in the order of the rows
    """

    def __init__(self, folds: Any) -> None:
        """Check the numbers."""
        codes = np.asarray(folds)
        if codes.ndim != 1 or codes.dtype.kind not in "iu" or codes.size == 0 or codes.min() < 0:
            rule = "one whole number of at least 0 for each row"
            raise bad("learn_folds", "folds", rule, folds, "Number folds from 0.")
        self.codes = codes.astype(np.int64)
        self.K = int(self.codes.max()) + 1

    def __call__(self, block: Block) -> Array:
        """Looked up by the number of the row."""
        numbers = block.numbers
        if block.n and int(numbers.max()) >= len(self.codes):
            raise self._other_length()
        return np.asarray(self.codes[numbers])

    def check(self, rows: Array) -> None:
        """As many rows as numbers."""
        if not np.array_equal(rows, np.bincount(self.codes, minlength=self.K)):
            raise self._other_length()

    def _other_length(self) -> Exception:
        return bad("learn_folds", "folds", "as many as there are rows", len(self.codes), "Give every row its fold.")


class DrawnFolds:
    """Folds drawn as rows come, block after block in their order: stratified by the labels of the rows.

    Parameters
    ----------
    K : number of folds, at least 2
    seed : a whole number from 0 to 2^64 - 1

    >>> y = Coded(np.array([[0], [0], [1], [0], [1], [0]]), (("ham", "spam"),))
    >>> DrawnFolds(2)(Block((np.zeros((6, 1)),), y)).tolist()
    [0, 1, 0, 1, 1, 0]
    """

    by_rank = True  # ranks within classes decide, which partitions have to be told

    def __init__(self, K: int, seed: int = 0) -> None:
        """No row was met yet."""
        self.K, self.seed = K, seed
        self._met: dict[Hashable, int] = {}
        self._begins: Mapping[int, Mapping[Hashable, int]] = {}

    def beginning(self, begins: Mapping[int, Mapping[Hashable, int]]) -> DrawnFolds:
        """The same folds, of rows that are read in partitions: first row of each -> rows of each label before it."""
        folds = DrawnFolds(self.K, self.seed)
        folds._begins = begins
        return folds

    def __call__(self, block: Block) -> Array:
        """By the rank of each row within its class; numbers to predict, and no target, are one class."""
        y = block.y if isinstance(block.y, Coded) else Coded(np.zeros((block.n, 1), dtype=np.int32), ((None,),))
        if block.start in self._begins:
            self._met = dict(self._begins[block.start])
        return self.of_labels(y)

    def of_labels(self, y: Coded) -> Array:
        """The same, given the labels alone; rows without a label (-1) are a class of their own."""
        out = np.empty(len(y.codes), dtype=np.int64)
        codes = y.codes[:, 0]
        order = np.argsort(codes, kind="stable")
        labels = (*y.labels[0], None)  # -1 is the last
        starts = np.flatnonzero(np.diff(codes[order], prepend=-2, append=len(labels)))
        for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            label = labels[int(codes[order[a]])]
            met = self._met.get(label, 0)
            out[order[a:b]] = self._drawn(met, b - a, label)
            self._met[label] = met + b - a
        return out

    def _drawn(self, first: int, n: int, label: Hashable) -> Array:
        """Folds of n rows in a row of one class, the first of which has the rank `first`."""
        begin = first // self.K
        runs = np.arange(begin, (first + n - 1) // self.K + 1, dtype=np.uint64)
        places = runs[:, None] * np.uint64(self.K) + np.arange(self.K, dtype=np.uint64)
        drawn = np.argsort(np.argsort(scrambled(places, self.seed ^ crc32(repr(label).encode())), axis=1), axis=1)
        return np.asarray(drawn.ravel()[first - begin * self.K :][:n])

    def check(self, rows: Array) -> None:
        """Whatever came."""


class HashedFolds:
    """Folds by a hash of the number of a row: where ranks within classes can't be told, so that shares are near equal.

    Parameters
    ----------
    K : number of folds, at least 2
    seed : a whole number from 0 to 2^64 - 1
    """

    def __init__(self, K: int, seed: int = 0) -> None:
        """Nothing is met in any order."""
        self.K, self.seed = K, seed

    def __call__(self, block: Block) -> Array:
        """From what each row is known by."""
        return np.asarray((scrambled(block.numbers.astype(np.uint64), self.seed) % np.uint64(self.K)).astype(np.int64))

    def check(self, rows: Array) -> None:
        """Whatever came."""


def placed(source: Any, fold_of: FoldOf) -> FoldOf:
    """Folds as a source hands them to whoever reads its rows: partitions are read at the same time."""
    place = getattr(source, "place_folds", None)
    return fold_of if place is None else place(fold_of)


def scrambled(rows: Array, seed: int) -> Array:
    """The output number `row` of the generator splitmix64 that starts at `seed`, uint64."""
    z = np.uint64(seed) + (rows + np.uint64(1)) * GOLDEN
    for shift, factor in _STEPS:
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(z ^ (z >> np.uint64(31)))


def without_each(parts: Sequence[T], add: Callable[[T, T], T]) -> list[T]:
    """The sum of all parts but one, for each of at least two: sums from both ends, three additions a part.

    Nothing is subtracted.

    >>> without_each([1, 10, 100], lambda a, b: a + b)
    [110, 101, 11]
    """
    before = list(accumulate(parts[:-1], add))
    after = list(accumulate(reversed(parts[1:]), lambda a, b: add(b, a)))[::-1]
    middle = [add(a, b) for a, b in zip(before[:-1], after[1:], strict=True)]
    return [after[0], *middle, before[-1]]
