"""Conditions on a part of a case: a small language that reads as it is meant, and prints as it was written.

(part["length"] >= 3) & ~part["gills"].among(["none"])
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from suffice.core.errors import Said, bad

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda value, some: value in some,
    "contains": lambda value, piece: piece in value,
}


class PartCondition(ABC):
    """Says of a part whether it holds; conditions are joined by `&`, `|` and `~`."""

    @abstractmethod
    def __call__(self, part: Any) -> bool:
        """Whether it holds."""

    def __and__(self, other: PartCondition) -> PartCondition:
        """Both hold."""
        return Joined("&", (self, other))

    def __or__(self, other: PartCondition) -> PartCondition:
        """One of them holds."""
        return Joined("|", (self, other))

    def __invert__(self) -> PartCondition:
        """It does not hold."""
        return Joined("~", (self,))

    def __bool__(self) -> bool:
        """Refuse `and`, `or`, `not` and chained comparisons, which would drop half of it."""
        remedy = "Join conditions by &, | and ~, each in parentheses."
        raise bad("Condition", "a condition", "asked of a part", Said("a truth value of its own"), remedy)


@dataclass(frozen=True)
class Joined(PartCondition):
    """Conditions joined by a word."""

    word: str  # "&", "|" or "~"
    inner: tuple[PartCondition, ...]

    def __call__(self, part: Any) -> bool:
        """Whether it holds."""
        if self.word == "~":
            return not self.inner[0](part)
        return all(c(part) for c in self.inner) if self.word == "&" else any(c(part) for c in self.inner)

    def __str__(self) -> str:
        """As it is written."""
        return f"~{self.inner[0]}" if self.word == "~" else f"({f' {self.word} '.join(map(str, self.inner))})"


@dataclass(frozen=True)
class Compared(PartCondition):
    """A value of the part, compared; a part without it, or with a missing one, does not satisfy it."""

    value: Value
    word: str
    against: Any

    def __call__(self, part: Any) -> bool:
        """Whether it holds."""
        found = self.value.of(part)
        if found is None or found != found:
            return False
        try:
            return bool(COMPARISONS[self.word](found, self.against))
        except TypeError:
            came = Said(f"{found!r} {self.word} {self.against!r}")
            raise bad(
                "PartCondition", str(self.value), "of a type that compares", came, "Convert the column."
            ) from None

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.value} {self.word} {self.against!r}"


@dataclass(frozen=True, eq=False)
class Value:
    """A column of a part, or the part itself, to compare."""

    column: Any = None

    def __getitem__(self, column: Any) -> Value:
        """A column of the part."""
        return Value(column)

    def of(self, part: Any) -> Any:
        """The value; None where the part has no such column."""
        if self.column is None:
            return part
        return part.get(self.column) if isinstance(part, Mapping) else getattr(part, str(self.column), None)

    def __eq__(self, other: object) -> Compared:  # type: ignore[override]
        """Equal."""
        return Compared(self, "==", other)

    def __ne__(self, other: object) -> Compared:  # type: ignore[override]
        """Not equal."""
        return Compared(self, "!=", other)

    def __lt__(self, other: Any) -> Compared:
        """Less."""
        return Compared(self, "<", other)

    def __le__(self, other: Any) -> Compared:
        """At most."""
        return Compared(self, "<=", other)

    def __gt__(self, other: Any) -> Compared:
        """More."""
        return Compared(self, ">", other)

    def __ge__(self, other: Any) -> Compared:
        """At least."""
        return Compared(self, ">=", other)

    def among(self, some: Iterable[Any]) -> Compared:
        """One of several values."""
        return Compared(self, "in", tuple(some))

    def contains(self, piece: Any) -> Compared:
        """A text with a piece, a list with a member."""
        return Compared(self, "contains", piece)

    def satisfies(self, test: Callable[[Any], bool]) -> PartCondition:
        """A condition of your own."""
        return OwnCondition(self, test)

    def __hash__(self) -> int:
        """By the column."""
        return hash(self.column)

    def __str__(self) -> str:
        """As it is written."""
        return "part" if self.column is None else str(self.column)


@dataclass(frozen=True)
class OwnCondition(PartCondition):
    """A condition that is a function."""

    value: Value
    test: Callable[[Any], bool]

    def __call__(self, part: Any) -> bool:
        """Whether it holds."""
        found = self.value.of(part)
        return found is not None and bool(self.test(found))

    def __str__(self) -> str:
        """By the name of the function."""
        return f"{getattr(self.test, '__name__', 'test')}({self.value})"


part = Value()
