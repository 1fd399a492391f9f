"""The same table in every flavour gives the same schema, where its types say as much, and the same parts."""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.sources import open_table
from tests.sources.flavours import COLUMNS, FLAVOURS, KINDS, ORDER, decoded

N = len(COLUMNS["age"])
SHOWN = {
    "age": "count", "dose": "quantitative", "smokes": "boolean", "site": "categorical", "pain": "categorical",
    "seen": "date", "born": "date", "note": "categorical",
}  # fmt: skip
DIFFERS = {
    "pandas": {"age": "quantitative"},  # whole numbers beside NaN are floats there
    "polars": {"pain": "ordinal"},
    "capsule of polars": {"pain": "ordinal"},
    "Arrow": {"pain": "ordinal"},
    "Arrow, several chunks": {"pain": "ordinal"},
    "Arrow, record batch": {"pain": "ordinal"},
    "capsule": {"pain": "ordinal"},
}


def days(cell):
    """By exact arithmetic, then rounded once, as a count of microseconds over that of a day."""
    if cell is None:
        return math.nan
    since = (cell - dt.datetime(1970, 1, 1)) if isinstance(cell, dt.datetime) else (cell - dt.date(1970, 1, 1))
    return float(since // dt.timedelta(microseconds=1)) / 86_400e6


def expected_parts():
    numbers = [[math.nan if c is None else float(c) for c in COLUMNS[name]] for name in ("age", "dose")]
    numbers += [[days(cell) for cell in COLUMNS[name]] for name in ("seen", "born")]
    symbols = list(zip(*(COLUMNS[name] for name in ("smokes", "site", "pain")), strict=True))
    words = [
        {"to": 2, "be": 2, "or": 1, "not": 1},
        None,
        {},
        {},
        {"être": 2, "ou": 1, "ne": 1, "pas": 1},
        {"to": 1, "be": 1},
    ]
    return [np.array(numbers).T.tobytes("C"), symbols, words]


def open_flavour(flavour):
    """The table, and its schema with the names of `COLUMNS`, which arrays do not have."""
    table = open_table(FLAVOURS[flavour](COLUMNS))
    found = table.infer()
    return table, type(found)(tuple(Column(n, c.kind, c.order) for n, c in zip(COLUMNS, found.columns, strict=True)))


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_schema(flavour):
    _, schema = open_flavour(flavour)
    assert {c.name: c.kind.value for c in schema.columns} == {**SHOWN, **DIFFERS.get(flavour, {})}
    assert all(c.order == (tuple(ORDER) if c.kind is Kind.ORDINAL else None) for c in schema.columns)


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("edges", [(0, N), (0, 1, 2, N), (0, 0, 3, N, N)])
def test_parts(flavour, edges):
    table, schema = open_flavour(flavour)
    schema = schema.declare("test", KINDS)
    blocks = [table.parts(schema, slice(a, b)) for a, b in pairwise(edges)]
    whole = [decoded(part) for part in table.parts(schema, slice(0, N))]
    assert whole == expected_parts()
    for i, expected in enumerate(whole):
        assert (
            expected == type(expected)().join(decoded(b[i]) for b in blocks)
            if isinstance(expected, bytes)
            else (expected == [row for b in blocks for row in decoded(b[i])])
        )


WITH_NAMES = [f for f in FLAVOURS if f not in ("rows", "tuples", "objects", "objects, column by column")]


@pytest.mark.parametrize("flavour", WITH_NAMES)
def test_no_rows(flavour):
    table = open_table(FLAVOURS[flavour]({name: [] for name in COLUMNS}))
    _, schema = open_flavour(flavour)
    parts = table.parts(schema, slice(0, 0))
    assert [len(decoded(part)) for part in parts] == [0] * len(schema.parts)


def nothing(value=None):
    return {"age": [value] * 3, "site": [value] * 3}


@pytest.mark.parametrize(
    "table",
    [
        nothing(),
        nothing(float("nan")),
        pd.DataFrame(nothing()),
        pd.DataFrame(nothing(np.nan)),
        pd.DataFrame(nothing(pd.NA)),
        pd.DataFrame(nothing(pd.NaT)),
        pd.DataFrame(nothing(), dtype="Int64"),
        pd.DataFrame(nothing(), dtype="Float64"),
        pd.DataFrame(nothing(), dtype="boolean"),
        pd.DataFrame(nothing(), dtype="str"),
        pd.DataFrame(nothing(), dtype=pd.CategoricalDtype(["a"], ordered=True)),
        pl.DataFrame(nothing()),
        pl.DataFrame(nothing(), schema={"age": pl.Int64, "site": pl.String}),
        pl.DataFrame(nothing(), schema={"age": pl.Float64, "site": pl.Enum(["a"])}),
        pl.DataFrame(nothing(float("nan"))),
        pl.DataFrame({"age": [None, float("nan")], "site": pl.Series([None, None], dtype=pl.Boolean)}),
        pl.DataFrame(nothing()).to_arrow(),
        pl.DataFrame(nothing(), schema={"age": pl.Int64, "site": pl.Datetime}).to_arrow(),
        np.full((3, 2), None),
        np.array([[None, np.nan], [pd.NA, pd.NaT]], dtype=object),
    ],
)
def test_a_column_without_a_cell_is_unknown_and_may_still_be_read_as_any_kind(table):
    opened = open_table(table)
    schema = opened.infer()
    assert {column.kind for column in schema.columns} == {Kind.UNKNOWN}
    assert schema.parts == ()
    first, second = schema.names
    numbers, symbols = opened.parts(schema.declare("x", {first: "count", second: "categorical"}), slice(0, opened.n))
    assert np.isnan(numbers).all()
    assert (symbols.codes == -1).all()
    (words,) = opened.parts(schema.declare("x", {second: "text"}), slice(0, opened.n))
    assert words.missing.all()


def test_an_array_of_floats_says_its_kind_even_where_all_is_missing():
    assert open_table(np.full((3, 1), np.nan)).infer().columns == (Column("x0", Kind.QUANTITATIVE),)


@pytest.mark.parametrize("values", [["yes"] * 100, [f"id{i}" for i in range(100)], [0, 1] * 50, list(range(100))])
def test_kinds_never_depend_on_how_many_values_there_are(values):
    kind = "categorical" if isinstance(values[0], str) else "count"
    for table in ({"x": values}, pd.DataFrame({"x": values}), pl.DataFrame({"x": values})):
        assert open_table(table).infer().columns[0].kind.value == kind


def test_objects_are_looked_at_to_the_last():
    """narwhals guesses the type of pandas' objects from their first hundred."""
    late = pd.DataFrame(
        {"x": pd.Series(["a"] * 200 + [1.5], dtype=object), "y": pd.Series([1] * 200 + [-1], dtype=object)}
    )
    table = open_table(late)
    assert [c.kind.value for c in table.infer().columns] == ["categorical", "quantitative"]
    symbols, numbers = late["x"].tolist(), late["y"].tolist()
    parts = table.parts(table.infer(), slice(0, 201))
    assert parts[0][:, 0].tolist() == numbers
    assert [row[0] for row in decoded(parts[1])] == symbols


CELLS = {
    "age": st.integers(0, 10**6),
    "dose": st.floats(allow_nan=False, allow_infinity=False),
    "smokes": st.booleans(),
    "site": st.text(max_size=5),
    "pain": st.sampled_from(ORDER),
    "seen": st.datetimes(dt.datetime(1800, 1, 1), dt.datetime(2200, 1, 1)),
    "born": st.dates(dt.date(1800, 1, 1), dt.date(2200, 1, 1)),
    "note": st.text(max_size=20),
}
tables = st.integers(1, 8).flatmap(
    lambda n: st.fixed_dictionaries(
        {name: st.lists(st.none() | cells, min_size=n, max_size=n) for name, cells in CELLS.items()}
    )
)


@given(tables)
def test_any_table_reads_the_same_in_all_flavours(columns):
    columns = {name: columns[name] for name in CELLS}  # hypothesis may reorder them
    n = len(columns["age"])
    kinds = {**SHOWN, **KINDS}
    told = []
    for make in FLAVOURS.values():
        table = open_table(make(columns))
        found = table.infer()
        schema = found.declare("test", dict(zip(found.names, kinds.values(), strict=True)))
        told.append([decoded(part) for part in table.parts(schema, slice(0, n))])
    assert all(same == told[0] for same in told[1:])
