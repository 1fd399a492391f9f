"""FullMoments by one matrix product about the shift, for rows of one component that lie near it: the fast way."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.numerics.loop import pays
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.power_sums import LARGEST
from suffice.summaries.shifted_sums import keeps_digits


def plain_moments(X: Array, R: Shares, shift: Array, beside: Array) -> FullMoments:
    """The same as `FullMoments.of`, which does the rest: large tables, components, rows far from the shift, bad cells.

    More columns may lie beside those of X.
    """
    if pays(X.size) or R.K > 1 or R.codes.min(initial=0) < 0 or not len(X):
        return FullMoments.of(X, R, shift, beside)
    X = np.hstack([X, beside])
    tally, w = Tally.of(R), R.share[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        z = X - shift
        weighted = z if R.plain else z * w[:, None]
        first, second = np.ones(len(z)) @ weighted, weighted.T @ z
        squares = np.diagonal(second)
        near = keeps_digits(tally.weight.value, first, squares)
    if not (tally.rows[0] and near.all() and (squares <= LARGEST**2).all()):
        return FullMoments.of(X, R, shift)
    return FullMoments(shift, tally.rows, tally.weight, exact(first[None]), exact(second[None]))
