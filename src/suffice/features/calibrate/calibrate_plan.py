"""The plan and the model of `Calibrate`: every column as log odds of a class against the others. No scikit-learn."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.features.calibrate.column_maps import (
    SMOOTHINGS,
    StepMap,
    ValueMap,
    as_space,
    isotonic_steps,
    log_odds,
    logistic_line,
)
from suffice.features.calibrate.evidence import EvidenceTable, evidence_table
from suffice.features.column_plan import AnyCells, classed
from suffice.features.discretise.strategies import RecursiveCuts
from suffice.summaries.counts import Counts
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class CalibratePlan(AnyCells):
    """How numbers are calibrated, how shares are smoothed, and in which space the result is."""

    numbers: str = "isotonic"  # "isotonic", "logistic" or "bins"
    space: str = "log_odds"  # or "probability"
    smoothing: str = "smoothed"
    strength: float = 1.0
    sigma: float | None = None  # of logistic calibration; None: pooled within classes
    bins: Any = field(default_factory=RecursiveCuts)

    supervised: ClassVar[bool] = True
    face: ClassVar[str] = "supervised_transformer"

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> CalibratedColumns:
        """The map of every column for every class against the rest; of two classes, for the second."""
        positive = range(len(labels)) if len(labels) > 2 else range(len(labels) - 1, len(labels))
        maps: list[list[Any]] = [[] for _ in schema.features]
        places = [place for storage, some in schema.parts for place in some]
        order = {place: i for i, place in enumerate(sorted(places))}
        for (storage, some), part in zip(schema.parts, kept.parts[1:], strict=True):
            make = self._of_numbers if storage is Storage.NUMBERS else self._of_symbols
            for at, place in enumerate(some):
                maps[order[place]] = [make(part, at, k, kept.parts[0]) for k in positive]
        return CalibratedColumns(self, schema, labels, tuple(map(tuple, maps)), kept)

    def level(self, m: Any, n: Any, c: float) -> Any:
        """Log odds of m positives among n rows."""
        return log_odds(SMOOTHINGS[self.smoothing](m, n, c, self.strength))

    def _of_symbols(self, counts: Any, j: int, k: int, tally: Any) -> ValueMap:
        assert isinstance(counts, Counts)
        weight, whole = counts.column(j), tally.weight.value
        c = _odds(whole, k)
        level = self.level(weight[k], weight.sum(axis=0), c)
        values = dict(zip(counts.labels[j], level.tolist(), strict=True))
        return ValueMap(values, float(self.level(0.0, 0.0, c)), self._missing(weight, whole, k, c))

    def _of_numbers(self, rankings: Any, j: int, k: int, tally: Any) -> Any:
        assert isinstance(rankings, Rankings)
        values, counts = classed(rankings, j)
        here = counts.sum(axis=1) > 0
        values, counts, whole = values[here], counts[here], tally.weight.value
        c = _odds(whole, k)
        missing = self._missing(counts.T, whole, k, c)
        if not len(values):
            return StepMap(np.zeros(0), np.array([float(self.level(0.0, 0.0, c))]), missing)
        return _NUMBERS[self.numbers](self, values, counts, k, c, missing)

    def _missing(self, weight: Array, whole: Array, k: int, c: float) -> float:
        """Missing cells are a value of their own."""
        gone = np.maximum(whole - weight.sum(axis=1), 0.0)
        gone[gone < 1e-9 * np.maximum(whole, 1e-300)] = 0.0
        return float(self.level(gone[k], gone.sum(), c)) if gone.sum() > 0 else 0.0

    def readings(self) -> tuple[type[Any], ...]:
        """Evidence and classes."""
        return (CalibrateReadings,)


def _odds(whole: Array, k: int) -> float:
    rest = float(whole.sum() - whole[k])
    return float(whole[k]) / rest if rest > 0 and whole[k] > 0 else 1.0


def _isotonic(plan: CalibratePlan, values: Array, counts: Array, k: int, c: float, missing: float) -> StepMap:
    made = isotonic_steps(values, counts[:, k], counts.sum(axis=1), c, SMOOTHINGS[plan.smoothing], plan.strength)
    return StepMap(made.limits, made.levels, missing)


def _logistic(plan: CalibratePlan, values: Array, counts: Array, k: int, c: float, missing: float) -> Any:
    rest = counts.sum(axis=1) - counts[:, k]
    line = logistic_line((values, counts[:, k]), (values, rest), plan.sigma)
    return type(line)(line.centre, line.sigma, line.d_prime, missing)


def _binned(plan: CalibratePlan, values: Array, counts: Array, k: int, c: float, missing: float) -> StepMap:
    limits = np.asarray(plan.bins.limits(plan.owner, values, counts), dtype=np.float64)
    at = np.searchsorted(limits, values, side="right")
    m, n = (np.bincount(at, some, len(limits) + 1) for some in (counts[:, k], counts.sum(axis=1)))
    return StepMap(limits, plan.level(m, n, c), missing)


_NUMBERS: dict[str, Any] = {"isotonic": _isotonic, "logistic": _logistic, "bins": _binned}


class CalibrateReadings:
    """Classes, maps and evidence."""

    @property
    def classes_(self: Any) -> Array:
        """The labels."""
        return np.array(self._state()[0].model.labels)

    @property
    def maps_(self: Any) -> list[tuple[Any, ...]]:
        """The map of each column, for each class against the rest; of two classes, for the second alone."""
        return list(self._state()[0].model.maps)

    def evidence(self: Any, column: Any, positive: Any = None) -> EvidenceTable:
        """Weight of evidence and information value of a column, value by value or step by step.

        Parameters
        ----------
        column : its name, or x0, x1, ... where it has none
        positive : the class that evidence is for; None: the last
        """
        found: EvidenceTable = self._state()[0].model.evidence(self._owner, column, positive)
        return found

    def log_odds(self: Any, X: Any, weights: Any = None) -> Array:
        """Sum of the calibrated columns in log-odds space (n,), or (n, K) for more than two classes.

        Parameters
        ----------
        X : table
        weights : one a column; None: 1 each, which is naive Bayes with balanced classes
        """
        state, X = self._state(X)
        model = state.model
        return np.asarray(state.map(X, lambda block: model.sums(self._owner, block, weights), self.threads))

    def decide(self: Any, X: Any, weights: Any = None, threshold: float = 0.0) -> Array:
        """The class on the positive side of the hyperplane sum_i w_i F_i^d = threshold: no further training.

        Parameters
        ----------
        X : table
        weights : one a column; None: 1 each
        threshold : log odds above which the positive class is answered; of more classes the largest sum wins
        """
        F = CalibrateReadings.log_odds(self, X, weights)
        labels = np.array(self._state()[0].model.labels)
        if F.ndim == 2:
            return np.asarray(labels[F.argmax(axis=1)])
        return np.asarray(labels[(threshold < F).astype(np.intp)])


@dataclass(frozen=True)
class CalibratedColumns:
    """The maps of all columns."""

    plan: CalibratePlan
    schema: Schema
    labels: tuple[Any, ...]
    maps: tuple[tuple[Any, ...], ...]  # by column, then by class
    kept: Together

    @cached_property
    def _where(self) -> list[tuple[int, int, Storage]]:
        """Part and place in it of each feature, in the order of the table."""
        found = {
            place: (i, at, storage)
            for i, (storage, places) in enumerate(self.schema.parts)
            for at, place in enumerate(places)
        }
        return [found[place] for place in sorted(found)]

    def scores(self, block: Block) -> Array:
        """Log odds (n, columns x classes)."""
        out = []
        for (i, at, storage), maps in zip(self._where, self.maps, strict=True):
            part = block.parts[i]
            for one in maps:
                if storage is Storage.NUMBERS:
                    out.append(one.numbers(np.asarray(part[:, at], dtype=np.float64)))
                else:
                    out.append(one.symbols(part.labels[at], part.codes[:, at]))
        return np.column_stack(out) if out else np.zeros((block.n, 0))

    def map(self, block: Block) -> Block:
        """Calibrated rows."""
        return block._replace(parts=(as_space(self.scores(block), self.plan.space),))

    def sums(self, owner: str, block: Block, weights: Any) -> Array:
        """Weighted sums over columns, by class."""
        d = len(self.maps)
        w = np.ones(d) if weights is None else np.asarray(weights, dtype=np.float64)
        if w.shape != (d,) or not np.isfinite(w).all():
            raise bad(owner, "weights", f"{d} finite numbers, one a column", weights)
        F = self.scores(block).reshape(block.n, d, -1)
        total = np.einsum("ndk,d->nk", F, w)
        return np.asarray(total if total.shape[1] > 1 else total[:, 0])

    def evidence(self, owner: str, column: Any, positive: Any) -> EvidenceTable:
        """Weight of evidence of a column."""
        names = [c.name for c in self.schema.features]
        if column not in names:
            raise bad(owner, "column", f"one of {names}", column)
        if positive is not None and positive not in self.labels:
            raise bad(owner, "positive", f"one of the classes {list(self.labels)}", positive)
        k = len(self.labels) - 1 if positive is None else self.labels.index(positive)
        i, at, storage = self._where[names.index(column)]
        part, one = self.kept.parts[1 + i], self.maps[names.index(column)]
        if storage is not Storage.NUMBERS:
            assert isinstance(part, Counts)
            weight = part.column(at)
            return evidence_table(part.labels[at], weight[k], weight.sum(axis=0) - weight[k])
        assert isinstance(part, Rankings)
        values, counts = classed(part, at)
        steps = one[k if len(one) > 1 else 0]
        limits = steps.limits if isinstance(steps, StepMap) else np.zeros(0)
        place = np.searchsorted(limits, values, side="right")
        sums = [np.bincount(place, some, len(limits) + 1) for some in (counts[:, k], counts.sum(axis=1) - counts[:, k])]
        edges = [-np.inf, *limits.tolist(), np.inf]
        return evidence_table(list(itertools.pairwise(edges)), *sums)

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """The names of the features, with that of the class where there are more than two."""
        keep = {place for _, places in self.schema.parts for place in places}
        known = [name for place, name in enumerate(names) if place in keep]
        if len(self.labels) <= 2:
            return tuple(known)
        return tuple(f"{name}_{label}" for name in known for label in self.labels)
