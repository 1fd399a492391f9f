"""What can be seen of a patient: how each sign is drawn given the diagnosis, and what its seen cells say about it.

A sign owns one or more columns, which may depend on each other given the class; two signs are independent given the
class. Evidence sums or integrates over missing cells exactly. A missing cell is NaN, NaT or the code -1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array

Rng = np.random.Generator
HIDDEN = {"f": np.nan, "M": np.datetime64("NaT"), "i": -1}  # a missing cell, by the letter of the dtype


@dataclass(frozen=True)
class Sign(ABC):
    """Some columns of one kind, jointly distributed given the class."""

    names: tuple[str, ...]
    kind: str

    @abstractmethod
    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Complete cells of each column, for rows of the classes y."""

    @abstractmethod
    def evidence(self, cells: Sequence[Array]) -> Array:
        """log p(seen cells | class), (n, K), less terms that all classes share."""

    def show(self, cells: Array) -> Array:
        """One column as a reader sees it."""
        return cells


def hide(cells: Array, missing: Array) -> Array:
    """The cells, missing where told."""
    cells = cells.copy()
    cells[missing] = HIDDEN[cells.dtype.kind]
    return cells


def pick(table: Array, rows: Array, u: Array) -> Array:
    """Codes drawn from the given rows of a table of probabilities (R, V), by inversion of uniform numbers u."""
    R, V = table.shape
    rises = np.cumsum(table, axis=1)
    steps = rises / rises[:, -1:] + np.arange(R)[:, None]
    # rows + u may round up to the next row of the table, hence the limit.
    codes = np.searchsorted(steps.ravel(), rows + u, side="right") - rows * V
    return np.asarray(np.minimum(codes, V - 1))


@dataclass(frozen=True)
class NormalPair(Sign):
    """Two quantities, correlated within each class: (x1, x2) | k ~ Normal(mean[k], sd[k], correlation[k])."""

    mean: Array  # (K, 2)
    sd: Array  # (K, 2)
    correlation: Array  # (K,)

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """The second quantity given the first."""
        first, fresh = rng.standard_normal((len(y), 2)).T
        r = self.correlation[y]
        second = r * first + np.sqrt(1.0 - r * r) * fresh
        return [m[y] + s[y] * z for m, s, z in zip(self.mean.T, self.sd.T, (first, second), strict=True)]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """p(x1) p(x2 | x1), or the marginal of the one that is there."""
        first, second = ((x[:, None] - m) / s for x, m, s in zip(cells, self.mean.T, self.sd.T, strict=True))
        alone = np.isnan(first)
        r = np.where(alone, 0.0, self.correlation)
        spread = np.sqrt(1.0 - r * r)
        rest = (second - np.where(alone, 0.0, r * first)) / spread
        return log_normal(first, self.sd[:, 0]) + log_normal(rest, self.sd[:, 1] * spread)


@dataclass(frozen=True)
class LogNormal(Sign):
    """A positive quantity: log x | k ~ Normal(mean[k], sd[k])."""

    mean: Array  # (K,)
    sd: Array  # (K,)

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Exponentials of normal numbers."""
        return [np.exp(self.mean[y] + self.sd[y] * rng.standard_normal(len(y)))]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """Normal in log x; the factor 1 / x is the same for all classes."""
        return log_normal((np.log(cells[0])[:, None] - self.mean) / self.sd, self.sd)


def log_normal(z: Array, scale: Array) -> Array:
    """Log density of the normal at z = (x - mean) / scale, less the constant; 0 where z is missing."""
    return np.where(np.isnan(z), 0.0, -0.5 * z * z - np.log(scale))


@dataclass(frozen=True)
class Bounded(Sign):
    """A quantity between two limits: t = (x - low) / (high - low), t | k ~ Beta(a[k], b[k])."""

    low: float
    high: float
    a: Array  # (K,)
    b: Array  # (K,)

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Stretched Beta numbers."""
        return [self.low + (self.high - self.low) * rng.beta(self.a[y], self.b[y])]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """(a - 1) log t + (b - 1) log(1 - t) - log B(a, b)."""
        t = (cells[0][:, None] - self.low) / (self.high - self.low)
        log_beta = [math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b) for a, b in zip(self.a, self.b, strict=True)]
        value = (self.a - 1.0) * np.log(t) + (self.b - 1.0) * np.log1p(-t) - np.array(log_beta)
        return np.where(np.isnan(t), 0.0, value)


