"""Typed files and streams of tables: roles, kinds that join, missing targets, batches of any size."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from scipy.sparse import csr_array

from suffice import NaiveBayes
from suffice.core.block import Words
from suffice.core.kinds import Kind
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format
from tests.sources.read_cells import all_cells


def table(**columns: Any) -> pa.Table:
    return pa.table(columns)


def parquet(folder: Path, name: str = "t.parquet", **columns: Any) -> Path:
    pyarrow.parquet.write_table(table(**columns), folder / name)
    return folder / name


def test_roles_of_a_typed_file(tmp_path: Path) -> None:
    path = parquet(
        tmp_path,
        x=[1, 2, 3, 4],
        y=["a", None, "b", "a"],
        w=[1.0, None, 0.5, 2.0],
        who=["p", "q", None, "p"],
        junk=[0] * 4,
    )
    roles = Roles(target="y", weight="w", group="who", ignore="junk")
    for block in (1, 1 << 20):
        rows = open_rows(path, roles, format=Format(block=block))
        chunks = list(rows.chunks())
        assert len(chunks) == (4 if block == 1 else 1)
        assert [chunk.start for chunk in chunks] == list(range(0, 4, 4 // len(chunks)))
        assert chunks[0].schema.names == ("x",)
        weights = np.concatenate([chunk.w for chunk in chunks if chunk.w is not None])
        assert weights.tolist() == [1.0, 0.0, 0.5, 2.0]  # no target, nothing to weigh
        assert (rows.report.rows, rows.report.unlabelled) == (4, 1)
        assert rows.report.column("who").missing == 1
        with pytest.raises(ValueError, match="junk"):
            rows.report.column("junk")
        model = NaiveBayes().learn(rows)
        assert model.summary_.labels == ("a", "b")
        assert model.summary_.tally.weight.value.tolist() == [3.0, 0.5]


@pytest.mark.parametrize(
    "target",
    [
        pd.Series(["a", None, "b"], dtype="str"),
        pd.Series(["a", None, "b"], dtype=object),
        pd.Series(pd.Categorical(["a", None, "b"])),
        pd.Series([1.0, np.nan, 2.0]),
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series([True, None, False], dtype="boolean"),
    ],
    ids=["str", "object", "category", "float", "Int64", "boolean"],
)
def test_missing_labels_of_every_type(target: pd.Series) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": target})
    seen = []
    for what in (
        frame,
        pl.from_pandas(frame),
        pa.Table.from_pandas(frame),
        {"x": [1.0, 2.0, 3.0], "y": target.tolist()},
    ):
        (chunk,) = open_rows(what, Roles(target="y")).chunks()
        assert chunk.y is not None
        assert chunk.keep is not None
        assert chunk.keep.tolist() == [True, False, True]
        assert chunk.y.codes[1, 0] == -1
        seen.append([chunk.y.labels[0][code] for code in chunk.y.codes[[0, 2], 0]])
    assert all(labels == seen[0] for labels in seen)


def test_kinds_join_over_batches(tmp_path: Path) -> None:
    path = parquet(tmp_path, x=[1, 2, -3], empty=pa.array([None, None, 2.5]), flag=[None, True, False])
    rows = open_rows(path, format=Format(block=1))
    kinds = [[column.kind for column in chunk.schema.columns] for chunk in rows.chunks()]
    assert kinds[0] == [Kind.COUNT, Kind.UNKNOWN, Kind.UNKNOWN]
    assert kinds[2] == [Kind.QUANTITATIVE, Kind.QUANTITATIVE, Kind.BOOLEAN]
    assert all_cells(rows) == {"x": [1, 2, -3], "empty": [None, None, 2.5], "flag": [None, True, False]}
    assert rows.report.column("empty").missing == 2


def test_declared_kinds_of_typed_columns(tmp_path: Path) -> None:
    path = parquet(tmp_path, code=[1, 2, 1], pain=["low", "high", "low"], note=["a b", "b", "c"], id=[7, 8, 9])
    kinds = {"code": "categorical", "pain": ["low", "high"], "note": "text"}
    (chunk,) = open_rows(path, Roles(identifier="id"), kinds).chunks()
    assert [column.kind for column in chunk.schema.columns] == [
        Kind.CATEGORICAL,
        Kind.ORDINAL,
        Kind.TEXT,
        Kind.IDENTIFIER,
    ]


def test_orders_survive(tmp_path: Path) -> None:
    frame = pd.DataFrame({"pain": pd.Categorical(["low", "high"], ["low", "mid", "high"], ordered=True), "y": [0, 1]})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_feather(tmp_path / "t.feather")
    for name in ("t.parquet", "t.feather"):
        (chunk,) = open_rows(tmp_path / name, Roles(target="y")).chunks()
        assert chunk.schema.columns[0].order == ("low", "mid", "high")


def test_columns_may_stand_in_another_order(tmp_path: Path) -> None:
    first = parquet(tmp_path, "a.parquet", x=[1, 2], z=["p", "q"])
    second = parquet(tmp_path, "b.parquet", z=["q"], x=[3])
    assert all_cells(open_rows([first, second])) == {"x": [1, 2, 3], "z": ["p", "q", "q"]}
    tables = [{"x": [1], "z": ["p"]}, pl.DataFrame({"z": ["q"], "x": [2]}), pd.DataFrame({"x": [3], "z": ["r"]})]
    assert all_cells(open_rows(tables)) == {"x": [1, 2, 3], "z": ["p", "q", "r"]}


def test_an_array_has_numbered_columns() -> None:
    X = np.array([[1.0, 0.0, 5.0], [2.0, 1.0, 6.0]])
    rows = open_rows(iter([X, X]), Roles(target="x1"))
    chunks = list(rows.chunks())
    assert chunks[0].schema.names == ("x0", "x2")
    assert [chunk.start for chunk in chunks] == [0, 2]
    assert chunks[1].y is not None
    assert chunks[1].y.labels == ((0.0, 1.0),)
    assert all_cells(open_rows(X)) == {"x0": [1, 2], "x1": [0, 1], "x2": [5, 6]}


def test_names_of_columns_may_be_numbers() -> None:
    cells = np.random.default_rng(0).normal(size=(20, 3))
    whole = pd.DataFrame(cells).assign(y=np.arange(20) % 2)
    model = NaiveBayes().fit(open_rows([whole[:7], whole[7:]], Roles(target="y")))
    memory = NaiveBayes().fit(whole[[0, 1, 2]], whole["y"])
    np.testing.assert_allclose(model.predict_proba(whole[[2, 0, 1]]), memory.predict_proba(cells), rtol=1e-12)


def test_a_matrix_of_words() -> None:
    X = csr_array([[1, 0, 2], [0, 1, 0]])
    (chunk,) = open_rows(X).chunks()
    (words,) = chunk.table.parts(chunk.schema, slice(None))
    assert isinstance(words, Words)
    assert words.counts.toarray().tolist() == [[1, 0, 2], [0, 1, 0]]


def test_a_pipe_of_arrow() -> None:
    """What cannot be searched is read whole; a stream of batches is not."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    sink = io.BytesIO()
    pyarrow.parquet.write_table(table(x=[1, 2]), sink)
    assert all_cells(open_rows(Pipe(sink.getvalue()))) == {"x": [1, 2]}
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table(x=[1]).schema) as out:
        out.write_table(table(x=[3]))
    assert all_cells(open_rows(Pipe(sink.getvalue()))) == {"x": [3]}


