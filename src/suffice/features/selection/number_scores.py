"""Scores of single columns for a number to predict, from full moments, which add. No scikit-learn.

r = sum (x - mean)(y - mean) / sqrt(sum (x - mean)^2 sum (y - mean)^2),     F = (n - 2) r^2 / (1 - r^2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import fdtrc

from suffice.core.block import Array, Block, Coded
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.core.sparse import is_sparse
from suffice.estimators.boundary.sparse_form import filled
from suffice.features.selection.column_scores import ScoredColumns
from suffice.summaries.full_moments import FullMoments


def summarize_numbers(owner: str, block: Block) -> FullMoments:
    """Moments of the columns and the number to predict."""
    if isinstance(block.y, Coded):  # in a chain y is what the last one takes
        raise bad(owner, "y", "numbers for this score", Said("labels of classes"), "Use the score 'f_classif'.")
    cells, y = block.parts[0], np.asarray(block.y, dtype=np.float64)
    X = np.asarray(filled(owner, cells) if is_sparse(cells) else cells, dtype=np.float64)
    if y.shape[1:] != (1,):
        raise bad(owner, "y", "one number a row", Said(f"shape {y.shape}"), "Score one target at a time.")
    if np.isnan(X).any():
        rule = "present where the target is a number (Input X contains NaN)"
        raise bad(owner, "every cell", rule, Said("a missing one"), "Fill it first.")
    return FullMoments.of(np.column_stack([X, y]), Shares.hard(np.zeros(len(X), dtype=np.int32), 1, block.w))


def read_numbers(score: str, summary: FullMoments) -> ScoredColumns:
    """Scores of all columns, with p-values of no correlation; NaN for a column that does not vary."""
    scatter, n = summary.scatter.value[0], float(summary.weight.value[0])
    x, y = np.diagonal(scatter)[:-1], scatter[-1, -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.clip(scatter[:-1, -1] / np.sqrt(x * y), -1.0, 1.0)
        f = (n - 2.0) * r**2 / (1.0 - r**2)
        p = np.where(np.isposinf(f), 0.0, fdtrc(1.0, max(n - 2.0, 1.0), np.nan_to_num(f)))
    return ScoredColumns(NUMBER_SCORES[score](r, f), np.where(np.isnan(f), np.nan, p))


NUMBER_SCORES: Mapping[str, Callable[[Array, Array], Array]] = {
    "correlation": lambda r, f: np.abs(r),
    "f_regression": lambda r, f: f,
}
