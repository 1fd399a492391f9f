"""How several class labels a row (multi-output y) are read: a table with one column an output, or a label."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput, BadType, Said, bad, refusal
from suffice.estimators.boundary.targets import LabelColumn, ReadTarget
from suffice.estimators.state.origin import label_type
from suffice.numerics.arrays import unmasked
from suffice.sources.tables.labels import code_labels


class LabelsOrTable(LabelColumn):
    """One label a row, or a table of labels (n, q); a table of one column is one label a row.

    >>> LabelsOrTable().read("model", [["red", 1], ["blue", 2]]).y.labels
    (('red', 'blue'), (1, 2))
    """

    def __init__(self, warn: bool = False) -> None:
        """Keep how a column is met."""
        self.warn = warn  # whether a table of one column is warned of, as scikit-learn does in some estimators

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Labels as codes (n, q)."""
        if hasattr(y, "tocsr"):
            rule = "an array (sparse multilabel-indicator for y is not supported.)"
            raise refusal(BadType, owner, "y", rule, Said("a sparse matrix"), "Use toarray().")
        columns = _columns(owner, y)
        if columns is None:
            return super().read(owner, y)
        if len(columns) == 1:
            return super().read(owner, y if self.warn else columns[0])
        coded = [_coded(owner, column, t) for t, column in enumerate(columns)]
        codes = np.hstack([one.codes for one in coded])
        return ReadTarget(Coded(codes, tuple(one.labels[0] for one in coded)), label_type(y), flat=False)


class LabelOrIndicators(LabelColumn):
    """One label a row, or a table of 0 and 1 with a column for each of several labels."""

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Labels as codes; indicators as they are (n, K)."""
        has = _indicators(y)
        return super().read(owner, y) if has is None else ReadTarget(has, flat=False)


def _indicators(y: Any) -> Array | None:
    """A table of 0 and 1 with several columns; None where y is something else."""
    if hasattr(y, "tocsr"):
        y = y.toarray()
    listed = isinstance(y, (list, tuple)) and len(y) > 0 and isinstance(y[0], (list, tuple, np.ndarray))
    if not listed and len(getattr(y, "shape", ())) != 2:
        return None
    try:
        table = np.asarray(y)
        has = table.astype(np.float64)
    except (TypeError, ValueError):
        return None
    plain = table.ndim == 2 and table.shape[1] > 1 and table.dtype.kind in "biuf"
    return has if plain and len(has) and bool(((has == 0.0) | (has == 1.0)).all()) else None


def label_columns(y: Coded) -> list[Coded]:
    """The labels of each output, as codes of one column."""
    return [Coded(y.codes[:, t : t + 1], (labels,)) for t, labels in enumerate(y.labels)]


def tag_several_labels(tags: Any) -> Any:
    """Tell scikit-learn that several labels a row are taken."""
    tags.target_tags.multi_output = True
    tags.classifier_tags.multi_label = True
    return tags


def _columns(owner: str, y: Any) -> list[Any] | None:
    """The columns of a table of labels; None where y is no table."""
    if isinstance(y, (list, tuple)):
        if not y or not all(isinstance(row, (list, tuple, np.ndarray)) for row in y):
            return None
        widths = {len(row) for row in y}
        if len(widths) != 1 or not next(iter(widths)):
            told = f"rows of {', '.join(map(str, sorted(widths)))} labels"
            raise bad(owner, "y", "as many labels in every row, one or more", Said(told), "Give one for each output.")
        return [[row[t] for row in y] for t in range(next(iter(widths)))]
    if len(getattr(y, "shape", ())) != 2:
        return None
    table = unmasked(y) if isinstance(y, np.ma.MaskedArray) else np.asarray(y)
    if not table.shape[1]:
        raise bad(owner, "y", "at least one label a row", Said(f"shape {table.shape}"), "Give one for each output.")
    return [table[:, t] for t in range(table.shape[1])]


def _coded(owner: str, column: Any, t: int) -> Coded:
    """The labels of an output; what is refused is said of it."""
    try:
        return code_labels(column)
    except BadInput as error:
        raise refusal(type(error), owner, f"labels of output {t}", error.rule, Said(error.got), error.remedy) from None
