"""Votes and targets of all rows within a radius, as values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.neighbours.near.aggregators import Aggregator
from suffice.neighbours.near.lone_rows import refuse_lone
from suffice.neighbours.near.near_rows import NearRows
from suffice.neighbours.near.neighbour_readings import RadiusNeighbours, but_itself
from suffice.neighbours.near.vote_weights import VoteWeight
from suffice.neighbours.near.voters import OutputVoters, Voters
from suffice.spaces.search.found_neighbours import Within


class VotesWithin:
    """The votes of some voters within a radius; `lone` is what rows are that nobody is near to."""

    near: NearRows
    radius: float
    table: Array | None

    def counts(self: Any, X: Any) -> Array:
        """Votes (n, K); zeros where nobody is near. Without X, of the rows themselves, each left out."""
        found = near_or_others(self, X)
        weight = ragged_votes(self.votes, found, self.near.weight)
        n = len(found.starts) - 1
        return np.asarray(self.tally(n, np.repeat(np.arange(n), np.diff(found.starts)), found.numbers, weight))

    def proba(self: Any, block: Block) -> Array:
        """p(class | x) (n, K); zeros for rows without neighbours whose label is no class."""
        return np.asarray(self.shares(self.counts(block.parts[0]), block.start))

    def shares(self: Any, counts: Array, start: int = 0) -> Array:
        """Probabilities from votes of rows from number `start` on."""
        if not self.strange and all(one is None for one in self.lone):
            refuse_lone(self.near.owner, int(start) + np.flatnonzero(~counts.any(axis=1)))
        return np.asarray(self.by_label(self._completed, counts))

    def _completed(self: Any, counts: Array, t: int) -> Array:
        alone, outlier = counts.sum(axis=1) == 0, self.lone[t]
        if outlier is not None:
            counts[alone, outlier] = 1.0
        return np.asarray(counts / np.where(alone & (outlier is None), 1.0, counts.sum(axis=1))[:, None])

    def likeliest(self: Any, block: Block) -> Array:
        """The class with most votes (n,), the first of equals; -1 where nobody is near and the label is no class."""
        return np.asarray(self.places(self.proba(block)))

    def places(self: Any, shares: Array) -> Array:
        """The class of the largest share; -1 where none has any."""
        return np.where(self.met(shares), self.best(shares), -1)


@saved
@dataclass(frozen=True)
class RadiusVotes(VotesWithin, Voters):
    """Rows with classes that vote within a radius; a row without neighbours has an answer of its own, or none."""

    near: NearRows
    codes: Array  # (n,)
    classes: tuple[Any, ...]
    radius: float
    votes: VoteWeight
    outlier: int | None = None  # the class of rows without neighbours; None: they have none
    strange: bool = False  # whether such rows get a label that is no class
    table: Array | None = None
    label: Any = None  # that label

    @property
    def lone(self) -> tuple[int | None, ...]:
        """The class of rows without neighbours."""
        return (self.outlier,)

    @cached_property
    def answered(self) -> tuple[Any, ...]:
        """The classes, and last the label that is none."""
        return (*self.classes, self.label) if self.strange else self.classes

    @property
    def odd_labels(self) -> tuple[Any, ...]:
        """Labels of rows without neighbours that are no classes."""
        return (self.label,) if self.strange else ()

    @property
    def lone_label(self) -> Any:
        """The label of rows without neighbours; None where they are refused."""
        return self.label if self.outlier is None else self.classes[self.outlier]


@saved
@dataclass(frozen=True)
class OutputRadiusVotes(VotesWithin, OutputVoters):
    """The same of rows with several labels."""

    near: NearRows
    codes: Array  # (n, q)
    classes: tuple[tuple[Any, ...], ...]  # of each output
    radius: float
    votes: VoteWeight
    lone: tuple[int | None, ...]  # of each output, the class of rows without neighbours; None: they have none
    strange: bool  # whether such rows get a label that is no class, in some output
    labels: tuple[Any, ...]  # of each output, that label
    table: Array | None = None

    @cached_property
    def answered(self) -> tuple[tuple[Any, ...], ...]:
        """The classes of each output, and last the label that is none, where there is one."""
        both = zip(self.classes, self.labels, strict=True)
        return tuple(classes if label is None else (*classes, label) for classes, label in both)

    @property
    def odd_labels(self) -> tuple[Any, ...]:
        """Labels of rows without neighbours that are no classes."""
        return tuple(label for label in self.labels if label is not None)

    @property
    def lone_label(self) -> Any:
        """The labels of rows without neighbours; None where they are refused."""
        each = zip(self.classes, self.lone, self.labels, strict=True)
        told = [label if place is None else classes[place] for classes, place, label in each]
        return None if all(label is None for label in told) else told


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

    def refuse_unanswered(self, found: Array) -> None:
        """Say of answers that are to be scored how many there are not."""
        none = int(np.isnan(found).sum())
        if none:
            rule = "one within which every row that is scored has a neighbour"
            came = Said(f"{none} {'row that has' if none == 1 else 'rows that have'} none")
            raise bad("RadiusNeighborsRegressor", "radius", rule, came, "Take a wider radius, or KNeighborsRegressor.")


def near_or_others(model: VotesWithin | RadiusTargets, X: Any) -> Within:
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
        return hasattr(self._state()[0].model, "edges")

    @property
    def outlier_label_(self: Any) -> Any:
        """The label of rows without neighbours, of several outputs that of each; None where they are refused."""
        told = self._state()[0].model.lone_label
        return self.outlier_label if told is None else told  # files from before it was kept have it as a parameter


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
