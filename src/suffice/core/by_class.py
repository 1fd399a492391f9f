"""ByClass: any summary per class label, where classes may come late, on one shard only, or leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from suffice.core.errors import never_added
from suffice.core.registry import saved
from suffice.core.summary import Index, Summary
from suffice.core.tally import Tally


@saved
@dataclass(frozen=True)
class ByClass(Summary):
    """A summary whose components are classes: adding aligns them by label; a class without rows is not there.

    >>> import numpy as np
    >>> from suffice.core.shares import Shares
    >>> tally = Tally.of(Shares.hard(np.array([1, 1]), 2))
    >>> shards = [ByClass.of(labels, tally, tally) for labels in (("ham", "spam"), ("spam", "ham"))]
    >>> (shards[0].labels, ByClass.sum(shards).labels, ByClass.sum(shards).tally.rows.tolist())
    (('spam',), ('ham', 'spam'), [2, 2])
    """

    labels: tuple[Any, ...]  # K labels, in canonical order
    tally: Tally
    summary: Summary

    @classmethod
    def of(cls, labels: Sequence[Any], tally: Tally, summary: Summary) -> ByClass:
        """Put the classes in canonical order and drop those without rows."""
        live = canonical(label for label, rows in zip(labels, tally.rows, strict=True) if rows > 0)
        return cls(tuple(labels), tally, summary).align(live)

    @classmethod
    def sum(cls, parts: Sequence[ByClass]) -> ByClass:
        """Align by label, then add."""
        labels = canonical(label for part in parts for label in part.labels)
        parts = [part.align(labels) for part in parts]
        tally = Tally.sum([part.tally for part in parts])
        return cls(labels, tally, type(parts[0].summary).sum([part.summary for part in parts]))

    def __sub__(self, other: ByClass) -> ByClass:
        """Take rows away, and with its last row the class."""
        known = set(self.labels)
        strange = [label for label in other.labels if label not in known]
        if strange:
            raise never_added("the classes", f"{strange[0]!r}, which was never seen")
        other = other.align(self.labels)
        tally, summary = self.tally - other.tally, self.summary - other.summary
        if (tally.rows < summary.fewest()).any():
            raise never_added("the rows", "more rows that lack a cell than there were")
        return ByClass.of(self.labels, tally, summary)

    def scale(self, factor: float) -> ByClass:
        """Every class alike."""
        return ByClass(self.labels, self.tally.scale(factor), self.summary.scale(factor))

    def push(self, by: Any) -> ByClass:
        """What is kept of the rows of each class once their columns are mapped."""
        summary: Any = self.summary
        return ByClass(self.labels, self.tally, summary.push(by))

    def spread(self, index: Index, K: int) -> ByClass:
        """Classes find their places by label, never by number."""
        raise TypeError("ByClass: classes are placed by label, not by number; use align.")

    def align(self, labels: tuple[Any, ...]) -> ByClass:
        """The same summary over another list of labels: those it lacks are empty, those not listed are dropped."""
        if labels == self.labels:
            return self
        place = {label: i for i, label in enumerate(labels)}
        index = [place.get(label, -1) for label in self.labels]
        return ByClass(labels, self.tally.spread(index, len(labels)), self.summary.spread(index, len(labels)))


def canonical(labels: Iterable[Any]) -> tuple[Any, ...]:
    """Distinct labels in an order that does not depend on how they came: sorted, by type where types do not compare."""
    distinct = list(dict.fromkeys(labels))
    for key in (None, _by_type):
        try:
            return tuple(sorted(distinct, key=key))
        except TypeError:  # labels that do not compare, such as 1 and "one"
            continue
    return tuple(sorted(distinct, key=_by_text))


def _by_type(label: Any) -> tuple[str, Any]:
    return type(label).__name__, label


def _by_text(label: Any) -> tuple[str, str]:
    return type(label).__name__, repr(label)
