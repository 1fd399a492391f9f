"""Logistic regression by Newton's method: each pass sums the slope and the curvature of the loss over the rows.

    p(class k | x) = exp(eta_k) / sum_l exp(eta_l),     eta_k = a_k + b_k . (x - centre) / scale
    loss = -sum_i w_i log p(y_i | x_i) + l2/2 |B|^2 + l1 |B|_1         B = b / scale: coefficients in units of the table

Two classes have one linear function (that of the other is 0), more have one each. Columns are about their means and in
their own units while the passes run, so that an offset costs no digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.blas import dsyrk

from suffice.core.block import Array, Block, Coded
from suffice.core.registry import saved
from suffice.decision.log_space import log_sum_exp
from suffice.linear.design import Design
from suffice.linear.proximal import Penalty
from suffice.linear.slopes import Slopes
from suffice.linear.terms import Factor, Term

ROUNDING = 1e-12  # share of the objective that a step cannot be trusted to gain
NEAR = 1e-3  # share of the objective left to gain below which the curvature hardly changes any more
VANISHED = 1e-9  # a loss a row below which every row lies far on its own side
ROWS = 2048  # rows whose products are taken at a time: their columns, weighed for each class, stay in the cache


@saved
@dataclass(frozen=True)
class LogisticModel:
    """The coefficients of a pass, with what the pass before said of its own."""

    classes: tuple[Any, ...]
    log_prior: Array  # (K,) log share of each class in training
    design: Design
    terms: tuple[Term, ...]
    shares: Mapping[Factor, float]  # of the levels of symbols
    centre: Array  # (p,)
    scale: Array  # (p,)
    theta: Array  # (L, 1 + p) intercept and slopes about the centre, in units of the scale; L = 1 for two classes
    objective: float = np.inf  # loss and penalty of `before`
    before: Array | None = None  # (L, 1 + p) the coefficients this step came from
    decrement: float = np.inf  # how far the objective was expected to fall by this step
    known: Array | None = None  # (L q, L q) a curvature that is good enough for the steps to come
    separated: bool = False  # whether the loss has all but vanished, so that coefficients would grow without end

    @property
    def coef(self) -> Array:
        """Coefficients (L, p), in units of the table."""
        return np.asarray(self.theta[:, 1:] / self.scale)

    @property
    def intercept(self) -> Array:
        """Values at 0 (L,)."""
        return np.asarray(self.theta[:, 0] - self.coef @ self.centre)

    def centred(self, block: Block) -> Array:
        """The terms of the rows about the centre (n, p)."""
        return np.asarray(self._terms(block) - self.centre)

    def _terms(self, block: Block) -> Array:
        if self._plain:
            self.design.refuse_missing(block.parts, block.start)
            return np.asarray(block.parts[0])
        return self.design.matrix(block.parts, self.terms, self.shares, block.start)

    @cached_property
    def _plain(self) -> bool:
        return self.design.plain(self.terms)

    def scores(self, block: Block) -> Array:
        """The linear functions (n, L)."""
        return self.centred(block) @ self.coef.T + self.theta[:, 0]

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K)."""
        eta = all_scores(self.scores(block))
        return np.asarray(eta - log_sum_exp(eta, axis=1)[:, None])

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,), the first of equals."""
        return np.asarray(np.exp(self.log_posterior(block)).argmax(axis=1))


@dataclass(frozen=True)
class LogisticLearner:
    """Learns in passes from rows whose classes, terms and scales are known.

    Parameters
    ----------
    penalty : on the coefficients
    intercept : whether there is one
    every : the slope is summed over every so many rows; 1 is all
    curved : the curvature is summed over every so many rows: it only sets the length of steps, not where they end
    """

    penalty: Penalty
    intercept: bool = True
    every: int = 1
    curved: int = 1

    def summarize(self, block: Block, model: LogisticModel | None = None) -> Slopes:
        """Loss, slope and curvature of the rows of a block."""
        assert model is not None
        assert isinstance(block.y, Coded)
        place = {label: k for k, label in enumerate(model.classes)}
        own = np.array([place.get(label, -1) for label in block.y.labels[0]], dtype=np.intp)
        step = ROWS * self.every * self.curved
        parts = [
            self._slopes(block, slice(a, a + step, self.every), own, model) for a in range(0, max(block.n, 1), step)
        ]
        return Slopes.sum(parts)

    def _slopes(self, block: Block, rows: slice, own: Array, model: LogisticModel) -> Slopes:
        some = _rows(block, rows)
        assert isinstance(some.y, Coded)
        X, truth = model.centred(some), own[some.y.codes[:, 0]]
        w = np.full(len(X), float(self.every)) if some.w is None else some.w * self.every
        p, loss = probabilities(X @ model.coef.T + model.theta[:, 0], truth)
        apart = p * w[:, None]
        theirs = truth - (len(model.classes) - p.shape[1])  # of two classes, the first has no coefficients
        at = np.flatnonzero(theirs >= 0)
        apart[at, theirs[at]] -= w[at]
        slope = np.column_stack([apart.sum(axis=0), apart.T @ X / model.scale])
        curvature = np.zeros((0, 0)) if model.known is not None else self._curvature(X, p, w, model.scale)
        return Slopes.of(int((w > 0).sum()), float(w.sum()), float(w @ loss), slope.ravel(), curvature)

    def _curvature(self, X: Array, p: Array, w: Array, scale: Array) -> Array:
        thin = slice(None, None, self.curved)
        Z = np.column_stack([np.ones(len(X[thin])), X[thin] / scale])
        return _curvature(Z, p[thin], w[thin] * self.curved)

    def estimate(self, summary: Slopes, model: LogisticModel | None = None) -> LogisticModel:
        """One step of Newton's, or half of the last one where that went too far."""
        assert model is not None
        objective = float(summary.loss.value[0]) + self.penalty.of(model.coef)
        if model.before is not None and not objective <= model.objective + 1e-12 * abs(model.objective):
            return replace(model, theta=(model.theta + model.before) / 2.0, known=None)
        curvature = summary.curvature.value[0] if model.known is None else model.known
        step = self.penalty.step(summary.slope.value[0], curvature, model.theta, model.scale, self.intercept)
        near = self.curved > 1 and step.decrement <= NEAR * objective
        return replace(
            model,
            theta=model.theta + step.change,
            objective=objective,
            before=model.theta,
            decrement=step.decrement,
            known=curvature if near else None,
            separated=self.penalty == Penalty() and objective <= VANISHED * float(summary.weight.value[0]),
        )

    def settled(self, old: LogisticModel, new: LogisticModel, tol: float) -> bool:
        """Whether the step was so short that the next one would change nothing that matters."""
        return new.before is old.theta and (new.separated or new.decrement <= max(tol**2, ROUNDING) * new.objective)


