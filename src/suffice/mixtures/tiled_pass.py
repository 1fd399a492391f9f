"""A pass over many complete rows under normals whose columns vary together: one loop, 64 rows at a time.

Densities and sums are about the mean that each component has in the pass, so that no digit depends on where the others
are, and what is known of a row never leaves the cache. `product_pass` does the same for few rows, for columns that vary
alone, and where a model is far from its rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.exponential import exponential
from suffice.core.loop import loop, pays
from suffice.core.pairs import exact
from suffice.core.summary import Summary
from suffice.core.tally import Tally
from suffice.core.tiles import ROWS, buffer
from suffice.families.joint_normals import JointNormals
from suffice.families.whitened_squares import Whitened, squares_of
from suffice.mixtures.assignment import LEAST, Assignment, Hard
from suffice.mixtures.product_pass import product_pass
from suffice.summaries.moments import Moments
from suffice.summaries.soft_products import SoftProducts, add_shared
from suffice.summaries.tiled_products import FOLD, WIDEST


def worth_tiles(block: Block, normals: Any) -> bool:
    """Whether columns vary together, and a loop over all rows and components is worth compiling."""
    X = block.parts[0]
    return isinstance(normals, JointNormals) and X.shape[1] <= WIDEST and pays(X.size * normals.K)


def tiled_pass(block: Block, normals: Any, log_weights: Array, assign: Assignment) -> tuple[Tally, Summary, Moments]:
    """Weights, moments and heights of a block."""
    X = np.ascontiguousarray(block.parts[0], dtype=np.float64)
    sums, whitened = SoftProducts(normals.mean.high), Whitened(normals.mean, *normals.matrices)
    base, hard = normals.heights + log_weights, isinstance(assign, Hard)
    w = None if block.w is None else np.ascontiguousarray(block.w)
    share = buffer(normals.K, ROWS)
    height, odd = _add_rows(X, w, base, hard, share, *whitened.loan(), *sums.loan(), sums.second)
    if odd or not sums.near():  # rows that are impossible, or far from the model
        return product_pass(block, normals, log_weights, assign)
    moments = sums.moments()
    return Tally(moments.rows, moments.weight), moments, _seen(float(height), block.n, w)


def _seen(height: float, n: int, w: Array | None) -> Moments:
    """The sum of what rows add to the log-likelihood, as `heights` has it."""
    rows, weight = (n, float(n)) if w is None else (int((w > 0).sum()), float(w.sum()))
    sums = (exact(np.array([pair])) for pair in ((weight, weight), (height, 0.0), (0.0, 0.0)))
    return Moments(np.zeros(2), np.array([[rows, rows]]), *sums)


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
                top[r] = share[k, r] if k == 0 or share[k, r] > top[r] else top[r]
        for r in range(here):
            odd += not np.isfinite(top[r])
        for r in range(ROWS):
            total[r] = 0.0
        for k in range(K):
            for r in range(ROWS):
                if hard:
                    share[k, r] = 1.0 if share[k, r] == top[r] and total[r] == 0.0 else 0.0
                else:
                    share[k, r] = exponential(share[k, r] - top[r])
                total[r] += share[k, r]
        product = 1.0
        for r in range(here):
            one = 1.0 if w is None else w[start + r]
            height += one * top[r]
            if w is not None:
                height += one * np.log(total[r])
            else:
                product *= total[r]
                if r % 16 == 15 or r == here - 1:
                    height += np.log(product)
                    product = 1.0
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
