"""Error by epoch of rows that were learned from and of rows held out, by folds: where to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.table_rows import count_rows, indexable_rows, take_rows


@dataclass(frozen=True)
class EpochCurve:
    """Errors (folds, epochs), on the rows of training and on those held out.

    >>> EpochCurve(np.array([[0.5, 0.2, 0.1]]), np.array([[0.5, 0.3, 0.4]])).best
    2
    """

    training: Array
    held_out: Array

    @property
    def best(self) -> int:
        """The epoch, from 1, whose mean error on rows held out is least; the first of equals."""
        return 1 + int(self.held_out.mean(axis=0).argmin())


def error_by_epoch(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    epochs: int = 100,
    cv: Any = 5,
    random_state: Any = 0,
    progress: Callable[[int, int], None] | None = None,
) -> EpochCurve:
    """Train by epochs in each fold, and score every epoch: early stopping by cross-validated error.

    Then `estimator.set_params(max_iter=curve.best).fit(X, y)` stops where rows held out were best served.

    Parameters
    ----------
    estimator : with `partial_fit`, an epoch a call: nets, perceptrons
    X, y : rows and targets
    epochs : how many
    cv : number of folds, or a splitter of scikit-learn
    random_state : of the first weights and orders
    progress : called with the number of epochs done, and of all
    """
    if not hasattr(estimator, "partial_fit"):
        raise bad("error_by_epoch", "estimator", "one with partial_fit", estimator, "Use solver 'sgd' or 'adam'.")
    if not isinstance(epochs, Integral) or epochs < 1:
        raise bad("error_by_epoch", "epochs", "a whole number of at least 1", epochs)
    X, y, classed = indexable_rows(X), np.asarray(y), is_classifier(estimator)
    told: dict[str, Any] = {"classes": np.unique(y)} if classed else {}
    splits = list(check_cv(cv, y, classifier=classed).split(np.zeros((count_rows(X), 1)), y))
    rng = check_random_state(random_state)
    errors = np.empty((2, len(splits), epochs))
    for k, (mine, held) in enumerate(splits):
        model = clone(estimator)
        if "random_state" in model.get_params(deep=False):  # one generator a fold, so that orders differ by epoch
            model.set_params(random_state=np.random.RandomState(rng.randint(2**31)))
        parts = [(take_rows(X, rows), y[rows]) for rows in (mine, held)]
        for epoch in range(epochs):
            model.partial_fit(*parts[0], **told)
            errors[:, k, epoch] = [_error(model.predict(rows), target, classed) for rows, target in parts]
            if progress is not None:
                progress(k * epochs + epoch + 1, len(splits) * epochs)
    return EpochCurve(*errors)


def _error(answers: Array, y: Array, classed: bool) -> float:
    """The share of wrong labels, or the mean squared error."""
    return float(np.mean(answers != y) if classed else np.mean((answers - y) ** 2))
