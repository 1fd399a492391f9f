"""Bad tables: one clear sentence each, naming column, row and value where there are some, and what to do."""

from __future__ import annotations

import datetime as dt
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from suffice.core.errors import BadInput
from suffice.sources import Codes, Grid, open_table

# {Owner}: {name} must be {rule}, got {value}. {What to do}
SENTENCE = re.compile(r"^\w+: .+ must be .+, got .+\. .+[.)]$", re.DOTALL)
FRAMES = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "Arrow": lambda c: pl.DataFrame(c).to_arrow(),
}
RESHAPE = "Reshape your data either using array.reshape(-1, 1) for one column or array.reshape(1, -1) for one row."


def sentence(error):
    text = str(error.value)
    assert SENTENCE.match(text), text
    assert "\n" not in text
    return text


def shape_of(what, shape):
    return (
        f"X: the table must be rows and columns (Expected 2D array, got {what} instead), got shape {shape}. {RESHAPE}"
    )


OPENED = {
    "one dimension": (np.zeros(3), shape_of("1D array", (3,))),
    "three dimensions": (np.zeros((2, 2, 2)), shape_of("3D array", (2, 2, 2))),
    "a number": (np.array(5.0), shape_of("scalar array", ())),
    "a list of numbers": ([1.0, 2.0], shape_of("1D array", (2,))),
    "no rows at all": ([], shape_of("1D array", (0,))),
    "records": ([{"a": 1}], shape_of("1D array", (1,))),
    "a column of pandas": (pd.Series([1.0]), shape_of("1D array", (1,))),
    "a column of polars": (pl.Series([1.0]), shape_of("1D array", (1,))),
    "a column of Arrow": (pa.chunked_array([[1.0]]), shape_of("1D array", (1,))),
    "ragged rows": (
        [[1, 2], [3]],
        "X: the rows must be all of one length, got [1, 2]. Mark missing cells with None.",
    ),
    "rows and cells": (
        [[1, 2], 3],
        "X: the rows must be all lists or tuples of cells, got 3. Make a list of each row.",
    ),
    "ragged columns": (
        {"a": [1, 2], "b": [3]},
        "X: the columns must be all of one length, got {'a': 2, 'b': 1}. Mark missing cells with None.",
    ),
    "a column that is a text": (
        {"a": "abc"},
        "X: column 'a' must be a list of cells, one a row, got 'abc'. Put its cells into a list.",
    ),
    "a column that is a number": (
        {"a": 5},
        "X: column 'a' must be a list of cells, one a row, got 5. Put its cells into a list.",
    ),
    "a column that is a mapping": (
        {"a": {0: 1}},
        "X: column 'a' must be a list of cells, one a row, got {0: 1}. Put its cells into a list.",
    ),
    "a column that is a matrix": (
        {"a": np.zeros((1, 1))},
        "X: column 'a' must be a list of cells, one a row, got array([[0.]]). Put its cells into a list.",
    ),
    "complex numbers": (
        np.zeros((2, 2), dtype=complex),
        "X: numbers must be real (Complex data not supported), got dtype('complex128'). "
        "Split real and imaginary parts.",
    ),
    "complex numbers, sparse": (
        sparse.csr_array((2, 2), dtype=complex),
        "X: numbers must be real (Complex data not supported), got dtype('complex128'). "
        "Split real and imaginary parts.",
    ),
    "records of NumPy": (
        np.zeros((2, 2), dtype=[("a", float)]),
        "X: the type of the array must be simple, got dtype([('a', '<f8')]). "
        "Pass a mapping of names to columns instead.",
    ),
    "a sparse column": (
        sparse.coo_array(np.zeros(3)),
        "X: the matrix must be rows and columns (Expected 2D array), got 'shape (3,)'. Reshape it.",
    ),
    "two columns of one name, pandas": (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        "X: column names must be all different, got 'a'. Rename all columns of that name but one.",
    ),
    "two columns of one name, Arrow": (
        pa.table([[1], [2]], names=["a", "a"]),
        "X: column names must be all different, got 'a'. Rename all columns of that name but one.",
    ),
    **{
        f"a {type(X).__name__}": (
            X,
            "X: the table must be an array, a sparse matrix, a mapping of columns, or a pandas, polars or Arrow table, "
            f"got '{type(X).__name__}'. Convert it first; a lazy table by collect().",
        )
        for X in ("table.csv", 5, None, {1, 2}, object(), iter([[1]]), pl.LazyFrame({"a": [1]}))
    },
}


@pytest.mark.parametrize("name", OPENED)
def test_what_is_no_table(name):
    X, message = OPENED[name]
    with pytest.raises(BadInput) as error:
        open_table(X)
    assert sentence(error) == message


def test_one_list_says_what_a_column_is():
    assert OPENED["a set"][1] == OPENED["a str"][1].replace("'str'", "'set'")


def read(table, **kinds):
    opened = open_table(table)
    return opened.parts(opened.infer().declare("test", kinds), slice(0, opened.n))


