"""The rows that a fitted model of neighbours keeps, or a tree of scikit-learn's: they may be given in place of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.neighbors import BallTree, KDTree
from sklearn.utils.validation import check_is_fitted

from suffice.core.errors import Said, bad
from suffice.neighbours.near.neighbour_options import is_given


def rows_of_fitted(estimator: Any, X: Any) -> Any:
    """The rows of a tree, or of a fitted model of neighbours, ours or scikit-learn's; X as it is where it is neither.

    They are searched as the parameters of `estimator` say, by their own distance.
    """
    if isinstance(X, (KDTree, BallTree)):
        return np.asarray(X.data)
    searches = hasattr(X, "kneighbors") or hasattr(X, "radius_neighbors")
    if not (searches and isinstance(X, BaseEstimator)):
        return X
    if is_given(X.metric) or is_given(estimator.metric):
        raise bad(estimator._owner, "X", "rows, where distances are given", Said("a model"), "Give the distances.")
    if not hasattr(X, "_origin"):
        check_is_fitted(X)
        return X._fit_X
    state = X._state()[0]
    if state.plan.codes is not None or state.model.near.weight is not None:
        rule = "rows, or a model of rows of numbers that weigh the same"
        raise bad(estimator._owner, "X", rule, Said(f"a {X._owner} of others"), "Give the rows.")
    return state.model.near.rows
