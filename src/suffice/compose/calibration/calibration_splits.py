"""Rows held out for calibration: folds with rows of every class, and the models of the other rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from suffice.compose.task import Task
from suffice.core.block import Array, Coded
from suffice.core.errors import bad
from suffice.core.folds import RowFolds
from suffice.estimators.folds.fold_models import FOLDS, FoldModels, Splits, adds, read_splits

FEWEST = 2


def read_held_out(owner: str, cv: Any, task: Task, params: Mapping[str, Any]) -> Splits:
    """The splits: a number of folds, each with rows of every class if there are enough; a splitter as it is."""
    rows = np.bincount(task.codes, minlength=len(task.classes))
    labels = Coded(task.codes[:, None], (tuple(task.classes.tolist()),))
    cv = _folds(owner, cv, rows, task.classes.tolist())
    return read_splits(owner, cv, labels, task.n, params.get("groups"), classes=True)


def _folds(owner: str, cv: Any, rows: Array, classes: list[Any]) -> Any:
    if cv is None:
        return min(max(int(rows.min()), FEWEST), FOLDS)
    if isinstance(cv, Integral) and not isinstance(cv, bool) and rows.min() < cv:
        few = int(rows.argmin())
        rule = f"at most {rows[few]}, the number of rows of class {classes[few]!r}"
        raise bad(owner, "cv", rule, cv, "Use fewer folds, or give more rows of that class.")
    return cv


def held_out_models(estimator: Any, task: Task, splits: Splits, whole: bool) -> tuple[Any, Sequence[Any]]:
    """The model of all rows, if asked for, and that of each split.

    Where summaries add, all come from one pass, however many folds there are; any other model is trained once more for
    each of them.
    """
    if adds(estimator) and splits.folds is not None and task.params.keys() <= {"sample_weight"}:
        draw = partial(RowFolds, splits.folds)
        folds = FoldModels.of(estimator, task.X, task.y, task.params.get("sample_weight"), draw=draw)
        return folds.whole() if whole else None, folds.estimators
    return task.train(estimator) if whole else None, [task.train(estimator, train) for train, _ in splits.pairs]
