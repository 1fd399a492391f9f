"""Votes and targets of all rows within a radius, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.neighbours.near.aggregators import Aggregator
from suffice.neighbours.near.class_votes import Voters
from suffice.neighbours.near.near_rows import NearRows
from suffice.neighbours.near.neighbour_readings import RadiusNeighbours, but_itself
from suffice.neighbours.near.vote_weights import VoteWeight
from suffice.spaces.search.found_neighbours import Within


@saved
@dataclass(frozen=True)
class RadiusVotes(Voters):
    """Rows with classes that vote within a radius; a row without neighbours has an answer of its own, or none."""

    near: NearRows
    codes: Array  # (n,)
    classes: tuple[Any, ...]
    radius: float
    votes: VoteWeight
    outlier: int | None = None  # the class of rows without neighbours; None: they have none
    strange: bool = False  # whether such rows get a label that is no class
    table: Array | None = None

    def counts(self, X: Any) -> Array:
        """Votes (n, K); zeros where nobody is near. Without X, of the rows themselves, each left out."""
        found = near_or_others(self, X)
        weight = ragged_votes(self.votes, found, self.near.weight)
        n, K = len(found.starts) - 1, len(self.classes)
        query = np.repeat(np.arange(n), np.diff(found.starts))
        return np.bincount(self.codes[found.numbers] + K * query, weight, minlength=n * K).reshape(n, K)

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K); zeros for rows without neighbours whose label is no class."""
        return self.shares(self.counts(block.parts[0]))

    def shares(self, counts: Array) -> Array:
        """Probabilities from votes."""
        alone = counts.sum(axis=1) == 0
        if self.outlier is not None:
            counts[alone, self.outlier] = 1.0
        return np.asarray(counts / np.where(alone & (self.outlier is None), 1.0, counts.sum(axis=1))[:, None])

    def likeliest(self, block: Block) -> Array:
        """The class with most votes (n,), the first of equals; -1 where nobody is near and no class is named."""
        shares = self.proba(block)
        return np.where(shares.any(axis=1), shares.argmax(axis=1), -1)


@saved
@dataclass(frozen=True)
class RadiusTargets:
    """Rows with targets, and how those within a radius become one."""

    near: NearRows
    targets: Array  # (n, q)
    radius: float
    votes: VoteWeight
    aggregate: Aggregator
    table: Array | None = None

    def predict(self, block: Block) -> Array:
        """Targets (n, q); not a number where nobody is near."""
        return self.of(block.parts[0])

    def of(self, X: Any) -> Array:
        """Targets of rows; without X, of the rows themselves, each left out."""
        found = near_or_others(self, X)
        weight = ragged_votes(self.votes, found, self.near.weight)
        out = np.full((len(found.starts) - 1, self.targets.shape[1]), np.nan)
        for i, (at, w) in enumerate(zip(found.split(found.numbers), found.split(weight), strict=True)):
            if len(at):
                out[i] = self.aggregate.of(self.targets[at][None], w[None])[0]
        return out


def near_or_others(model: RadiusVotes | RadiusTargets, X: Any) -> Within:
    """Rows within the radius; without X, of each row the others."""
    if X is not None:
        return model.near.within(X, model.radius)
    return but_itself(model.near.within(model.near.rows if model.table is None else model.table, model.radius))


def ragged_votes(votes: VoteWeight, found: Within, weight: Array | None) -> Array:
    """Weights of all neighbours, query by query."""
    pieces = [votes.of(d[None])[0] if len(d) else d for d in found.split(found.distance)]
    out = np.concatenate(pieces) if pieces else np.empty(0)
    return out if weight is None else np.asarray(out * weight[found.numbers])


class RadiusReadings(RadiusNeighbours):
    """What votes within a radius tell."""

    @property
    def outputs_2d_(self: Any) -> bool:
        """Whether y had several columns."""
        return False

    @property
    def outlier_label_(self: Any) -> Any:
        """The label of rows without neighbours; None where they are refused."""
        model: RadiusVotes = self._state()[0].model
        return model.classes[model.outlier] if model.outlier is not None else self.outlier_label


@saved
@dataclass(frozen=True)
class RadiusVotePlan(KindPlan):
    """Votes within a radius."""

    face: ClassVar[str] = "probabilistic"

    def readings(self) -> tuple[type[Any], ...]:
        """Neighbours."""
        return (RadiusReadings,)


@saved
@dataclass(frozen=True)
class RadiusTargetPlan(KindPlan):
    """Targets within a radius."""

    face: ClassVar[str] = "regressor"

    def readings(self) -> tuple[type[Any], ...]:
        """Neighbours."""
        return (RadiusNeighbours,)
