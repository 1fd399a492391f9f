"""Hash tables of texts and of objects say what Arrow's dictionaries and Python's do."""

from __future__ import annotations

import datetime
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import OneHotEncoder, describe
from suffice.core.errors import BadInput
from suffice.numerics.loop import whole
from suffice.sources.files.arrow_text import ArrowText
from suffice.sources.files.text_format import Format
from suffice.sources.tables import hash_codes as module
from suffice.sources.tables import symbols
from suffice.sources.tables.hash_codes import hashed_texts, hashed_words
from suffice.sources.tables.labels import code_labels
from suffice.sources.tables.symbols import code_array, code_cells, code_column

LARGE = whole(10**9)
MIDDLES = [f"the same begin{c}ing and the same end" for c in "xyz"]
NASTY = [
    *("", "\0", "a", "a\0", "\0a", "aaaaaaa", "aaaaaaaa", "aaaaaaaaa", "a" * 15, "a" * 16, "a" * 17, "a" * 64),
    *("ä", "漢字漢字", "🙂" * 5, "8 bytes!", "8 bytes?", "not 8 bytes!", "not 8 bytes?"),
    *("1234567", "1234567\0", "abcdefgh\0\0\0\0abcdefgh", "abcdefgh\0\0\0\0\0abcdefgh"),
    *MIDDLES,
]
TYPES = [pa.string(), pa.large_string()]
SHORT = NASTY[:16]  # of few bytes, so that the loop is taken for all


def by_arrow(column: Any) -> tuple[list[Any], list[Any]]:
    coded = column.dictionary_encode()
    return coded.indices.fill_null(-1).to_pylist(), coded.dictionary.to_pylist()


def hashed(column: Any) -> tuple[list[Any], list[Any]]:
    with LARGE:
        found = hashed_texts(column)
    assert found is not None
    return found[0].tolist(), found[1]


def drawn(values: list[Any], n: int, seed: int = 0) -> list[Any]:
    return [values[i] for i in np.random.default_rng(seed).integers(0, len(values), n)]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(st.lists(st.one_of(st.none(), st.sampled_from(NASTY)), min_size=1), st.integers(0, 9), st.integers(0, 9))
def test_codes_are_arrows(kind, cells, front, back):
    pad = ["x" * 3] * 20  # so that texts are short on the whole
    whole_column = pa.array([*pad[:front], *cells, *pad, *pad[:back]], type=kind)
    sliced = whole_column.slice(front, len(cells) + len(pad))
    with LARGE:
        found = hashed_texts(sliced)
    if found is not None:  # None: texts are long on the whole
        assert (found[0].tolist(), found[1]) == by_arrow(sliced)


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_the_last_bytes_of_a_run_are_read_as_all_others(kind):
    for ends in (["8 bytes!", "a"], ["8 bytes!", "ab", ""], ["a", "8 bytes!"], ["abcdefgh", "", "abcdefg"]):
        column = pa.array(ends * 2, type=kind)
        assert hashed(column) == by_arrow(column)
        assert hashed(column.slice(1)) == by_arrow(column.slice(1))


@pytest.mark.parametrize("distinct", [300, 1_100, 5_000, 20_000])
def test_tables_grow(distinct):
    cells = drawn([f"id {i}" for i in range(distinct)], 3 * distinct)
    assert hashed(pa.array(cells)) == by_arrow(pa.array(cells))
    every = pa.array([f"id {i}" for i in range(distinct)])
    assert hashed(every) == by_arrow(every)


def test_texts_of_equal_hashes_are_told_apart(monkeypatch):
    monkeypatch.setattr(module, "_mixed", lambda a, b: np.uint64(0))
    monkeypatch.setattr(module, "GOLDEN", 0)
    cells = [*NASTY, *NASTY[::-1], None, "a"]  # which ends the run of bytes
    column = pa.array(cells, type=pa.large_string())
    content = column.buffers()[2]
    words = np.ndarray(content.size - 7, dtype=np.uint64, buffer=content, strides=(1,))
    starts = np.frombuffer(column.buffers()[1], dtype=np.int64)
    bits = np.frombuffer(column.buffers()[0], dtype=np.uint8)
    codes, *others = module._arrays(len(cells))
    known = module._code_texts.plain(words, starts, bits, 0, codes, *others)
    assert known == len(NASTY)
    assert codes.tolist() == by_arrow(column)[0]


def test_what_it_does_not_serve_is_left_to_others():
    with LARGE:
        for other in (
            pa.array([], pa.string()),
            pa.array([None, None], pa.string()),
            pa.array(["", ""]),
            pa.array(["text"], pa.string_view()),
            pa.array(["a" * 100] * 3),
            pa.array([b"12345678"]),
        ):
            assert hashed_texts(other) is None
    assert hashed_words(np.arange(5, dtype=np.uint64)) is None or module._code_words.ready


def test_words_are_coded_in_order_of_appearance():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2**63, 3_000, dtype=np.uint64)[rng.integers(0, 3_000, 9_000)]
    few = values[:200].repeat(9)
    with LARGE:
        codes, rows = hashed_words(values)
        assert hashed_words(np.unique(values), crowded=False) is None
        again = hashed_words(few, crowded=False)
    assert codes.tolist() == code_cells(("X", "x"), values.tolist())[0].tolist()
    assert values[rows].tolist() == list(dict.fromkeys(values.tolist()))
    assert again[0].tolist() == code_cells(("X", "x"), few.tolist())[0].tolist()


