"""Whatever the bytes, reading ends with rows or with one sentence of ours."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from contextlib import suppress
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from hypothesis import example, given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.sources.format import Format
from suffice.sources.roles import Roles
from suffice.sources.rows import open_rows

ROWS = b'a,b,y\n1,"x, y",p\n2.5,n/a,q\n'


def parquet() -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pa.table({"a": [1, 2, 3], "y": ["p", None, "q"]}), sink)
    return sink.getvalue()


def arrow() -> bytes:
    sink = io.BytesIO()
    table = pa.table({"a": [1, 2, 3], "y": ["p", None, "q"]})
    with pa.ipc.new_file(sink, table.schema) as out:
        out.write_table(table)
    return sink.getvalue()


WHOLE = [
    ROWS,
    gzip.compress(ROWS),
    bz2.compress(ROWS),
    lzma.compress(ROWS),
    ROWS.decode().encode("utf-16"),
    parquet(),
    arrow(),
]


def read(data: bytes, **options: Any) -> None:
    """All rows, if they can be had."""
    engine = options.pop("engine", None)
    with suppress(BadInput):
        for chunk in open_rows(io.BytesIO(data), Roles(), format=Format(**options), engine=engine).chunks():
            chunk.table.parts(chunk.schema, slice(None))


@given(
    data=st.binary(max_size=200),
    head=st.sampled_from(
        [b"", ROWS, b"a,b\n", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b\x08", b"BZh9", b"PK\x03\x04", b"PAR1"]
    ),
    block=st.sampled_from([1, 20, 1 << 20]),
    engine=st.sampled_from(["csv", "pyarrow"]),
    encoding=st.sampled_from(["utf-8", "latin-1", "utf-16", "cp1252"]),
)
@example(data=b"\xff\xfe\x00", head=b"", block=20, engine="csv", encoding="utf-8")
@example(data=b"\x00", head=b"a,b\n", block=1, engine="pyarrow", encoding="utf-8")
def test_any_bytes(data: bytes, head: bytes, block: int, engine: str, encoding: str) -> None:
    read(head + data, block=block, engine=engine, encoding=encoding)


@given(whole=st.sampled_from(WHOLE), end=st.integers(0, 2000))
def test_any_beginning(whole: bytes, end: int) -> None:
    """Every file cut anywhere."""
    read(whole[: end % (len(whole) + 1)])


@given(whole=st.sampled_from(WHOLE), at=st.integers(0, 5000), byte=st.integers(0, 255))
def test_any_byte_exchanged(whole: bytes, at: int, byte: int) -> None:
    data = bytearray(whole)
    data[at % len(data)] = byte
    read(bytes(data))
