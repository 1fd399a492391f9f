"""The linear learner: rows as products of terms, a model from a least-squares problem.

f(x) = at + (x - centre) . coef
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array, Block, take
from suffice.core.double_double import Pair, exact, two_product
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.linear.design import Design
from suffice.linear.recentring import Recentring
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.solvers import LeastSquares
from suffice.linear.terms import ByTerm, Factor, Term, term_name
from suffice.linear.wide.row_problem import RowProblem
from suffice.numerics.linear_values import complete_values, linear_values
from suffice.numerics.loop import CHUNK, pays
from suffice.summaries.least_squares import Chunk, LeastSquaresSummary, PairedChunk
from suffice.summaries.rows_summary import RowsSummary, keeps_rows
from suffice.summaries.tiled_products import TILED

LAST = "_last_problem"  # among the attributes of a summary


class Solver(Protocol):
    """How coefficients follow from a problem."""

    def solve(self, problem: Any, owner: str) -> Pair:
        """Coefficients (p, t); warns or raises in the name of the estimator."""


@dataclass(frozen=True)
class LinearLearner:
    """Learns one linear function a target, in one pass."""

    design: Design
    solver: Solver
    intercept: bool = True

    def summarize(self, block: Block, model: LinearModel | None = None) -> ByTerm:
        """Products of the terms and targets, some rows at a time, so that the matrix is never whole."""
        assert isinstance(block.y, np.ndarray)
        nobody = np.zeros(block.n, dtype=np.int32)
        return kept_of(self.design, block, Shares.hard(nobody, 1, block.w), block.y)

    def estimate(self, summary: ByTerm, model: LinearModel | None = None) -> LinearModel:
        """Choose the terms, then solve; about 0 where a penalty is on the coefficients there, or no level is free."""
        if summary.centres and not (self.intercept and isinstance(self.solver, LeastSquares)):
            summary = summary.about({})
        design = replace(self.design, centres=summary.centres) if summary.centres else self.design
        means = means_of(design, summary)
        problem = problem_of(summary.filled(means), design.choose(summary.terms), self.intercept)
        return LinearModel.of(design, problem, self.solver.solve(problem, design.owner), means)

    def about_zero(self, summary: ByTerm, model: LinearModel) -> LinearModel:
        """The same model with its terms about 0: the problem that its coefficients, as they are told, belong to."""
        if model.raw is None:
            return model
        coef, level = model.raw
        problem = problem_of(summary.about({}), model.problem.terms, self.intercept)
        centre = centre_of(problem)
        return LinearModel(self.design, problem, coef, centre, level + coef @ centre, level, model.means)


@dataclass(frozen=True)
class LinearModel:
    """One linear function a target; f(x) = at + (x - centre) . coef, so that far-off columns cost no digits."""

    design: Design
    problem: Problem | RowProblem
    coef: Array  # (t, p)
    centre: Array  # (p,)
    at: Array  # (t,)
    intercept: Array  # (t,) f(0); exactly 0 without an intercept
    means: Mapping[Factor, float]  # of the factors: what stands for a level or a gap that was never met
    raw: tuple[Array, Array] | None = None  # where terms are about centres: coefficients (t, p) and f(0) (t,) about 0

    @classmethod
    def of(
        cls, design: Design, problem: Problem | RowProblem, coef: Pair, means: Mapping[Factor, float]
    ) -> LinearModel:
        """From coefficients (p, t)."""
        at, zero = levels(problem, coef)
        told = None
        if design.centres:
            found, level = Recentring(problem.terms, {}, design.centres).coefficients(coef, exact(zero))
            told = found.value.T, level.value
        return cls(design, problem, coef.value.T, centre_of(problem), at, zero, means, told)

    @property
    def terms(self) -> tuple[Term, ...]:
        """What the coefficients belong to."""
        return self.problem.terms

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the terms."""
        return tuple(term_name(term) for term in self.terms)

    def matrix(self, block: Block) -> Any:
        """The terms of the rows (n, p), sparse where the block is."""
        if self._plain and not self.design.refuse_missing(block.parts, block.start):
            part = block.parts[0]
            return part if hasattr(part, "indptr") else np.asarray(part, dtype=np.float64)
        return self.design.matrix(block.parts, self.terms, self.means, block.start)

    @cached_property
    def _plain(self) -> bool:
        return self.design.plain(self.terms)

    def predict(self, block: Block) -> Array:
        """f(x) of each row and target (n, t)."""
        about = self.coef, self.at, self.centre
        values = complete_values(block.parts[0], *about) if self._plain else None
        return linear_values(self.matrix(block), *about) if values is None else values


def problem_of(summary: ByTerm, terms: tuple[Term, ...], intercept: bool) -> Problem | RowProblem:
    """What is to be solved: rows where these were kept, else a triangle; the last one that a summary told is kept."""
    last: Problem | RowProblem | None = vars(summary).get(LAST)
    if last is None or last.terms is not terms or last.intercept != intercept:
        kept = summary.align(terms).summary
        if isinstance(kept, RowsSummary):
            last = RowProblem(terms, kept, intercept)
        else:
            last = Problem.of(summary, terms, intercept)
        object.__setattr__(summary, LAST, last)
    return last


def centre_of(problem: Problem | RowProblem) -> Array:
    """The point that a model is about (p,)."""
    return problem.centre if isinstance(problem, RowProblem) else problem.shift[: problem.width[0]]


