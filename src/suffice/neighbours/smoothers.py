"""Smoothers: regression by means of the targets near a place, weighed by windows.

Nadaraya-Watson   y(x) = sum_i w_i K((x - x_i) / h) y_i / sum_i w_i K((x - x_i) / h)
Priestley-Chao    y(x) = 1 / h sum_(t > 1) (x_t - x_(t-1)) K((x - x_t) / h) y_t         x_1 < x_2 < ... in one column
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.windows.window_sums import PAIRS, distances
from suffice.families.windows.windows import Window


class Smoother(Protocol):
    """Rows with targets, ready to be smoothed with any bandwidth."""

    @classmethod
    def of(cls, owner: str, X: Array, Y: Array, w: Array) -> Self:
        """Take rows (n, d), targets (n, q) and weights (n,), above 0."""

    def predict(self, X: Array, h: float, window: Window) -> Array:
        """Targets (m, q) at the rows X (m, d)."""

    def left_out_error(self, h: float, window: Window) -> float:
        """Mean squared error of the rows, each predicted from all others, without refitting."""


@saved
@dataclass(frozen=True)
class NadarayaWatson:
    """The mean of the targets, weighed by the windows. Where no window reaches, the targets of the nearest row."""

    rows: Array  # (n, d)
    targets: Array  # (n, q)
    weight: Array  # (n,)

    @classmethod
    def of(cls, owner: str, X: Array, Y: Array, w: Array) -> NadarayaWatson:
        """Keep the rows that weigh something."""
        return cls(X[w > 0], Y[w > 0], w[w > 0])

    def predict(self, X: Array, h: float, window: Window) -> Array:
        """Weighed means."""
        return np.concatenate([self._means(X[part], h, window, None) for part in _parts(len(X), len(self.rows))])

    def left_out(self, h: float, window: Window) -> Array:
        """Each row predicted from all others (n, q); a row of weight w has w - 1 copies among these."""
        parts = _parts(len(self.rows), len(self.rows))
        return np.concatenate([self._means(self.rows[part], h, window, part.start) for part in parts])

    def left_out_error(self, h: float, window: Window) -> float:
        """Mean squared error."""
        if not (self.weight.sum() > np.minimum(self.weight, 1.0)).all():
            return np.inf
        return float(np.average(((self.left_out(h, window) - self.targets) ** 2).sum(axis=1), weights=self.weight))

    def _means(self, X: Array, h: float, window: Window, own: int | None) -> Array:
        """In logs, of which the largest is taken away: far from all rows the nearest alone counts, and never 0 / 0."""
        far, weight = distances(X, self.rows, h), self.weight
        if own is not None:  # one copy of each row is left out, and the row with it where it has no other
            at = np.arange(len(X)), own + np.arange(len(X))
            rest = np.maximum(weight[own : own + len(X)] - 1.0, 0.0)
            weight = np.tile(weight, (len(X), 1))
            far[at], weight[at] = np.where(rest > 0, 0.0, np.inf), rest
        logs = window.log_profile(far)
        top = logs.max(axis=1, keepdims=True)
        nobody = np.isneginf(top[:, 0])
        if nobody.any():
            logs[nobody] = np.where(far[nobody] <= far[nobody].min(axis=1, keepdims=True), 0.0, -np.inf)
            top[nobody] = 0.0
        share = np.exp(logs - top) * weight
        return np.asarray((share @ self.targets) / share.sum(axis=1, keepdims=True))


@saved
@dataclass(frozen=True)
class PriestleyChao:
    """The sum of the targets, each over the stretch since the value before. Rows are put in order first.

    Rows at one value count as their mean. Low near both ends, where windows reach beyond the rows.
    """

    values: Array  # (n,) rising
    targets: Array  # (n, q) mean at each value
    weight: Array  # (n,)

    @classmethod
    def of(cls, owner: str, X: Array, Y: Array, w: Array) -> PriestleyChao:
        """Order the rows."""
        if X.shape[1] != 1:
            remedy = 'Use method="nadaraya-watson" for more.'
            raise bad(owner, "X", 'one column where method is "priestley-chao"', X.shape[1], remedy)
        values, at = np.unique(X[w > 0, 0], return_inverse=True)
        weight = np.bincount(at, w[w > 0], len(values))
        sums = [np.bincount(at, w[w > 0] * y, len(values)) for y in Y[w > 0].T]
        return cls(values, np.stack(sums, axis=1) / weight[:, None], weight)

    @property
    def gaps(self) -> Array:
        """How far each value is from the one before (n,); 0 for the first, which has none."""
        return np.diff(self.values, prepend=self.values[:1])

    def predict(self, X: Array, h: float, window: Window) -> Array:
        """Sums over stretches."""
        areas = (self.gaps / h)[:, None] * self.targets
        parts = _parts(len(X), len(self.values))
        rows = self.values[:, None]
        return np.concatenate([np.exp(window.log_density(distances(X[p], rows, h))) @ areas for p in parts])

    def left_out(self, h: float, window: Window) -> Array:
        """Each value predicted from all others (n, q): the stretch of the next one grows by its own."""
        gap, y = self.gaps[:, None] / h, self.targets
        steps = np.diff(self.values) / h
        near = np.exp(window.log_density(steps))[:, None]  # of each value at the next
        own = float(np.exp(window.log_density(np.zeros(1)))[0])
        out = self.predict(self.values[:, None], h, window) - own * gap * y
        out[1:-1] += gap[1:-1] * near[1:] * y[2:]
        out[:1] -= gap[1:2] * near[:1] * y[1:2]  # the second value becomes the first, which has no stretch
        return out

    def left_out_error(self, h: float, window: Window) -> float:
        """Mean squared error."""
        if len(self.values) < 3:
            return np.inf
        return float(np.average(((self.left_out(h, window) - self.targets) ** 2).sum(axis=1), weights=self.weight))


def _parts(m: int, n: int) -> Iterator[slice]:
    """As many rows at a time as keep the pairs in the cache; one empty part where there are none."""
    at_once = max(1, PAIRS // max(n, 1))
    return (slice(start, start + at_once) for start in range(0, max(m, 1), at_once))


SMOOTHERS: Mapping[str, type[NadarayaWatson] | type[PriestleyChao]] = {
    "nadaraya-watson": NadarayaWatson,
    "priestley-chao": PriestleyChao,
}
