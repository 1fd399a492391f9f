"""Arrays and sparse matrices as tables: types, orders, views, and what is copied."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from suffice.core.block import Coded, Words
from suffice.core.errors import BadInput, NegativeCounts
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.sources import Codes, FiniteGrid, Frame, Grid, Matrix, open_table
from tests.sources.flavours import decoded

WHOLE = np.array([[3, 0], [7, 250], [0, 1]])
NUMERIC = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64, np.longdouble, ">f8", ">f4"]


def kinds(table):
    return [column.kind.value for column in open_table(table).infer().columns]


def read(table, **declared):
    opened = open_table(table)
    return opened.parts(opened.infer().declare("test", declared), slice(0, opened.n))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [*NUMERIC, *FLOATS])
def test_numbers_are_the_same_in_every_type_and_order(dtype, order):
    X = np.asarray(WHOLE % 100, dtype=dtype, order=order)
    (part,) = read(X)
    assert part.dtype in (np.float32, np.float64)
    assert part.dtype.isnative
    assert part.tolist() == (WHOLE % 100).tolist()
    assert kinds(X) == ["quantitative" if np.dtype(dtype).kind == "f" else "count"] * 2


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_are_seen_not_copied(dtype, order):
    X = np.asarray(WHOLE, dtype=dtype, order=order)
    (part,) = Grid(X).parts(Grid(X).infer(), slice(1, 3))
    assert np.shares_memory(part, X)


def test_a_negative_number_is_no_count():
    assert kinds(np.array([[1, -1], [2, 2]])) == ["count", "quantitative"]
    assert kinds({"x": [1, -1], "y": [1, 2]}) == ["quantitative", "count"]


def test_booleans():
    X = np.array([[True, False], [False, False]])
    assert kinds(X) == ["boolean", "boolean"]
    (part,) = read(X)
    assert decoded(part) == [(True, False), (False, False)]
    (numbers,) = read(X, x0="count", x1="count")
    assert numbers.tolist() == [[1.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("dtype", ["<U5", ">U5", np.dtypes.StringDType(), object])
def test_texts_as_symbols_words_and_numbers(dtype):
    X = np.array([["b", "1.5"], ["a", "2"], ["b", "-3"]], dtype=dtype)
    assert kinds(X) == ["categorical", "categorical"]
    (part,) = read(X)
    assert part.labels == (("b", "a"), ("1.5", "2", "-3"))
    assert {type(label) for labels in part.labels for label in labels} == {str}
    numbers, words = read(X, x0="text", x1="quantitative")
    assert numbers.tolist() == [[1.5], [2.0], [-3.0]]
    assert words.counts.shape == (3, 0)  # words have two letters at least


def test_bytes_are_symbols():
    (part,) = read(np.array([[b"b"], [b"a"], [b"b"]]))
    assert decoded(part) == [(b"b",), (b"a",), (b"b",)]


@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
def test_dates_of_any_unit_are_days(unit):
    X = np.array([["2020-02-29", "NaT"], ["1969-12-31", "1970-01-01"]], dtype=f"datetime64[{unit}]")
    assert kinds(X) == ["date", "date"]
    (part,) = read(X)
    assert np.array_equal(part, [[18321.0, np.nan], [-1.0, 0.0]], equal_nan=True)
    (symbols,) = read(X, x0="categorical", x1="categorical")
    cells = np.array([[str(c) for c in row] for row in decoded(symbols)])
    assert [cell[:10] for cell in cells[:, 0]] == ["2020-02-29", "1969-12-31"]
    assert cells[0, 1] == "None"


def test_spans_of_time_are_days_too():
    X = np.array([[36, 0], [-12, 6]], dtype="timedelta64[h]")
    assert kinds(X) == ["quantitative", "quantitative"]
    assert read(X)[0].tolist() == [[1.5, 0.0], [-0.5, 0.25]]
    spans = [dt.timedelta(hours=36), None, dt.timedelta(hours=-12)]
    for table in (
        {"x": spans},
        pd.DataFrame({"x": spans}),
        pl.DataFrame({"x": spans}),
        pl.DataFrame({"x": spans}).to_arrow(),
    ):
        assert kinds(table) == ["quantitative"]
        assert np.array_equal(read(table)[0], [[1.5], [np.nan], [-0.5]], equal_nan=True)


def test_dates_with_time_zones_are_days_of_utc():
    berlin = dt.timezone(dt.timedelta(hours=1))
    cells = [dt.datetime(1970, 1, 2, 1, tzinfo=berlin), None, dt.datetime(1970, 1, 1, 12, tzinfo=dt.UTC)]
    frame = pd.DataFrame({"x": pd.to_datetime(cells, utc=True).tz_convert("Europe/Berlin")})
    objects = pd.DataFrame({"x": pd.Series(cells, dtype=object)})
    polars = pl.DataFrame({"x": pl.Series(frame["x"])})
    for table in ({"x": cells}, frame, objects, polars, polars.to_arrow()):
        assert kinds(table) == ["date"]
        assert np.array_equal(read(table)[0], [[1.0], [np.nan], [0.5]], equal_nan=True)


def test_declared_dates_are_read_from_text():
    cells = ["2020-02-29", None, "1970-01-01T12:00:00+00:00"]
    for table in ({"x": cells}, pd.DataFrame({"x": cells}), pl.DataFrame({"x": cells})):
        assert np.array_equal(read(table, x="date")[0], [[18321.0], [np.nan], [0.5]], equal_nan=True)


def test_big_whole_numbers_are_rounded_alike():
    cells = [2**60 + 1, None, 2**53 + 1, -(2**62)]
    expected = np.array([[float(2**60 + 1)], [np.nan], [float(2**53 + 1)], [-float(2**62)]])
    polars = pl.DataFrame({"x": cells})
    nullable = pd.DataFrame({"x": pd.array(cells, dtype="Int64")})
    for table in ({"x": cells}, polars, polars.to_arrow(), nullable, np.array(cells, dtype=object)[:, None]):
        assert np.array_equal(read(table)[0], expected, equal_nan=True)


def test_rows_of_lists_keep_the_type_of_every_cell():
    """In one NumPy array of them, Booleans would become numbers, and numbers texts."""
    table = [[True, 1.5, "a", 3, None], [None, 2.5, "b", 4, dt.date(1970, 1, 2)]]
    assert kinds(table) == ["boolean", "quantitative", "categorical", "count", "date"]
    numbers, symbols = read(table)
    assert np.array_equal(numbers, [[1.5, 3.0, np.nan], [2.5, 4.0, 1.0]], equal_nan=True)
    assert decoded(symbols) == [(True, "a"), (None, "b")]
    assert kinds([np.array([1.0, 2.0]), np.array([3.0, 4.0])]) == ["quantitative", "quantitative"]


def test_objects_that_mix_are_categories():
    assert kinds({"x": [1, "a"], "y": [True, 2], "z": [dt.date(2020, 1, 1), 1.5]}) == ["categorical"] * 3
    assert kinds({"x": [1, 2.5], "y": [np.int8(1), 2], "z": [np.bool_(True), False]}) == [
        "quantitative",
        "count",
        "boolean",
    ]


def test_symbols_are_plain_python_values():
    cells = [np.str_("a"), np.int64(1), np.float64(2.5), np.bool_(True), None]
    (part,) = read({"x": cells})
    assert [type(label) for label in part.labels[0]] == [str, int, float]  # True is 1


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series])
def test_declared_kinds_decide_how_cells_are_read(kind):
    table = {"flag": kind([0, 1, 1]), "code": kind([7, 3, 7]), "key": kind([1, 2, 3])}
    if kind in (pd.Series, pl.Series):
        table = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame}[kind](table)
    (part,) = read(table, flag="boolean", code="categorical", key="identifier")
    assert decoded(part) == [(False, 7), (True, 3), (True, 7)]
    assert [type(label) for label in part.labels[0]] == [bool, bool]
    (part,) = read(table, flag="identifier", code=[3, 7], key=[1.0, 2.0, 3.0])
    assert decoded(part) == [(7, 1), (3, 2), (7, 3)]
    assert [type(label) for label in part.labels[1]] == [float, float, float]  # as declared


def test_ordered_categories_of_pandas_polars_and_arrow_are_ordinal():
    ordered = pd.Categorical([3, 1, None], categories=[3, 1], ordered=True)
    unordered = pd.Categorical([3, 1, None], categories=[3, 1])
    schema = open_table(pd.DataFrame({"x": ordered, "y": unordered})).infer()
    assert schema.columns == (Column("x", Kind.ORDINAL, (3, 1)), Column("y", Kind.CATEGORICAL))
    frame = pl.DataFrame(
        {"x": pl.Series(["b"], dtype=pl.Enum(["b", "a"])), "y": pl.Series(["b"], dtype=pl.Categorical)}
    )
    expected = (Column("x", Kind.ORDINAL, ("b", "a")), Column("y", Kind.CATEGORICAL))
    assert open_table(frame).infer().columns == open_table(frame.to_arrow()).infer().columns == expected


def test_polars_categories_that_other_tables_made_do_not_come_along():
    pl.Series([f"other{i}" for i in range(500)], dtype=pl.Categorical)
    (part,) = read(pl.DataFrame({"x": pl.Series(["z", None, "q"], dtype=pl.Categorical)}))
    assert part.labels == (("z", "q"),)


def test_names_of_columns_may_be_numbers_or_pairs():
    frame = pd.DataFrame(WHOLE.astype(float))
    assert open_table(frame).infer().names == (0, 1)
    assert read(frame)[0].tolist() == WHOLE.tolist()
    frame.columns = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])
    assert open_table(frame).infer().names == (("a", 1), ("a", 2))
    assert read(frame)[0].tolist() == WHOLE.tolist()


def test_a_model_of_an_array_reads_a_frame_by_place_and_the_other_way_round():
    array, frame = Grid(WHOLE.astype(float)), pd.DataFrame(WHOLE.astype(float), columns=["a", "b"])
    assert open_table(frame).parts(array.infer(), slice(0, 3))[0].tolist() == WHOLE.tolist()
    assert array.parts(open_table(frame).infer(), slice(0, 3))[0].tolist() == WHOLE.tolist()


def test_columns_are_read_by_name_whatever_else_there_is():
    trained = open_table({"a": [1.0], "key": ["k"], "b": ["x"]}).infer().declare("test", {"key": "identifier"})
    for make in (dict, pd.DataFrame, pl.DataFrame):
        numbers, symbols = open_table(make({"b": ["y"], "more": [0], "a": [2.0]})).parts(trained, slice(0, 1))
        assert numbers.tolist() == [[2.0]]
        assert decoded(symbols) == [("y",)]


def test_a_table_that_is_open_stays_what_it_is():
    for table in (
        Grid(WHOLE),
        Codes(WHOLE),
        Matrix(WHOLE),
        FiniteGrid(WHOLE.astype(float), "x"),
        open_table({"a": [1]}),
    ):
        assert open_table(table) is table
    frame = open_table(pd.DataFrame({"parts": [1], "infer": [2]}))
    assert isinstance(frame, Frame)
    assert frame.infer().names == ("parts", "infer")


FORMATS = [sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.coo_matrix, sparse.lil_array]


@pytest.mark.parametrize("make", FORMATS)
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, bool])
def test_sparse_matrices_of_every_make(make, index, dtype):
    X = make(WHOLE.astype(dtype))
    for name in ("indices", "indptr"):
        if hasattr(X, name):
            setattr(X, name, getattr(X, name).astype(index))
    table = open_table(X)
    assert table.infer() == Schema((Column("words", Kind.TEXT),))
    for rows in (slice(0, 3), slice(1, 2), slice(3, 3)):
        (part,) = table.parts(table.infer(), rows)
        assert isinstance(part, Words)
        assert part.labels == range(2)
        assert part.counts.toarray().tolist() == WHOLE.astype(dtype)[rows].tolist()


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix])
def test_rows_of_a_sparse_matrix_are_seen_not_copied(make):
    X = make(WHOLE.astype(float))
    (part,) = Matrix(X).parts(Matrix(X).infer(), slice(1, 3))
    assert np.shares_memory(part.counts.data, X.data)
    assert np.shares_memory(part.counts.indices, X.indices)
    assert type(part.counts) is type(X)


def test_a_cell_stored_in_pieces_is_one_cell():
    X = sparse.csr_array((np.array([1.0, 2.0, 4.0]), np.array([1, 1, 0]), np.array([0, 3])), shape=(1, 2))
    (part,) = open_table(X).parts(open_table(X).infer(), slice(0, 1))
    assert part.counts.nnz == 2
    assert part.counts.toarray().tolist() == [[4.0, 3.0]]
    assert X.nnz == 3  # the user's own matrix is as it was


def test_words_and_columns_meet():
    """A model trained on a sparse matrix reads arrays, one trained on an array sparse matrices."""
    dense, thin = WHOLE.astype(float), sparse.csr_array(WHOLE.astype(float))
    (words,) = Grid(dense).parts(Matrix(thin).infer(), slice(0, 3))
    assert isinstance(words, Words)
    assert words.counts.tolist() == WHOLE.tolist()
    (numbers,) = Matrix(thin).parts(Grid(dense).infer(), slice(1, 3))
    assert numbers.tolist() == WHOLE[1:].tolist()
    (counts,) = Matrix(dense).parts(Matrix(dense).infer(), slice(0, 3))
    assert counts.counts is not None
    assert np.shares_memory(counts.counts, dense)


def test_a_matrix_of_one_word_may_have_another_name():
    thin, schema = sparse.csr_array([[3.0]]), Schema((Column("note", Kind.TEXT),))
    assert Matrix(thin).parts(schema, slice(0, 1))[0].labels == range(1)
    assert Matrix(thin).at_once(schema) == 1


def test_codes_are_what_they_are():
    for dtype in (np.int8, np.int32, np.int64, np.uint16):
        (part,) = Codes(WHOLE[:1].astype(dtype)).parts(Codes(WHOLE).infer(), slice(0, 1))
        assert isinstance(part, Coded)
        assert part.codes.tolist() == [[3, 0]]
        assert all(3 in labels for labels in part.labels[:1])
    (part,) = Codes(np.array([[1000, 1]])).parts(Codes(WHOLE).infer(), slice(0, 1))
    assert part.labels == (range(1001), range(2))
    (part,) = Codes(WHOLE).parts(Codes(WHOLE).infer(), slice(0, 0))
    assert part.labels == (range(0), range(0))
    with pytest.raises(NegativeCounts, match="Negative values in data passed to CategoricalNB"):
        Codes(np.array([[0], [-1]]), "CategoricalNB").parts(Codes(WHOLE[:, :1]).infer(), slice(0, 2))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_cells_that_must_all_be_there(bad):
    X = np.array([[1e308, 1e308], [1e308, bad]])
    table = FiniteGrid(X, "GaussianNB")
    assert table.parts(table.infer(), slice(0, 1))[0].tolist() == X[:1].tolist()  # their sum is infinite, they are not
    with pytest.raises(BadInput, match="GaussianNB: every cell must be present and finite"):
        table.parts(table.infer(), slice(0, 2))


def test_rarer_types_of_columns():
    decimals = [Decimal("1.5"), None, Decimal("-2")]
    tables = {
        "Decimal": ({"x": decimals}, "quantitative", [1.5, np.nan, -2.0]),
        "Fraction": ({"x": [Fraction(1, 2), None]}, "quantitative", [0.5, np.nan]),
        "polars Decimal": (pl.DataFrame({"x": pl.Series(decimals)}), "quantitative", [1.5, np.nan, -2.0]),
        "Arrow Decimal": (pl.DataFrame({"x": pl.Series(decimals)}).to_arrow(), "quantitative", [1.5, np.nan, -2.0]),
        "pandas Decimal": (pd.DataFrame({"x": decimals}), "quantitative", [1.5, np.nan, -2.0]),
        "polars Int128": (pl.DataFrame({"x": pl.Series([2**100, None], dtype=pl.Int128)}), "count", [2.0**100, np.nan]),
        "Arrow half": (pa.table({"x": pa.array([1.5, None], pa.float16())}), "quantitative", [1.5, np.nan]),
        "Arrow date64": (pa.table({"x": pa.array([dt.date(1970, 1, 3)], pa.date64())}), "date", [2.0]),
        "pandas sparse": (pd.DataFrame({"x": pd.arrays.SparseArray([0.0, 2.5])}), "quantitative", [0.0, 2.5]),
        "pandas Float64": (pd.DataFrame({"x": pd.array([0.5, None], dtype="Float64")}), "quantitative", [0.5, np.nan]),
        "pandas float32": (pd.DataFrame({"x": np.float32([0.5, np.nan])}), "quantitative", [0.5, np.nan]),
        "pandas bool": (pd.DataFrame({"x": [True, False]}), "boolean", [1.0, 0.0]),
        "polars bool": (pl.DataFrame({"x": [True, None]}), "boolean", [1.0, np.nan]),
        "Arrow bool": (pa.table({"x": [True, None]}), "boolean", [1.0, np.nan]),
    }
    for name, (table, kind, numbers) in tables.items():
        assert kinds(table) == [kind], name
        (part,) = read(table, x="quantitative")
        assert np.array_equal(part[:, 0], numbers, equal_nan=True), name


def test_rarer_types_of_symbols():
    clock, raw = [dt.time(9, 30), None, dt.time(17)], [b"a", None, b"b"]
    years, objects = pd.period_range("2020", periods=3, freq="Y"), [1, None, "a"]
    tables = [
        *((make({"x": cells}), cells) for make in (pd.DataFrame, pl.DataFrame, pa.table) for cells in (clock, raw)),
        (pd.DataFrame({"x": years}), years.tolist()),
        (pl.DataFrame({"x": pl.Series(objects, dtype=pl.Object)}), objects),
    ]
    for table, cells in tables:
        assert kinds(table) == ["categorical"]
        assert decoded(read(table)[0]) == [(cell,) for cell in cells]


def test_intervals_have_an_order():
    cut = pd.cut([1.0, 3.0, np.nan], 2)
    (column,) = open_table(pd.DataFrame({"x": cut})).infer().columns
    assert column == Column("x", Kind.ORDINAL, tuple(cut.categories))
    assert decoded(read(pd.DataFrame({"x": cut}))[0]) == [(cut[0],), (cut[1],), (None,)]


class OnlyAnArray:
    """What other array libraries offer."""

    def __array__(self, dtype=None, copy=None):
        return WHOLE.astype(float)


def test_anything_that_gives_an_array():
    assert read(OnlyAnArray())[0].tolist() == WHOLE.tolist()
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix(WHOLE.astype(float))
    assert type(open_table(matrix).X) is np.ndarray
