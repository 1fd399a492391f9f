"""Training sets: replicas or the splits of any splitter, and the models that learn from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from suffice.core.block import Array
from suffice.core.errors import BadInput, bad
from suffice.estimators.boundary.table_rows import count_rows
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.folds.fold_models import adds, read_splits, some_rows
from suffice.evaluation.resampling.bootstrap import Bootstrap
from suffice.sources.tables.labels import code_labels


class Replica(NamedTuple):
    """Rows to learn from, which may be repeated, and rows that were left out."""

    rows: Array
    weight: Array | None  # of these rows
    left_out: Array
    drawn: bool  # with replacement


class ResampledTable(NamedTuple):
    """Rows, their labels or numbers, and their weights."""

    X: Any
    y: Any
    w: Array | None
    n: int
    codes: Array | None  # (n,) of the labels, where y are labels


def read_table(owner: str, X: Any, y: Any, sample_weight: Any, estimator: Any) -> ResampledTable:
    """Some rows, as many truths, and as many weights, for a classifier or a regressor."""
    n = count_rows(X)
    if y is None or len(y) != n:
        rule = f"one label or number for each of the {n} rows"
        raise bad(owner, "y", rule, "none" if y is None else len(y), "Give every row its own.")
    codes = code_labels(y).codes[:, 0] if is_classifier(estimator) else None
    return ResampledTable(X, y, read_weights(owner, sample_weight, n), n, codes)


def read_replicas(owner: str, replicas: Any, table: ResampledTable, groups: Any, estimator: Any) -> Iterator[Replica]:
    """Training sets: of a number of replicas, of a `Bootstrap`, of a splitter, or of pairs of row numbers."""
    number = isinstance(replicas, (int, np.integer)) and not isinstance(replicas, bool)
    if number and replicas < 1:
        raise bad(owner, "replicas", "a number of at least 1, a splitter, or pairs of row numbers", replicas)
    source = Bootstrap(int(replicas), random_state=0) if number else replicas
    if isinstance(source, Bootstrap):
        left = table.w if groups is not None else None  # rows are drawn by their weights; groups are not
        return (_drawn(counts, left) for counts in source.counts(table.n, table.w, groups))
    try:
        splits = read_splits(owner, source, table.y, table.n, groups, classes=is_classifier(estimator))
    except BadInput as error:
        rule = "a number of replicas, a splitter, or pairs of row numbers that fit these rows"
        raise bad(owner, "replicas", rule, replicas, "Correct it.") from error
    return (Replica(train, _some(table.w, train), test, False) for train, test in splits.pairs)


def fit_replica(estimator: Any, table: ResampledTable, replica: Replica) -> Any:
    """A model of a replica: by counts as weights where summaries add, else by copies of rows.

    A class whose rows all weigh nothing may still be known to a model that declares its classes as scikit-learn's do;
    in a replica without one of the classes, rows are copied.
    """
    if replica.drawn and adds(estimator) and _has_all_classes(table, replica):
        w = np.bincount(replica.rows, replica.weight, table.n).astype(np.float64)
        return clone(estimator).fit(table.X, table.y, sample_weight=w)
    rows, weights = replica.rows, {}
    if replica.weight is not None and has_fit_parameter(estimator, "sample_weight"):
        weights = {"sample_weight": replica.weight}
    elif replica.weight is not None:
        rows = np.repeat(rows, _copies(estimator, replica.weight))
    return clone(estimator).fit(some_rows(table.X, rows), some_rows(table.y, rows), **weights)


def _copies(estimator: Any, w: Array) -> Array:
    """Weights as numbers of copies, for an estimator that knows no weights."""
    if (w != np.rint(w)).any():
        rule = f"whole numbers, as {type(estimator).__name__} takes no weights and rows are copied instead"
        raise bad("replicas", "sample_weight", rule, float(w[w != np.rint(w)][0]), "Round them, or leave them out.")
    return w.astype(np.intp)


def _has_all_classes(table: ResampledTable, replica: Replica) -> bool:
    if table.codes is None:
        return True
    present = np.zeros(table.codes.max() + 1, dtype=bool)
    present[table.codes[replica.rows]] = True
    return bool(present.all())


def _drawn(counts: Array, w: Array | None) -> Replica:
    rows = np.repeat(np.arange(len(counts)), counts)
    return Replica(rows, _some(w, rows), np.flatnonzero(counts == 0), True)


def _some(w: Array | None, rows: Array) -> Array | None:
    return None if w is None else w[rows]
