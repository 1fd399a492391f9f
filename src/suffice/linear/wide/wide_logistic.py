"""Logistic regression of wide and of sparse tables, in memory: no curvature of columns x columns is made.

Under a penalty on squares the coefficients are sums of rows, so that dense rows are turned to as many columns as there
are rows, learned from as any table, and turned back. Sparse rows are learned from by Newton's method whose steps are
solved by conjugate gradients; a penalty on sizes by coordinate descent on the columns that matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.lapack import dpstrf, dtrtri
from scipy.special import expit

from suffice.core.block import Array, Block, Coded
from suffice.core.kinds import Kind
from suffice.core.learner import Passes
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.logistic.logistic_learner import VANISHED, LogisticModel
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.linear.wide.centred_rows import CentredRows
from suffice.linear.wide.sparse_descent import descent_pays, sparse_descent, sparse_steps
from suffice.linear.wide.working_set import descend_rows
from suffice.numerics.log_space import log_sum_exp
from suffice.numerics.row_products import row_products
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import Grid
from suffice.summaries.rows_summary import keeps_rows

NARROWEST = 1e-13  # of the largest square of a direction of the rows: what is rounding
FAR = 100.0  # how much longer rows may be from 0 than from their mean before they are moved, as digits would be lost
HALVINGS = 40
INNER = 0.25  # share of the slope that steps of conjugate gradients leave at most
STEPS = 200
CUBED = 3  # power of `tol`: the share of the objective left to gain below which no step is begun, and none goes on
SHARP = 1e-14  # share of the objective left to gain from which no step would add a digit
EXACT = 1e-10  # gap of the inner problem with a penalty on sizes, as a share of its size


def wide_rows(source: Any, design: Design) -> Block | None:
    """All rows of a table in memory that has more columns than rows, or sparse ones; None of any other."""
    X = getattr(getattr(source, "table", None), "X", None)
    if not (isinstance(source, MemorySource) and design.bare and X is not None and keeps_rows(X)):
        return None
    block = source.block(slice(0, source.table.n))
    return block if keeps_rows(block.parts[0]) else None


Learn = Callable[[MemorySource, LogisticModel], Passes[LogisticModel]]


class Turned(NamedTuple):
    """Rows in coordinates of the space that they span, about a shift where there is an intercept."""

    source: MemorySource  # r columns
    model: LogisticModel  # as it is in these coordinates
    shift: Array  # (p,)
    X: Array  # (n, p)
    about: Array  # (p,) what is yet to be taken from X: the shift, or 0 where that was done
    back: Array  # (r, n); times X, directions of length 1 each, which need not be made

    def columns(self, values: Array) -> Array:
        """Sums of the rows about the shift (m, p), by values (m, n)."""
        return np.asarray(values @ self.X - np.multiply.outer(values.sum(axis=1), self.about))

    @property
    def axes(self) -> Array:
        """The directions (r, p)."""
        return self.columns(self.back)


def turn(block: Block, start: LogisticModel, intercept: bool) -> Turned:
    """Turn rows that are fewer than their columns, and a model of them."""
    part: Any = block.parts[0]
    X = np.asarray(part.toarray() if hasattr(part, "indptr") else part, dtype=np.float64)
    X, about, shift, K = _products(X, block.w) if intercept else (X, *np.zeros((2, X.shape[1])), row_products(X))
    Z, back = _coordinates(K)
    r = Z.shape[1]
    schema = Schema.numbered([Kind.QUANTITATIVE] * r)
    design = replace(start.design, schema=schema)
    coef = np.zeros((len(start.theta), r))
    if start.theta[:, 1:].any():
        coef = (start.coef @ X.T - (start.coef @ about)[:, None]) @ back.T
    theta = np.column_stack([start.theta[:, 0] + start.coef @ (shift - start.centre), coef])
    own = replace(start, design=design, terms=design.numbers, centre=np.zeros(r), scale=np.ones(r), theta=theta)
    return Turned(MemorySource(Grid(Z), schema, block.y, block.w, 1), own, shift, X, about, back)


def _products(X: Array, w: Array | None) -> tuple[Array, Array, Array, Array]:
    """Rows, what is yet to be taken from them, the shift, and products of the rows about it.

    The shift is the mean. Rows that lie far off, as seen from there, are moved by one of them first, so that they cost
    no digits; others are not copied.
    """
    w = np.ones(len(X)) if w is None else w
    first = np.zeros(X.shape[1])
    while True:
        K = row_products(X)
        share = w / w.sum()
        far = K @ share
        about = K - far - far[:, None] + share @ far
        if first.any() or not np.trace(K) > FAR * np.trace(about):
            mean = share @ X
            return X, mean, first + mean, about
        first = X[int(np.argmax(w > 0))].copy()
        X = X - first


def _coordinates(K: Array) -> tuple[Array, Array]:
    """Rows Z (n, r) with K = ZZ', and what makes them of the rows that K has the products of (r, n).

    Rows that are all alike span nothing; they get one column of zeros, as there is no table without columns.
    """
    least = NARROWEST * max(float(np.diagonal(K).max(initial=0.0)), 0.0)
    L, order, r, _ = dpstrf(K.T, tol=least, lower=1, overwrite_a=1)
    order, Z, back = order - 1, np.zeros((len(K), max(r, 1))), np.zeros((max(r, 1), len(K)))
    if r:
        Z[order] = np.tril(L)[:, :r]
        back[:, order[:r]] = dtrtri(L[:r, :r], lower=1)[0] * np.tri(r)
    return Z, back


def turned(block: Block, start: LogisticModel, intercept: bool, learn: Learn) -> Passes[LogisticModel]:
    """Learn from the rows in coordinates of the space that they span, then turn the coefficients back."""
    rows = turn(block, start, intercept)
    found = learn(rows.source, rows.model)
    coef = rows.columns(found.model.coef @ rows.back)
    level = found.model.theta[:, 0] - found.model.coef @ found.model.centre
    theta = np.column_stack([level, coef])
    plain = np.ones(len(rows.shift))
    model = replace(start, centre=rows.shift, scale=plain, theta=theta, separated=found.model.separated)
    return found._replace(model=model)


def descended(
    block: Block, start: LogisticModel, penalty: CoefficientPenalty, intercept: bool, max_iter: int, tol: float
) -> Passes[LogisticModel]:
    """Newton's method over sparse rows."""
    loss = RowLoss(block, start, penalty, intercept)
    loss.least = 2.0 * tol**CUBED
    return descend(loss, start, max_iter, tol)


