"""Distances between pairs of rows, of some rows drawn: a spike in their histogram is the curse of dimensionality."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.utils import check_random_state

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.numbers.number_columns import read_columns

OWNER = "pair_distances"


def pair_distances(X: Any, n_rows: int = 200, metric: str = "euclidean", random_state: Any = None) -> Array:
    """The distances (m (m - 1) / 2,) between all pairs of m rows, drawn without replacement.

    Parameters
    ----------
    X : table of numbers, none missing
    n_rows : how many rows to draw; all where there are fewer
    metric : any that `scipy.spatial.distance.pdist` names
    random_state : seed or generator

    >>> pair_distances([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]]).round(12)
    array([5., 3., 4.])
    """
    x = read_columns(OWNER, X).values
    if isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 2:
        raise bad(OWNER, "n_rows", "a whole number of at least 2", n_rows)
    if not np.isfinite(x).all():
        raise bad(OWNER, "X", "finite in every cell", Said("NaN or infinity"), "Leave the row out.")
    if len(x) > n_rows:
        x = x[check_random_state(random_state).choice(len(x), n_rows, replace=False)]
    try:
        return np.asarray(pdist(x, metric))
    except ValueError:
        raise bad(OWNER, "metric", "one that SciPy's pdist knows", metric) from None
