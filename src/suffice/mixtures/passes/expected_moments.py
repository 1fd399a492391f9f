"""Moments of rows with missing cells, as a normal model expects them: what EM sums where cells are hidden too.

With A the regression of the missing columns u on those that are there, and V what it leaves open,

    E[x_u | x_o, k] = m_u + A (x_o - m_o),      Cov[x_u | x_o, k] = V

so that a row adds its expected products, and V.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.core.shares import Shares
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.missing_columns import Gaps, Predicted, sum_at
from suffice.mixtures.passes.enough_digits import mean_of
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import stacked
from suffice.summaries.power_sums import middle

ROWS = 4_096  # rows whose regressions are held at a time


def expected_moments(X: Array, R: Shares, normals: JointNormals) -> FullMoments:
    """Sums of the complete rows, given what was observed of them and the normals of the pass before."""
    rows, shift = np.flatnonzero(R.claimed), middle(X)
    some = [rows[a : a + ROWS] for a in range(0, len(rows), ROWS)]
    found = [_chunk(np.asarray(X[at], dtype=np.float64), R[at], normals, shift) for at in some]
    return FullMoments.sum([FullMoments.empty(R.K, shift), *found])


def _chunk(X: Array, R: Shares, normals: JointNormals, shift: Array) -> FullMoments:
    """Each component about the mean of its rows in floats, then about the shift in pairs."""
    gaps = Gaps(np.isfinite(X))
    if not gaps.groups:
        return FullMoments.of(X, R, shift)
    ways = [list(gaps.predict(C, normals.tol)) for C in normals.covariance]
    return stacked([_component(X, r, k, normals, ways[k % len(ways)], shift) for k, r in enumerate(R.dense().T)])


def _component(X: Array, r: Array, k: int, normals: JointNormals, ways: list[Predicted], shift: Array) -> FullMoments:
    rows, weight = np.array([int((r != 0.0).sum())]), exact(np.array([r.sum()]))
    if not rows[0]:
        return FullMoments.empty(1, shift)
    filled, left = _filled(X, r, normals.mean.high[k], normals.mean.low[k], ways)
    own = mean_of(filled, r)
    z = filled - own
    first = r @ z
    z *= np.sqrt(r)[:, None]
    return FullMoments(own, rows, weight, exact(first[None]), exact((z.T @ z + left)[None])).about(shift)


def _filled(X: Array, r: Array, high: Array, low: Array, ways: list[Predicted]) -> tuple[Array, Array]:
    """Rows with what is expected of their missing cells, and what stays open (d, d)."""
    out, left = X.copy(), np.zeros((X.shape[1], X.shape[1]))
    for which, u, o, A, V in ways:
        rows = which[:, None]
        step = A @ ((X[rows, o] - high[o]) - low[o])[:, :, None]
        out[rows, u] = high[u] + (low[u] + step[:, :, 0])
        left += sum_at(u, r[which][:, None, None] * V, len(left))
    return out, left