def descend(loss: RowLoss, start: LogisticModel, max_iter: int, tol: float) -> Passes[LogisticModel]:
    """Steps until the square of `tol` is all of the loss, as a share of it, that is left to gain."""
    theta = np.vstack([start.theta[:, :1].T, start.coef.T])  # (1 + p, L) about the mean of the rows
    theta[0] += start.coef @ (loss.A.mean - start.centre)
    value, separated, more = loss.value(theta), False, loss.more
    for step in range(1, max_iter + 1):
        change, fall = loss.step(theta)
        for _ in range(HALVINGS):
            moved = loss.after(theta, change)
            new = loss.value(moved)
            if new <= value + 1e-12 * abs(value):
                break
            change = change / 2.0
        theta, value = moved, min(new, value)
        separated = loss.penalty == CoefficientPenalty() and value <= VANISHED * float(loss.w.sum())
        if separated or fall <= tol**2 * value:
            if separated or not more or fall <= SHARP * value:
                return Passes(loss.model(start, theta, separated), step, True)
            more -= 1
    return Passes(loss.model(start, theta, separated), max_iter, more < loss.more)


class RowLoss:
    """The loss of linear functions over rows about their mean, and steps that make it smaller."""

    more = 0  # steps to take once `tol` is met, for the sake of digits
    least = 0.0  # length of a slope, squared, that is as good as none, as a share of the objective

    def __init__(self, block: Block, start: LogisticModel, penalty: CoefficientPenalty, intercept: bool) -> None:
        """Rows that weigh nothing are left out."""
        w = np.ones(block.n) if block.w is None else np.asarray(block.w, dtype=np.float64)
        assert isinstance(block.y, Coded)
        place = {label: k for k, label in enumerate(start.classes)}
        own = np.array([place.get(label, -1) for label in block.y.labels[0]])[block.y.codes[:, 0]]
        X, some = block.parts[0], np.flatnonzero(w > 0)
        every = len(some) == len(w)
        self.w, self.own, self.K = w[some], own[some], len(start.classes)
        rows = CentredRows.of(X if every else X[some], self.w, intercept)
        self.A = replace(rows, root=np.ones(len(some)))
        self.penalty, self.intercept = penalty, intercept
        self.met: tuple[Any, Any] = None, None  # coefficients, and the scores that they give
        self.went: tuple[Any, Any] = None, None  # a change, and the scores that it gives
        self.lowest = np.inf
        self.squares = rows.squares() / self.w.sum()
        true = np.zeros((len(some), self.K))
        true[np.arange(len(some)), self.own] = 1.0
        self.true = true[:, 1:] if self.K == 2 else true

    def scores(self, theta: Array) -> Array:
        """The linear functions (n, L)."""
        if self.K == 2:  # a vector takes half the time of a matrix of one column
            return np.asarray(self.A.times(theta[1:, 0]) + theta[0])[:, None]
        return np.asarray(self.A.times(theta[1:]) + theta[0])

    def after(self, theta: Array, change: Array) -> Array:
        """The coefficients after a change; their scores where those of the change are known."""
        moved = theta + change
        if self.met[0] is theta and self.went[0] is change:
            self.met = moved, self.met[1] + self.went[1]
        return moved

    def value(self, theta: Array) -> float:
        """Loss and penalty."""
        eta = self.met[1] if self.met[0] is theta else self.scores(theta)
        self.met = theta, eta  # what the next step begins with
        if self.K == 2:
            lost = np.logaddexp(0.0, np.where(self.own > 0, -eta[:, 0], eta[:, 0]))
        else:
            lost = log_sum_exp(eta, axis=1) - eta[np.arange(len(eta)), self.own]
        found = float(self.w @ lost) + self.penalty.of(theta[1:].T)
        self.lowest = min(self.lowest, found)
        return found

    def step(self, theta: Array) -> tuple[Array, float]:
        """A change of theta, and how far the loss should fall by it."""
        eta = self.met[1] if self.met[0] is theta else self.scores(theta)
        p = expit(eta) if self.K == 2 else np.exp(eta - log_sum_exp(eta, axis=1)[:, None])
        if self.penalty.l1 > 0.0:
            return self._sized(theta, p)
        apart = self.w[:, None] * (p - self.true)
        if self.K == 2 and self.A.sparse:
            looped = descent_pays(self.A.X)
            return self._looped(theta, apart, p) if looped else sparse_steps.instead(self._steps, theta, apart, p)
        return self._steps(theta, apart, p)

    def _steps(self, theta: Array, apart: Array, p: Array) -> tuple[Array, float]:
        return self._conjugate(self._back(apart) + self._pull(theta), p)

    def _looped(self, theta: Array, apart: Array, p: Array) -> tuple[Array, float]:
        """Conjugate gradients over the sparse rows of two classes, compiled."""
        rows = self.A.X, self.A.mean, apart[:, 0], self.w * (p * (1.0 - p))[:, 0]
        enough = INNER**2, 1.0, self.least * self.lowest
        found = sparse_descent(
            *rows,
            start=theta[:, 0],
            shrink=self._shrink(p)[:, 0],
            penalty=self.penalty.l2,
            intercept=self.intercept,
            enough=enough,
            steps=STEPS,
        )
        change = found.change[:, None]
        self.went = change, found.went[:, None]
        return change, 0.5 * float(np.einsum("p,p->", found.first + found.left, found.change))

    def _pull(self, theta: Array) -> Array:
        out = self.penalty.l2 * theta
        out[0] = 0.0
        return out

    def _back(self, values: Array) -> Array:
        out = np.empty((1 + len(self.A.mean), values.shape[1]))
        out[0] = values.sum(axis=0) if self.intercept else 0.0
        if self.K == 2:
            out[1:, 0] = self.A.back(values[:, 0])
        else:
            out[1:] = self.A.back(values)
        return out

    def _bent(self, change: Array, p: Array) -> Array:
        """The curvature times a change."""
        moved = self.scores(change)
        if self.K == 2:
            bent = (self.w * (p * (1.0 - p))[:, 0])[:, None] * moved
        else:
            bent = self.w[:, None] * p * (moved - (p * moved).sum(axis=1)[:, None])
        return self._back(bent) + self._pull(change)

    def _guess(self, p: Array) -> Callable[[Array], Array]:
        """What comes near the inverse of the curvature: each coefficient in units of its own."""
        shrink = self._shrink(p)
        return lambda left: shrink * left

    def _shrink(self, p: Array) -> Array:
        curved = (self.w[:, None] * p * (1.0 - p)).sum(axis=0)
        size = np.vstack([curved[None], self.squares[:, None] * curved + self.penalty.l2])
        return np.asarray(1.0 / np.where(size > 0.0, size, np.inf))

    def _enough(self, first: float) -> float:
        """The length of a slope, squared, that a step may leave of one of length `first`."""
        return max(INNER**2 * first * min(1.0, first), self.least * self.lowest)

    def _conjugate(self, slope: Array, p: Array) -> tuple[Array, float]:
        """Conjugate gradients; where they begin to go is a guess of what the curvature makes of the slope."""
        guess = self._guess(p)
        change, left = np.zeros_like(slope), -slope
        pulled = guess(left)
        direction, length = pulled, float((left * pulled).sum())
        enough = self._enough(length)
        for _ in range(STEPS):
            if length <= enough or length == 0.0:
                break
            bent = self._bent(direction, p)
            bend = float((direction * bent).sum())
            if not bend > 0.0:
                break
            far = length / bend
            change += far * direction
            left -= far * bent
            pulled = guess(left)
            before, length = length, float((left * pulled).sum())
            direction = pulled + (length / before) * direction
        along = float((slope * change).sum())  # and the curvature along the change is -along less what CG has left
        return change, -0.5 * along + 0.5 * float((left * change).sum())

    def _sized(self, theta: Array, p: Array) -> tuple[Array, float]:
        """The step of two classes under a penalty on sizes: weighted least squares with the same penalty."""
        bend = np.maximum(p[:, 0] * (1.0 - p[:, 0]), 1e-10)
        weight, eta = self.w * bend, self.scores(theta)[:, 0]
        target = eta + (self.true - p)[:, 0] / bend
        A = CentredRows.of(self.A.X, weight, self.intercept)
        level = float(weight @ target) / float(weight.sum()) if self.intercept else 0.0
        whole = self.penalty.l1 + self.penalty.l2
        options: dict[str, Any] = {"tol": EXACT, "max_iter": 10_000, "start": theta[1:, 0]}
        y = A.root * (target - level)
        b = descend_rows(A, y, 1.0, np.array([whole]), self.penalty.l1 / whole, **options).coef[0]
        new = np.append(level + (self.A.mean - A.mean) @ b if self.intercept else 0.0, b)[:, None]
        change = new - theta
        apart = self._back(self.w[:, None] * (p - self.true))
        moved = self.penalty.of(new[1:].T) - self.penalty.of(theta[1:].T)
        slope = float((apart * change).sum()) + moved
        curved = float((weight * self.scores(change)[:, 0] ** 2).sum())
        return change, -(slope + 0.5 * curved)

    def model(self, start: LogisticModel, theta: Array, separated: bool) -> LogisticModel:
        """With the coefficients that were found; the loss knows no sums over more than two classes, so they are 0."""
        turned = np.ascontiguousarray(theta.T if self.K == 2 else (theta - theta.mean(axis=1)[:, None]).T)
        p = len(self.A.mean)
        return replace(start, centre=self.A.mean, scale=np.ones(p), theta=turned, separated=separated)