def all_scores(eta: Array) -> Array:
    """The scores of all K classes; of two, the first has 0."""
    return np.column_stack([np.zeros(len(eta)), eta[:, 0]]) if eta.shape[1] == 1 else eta


def probabilities(eta: Array, truth: Array) -> tuple[Array, Array]:
    """Probabilities of the classes that have coefficients (n, L), and -log p of the true class (n,)."""
    if eta.shape[1] == 1:
        score = eta[:, 0]
        tail = np.exp(-np.abs(score))
        p = np.where(score >= 0.0, 1.0, tail) / (1.0 + tail)
        return p[:, None], np.log1p(tail) + np.maximum(np.where(truth == 1, -score, score), 0.0)
    top = eta.max(axis=1, keepdims=True)
    p = np.exp(eta - top)
    total = p.sum(axis=1, keepdims=True)
    p /= total
    return p, (np.log(total) + top)[:, 0] - eta[np.arange(len(eta)), truth]


def _rows(block: Block, rows: slice) -> Block:
    """Some rows of a block, nothing copied."""
    parts = tuple(Coded(p.codes[rows], p.labels) if isinstance(p, Coded) else p[rows] for p in block.parts)
    assert isinstance(block.y, Coded)
    w = None if block.w is None else block.w[rows]
    return Block(parts, Coded(block.y.codes[rows], block.y.labels), w, block.start + rows.start)


def _curvature(Z: Array, p: Array, w: Array) -> Array:
    """Second derivatives (L q, L q): Z' diag(w p_k ([k = l] - p_l)) Z, all pairs of classes in one product."""
    q, L = Z.shape[1], p.shape[1]
    out = np.empty((L * q, L * q))
    if L > 1:
        weighed = (np.sqrt(w)[:, None] * p)[:, :, None] * Z[:, None, :]
        out = -_square(weighed.reshape(len(Z), L * q))
    for k in range(L):
        here = slice(k * q, (k + 1) * q)
        out[here, here] = _square(np.sqrt(w * p[:, k] * (1.0 - p[:, k]))[:, None] * Z)
    return out


def _square(A: Array) -> Array:
    """A'A, whole; half of the products are enough."""
    upper = dsyrk(1.0, A.T)  # A.T lies in columns, as BLAS wants it
    return np.asarray(np.triu(upper) + np.triu(upper, 1).T)
