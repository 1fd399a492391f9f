"""A pass over many complete rows under normals: one loop, 64 rows at a time; here for columns that vary together.

Densities and sums are about the mean that each component has in the pass, so that no digit depends on where the others
are, and what is known of a row never leaves the cache. `product_pass` does the same for few rows, and where a model is
far from its rows; `column_pass` has the loop for columns that vary alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.double_double import exact
from suffice.core.summary import Summary
from suffice.core.tally import Tally
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.normal import Normals
from suffice.families.normals.whitened_squares import Whitened, squares_of
from suffice.mixtures.assignment import Assignment
from suffice.mixtures.passes.column_pass import column_sums
from suffice.mixtures.passes.log_likelihood_sum import summed_heights
from suffice.mixtures.passes.product_pass import product_pass
from suffice.mixtures.passes.row_shares import divide_rows
from suffice.numerics.loop import loop
from suffice.numerics.tiles import ROWS, buffer, tiles_pay
from suffice.summaries.moments import Moments
from suffice.summaries.soft_products import SoftProducts, add_shared
from suffice.summaries.tiled_products import FOLD


def worth_tiles(block: Block, normals: Any) -> bool:
    """Whether a loop over all rows and components is worth compiling."""
    X = block.parts[0]
    return tiles_pay(X.size * len(normals.mean.high), X.shape[1])


def tiled_pass(block: Block, normals: Any, log_weights: Array, assign: Assignment) -> tuple[Tally, Summary, Moments]:
    """Weights, moments and heights of a block."""
    X = np.ascontiguousarray(block.parts[0], dtype=np.float64)
    w = None if block.w is None else np.ascontiguousarray(block.w)
    sums, height, odd = SUMS[type(normals)](X, w, normals, log_weights, assign.whole)
    if odd or not sums.near():  # rows that are impossible, or far from the model
        return product_pass(block, normals, log_weights, assign)
    rows, weight = (block.n, float(block.n)) if w is None else (int((w > 0).sum()), float(w.sum()))
    return Tally(sums.rows, exact(sums.weight)), sums.moments(), summed_heights(float(height), rows, rows, weight)


def joint_sums(
    X: Array, w: Array | None, normals: Any, log_weights: Array, hard: bool
) -> tuple[SoftProducts, Any, int]:
    """Sums of rows (n, d), what they add to the log-likelihood, and how many are impossible."""
    sums, whitened = SoftProducts(normals.mean.high), Whitened(normals.mean, *normals.matrices)
    base, share = normals.heights + log_weights, buffer(normals.K, ROWS)
    return sums, *_add_rows(X, w, base, hard, share, *whitened.loan(), *sums.loan(), sums.second)


SUMS: dict[type[Any], Callable[..., tuple[Any, Any, int]]] = {JointNormals: joint_sums, Normals: column_sums}


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
        added, strange = divide_rows(share, hard, w, start, here, top, total)
        height += added
        odd += strange
        for r in range(here):
            for j in range(d):
                cells[r, j] = X[start + r, j]
        add_shared(here, share, 0, centre, cells, away, heavy, rows, weight, first, some)
        if (start // ROWS) % FOLD == FOLD - 1 or start + ROWS >= n:
            second += some
            some[:] = 0.0
    return height, odd