def levels(problem: Problem | RowProblem, coef: Pair) -> tuple[Array, Array]:
    """f at the centre and f(0) of each target (t,); what they are made of cancels, so no product or sum is rounded."""
    if isinstance(problem, RowProblem):
        return problem.levels(coef.value)
    p, _ = problem.width
    shift, offset = problem.shift, problem.offset
    both, by = np.array([offset.high[:p], shift[:p]])[:, None], -coef.high.T  # (2, 1, p), (t, p)
    product, rest = two_product(both, by)
    rest -= both * coef.low.T  # which rounds where it is not seen
    rest[0] += offset.low[:p] * by
    near, far = np.concatenate([product, rest], axis=2).tolist()  # (2, t, 2 p)
    mean = np.array([shift[p:], offset.high[p:], offset.low[p:]]).T.tolist()
    at = [own + terms for own, terms in zip(mean, near, strict=True)]
    zero = [own + terms for own, terms in zip(at, far, strict=True)]
    return np.array([fsum(own) for own in at]), np.array([fsum(own) for own in zero])


def kept_of(design: Design, block: Block, R: Shares, Y: Array) -> ByTerm:
    """What is kept of the rows of a block with shares R and targets Y (n, t), encoded a chunk at a time."""
    if not design.bare:
        return _kept(design, block, R, Y, design.holes(block.parts, block.start))
    if keeps_rows(block.parts[0]) and not design.refuse_missing(block.parts, block.start):
        return _rows_kept(design, block, R, Y)
    try:
        return _kept_bare(design, block, R, Y)
    except BadInput:  # products notice a bad cell, the design names its column
        holes = design.holes(block.parts, block.start)
        if not holes:
            raise
    return _kept(design, block, R, Y, holes)


def _kept_bare(design: Design, block: Block, R: Shares, Y: Array) -> ByTerm:
    """Of numbers alone, none of them missing: nothing is copied, and every row has every term."""
    (X,), step = block.parts, TILED if pays(block.n) else CHUNK
    terms = design.shown(X)
    at = range(0, max(block.n, 1), step)
    summary = LeastSquaresSummary.of_chunks(lambda: ((X[a : a + step], Y[a : a + step], R[a : a + step]) for a in at))
    return ByTerm.of(terms, summary.moments.rows[:, None].repeat(len(terms), axis=1), Y.shape[1], summary)


def _kept(design: Design, block: Block, R: Shares, Y: Array, holes: frozenset[Any]) -> ByTerm:
    """Of any columns."""
    design = design.near(block.parts, R.claimed)
    met: dict[int, tuple[Term, ...]] = {}
    counts: dict[int, Array] = {}  # by chunk, as they may come again

    def chunks() -> Iterator[Chunk]:
        for a in range(0, max(block.n, 1), CHUNK):
            rows: Any = slice(a, a + CHUNK)
            terms, X = design.encode([take(part, rows) for part in block.parts], holes)
            met[a], counts[a] = terms, rows_with(terms, X, R[rows])
            yield X, Y[rows], R[rows]

    def paired() -> Iterator[PairedChunk]:
        for a in range(0, max(block.n, 1), CHUNK):
            rows: Any = slice(a, a + CHUNK)
            yield design.encode_pairs([take(part, rows) for part in block.parts]), Y[rows], R[rows]

    summary = LeastSquaresSummary.of_chunks(chunks, paired if design.degree > 1 else None)
    kept = ByTerm.of(met[0], np.sum(list(counts.values()), axis=0), Y.shape[1], summary)
    return replace(kept, centres=design.centres).near() if design.degree > 1 else kept


def means_of(design: Design, summary: ByTerm) -> Mapping[Factor, float]:
    """What stands for levels and gaps that were never met; of complete numbers alone, nothing."""
    rows = isinstance(summary.summary, RowsSummary)  # of complete numbers alone
    return {} if rows or (not design.gaps and design.plain(summary.terms)) else summary.means()


def _rows_kept(design: Design, block: Block, R: Shares, Y: Array) -> ByTerm:
    """The rows as they are; every row has every number."""
    kept, terms = RowsSummary.of(block.parts[0], R, Y), design.numbers
    if len(terms) != kept.width:  # columns that no model learns from
        terms = tuple((Factor(column.name),) for column in design.schema.features)
    rows = np.repeat(kept.rows[:, None], len(terms), axis=1)
    if not len(kept.codes):
        return ByTerm.of(terms, rows, Y.shape[1], kept)
    return ByTerm(terms, rows, Y.shape[1], kept)


def rows_with(terms: tuple[Term, ...], X: Array, R: Shares) -> Array:
    """How many rows of each component have each term (K, p)."""
    rows = np.repeat(Tally.of(R).rows[:, None], len(terms), axis=1)
    for i, term in enumerate(terms):
        if any(factor.symbol for factor in term):
            rows[:, i] = Tally.of(R[_present(term, X[:, i], terms, X)]).rows
    return rows


def _present(term: Term, cells: Array, terms: tuple[Term, ...], X: Array) -> Array:
    """In which rows a term's levels occur; a product with a number that is 0 has its level all the same."""
    if all(factor.symbol for factor in term):
        return np.asarray(cells != 0.0)
    symbols = [terms.index((factor,)) for factor in term if factor.symbol]
    return np.asarray((X[:, symbols] != 0.0).all(axis=1))
