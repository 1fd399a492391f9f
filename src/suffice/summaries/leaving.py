"""What is left when rows are taken away: how much of it is rounding, and when it shows that they were never there.

Rows that were added leave a scatter that is none of a set of numbers only by rounding:

    S' = S_all - S_taken - W_all W_taken / W' (m_all - m_taken)(m_all - m_taken)'   is positive semidefinite,
    S' = 0 with one row left,   and with none left   S_all = S_taken,  m_all = m_taken

Where it is beyond rounding, the rows cannot be among those that were added. The converse does not hold: rows that lie
among the others leave a scatter like any, and sums cannot tell them from those that were added.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.errors import NeverAdded, never_added
from suffice.summaries.shifted_sums import FAR

PRODUCTS = 2.0**-46  # share of a scatter that products may miss by: tiles, folds and blocks of 64 roundings each
SHARP = 2.0**-80  # the same for products that hardly round
SUMS = 2.0**-96  # the same for sums in pairs, as a share of the sum of squares about the shift
FACTOR = 2.0**-40  # share of a scatter that its factorisation in float64 does not miss by
TINY = 1e-285  # squares below this lose bits to underflow, and refute nothing


def rounding(share: float, squares: Pair, held: Pair, left: Pair) -> Array:
    """What sums may miss by, of squares that were held by weights of which some are left.

    The error of a sum of squares is a share of it; that of a mean is one of the sum over the weight that is left.
    """
    least = np.where(left.high > 0, left.high, np.inf)
    return np.asarray(share * np.abs(squares.high) * (1.0 + share * held.high / least))


def slack(noise: Array, share: float = 0.0, held: Array | float = 0.0) -> Array:
    """What rounding may move a scatter by at the very worst: sums are about a place near the mean, but not at it."""
    return np.asarray(noise / FAR + share * held + TINY)


def check_columns(rows: Array, scatter: Array, apart: Array, allowed: Array) -> None:
    """Refuse what leaves columns (K, d) with less spread than none, or some where one row or none is left.

    `apart` says how far what was taken lies from all there was; it counts where nothing is left.
    """
    single = np.where(rows == 1, np.abs(scatter), apart)
    if (np.where(rows > 1, -scatter, single) > allowed).any():
        raise never_among()


def check_directions(scatter: Array, allowed: Array) -> None:
    """Refuse what leaves some direction of the columns with less spread than none: scatter (d, d), allowed (d,).

    Products of columns err by at most sqrt(allowed_j allowed_l), so that in these units a quadratic form errs by at
    most d times the square of its direction. Units are not so small that the factorisation would round by more.
    """
    unit, d = np.sqrt(allowed + FACTOR * np.abs(np.diagonal(scatter))), len(allowed)
    try:
        np.linalg.cholesky(scatter / unit[:, None] / unit + d * np.eye(d))
    except np.linalg.LinAlgError:
        raise never_among() from None


def never_among() -> NeverAdded:
    """These rows cannot have been learned."""
    return never_added("the rows", "some that cannot be among them: the others would vary by less than nothing")
