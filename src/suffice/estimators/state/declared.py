"""Classes that are there whether or not they have rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import bad
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class Declared:
    """Classes named beforehand. If they are `closed`, no others may come.

    >>> Declared(("spam", "ham")).join(Declared(("ham", "eggs"))).labels
    ('eggs', 'ham', 'spam')
    """

    labels: tuple[Any, ...] = ()
    closed: bool = False

    def admit(self, owner: str, labels: Iterable[Any]) -> None:
        """Refuse a label that was not declared, where that matters."""
        known = set(self.labels)
        strange = [label for label in labels if self.closed and label not in known]
        if strange:
            told = f"The target label(s) {strange} in y do not exist in the initial classes {list(self.labels)}"
            raise bad(owner, "labels", f"declared ({told})", strange[0], "Declare all classes in the first call.")

    def join(self, other: Declared) -> Declared:
        """The classes of both; closed if both are."""
        return Declared(canonical((*self.labels, *other.labels)), self.closed and other.closed)

    def besides(self, summary: ByClass) -> Declared:
        """What is left to declare: classes that have rows speak for themselves, unless no others may come."""
        if self.closed or not self.labels:
            return self
        met = set(summary.labels)
        return Declared(tuple(label for label in self.labels if label not in met))

    def over(self, summary: ByClass) -> ByClass:
        """A summary with places for the classes that have no rows."""
        return summary.align(canonical((*summary.labels, *self.labels))) if self.labels else summary
