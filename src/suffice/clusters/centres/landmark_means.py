"""Means in the span of landmarks in the space of a kernel, as a value, and rows mapped there. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.sources.engines.wrapped_sources import WrappedSource
from suffice.spaces.landmark_map import LandmarkMap
from suffice.summaries.moments import Moments

CELLS = 1 << 21  # of kernel values made at a time


@dataclass(frozen=True)
class MappedRows(WrappedSource):
    """Rows of a source as features in the span of landmarks."""

    mapping: LandmarkMap

    def _change(self) -> Callable[[Block], Block]:
        return lambda block: mapped(self.mapping, block)


def mapped(mapping: LandmarkMap, block: Block) -> Block:
    """A block of features, some rows at a time."""
    (X,) = block.parts
    out = np.empty((len(X), mapping.whitener.shape[1]))
    for rows in _steps(mapping, len(X)):
        out[rows] = mapping.of_rows(X[rows])
    return block._replace(parts=(out,))


def _steps(mapping: LandmarkMap, n: int) -> Iterator[slice]:
    step = max(1, CELLS // max(1, len(mapping.landmarks)))
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


@dataclass(frozen=True)
class OutsidePass:
    """Adds what lies outside the span of the landmarks: a learner of one pass."""

    mapping: LandmarkMap

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Moments of the squares, row by row."""
        (X,), out = block.parts, np.empty((block.n, 1))
        for rows in _steps(self.mapping, block.n):
            out[rows, 0] = self.mapping.outside(X[rows], self.mapping.of_rows(X[rows]))
        return Moments.of(out, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))

    def estimate(self, summary: Moments, model: None = None) -> float:
        """Their weighted sum."""
        return float((summary.mean.value * summary.weight.value)[0, 0])


@saved
@dataclass(frozen=True)
class LandmarkMeans(Centres):
    """Centres in the span of landmarks; what lies outside it is what the sketch may miss."""

    mapping: LandmarkMap | None = None
    outside: float = 0.0

    @classmethod
    def of(cls, found: Centres, mapping: LandmarkMap, outside: float) -> LandmarkMeans:
        """Centres that passes over features have found."""
        return cls(**{**vars(found), "mapping": mapping, "outside": outside})

    def assign(self, block: Block) -> Array:
        """The nearest mean (n,)."""
        return super().assign(self._features(block))

    def closeness(self, block: Block) -> Array:
        """Minus the squared distance to the nearest mean, in the span (n,)."""
        return super().closeness(self._features(block))

    def distances(self, block: Block) -> Array:
        """Distances to all means, in the span (n, K)."""
        return super().distances(self._features(block))

    def _features(self, block: Block) -> Block:
        assert self.mapping is not None
        return mapped(self.mapping, block)


class LandmarkReadings:
    """What the sketch tells of itself."""

    inertia_ = reading("inertia", "Weighted sum of squared distances to the nearest mean, in the span of landmarks.")
    outside_ = reading("outside", "By how much the inertia of these clusters in the whole space may be larger.")
    n_iter_ = reading("passes", "Number of passes.")
    landmarks_ = reading("mapping.landmarks", "The landmark rows (L, d).")
    kernel_ = reading("mapping.kernel", "The kernel, with its numbers.")


@saved
@dataclass(frozen=True)
class LandmarkPlan(NumberPlan):
    """Means in the span of landmarks."""

    face: ClassVar[str] = "clusterer"
    whole: ClassVar[bool] = False

    def readings(self) -> tuple[type[Any], ...]:
        """Landmarks, kernel and what may be missed."""
        return (LandmarkReadings,)
