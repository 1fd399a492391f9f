"""A pass over many complete rows under normals whose columns vary together: one loop, 64 rows at a time.

Densities and sums are about the mean that each component has in the pass, so that no digit depends on where the others
are, and what is known of a row never leaves the cache. `product_pass` does the same for few rows, for columns that vary
alone, and where a model is far from its rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.summary import Summary
from suffice.core.tally import Tally
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.whitened_squares import Whitened, squares_of
from suffice.mixtures.assignment import LEAST, Assignment
from suffice.mixtures.passes.log_likelihood_sum import summed_heights
from suffice.mixtures.passes.product_pass import product_pass
from suffice.numerics.exponential import exponentials, sum_of_logs
from suffice.numerics.loop import inner, loop
from suffice.numerics.tiles import ROWS, buffer, tiles_pay
from suffice.summaries.moments import Moments
from suffice.summaries.soft_products import SoftProducts, add_shared
from suffice.summaries.tiled_products import FOLD


def worth_tiles(block: Block, normals: Any) -> bool:
    """Whether columns vary together, and a loop over all rows and components is worth compiling."""
    X = block.parts[0]
    return isinstance(normals, JointNormals) and tiles_pay(X.size * normals.K, X.shape[1])


def tiled_pass(block: Block, normals: Any, log_weights: Array, assign: Assignment) -> tuple[Tally, Summary, Moments]:
    """Weights, moments and heights of a block."""
    X = np.ascontiguousarray(block.parts[0], dtype=np.float64)
    sums, whitened = SoftProducts(normals.mean.high), Whitened(normals.mean, *normals.matrices)
    base = normals.heights + log_weights
    w = None if block.w is None else np.ascontiguousarray(block.w)
    share = buffer(normals.K, ROWS)
    height, odd = _add_rows(X, w, base, assign.whole, share, *whitened.loan(), *sums.loan(), sums.second)
    if odd or not sums.near():  # rows that are impossible, or far from the model
        return product_pass(block, normals, log_weights, assign)
    moments = sums.moments()
    rows, weight = (block.n, float(block.n)) if w is None else (int((w > 0).sum()), float(w.sum()))
    return Tally(moments.rows, moments.weight), moments, summed_heights(float(height), rows, rows, weight)


@loop
def _add_rows(  # type: ignore[no-untyped-def]
    X, w, base, hard, share, high, low, turned, lower, powers, side, from_mean, white,
    centre, cells, away, heavy, rows, weight, first, some, second,
):  # fmt: skip
    """Log densities, then shares in their place, then sums; and how many rows are impossible."""
    n, d = X.shape
    K = base.shape[0]
    top, total = np.zeros(ROWS), np.zeros(ROWS)
    height, odd = 0.0, 0
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        squares_of(X[start : start + here], high, low, turned, lower, powers, side, from_mean, white, share)
        for k in range(K):
            for r in range(ROWS):
                share[k, r] = base[k] - 0.5 * share[k, r]
        if hard:
            first_of_largest(share, top, total)
        else:
            exponentials(share, K, False, top, total)
        for r in range(here):
            odd += not np.isfinite(top[r])
        if w is None:
            height += sum_of_logs(total, here)
        for r in range(here):
            height += top[r] if w is None else w[start + r] * (top[r] + np.log(total[r]))
        for k in range(K):
            for r in range(here):
                share[k, r] /= total[r]
                share[k, r] = 0.0 if share[k, r] < LEAST else share[k, r]
                if w is not None:
                    share[k, r] *= w[start + r]
        for r in range(here):
            for j in range(d):
                cells[r, j] = X[start + r, j]
        add_shared(here, share, 0, centre, cells, away, heavy, rows, weight, first, some)
        if (start // ROWS) % FOLD == FOLD - 1 or start + ROWS >= n:
            second += some
            some[:] = 0.0
    return height, odd


@inner
def first_of_largest(logs: Array, top: Array, total: Array) -> None:
    """1 in the place of the largest of each column, the first of equals, and 0 in all others; their sum is 1."""
    for r in range(len(top)):
        best = 0
        for k in range(1, len(logs)):
            best = k if logs[k, r] > logs[best, r] else best
        top[r], total[r] = logs[best, r], 1.0
        for k in range(len(logs)):
            logs[k, r] = 1.0 if k == best else 0.0
