"""Categories of a column: missing cells and infrequent ones among them, and those that users give. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved


@saved
class Absent(Enum):
    """Stands for what is no category of its own among categories."""

    CELL = "missing"
    FEW = "infrequent"  # all infrequent categories of a column together


MISSING, FEW = Absent.CELL, Absent.FEW


@saved
@dataclass(frozen=True)
class Infrequent:
    """Which categories are too infrequent to stand alone; those alike in weight: the first of them."""

    least: float | None = None  # weight that a category must have; a share of the rows where `share`
    share: bool = False
    most: int | None = None  # categories that stay, that of all infrequent ones counted

    def among(self, categories: Sequence[Any], weight: Array, total: float) -> tuple[Any, ...]:
        """The infrequent ones, in order, of categories with these weights."""
        few = np.zeros(len(weight), dtype=bool)
        if self.least is not None:
            few = weight < (self.least * total if self.share else self.least)
        if self.most is not None and len(few) - few.sum() + few.any() > self.most:
            order = np.argsort(weight, kind="stable")
            few[order[: len(order) - (self.most - 1)]] = True
        return tuple(v for v, out in zip(categories, few.tolist(), strict=True) if out)


def given_categories(owner: str, categories: Any) -> tuple[tuple[Any, ...], ...] | None:
    """The categories that a user gave, one list a column, as plain values; None for "auto"."""
    if isinstance(categories, str):
        return None
    found = tuple(tuple(np.asarray(some, dtype=object).tolist()) for some in categories)
    for j, some in enumerate(found):
        plain = [MISSING if absent(v) else v for v in some]
        if len(set(plain)) < len(plain):
            rule = f"different in column {j} (the predefined categories contain duplicate elements.)"
            raise bad(owner, "categories", rule, list(some), "Give each once.")
        if any(v != v for v in some[:-1]):
            rule = f"such that NaN is the last of column {j} (Nan should be the last element)"
            raise bad(owner, "categories", rule, list(some))
    return found


def infrequent(min_frequency: Any, max_categories: int | None) -> Infrequent | None:
    """What scikit-learn's two parameters ask for; None where they ask for nothing."""
    if min_frequency is None and max_categories is None:
        return None
    least = None if min_frequency is None else float(min_frequency)
    share = isinstance(min_frequency, (float, np.floating))
    return Infrequent(least, share, None if max_categories is None else int(max_categories))


def category_array(categories: Sequence[Any]) -> Array:
    """Categories as an array: of numbers where all are, else of objects; missing ones are NaN in both."""
    plain = [v for v in categories if v is not MISSING]
    if plain and all(isinstance(v, (bool, int, float, np.generic)) for v in plain):
        return np.array([nan_for(v) for v in categories])
    out = np.empty(len(categories), dtype=object)
    out[:] = [nan_for(v) for v in categories]
    return out


def nan_for(category: Any) -> Any:
    """NaN for a missing cell; scikit-learn's word for infrequent categories."""
    return np.nan if category is MISSING else "infrequent_sklearn" if category is FEW else category


def absent(value: Any) -> bool:
    """Whether a value stands for a missing cell."""
    return value is None or value is MISSING or value != value


def shown(categories: Sequence[Any]) -> str:
    """Categories as users know them."""
    return str([nan_for(category) for category in categories])


def refuse_strangers(owner: str, name: Any, j: int, strange: Sequence[Any]) -> None:
    """Refuse rows with categories beside those that were given."""
    rule = f"among those given (Found unknown categories {shown(strange)} in column {j} during fit)"
    raise bad(owner, f"the categories of column {name!r}", rule, Said(shown(strange)))
