"""How much a number varies that is read from a confusion table, by the delta method.

The cells of a table of n rows vary like a multinomial. A number f that stays the same if all cells are doubled has

    variance of f = sum_ij table[i, j] g[i, j]^2,   g = df / d table

to first order in 1 / n, and every score of this room has a derivative of the form row[i] + column[j] + [i = j] both[i].
"""

from __future__ import annotations

from suffice.core.block import Array


def table_variance(table: Array, row: Array, column: Array, both: Array) -> float:
    """The variance of a number whose derivative by cell (i, j) is row[i] + column[j] + [i = j] both[i].

    Parameters
    ----------
    table : (L, L) weights by true class and answer
    row, column, both : (L,) parts of the derivative

    >>> import numpy as np
    >>> table = np.array([[3.0, 1.0], [2.0, 4.0]])  # accuracy 0.7 of 10 rows: 0.7 * 0.3 / 10
    >>> round(table_variance(table, np.full(2, -0.07), np.zeros(2), np.full(2, 0.1)), 12)
    0.021
    """
    gradient = row[:, None] + column
    gradient[range(len(both)), range(len(both))] += both
    return float((table * gradient * gradient).sum())
