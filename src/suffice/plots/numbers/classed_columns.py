"""Columns of numbers with the classes of their rows: what pictures of columns are made from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.estimators.boundary.targets import read_weights
from suffice.plots.numbers.number_columns import NumberColumns, read_columns
from suffice.sources.tables.labels import code_labels


class ClassedColumns(NamedTuple):
    """Columns, the class of each row, and weights; one class without a name where there are no labels."""

    columns: NumberColumns
    codes: Array  # (n,) int32
    labels: tuple[Any, ...]  # K names, or (None,)
    weights: Array | None

    @property
    def shares(self) -> Shares:
        """The classes as shares."""
        return Shares.hard(self.codes, len(self.labels), self.weights)


def read_classed(
    owner: str, X: Any, y: Any = None, sample_weight: Any = None, width: int | None = None
) -> ClassedColumns:
    """Columns, labels and weights of one length.

    Parameters
    ----------
    owner : who asks, for the messages
    X : table of numbers
    y : one label a row; None: all rows are alike
    sample_weight : one weight a row
    width : how many columns there must be; None: any number
    """
    columns = read_columns(owner, X, width)
    n = len(columns.values)
    w = read_weights(owner, sample_weight, n)
    if y is None:
        return ClassedColumns(columns, np.zeros(n, dtype=np.int32), (None,), w)
    coded = code_labels(y)
    if len(coded.codes) != n:
        raise bad(owner, "y", f"one label for each of the {n} rows", Said(f"{len(coded.codes)}"))
    labels = canonical(coded.labels[0])  # as classifiers order them, so that colours agree
    place = np.array([labels.index(label) for label in coded.labels[0]], dtype=np.int32)
    return ClassedColumns(columns, place[coded.codes[:, 0]], labels, w)
