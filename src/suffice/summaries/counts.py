"""Counts: how often each label of each column occurs, per component, over vocabularies that stay open.

    rows[k, v] = number of rows, weight[k, v] = sum of w_i (times the count in row i for words)

Tables with different labels add by union; a label whose last row is taken away is dropped, because the exact row
counts, not the weights, decide what exists. A `range` as vocabulary stands for the columns of a matrix, which are never
dropped. Whole weights add and subtract exactly, others like float64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from suffice.core.affine import Indicated
from suffice.core.block import Array, Coded, Words
from suffice.core.double_double import exact
from suffice.core.errors import never_added
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, Together, spread
from suffice.core.tally import remaining, remaining_weight
from suffice.summaries.cell_counts import count_symbols, count_words
from suffice.summaries.moments import Moments

Vocabulary = Sequence[Any]


@saved
@dataclass(frozen=True)
class Counts(Summary):
    """Exact row counts and weights per component and label; the labels of all columns side by side.

    >>> shards = [Coded(np.array([[0], [1]]), (labels,)) for labels in (("red", "blue"), ("green", "red"))]
    >>> red, blue = (Counts.of(shard, Shares.hard(np.array([0, 0]), 1)) for shard in shards)
    >>> (red + blue).labels, (red + blue).rows.tolist()
    ((('red', 'blue', 'green'),), [[2, 1, 1]])
    >>> (red + blue - red).labels
    (('red', 'green'),)
    """

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
        if all(part.labels == labels for part in parts):
            return cls(labels, _added([part.rows for part in parts]), _added([part.weight for part in parts]))
        places = _Places(labels)
        shape = parts[0].rows.shape[0], places.V
        rows, weight = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        for part in parts:
            at = places.of(part.labels)
            rows[:, at] += part.rows
            weight[:, at] += part.weight
        return cls(labels, rows, weight)

    def __sub__(self, other: Counts) -> Counts:
        """Take rows away, and with its last row the label."""
        at = _Places(self.labels).of(other.labels)
        taken, weight = np.zeros_like(self.rows), np.zeros_like(self.weight)
        taken[:, at], weight[:, at] = other.rows, other.weight
        rows = remaining(self.rows, taken)
        return Counts(self.labels, rows, remaining_weight(exact(self.weight), exact(weight), rows).value)._live()

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
        """The same columns at some places of d; the others have no labels."""
        own = self.columns(np.argsort(places))  # the labels of all columns lie side by side, in their order
        at = dict(zip(np.sort(places).tolist(), own.labels, strict=True))
        return Counts(tuple(at.get(j, ()) for j in range(d)), own.rows, own.weight)

    def relabel(self, places: Index, words: Sequence[Mapping[Any, Any]]) -> Counts:
        """The labels of some columns by other names, no two of which may become one."""
        labels = list(self.labels)
        for j, names in zip(places, words, strict=True):
            labels[j] = tuple(names.get(label, label) for label in labels[j])
        return Counts(tuple(labels), self.rows, self.weight)

    def over(self, labels: Vocabulary) -> Counts:
        """The only column over other labels: those it lacks have nothing, those not listed are dropped."""
        place = {label: i for i, label in enumerate(self.labels[0])}
        lacking = len(place)
        at = [place.get(label, lacking) for label in labels]
        rows, weight = (np.pad(cells, ((0, 0), (0, 1)))[:, at] for cells in (self.rows, self.weight))
        return Counts((labels,), rows, weight)

    def push(self, by: Indicated) -> Moments:
        """Moments of the indicators of some labels: no cell may be missing, so that every column counts every row."""
        rows, weight = (cells[:, self.slices[0]].sum(axis=1, keepdims=True) for cells in (self.rows, self.weight))
        place = {(j, label): s.start + i for j, s in enumerate(self.slices) for i, label in enumerate(self.labels[j])}
        counted = np.pad(self.weight, ((0, 0), (0, 1)))[:, [place.get(one, -1) for one in by.at]]
        shape = counted.shape
        total, sums = exact(np.broadcast_to(weight, shape).copy()), exact(counted)
        return Moments(np.zeros(shape[1]), np.broadcast_to(rows, shape).copy(), total, sums, sums)

    def fewest(self) -> Array:
        """As many rows as have some label; words do not exclude one another, so that these cannot be added."""
        return np.asarray(self.rows.max(axis=1, initial=0))

    @cached_property
    def slices(self) -> list[slice]:
        """Where the labels of each column lie on the axis V."""
        return [slice(a, b) for a, b in pairwise(accumulate(map(len, self.labels), initial=0))]

    def column(self, j: int) -> Array:
        """Weights of the labels of column j (K, V_j)."""
        return self.weight[:, self.slices[j]]

    def _live(self) -> Counts:
        """Without the labels that have no row; the columns of a matrix stay."""
        if all(isinstance(v, range) for v in self.labels):
            return self
        fixed = [np.full(len(v), isinstance(v, range)) for v in self.labels]
        keep = np.logical_or(self.rows.any(axis=0), np.concatenate(fixed) if fixed else False)
        if keep.all():
            return self
        labels = tuple(
            v if isinstance(v, range) else tuple(label for label, here in zip(v, keep[s], strict=True) if here)
            for v, s in zip(self.labels, self.slices, strict=True)
        )
        return Counts(labels, self.rows[:, keep], self.weight[:, keep])


def _added(arrays: list[Array]) -> Array:
    """Their sum, in one new array."""
    total: Array = arrays[0] + arrays[1] if len(arrays) > 1 else arrays[0]
    for more in arrays[2:]:
        total += more
    return total


class _Places:
    """Where labels lie on the axis of long vocabularies; one dictionary a column, made when first needed."""

    def __init__(self, labels: tuple[Vocabulary, ...]) -> None:
        self.labels = labels
        self.starts = list(accumulate(map(len, labels), initial=0))
        self.V = self.starts[-1]

    @cached_property
    def _dictionaries(self) -> list[dict[Any, int]]:
        starts = zip(self.labels, self.starts[:-1], strict=True)
        return [{label: i for i, label in enumerate(labels, start)} for labels, start in starts]

    def of(self, labels: tuple[Vocabulary, ...]) -> Array | slice:
        """Places of other vocabularies' labels; those that are not there were never added."""
        if all(mine is theirs or mine == theirs for mine, theirs in zip(self.labels, labels, strict=True)):
            return slice(None)
        flat: list[int] = []
        for j, (where, theirs) in enumerate(zip(self._dictionaries, labels, strict=True)):
            try:
                flat.extend(where[label] for label in theirs)
            except KeyError:
                strange = next(label for label in theirs if label not in where)
                raise never_added(f"the labels of column {j}", f"{strange!r}, which was never seen") from None
        return np.array(flat, dtype=np.intp)


def _union(vocabularies: Sequence[Vocabulary]) -> Vocabulary:
    """All labels once, in order of appearance; no work where the vocabularies are one."""
    first = vocabularies[0]
    if all(other is first or other == first for other in vocabularies[1:]):
        return first
    if all(isinstance(v, range) for v in vocabularies):
        return max(vocabularies, key=len)
    return tuple(dict.fromkeys(chain.from_iterable(vocabularies)))


def relabelled(kept: Any, words: Mapping[int, Mapping[Any, Any]]) -> Any:
    """What is kept of some columns, whose labels have other names, by place; what keeps no labels stays as it is."""
    if isinstance(kept, Together):
        return Together(tuple(relabelled(part, words) for part in kept.parts))
    return kept.relabel(list(words), list(words.values())) if words and isinstance(kept, Counts) else kept