def test_an_open_file_is_read_from_where_it_stands(tmp_path: Path) -> None:
    sink = io.BytesIO(b"skip this\na,b\n1,x\n")
    sink.readline()
    rows = open_rows(sink)
    for _ in range(2):
        assert all_cells(rows) == {"a": [1], "b": ["x"]}


def test_empty_shards_among_others(tmp_path: Path) -> None:
    paths = [parquet(tmp_path, "0.parquet", x=pa.array([], pa.int64())), parquet(tmp_path, "1.parquet", x=[5])]
    assert all_cells(open_rows(paths)) == {"x": [5]}
    (tmp_path / "0.csv").write_text("x\n")
    (tmp_path / "1.csv").write_text("x\n7\n")
    assert all_cells(open_rows(str(tmp_path / "?.csv"))) == {"x": [7]}


def test_tables_after_which_a_feature_appears() -> None:
    """Rows of which only the class is known count for the class."""

    def tables() -> Iterator[Any]:
        yield {"x": [None, None], "y": ["a", "b"]}
        yield {"x": [1.0, 5.0], "y": ["a", "b"]}

    model = NaiveBayes().learn(open_rows(tables(), Roles(target="y")))
    same = NaiveBayes().fit({"x": [None, None, 1.0, 5.0]}, ["a", "b", "a", "b"])
    assert model.summary_.tally.rows.tolist() == [2, 2]
    X = {"x": [2.0, None]}
    np.testing.assert_allclose(model.predict_proba(X), same.predict_proba(X), atol=1e-14)


def test_a_column_of_lists_is_refused_by_name(tmp_path: Path) -> None:
    path = parquet(tmp_path, x=[[1, 2], [3]], y=["a", "b"])
    with pytest.raises(ValueError, match="column 'x' must be a single value"):
        NaiveBayes().learn(open_rows(path, Roles(target="y")))


def test_learning_again_and_on(tmp_path: Path) -> None:
    """`learn` begins anew, `merge` and `partial_fit` go on."""
    path = parquet(tmp_path, x=[1.0, 2.0, 6.0, 7.0], y=["a", "a", "b", "b"])
    model = NaiveBayes()
    for _ in range(2):
        model.learn(open_rows(path, Roles(target="y")))
        assert model.summary_.tally.rows.tolist() == [2, 2]
    model.partial_fit({"x": [8.0]}, ["b"])
    assert model.summary_.tally.rows.tolist() == [2, 3]
    assert model.feature_names_in_.tolist() == ["x"]
    assert model.n_features_in_ == 1
    assert model.predict({"x": [1.5]}).tolist() == ["a"]


def test_pages_are_as_long_as_their_cells_fill_a_block(tmp_path: Path) -> None:
    """Texts and categories count for eight numbers each, whatever they hold; what the roles ignore counts nothing."""
    n = 1_000
    path = parquet(tmp_path, x=np.arange(n) * 1.0, when=pd.date_range("2020", periods=n), who=["a"] * n, junk=["b"] * n)
    for ignore, bytes_a_row in ((("junk",), 8 + 8 + 64), (("junk", "who"), 8 + 8), ((), 8 + 8 + 64 + 64)):
        rows = open_rows(path, Roles(ignore=ignore), format=Format(block=100 * bytes_a_row))
        assert [chunk.table.n for chunk in rows.chunks()] == [100] * 10
    assert [chunk.table.n for chunk in open_rows(path).chunks()] == [n]
