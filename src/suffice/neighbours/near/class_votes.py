"""Neighbours vote for classes, as values: they predict on NumPy and SciPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.reading import reading
from suffice.neighbours.near.near_rows import NearRows, first_copies
from suffice.neighbours.near.neighbour_readings import KNeighbours
from suffice.neighbours.near.vote_weights import VoteWeight


class Voters(FromProba):
    """Rows with classes: `near` the rows, `codes` (n,) the class of each, `classes` the labels."""

    @property
    def prior(self: Any) -> Array:
        """Shares of the classes among the rows (K,)."""
        counts = np.bincount(self.codes, self.near.weight, minlength=len(self.classes))
        return np.asarray(counts / counts.sum())


@saved
@dataclass(frozen=True)
class ClassVotes(Voters):
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

    def counts(self, X: Any, but_itself: bool = False) -> Array:
        """Votes (n, K)."""
        near = self.near.copies(X, self.k, but_itself)
        weight = self.votes.of(near.distance)
        return self.by_class(near.numbers, weight if near.copies is None else weight * near.copies)

    def by_class(self, numbers: Array, weight: Array) -> Array:
        """Weights of neighbours (n, m) by class (n, K)."""
        n, K = len(numbers), len(self.classes)
        with np.errstate(invalid="ignore"):
            cells = self.codes[numbers] + K * np.arange(n)[:, None]
        return np.bincount(cells.ravel(), weight.ravel(), minlength=n * K).reshape(n, K)

    def shares(self, counts: Array) -> Array:
        """Probabilities from votes."""
        counts = counts + self.smoothing
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return self.shares(self.counts(block.parts[0]))

    def likeliest(self, block: Block) -> Array:
        """The class with most votes (n,), the first of equals."""
        return np.asarray(self.counts(block.parts[0]).argmax(axis=1))

    def left_out(self) -> Array:
        """Votes for each row by the others (n, K)."""
        return self.counts(self.near.rows if self.table is None else self.table, but_itself=True)

    def left_out_errors(self, candidates: Sequence[int]) -> Array:
        """Share of rows whose class the others get wrong, for each k: one search for all."""
        X = self.near.rows if self.table is None else self.table
        near = self.near.copies(X, max(candidates), but_itself=True)
        assert near.copies is not None
        weight, w = self.votes.of(near.distance), self.near.weight
        errors = []
        for k in candidates:
            counts = self.by_class(near.numbers, weight * first_copies(near.copies, k))
            errors.append(np.average(counts.argmax(axis=1) != self.codes, weights=w))
        return np.array(errors)


class ClassVoteReadings(KNeighbours):
    """What voting neighbours tell."""

    n_neighbors_ = reading("k", "How many neighbours vote.")
    errors_ = reading("errors", "Share of rows wrong when left out, for each candidate of k; None where k was given.")
    candidates_ = reading("candidates", "Numbers of neighbours that were tried; None where k was given.")
    _y = reading("codes", "The class of each row.")

    @property
    def outputs_2d_(self: Any) -> bool:
        """Whether y had several columns."""
        return False


@saved
@dataclass(frozen=True)
class ClassVotePlan(KindPlan):
    """Neighbours that vote."""

    face: ClassVar[str] = "probabilistic"

    def readings(self) -> tuple[type[Any], ...]:
        """Neighbours."""
        return (ClassVoteReadings,)
