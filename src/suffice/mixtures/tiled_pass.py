"""A pass over many complete rows under normals whose columns vary together: two loops, with the shares between them.

Densities and sums are about the mean that each component has in the pass, so that no digit depends on where the others
are. `product_pass` does the same for few rows, and for columns that vary alone.
"""

from __future__ import annotations

from typing import Any

from suffice.core.block import Array, Block
from suffice.core.loop import pays
from suffice.core.summary import Summary
from suffice.core.tally import Tally
from suffice.families.joint_normals import JointNormals
from suffice.mixtures.assignment import Assignment
from suffice.mixtures.heights import heights
from suffice.mixtures.product_pass import product_pass
from suffice.summaries.moments import Moments
from suffice.summaries.soft_products import SoftProducts
from suffice.summaries.tiled_products import WIDEST

ROWS = 16_384  # rows whose shares are held at a time


def worth_tiles(block: Block, normals: Any) -> bool:
    """Whether columns vary together, and loops over all rows and components are worth compiling."""
    X = block.parts[0]
    return isinstance(normals, JointNormals) and X.shape[1] <= WIDEST and pays(X.size * normals.K)


def tiled_pass(block: Block, normals: Any, log_weights: Array, assign: Assignment) -> tuple[Tally, Summary, Moments]:
    """Weights, moments and heights of a block."""
    X, sums, seen = block.parts[0], SoftProducts(normals.mean.high), []
    for a in range(0, max(len(X), 1), ROWS):
        some, w = X[a : a + ROWS], None if block.w is None else block.w[a : a + ROWS]
        joint = normals.complete_logs(some)
        joint += log_weights[:, None]
        R, high = assign.divide(joint.T, log_weights, w)
        sums.add(some, R.dense().T)
        seen.append(heights(high, w))
    if not sums.near():  # a model far from its rows
        return product_pass(block, normals, log_weights, assign)
    moments = sums.moments()
    return Tally(moments.rows, moments.weight), moments, Moments.sum(seen)
