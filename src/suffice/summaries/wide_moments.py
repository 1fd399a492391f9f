"""WideMoments: what components are read from where columns are many: the rows while they are few, else their products.

n rows of d cells are fewer numbers than d^2 products while n < d, and eigenvectors of n x n are found sooner than those
of d x d. Once there are two rows a column, products are made of them, and stay; of very many columns never.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.affine import Affine, Linear
from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary
from suffice.numerics.loop import CHUNK
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.rows_summary import RowsSummary

NARROW, MOST = 512, 4096  # columns up to which products are kept whatever the rows, and beyond which they never are


def is_wide(n: int, d: int) -> bool:
    """Whether products of all pairs of columns would be larger than the rows are worth."""
    return d > NARROW and few_rows(n, d)


def few_rows(n: int, d: int) -> bool:
    """Whether there are fewer than two rows a column, or more columns than are ever multiplied in pairs."""
    return d > MOST or n < 2 * d


@saved
@dataclass(frozen=True)
class WideMoments(Summary):
    """Rows, or products of columns per missing pattern; which of them is a question of how many rows there are.

    >>> few = WideMoments.of(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]]), Shares.hard(np.zeros(3, dtype=int), 1))
    >>> type(few.summary).__name__, type((few + few).summary).__name__
    ('RowsSummary', 'PatternMoments')
    """

    summary: RowsSummary | PatternMoments

    @classmethod
    def of(cls, X: Array, R: Shares) -> WideMoments:
        """Summarize the rows X (n, d), an array with NaN where missing or a sparse matrix, with shares R."""
        sparse = hasattr(X, "tocsr")
        if few_rows(*X.shape) and np.isfinite(X.data if sparse else X).all():
            return cls(RowsSummary.of(X, R))
        return cls(pattern_moments(X, R))

    @classmethod
    def sum(cls, parts: Sequence[WideMoments]) -> WideMoments:
        """Rows while they are few."""
        kept = [part.summary for part in parts]
        rows = [part for part in kept if isinstance(part, RowsSummary)]
        if len(rows) == len(kept):
            every = RowsSummary.sum(rows)
            return cls(every if few_rows(*every.X.shape) else _products_of(every))
        return cls(PatternMoments.sum([_products_of(part) for part in kept]))

    def __sub__(self, other: WideMoments) -> WideMoments:
        """Rows are found again, or products are taken away."""
        mine, theirs = self.summary, other.summary
        if isinstance(mine, RowsSummary) and isinstance(theirs, RowsSummary):
            return WideMoments(mine - theirs)
        return WideMoments(_products_of(mine) - _products_of(theirs))

    def scale(self, factor: float) -> WideMoments:
        """Weights decay."""
        return WideMoments(self.summary.scale(factor))

    def spread(self, index: Index, K: int) -> WideMoments:
        """Move components."""
        return WideMoments(self.summary.spread(index, K))

    def push(self, by: Affine | Linear) -> PatternMoments:
        """What is kept of the rows once their columns are mapped."""
        return self.products.push(by)

    def fewest(self) -> Array:
        """Every row has some column."""
        return self.summary.fewest()

    @property
    def products(self) -> PatternMoments:
        """Products of columns, made of the rows where these were kept."""
        return _products_of(self.summary)


def _products_of(kept: RowsSummary | PatternMoments) -> PatternMoments:
    if isinstance(kept, PatternMoments):
        return kept
    return pattern_moments(kept.X, Shares.hard(kept.codes, kept.K, kept.weights))


def pattern_moments(X: Any, R: Shares) -> PatternMoments:
    """Products of columns of rows, some at a time where they are sparse."""
    if not hasattr(X, "tocsr"):
        return PatternMoments.of(np.asarray(X), R)
    starts = range(0, max(X.shape[0], 1), CHUNK)
    return PatternMoments.sum([PatternMoments.of(_dense(X, a), R[a : a + CHUNK]) for a in starts])


def _dense(X: Any, start: int) -> Array:
    return np.asarray(X[start : start + CHUNK].toarray(), dtype=np.float64)
