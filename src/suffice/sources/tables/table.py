"""Any table as blocks: where a table enters, once, to leave as parts grouped by how cells are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from suffice.core.errors import bad
from suffice.core.schema import Schema
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.tables.columns import Columns
from suffice.sources.tables.frame import Frame
from suffice.sources.tables.grid import Grid, as_array
from suffice.sources.tables.matrix import Matrix, as_rows
from suffice.sources.tables.parts import Parts


@runtime_checkable
class Table(Protocol):
    """Rows that can be described and cut into parts."""

    @property
    def n(self) -> int:
        """Number of rows."""

    def infer(self) -> Schema:
        """The kinds that its columns show."""

    def at_once(self, schema: Schema) -> int:
        """How many rows to read at a time: all where nothing is converted, so that no copy of the table is made."""

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, as the parts of the schema."""


@dataclass(frozen=True)
class TableAround:
    """A table around another, which it asks for everything that it does not answer itself."""

    table: Table

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.table.n

    def infer(self) -> Schema:
        """The kinds that its columns show."""
        return self.table.infer()

    def at_once(self, schema: Schema) -> int:
        """As the table says."""
        return self.table.at_once(schema)

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows."""
        return self.table.parts(schema, rows)


@dataclass(frozen=True)
class TableOf(TableAround):
    """A table of which some columns are shown, in an order of their own; its cells are read by the names of columns.

    >>> from suffice.core.kinds import Kind
    >>> from suffice.core.schema import Column
    >>> wide = Columns({"age": [31.0], "id": ["a"], "dose": [2.0]})
    >>> shown = TableOf(wide, Schema((Column("dose", Kind.RATIO), Column("age", Kind.RATIO))))
    >>> shown.parts(shown.infer(), slice(0, 1))[0].tolist()
    [[2.0, 31.0]]
    """

    schema: Schema

    def infer(self) -> Schema:
        """The columns that are shown."""
        return self.schema


def open_table(X: Any, analyzer: Analyzer | None = None) -> Table:
    """X as a table: an array, lists of rows, a sparse matrix, a mapping of columns, pandas, polars, Arrow.

    Parameters
    ----------
    X : the table; one that is open already is taken as it is
    analyzer : how texts become words; None is the analyzer of its defaults

    >>> print(open_table([[1.5, "north"], [2.5, None]]).infer())
    column  kind
    x0      quantitative
    x1      categorical
    """
    how = analyzer or PLAIN_WORDS
    if type(X) is np.ndarray:  # first, as asking for a protocol is slow
        return Grid(as_array(X), analyzer=how)
    if isinstance(X, Table):
        return X
    if hasattr(X, "tocsr"):
        return Matrix(as_rows(X))
    if isinstance(X, Mapping):
        return Columns(X, how)
    if isinstance(X, (np.ndarray, list, tuple)):
        return Grid(as_array(X), analyzer=how)
    frame = _frame(X)
    if frame is not None:
        return Frame(frame, how)
    if hasattr(X, "__array__"):
        return Grid(as_array(X), analyzer=how)
    raise bad(
        "X", "the table", "an array, a sparse matrix, a mapping of columns, or a pandas, polars or Arrow table",
        type(X).__name__, "Convert it first; a lazy table by collect().",
    )  # fmt: skip


def _frame(X: Any) -> Any:
    """X as a narwhals frame; None if it is none."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(X, pass_through=True, eager_only=True, allow_series=True)
        if frame is X and hasattr(X, "__arrow_c_stream__"):
            frame = nw.from_arrow(X, backend="pyarrow")
    except DuplicateError:
        names = list(getattr(X, "column_names", None) or X.columns)
        twice = [name for i, name in enumerate(names) if name in names[:i]]
        raise bad("X", "column names", "all different", twice[0], "Rename all columns of that name but one.") from None
    except ModuleNotFoundError:
        raise bad("X", "the table", "of a library that is installed", type(X).__name__, "Install pyarrow.") from None
    return frame if isinstance(frame, nw.DataFrame) else None


def engine_of(what: Any) -> str | None:
    """The engine whose collection this is; None where it is none."""
    one = what[0] if isinstance(what, (list, tuple)) and what else what
    library = type(one).__module__.partition(".")[0]
    if library == "pyspark":
        return "spark"
    return "dask" if library in ("dask", "dask_expr") and hasattr(one, "__dask_graph__") else None
