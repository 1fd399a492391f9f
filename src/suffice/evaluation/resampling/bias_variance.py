"""Bias and variance of an estimator: what its models say about the same rows when their training sets differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.folds.fold_models import some_rows
from suffice.evaluation.resampling.replicas import ResampledTable, fit_replica, read_replicas, read_table
from suffice.evaluation.resampling.squared_error_parts import SquaredErrorParts
from suffice.evaluation.resampling.zero_one_parts import ZeroOneParts

OWNER = "bias_variance"


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    replicas: Any = 100,
    groups: Any = None,
    sample_weight: Any = None,
    test_weight: Any = None,
    ties: str = "first",
) -> SquaredErrorParts | ZeroOneParts:
    """Part the error of an estimator into bias and variance, over models of several training sets.

    Parameters
    ----------
    estimator : a classifier or a regressor of one target, ours or scikit-learn's; it is not changed
    X, y : the rows that training sets are made of
    X_test, y_test : rows of their own to measure on; (n, R) targets if each was measured R times. None: each row is
        predicted by the models that have not learned from it
    replicas : number of bootstrap replicas, or a `Bootstrap`, or another splitter, whose training rows are the sets
    groups : a label a row, for groups that stay together
    sample_weight, test_weight : one weight a row, of X and of X_test
    ties : for classifiers: which of equally frequent answers is the main one, the "first" or the "last"

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X = np.arange(60.0).reshape(-1, 1)
    >>> y = (X[:, 0] > 30) ^ (X[:, 0] % 7 == 0)
    >>> for k in (1, 15):
    ...     parts = bias_variance(KNeighborsClassifier(k), X, y)
    ...     print(k, round(parts.bias, 2), round(parts.unbiased_variance, 2), round(parts.error, 2))
    1 0.32 0.04 0.3
    15 0.17 0.03 0.19
    """
    table = read_table(OWNER, X, y, sample_weight, estimator)
    if (X_test is None) != (y_test is None):
        raise bad(OWNER, "X_test and y_test", "both given, or neither", "one of them", "Give the other one too.")
    classes = is_classifier(estimator)
    if X_test is None:
        if test_weight is not None:
            raise bad(OWNER, "test_weight", "None where there is no X_test", test_weight, "Use sample_weight.")
        made, truth, w = _left_out(estimator, table, replicas, groups, classes), y, table.w
    else:
        test = read_table(OWNER, X_test, y_test, test_weight, estimator)
        found = [
            np.asarray(fit_replica(estimator, table, replica).predict(X_test))
            for replica in read_replicas(OWNER, replicas, table, groups, estimator)
        ]
        made, truth, w = np.array(found), y_test, test.w
    return ZeroOneParts.of(made, truth, w, ties=ties) if classes else SquaredErrorParts.of(made, truth, w)


def _left_out(estimator: Any, table: ResampledTable, replicas: Any, groups: Any, classes: bool) -> Array:
    """The predictions for rows by models that have not learned from them (M, n), missing elsewhere."""
    lines = []
    for replica in read_replicas(OWNER, replicas, table, groups, estimator):
        line = np.full(table.n, None if classes else np.nan, dtype=object if classes else np.float64)
        if len(replica.left_out):
            model = fit_replica(estimator, table, replica)
            said = np.asarray(model.predict(some_rows(table.X, replica.left_out)))
            line[replica.left_out] = said.tolist() if classes else said
        lines.append(line)
    return np.array(lines)
