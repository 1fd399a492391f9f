"""Rows that joint tables are learned from: every form, missing values, declared values."""

from __future__ import annotations

import math
import sys
from enum import Enum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from suffice.bayes.joint.joint_table import JointTable
from suffice.core.errors import BadInput


def test_rows_in_every_form_agree():
    """Columns, dicts, pandas, polars and Arrow give one table, with plain Python values."""
    columns = {"x": ["u", "v", "u", "u"], "k": [2, 1, 2, 10], "t": [True, False, True, False]}
    dicts = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    arrays = {name: np.array(column) for name, column in columns.items()}
    forms = [dicts, tuple(dicts), arrays, pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)]
    forms += [pd.DataFrame(columns).astype({"x": "category", "k": "Int64"}), dict(pd.DataFrame(columns).items())]
    expected = JointTable.from_rows(columns)
    assert expected.variables == {"x": ("u", "v"), "k": (1, 2, 10), "t": (False, True)}
    for form in forms:
        table = JointTable.from_rows(form)
        assert table == expected
        assert [type(v) for values in table.variables.values() for v in values] == [str] * 2 + [int] * 3 + [bool] * 2
        assert table.classify("x", form) == expected.classify("x", columns) == ("u", "v", "u", "u")


MISSING_COLUMNS = [
    {"x": ["u", None]},
    {"x": [1.0, math.nan]},
    {"x": np.array([1.0, np.nan])},
    {"x": np.ma.masked_array([1, 2], [False, True])},
    {"x": np.array(["2020-01-01", "NaT"], dtype="datetime64[ns]")},
    {"x": [pd.Timestamp(0), pd.NaT]},
    {"x": [1, pd.NA]},
    [{"x": 1}, {"y": 2}],
    pd.DataFrame({"x": ["u", None]}),
    pd.DataFrame({"x": pd.array([1, None], dtype="Int64")}),
    pd.DataFrame({"x": pd.Categorical(["u", None])}),
    pl.DataFrame({"x": [1.0, math.nan]}),
    pl.DataFrame({"x": ["u", None]}),
    pa.table({"x": ["u", None]}),
]


@pytest.mark.parametrize("rows", MISSING_COLUMNS)
def test_missing_values_are_refused_by_name(rows):
    """A full joint cannot hold a missing value; the message names the column and says what to do."""
    with pytest.raises(BadInput, match=r"JointTable: column 'x' must be without missing values, got .*\. .*drop these"):
        JointTable.from_rows(rows)


def test_missing_values_are_refused_with_declared_values_too():
    """The message is about the missing value, not about a value that was not declared."""
    with pytest.raises(BadInput, match="column 'x' must be without missing values"):
        JointTable.from_rows({"x": [1, None]}, values={"x": (1, 2)})


def test_dates_and_values_without_an_order():
    """Fine dates stay what they are; values that do not compare are ordered by their text, or as declared."""
    days = np.array(["2020-01-02", "2020-01-01", "2020-01-02"], dtype="datetime64[ns]")
    assert JointTable.from_rows({"day": days}).variables["day"] == (days[1], days[0])
    colour = Enum("colour", "red blue")
    assert JointTable.from_rows({"c": list(colour)}).variables["c"] == (colour.blue, colour.red)
    swapped = (colour.red, colour.blue)
    assert JointTable.from_rows({"c": list(colour)}, values={"c": swapped}).variables["c"] == swapped


def test_declared_and_met_values():
    """Declared values are covered whether met or not; the others are those met."""
    table = JointTable.from_rows({"x": [1, 1], "y": ["b", "a"]}, values={"x": (0, 1, 2)})
    assert table.variables == {"x": (0, 1, 2), "y": ("a", "b")}
    assert table.counts.tolist() == [[0, 0], [1, 1], [0, 0]]
    assert JointTable.from_rows([], values={"x": (0, 1)}, alpha=1).table.tolist() == [0.5, 0.5]
    lost = table - JointTable.from_rows({"x": [1], "y": ["b"]}, values={"x": (0, 1, 2)})
    assert lost.variables == {"x": (0, 1, 2), "y": ("a",)}


def test_plain_columns_need_no_table_library(monkeypatch):
    """Columns and dicts are counted where narwhals cannot be imported."""
    monkeypatch.setitem(sys.modules, "narwhals", None)
    assert JointTable.from_rows({"x": [1, 2]}) == JointTable.from_rows([{"x": 1}, {"x": 2}])
    with pytest.raises(ImportError):
        JointTable.from_rows(pd.DataFrame({"x": [1, 2]}))
