"""One exemplar a class, read from a summary that adds; the nearest one answers. No scikit-learn.

mu_c = the mean of class c, or its coordinate median, or the mean of its directions
score(c, x) = -1/2 d(x / s, mu_c / s)^2 + log p_c,    s = the deviation of each column within classes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.spaces.distances.angular import Angle, Cosine
from suffice.spaces.distances.distance import Distance, measured, number_rows
from suffice.spaces.distances.minkowski import Manhattan, SquaredEuclidean
from suffice.summaries.moments import Moments
from suffice.summaries.rankings import Rankings

TILE = 1 << 22  # cells of sparse rows made dense at a time


@saved
@dataclass(frozen=True)
class MeanOfClass:
    """The mean: the least total squared Euclidean distance to the rows of the class."""

    def keep(self, X: Array, R: Shares) -> Together:
        """Moments."""
        return Together((Moments.of(X, R),))

    def find(self, kept: Together) -> Array:
        """Means (K, d)."""
        moments = kept.parts[0]
        assert isinstance(moments, Moments)
        return np.asarray(moments.mean.value)


@saved
@dataclass(frozen=True)
class MedianOfClass:
    """The median of each column: the least total Manhattan distance. It keeps all distinct values."""

    def keep(self, X: Array, R: Shares) -> Together:
        """Moments and rankings."""
        return Together((Moments.of(X, R), Rankings.of(X, R)))

    def find(self, kept: Together) -> Array:
        """Medians (K, d)."""
        rankings = kept.parts[1]
        assert isinstance(rankings, Rankings)
        return np.asarray(rankings.quantile(0.5)).reshape(len(rankings.rows), -1)


@saved
@dataclass(frozen=True)
class DirectionOfClass:
    """The mean of the directions of the rows: the least total cosine distance."""

    def keep(self, X: Array, R: Shares) -> Together:
        """Moments of the rows at length 1."""
        lengths = np.sqrt(np.einsum("ij,ij->i", X, X))
        return Together((Moments.of(X / np.where(lengths > 0, lengths, 1.0)[:, None], R),))

    def find(self, kept: Together) -> Array:
        """Mean directions (K, d)."""
        return MeanOfClass().find(kept)


EXEMPLARS: Mapping[str, Any] = {"mean": MeanOfClass(), "median": MedianOfClass(), "direction": DirectionOfClass()}
MATCHING: Mapping[type[Distance], str] = {Manhattan: "median", Cosine: "direction", Angle: "direction"}


def matching_exemplar(distance: Distance) -> str:
    """What minimises the total of a distance, as far as a summary can tell; the mean for all others."""
    return MATCHING.get(type(distance), "mean")


@saved
@dataclass(frozen=True)
class Centroids:
    """An exemplar of each class."""

    classes: tuple[Any, ...]
    centroids: Array  # (K, d)
    prior: Array  # (K,)
    within: Array  # (d,) deviation within classes
    deviations: Array  # (K, d) from the mean of all rows, in units of their own deviation
    distance: Distance

    def distances(self, block: Block) -> Array:
        """d(x, exemplar) (n, K)."""
        return measured(self.distance, self.distance.between(number_rows(block.parts[0]), self.centroids))

    def log_joint(self, block: Block) -> Array:
        """Scores (n, K): log p(class, x) of spherical normal classes of one deviation a column, but for a constant."""
        unit = np.where(self.within > 0, self.within, 1.0)
        D = self.distance.between(number_rows(block.parts[0]) / unit, self.centroids / unit)
        if not isinstance(self.distance, SquaredEuclidean):
            D = D**2
        with np.errstate(divide="ignore"):
            return np.asarray(-0.5 * D + np.log(self.prior))

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K)."""
        joint = self.log_joint(block)
        joint -= joint.max(axis=1, keepdims=True)
        return np.asarray(joint - np.log(np.exp(joint).sum(axis=1, keepdims=True)))

    def likeliest(self, block: Block) -> Array:
        """The class of the nearest exemplar, the first of equals; of the best score where classes differ in prior."""
        if np.allclose(self.prior, 1.0 / len(self.prior)):
            return np.asarray(self.distances(block).argmin(axis=1))
        return np.asarray(self.log_joint(block).argmax(axis=1))


