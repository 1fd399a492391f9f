"""The model of every fold: trained on all rows but those held out.

A one-pass model that was trained on all rows forgets each fold: two passes in all, however many folds there are. Any
other model is trained anew for each fold.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.foreign import in_our_name
from suffice.meta.task import Task

FOLDS, FEWEST = 5, 2
Split = tuple[Array, Array]  # numbers of the rows to train on, and of those held out


def read_splits(owner: str, cv: Any, task: Task, params: Mapping[str, Any]) -> list[Split]:
    """The splits that scikit-learn's splitters make."""
    rows = np.bincount(task.codes, minlength=len(task.classes))
    with in_our_name(owner), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class in y has only")  # its rows are used all the same
        splitter = check_cv(_folds(owner, cv, rows, task.classes.tolist()), task.codes, classifier=True)
        return [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(np.zeros(task.n), task.codes, **params)]


def _folds(owner: str, cv: Any, rows: Array, classes: list[Any]) -> Any:
    """A number of folds, each with rows of every class if there are enough; a splitter as it is."""
    if cv is None:
        return min(max(int(rows.min()), FEWEST), FOLDS)
    if isinstance(cv, (int, np.integer)) and rows.min() < cv:
        few = int(rows.argmin())
        rule = f"at most {rows[few]}, the number of rows of class {classes[few]!r}"
        raise bad(owner, "cv", rule, cv, "Use fewer folds, or give more rows of that class.")
    return cv


def fold_models(estimator: Any, task: Task, splits: Sequence[Split], whole: Any = None) -> Iterator[Any]:
    """The model of each split, in order; `whole` is the model of all rows, where it is at hand."""
    for train, test in splits:
        if isinstance(whole, OnePass) and _complements(train, test, task.n):
            yield task.without(whole, test)
        else:
            yield task.train(estimator, train)


def _complements(train: Array, test: Array, n: int) -> bool:
    """Whether every row is in one of both, once."""
    return len(train) + len(test) == n and bool((np.bincount(np.concatenate([train, test]), minlength=n) == 1).all())
