"""Neighbours vote for classes, as values: they predict on NumPy and SciPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.reading import reading
from suffice.neighbours.near.near_rows import NearRows, first_copies
from suffice.neighbours.near.neighbour_readings import KNeighbours
from suffice.neighbours.near.vote_weights import VoteWeight
from suffice.neighbours.near.voters import OutputVoters, Voters


class NearestVotes:
    """The votes of the k nearest of some voters."""

    def counts(self: Any, X: Any, but_itself: bool = False) -> Array:
        """Votes (n, K)."""
        near = self.near.copies(X, self.k, but_itself)
        weight = self.votes.of(near.distance)
        weight = weight if near.copies is None else weight * near.copies
        return np.asarray(self._tally(near.numbers, weight))

    def _tally(self: Any, numbers: Array, weight: Array) -> Array:
        """Weights of neighbours (n, m) by class (n, K)."""
        return np.asarray(self.tally(len(numbers), np.arange(len(numbers))[:, None], numbers, weight))

    def shares(self: Any, counts: Array) -> Array:
        """Probabilities from votes."""
        return np.asarray(self.by_label(self._smoothed, counts))

    def _smoothed(self: Any, counts: Array, _: int) -> Array:
        counts = counts + self.smoothing
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def proba(self: Any, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return np.asarray(self.shares(self.counts(block.parts[0])))

    def likeliest(self: Any, block: Block) -> Array:
        """The class with most votes (n,), the first of equals; of several labels, that of each (n, q)."""
        return np.asarray(self.best(self.counts(block.parts[0])))

    def left_out(self: Any) -> Array:
        """Votes for each row by the others (n, K)."""
        return np.asarray(self.counts(self.near.rows if self.table is None else self.table, but_itself=True))

    def left_out_errors(self: Any, candidates: Sequence[int]) -> Array:
        """Share of rows whose labels the others do not get right, for each k: one search for all."""
        X = self.near.rows if self.table is None else self.table
        near = self.near.copies(X, max(candidates), but_itself=True)
        assert near.copies is not None
        weight, w = self.votes.of(near.distance), self.near.weight
        errors = []
        for k in candidates:
            counts = self._tally(near.numbers, weight * first_copies(near.copies, k))
            errors.append(np.average(self.wrong(self.best(counts)), weights=w))
        return np.array(errors)


@saved
@dataclass(frozen=True)
class ClassVotes(NearestVotes, Voters):
    """Rows with classes, how many neighbours vote, and how much each counts."""

    near: NearRows
    codes: Array  # (n,) the class of each row
    classes: tuple[Any, ...]
    k: int
    votes: VoteWeight
    smoothing: float = 0.0  # votes that each class has before any neighbour
    table: Array | None = None  # (n, n) where distances were given
    errors: Array | None = None  # share of rows wrong when left out, for each candidate of k
    candidates: Array | None = None


@saved
@dataclass(frozen=True)
class OutputVotes(NearestVotes, OutputVoters):
    """The same of rows with several labels."""

    near: NearRows
    codes: Array  # (n, q) the class of each row in every output
    classes: tuple[tuple[Any, ...], ...]  # of each output
    k: int
    votes: VoteWeight
    smoothing: float = 0.0
    table: Array | None = None
    errors: Array | None = None
    candidates: Array | None = None


class ClassVoteReadings(KNeighbours):
    """What voting neighbours tell."""

    n_neighbors_ = reading("k", "How many neighbours vote.")
    errors_ = reading("errors", "Share of rows wrong when left out, for each candidate of k; None where k was given.")
    candidates_ = reading("candidates", "Numbers of neighbours that were tried; None where k was given.")
    _y = reading("codes", "The class of each row.")

    @property
    def outputs_2d_(self: Any) -> bool:
        """Whether y had several columns."""
        return hasattr(self._state()[0].model, "edges")


@saved
@dataclass(frozen=True)
class ClassVotePlan(KindPlan):
    """Neighbours that vote."""

    face: ClassVar[str] = "probabilistic"

    def readings(self) -> tuple[type[Any], ...]:
        """Neighbours."""
        return (ClassVoteReadings,)
