"""How stable a choice of columns is: chosen again without each fold of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.table_rows import count_rows, indexable_rows, take_rows


def stability(selector: Any, X: Any, y: Any, *, cv: Any = 5) -> Array:
    """The share of folds without which each column stays (d,): 1 and 0 are sure, what lies between is chance.

    Parameters
    ----------
    selector : with `fit(X, y)` and `get_support()`
    X, y : rows and targets
    cv : number of folds, or a splitter of scikit-learn

    >>> from suffice import SelectKBest
    >>> X = np.array([[0.0, 1.0], [0.1, 0.0], [1.0, 1.0], [1.1, 0.0]] * 3)
    >>> stability(SelectKBest(k=1), X, [0, 0, 1, 1] * 3, cv=3).tolist()
    [1.0, 0.0]
    """
    if not hasattr(selector, "get_support"):
        raise bad("stability", "selector", "one with get_support", selector, "Try SelectKBest().")
    rows, target = indexable_rows(X), np.asarray(y)
    folds = check_cv(cv, target, classifier=True).split(np.zeros((count_rows(rows), 1)), target)
    kept = [clone(selector).fit(take_rows(rows, mine), target[mine]).get_support() for mine, _ in folds]
    return np.asarray(np.mean(kept, axis=0))
