"""Counts: how often each label of each column occurs, per component, over vocabularies that stay open.

    rows[k, v] = number of rows, weight[k, v] = sum of w_i (times the count in row i for words)

Tables with different labels add by union; a label whose last row is taken away is dropped, because the exact row counts,
not the weights, decide what exists. A `range` as vocabulary stands for the columns of a matrix, which are never dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.errors import NeverAdded
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining
from suffice.summaries.cell_counts import count_symbols, count_words

Vocabulary = Sequence[Any]


@saved
@dataclass(frozen=True)
class Counts(Summary):
    """Exact row counts and weights per component and label; the labels of all columns side by side."""

    labels: tuple[Vocabulary, ...]  # d vocabularies, V labels in all
    rows: Array  # (K, V) int64
    weight: Array  # (K, V)

    @classmethod
    def of(cls, part: Coded, R: Shares) -> Counts:
        """Count the symbols of each column."""
        return cls(part.labels, *count_symbols(part, R))._live()

    @classmethod
    def of_words(cls, part: Words, R: Shares, threshold: float | None = None) -> Counts:
        """Count words: their occurrences, or the rows in which they occur more than `threshold` times."""
        return cls((part.labels,), *count_words(part, R, threshold))._live()

    @classmethod
    def sum(cls, parts: Sequence[Counts]) -> Counts:
        """Unite the vocabularies, then add."""
        labels = tuple(_union(same) for same in zip(*(part.labels for part in parts), strict=True))
        rows, weight = parts[0]._over(labels)
        for part in parts[1:]:
            more_rows, more_weight = part._over(labels)
            rows, weight = rows + more_rows, weight + more_weight
        return cls(labels, rows, weight)

    def __sub__(self, other: Counts) -> Counts:
        """Take rows away, and with its last row the label."""
        for j, (mine, theirs) in enumerate(zip(self.labels, other.labels, strict=True)):
            strange = [label for label in theirs if label not in set(mine)] if mine != theirs else []
            if strange:
                raise NeverAdded(
                    f"forget: the labels of column {j} must have been added before, got {strange[0]!r}, which was never "
                    "seen. Nothing was changed; forget only rows this model has learned from."
                )
        other_rows, other_weight = other._over(self.labels)
        rows = remaining(self.rows, other_rows)
        return Counts(self.labels, rows, np.where(rows > 0, self.weight - other_weight, 0.0))._live()

    def scale(self, factor: float) -> Counts:
        """Weights decay."""
        return Counts(self.labels, self.rows, self.weight * factor)

    def spread(self, index: Index, K: int) -> Counts:
        """Move components; a label that only dropped components had goes with them."""
        return Counts(self.labels, spread(self.rows, index, K), spread(self.weight, index, K))._live()

    def columns(self, places: Index) -> Counts:
        """The counts of some columns."""
        kept = [self.slices[j] for j in places]
        flat = np.concatenate([np.arange(s.start, s.stop) for s in kept]) if kept else np.arange(0)
        return Counts(tuple(self.labels[j] for j in places), self.rows[:, flat], self.weight[:, flat])

    def among(self, places: Index, d: int) -> Counts:
        """The same columns at some places of d (in table order); the others have no labels."""
        at = dict(zip(places, self.labels, strict=True))
        return Counts(tuple(at.get(j, ()) for j in range(d)), self.rows, self.weight)

    @property
    def slices(self) -> list[slice]:
        """Where the labels of each column lie on the axis V."""
        ends = np.cumsum([0, *map(len, self.labels)])
        return [slice(int(a), int(b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]

    def column(self, j: int) -> Array:
        """Weights of the labels of column j (K, V_j)."""
        return self.weight[:, self.slices[j]]

    def _over(self, labels: tuple[Vocabulary, ...]) -> tuple[Array, Array]:
        """Rows and weights over longer vocabularies."""
        if all(mine is theirs or mine == theirs for mine, theirs in zip(self.labels, labels, strict=True)):
            return self.rows, self.weight
        place, start = [], 0
        for mine, theirs in zip(self.labels, labels, strict=True):
            where = {label: i for i, label in enumerate(theirs, start)}
            place.append(np.fromiter((where[label] for label in mine), dtype=np.intp, count=len(mine)))
            start += len(theirs)
        flat = np.concatenate(place) if place else np.arange(0)
        rows = np.zeros((len(self.rows), start), dtype=np.int64)
        weight = np.zeros((len(self.rows), start))
        rows[:, flat], weight[:, flat] = self.rows, self.weight
        return rows, weight

    def _live(self) -> Counts:
        """Without the labels that have no row; the columns of a matrix stay."""
        fixed = [np.full(len(v), isinstance(v, range)) for v in self.labels]
        keep = self.rows.any(axis=0) | (np.concatenate(fixed) if fixed else False)
        if keep.all():
            return self
        labels = tuple(
            v if isinstance(v, range) else tuple(label for label, here in zip(v, keep[s], strict=True) if here)
            for v, s in zip(self.labels, self.slices, strict=True)
        )
        return Counts(labels, self.rows[:, keep], self.weight[:, keep])


def _union(vocabularies: Sequence[Vocabulary]) -> Vocabulary:
    """All labels once, in order of appearance; no work where the vocabularies are one."""
    first = vocabularies[0]
    if all(other is first or other == first for other in vocabularies[1:]):
        return first
    if all(isinstance(v, range) for v in vocabularies):
        return max(vocabularies, key=len)
    return tuple(dict.fromkeys(chain.from_iterable(vocabularies)))
