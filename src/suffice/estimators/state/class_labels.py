"""Labels of classes: those that are there without rows, and labels as files wrote them. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import NotASummary, Said, bad, refusal
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


def labels_alike(models: Sequence[Any]) -> list[Any]:
    """Fitted values whose labels are texts wherever those of another are: as they were written, not as they were read.

    `01` and `02` are numbers in a file that holds no other label, and texts in one that holds `0x` too; `true` is no
    number, though Python takes it for 1.
    """
    texts = any(not one.written and any(isinstance(label, str) for label in labels_of(one)) for one in models)
    texts = texts or len({isinstance(label, bool) for one in models for label in one.written}) > 1
    return [_as_written(one) if texts and one.written else one for one in models]


def labels_of(fitted: Any) -> tuple[Any, ...]:
    """The classes that have rows."""
    return fitted.state.labels if isinstance(fitted.state, ByClass) else ()


def united(parts: Sequence[Mapping[Any, tuple[str, ...]]]) -> dict[Any, tuple[str, ...]]:
    """How each label was written, in all of them."""
    found: dict[Any, tuple[str, ...]] = {}
    for part in parts:
        for label, texts in part.items():
            found[label] = tuple(sorted({*found.get(label, ()), *texts}))
    return found


def _as_written(fitted: Any) -> Any:
    state: ByClass = fitted.state
    for label in state.labels:
        texts = fitted.written.get(label, ())
        if len(texts) > 1:
            raise refusal(
                NotASummary,
                "merge",
                f"the label {label!r}",
                "written alike where another model has labels that are texts",
                Said(" and ".join(map(repr, texts[:2]))),
                "Read the target of all models as categorical.",
            )
    labels = tuple(fitted.written.get(label, (label,))[0] for label in state.labels)
    turned = ByClass(labels, state.tally, state.summary).align(canonical(labels))
    return replace(fitted, state=turned, written={})
