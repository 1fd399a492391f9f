"""Parquet and Arrow files as pages, by pyarrow, which is imported only here: a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from suffice.core.errors import Said, bad
from suffice.sources.files.csv_files import has_arrow
from suffice.sources.files.page import TypedPage

Batches = tuple[list[str], Iterator[Any]]  # names of all columns, and batches of those that are wanted
CELL, TEXT = 8, 64  # bytes of a number, and about those of any other cell


def typed_pages(name: str, typed: str, file: Any, block: int, ignore: Collection[Any]) -> Iterator[TypedPage]:
    """The pages of a typed file, by its path or open for reading bytes; `typed` is what its first bytes say it is."""
    if typed not in _BATCHES:
        raise bad(name, "the file", "Parquet or Arrow of today", typed, "Write it again with a newer library.")
    if not has_arrow():
        raise bad(name, "the file", "CSV where pyarrow is not installed", typed, "Install suffice[table].")
    import pyarrow as pa

    try:
        names, batches = _BATCHES[typed](file, block, frozenset(ignore))
        for batch in batches:
            batch.validate(full=True)  # a damaged file must not lead outside its buffers, nor to text that is none
            yield TypedPage(name, pa.Table.from_batches([batch]), tuple(names))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())[:200]
        raise bad(name, f"the {typed} file", "whole", Said(f"another ({said})"), "Write or fetch it again.") from None


def _parquet(file: Any, block: int, ignore: frozenset[Any]) -> Batches:
    from pyarrow import parquet

    source = parquet.ParquetFile(file)
    names = source.schema_arrow.names
    wanted = [name for name in names if name not in ignore]
    step = _rows(block, [field.type for field in source.schema_arrow if field.name not in ignore])
    return names, source.iter_batches(batch_size=step, columns=wanted if len(wanted) < len(names) else None)


def _arrow(file: Any, block: int, ignore: frozenset[Any]) -> Batches:
    import pyarrow as pa

    source = pa.ipc.open_file(pa.memory_map(file) if isinstance(file, str) else file)
    batches = (source.get_batch(i) for i in range(source.num_record_batches))
    return source.schema.names, _cut(batches, block, ignore)


def _stream(file: Any, block: int, ignore: frozenset[Any]) -> Batches:
    import pyarrow as pa

    source = pa.ipc.open_stream(pa.memory_map(file) if isinstance(file, str) else file)
    return source.schema.names, _cut(source, block, ignore)


def _cut(batches: Any, block: int, ignore: frozenset[Any]) -> Iterator[Any]:
    """Batches of at most so many rows, without a copy."""
    for batch in batches:
        wanted = [name for name in batch.schema.names if name not in ignore]
        if len(wanted) < batch.num_columns:
            batch = batch.select(wanted)
        step = _rows(block, batch.schema.types)
        for start in range(0, max(batch.num_rows, 1), step):
            yield batch.slice(start, step)


def _rows(block: int, types: Collection[Any]) -> int:
    """Rows whose cells fill a block; only the types of numbers, dates and truth values say how many bytes they take."""
    numbers = sum(_has_width(one) for one in types)
    return max(block // max(CELL * numbers + TEXT * (len(types) - numbers), 1), 1)


def _has_width(one: Any) -> bool:
    from pyarrow import types

    return bool(types.is_primitive(one))


_BATCHES: Mapping[str, Callable[[Any, int, frozenset[Any]], Batches]] = {
    "parquet": _parquet,
    "arrow": _arrow,
    "stream": _stream,
}
