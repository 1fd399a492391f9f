"""Columns as truth values: the plan, and the model with one threshold a column. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.summary import Together
from suffice.decision.maps.isotonic_map import half_way
from suffice.features.column_plan import NumberCells, classed
from suffice.features.discretise.class_blocks import sweep_scores
from suffice.features.discretise.class_shares import SCORES
from suffice.summaries.quantiles import CONVENTIONS, quantile, whole
from suffice.summaries.rankings import Rankings

CENTRES = ("mean", "median", "midrange")


@saved
@dataclass(frozen=True)
class ThresholdPlan(NumberCells):
    """Where the threshold lies: given, at a central statistic, or where a score of the split is best."""

    at: str | float = "median"

    @property
    def supervised(self) -> bool:  # type: ignore[override]
        """Whether thresholds look at classes."""
        return self.at in SCORES

    @property
    def face(self) -> str:  # type: ignore[override]
        """Whether rows come with labels."""
        return "supervised_transformer" if self.supervised else "transformer"

    def keeps(self, schema: Schema) -> Any:
        """Rankings by class, or of all rows."""
        return self.supervised

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> ThresholdsFound:
        """One threshold a column."""
        rankings = kept.parts[1]
        assert isinstance(rankings, Rankings)
        found = [self._found(*classed(rankings, j)) for j in range(len(rankings.values))]
        at, gain = (np.array(some, dtype=np.float64) for some in zip(*found, strict=True))
        return ThresholdsFound(at, gain)

    def _found(self, values: Array, counts: Array) -> tuple[float, float]:
        here = counts.sum(axis=1) > 0
        values, counts = values[here], counts[here]
        if isinstance(self.at, float):
            return self.at, np.nan
        if not len(values):
            return np.nan, np.nan
        if self.supervised:
            return _best(values, counts, str(self.at))
        return _CENTRE[str(self.at)](values, counts.sum(axis=1)), np.nan

    def readings(self) -> tuple[type[Any], ...]:
        """The thresholds, and what they gain."""
        return (ThresholdReadings,)


def _best(values: Array, counts: Array, score: str) -> tuple[float, float]:
    """Where the score of a split is best, half-way between two values; equal values stay together."""
    if len(values) < 2:
        return float(values[0]), 0.0
    scores = sweep_scores(counts, SCORES[score])
    at = int(scores.argmax())
    return float(half_way(values[at], values[at + 1])), float(scores[at])


def _median(values: Array, weight: Array) -> float:
    how = CONVENTIONS["linear" if whole(weight) else "inverted_cdf"]
    return float(quantile(values, weight, np.asarray(0.5), how))


_CENTRE: dict[str, Any] = {
    "mean": lambda values, weight: float(values[0] + np.average(values - values[0], weights=weight)),
    "median": _median,
    "midrange": lambda values, weight: float(values[0] + (values[-1] - values[0]) / 2.0),
}


class ThresholdReadings:
    """The thresholds, and what they gain."""

    @property
    def threshold_(self: Any) -> Array:
        """The threshold of each column (d,)."""
        return np.asarray(self._state()[0].model.at)

    @property
    def score_(self: Any) -> Array:
        """The score of each split (d,); NaN where thresholds do not look at classes."""
        return np.asarray(self._state()[0].model.gain)


@dataclass(frozen=True)
class ThresholdsFound:
    """One threshold a column."""

    at: Array  # (d,)
    gain: Array  # (d,)

    def map(self, block: Block) -> Block:
        """1 where a cell is at least the threshold, else 0; missing cells stay missing."""
        X = np.asarray(block.parts[0], dtype=np.float64)
        out = (self.at <= X).astype(np.float64)
        out[np.isnan(X)] = np.nan
        return block._replace(parts=(out,))

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns."""
        return schema

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