@dataclass(frozen=True)
class CentroidLearner:
    """Keeps what tells an exemplar of each class, in one pass."""

    owner: str
    exemplar: Any
    distance: Distance
    shrink: float | None = None
    priors: Any = "uniform"

    def summarize(self, block: Block, model: Centroids | None = None) -> ByClass:
        """Rows, weights and what tells the exemplars, per class; sparse rows are made dense some at a time."""
        assert isinstance(block.y, Coded)
        (X,), codes, labels = block.parts, block.y.codes[:, 0], block.y.labels[0]
        step = max(1, TILE // max(1, X.shape[1])) if hasattr(X, "toarray") else max(1, block.n)
        kept = []
        for start in range(0, max(1, block.n), step):
            some = slice(start, start + step)
            w = None if block.w is None else block.w[some]
            R = Shares.hard(codes[some], len(labels), w)
            kept.append(ByClass.of(labels, Tally.of(R), self.exemplar.keep(number_rows(X[some]), R)))
        return kept[0] if len(kept) == 1 else ByClass.sum(kept)

    def estimate(self, summary: ByClass, model: Centroids | None = None) -> Centroids:
        """Exemplars, drawn towards the mean of all where that is asked for."""
        kept = summary.summary
        assert isinstance(kept, Together)
        moments = kept.parts[0]
        assert isinstance(moments, Moments)
        found, means, w = self.exemplar.find(kept), moments.mean.value, summary.tally.weight.value
        n, K = float(w.sum()), len(summary.labels)
        scatter = (moments.scatter.value + w[:, None] * (means - found) ** 2).sum(axis=0)  # about the exemplars
        within = np.sqrt(np.maximum(scatter, 0.0) / (n - K)) if n > K else np.zeros(found.shape[1])
        whole = moments.pooled().mean.value[0]
        unit = np.sqrt(np.maximum(1.0 / w - 1.0 / n, 0.0))[:, None] * (within + np.median(within))
        gaps = np.divide(found - whole, unit, out=np.zeros_like(found), where=unit > 0)
        if self.shrink:
            gaps = np.sign(gaps) * np.maximum(np.abs(gaps) - self.shrink, 0.0)
            found = np.where(unit > 0, whole + unit * gaps, found)
        return Centroids(summary.labels, found, self._prior(w), within, gaps, self.distance)

    def _prior(self, w: Array) -> Array:
        if isinstance(self.priors, str):
            return np.full(len(w), 1.0 / len(w)) if self.priors == "uniform" else w / w.sum()
        given = np.asarray(self.priors, dtype=np.float64)
        if given.shape != w.shape:
            rule = f"{len(w)} shares, one a class"
            raise bad(self.owner, "priors", rule, Said(f"shape {given.shape}"), "Give one a class, in their order.")
        return np.asarray(given / given.sum())


class CentroidReadings:
    """What exemplars tell."""

    centroids_ = reading("centroids", "The exemplar of each class (K, d).")
    class_prior_ = reading("prior", "Share of each class (K,).")
    within_class_std_dev_ = reading("within", "Deviation of each column within classes (d,).")
    deviations_ = reading("deviations", "Exemplars from the mean of all rows, in units of their deviation (K, d).")
    distance_ = reading("distance", "The distance, as a value.")


@saved
@dataclass(frozen=True)
class CentroidPlan(NumberPlan):
    """Which exemplar, which distance, how far it is drawn to the middle, and the class prior."""

    exemplar: str
    distance: Distance
    shrink: float | None = None
    priors: Any = "uniform"

    face: ClassVar[str] = "probabilistic"
    whole: ClassVar[bool] = False

    def keeps(self, schema: Schema) -> Any:
        """What tells the exemplar."""
        return self.exemplar

    def schema(self, table: Any) -> Schema:
        """All columns are numbers."""
        found = table.infer()
        return found if hasattr(getattr(table, "X", None), "tocsr") else self.numbers(found)

    def learner(self, schema: Schema) -> CentroidLearner:
        """The learner."""
        return CentroidLearner(self.owner, EXEMPLARS[self.exemplar], self.distance, self.shrink, self.priors)

    def readings(self) -> tuple[type[Any], ...]:
        """Exemplars."""
        return (CentroidReadings,)
