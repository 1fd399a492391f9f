"""Written rows read anew, as a model that was trained elsewhere knows its columns."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from suffice import NaiveBayes
from suffice.core.block import Coded
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.sources.engines.memory import MemorySource
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows


@pytest.fixture(params=["csv", "pyarrow"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def chunk_of(text: str, engine: str, kinds: Any = None) -> Chunk:
    (chunk,) = open_rows(io.StringIO(text), kinds=kinds, engine=engine).chunks()
    return chunk


def read(chunk: Chunk, *columns: Column) -> list[Any]:
    """The cells of the first column, read as another kind."""
    (part,) = chunk.table.parts(Schema(columns), slice(None))
    if isinstance(part, Coded):
        return [part.labels[0][code] if code >= 0 else None for code in part.codes[:, 0].tolist()]
    return [None if np.isnan(value) else value for value in part[:, 0].tolist()]


def test_numbers_as_symbols(engine: str) -> None:
    chunk = chunk_of("x\n01\n2\nNA\n", engine)
    assert chunk.schema.columns[0].kind is Kind.COUNT
    assert read(chunk, Column("x", Kind.CATEGORICAL)) == ["01", "2", None]
    assert read(chunk, Column("x", Kind.BOOLEAN)) == [None, None, None]
    assert read(chunk, Column("x", Kind.ORDINAL, (1, 2))) == [1, 2, None]
    assert read(chunk, Column("x", Kind.QUANTITATIVE)) == [1, 2, None]


def test_ones_and_zeros_as_truth(engine: str) -> None:
    assert read(chunk_of("x\n1\n0\n", engine), Column("x", Kind.BOOLEAN)) == [True, False]


def test_truth_as_symbols(engine: str) -> None:
    chunk = chunk_of("x\nyes\nNo\n", engine)
    assert chunk.schema.columns[0].kind is Kind.BOOLEAN
    assert read(chunk, Column("x", Kind.CATEGORICAL)) == ["yes", "No"]


def test_symbols_as_numbers(engine: str) -> None:
    chunk = chunk_of("x\na\n2\n3.5\n", engine)
    assert chunk.schema.columns[0].kind is Kind.CATEGORICAL
    assert read(chunk, Column("x", Kind.QUANTITATIVE)) == [None, 2, 3.5]


def test_dates_and_numbers(engine: str) -> None:
    chunk = chunk_of("x\n1970-01-03\n1970-01-04\n", engine)
    assert chunk.schema.columns[0].kind is Kind.DATE
    assert read(chunk, Column("x", Kind.DATE)) == [2, 3]
    assert read(chunk, Column("x", Kind.QUANTITATIVE)) == [None, None]
    assert read(chunk_of("x\n5\n", engine), Column("x", Kind.DATE)) == [None]


def test_an_empty_column_as_anything(engine: str) -> None:
    chunk = chunk_of("x,z\n,1\nNA,2\n", engine)
    for kind in (Kind.QUANTITATIVE, Kind.CATEGORICAL, Kind.BOOLEAN, Kind.DATE):
        assert read(chunk, Column("x", kind)) == [None, None]


def test_some_rows_alone(engine: str) -> None:
    chunk = chunk_of("x,z,t\n1,a,b c\n2,b,c\n3,a,d d\n", engine, {"t": "text"})
    numbers, symbols, words = chunk.table.parts(chunk.schema, slice(1, 3))
    assert numbers.tolist() == [[2], [3]]
    assert [symbols.labels[0][code] for code in symbols.codes[:, 0]] == ["b", "a"]
    assert words.counts.shape[0] == 2


def test_a_column_too_many_and_one_too_few(engine: str) -> None:
    chunk = chunk_of("z,x\n1,2\n", engine)
    assert read(chunk, Column("x", Kind.COUNT)) == [2]
    with pytest.raises(ValueError, match="'w' among them"):
        read(chunk, Column("w", Kind.COUNT))


def test_a_file_predicts_as_the_table_does(engine: str) -> None:
    """Labels of whole numbers in the model, whatever the new file shows by itself."""
    text = "site,age,ok,ill\n1,31,yes,a\n2,44,no,b\nx,25,yes,a\n1,60,,b\n"
    model = NaiveBayes().learn(open_rows(io.StringIO(text), Roles(target="ill"), engine=engine))
    new = chunk_of("ok,site,age\n1,1,30\n0,2,NA\n", engine)  # three columns of numbers
    assert [column.kind for column in new.schema.columns] == [Kind.COUNT] * 3
    state = model.fitted_
    found = MemorySource(new.table, state.schema).map(lambda block: np.exp(state.model.log_posterior(block)))
    same = model.predict_proba({"site": ["1", "2"], "age": [30.0, None], "ok": [True, False]})
    np.testing.assert_allclose(found, same, atol=1e-14)
