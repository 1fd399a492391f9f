"""What a stream held, kept so that it can be read again and again."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from suffice.sources.files.kept import Kept
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows


def test_each_reader_has_its_own_place() -> None:
    data = bytes(range(256)) * 3000
    kept = Kept.of("rows", io.BytesIO(data))
    first, second = kept.open(), kept.open()
    assert first.read(1000) == data[:1000]
    assert second.read(10) == data[:10]
    assert first.read() == data[1000:]
    assert second.seek(-5, os.SEEK_END) == len(data) - 5
    assert second.read() == data[-5:]
    assert second.seek(7) == 7
    assert second.seek(3, os.SEEK_CUR) == 10
    assert second.read(4) == data[10:14]
    assert (str(kept), kept.size) == ("rows", len(data))
    kept.close()


def test_nothing_of_it_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept = Kept.of("rows", io.BytesIO(b"a\n1\n"))
    assert list(tmp_path.iterdir()) == []
    kept.close()


def test_a_stream_that_fails_leaves_nothing_open() -> None:
    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError, match="Input/output error"):
        Kept.of("rows", Failing())
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow", "stream"])
def test_rows_of_every_form_are_read_twice(form: str) -> None:
    table = pa.table({"x": np.arange(1000.0), "y": ["a", "b"] * 500})
    out = io.BytesIO()
    if form == "csv":
        out.write(b"x,y\n" + b"".join(f"{i}.0,{'ab'[i % 2]}\n".encode() for i in range(1000)))
    elif form == "parquet":
        pa.parquet.write_table(table, out)
    else:
        kind = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
        with kind(out, table.schema) as writer:
            writer.write_table(table)
    kept = Kept.of("standard input", io.BytesIO(out.getvalue()))
    rows = open_rows([kept], Roles(target="y"))
    for _ in range(2):
        assert sum(chunk.table.n for chunk in rows.chunks()) == 1000
    assert rows.size == kept.size
    both = open_rows([kept, kept], Roles(target="y"))
    assert sum(chunk.table.n for chunk in both.chunks()) == 2000
    kept.close()
