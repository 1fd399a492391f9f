"""What a tree predicts, as numbers that add over rows: class weights, or sums of a target; and their losses."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
from scipy.special import xlogy

from suffice.core.block import Array
from suffice.trees.growth.absolute_losses import absolute_losses
from suffice.trees.impurities import ClassImpurity, Gini

FAR = 64.0  # squared mean over variance beyond which targets are centred: fewer lose up to six bits
ROUNDING = 1.8e-15  # of what is subtracted: a loss below is that of one number


@dataclass(frozen=True)
class ClassSums:
    """Class codes of rows and their weights; sums are class weights (K,)."""

    codes: Array  # (n,) intp
    K: int
    w: Array  # (n,)
    measure: ClassImpurity = field(default_factory=Gini)
    adds: bool = True
    outputs: ClassVar[int] = 1  # labels a row

    @property
    def edges(self) -> Array:
        """Where the classes begin and end (2,)."""
        return np.array([0, self.K])

    @property
    def number(self) -> int:
        """By which loops know the impurity."""
        return self.measure.number

    @property
    def width(self) -> int:
        """How many sums there are."""
        return self.K

    def columns(self) -> tuple[Array, Array, Array]:
        """What loops add: the class of each row (n,), and no numbers."""
        return self.codes.astype(np.uint8 if self.K <= 256 else np.int64), np.zeros(1), np.zeros(1)

    def cells(self, codes: Array, rows: Array, B: int, share: Array | None = None) -> Array:
        """Sums (B, K) of rows by the code of a cell; `share` says how much of each row is here."""
        w = self.w[rows] if share is None else self.w[rows] * share
        flat = np.bincount(codes * self.K + self.codes[rows], w, B * self.K)
        return flat.reshape(B, self.K)

    def total(self, rows: Array, share: Array | None = None) -> Array:
        """Sums (K,) of rows."""
        return np.bincount(self.codes[rows], self.w[rows] if share is None else self.w[rows] * share, self.K)

    def loss(self, sums: Array) -> Array:
        """Weight times impurity."""
        return self.measure.loss(sums)

    def weight(self, sums: Array) -> Array:
        """Weight of the rows behind sums."""
        return np.asarray(sums.sum(axis=-1))

    def order(self, sums: Array) -> Array:
        """A number for each of several sums, by which symbols are put in order before they are parted in two groups."""
        shares = sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-300)
        if self.K <= 2:
            return np.asarray(shares[:, -1])
        w = sums.sum(axis=1)
        mean = (w[:, None] * shares).sum(axis=0) / w.sum()
        scatter = (w[:, None] * (shares - mean)).T @ (shares - mean)
        return np.asarray((shares - mean) @ np.linalg.eigh(scatter)[1][:, -1])  # along the first principal axis

    def value(self, sums: Array) -> Array:
        """What a node keeps: its class weights."""
        return sums


@dataclass(frozen=True)
class MultiOutputSums:
    """Several class labels a row: class weights of each output side by side; the loss is the mean over outputs."""

    codes: Array  # (n, q) intp, within each output
    sizes: tuple[int, ...]  # number of classes of each output
    w: Array  # (n,)
    measure: ClassImpurity = field(default_factory=Gini)
    adds: bool = True

    @property
    def number(self) -> int:
        """By which loops know the impurity."""
        return self.measure.number

    @property
    def outputs(self) -> int:
        """Labels a row."""
        return len(self.sizes)

    @cached_property
    def edges(self) -> Array:
        """Where the classes of each output begin, and where the last end (q + 1,)."""
        return np.cumsum([0, *self.sizes])

    @property
    def width(self) -> int:
        """How many sums there are."""
        return int(self.edges[-1])

    @cached_property
    def places(self) -> Array:
        """Which sums each row adds to (n, q)."""
        return np.asarray(self.codes + self.edges[:-1])

    def columns(self) -> tuple[Array, Array, Array]:
        """What loops add: which sums each row adds to, output by output (n q,), and no numbers."""
        return self.places.ravel().astype(np.uint8 if self.width <= 256 else np.int64), np.zeros(1), np.zeros(1)

    def cells(self, codes: Array, rows: Array, B: int, share: Array | None = None) -> Array:
        """Sums (B, S) of rows by the code of a cell; `share` says how much of each row is here."""
        w = self.w[rows] if share is None else self.w[rows] * share
        flat = codes[:, None] * self.width + self.places[rows]
        return np.bincount(flat.ravel(), np.repeat(w, self.outputs), B * self.width).reshape(B, self.width)

    def total(self, rows: Array, share: Array | None = None) -> Array:
        """Sums (S,) of rows."""
        return np.asarray(self.cells(np.zeros(len(rows), dtype=np.int64), rows, 1, share)[0])

    def loss(self, sums: Array) -> Array:
        """Weight times impurity, averaged over outputs."""
        parts = [self.measure.loss(sums[..., a:b]) for a, b in pairwise(self.edges.tolist())]
        return np.asarray(np.mean(parts, axis=0))

    def weight(self, sums: Array) -> Array:
        """Weight of the rows behind sums: every output has all of it."""
        return np.asarray(sums[..., : self.sizes[0]].sum(axis=-1))

    def value(self, sums: Array) -> Array:
        """What a node keeps: its class weights."""
        return sums


@dataclass(frozen=True)
class NumberSums:
    """Targets of rows (n, q) about a centre; sums are (1 + 2q): weight, sums and sums of squares about the centre."""

    y: Array  # (n, q)
    w: Array  # (n,)
    adds: bool = True
    known: Array | None = None  # the centre, where the rows are elsewhere
    number: ClassVar[int] = -1  # by which loops know it

    @cached_property
    def centre(self) -> Array:
        """The mean of all rows (q,) where it is far from 0: sums of squares about it lose no digits to an offset.

        Elsewhere it is 0, so that the mean of a single row is that row to the last digit.
        """
        if self.known is not None:
            return self.known
        mean = (self.w[:, None] * self.y).sum(axis=0) / self.w.sum()
        spread = (self.w[:, None] * (self.y - mean) ** 2).sum(axis=0) / self.w.sum()
        return np.asarray(np.where(mean**2 > FAR * spread, mean, 0.0))

    @property
    def outputs(self) -> int:
        """Numbers a row."""
        return int(self.y.shape[1])

    @property
    def width(self) -> int:
        """How many sums there are."""
        return 1 + 2 * self.outputs

    @property
    def edges(self) -> Array:
        """Where numbers begin and end: one each (q + 1,)."""
        return np.arange(self.outputs + 1)

    def columns(self) -> tuple[Array, Array, Array]:
        """What loops add: no class, and two numbers of each target, row by row (n q,)."""
        off = (self.y - self.centre).ravel()
        return np.zeros(1, dtype=np.uint8), off, off * off

    @cached_property
    def stats(self) -> Array:
        """What adds (n, 1 + 2q)."""
        off, w = self.y - self.centre, self.w[:, None]
        return np.hstack([w, w * off, w * off * off])

    def cells(self, codes: Array, rows: Array, B: int, share: Array | None = None) -> Array:
        """Sums (B, 1 + 2q) of rows by the code of a cell; `share` says how much of each row is here."""
        stats = self.stats[rows] if share is None else self.stats[rows] * share[:, None]
        return np.column_stack([np.bincount(codes, stats[:, s], B) for s in range(stats.shape[1])])

    def total(self, rows: Array, share: Array | None = None) -> Array:
        """Sums (1 + 2q,) of rows."""
        return np.asarray((self.stats[rows] if share is None else self.stats[rows] * share[:, None]).sum(axis=0))

    def loss(self, sums: Array) -> Array:
        """Sum of squared errors about the mean, averaged over targets."""
        q = (sums.shape[-1] - 1) // 2
        w = np.maximum(sums[..., :1], 1e-300)
        squares = sums[..., 1 + q :]
        gaps = squares - sums[..., 1 : 1 + q] ** 2 / w
        return np.asarray(np.where(gaps > ROUNDING * squares, gaps, 0.0).mean(axis=-1))

    def weight(self, sums: Array) -> Array:
        """Weight of the rows behind sums."""
        return np.asarray(sums[..., 0])

    def order(self, sums: Array) -> Array:
        """Means of the first target."""
        return np.asarray(sums[:, 1] / np.maximum(sums[:, 0], 1e-300))

    def value(self, sums: Array) -> Array:
        """What a node keeps: its means."""
        q = (sums.shape[-1] - 1) // 2
        return np.asarray(self.centre + sums[..., 1 : 1 + q] / np.maximum(sums[..., :1], 1e-300))


@dataclass(frozen=True)
class PoissonSums(NumberSums):
    """Counts whose loss is half the Poisson deviance about their mean: sums of w, w y and w y log y."""

    number: ClassVar[int] = -2

    @cached_property
    def centre(self) -> Array:
        """Nothing: logarithms are of the counts themselves."""
        return np.zeros(self.y.shape[1])

    @cached_property
    def stats(self) -> Array:
        """What adds (n, 1 + 2q)."""
        w = self.w[:, None]
        return np.hstack([w, w * self.y, w * xlogy(self.y, self.y)])

    def columns(self) -> tuple[Array, Array, Array]:
        """What loops add: no class, and two numbers of each target, row by row (n q,)."""
        y = self.y.ravel()
        return np.zeros(1, dtype=np.uint8), y, xlogy(y, y)

    def loss(self, sums: Array) -> Array:
        """Half the deviance, averaged over targets; infinite where all counts are 0, as no mean of 0 is allowed."""
        q = (sums.shape[-1] - 1) // 2
        w, total, logs = np.maximum(sums[..., :1], 1e-300), sums[..., 1 : 1 + q], sums[..., 1 + q :]
        other = xlogy(total, np.maximum(total, 1e-300) / w)
        gaps = np.where(logs - other > ROUNDING * np.maximum(abs(logs), abs(other)), logs - other, 0.0)
        return np.asarray(np.where(total > 0, gaps, np.inf).mean(axis=-1))


@dataclass(frozen=True)
class AbsoluteSums(NumberSums):
    """Targets whose loss is the absolute error about the median: it does not add, and needs the rows of a node."""

    adds: bool = False

    def loss_of(self, rows: Array) -> float:
        """The sum of w |y - median|, averaged over targets."""
        y, w = self.y[rows], self.w[rows]
        return float(np.mean([absolute_losses(y[:, t], w)[-1] for t in range(y.shape[1])]))

    def prefix_losses(self, rows: Array) -> Array:
        """The loss of the first 0, 1, ..., n of these rows (n + 1,)."""
        y, w = self.y[rows], self.w[rows]
        return np.asarray(np.mean([absolute_losses(y[:, t], w) for t in range(y.shape[1])], axis=0))

    def median(self, rows: Array) -> Array:
        """Weighted medians (q,), the middle of two where the weights are in balance."""
        return np.array([_median(self.y[rows, t], self.w[rows]) for t in range(self.y.shape[1])])


def _median(y: Array, w: Array) -> float:
    order = np.argsort(y, kind="stable")
    y, total = y[order], np.cumsum(w[order])
    half = total[-1] / 2.0
    low = int(np.searchsorted(total, half * (1 - 1e-12)))
    high = int(np.searchsorted(total, half * (1 + 1e-12), side="right"))
    return float((y[min(low, len(y) - 1)] + y[min(high, len(y) - 1)]) / 2.0)
