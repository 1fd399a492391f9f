"""The rule of the library: what is kept of the rows is a value that adds.

A model is learned by summarizing blocks of rows, adding the summaries, and estimating from the sum.
What cannot be added is not a summary. What is learned in passes repeats the rule, once per pass.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.registry import saved

Index = Sequence[int] | Array


class Kinds(ABCMeta):
    """Classes whose instances are told by their type alone, as small fits ask for them again and again."""

    __instancecheck__ = type.__instancecheck__


@dataclass(frozen=True)
class Summary(metaclass=Kinds):
    """An immutable value that adds. Arrays are never written after they are made; components come first."""

    @classmethod
    @abstractmethod
    def sum(cls, parts: Sequence[Self]) -> Self:
        """What is kept of all these sets of rows together."""

    @abstractmethod
    def __sub__(self, other: Self) -> Self:
        """What is kept of the first rows without the second; raises if they were never added."""

    @abstractmethod
    def scale(self, factor: float) -> Self:
        """What is kept if every row weighs `factor` times as much: forgetting by decay."""

    @abstractmethod
    def spread(self, index: Index, K: int) -> Self:
        """Move component i to place index[i] of an axis of length K (-1 drops it); the other places are empty."""

    def fewest(self) -> Array | int:
        """How many rows each component has at least (K,), going by what is kept of them."""
        return 0

    def __add__(self, other: Self) -> Self:
        """What is kept of both sets of rows."""
        if type(other) is not type(self):
            raise refusal(NotASummary, self, "", "its own kind", Said(type(other).__name__), "", "can only be added to")
        return type(self).sum([self, other])


@saved
@dataclass(frozen=True)
class Together(Summary):
    """Several summaries side by side, of the same rows or of several folds of them; every verb goes part by part."""

    parts: tuple[Summary, ...]

    @classmethod
    def sum(cls, parts: Sequence[Together]) -> Together:
        """Part by part."""
        return cls(tuple(type(same[0]).sum(same) for same in zip(*(p.parts for p in parts), strict=True)))

    def __sub__(self, other: Together) -> Together:
        """Part by part."""
        return Together(tuple(a - b for a, b in zip(self.parts, other.parts, strict=True)))

    def scale(self, factor: float) -> Together:
        """Part by part."""
        return Together(tuple(part.scale(factor) for part in self.parts))

    def spread(self, index: Index, K: int) -> Together:
        """Part by part."""
        return Together(tuple(part.spread(index, K) for part in self.parts))

    def push(self, by: Any) -> Together:
        """Part by part, where all of them have `push`."""
        parts: tuple[Any, ...] = self.parts
        return Together(tuple(part.push(by) for part in parts))

    def fewest(self) -> Array | int:
        """As many as any part has."""
        least: Array | int = 0
        for part in self.parts:
            least = np.maximum(least, part.fewest())
        return least


def spread(values: Array, index: Index, K: int) -> Array:
    """An array whose component i moves to place index[i] of a first axis of length K, zero elsewhere."""
    index = np.asarray(index, dtype=np.intp)
    out = np.zeros((K, *values.shape[1:]), dtype=values.dtype)
    out[index[index >= 0]] = values[index >= 0]
    return out


def kept_bytes(kept: Any) -> int:
    """Bytes of the arrays that a summary keeps; what is no array is little beside them.

    >>> kept_bytes((np.zeros(3), (np.zeros(2), "label")))
    40
    """
    if isinstance(kept, np.ndarray):
        return int(kept.nbytes)
    if isinstance(kept, (tuple, list)):  # of labels there may be many, and they are alike
        few = () if kept and isinstance(kept[0], (str, int, float)) else kept
        return sum(map(kept_bytes, few))
    if isinstance(kept, type) or not is_dataclass(kept):
        return 0
    return sum(map(kept_bytes, vars(kept).values()))  # as it lies: asking for a field may fill it in
