"""Class labels as codes: any values, in one pass, none missing."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, integer_dtypes, unsigned_integer_dtypes

from suffice.core.errors import BadInput
from suffice.sources import code_labels


def decoded(y):
    found = code_labels(y)
    assert found.codes.dtype == np.int32
    assert found.codes.shape == (len(y), 1)
    (labels,) = found.labels
    assert isinstance(labels, tuple)
    assert len(set(labels)) == len(labels)
    assert set(found.codes[:, 0].tolist()) == set(range(len(labels)))  # the labels that occur, and no others
    return [labels[code] for code in found.codes[:, 0].tolist()]


def everywhere(cells):
    """One column of labels in every form."""
    yield list(cells)
    yield tuple(cells)
    yield np.array(cells)
    yield np.array(cells, dtype=object)
    yield np.repeat(np.array(cells, dtype=object), 2)[::2]
    yield pd.Series(cells)
    yield pd.Series(cells, dtype=object)
    yield pd.Series(cells).astype({str: "string", int: "Int64", bool: "boolean", float: "Float64"}[type(cells[0])])
    yield pd.Series(cells, dtype="category")
    yield pd.Series(cells, index=range(10, 10 + len(cells)))
    yield pl.Series(cells)
    yield pa.array(cells)
    yield pa.chunked_array([cells[:1], cells[1:]])


@pytest.mark.parametrize(
    "cells",
    [
        ["ham", "spam", "ham", ""],
        [3, 1, 3, 7],
        [-5, 0, 5, -5],
        [True, False, True],
        [True, True],
        [2.0, 1.0, -0.0],
        [2**62, -(2**62), 0],
        [10**9, 0, 10**9],
        ["only"],
    ],
)
def test_labels_in_every_form(cells):
    for y in everywhere(cells):
        found = decoded(y)
        assert found == cells
        assert {type(label) for label in found} == {type(cells[0])}, type(y)


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["c", "b", "a"])])
def test_categories_of_polars_are_those_that_occur(dtype):
    assert code_labels(pl.Series(["b", "a", "b"], dtype=dtype)).labels == (("b", "a"),)


def test_categories_that_no_row_has_are_no_labels():
    assert code_labels(pd.Series(pd.Categorical(["b", "b"], categories=["a", "b"]))).labels == (("b",),)
    table = pa.DictionaryArray.from_arrays(pa.array([1, 1]), pa.array(["a", "b"]))
    assert code_labels(pa.chunked_array([table])).labels == (("b",),)


def test_labels_of_different_types_stay_apart():
    assert decoded(["1", 1, 2.5 - 0.5]) == ["1", 1, 2.0]  # in one NumPy array they would all be texts
    assert decoded(np.array(["a", 1, (1, 2), dt.date(2020, 1, 1)], dtype=object)) == [
        "a",
        1,
        (1, 2),
        dt.date(2020, 1, 1),
    ]


def test_whole_numbers_too_big_for_numpy():
    assert decoded([2**80, 5, 2**80]) == [2**80, 5, 2**80]
    assert decoded([-1, 2**63]) == [-1, 2**63]  # NumPy would round them to floats
    assert decoded(np.array([2**64 - 1, 2**64 - 3], dtype=np.uint64)) == [2**64 - 1, 2**64 - 3]
    assert decoded(np.array([1e300, -1e300, 1e300])) == [1e300, -1e300, 1e300]


def test_numpy_values_become_python_values():
    cells = [np.int64(3), np.int64(1)], [np.str_("a"), np.str_("b")], [np.bool_(True), np.bool_(False)], [np.float32(2)]
    for some in cells:
        assert {type(label) for label in decoded(list(some))} <= {int, str, bool, float}


def test_dates_are_labels():
    days = np.array(["2020-01-02", "2020-01-01", "2020-01-02"], dtype="datetime64[ns]")
    assert decoded(days) == [dt.datetime(2020, 1, 2), dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2)]


def test_numbers_are_in_order_of_size_and_the_rest_as_it_comes():
    assert code_labels([3, 1, 2]).labels == ((1, 2, 3),)
    assert code_labels(np.array([True, False])).labels == ((False, True),)
    assert code_labels(["c", "a", "b"]).labels == (("c", "a", "b"),)


def test_no_rows():
    for y in ([], np.array([]), np.array([], dtype=int), np.array([], dtype=object), pd.Series([], dtype="str")):
        assert code_labels(y).codes.shape == (0, 1)
        assert code_labels(y).labels == ((),)


@given(arrays(integer_dtypes() | unsigned_integer_dtypes(), st.integers(1, 20)))
def test_any_whole_numbers(y):
    assert decoded(y) == y.tolist()


@given(st.lists(st.one_of(st.text(), st.integers(), st.booleans(), st.tuples(st.integers())), min_size=1, max_size=20))
def test_any_values(y):
    assert decoded(y) == y
    objects = np.empty(len(y), dtype=object)
    objects[:] = y
    assert decoded(objects) == y


MISSING = [
    [1.0, float("nan")],
    [None, "a"],
    ["a", float("nan")],
    ["a", pd.NA],
    [1, None],
    [True, None],
    np.array([1.0, np.nan]),
    np.array(["2020", "NaT"], dtype="datetime64[D]"),
    np.array(["a", None], dtype=object),
    np.array([np.nan, 1.5]),
    pd.Series(["a", None]),
    pd.Series([1, None]),
    pd.Series([1, None], dtype="Int64"),
    pd.Series([True, None], dtype="boolean"),
    pd.Series([True, None], dtype=object),
    pd.Series(["a", None], dtype="category"),
    pd.Series([pd.NaT, pd.Timestamp(0)]),
    pl.Series([1, None]),
    pl.Series([1.0, float("nan")]),
    pl.Series(["a", None], dtype=pl.Categorical),
    pa.chunked_array([["a"], [None]]),
    pa.array([1, None]),
]


@pytest.mark.parametrize("y", MISSING)
def test_missing_labels_are_refused(y):
    with pytest.raises(
        BadInput, match=r"^y: labels must be present .*Input y contains NaN\) in row [01]\. Leave the row"
    ):
        code_labels(y)


def test_a_missing_label_is_named_by_its_row():
    y = ["a"] * 70_000 + [None]
    for some in (y, pd.Series(y), pl.Series(y), np.array(y, dtype=object)):
        with pytest.raises(BadInput, match=r"in row 70000\."):
            code_labels(some)


@pytest.mark.parametrize(
    "y",
    [[1.5, 2.0], np.array([0.1], dtype=np.float32), pd.Series([1.5]), pl.Series([1.5]), np.array([1.5], dtype=object)],
)
def test_fractions_are_no_classes(y):
    with pytest.raises(
        BadInput, match=r"^y: labels must be classes \(Unknown label type: continuous\), got [.\d]+\. Group"
    ):
        code_labels(y)


def test_other_values_that_are_no_labels():
    with pytest.raises(BadInput, match=r"^y: labels must be finite, got 'infinity \(Input y contains infinity"):
        code_labels([1.0, float("inf")])
    with pytest.raises(BadInput, match=r"^y: labels must be classes \(Unknown label type: continuous\), got 1j"):
        code_labels(np.array([1j]))
    with pytest.raises(BadInput, match=r"^y: a label must be a single value, got \['b'\] in row 1"):
        code_labels(["a", ["b"]])
    with pytest.raises(BadInput, match=r"^y: labels must be one column, got 'shape \(2, 2\)'\. Pass one label a row\."):
        code_labels(np.zeros((2, 2)))
    with pytest.raises(BadInput, match=r"^y: labels must be one column, got 'shape \(\)'"):
        code_labels(np.array(3))
    for y in ("abc", {"a": 1}, 5, None, {1, 2}, object()):
        with pytest.raises(BadInput, match=r"^y: labels must be a list, an array, or a column of a table library, got"):
            code_labels(y)
