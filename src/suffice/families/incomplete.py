"""Normal models of rows with missing cells: expectation-maximisation on the moments of each missing pattern.

The expected sums of the cells that are missing follow from the sums of those that are there: with B the regression of
the missing columns u on the observed ones o, and V what it leaves,

    sum (x_u - m_u) = B sum (x_o - m_o),     sum (x_u - m_u)(x_u - m_u)' = B Q_oo B' + W V

so that no row is looked at again, however many iterations are made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.pairs import Pair, exact
from suffice.core.shares import Shares
from suffice.families.joint_normals import JointNormals, whitening
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments, stacked

MOST = 1000  # iterations
SETTLED = 1e-10  # standard deviations that no mean, and share of a variance that no covariance, still moves by


def settled(family: Any, summary: Any) -> JointNormals:
    """The distribution of a family: in closed form where rows are complete, else where its likelihood is largest."""
    if isinstance(summary, PatternMoments) and not summary.is_complete:
        return climb(family, summary)
    made: JointNormals = family.distribution(summary.complete if isinstance(summary, PatternMoments) else summary)
    return made


def climb(family: Any, summary: PatternMoments, start: JointNormals | None = None) -> JointNormals:
    """Iterate expectation and maximisation from the moments of single columns, until nothing moves."""
    summary = summary.somewhat()
    available = observed(summary)
    whole = available.pooled()
    prior = family.prior.pinned(whole.mean.value[0], np.diagonal(whole.covariance[0]))
    normals: JointNormals = start or family.distribution(available, prior)
    expect = Expectation(summary)
    for _ in range(MOST):
        old, normals = normals, family.distribution(expect(normals), prior)
        if moved(old, normals) <= SETTLED:
            break
    return normals


def moved(old: JointNormals, new: JointNormals) -> float:
    """How far the parameters moved, in standard deviations."""
    sd = np.sqrt(np.diagonal(new.covariance, axis1=1, axis2=2))
    sd = np.where(sd > 0, sd, 1.0)
    step = np.abs((new.mean - old.mean).value) / sd
    turn = np.abs(new.covariance - old.covariance) / sd[:, :, None] / sd[:, None, :]
    return float(max(step.max(initial=0.0), turn.max(initial=0.0)))


def observed(summary: PatternMoments) -> FullMoments:
    """Moments of each column over the cells that are there, as if columns did not vary together."""
    parts = [summary.component(k) for k in range(summary.K)]
    weight = np.stack([one.weight.value @ summary.present for one in parts])  # (K, d) of the cells that are there
    first = np.stack([one.first.sum(0).value for one in parts])
    squares = np.stack([np.diagonal(one.second.sum(0).value) for one in parts])
    met = weight > 0
    whole = _centred(weight.sum(axis=0), first.sum(axis=0), squares.sum(axis=0))
    mean, variance = (np.where(met, a, b) for a, b in zip(_centred(weight, first, squares), whole, strict=True))
    rows, total = np.array([one.rows.sum() for one in parts]), np.stack([one.weight.value.sum() for one in parts])
    spread = variance[:, :, None] * np.eye(len(summary.moments.shift)) + mean[:, :, None] * mean[:, None, :]
    sums = exact(total), exact(total[:, None] * mean), exact(total[:, None, None] * spread)
    return FullMoments(summary.moments.shift, rows, *sums)


def _centred(weight: Array, first: Array, squares: Array) -> tuple[Array, Array]:
    """Means and variances of columns, 0 where there is no cell."""
    weight = np.where(weight > 0, weight, np.inf)
    mean = first / weight
    return mean, np.maximum(squares / weight - mean * mean, 0.0)


def completed(summary: PatternMoments, normals: JointNormals) -> FullMoments:
    """Expected moments of the complete rows, given what was observed of them: the expectation step."""
    return Expectation(summary)(normals)


class Expectation:
    """The expectation step on one summary, again and again: its sums are taken out of their pairs once.

    They are kept about the mean of the cells that are there, from which the means of a model are not far.
    """

    def __init__(self, summary: PatternMoments) -> None:
        """Take the sums out of the summary."""
        self.summary = summary
        self.centres = observed(summary).mean.high  # (K, d)
        self.parts = [summary.component(k, centre) for k, centre in enumerate(self.centres)]
        self.sums = [(one.weight.value, one.first.value, one.second.value) for one in self.parts]

    def __call__(self, normals: JointNormals) -> FullMoments:
        """Expected moments under a model."""
        every = range(len(self.parts))
        return stacked([self._component(k, normals) for k in every])

    def _component(self, k: int, normals: JointNormals) -> FullMoments:
        """One component, about its mean in floats, then about the shift in pairs."""
        C, mean = normals.covariance[k % len(normals.covariance)], normals.mean.high[k]
        W, S, Q = self._about(k, (self.centres[k] - mean) - normals.mean.low[k])
        fill, left = self._fills(C, normals.tol, self.parts[k].rows > 0)
        first = np.einsum("pij,pj->i", fill, S)
        second = (fill @ Q @ np.swapaxes(fill, 1, 2)).sum(axis=0) + np.einsum("p,pij->ij", W, left)
        sums = (_one(Pair(*(np.asarray(half) for half in self.parts[k].weight.sum(0)))), exact(first[None]))
        rows = self.parts[k].rows.sum(keepdims=True)
        about = Pair(mean[None], normals.mean.low[k][None])
        return _moved_back(rows, *sums, exact(second[None]), about, self.summary.moments.shift)

    def _about(self, k: int, t: Array) -> tuple[Array, Array, Array]:
        """Sums of each pattern about a shift that is less by t; 0 where cells are missing."""
        W, S, Q = self.sums[k]
        t = self.summary.present * t
        moved = S + W[:, None] * t
        return W, moved, Q + t[:, :, None] * S[:, None, :] + moved[:, :, None] * t[:, None, :]

    def _fills(self, C: Array, tol: float, live: Array) -> tuple[Array, Array]:
        """What turns the cells of each pattern into all columns (P, d, d), and what it leaves open (P, d, d)."""
        present, predict = self.summary.present, Predictor(C, tol)
        fill, left = present[:, :, None] * np.eye(len(C)), np.zeros((len(present), *C.shape))
        for p in np.flatnonzero(live & ~present.all(axis=1)):
            A, V = predict(present[p])
            o, u = np.flatnonzero(present[p]), np.flatnonzero(~present[p])
            fill[p][np.ix_(u, o)], left[p][np.ix_(u, u)] = A, V
        return fill, left


def _moved_back(rows: Array, weight: Pair, first: Pair, second: Pair, mean: Pair, shift: Array) -> FullMoments:
    """Sums about a mean that is a pair, about a shift that is none: what its low part adds, the first sum gets."""
    low = Pair(*(half[:, None] for half in weight)) * exact(mean.low)
    return FullMoments(mean.high[0], rows, weight, first + low, second).about(shift)


def regression(C: Array, present: Array, tol: float = 0.0) -> tuple[Array, Array]:
    """Every column from the columns that are present: coefficients (d, o), and what they leave (d, d).

    Present columns are their own prediction, and leave nothing.
    """
    columns, W, _, _ = whitening(C, present, tol)
    half = C[:, columns] @ W.T  # (d, o) covariance with the whitened columns
    at = np.cumsum(present) - 1
    A = np.zeros((len(C), int(present.sum())))
    A[:, at[columns]] = half @ W
    V = C - half @ half.T
    V[present], V[:, present] = 0.0, 0.0
    A[present] = np.eye(A.shape[1])
    return A, V


def _one(sums: Pair) -> Pair:
    return Pair(*(half[None] for half in sums))


def expected_rows(X: Array, R: Shares, normals: JointNormals) -> FullMoments:
    """Expected moments of complete rows, of rows each in one component: filled in one by one, and what is left open.

    For rows that lack cells in almost as many ways as there are rows: only the columns that are missing are inverted.
    """
    filled, codes = np.array(X, dtype=np.float64), R.codes[:, 0]
    d, tied = X.shape[1], len(normals.covariance) == 1
    open_spread = np.zeros((R.K, d, d))
    for k in range(1 if tied else R.K):
        C, mine = normals.covariance[k], np.flatnonzero(R.claimed if tied else R.claimed & (codes == k))
        predict = Predictor(C, normals.tol)
        gaps = np.isnan(filled[mine])
        for i in mine[gaps.any(axis=1)]:
            present, mean = ~np.isnan(filled[i]), normals.mean.high[codes[i]]
            A, V = predict(present)
            away = ~present
            filled[i, away] = mean[away] + A @ (filled[i, present] - mean[present])
            open_spread[codes[i]][np.ix_(away, away)] += R.share[i, 0] * V
    full = FullMoments.of(np.where(np.isnan(filled), 0.0, filled), R)
    return replace(full, second=full.second + exact(open_spread))


class Predictor:
    """Missing columns from those that are present: coefficients (u, o), and what they leave (u, u)."""

    def __init__(self, C: Array, tol: float) -> None:
        """Invert the covariance once."""
        self.C, self.tol = C, tol
        everything = np.ones(len(C), dtype=bool)
        W = whitening(C, everything, tol).W
        self.P = W.T @ W if len(W) == len(C) else None  # the precision, where there is one

    def __call__(self, present: Array) -> tuple[Array, Array]:
        """For one set of columns that are present (d,)."""
        o, u = np.flatnonzero(present), np.flatnonzero(~present)
        if self.P is None or len(u) > len(o):
            A, V = regression(self.C, present, self.tol)
            return A[u], V[np.ix_(u, u)]
        V = np.linalg.inv(self.P[np.ix_(u, u)])
        return -V @ self.P[np.ix_(u, o)], V
