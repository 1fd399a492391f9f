"""Tables for models: what a model learns from, cut into shards, and when two models are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.families.normals.joint_normals import JointNormals
from suffice.persistence import to_bytes
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.moments import Moments
from suffice.testing.rows import reach
from suffice.testing.sameness import PAIRED, PLAIN, Limits, assert_same

CLOSE = 1e-12


@dataclass(frozen=True)
class ModelTable:
    """Rows to learn from, with labels and weights, in the order they arrive and as they are cut; rows to predict."""

    X: Any  # mapping of columns, array or sparse matrix
    y: Array
    w: Array | None
    order: Array
    cuts: tuple[int, ...]
    query: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of the model

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def weights(self) -> Array:
        """One weight a row."""
        return np.ones(self.n) if self.w is None else self.w

    @property
    def live(self) -> bool:
        """Whether any row weighs something."""
        return bool(self.weights.any())

    def at(self, rows: Any) -> ModelTable:
        """Some of the rows."""
        index = np.asarray(rows, dtype=np.intp)
        return replace(
            self,
            X=take(self.X, index),
            y=self.y[index],
            w=None if self.w is None else self.w[index],
            order=np.arange(len(index)),
            cuts=(),
        )

    def shards(self) -> list[ModelTable]:
        """The rows as they arrive, cut; empty shards too."""
        return [self.at(piece) for piece in np.split(self.order, list(self.cuts))]

    def halves(self) -> tuple[ModelTable, ModelTable]:
        """Two shards, each with a row that weighs something."""
        first, last = np.flatnonzero(self.weights > 0)[:2]
        rest = self.order[(self.order != first) & (self.order != last)]
        some, others = np.split(rest, [len(rest) // 2])
        return self.at([first, *some]), self.at([*others, last])


def take(X: Any, rows: Array) -> Any:
    """Some rows of a table of any kind."""
    if isinstance(X, Mapping):
        return {name: [cells[i] for i in rows.tolist()] for name, cells in X.items()}
    return X[rows]


def assert_same_model(a: Any, b: Any, table: ModelTable, forgot: bool = False) -> None:
    """The same classes, the same summary, the same probabilities within 1e-12.

    A column that one of them once saw filled, and the other never, is known to the one: it has no rows there, but a
    prior, which adds the same to the density under every class. Products of columns are rounded inside a block: where
    one of them `forgot` rows, their rounding stays.
    """
    assert a.classes_.tolist() == b.classes_.tolist(), f"classes {a.classes_} and {b.classes_}"
    if _alike(a, b):
        limits = limits_of(b, table)
        assert_same(a.summary_, b.summary_, limits.after_forgetting() if forgot else limits)
    assert_same_answers(a, b, table, forgot)


def _alike(a: Any, b: Any) -> bool:
    return bool(a._state()[0].schema == b._state()[0].schema)


def assert_same_answers(a: Any, b: Any, table: ModelTable, forgot: bool = False) -> None:
    """The same probabilities within 1e-12, and the same log joint densities within 1e-12 of their size.

    Beyond the reach of the arithmetic, where a class has lost digits of its variance, by as much as it has lost.
    """
    lost = digits_lost(b, table) + (products_lost(b, table) if forgot else 0.0)
    for X in (table.X, table.query):
        p, q, logs = a.predict_proba(X), b.predict_proba(X), b.predict_joint_log_proba(X)
        size = 1.0 + np.abs(np.where(np.isfinite(logs), logs, 0.0)).max(axis=1, keepdims=True, initial=0.0)
        assert np.isfinite(p).all(), f"probabilities {p}"
        assert np.allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-12), f"probabilities sum to {p.sum(axis=1)}"
        near = np.abs(p - q) <= CLOSE + lost * size
        assert near.all(), f"probabilities apart by {np.abs(p - q).max()}: {p} and {q}"
        if _alike(a, b):
            _same_logs(a.predict_joint_log_proba(X), logs, (CLOSE + lost) * size)


def _same_logs(a: Array, b: Array, slack: Array) -> None:
    with np.errstate(invalid="ignore"):
        near = (a == b) | (np.abs(a - b) <= slack)
    assert near.all(), f"log joint densities {a[~near]} and {b[~near]}"


def digits_lost(model: Any, table: ModelTable) -> float:
    """Relative error of a variance that double-double sums may leave: 2^-96 (largest distance / sd)^2, at the worst."""
    limits = limits_of(model, table)
    kept = [part for part in model.summary_.summary.parts if isinstance(part, Moments)]
    if not kept:
        return 0.0
    spread_out = kept[0].variance > 0
    scatter = np.where(spread_out, kept[0].variance * kept[0].weight.value, np.inf)
    return float((PAIRED * limits.weight * limits.reach**2 / scatter).max(initial=0.0))


def products_lost(model: Any, table: ModelTable) -> float:
    """Relative error of a covariance from which rows were forgotten: 2^-46 (largest distance / sd)^2, at the worst."""
    kept = [d for d in model._state()[0].model.factors.distributions if isinstance(d, JointNormals)]
    if not kept:
        return 0.0
    limits, variance = limits_of(model, table), np.diagonal(kept[0].covariance, axis1=1, axis2=2)
    share = PLAIN * limits.weight / max(float(table.weights[table.weights > 0].min(initial=np.inf)), 1e-300)
    lost = float((share * limits.reach**2 / np.where(variance > 0, variance, np.inf)).max(initial=0.0))
    return lost if lost < 1e-3 else np.inf  # so few digits are left that nothing follows from them


def limits_of(model: Any, table: ModelTable) -> Limits:
    """How large the numbers of a table are, as the model reads it."""
    fitted = model._state()[0]
    source = MemorySource(fitted.plan.open(table.X), fitted.schema)
    parts = source.block(slice(0, table.n)).parts
    numbers = [part for part in parts if isinstance(part, np.ndarray)]
    counts = [float(part.counts.max()) for part in parts if hasattr(part, "counts") and min(part.counts.shape)]
    weight = float(table.weights.sum()) * max([1.0, *counts])
    return Limits(weight, reach(numbers[0]) if numbers else np.zeros(0))


def state_of(model: Any) -> tuple[bytes, dict[str, Any]]:
    """All that a model is: the bytes of its file and its attributes."""
    return to_bytes(model._saved()), dict(vars(model))


def assert_unchanged(model: Any, before: tuple[bytes, dict[str, Any]]) -> None:
    """The model is as it was: the same objects under the same names, and the same bytes."""
    data, attributes = before
    assert_same_attributes(model, attributes)
    assert to_bytes(model._saved()) == data, "what would be saved was changed"


def assert_same_attributes(model: Any, before: dict[str, Any]) -> None:
    """The same objects are under the same names."""
    now = vars(model)
    assert list(now) == list(before), f"attributes {sorted(set(now) ^ set(before))} came or went"
    changed = [name for name, value in before.items() if now[name] is not value]
    assert not changed, f"attributes {changed} were changed"
