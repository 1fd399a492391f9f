"""BrierParts: how much of a Brier score is lost by calibration, and how much because the classes overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.decision.maps.binning import checked_bins
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.scores.predictions import HALF, read_proba
from suffice.sources.tables.labels import code_labels
from suffice.summaries.rankings import Rankings


@dataclass(frozen=True)
class BrierParts:
    """Brier score = reliability - resolution + uncertainty + within, over groups of rows with the same probability.

        reliability = mean of (p_g - y_g)^2,  resolution = mean of (y_g - y)^2,  uncertainty = y (1 - y)

    p_g is the mean probability of the group a row is in, y_g the share of the class in it, y the share in all rows. A
    group is one distinct probability, or one of `bins` of equal width from 0 to 1: then `within` is what the spread of
    probabilities inside the bins adds; it is 0 without bins. Several classes are taken one by one, against the rest,
    and their parts added and halved, as in the Brier score.

    >>> parts = BrierParts.of([0, 0, 1, 1, 1], [[0.8, 0.2]] * 2 + [[0.3, 0.7]] * 2 + [[0.8, 0.2]], [0, 1])
    >>> round(parts.reliability, 6), round(parts.resolution, 6), round(parts.uncertainty, 6)
    (0.046667, 0.106667, 0.24)
    >>> round(parts.brier, 6), round(parts.refinement, 6)
    (0.18, 0.133333)

    References
    ----------
    A. Murphy, A new vector partition of the probability score (1973).
    """

    reliability: float  # loss by calibration: 0 where every probability comes true as often as it says
    resolution: float  # gain by telling groups apart
    uncertainty: float  # of the classes themselves
    within: float = 0.0

    @classmethod
    def of(
        cls, y_true: Any, proba: Any, classes: Any, sample_weight: Any = None, *, bins: int | None = None
    ) -> BrierParts:
        """The parts of the Brier score of some rows.

        Parameters
        ----------
        y_true : one label a row
        proba : (n, K) probabilities, or a `Posterior`
        classes : the K labels of the columns of `proba`
        sample_weight : one weight a row, at least 0
        bins : None groups rows by distinct probability
        """
        owner = cls.__name__
        y = code_labels(y_true)
        place, n = y.codes[:, 0], len(y.codes)
        p, labels = read_proba(owner, proba, classes, n)
        column = {label: k for k, label in enumerate(labels)}
        known = np.array([column.get(label, len(labels)) for label in y.labels[0]], dtype=np.int32)
        weights = read_weights(owner, sample_weight, n, some=False)
        return cls.from_rankings(Rankings.of(p, Shares.hard(known[place], len(labels) + 1, weights)), bins)

    @classmethod
    def from_rankings(cls, rankings: Rankings, bins: int | None = None) -> BrierParts:
        """The parts from rankings of probabilities, which add.

        Parameters
        ----------
        rankings : with a column of probabilities for each class, component k being class k; or with one column and two
            components, the second being the class of the column. `rank_scores(proba, labels)` keeps them
        bins : None groups rows by distinct probability
        """
        count = None if bins is None else checked_bins("BrierParts", bins)
        columns = list(_columns(rankings))
        total = np.sum([_parts(*column, count) for column in columns], axis=0)
        return cls(*(total * (HALF if len(columns) > 1 else 1.0)).tolist())

    @property
    def brier(self) -> float:
        """The Brier score."""
        return self.reliability - self.resolution + self.uncertainty + self.within

    @property
    def refinement(self) -> float:
        """What calibration cannot mend: uncertainty - resolution."""
        return self.uncertainty - self.resolution


def _columns(rankings: Rankings) -> Iterator[tuple[Array, Array, Array]]:
    """Probabilities, weight of the class and weight of all rows, for each column."""
    K, d = rankings.missing_rows.shape
    if (d == 1 and K != 2) or d > K or not rankings.rows.any() or not rankings.weight.any():
        rule = "of some rows, with a column for each class, or one column for two"
        raise bad(
            "BrierParts", "rankings", rule, Said(f"{d} columns, {K} classes and {int(rankings.rows.sum())} cells")
        )
    for j, (values, cells) in enumerate(zip(rankings.values, rankings.slices, strict=True)):
        if not (values[0] >= 0.0 and values[-1] <= 1.0):
            outside = float(values[0] if values[0] < 0.0 else values[-1])
            raise bad("BrierParts", "probabilities", "from 0 to 1", outside)
        weight = rankings.weight[:, cells]
        yield values, weight[1 if d == 1 else j], weight.sum(axis=0)


def _parts(p: Array, positive: Array, weight: Array, bins: int | None) -> Array:
    """Reliability, resolution, uncertainty and what is within groups (4,), of one class against the rest."""
    n = weight.sum()
    group = np.arange(len(p)) if bins is None else np.minimum((p * bins).astype(np.intp), bins - 1)
    in_group, p_sum, hits = (np.bincount(group, side) for side in (weight, weight * p, positive))
    live = in_group > 0.0
    in_group, p_mean, share = in_group[live], p_sum[live] / in_group[live], hits[live] / in_group[live]
    base = positive.sum() / n
    reliability, resolution = in_group @ (p_mean - share) ** 2 / n, in_group @ (share - base) ** 2 / n
    uncertainty = base * (1.0 - base)
    brier = (positive @ (1.0 - p) ** 2 + (weight - positive) @ p**2) / n
    within = 0.0 if bins is None else brier - (reliability - resolution + uncertainty)
    return np.array([reliability, resolution, uncertainty, within])