@dataclass(frozen=True)
class PoissonSign(Sign):
    """A count: x | k ~ Poisson(rate[k]); a float, so that it can be missing."""

    rate: Array  # (K,)

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Poisson numbers."""
        return [rng.poisson(self.rate[y]).astype(np.float64)]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """x log rate - rate; the factor 1 / x! is the same for all classes."""
        x = cells[0][:, None]
        return np.where(np.isnan(x), 0.0, x * np.log(self.rate) - self.rate)


@dataclass(frozen=True)
class Day(Sign):
    """A date that tells nothing: any of the days that follow the first, whatever the class."""

    first: np.datetime64
    days: int

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Each day is as likely as any other."""
        return [self.first + rng.integers(0, self.days, len(y))]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """Nothing, for any number of classes."""
        return np.zeros((len(cells[0]), 1))


@dataclass(frozen=True)
class Symbol(Sign):
    """One symbol out of a few: P(x = labels[v] | k) = table[k, v]."""

    labels: tuple[Any, ...]  # V labels
    table: Array  # (K, V)

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Codes of labels."""
        return [pick(self.table, y, rng.random(len(y)))]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """The table read at the code; the code -1 reads the row of zeros at its end."""
        return np.vstack([np.log(self.table).T, np.zeros(len(self.table))])[cells[0]]

    def show(self, cells: Array) -> Array:
        """Labels, None where missing."""
        return np.array([*self.labels, None], dtype=object)[cells]


@dataclass(frozen=True)
class Linked(Sign):
    """Booleans driven together by a hidden factor: P(x1, x2, ... | k) = sum_h P(h | k) P(x1 | h) P(x2 | h) ..."""

    hidden: Array  # (K, 2) P(h | k)
    given: Array  # (d, 2) P(x = True | h)

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """First the hidden factor, then each Boolean given it, as codes 0 and 1."""
        u = rng.random((len(y), 1 + len(self.names)))
        h = pick(self.hidden, y, u[:, 0])
        return [(u[:, 1 + j] < yes[h]).astype(np.int64) for j, yes in enumerate(self.given)]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """Sum over the hidden factor; the code -1 reads the row of ones at the end."""
        seen = np.ones((len(cells[0]), 2))
        for yes, codes in zip(self.given, cells, strict=True):
            seen *= np.vstack([1.0 - yes, yes, np.ones(2)])[codes]
        return np.log(seen[:, :1] * self.hidden[:, 0] + seen[:, 1:] * self.hidden[:, 1])

    def show(self, cells: Array) -> Array:
        """False, True, or None where missing."""
        return np.array([False, True, None], dtype=object)[cells]


@dataclass(frozen=True)
class Notes(Sign):
    """A short text: its length tells nothing, its words are drawn one by one from the frequencies of the class."""

    words: tuple[str, ...]  # V words
    table: Array  # (K, V)
    shortest: int
    longest: int

    def draw(self, y: Array, rng: Rng) -> list[Array]:
        """Codes of words (n, longest), -1 behind the last word."""
        u = rng.random((len(y), 1 + self.longest))
        length = self.shortest + np.floor(u[:, 0] * (self.longest + 1 - self.shortest))
        codes = pick(self.table, y[:, None], u[:, 1:])
        return [np.where(np.arange(self.longest) < length[:, None], codes, -1)]

    def evidence(self, cells: Sequence[Array]) -> Array:
        """Sum over the words; the code -1 reads the row of zeros at the end."""
        logs = np.vstack([np.log(self.table).T, np.zeros(len(self.table))])
        total = np.zeros((len(cells[0]), len(self.table)))
        for codes in cells[0].T:
            total += logs[codes]
        return total

    def show(self, cells: Array) -> Array:
        """Words with spaces between, None where missing."""
        length = (cells >= 0).sum(axis=1)
        words = np.array(self.words, dtype=object)[cells[cells >= 0]].tolist()
        ends = np.cumsum(length).tolist()
        texts = [" ".join(words[end - m : end]) if m else None for end, m in zip(ends, length.tolist(), strict=True)]
        return np.array(texts, dtype=object)
