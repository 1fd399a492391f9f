"""How y is read: labels of classes, numbers to predict, or nothing. No scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

from suffice.core.block import Array, Coded
from suffice.core.errors import bad
from suffice.estimators.boundary.targets import read_targets
from suffice.estimators.state.origin import label_type
from suffice.sources.tables.labels import code_labels


class ReadTarget(NamedTuple):
    """y as a source wants it, and what is remembered of its form."""

    y: Coded | Array | None
    label_type: str | None = None
    flat: bool = True


class Target(Protocol):
    """A way to read y."""

    numbers: ClassVar[bool]  # whether a column of a file that is named as the target holds numbers to predict
    needed: ClassVar[bool]
    what: ClassVar[str]  # one of them is, for messages

    def read(self, owner: str, y: Any) -> ReadTarget:
        """One label, number or nothing a row."""


class ClassTarget:
    """One label a row."""

    numbers: ClassVar[bool] = False
    needed: ClassVar[bool] = True
    what: ClassVar[str] = "label"

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Labels as codes."""
        if y is None:
            note = "a label for each row (fit requires y to be passed, but the target y is None)"
            raise bad(owner, "y", note, y, "Give one label a row.")
        return ReadTarget(self._coded(owner, y), label_type(y))

    def _coded(self, owner: str, y: Any) -> Coded:
        return code_labels(y)


class NumberTarget:
    """One number a row, or a table of several targets."""

    numbers: ClassVar[bool] = True
    needed: ClassVar[bool] = True
    what: ClassVar[str] = "number"

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Numbers (n, t)."""
        targets = read_targets(owner, y)
        return ReadTarget(targets.values, flat=targets.flat)


class NoTarget:
    """Nothing: what comes as y is not looked at."""

    numbers: ClassVar[bool] = False
    needed: ClassVar[bool] = False
    what: ClassVar[str] = "row"

    def read(self, owner: str, y: Any) -> ReadTarget:
        """None."""
        return ReadTarget(None)