CELLS = [None if i % 11 == 3 else cell for i, cell in enumerate(drawn(SHORT, 300))]
COLUMNS = {
    "pandas str": lambda: pd.Series(CELLS, dtype="str"),
    "pandas string": lambda: pd.Series(CELLS, dtype="string[pyarrow]"),
    "pandas string of Python": lambda: pd.Series(CELLS, dtype="string[python]"),
    "pandas Arrow": lambda: pd.Series(CELLS, dtype=pd.ArrowDtype(pa.string())),
    "pandas in chunks": lambda: pd.concat([pd.Series(CELLS[:100], dtype="str"), pd.Series(CELLS[100:], dtype="str")]),
    "pandas objects": lambda: pd.Series(CELLS, dtype=object),
    "pandas objects, every other": lambda: pd.Series([c for c in CELLS for _ in "ab"], dtype=object)[::2],
    "polars": lambda: pl.Series(CELLS),
    "Arrow": lambda: pa.chunked_array([pa.array(CELLS)]),
    "Arrow in chunks": lambda: pa.chunked_array([CELLS[:7], [], CELLS[7:200], CELLS[200:]], pa.large_string()),
    "Arrow, a view": lambda: pa.chunked_array([pa.array(CELLS, pa.string_view())]),
    "Arrow, a dictionary": lambda: pa.chunked_array([pa.array(CELLS).dictionary_encode()]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_all_libraries_are_coded_alike(name):
    series = nw.from_native(COLUMNS[name](), series_only=True)
    with LARGE:
        codes, labels = code_column(("X", "x"), series)
        part, part_labels = code_column(("X", "x"), series[10:60])
    expected, texts = code_cells(("X", "x"), CELLS)
    assert codes.dtype == np.int32
    assert (codes.tolist(), labels) == (expected.tolist(), texts)
    some, named = code_cells(("X", "x"), CELLS[10:60])
    assert [part_labels[c] if c >= 0 else None for c in part] == [named[c] if c >= 0 else None for c in some]


OBJECTS: list[list[Any]] = [
    [True, 1, 1.0, "1", None, float("nan"), np.nan, np.float64(1)],
    [True, False, None, np.nan],
    [None, float("nan"), pd.NA, pd.NaT],
    [datetime.date(2020, 1, 1), "x", (1, 2), 10**30, -0.0, 0],
    ["a", "".join(["a", "b"])[:1], "b", np.str_("b")],
]


@pytest.mark.parametrize("cells", OBJECTS, ids=str)
@pytest.mark.parametrize("read", ["array", "series"])
def test_objects_are_coded_as_one_by_one(monkeypatch, cells, read):
    column = np.empty(300, dtype=object)
    column[:] = drawn(cells, 300, seed=3)

    def coded() -> tuple[list[int], list[tuple[type, str]]]:
        series = nw.from_native(pd.Series(column), series_only=True)
        codes, labels = code_array(("X", "x"), column) if read == "array" else code_column(("X", "x"), series)
        return codes.tolist(), [(type(label), repr(label)) for label in labels]

    with LARGE:
        found = coded()
    monkeypatch.setattr(symbols, "hashed_words", lambda *_, **__: None)
    assert found == coded()


@pytest.mark.parametrize("read", ["array", "series"])
def test_a_cell_that_is_no_single_value_is_named_by_its_row(read):
    column = np.array(drawn(SHORT, 300), dtype=object)
    column[70] = [1, 2]
    series = nw.from_native(pd.Series(column), series_only=True)
    with LARGE, pytest.raises(BadInput, match=r"got \[1, 2\] in row 75"):
        code_array(("X", "x"), column, 5) if read == "array" else code_column(("X", "x"), series, 5)


def test_descriptions_encoders_and_labels_take_them(monkeypatch):
    monkeypatch.setattr("suffice.numerics.loop.WORTH", 1)
    table = pd.DataFrame({"text": pd.Series(CELLS, dtype="str"), "objects": pd.Series(CELLS, dtype=object)})
    told = describe(table)
    for name in table:
        assert told[name].missing == CELLS.count(None)
        weights = dict(zip(told[name].values, told[name].weights.tolist(), strict=True))
        assert weights == {text: float(CELLS.count(text)) for text in SHORT}
    found = OneHotEncoder().fit(table.fillna("none")).categories_
    assert all(sorted({*SHORT, "none"}) == categories.tolist() for categories in found)
    y = [cell for cell in CELLS if cell is not None]
    assert code_labels(pd.Series(y, dtype="str")).labels == (tuple(dict.fromkeys(y)),)


def test_written_cells_are_coded_alike():
    strings = pa.array([*CELLS, "NA", " NA ", "n/a"])
    with LARGE:
        codes, labels = ArrowText(strings, Format()).coded
    coded = ArrowText(strings, Format())._dictionary()
    texts = [coded[1][c] if c >= 0 else None for c in coded[0]]
    missing = [None if text is None or text.strip() in Format().tokens else text for text in texts]
    assert [labels[c] if c >= 0 else None for c in codes] == missing
