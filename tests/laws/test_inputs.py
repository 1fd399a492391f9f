"""One table, many containers: arrays of any layout, sparse matrices and frames of any library give one model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array, csr_matrix

from suffice import NaiveBayes
from suffice.testing import discovery
from suffice.testing.adding import fitted, weighted
from suffice.testing.check import hold
from suffice.testing.law import law
from suffice.testing.learning import ModelTable, assert_same_model
from suffice.testing.model_tables import WIDENING, tables_for

MODELS = discovery.estimators()
MIXED_TYPES = (*WIDENING, "whole or not")  # cells of several types in one column, which typed frames do not hold
Wrap = Callable[[Any], Any]


def named(X: Any) -> dict[str, Any]:
    """Columns by name."""
    if isinstance(X, Mapping):
        return dict(X)
    return {f"column {j}": column for j, column in enumerate(dense(X).T)}


def dense(X: Any) -> Any:
    return X.toarray() if hasattr(X, "toarray") else X


def with_indices(kind: Any, dtype: Any) -> Wrap:
    def wrap(X: Any) -> Any:
        matrix = kind(dense(X))
        matrix.indices, matrix.indptr = matrix.indices.astype(dtype), matrix.indptr.astype(dtype)
        return matrix

    return wrap


def strided(X: Any) -> Any:
    wide = np.repeat(np.repeat(dense(X), 2, axis=0), 3, axis=1)
    return wide[::2, ::3]


FRAMES: dict[str, Wrap] = {
    "pandas": lambda X: pd.DataFrame(named(X)),
    "polars": lambda X: pl.DataFrame(named(X)),
    "Arrow": lambda X: pa.table(named(X)),
}
ARRAYS: dict[str, Wrap] = {
    "C": lambda X: np.ascontiguousarray(dense(X)),
    "Fortran": lambda X: np.asfortranarray(dense(X)),
    "strided": strided,
    "reversed": lambda X: dense(X)[:, ::-1][:, ::-1],
    "lists": lambda X: dense(X).tolist(),
    "read-only": lambda X: np.broadcast_to(dense(X), dense(X).shape),
}
SPARSE: dict[str, Wrap] = {
    "sparse array": with_indices(csr_array, np.int32),
    "sparse array, long": with_indices(csr_array, np.int64),
    "sparse matrix": with_indices(csr_matrix, np.int32),
    "sparse matrix, long": with_indices(csr_matrix, np.int64),
}


def wraps_for(model: type[Any]) -> dict[str, Wrap]:
    """The containers that a model takes, by its tags."""
    tags = model().__sklearn_tags__().input_tags
    if tags.string:
        return FRAMES
    return {**FRAMES, **ARRAYS, **(SPARSE if tags.sparse else {})}


@law
def one_model(cls: type[Any], wrap: Wrap, table: ModelTable) -> None:
    """Learned from and asked through another container, the model says the same."""
    other = cls(**table.parameters).fit(wrap(table.X), table.y, **weighted(table))
    wrapped = replace(table, X=wrap(table.X), query=wrap(table.query))
    reference = fitted(cls, table)
    for X, Z in ((table.X, wrapped.X), (table.query, wrapped.query)):
        gap = np.abs(other.predict_proba(Z) - reference.predict_proba(X))
        assert gap.max(initial=0.0) <= 1e-12, f"apart by {gap.max()}"
    assert other.classes_.tolist() == reference.classes_.tolist()


@pytest.mark.parametrize(
    ("model", "name"), [(m, name) for m in MODELS for name in wraps_for(m)], ids=lambda x: getattr(x, "__name__", x)
)
def test_the_container_does_not_matter(model: type[Any], name: str) -> None:
    wrap = wraps_for(model)[name]
    tables = tables_for(model, **({"without": MIXED_TYPES} if model is NaiveBayes else {}))
    hold(lambda table: one_model(model, wrap, table), tables, f"{model.__name__} {name}")


@pytest.mark.parametrize("wrap", ARRAYS.values(), ids=ARRAYS)
def test_naive_bayes_takes_arrays_of_any_layout(wrap: Wrap) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 5)), rng.integers(0, 3, 60)
    X[rng.random(X.shape) < 0.2] = np.nan
    reference = NaiveBayes().fit(X, y).predict_proba(X)
    assert np.abs(NaiveBayes().fit(wrap(X), y).predict_proba(wrap(X)) - reference).max() <= 1e-12


OF_FLOATS = [model for model in MODELS if model is NaiveBayes or not model().__sklearn_tags__().input_tags.categorical]


@pytest.mark.parametrize("model", OF_FLOATS)
def test_float32_cells_are_taken_as_they_are(model: type[Any]) -> None:
    """The model of float32 cells is that of the same numbers as float64."""
    rng = np.random.default_rng(1)
    X, y = rng.poisson(2.0, (50, 4)).astype(np.float32) / np.float32(3), rng.integers(0, 2, 50)
    narrow, wide = model().fit(X, y), model().fit(X.astype(np.float64), y)
    assert np.abs(narrow.predict_proba(X) - wide.predict_proba(X.astype(np.float64))).max() <= 1e-12


LABELS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "array": np.array,
    "objects": lambda y: np.array(y, dtype=object),
    "pandas": pd.Series,
    "pandas category": lambda y: pd.Series(y).astype("category"),
    "polars": pl.Series,
    "Arrow": pa.array,
}


@pytest.mark.parametrize("labels", [["b", "a", "b", "c"], [3, -1, 3, 300], [True, False, True, False]], ids=str)
@pytest.mark.parametrize("wrap", LABELS.values(), ids=LABELS)
def test_the_container_of_labels_does_not_matter(labels: list[Any], wrap: Callable[[list[Any]], Any]) -> None:
    X = {"x": [1.0, 2.0, 1.5, 9.0]}
    reference, other = NaiveBayes().fit(X, labels), NaiveBayes().fit(X, wrap(labels))
    assert other.classes_.tolist() == sorted(set(labels))
    assert np.array_equal(other.predict_proba(X), reference.predict_proba(X))


def shards_of_kinds() -> dict[str, tuple[list[Any], list[Any]]]:
    """Two shards of one column that show different kinds."""
    return {
        "yes or no, then words": ([True, False, True], ["maybe", None, "maybe"]),
        "whole, then not": ([1, 2, 3], [0.5, None, 2.5]),
        "whole, then below zero": ([1, 2, 3], [-1, None, -2]),
        "missing, then numbers": ([None, None, None], [0.5, 1.5, 2.5]),
        "missing, then words": ([None, None, None], ["a", "b", "a"]),
        "missing, then yes or no": ([None, None, None], [True, False, True]),
    }


@pytest.mark.parametrize("alone", [False, True], ids=["among others", "the only column"])
@pytest.mark.parametrize("order", [1, -1], ids=["this way", "the other way"])
@pytest.mark.parametrize("cells", shards_of_kinds().values(), ids=shards_of_kinds())
def test_shards_may_show_different_kinds(cells: tuple[list[Any], list[Any]], order: int, alone: bool) -> None:
    first, second = cells[::order]
    rest = (lambda n: {}) if alone else (lambda n: {"rest": [0.25 * i for i in range(n)]})
    a, b = {"x": first, **rest(3)}, {"x": second, **rest(3)}
    both = {name: [*a[name], *b[name]] for name in a}
    y, z = ["p", "q", "p"], ["q", "r", "q"]
    whole = NaiveBayes().fit(both, [*y, *z])
    table = ModelTable(both, np.array([*y, *z]), None, np.arange(6), (), both)
    empty = [alone and not any(cell is not None for cell in cells) for cells in (first, second)]
    if not empty[0]:  # where there is nothing to learn from but labels, a shard cannot be the first
        assert_same_model(NaiveBayes().fit(a, y).partial_fit(b, z), whole, table)
    if not any(empty):  # nor be a model of its own
        assert_same_model(NaiveBayes().fit(a, y) + NaiveBayes().fit(b, z), whole, table)


def test_a_shard_without_a_single_cell_brings_its_labels() -> None:
    """Learned by a model that knows the columns, it counts for the class shares, and can be forgotten again."""
    earlier = NaiveBayes().fit({"x": [1.0, 2.0, 4.0]}, ["a", "b", "b"])
    model = NaiveBayes().fit({"x": [1.0, 2.0, 4.0]}, ["a", "b", "b"]).partial_fit({"x": [None, None]}, ["a", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.summary_.tally.rows.tolist() == [2, 2, 1]
    model.partial_fit({"x": []}, []).forget({"x": [None, None]}, ["a", "c"])
    table = ModelTable({"x": [1.0, 2.0, 4.0]}, np.array(["a", "b", "b"]), None, np.arange(3), (), {"x": [None, 3.0]})
    assert_same_model(model, earlier, table)


@pytest.mark.parametrize("kind", ["numbers", "symbols"])
def test_a_missing_cell_changes_no_other_column_of_the_model(kind: str) -> None:
    rng = np.random.default_rng(4)
    cells = {"numbers": lambda: rng.normal(size=30).tolist(), "symbols": lambda: rng.choice(list("abc"), 30).tolist()}
    X = {name: cells[kind]() for name in ("first", "second", "third")}
    y = rng.choice(list("pq"), 30).tolist()
    lost = {**X, "first": [None if i % 3 == 0 else cell for i, cell in enumerate(X["first"])]}
    before, after = (NaiveBayes().fit(table, y).fitted_.summary.summary.parts[0].columns([1, 2]) for table in (X, lost))
    assert str(before) == str(after)
    one, other = (NaiveBayes().fit(table, y).explain(X, "p", "q").contributions[:, 1:] for table in (X, lost))
    assert np.array_equal(one, other)


def test_labels_of_narrow_types_do_not_spoil_wide_ones() -> None:
    model = NaiveBayes().fit(np.array([[1.0], [2.0]]), np.array([300, 1]))
    model.partial_fit(np.array([[1.0], [2.0]]), np.array([1, 2], dtype=np.int8))
    assert model.classes_.tolist() == [1, 2, 300]
    assert set(model.predict(np.array([[1.0], [2.0]])).tolist()) <= {1, 2, 300}
