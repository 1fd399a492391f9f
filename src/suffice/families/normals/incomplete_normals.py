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
from suffice.core.double_double import Pair, exact
from suffice.core.shares import Shares
from suffice.families.normals.accelerated_em import SETTLED, settle
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.missing_columns import Gaps, sum_at
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments, stacked


def settled(family: Any, summary: Any) -> JointNormals:
    """The distribution of a family: in closed form where rows are complete, else where its likelihood is largest."""
    if isinstance(summary, PatternMoments) and not summary.is_complete:
        return climb(family, summary)
    made: JointNormals = family.distribution(summary.complete if isinstance(summary, PatternMoments) else summary)
    return made


def climb(
    family: Any, summary: PatternMoments, start: JointNormals | None = None, within: float = SETTLED
) -> JointNormals:
    """Iterate expectation and maximisation from the moments of single columns, until nothing moves."""
    summary = summary.somewhat()
    available = observed(summary)
    whole = available.pooled()
    prior = family.prior.pinned(whole.mean.value[0], np.diagonal(whole.covariance[0]))
    normals: JointNormals = start or family.distribution(available, prior)
    expect = Expectation(summary)
    return settle(lambda normals: family.distribution(expect(normals), prior), normals, within)


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
        centres = observed(summary).mean.high  # (K, d)
        self.shift = summary.moments.shift
        self.parts = [_Component(summary, k, centre) for k, centre in enumerate(centres)]

    def __call__(self, normals: JointNormals) -> FullMoments:
        """Expected moments under a model."""
        means = zip(*normals.mean, strict=True)
        every = zip(self.parts, means, strict=True)
        return stacked(
            [
                one.expected(high, low, normals.covariance[k % len(normals.covariance)], normals.tol).about(self.shift)
                for k, (one, (high, low)) in enumerate(every)
            ]
        )


class _Component:
    """What was observed of one component, in each of the patterns it has rows of."""

    def __init__(self, summary: PatternMoments, k: int, centre: Array) -> None:
        one = summary.component(k, centre)
        live = np.flatnonzero(one.rows)
        self.rows, self.total = one.rows.sum(keepdims=True), one.weight.sum(0)
        self.weight, self.first, self.second = (sums.value[live] for sums in (one.weight, one.first, one.second))
        self.present, self.centre = summary.present[live], centre
        self.gaps = Gaps(self.present)

    def expected(self, high: Array, low: Array, C: Array, tol: float) -> FullMoments:
        """Expected sums of all columns, about the high part of the mean."""
        S, Q = self._about((self.centre - high) - low)
        fill, left = self._fills(C, tol)
        first = np.einsum("pij,pj->i", fill, S)
        second = (fill @ Q @ np.swapaxes(fill, 1, 2)).sum(axis=0) + left
        weight = Pair(*(np.asarray(half)[None] for half in self.total))
        more = exact(first) + Pair(*(np.asarray(half) for half in self.total)) * exact(low)
        return FullMoments(high, self.rows, weight, _one(more), exact(second[None]))

    def _about(self, t: Array) -> tuple[Array, Array]:
        """First and second sums of each pattern about a shift that is less by t; 0 where cells are missing."""
        t = self.present * t
        moved = self.first + self.weight[:, None] * t
        return moved, self.second + t[:, :, None] * self.first[:, None, :] + moved[:, :, None] * t[:, None, :]

    def _fills(self, C: Array, tol: float) -> tuple[Array, Array]:
        """What turns the cells of each pattern into all columns (P, d, d), and what all leave open (d, d)."""
        fill, left = self.present[:, :, None] * np.eye(len(C)), np.zeros(C.shape)
        for which, u, o, A, V in self.gaps.predict(C, tol):
            fill[which[:, None, None], u[:, :, None], o[:, None, :]] = A
            left += sum_at(u, self.weight[which][:, None, None] * V, len(C))
        return fill, left


def _one(sums: Pair) -> Pair:
    return Pair(*(half[None] for half in sums))


def expected_rows(X: Array, R: Shares, normals: JointNormals) -> FullMoments:
    """Expected moments of complete rows, of rows each in one component: filled in, and what is left open added.

    For rows that lack cells in almost as many ways as there are rows: only the columns that are missing are inverted.
    """
    x, codes, tied = np.array(X, dtype=np.float64), R.codes[:, 0], len(normals.covariance) == 1
    open_spread = np.zeros((R.K, x.shape[1], x.shape[1]))
    for k in range(1 if tied else R.K):
        mine = np.flatnonzero(R.claimed if tied else R.claimed & (codes == k))
        mine = mine[np.isnan(x[mine]).any(axis=1)]
        rows, labels, weight = x[mine], codes[mine], R.share[mine, 0]
        for part in Gaps(~np.isnan(rows)).predict(normals.covariance[k], normals.tol):
            part.fill(rows, normals.mean.high[labels])
            for c in np.unique(labels[part.which]):
                some = labels[part.which] == c
                open_spread[c] += sum_at(
                    part.u[some], weight[part.which[some]][:, None, None] * part.V[some], x.shape[1]
                )
        x[mine] = rows
    full = FullMoments.of(np.where(np.isnan(x), 0.0, x), R)
    return replace(full, second=full.second + exact(open_spread))
