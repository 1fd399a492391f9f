"""The rank of a completion by entries that were held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.projections.factors.completion import complete_entries


class RankErrors(NamedTuple):
    """Root mean squared error of entries that were held out, for each rank and penalty tried."""

    tried: tuple[tuple[int, float], ...]  # (rank, penalty)
    errors: Array  # (m,)
    rank: int  # of the smallest
    penalty: float


def choose_rank(
    rows: Any,
    columns: Any,
    values: Any,
    shape: tuple[int, int],
    *,
    ranks: Sequence[int] = (0, 1, 2, 3),
    penalties: Sequence[float] = (0.1,),
    folds: int = 5,
    seed: int = 0,
    max_iter: int = 50,
) -> RankErrors:
    """The rank and penalty under which entries that were held out are predicted best.

    Parameters
    ----------
    rows, columns, values, shape : as for `complete_entries`
    ranks, penalties : to try, each with each
    folds : in how many parts the entries are held out, by the seed
    seed, max_iter : as for `complete_entries`
    """
    i, j, x = np.asarray(rows), np.asarray(columns), np.asarray(values, dtype=np.float64)
    if not (isinstance(folds, int) and 2 <= folds <= len(x)):
        raise bad("choose_rank", "folds", f"a whole number from 2 to {len(x)}", folds, "Use 5.")
    if not len(ranks) or not len(penalties):
        raise bad("choose_rank", "ranks and penalties", "at least one each", list(ranks), "Give some to try.")
    mine = np.random.default_rng(seed).permutation(np.arange(len(x)) % folds)
    tried = tuple((int(rank), float(penalty)) for rank in ranks for penalty in penalties)
    squares = np.zeros(len(tried))
    for t, (rank, penalty) in enumerate(tried):
        for fold in range(folds):
            inside, out = mine != fold, mine == fold
            given = {"rank": rank, "penalty": penalty, "seed": seed, "max_iter": max_iter}
            found = complete_entries(i[inside], j[inside], x[inside], shape, **given)  # type: ignore[arg-type]
            squares[t] += ((found.cells(i[out], j[out]) - x[out]) ** 2).sum()
    errors = np.sqrt(squares / len(x))
    best = tried[int(np.argmin(errors))]
    return RankErrors(tried, errors, *best)
