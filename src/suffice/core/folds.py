"""Folds: what all parts but one say together, for each part; nothing is subtracted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


def without_each(parts: Sequence[T], add: Callable[[T, T], T]) -> list[T]:
    """The sum of all parts but one, for each of at least two: sums from both ends, three additions a part.

    >>> without_each([1, 10, 100], lambda a, b: a + b)
    [110, 101, 11]
    """
    before = list(accumulate(parts[:-1], add))
    after = list(accumulate(reversed(parts[1:]), lambda a, b: add(b, a)))[::-1]
    middle = [add(a, b) for a, b in zip(before[:-1], after[1:], strict=True)]
    return [after[0], *middle, before[-1]]
