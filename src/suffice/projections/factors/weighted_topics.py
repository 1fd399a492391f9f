"""A matrix of whole numbers as Boolean factors with whole weights, such as people by films through genres.

X = U S V'          U who likes which genre (0, 1), S what a genre weighs (whole), V which film is of it (0, 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.projections.components.low_rank import LowRank
from suffice.projections.factors.boolean_factors import common_sets

MOST = 200_000  # choices that may be tried


def weighted_topics(X: Any, rank: int) -> LowRank:
    """The Boolean factors with whole weights whose product is nearest to X, among those that its levels suggest.

    Candidates for a topic are the sets of columns that rows have in common at some level; all choices of `rank` topics
    and weights are tried, and each row takes the topics that fit it best. For small matrices: the search grows fast and
    there may be several answers, of which the one with the lightest weights is taken.

    Parameters
    ----------
    X : matrix of whole numbers of at least 0
    rank : number of topics

    >>> found = weighted_topics([[1, 0, 1], [0, 2, 2], [1, 2, 3]], 2)
    >>> found.weights.tolist(), found.right.astype(int).tolist(), found.error
    ([1.0, 2.0], [[1, 0, 1], [0, 1, 1]], 0.0)
    """
    X = np.asarray(X)
    if X.ndim != 2 or X.dtype.kind not in "iuf" or (X < 0).any() or (np.floor(X) != X).any():
        raise bad("weighted_topics", "X", "a matrix of whole numbers of at least 0", Said(str(X.dtype)), "Round it.")
    if not (isinstance(rank, (int, np.integer)) and 1 <= rank <= 12):
        raise bad("weighted_topics", "rank", "a whole number from 1 to 12", rank, "It is the number of topics.")
    numbers = X.astype(np.int64)
    best: tuple[Any, ...] | None = None
    takes = np.array(list(product((0, 1), repeat=int(rank))))  # (2^r, r)
    for weights, sets in _choices(numbers, int(rank)):
        rows = takes @ (weights[:, None] * sets)
        gaps = ((numbers[:, None, :] - rows[None]) ** 2).sum(axis=2)
        score = int(gaps.min(axis=1).sum()), int(weights.sum())
        if best is None or score < best[0]:
            best = score, weights, sets, takes[gaps.argmin(axis=1)]
    assert best is not None
    (error, _), weights, sets, left = best
    return LowRank(left.astype(np.float64), weights.astype(np.float64), sets.astype(np.float64), float(error))


def _choices(X: Array, rank: int) -> Iterator[tuple[Array, Array]]:
    """Weights (r,) and sets of columns (r, d) to try."""
    levels = [level <= X for level in range(1, int(X.max(initial=1)) + 1)]
    sets = common_sets(np.unique(np.vstack(levels), axis=0))
    weighted = [(weight, k) for k in range(len(sets)) for weight in range(1, len(levels) + 1)]
    for number, some in enumerate(combinations(weighted, rank)):
        if number == MOST:
            got = Said(f"more than {MOST:,}")
            raise bad("weighted_topics", "choices of topics to try", f"at most {MOST:,}", got, "Use NMF.")
        yield np.array([weight for weight, _ in some]), sets[[k for _, k in some]].astype(np.int64)
