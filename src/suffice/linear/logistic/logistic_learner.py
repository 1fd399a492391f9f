"""Logistic regression by Newton's method: each pass sums the slope and the curvature of the loss over the rows.

    p(class k | x) = exp(eta_k) / sum_l exp(eta_l),     eta_k = a_k + b_k . (x - centre) / scale
    loss = -sum_i w_i log p(y_i | x_i) + l2/2 |B|^2 + l1 |B|_1         B = b / scale: coefficients in units of the table

Two classes have one linear function (that of the other is 0), more have one each. Columns are about their means and in
their own units while the passes run, so that an offset costs no digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.registry import saved
from suffice.linear.design import Design
from suffice.linear.logistic import logistic_loop, logistic_sums
from suffice.linear.logistic.gradients import Slopes
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.linear.terms import Factor, Term
from suffice.numerics.linear_values import complete_values, linear_values
from suffice.numerics.log_space import likeliest, log_sum_exp
from suffice.numerics.tiles import tiles_pay

ROUNDING = 1e-12  # share of the objective below which a step that does not get shorter is one of rounding
FALLING = 0.25  # of the gain of the step before: what steps that are not of rounding fall below
NEAR = 1e-3  # share of the objective left to gain below which the curvature hardly changes any more
VANISHED = 1e-9  # a loss a row below which every row lies far on its own side
OFF = 100.0  # standard deviations from 0 beyond which a column is centred before it is multiplied


class Way(NamedTuple):
    """How the sums of some rows are taken."""

    rows: int  # at a time
    loss_and_slope: Callable[..., tuple[float, Array, Array]]
    curvature: Callable[..., Array]


MATRICES = Way(4096, logistic_sums.loss_and_slope, logistic_sums.curvature)  # what is made of rows stays in the cache
QUICK = Way(32_768, logistic_loop.loss_and_slope, logistic_loop.curvature)


@saved
@dataclass(frozen=True)
class LogisticModel:
    """The coefficients of a pass, with what the pass before said of its own."""

    classes: tuple[Any, ...]
    log_prior: Array  # (K,) log share of each class in training
    design: Design
    terms: tuple[Term, ...]
    shares: Mapping[Factor, float]  # means of the factors: of levels, their shares
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

    def at(self, coef: Array, intercept: Array) -> LogisticModel:
        """The same terms and classes with other coefficients (L, p) and intercepts (L,), in units of the table."""
        return replace(self, theta=np.column_stack([intercept + coef @ self.centre, coef * self.scale]))

    def at_coefficients_of(self, other: LogisticModel) -> LogisticModel:
        """At the coefficients of another model, if it has the same classes and terms."""
        alike = other.classes == self.classes and other.terms == self.terms
        return self.at(other.coef, other.intercept) if alike else self

    def centred(self, block: Block) -> Array:
        """The terms of the rows about the centre (n, p)."""
        return np.asarray(filled(self._terms(block)) - self.centre)

    def _terms(self, block: Block) -> Any:
        if self._plain and not self.design.refuse_missing(block.parts, block.start):
            return block.parts[0] if hasattr(block.parts[0], "indptr") else np.asarray(block.parts[0])
        return self.design.matrix(block.parts, self.terms, self.shares, block.start)

    @cached_property
    def _plain(self) -> bool:
        return self.design.plain(self.terms)

    def terms_of(self, block: Block) -> Array:
        """The terms of the rows (n, p); those of a plain table without gaps are not looked at."""
        return filled(block.parts[0]) if self._plain and not self.design.gaps else filled(self._terms(block))

    def quick(self, block: Block) -> bool:
        """Whether the table is large enough for a loop over its rows."""
        return tiles_pay(block.n * len(self.terms) * len(self.theta), len(self.terms))

    @cached_property
    def origin(self) -> Array:
        """The centre of the columns that are far from 0, and 0 for the others (p,)."""
        return np.where(np.abs(self.centre) > OFF * self.scale, self.centre, 0.0)

    def scores(self, block: Block) -> Array:
        """The linear functions (n, L), about the origin: columns that are near 0 are not moved."""
        about = self._slopes, self._level, self.origin
        values = complete_values(block.parts[0], *about) if self._plain else None
        return linear_values(self._terms(block), *about) if values is None else values

    @cached_property
    def _slopes(self) -> Array:
        """The coefficients, which are asked for prediction after prediction (L, p)."""
        return self.coef

    @cached_property
    def _level(self) -> Array:
        """The linear functions at the origin (L,)."""
        return np.asarray(self.theta[:, 0] - self.coef @ (self.centre - self.origin))

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K)."""
        return _log_shares(all_scores(self.scores(block)))

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,), the first of equals."""
        return likeliest(all_scores(self.scores(block)), lambda eta: np.exp(_log_shares(eta)))


def _log_shares(eta: Array) -> Array:
    return np.asarray(eta - log_sum_exp(eta, axis=1)[:, None])


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

    penalty: CoefficientPenalty
    intercept: bool = True
    every: int = 1
    curved: int = 1

    def summarize(self, block: Block, model: LogisticModel | None = None) -> Slopes:
        """Loss, slope and curvature of the rows of a block."""
        assert model is not None
        assert isinstance(block.y, Coded)
        place = {label: k for k, label in enumerate(model.classes)}
        own = np.array([place.get(label, -1) for label in block.y.labels[0]], dtype=np.intp)
        way = QUICK if model.quick(block) else MATRICES
        step = way.rows * self.every
        cuts = [slice(a, a + step, self.every) for a in range(0, max(block.n, 1), step)]
        parts = [self._sums(_rows(block, cut), own, model, way) for cut in cuts]
        sums: list[Any] = [sum(each) for each in zip(*parts, strict=True)]
        if not np.isfinite(sums[2]):
            model.design.refuse_missing(block.parts, block.start)
        return Slopes.of(*sums)

    def _sums(self, some: Block, own: Array, model: LogisticModel, way: Way) -> tuple[int, float, float, Array, Array]:
        """Rows, weight, loss, slope and curvature of some rows, in floats."""
        assert isinstance(some.y, Coded)
        X, truth = model.terms_of(some), own[some.y.codes[:, 0]]
        off = model.centre - model.origin
        level = model.theta[:, 0] - model.coef @ off
        with np.errstate(invalid="ignore", over="ignore"):  # a cell that is missing or infinite is refused above
            loss, by_level, by_coef = way.loss_and_slope(X, truth, some.w, model.coef, level, model.origin)
            slope = np.column_stack([by_level, (by_coef - np.outer(by_level, off)) / model.scale])
            bend = np.zeros((0, 0)) if model.known is not None else self._curvature(X, some.w, level, model, way)
        rows, weight = (some.n,) * 2 if some.w is None else (int((some.w > 0).sum()), float(some.w.sum()))
        return rows, self.every * float(weight), self.every * loss, self.every * slope.ravel(), self.every * bend

    def _curvature(self, X: Array, w: Array | None, level: Array, model: LogisticModel, way: Way) -> Array:
        thin = slice(None, None, self.curved)
        heavy = None if w is None else w[thin]
        places = model.origin, model.centre, model.scale
        return self.curved * way.curvature(X[thin], heavy, model.coef, level, *places)

    def estimate(self, summary: Slopes, model: LogisticModel | None = None) -> LogisticModel:
        """One step of Newton's, or half of the last one where that went too far."""
        assert model is not None
        objective = float(summary.loss.value[0]) + self.penalty.of(model.coef, model.intercept)
        if model.before is not None and not objective <= model.objective + 1e-12 * abs(model.objective):
            return replace(model, theta=(model.theta + model.before) / 2.0, known=None)
        bend = summary.curvature.value[0] if model.known is None else model.known
        step = self.penalty.step(summary.slope.value[0], bend, model.theta, model.scale, self.intercept)
        thin = self.curved * self.every > 1
        near = thin and step.decrement <= NEAR * objective
        blind = thin and bool(((np.diagonal(bend) <= 0.0) & (summary.slope.value[0] != 0.0)).any())
        return replace(
            model,
            theta=model.theta + step.change,
            objective=objective,
            before=model.theta,
            decrement=np.inf if blind else step.decrement,  # a term that is 0 in some rows only may still be of use
            known=bend if near else None,
            separated=self.penalty == CoefficientPenalty() and objective <= VANISHED * float(summary.weight.value[0]),
        )

    def settled(self, old: LogisticModel, new: LogisticModel, tol: float) -> bool:
        """Whether the step was so short that the next one would change nothing that matters."""
        if new.before is not old.theta:
            return False
        rounding = new.decrement <= ROUNDING * new.objective and not new.decrement < FALLING * old.decrement
        return new.separated or rounding or new.decrement <= tol**2 * new.objective


def filled(X: Any) -> Array:
    """Rows as an array."""
    return np.asarray(X.toarray() if hasattr(X, "indptr") else X)


def all_scores(eta: Array) -> Array:
    """The scores of all K classes; of two, the first has 0."""
    return np.column_stack([np.zeros(len(eta)), eta[:, 0]]) if eta.shape[1] == 1 else eta


def _rows(block: Block, rows: slice) -> Block:
    """Some rows of a block, nothing copied."""
    parts = tuple(Coded(p.codes[rows], p.labels) if isinstance(p, Coded) else p[rows] for p in block.parts)
    assert isinstance(block.y, Coded)
    w = None if block.w is None else block.w[rows]
    return Block(parts, Coded(block.y.codes[rows], block.y.labels), w, block.start + rows.start)