@pytest.mark.parametrize("make", FRAMES)
def test_a_cell_that_is_no_number(make):
    with pytest.raises(BadInput) as error:
        read(FRAMES[make]({"age": ["31", None, "old"]}), age="quantitative")
    assert sentence(error) == (
        "X: the cells of column 'age' must be real numbers, got 'old' in row 2. "
        "Correct the cell or declare another kind."
    )


@pytest.mark.parametrize("make", FRAMES)
def test_a_cell_that_is_no_date(make):
    with pytest.raises(BadInput) as error:
        read(FRAMES[make]({"seen": ["2020-01-01", None, "29.2.2020"]}), seen="date")
    assert sentence(error) == (
        "X: the cells of column 'seen' must be dates, got '29.2.2020' in row 2. "
        "Correct the cell or declare another kind."
    )


@pytest.mark.parametrize("make", FRAMES)
def test_a_cell_that_is_no_text(make):
    with pytest.raises(BadInput) as error:
        read(FRAMES[make]({"note": [None, 1.5]}), note="text")
    assert sentence(error) == (
        "X: the cells of column 'note' must be texts, got 1.5 in row 1. Convert the column or declare another kind."
    )


@pytest.mark.parametrize("make", FRAMES)
def test_a_cell_that_is_several(make):
    with pytest.raises(BadInput) as error:
        read(FRAMES[make]({"tags": [None, ["a", "b"]]}))
    assert sentence(error) == (
        "X: a cell of column 'tags' must be a single value, got ['a', 'b'] in row 1. "
        "Split it into columns, or leave it out."
    )


def test_a_cell_that_is_several_may_be_left_out_by_declaring_it():
    for make in FRAMES.values():
        table = open_table(make({"tags": [["a"]], "age": [1]}))
        assert len(table.parts(table.infer().declare("test", {"tags": "identifier"}), slice(0, 1))) == 1


COMPLEX = [
    {"z": [1.0, 1j]},
    {"z": np.array([1, 1j])},
    pd.DataFrame({"z": [1.0, 1j]}),
    np.array([[1.0], [1j]], dtype=object),
]


@pytest.mark.parametrize("table", COMPLEX)
def test_a_complex_cell(table):
    with pytest.raises(BadInput, match=r"must be real numbers \(Complex data not supported\), got .*j\)? in row"):
        read(table)


@pytest.mark.parametrize(
    ("cell", "came"), [(10**400, "1000"), (dt.time(3), "datetime.time"), ([1], r"\[1\]"), (b"x", "b'x'")]
)
def test_other_cells_that_are_no_numbers(cell, came):
    with pytest.raises(BadInput, match=rf"column 'x' must be real numbers, got {came}.* in row 0"):
        read({"x": [cell]}, x="quantitative")


def test_rows_are_named_by_their_place_in_the_table():
    table = open_table({"age": [1.0] * 70_000 + ["old"]})
    schema = table.infer().declare("test", {"age": "count"})
    with pytest.raises(BadInput, match=r"'old' in row 70000\."):
        table.parts(schema, slice(65_536, 70_001))


@pytest.mark.parametrize("make", FRAMES)
def test_a_column_that_is_lacking(make):
    schema = open_table({"age": [1], "site": ["a"]}).infer()
    with pytest.raises(BadInput) as error:
        open_table(FRAMES[make]({"age": [1], "place": ["a"]})).parts(schema, slice(0, 1))
    assert sentence(error) == (
        "X: the columns must be those of the training table, 'site' among them, got ['age', 'place']. "
        "Add the column, empty if need be."
    )


@pytest.mark.parametrize("width", [0, 1, 3])
@pytest.mark.parametrize("door", [Grid, Codes])
def test_another_number_of_columns(door, width):
    schema = door(np.zeros((1, 2), dtype=int)).infer()
    with pytest.raises(BadInput) as error:
        door(np.zeros((1, width), dtype=int)).parts(schema, slice(0, 1))
    assert sentence(error) == (
        "X: the number of columns must be 2, as in training (the model is expecting 2 features as input), "
        f"got {width}. Give it the columns it was trained on."
    )


def test_kinds_that_do_not_exist_and_columns_that_do_not():
    schema = open_table({"age": [1]}).infer()
    for kinds, message in (
        ({"age": "number"}, r"^Model: the kind of column 'age' must be one of boolean, .*, got 'number'\. Correct"),
        ({"sex": "boolean"}, r"^Model: kinds must be about columns of the table \('age'\), got 'sex'\. Correct it\.$"),
        ({"age": [1, 1]}, r"^Model: the order of column 'age' must be given by different values, .* \[1, 1\]\. List"),
    ):
        with pytest.raises(BadInput, match=message) as error:
            schema.declare("Model", kinds)
        sentence(error)


def test_there_are_many():
    assert len({message for _, message in OPENED.values()}) >= 20
