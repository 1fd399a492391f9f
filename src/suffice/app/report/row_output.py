"""Rows that a command answers, to a file or to standard output: CSV, JSON, a table for people, or Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from suffice.app.report.output import write
from suffice.app.report.row_styles import STYLES, Rows, as_csv_without_formulas
from suffice.core.errors import Said, bad

PARQUET = (".parquet", ".pq")


def write_rows(
    columns: Sequence[str], chunks: Iterable[Rows], out: str | None, style: str, no_formulas: bool = False
) -> None:
    """Write rows as they come; Parquet, which the name of the file asks for, when all have come.

    Parameters
    ----------
    columns : their names
    chunks : some rows at a time
    out : the file; None for standard output
    style : "csv", "json" or "table"
    no_formulas : whether CSV is made safe for spreadsheets
    """
    if out is not None and out.lower().endswith(PARQUET):
        write([as_parquet(columns, chunks)], out)
        return
    styled = as_csv_without_formulas if no_formulas and style == "csv" else STYLES[style]
    write(styled(columns, chunks), out)


def as_parquet(columns: Sequence[str], chunks: Iterable[Rows]) -> bytes:
    """A whole Parquet file; a column whose cells are of several types becomes text."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise bad(
            "", "--out", "a CSV file where pyarrow is not installed", Said("Parquet"), "Install pyarrow."
        ) from None
    rows = [row for chunk in chunks for row in chunk]
    cells = zip(*rows, strict=True) if rows else ([] for _ in columns)
    sink = pa.BufferOutputStream()
    table = pa.table({name: _array(pa, list(column)) for name, column in zip(columns, cells, strict=True)})
    parquet.write_table(table, sink)
    return bytes(sink.getvalue())


def _array(pa: Any, cells: list[Any]) -> Any:
    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if cell is None else str(cell) for cell in cells])
