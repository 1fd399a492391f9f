"""Both engines read the same, from any text; blocks end where rows end; the fast ways give the bits of the slow one."""

from __future__ import annotations

import csv
import io
import math
import struct
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.sources.files.arrow_text import PROBE, ArrowText
from suffice.sources.files.cut_rows import cut_rows
from suffice.sources.files.open_bytes import Peeking
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import MISSING, Format
from suffice.sources.written.convert import convert
from suffice.sources.written.shown_kinds import ShownKinds
from suffice.sources.written.written_cells import TRUTH, ListText, day_of, number_of
from tests.sources.read_cells import all_cells

ROUGH = st.text(alphabet='ab1,;"\n\r. -\té\0', max_size=80)
CELLS = st.one_of(
    st.sampled_from(
        ["", "NA", " NA ", "-", "?", "yes", "no", "True", "1", "0", " 7", "+7", "1e3", "1e999", ".5", "5."]
    ),
    st.sampled_from(["2020-01-01", "2020-02-30", "2020-01-01T12:00", "2020-01-01 12:00:00+02:00", "0000-01-01", "nan"]),
    st.sampled_from(
        ["inf", "1_000", "0x10", "1,5", "x,y", 'q"q', "l\nl", "日本", "\xa05", "٣", "1e-400", "00012", "--1"]
    ),
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.text(alphabet="ab \t,;é", max_size=4),
)


def outcome(text: str, engine: str, block: int, **options: Any) -> Any:
    """All that can be told from outside: cells, kinds, counts, or the sentence."""
    rows = open_rows(io.BytesIO(text.encode()), format=Format(block=block, **options), engine=engine)
    try:
        found = all_cells(rows)
    except BadInput as error:
        return str(error)
    return found, rows.report


@example(text='a,b\n"x"y"z,1\n', block=5)
@example(text='a,b\n1,"x\n2,y', block=5)
@example(text="a,b\n1,\r2,3\n", block=3)
@given(text=ROUGH, block=st.integers(1, 40))
def test_engines_agree_on_rough_text(text: str, block: int) -> None:
    assert outcome("a,b\n" + text, "csv", block) == outcome("a,b\n" + text, "pyarrow", block)


@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=30),
    block=st.integers(5, 200),
    decimal=st.sampled_from(".,"),
)
def test_engines_agree_on_tables(rows: list[tuple[str, str]], block: int, decimal: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("a", "b"), *rows])
    text = out.getvalue()
    if decimal == ",":
        text = "a;b\n" + text.partition("\n")[2].replace(",", ";")
    separator = ";" if decimal == "," else ","
    both = [outcome(text, engine, block, decimal=decimal, separator=separator) for engine in ("csv", "pyarrow")]
    assert both[0] == both[1]


@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=30), block=st.integers(1, 300))
def test_declared_kinds_do_not_depend_on_blocks(rows: list[tuple[str, str]], block: int) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("a", "b"), *rows])
    seen = []
    for size in (block, 1 << 20):
        source = open_rows(
            io.StringIO(out.getvalue()),
            Roles(),
            {"a": "quantitative", "b": "categorical"},
            Format(block=size, limit=1.0),
        )
        seen.append((all_cells(source), source.report))
    assert seen[0] == seen[1]


@given(text=ROUGH, block=st.integers(1, 40), quote=st.sampled_from(['"', None]))
def test_blocks_end_where_rows_end(text: str, block: int, quote: str | None) -> None:
    def rows(data: str) -> list[list[str]]:
        lines = io.StringIO(data, newline="")
        how: Any = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
        return [row for row in csv.reader(lines, **how) if row]

    plain = text.replace("\0", "")
    try:
        pieces = list(cut_rows("t", Peeking(io.BytesIO(text.encode())), block, quote, ","))
    except BadInput:  # of an open quote, which takes all that follows into its cell
        with pytest.raises(csv.Error):
            list(csv.reader(io.StringIO(plain, newline=""), strict=True))
        return
    assert b"".join(piece.data for piece in pieces).decode() == plain
    assert sum(piece.nuls for piece in pieces) == text.count("\0")
    assert [row for piece in pieces for row in rows(piece.data.decode())] == rows(plain)


def bits(values: Any) -> list[bytes]:
    return [b"nan" if math.isnan(value) else struct.pack("<d", value) for value in np.asarray(values).tolist()]


@given(st.lists(CELLS, min_size=1, max_size=20), st.sampled_from(".,"))
def test_fast_ways_give_the_bits_of_the_slow_one(cells: list[str], decimal: str) -> None:
    format = Format(decimal=decimal)
    slow = [number_of(cell, decimal) for cell in cells]
    numbers = [
        math.nan if value is None or cell.strip() in format.tokens else value
        for cell, value in zip(cells, slow, strict=True)
    ]
    days = [math.nan if (day := day_of(cell)) is None else day for cell in cells]
    nulls = [None if cell in format.tokens else cell for cell in cells]
    arrows = [ArrowText(pa.array(strings, pa.string()), format) for strings in (nulls, cells)]
    for text in (ListText(cells, format), *arrows):  # Arrow may know all texts that mean missing, or none
        if text.floats is not None:
            assert bits(text.floats) == bits(numbers)
            assert all(
                value is not None or cell.strip() in format.tokens for cell, value in zip(cells, slow, strict=True)
            )
        if text.days is not None:
            assert bits(text.days) == bits(days)
        assert bits(convert(text, Column("x", Kind.QUANTITATIVE), format).numbers) == bits(numbers)
        assert bits(convert(text, Column("x", Kind.DATE), format).numbers) == bits(days)
        assert text.missing == sum(cell.strip() in format.tokens for cell in cells)


@given(st.lists(CELLS, max_size=20))
def test_texts_agree_on_everything(cells: list[str]) -> None:
    format = Format(missing=(*MISSING, "7"))
    mine = ListText(cells, format)
    for nulls in ({"", "7"}, format.tokens):
        strings = [None if cell in nulls else cell for cell in cells]
        _assert_alike(mine, ArrowText(pa.array(strings, pa.string()), format), format)


def shown(text: Any, format: Format) -> Any:
    found = ShownKinds()
    found.add(text, format, TRUTH)
    return found.shown(format), found.unclear(format)


def _assert_alike(mine: ListText, arrow: ArrowText, format: Format) -> None:
    assert shown(mine, format) == shown(arrow, format)
    assert list(mine.texts()) == list(arrow.texts())
    for kind in Kind:
        a, b = (convert(text, Column("x", kind), format) for text in (mine, arrow))
        assert (a.kind, a.missing, a.strange) == (b.kind, b.missing, b.strange)
        assert [label for label in (a.symbols or ([], []))[1]] == [label for label in (b.symbols or ([], []))[1]]


def test_a_slice_of_an_arrow_column_is_read_alone() -> None:
    strings = pa.array(["x", "1", "2", "y"])[1:3]
    text = ArrowText(strings, Format())
    assert text.digits
    assert text.floats is not None
    assert text.floats.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", ["floats", "days"])
def test_text_is_tried_on_a_few_cells_first(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Arrow words a sentence for each cell it cannot cast, which made reading a column of names 20 times slower."""
    cast, lengths = pc.cast, []

    def watched(strings: pa.Array, target: pa.DataType) -> pa.Array:
        lengths.append(len(strings))
        return cast(strings, target)

    monkeypatch.setattr(pc, "cast", watched)
    assert getattr(ArrowText(pa.array(["name"] * 10_000), Format()), kind) is None
    assert lengths == [PROBE]
