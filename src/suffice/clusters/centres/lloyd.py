"""Lloyd's passes: rows to the nearest centre, centres to the means of their rows, over any source of rows.

J(r, c) = sum_i w_i norm(x_i - c_r(i))^2        never rises: first r, then c minimises it

Means are read from moments, which add: blocks, threads and files can share a pass. A cluster that is left without rows
is moved to the point farthest from its own centre, which leaves its old cluster with all its copies; where all points
are at their centres, nothing is moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.clusters.centres.remembered_rows import RememberedRows
from suffice.core.block import Array, Block
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.estimators.algebras.gathering import Gathered
from suffice.numerics.loop import pays
from suffice.spaces.nearest_centre import nearest_centre, row_chunks, squared_to_own
from suffice.summaries.moments import Moments

DENSE = 1 << 22  # cells of a table of shares that is made


@dataclass(frozen=True)
class CentrePass:
    """Moments of the rows by their nearest centre: a learner in passes."""

    def summarize(self, block: Block, model: Centres | None = None) -> Moments:
        """Rows, weights, sums and squares of each cluster."""
        assert model is not None
        (X,) = block.parts
        return cluster_moments(X, nearest_centre(X, model.centres), len(model.centres), block.w)

    def estimate(self, summary: Moments, model: Centres | None = None) -> Centres:
        """Centres at the means; a cluster without rows keeps its centre. The inertia is that of the pass."""
        assert model is not None
        mean, weight = summary.mean.value, summary.weight.value[:, 0]
        filled = weight > 0
        gap = np.where(filled[:, None], mean - model.centres, 0.0)
        inertia = float((np.maximum(summary.scatter.value, 0.0)[filled]).sum() + weight @ (gap**2).sum(axis=1))
        centres = np.where(filled[:, None], mean, model.centres)
        return Centres(centres, None, inertia, weight, model.passes + 1, False, (*model.scatters, inertia))

    def over(self, source: Source, model: Centres) -> Moments:
        """One pass over all rows."""
        summary: Moments = learn(Always(self), source, model).summary
        return summary

    def settled(self, old: Centres, new: Centres, tol: float) -> bool:
        """Whether the centres moved by no more than `tol`, the squares of all movements together."""
        return bool(((new.centres - old.centres) ** 2).sum() <= tol)


@dataclass(frozen=True)
class FarRows:
    """The rows farthest from their own centres, a few different points with all their copies."""

    limit: int

    def summarize(self, block: Block, model: Centres) -> Gathered:
        """Points, what they weigh, how far they are and the cluster they leave."""
        (X,) = block.parts
        w = np.ones(block.n) if block.w is None else block.w
        labels = nearest_centre(X, model.centres)
        far = np.where(w > 0, squared_to_own(X, model.centres, labels), -1.0)
        least = np.unique(far)[-self.limit :][0]
        rows = np.flatnonzero(far >= max(least, 0.0))[: 64 * self.limit]
        points = next((some for _, some in row_chunks(X[rows], 1)), np.empty((0, X.shape[1])))
        rows = rows[: len(points)]
        return Gathered(points, np.stack([far[rows], labels[rows].astype(float)], axis=1), w[rows])


def cluster_moments(X: Any, labels: Array, K: int, w: Array | None) -> Moments:
    """Moments of rows by their labels; of a sparse matrix a few rows at a time."""
    if not hasattr(X, "tocsr"):
        return _moments(np.ascontiguousarray(X, dtype=np.float64), labels, K, w)
    parts = [_moments(some, labels[rows], K, None if w is None else w[rows]) for rows, some in row_chunks(X, K)]
    return Moments.sum(parts)


def _moments(X: Array, labels: Array, K: int, w: Array | None) -> Moments:
    """By the loop where it pays; of small tables by a matrix product, six times as fast as the loop's twin."""
    n = len(labels)
    if pays(X.size) or n * K > DENSE:
        return Moments.of(X, Shares.hard(labels, K, w))
    share = np.zeros((n, K))
    share[np.arange(n), labels] = 1.0 if w is None else w
    return Moments.of(X, Shares.soft(share))


def lloyd(
    source: Source,
    start: Array,
    max_iter: int,
    tol: float,
    tell: Callable[[str], Any] | None = None,
) -> Centres:
    """Passes from a start until no centre moves, or by less than `tol` times the mean variance of the columns.

    The inertia of the result is that of its centres; where labels were remembered, it has them.
    """
    way, model = CentrePass(), Centres(np.array(start, dtype=np.float64))
    remembered = RememberedRows.of(source, len(model.centres))
    over = way.over if remembered is None else remembered.over
    allowed, strict = -1.0, False
    for passes in range(max_iter):
        summary = over(source, model)
        if passes == 0:
            total = summary.pooled()
            allowed = tol * float((total.scatter.value / total.weight.value).mean())
        new = _refilled(way.estimate(summary, model), model, source)
        if tell is not None:
            tell(f"Iteration {passes}, inertia {new.inertia}.")
        strict = bool((new.centres == model.centres).all())
        near = way.settled(model, new, allowed)
        before, model = model.centres, replace(new, settled=strict or near)
        if model.settled:
            if tell is not None:
                gap = float(((new.centres - before) ** 2).sum())
                shift = f"center shift {gap} within tolerance {allowed}"
                tell(f"Converged at iteration {passes}: {'strict convergence' if strict else shift}.")
            break
    if not strict:  # the same centres, with the inertia that they have: one more pass
        seen = way.estimate(over(source, model), model)
        model = replace(model, inertia=seen.inertia, weight=seen.weight, scatters=seen.scatters)
    return model if remembered is None else replace(model, labels=remembered.labels)


def _refilled(new: Centres, old: Centres, source: Source) -> Centres:
    """Clusters without rows move to the farthest points, one each."""
    assert new.weight is not None
    empty = np.flatnonzero(new.weight == 0.0)
    if not len(empty):
        return new
    told: Any = learn(Always(FarRows(len(empty))), source, old).summary
    points, far, w = _distinct(told)
    centres, weight = new.centres.copy(), new.weight.copy()
    for k, i in zip(empty, range(len(points)), strict=False):
        if far[i, 0] <= 0.0:
            break
        donor = int(far[i, 1])
        left = weight[donor] - w[i]
        if left <= 0.0:
            continue
        centres[donor] = (weight[donor] * centres[donor] - w[i] * points[i]) / left
        centres[k], weight[k], weight[donor] = points[i], w[i], left
    return replace(new, centres=centres, weight=weight)


def _distinct(told: Gathered) -> tuple[Array, Array, Array]:
    """Different points, the farthest first, with the weight of all their copies."""
    points, first, place = np.unique(told.X, axis=0, return_index=True, return_inverse=True)
    weight = np.bincount(place.ravel(), told.w, len(points))
    order = np.lexsort((first, -told.y[first, 0]))
    return points[order], told.y[first][order], weight[order]
