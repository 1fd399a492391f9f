"""Whatever the bytes, reading ends with rows or with one sentence of ours."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format
from tests.sources.read_cells import all_cells

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


TEXT = {"a": [1.0, 2.5], "b": ["x, y", None], "y": ["p", "q"]}
TYPED = {"a": [1.0, 2.0, 3.0], "y": ["p", None, "q"]}
PACKED = [gzip.compress(ROWS), bz2.compress(ROWS), lzma.compress(ROWS)]  # these know when a byte is wrong
WHOLE = {
    **dict.fromkeys([ROWS, *PACKED, ROWS.decode().encode("utf-16")], TEXT),
    parquet(): TYPED,
    arrow(): TYPED,
}
files = st.sampled_from(list(WHOLE))
SENTENCE = re.compile(r"\w[^:]*: .+ must .+, got .+\.", re.DOTALL)


def read(data: bytes, **options: Any) -> dict[str, list[Any]] | None:
    """All cells; None where they cannot be had, and one sentence of ours says so."""
    engine = options.pop("engine", None)
    said = ""
    try:
        return all_cells(open_rows(io.BytesIO(data), Roles(), format=Format(**options), engine=engine))
    except BadInput as error:
        said = str(error)
    assert SENTENCE.fullmatch(said), said
    return None


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
    found = read(head + data, block=block, engine=engine, encoding=encoding)
    assert found is None or len({len(column) for column in found.values()}) <= 1


@given(
    cells=st.lists(st.lists(st.text("abxyz", min_size=1, max_size=4), min_size=3, max_size=3), min_size=1, max_size=9),
    block=st.sampled_from([1, 20, 1 << 20]),
    engine=st.sampled_from(["csv", "pyarrow"]),
    encoding=st.sampled_from(["utf-8", "latin-1", "utf-16", "cp1252"]),
    pack=st.sampled_from([bytes, gzip.compress, bz2.compress, lzma.compress]),
)
def test_plain_cells_are_read_as_written(
    cells: list[list[str]], block: int, engine: str, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    """To refuse everything is no way out."""
    lines = "\n".join(",".join(row) for row in [["x0", "x1", "x2"], *cells])
    found = read(pack(lines.encode(encoding)), block=block, engine=engine, encoding=encoding)
    assert found == {f"x{j}": [row[j] for row in cells] for j in range(3)}


@given(whole=files, end=st.integers(0, 2000))
@example(whole=ROWS, end=len(ROWS))
@example(whole=ROWS, end=ROWS.index(b"2.5"))
def test_any_beginning(whole: bytes, end: int) -> None:
    """Every file cut anywhere: what knows its own end is refused unless it is whole; text is read up to the cut."""
    end %= len(whole) + 1
    found = read(whole[:end])
    if end == len(whole):
        assert found == WHOLE[whole]
    elif whole is ROWS and ROWS[:end].endswith(b"\n"):
        n = ROWS[:end].count(b"\n") - 1  # a header alone is no table
        assert found is None if n == 0 else found == {name: column[:n] for name, column in TEXT.items()}
    elif whole in PACKED or WHOLE[whole] is TYPED:
        assert found is None


@pytest.mark.parametrize("whole", WHOLE, ids=["text", "gzip", "bzip2", "xz", "utf-16", "parquet", "arrow"])
def test_whole_files_are_read(whole: bytes) -> None:
    assert read(whole) == WHOLE[whole]


@given(whole=files, at=st.integers(0, 5000), byte=st.integers(0, 255))
@example(whole=ROWS, at=0, byte=ROWS[0])
def test_any_byte_exchanged(whole: bytes, at: int, byte: int) -> None:
    """What was packed with a checksum is read as it was, or not at all."""
    data = bytearray(whole)
    data[at % len(data)] = byte
    found = read(bytes(data))
    if whole in PACKED:
        assert found is None or found == TEXT
    elif bytes(data) == whole:
        assert found == WHOLE[whole]
