"""Features over the parts of a case: does any part satisfy a condition, how many do, what do they amount to.

exists: some z satisfies it,     count: number of z that do,     amount: min, max, mean or sum of a value of theirs
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from suffice.core.errors import Said, bad
from suffice.features.structured.conditions import PartCondition

AMOUNTS: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "min": min,
    "max": max,
    "sum": sum,
    "mean": lambda values: sum(values) / len(values),
}
Parts = Callable[[Any], Iterable[Any]]


def _always(part: Any) -> bool:
    return True


@dataclass(frozen=True)
class PartFeature(ABC):
    """What a feature has: where the parts of a case are, and which of them count.

    `of` is the name of a column that holds them, or a function of the case (`lambda mail: words(mail["body"])`).
    """

    of: Any
    where: PartCondition | Callable[[Any], bool] = _always
    name: str | None = field(default=None, kw_only=True)

    def parts(self, case: Any) -> list[Any]:
        """The parts of a case that count."""
        found = self.of(case) if callable(self.of) else _column(case, self.of)
        if found is None:
            return []
        if isinstance(found, (int, float)) or not hasattr(found, "__iter__"):
            raise bad(type(self).__name__, "the parts", "a sequence", found, "Give a function that splits the case.")
        return [one for one in found if self.where(one)]

    @abstractmethod
    def __call__(self, case: Any) -> Any:
        """The value for a case."""

    def __str__(self) -> str:
        """Its name, or what it asks."""
        if self.name is not None:
            return self.name
        of = self.of if isinstance(self.of, str) else getattr(self.of, "__name__", "parts")
        where = "" if self.where is _always else f": {self.where if isinstance(self.where, PartCondition) else 'where'}"
        return f"{type(self).__name__.lower()}({of}{where})"


class Exists(PartFeature):
    """Whether any part satisfies the condition.

    >>> from suffice.features import Exists, part
    >>> big = Exists("orders", part["price"] > 10)
    >>> str(big), big({"orders": [{"price": 3}, {"price": 30}]})
    ('exists(orders: price > 10)', True)
    """

    def __call__(self, case: Any) -> bool:
        """Whether any does."""
        return bool(self.parts(case))


class Count(PartFeature):
    """How many parts satisfy the condition.

    >>> from suffice.features import Count, part
    >>> Count("orders", part["price"] > 2)({"orders": [{"price": 3}, {"price": 30}]})
    2
    """

    def __call__(self, case: Any) -> int:
        """How many do."""
        return len(self.parts(case))


@dataclass(frozen=True)
class Amount(PartFeature):
    """The least, largest, mean or sum of a value of the parts that satisfy the condition; None where there is none.

    >>> from suffice.features import Amount, part
    >>> Amount("orders", value="price", how="mean")({"orders": [{"price": 3}, {"price": 30}]})
    16.5
    """

    value: Any = None  # a column of the part; None: the part itself
    how: str = "mean"

    def __post_init__(self) -> None:
        """Refuse what is none of them."""
        if self.how not in AMOUNTS:
            raise bad("Amount", "how", f"one of {list(AMOUNTS)}", self.how, "Correct it.")

    def __call__(self, case: Any) -> Any:
        """The amount."""
        values = [one if self.value is None else _column(one, self.value) for one in self.parts(case)]
        present = [value for value in values if value is not None and value == value]
        return AMOUNTS[self.how](present) if present else None

    def __str__(self) -> str:
        """Its name, or what it asks."""
        if self.name is not None:
            return self.name
        inner = super().__str__().removeprefix("amount")
        return f"{self.how}{inner}" if self.value is None else f"{self.how} {self.value}{inner}"


def pairs(of: Any) -> Parts:
    """Pairs of parts as parts: two local variables.

    >>> list(pairs("legs")({"legs": ["a", "b", "c"]}))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return lambda case: combinations(of(case) if callable(of) else _column(case, of) or (), 2)


def build(cases: Iterable[Any], features: Sequence[Callable[[Any], Any]]) -> dict[str, list[Any]]:
    """A flat table with one column a feature: structured features made up front.

    >>> from suffice.features import Count, build
    >>> build([{"x": [1, 2]}, {"x": []}], [Count("x")])
    {'count(x)': [2, 0]}
    """
    names = [str(f) if isinstance(f, PartFeature) else getattr(f, "__name__", str(f)) for f in features]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise bad("build", "features", "of different names", Said(repr(twice)), "Give one of them name=.")
    rows = list(cases)
    return {name: [feature(case) for case in rows] for name, feature in zip(names, features, strict=True)}


def _column(case: Any, name: Any) -> Any:
    """A column of a case; None where it has none."""
    if isinstance(case, Mapping):
        return case.get(name)
    return getattr(case, str(name), None)
