"""All rows of files as a table in memory, for models around models and for comparing: what they ask for is columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from suffice.app.cli.reading import FileReading, watched_chunks
from suffice.core.block import Array, take
from suffice.core.errors import bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.estimators.state.origin import label_array
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.read_report import Report
from suffice.sources.files.roles import absent
from suffice.sources.files.rows import Rows
from suffice.sources.written.written_target import not_numbers

SAID = {Kind.TEXT, Kind.DATE}  # kinds that the cells of a column in memory do not show


@dataclass(frozen=True)
class WholeTable:
    """Rows with a target, column by column."""

    columns: Mapping[str, Array]
    kinds: Mapping[str, Any]  # of columns whose cells do not show it
    y: Array | None  # (n,) labels or numbers
    w: Array | None
    numbers: Array  # of the rows, in their files
    met: Report

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.numbers)

    @property
    def X(self) -> Any:
        """The features: a pandas frame where there is pandas, which every model takes; else a mapping."""
        if find_spec("pandas") is None:
            return dict(self.columns)
        import pandas as pd

        return pd.DataFrame(dict(self.columns))


def read_whole(reading: FileReading, *, numbers: bool = False, rows: Rows | None = None) -> WholeTable:
    """Read all rows that have a target, where one is named.

    Parameters
    ----------
    reading : the files
    numbers : whether the target holds numbers to predict, not labels
    rows : their rows, where some columns alone are wanted
    """
    target = reading.roles.target
    rows = reading.rows() if rows is None else rows
    rows = rows.without_target() if numbers else rows
    chunks = list(watched_chunks(rows.chunks(), "reading"))
    if rows.mistaken:  # columns are not what their first cells were
        chunks = list(watched_chunks(rows.chunks(), "reading again"))
    schema = rows.schema
    if numbers and target not in schema.names:
        raise absent("", "the target column", target, schema.names)
    keep = [_kept(chunk, target if numbers else None, schema) for chunk in chunks]
    if not chunks or not sum(map(len, keep)):
        what = "the rows" if target is None else f"the target {target!r}"
        raise bad("", what, "present in some row", "none", "Check the files.")
    features = [c for c in schema.features if not (numbers and c.name == target)]
    columns = {c.name: _column(c, chunks, keep) for c in features}
    kinds = {c.name: list(c.order) if c.order else c.kind.value for c in features if c.order or c.kind in SAID}
    where = np.concatenate([chunk.start + some for chunk, some in zip(chunks, keep, strict=True)])
    return WholeTable(
        columns, kinds, _target(target, numbers, schema, chunks, keep), _weights(chunks, keep), where, rows.report
    )


def _kept(chunk: Chunk, number: Any, schema: Schema) -> Array:
    """Places of the rows that have a target."""
    if number is not None:
        return np.flatnonzero(~np.isnan(_numbers(chunk, schema.columns[schema.names.index(number)])))
    return np.arange(chunk.table.n) if chunk.keep is None else np.flatnonzero(chunk.keep)


def _numbers(chunk: Chunk, column: Column) -> Array:
    if column.kind.storage is not Storage.NUMBERS:
        raise not_numbers("", column)
    (values,) = chunk.table.parts(Schema((column,)), slice(0, chunk.table.n))
    return np.asarray(values[:, 0], dtype=np.float64)


def _column(column: Column, chunks: Sequence[Chunk], keep: Sequence[Array]) -> Array:
    """Cells of all kept rows: numbers, NaN where missing; symbols as objects, None where missing."""
    read = Column(column.name, Kind.CATEGORICAL) if column.kind is Kind.TEXT else column
    parts = [chunk.table.parts(Schema((read,)), slice(0, chunk.table.n))[0] for chunk in chunks]
    if read.kind.storage is Storage.NUMBERS:
        found = np.concatenate([np.asarray(part[some, 0], np.float64) for part, some in zip(parts, keep, strict=True)])
        whole = column.kind is Kind.COUNT and not np.isnan(found).any()
        return found.astype(np.int64) if whole else found
    cells = [
        np.array([*part.labels[0], None], dtype=object)[part.codes[some, 0]]
        for part, some in zip(parts, keep, strict=True)
    ]
    found = np.concatenate(cells)
    present = not any(cell is None for cell in found.tolist())
    return found.astype(bool) if column.kind is Kind.BOOLEAN and present else found


def _target(target: Any, numbers: bool, schema: Schema, chunks: Sequence[Chunk], keep: Sequence[Array]) -> Array | None:
    if target is None:
        return None
    if numbers:
        column = schema.columns[schema.names.index(target)]
        return np.concatenate([_numbers(chunk, column)[some] for chunk, some in zip(chunks, keep, strict=True)])
    labels: list[Any] = []
    for chunk, some in zip(chunks, keep, strict=True):
        assert chunk.y is not None
        y = take(chunk.y, some)
        labels += [y.labels[0][code] for code in y.codes[:, 0].tolist()]
    return label_array(labels)


def _weights(chunks: Sequence[Chunk], keep: Sequence[Array]) -> Array | None:
    if chunks[0].w is None:
        return None
    return np.concatenate([np.asarray(chunk.w)[some] for chunk, some in zip(chunks, keep, strict=True)])
