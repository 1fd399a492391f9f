"""Missing numbers from what is known of the classes: their means, medians or modes, weighed by how probable they are.

x_j = sum_k p(k | cells that are there) m_kj,     p(k | cells) from class shares and normal columns. No scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.column_plan import NumberCells, classed
from suffice.features.missing.cell_fill import CellFill
from suffice.numerics.log_space import normalize
from suffice.summaries.rankings import Rankings

FLOOR = 1e-9  # share of the variance of a column below which that of a class does not fall


def _mean(values: Array, weight: Array) -> float:
    return float(weight @ values / weight.sum())


def _median(values: Array, weight: Array) -> float:
    below = np.cumsum(weight)
    low, high = np.searchsorted(below, below[-1] / 2.0, "left"), np.searchsorted(below, below[-1] / 2.0, "right")
    return float((values[low] + values[min(high, len(values) - 1)]) / 2.0)


def _mode(values: Array, weight: Array) -> float:
    return float(values[int(weight.argmax())])


CENTRES: Mapping[str, Callable[[Array, Array], float]] = {"mean": _mean, "median": _median, "mode": _mode}


@saved
@dataclass(frozen=True)
class ClassFillPlan(NumberCells):
    """Which centre of a class stands for its missing cells."""

    centre: str = "mean"

    face: ClassVar[str] = "supervised_transformer"
    supervised: ClassVar[bool] = True

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> ClassFill:
        """Centres, means and variances of all columns in all classes."""
        tally, *parts = kept.parts
        assert isinstance(tally, Tally)
        found = [self._column(part, j) for part in parts for j in range(_width(part))]
        centres, means, variances = (np.array([each[i] for each in found]).T for i in range(3))
        return ClassFill(self, schema.names, labels, tally.weight.value, centres, means, variances)

    def _column(self, part: Any, j: int) -> tuple[list[float], list[float], list[float]]:
        """Of a column without cells, not a number: other rows may bring some."""
        values, weight = classed(part, j)
        total = weight.sum(axis=1)
        if not total.sum() > 0:
            unknown = [np.nan] * weight.shape[1]
            return unknown, unknown, unknown
        whole, spread = _mean(values, total), _variance(values, total)
        pick = CENTRES[self.centre]
        columns = [each if each.sum() > 0 else total for each in weight.T]  # a class without cells has those of all
        means = [_mean(values, each) for each in columns]
        floor = FLOOR * (spread + whole * whole * 2.0**-52) or 1.0
        return [pick(values, each) for each in columns], means, [_variance(values, each) + floor for each in columns]

    def readings(self) -> tuple[type[Any], ...]:
        """Centres and a report."""
        from suffice.features.missing.fill_readings import ClassFillReadings

        return (ClassFillReadings,)


@dataclass(frozen=True)
class ClassFill(CellFill):
    """Centres of the columns in each class, and what tells the class of a row from its other cells."""

    plan: ClassFillPlan
    names: tuple[Any, ...]
    labels: tuple[Any, ...]
    weight: Array  # (K,)
    centres: Array  # (K, d)
    means: Array  # (K, d)
    variances: Array  # (K, d)

    @cached_property
    def log_shares(self) -> Array:
        """Log shares of the classes (K,)."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.weight / self.weight.sum()))

    def posterior(self, X: Array) -> Array:
        """p(k | cells that are there) (n, K): the factor of a missing cell is left out."""
        squares = (X[:, None, :] - self.means) ** 2 / self.variances
        logs = -0.5 * np.nansum(squares + np.where(np.isnan(squares), np.nan, np.log(self.variances)), axis=2)
        return np.exp(normalize(logs + self.log_shares, self.log_shares))

    def filled(self, X: Array, classes: Array | None = None) -> Array:
        """Rows with nothing missing: by the posterior, or by known classes, which are numbers (n,)."""
        gaps, out = np.isnan(X), np.array(X, dtype=np.float64)
        some, unmet = np.flatnonzero(gaps.any(axis=1)), np.asarray(np.isnan(self.centres).any(axis=0))
        refuse_unmet(self.plan.owner, self.names, np.asarray(unmet & gaps.any(axis=0)))
        shares = self.posterior(out[some]) if classes is None else np.eye(len(self.labels))[classes[some]]
        out[some] = np.where(gaps[some], shares @ self.centres, out[some])
        return out


def refuse_unmet(owner: str, names: tuple[Any, ...], unmet: Array) -> None:
    """Say that a column cannot be filled of which no row had a cell (d,)."""
    if unmet.any():
        came = Said(f"none in column {names[int(np.flatnonzero(unmet)[0])]!r}")
        raise bad(owner, "a cell", "present in some row of every column", came, "Leave the column out.")


def _width(part: Any) -> int:
    assert isinstance(part, Rankings)
    return len(part.values)


def _variance(values: Array, weight: Array) -> float:
    return float(weight @ (values - _mean(values, weight)) ** 2 / weight.sum())
