"""How much a neighbour counts, by its distance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved


class VoteWeight(Protocol):
    """A weight for each distance."""

    def of(self, distance: Array) -> Array:
        """Weights (n, m) of neighbours at these distances."""


@saved
@dataclass(frozen=True)
class EqualVotes:
    """All neighbours count the same."""

    def of(self, distance: Array) -> Array:
        """1."""
        return np.ones_like(distance)


@saved
@dataclass(frozen=True)
class InverseDistance:
    """1 / distance; where some neighbours are at 0, they alone count.

    >>> InverseDistance().of(np.array([[0.5, 2.0], [0.0, 1.0]])).tolist()
    [[2.0, 0.5], [1.0, 0.0]]
    """

    def of(self, distance: Array) -> Array:
        """In units of the nearest, so that no distance is too small to divide by."""
        none = distance == 0.0
        least = distance.min(axis=-1, keepdims=True, initial=np.inf)
        unit = np.where((least > 0) & (least < 2.0**-1000), least, 1.0)
        with np.errstate(divide="ignore"):
            inverse = unit / distance
        return np.where(none.any(axis=-1, keepdims=True), none.astype(np.float64), inverse)


@dataclass(frozen=True)
class GivenVotes:
    """A function of the distances. It is code: not saved to files."""

    function: Callable[[Array], Any]

    def of(self, distance: Array) -> Array:
        """What the function gives; not all 0."""
        found = _numbers(self.function(distance))
        if found.shape != distance.shape:
            rule = f"one weight for each of {distance.shape} distances"
            raise bad("weights", "the function", rule, Said(f"shape {found.shape}"), "Give as many.", "must give")
        found = np.where(np.isfinite(distance) | np.isfinite(found), found, 0.0)  # infinitely far: 0 times infinity
        if not (found >= 0.0).all():
            raise bad("weights", "the function", "numbers of at least 0", Said("others"), "Change it.", "must give")
        endless = np.isinf(found)  # as one over a distance of 0: these alone count, and alike
        found = np.where(endless.any(axis=-1, keepdims=True), endless.astype(np.float64), found)
        if (found == 0.0).all(axis=-1).any():
            rule = "a weight above 0 to some neighbour of every row (All neighbors of some sample is getting zero "
            rule += "weights. Please modify 'weights' to avoid this case if you are using a user-defined function.)"
            raise bad("weights", "the function", rule, Said("zeros"), "Change it.", "must give")
        return found


def _numbers(found: Any) -> Array:
    try:
        return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad("weights", "the function", "numbers", Said("others"), "Change it.", "must give") from None


VOTES: Mapping[str, VoteWeight] = {"uniform": EqualVotes(), "distance": InverseDistance()}


def read_votes(weights: Any) -> VoteWeight:
    """By name, as a function, or all the same."""
    if weights is None:
        return EqualVotes()
    return VOTES[weights] if isinstance(weights, str) else GivenVotes(weights)
