"""Arrow's dictionaries may hold a value twice, or none, and every chunk may have its own: cells count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.sources import Roles, open_rows
from suffice.sources.tables.labels import code_labels
from suffice.sources.tables.table import open_table

TWICE = pa.array(["a", "b", "a", None, "c", "b"])
CODES = [0, 1, 2, 3, None, 5, 2, 0]
CELLS = ["a", "b", "a", None, None, "b", "a", "a"]
Y = ["p", "q"] * 4


def coded(codes: list[int | None], values: Any = TWICE, ordered: bool = False) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int16()), values, ordered=ordered)


COLUMNS: dict[str, Any] = {
    "one": pa.chunked_array([coded(CODES)]),
    "chunks": pa.chunked_array([coded(CODES[:3]), coded([0, 0, 1, 2, 2], pa.array([None, "b", "a"]))]),
    "sliced": pa.chunked_array([coded([4, 1, *CODES, 4])]).slice(2, 8),
    "pandas": pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([coded(CODES)]))),
}


def table_of(column: Any) -> Any:
    return pd.DataFrame({"x": column}) if isinstance(column, pd.Series) else pa.table({"x": column})


def cells_of(table: Any) -> list[Any]:
    opened = open_table(table)
    (part,) = opened.parts(opened.infer(), slice(0, opened.n))
    (labels,) = part.labels
    assert len(set(labels)) == len(labels)
    return [None if code < 0 else labels[code] for code in part.codes[:, 0].tolist()]


@pytest.mark.parametrize("name", COLUMNS)
def test_cells_are_read_as_they_are(name: str) -> None:
    assert cells_of(table_of(COLUMNS[name])) == CELLS


@pytest.mark.parametrize("name", COLUMNS)
def test_the_model_is_that_of_the_cells(name: str) -> None:
    plain = NaiveBayes().fit({"x": CELLS}, Y)
    found = NaiveBayes().fit(table_of(COLUMNS[name]), Y)
    asked = {"x": ["a", "b", "c", None]}
    assert str(found) == str(plain)
    np.testing.assert_array_equal(found.predict_proba(asked), plain.predict_proba(asked))
    np.testing.assert_array_equal(found.predict_proba(table_of(COLUMNS[name])), plain.predict_proba({"x": CELLS}))


def test_labels_are_counted_as_they_are() -> None:
    y = pa.chunked_array([coded([0, 1, 2, 2]), coded([1, 0], pa.array(["b", "a"]))])
    found = code_labels(y)
    assert [found.labels[0][code] for code in found.codes[:, 0]] == ["a", "b", "a", "a", "a", "b"]
    assert NaiveBayes().fit({"x": [1.0] * 6}, y).fitted_.summary.tally.rows.tolist() == [4, 2]


def test_an_order_names_each_value_once() -> None:
    levels = pa.array(["low", "mid", "low", None, "high"])
    table = pa.table({"x": pa.chunked_array([coded([0, 1], levels, True), coded([2, 3, 4], levels, True)])})
    (column,) = open_table(table).infer().columns
    assert column.order == ("low", "mid", "high")
    assert cells_of(table) == ["low", "mid", "low", None, "high"]


@pytest.mark.parametrize("values", [[1.5, 2.5, 1.5], [7, 8, 7], [True, False, True], [float("nan"), 2.0, float("nan")]])
def test_values_of_any_type(values: list[Any]) -> None:
    cells = [None if values[code] != values[code] else values[code] for code in (0, 1, 2, 1, 2)]
    assert cells_of(pa.table({"x": coded([0, 1, 2, 1, 2], pa.array(values))})) == cells


def test_a_file_is_read_as_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "rows.arrow"
    table = pa.table({"x": COLUMNS["one"], "y": Y})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    (chunk,) = open_rows(path, Roles(target="y")).chunks()
    assert cells_of(chunk.table) == CELLS


def test_values_that_are_no_symbols_are_refused() -> None:
    table = pa.table({"x": coded([0, 1, 0], pa.array([[1], [2]]))})
    with pytest.raises(BadInput, match="must be a single value, got \\[1\\] in row 0"):
        cells_of(table)
