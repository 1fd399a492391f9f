"""Every drop-in learns from files and streams what it learns from the same rows in memory."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice
from suffice.core.errors import BadInput
from suffice.core.folds import RowFolds
from suffice.estimators.folds.fold_models import FoldModels
from suffice.sources import Format, Roles, open_rows
from suffice.summaries import pattern_moments

RNG = np.random.default_rng(0)
N = 300
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, N)]
COUNTS = pd.DataFrame(RNG.poisson(2.0, (N, 4)) + 2 * (Y == "b")[:, None], columns=list("pqrs"))
NUMBERS = pd.DataFrame(RNG.normal(size=(N, 4)) * [1.0, 5.0, 0.1, 30.0] + (Y == "c")[:, None], columns=list("pqrs"))
NUMBERS["s"] += NUMBERS["p"]
W = RNG.integers(0, 3, N).astype(float)
COUNTED: list[tuple[str, dict[str, Any]]] = [
    ("BernoulliNB", {"alpha": [0.5, 1.0, 1.5, 2.0], "binarize": 2.0}),
    ("CategoricalNB", {"min_categories": 30}),
    ("ComplementNB", {}),
    ("MultinomialNB", {"alpha": [0.5, 1.0, 1.5, 2.0]}),
]
MEASURED: list[tuple[str, dict[str, Any]]] = [
    ("GaussianNB", {}),
    ("LinearDiscriminantAnalysis", {}),
    ("LinearDiscriminantAnalysis", {"solver": "eigen", "shrinkage": "auto"}),
    ("LinearDiscriminantAnalysis", {"missing": "marginalise"}),
    ("QuadraticDiscriminantAnalysis", {}),
    ("QuadraticDiscriminantAnalysis", {"missing": "marginalise", "prior_strength": 1.0}),
]
MODELS = [(name, options, COUNTS) for name, options in COUNTED] + [(n, options, NUMBERS) for n, options in MEASURED]
IDS = [f"{name} {options}" for name, options, _ in MODELS]


def table(X: pd.DataFrame, options: dict[str, Any]) -> pd.DataFrame:
    gaps = np.random.default_rng(1).random(X.shape) < (0.1 if "missing" in options else 0.0)
    return X.mask(gaps) if gaps.any() else X


def written(X: pd.DataFrame, folder: Path) -> Path:
    X.assign(kind=Y, weight=W).to_csv(folder / "rows.csv", index=False)
    return folder / "rows.csv"


def same(found: Any, expected: Any, X: pd.DataFrame) -> None:
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert found.feature_names_in_.tolist() == expected.feature_names_in_.tolist() == list("pqrs")
    assert found.n_features_in_ == 4
    assert found.schema_ == expected.schema_
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.class_count_, expected.class_count_, rtol=1e-12)


@pytest.mark.parametrize(("name", "options", "cells"), MODELS, ids=IDS)
def test_files_and_streams_give_the_model_of_the_rows(name: str, options: Any, cells: Any, tmp_path: Path) -> None:
    X = table(cells, options)
    expected = getattr(suffice, name)(**options).fit(X, Y)
    path = written(X, tmp_path)
    roles, format = Roles(target="kind", ignore="weight"), Format(block=path.stat().st_size // 4)
    assert sum(1 for _ in open_rows(path, roles, format=format).chunks()) >= 3
    same(getattr(suffice, name)(**options).fit(open_rows(path, roles, format=format)), expected, X)
    frame = pa.Table.from_pandas(X.assign(kind=Y), preserve_index=False)
    pq.write_table(frame, tmp_path / "rows.parquet", row_group_size=100)
    same(getattr(suffice, name)(**options).fit(tmp_path / "rows.parquet", target="kind"), expected, X)
    stream = pa.RecordBatchReader.from_batches(frame.schema, frame.to_batches(max_chunksize=70))
    same(getattr(suffice, name)(**options).fit(stream, target="kind"), expected, X)


@pytest.mark.parametrize(("name", "options", "cells"), MODELS, ids=IDS)
def test_weights_and_more_rows_from_files(name: str, options: Any, cells: Any, tmp_path: Path) -> None:
    X = table(cells, options)
    path = written(X, tmp_path)
    expected = getattr(suffice, name)(**options).fit(X, Y, W)
    rows = open_rows(path, Roles(target="kind", weight="weight"))
    found = getattr(suffice, name)(**options).fit(rows)
    same(found, expected, X)
    same(found.partial_fit(X, Y).forget(rows), getattr(suffice, name)(**options).fit(X, Y), X)
    late = getattr(suffice, name)(**options).partial_fit(X, Y, classes=["a", "b", "c"]).partial_fit(rows)
    same(late, expected.partial_fit(X, Y), X)


@pytest.mark.parametrize(("name", "options", "cells"), MODELS, ids=IDS)
def test_models_from_files_are_saved_and_learn_on(name: str, options: Any, cells: Any, tmp_path: Path) -> None:
    X = table(cells, options)
    rows = open_rows(written(X, tmp_path), Roles(target="kind", ignore="weight"))
    model = getattr(suffice, name)(**options).fit(rows)
    model.save(tmp_path / "model")
    loaded = suffice.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    twice = model.partial_fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(loaded.partial_fit(rows).predict_proba(X), twice, rtol=0, atol=1e-12)
    same(loaded.estimator(), model, X)


def test_booleans_are_zeros_and_ones(tmp_path: Path) -> None:
    frame = pd.DataFrame({"p": COUNTS["p"] > 2, "q": COUNTS["q"]})
    expected = suffice.BernoulliNB().fit(frame, Y)
    frame.assign(kind=Y).to_csv(tmp_path / "rows.csv", index=False)
    found = suffice.BernoulliNB().fit(tmp_path / "rows.csv", target="kind")
    np.testing.assert_allclose(found.predict_proba(frame), expected.predict_proba(frame), rtol=0, atol=1e-12)


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    path = written(COUNTS, tmp_path)
    turned = COUNTS[list("srqp")].assign(kind=Y)
    for name, _ in [*COUNTED, ("GaussianNB", {})]:
        model = getattr(suffice, name)().fit(open_rows(path, Roles(target="kind", ignore="weight")))
        expected = getattr(suffice, name)().fit(COUNTS, Y).partial_fit(COUNTS, Y)
        model.partial_fit(pa.Table.from_pandas(turned, preserve_index=False).to_reader(), target="kind")
        same(model, expected, COUNTS)
        with pytest.raises(BadInput, match=f"{name}: the columns must be those of the training table, 'p' among them"):
            model.partial_fit(pa.Table.from_pandas(turned.drop(columns="p")).to_reader(), target="kind")


def test_what_is_no_number_is_named(tmp_path: Path) -> None:
    NUMBERS.assign(word="red", kind=Y).to_csv(tmp_path / "rows.csv", index=False)
    for name in ("GaussianNB", "MultinomialNB", "CategoricalNB"):
        rule = f"{name}: the features must be columns of numbers, got 'word', which is categorical. Leave it out."
        with pytest.raises(BadInput, match=rule):
            getattr(suffice, name)().fit(tmp_path / "rows.csv", target="kind")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("GaussianNB", "every cell must be present"),
        ("CategoricalNB", "every cell must be present"),
        ("MultinomialNB", "X must be finite"),
        ("LinearDiscriminantAnalysis", "(every cell|column 'q') must be present"),
    ],
)
def test_missing_cells_and_columns_are_refused(name: str, told: str, tmp_path: Path) -> None:
    holed = COUNTS.astype(float)
    holed.loc[200, "q"] = np.nan
    for frame in (holed, COUNTS.assign(q=np.nan)):
        path = written(frame, tmp_path)
        model = getattr(suffice, name)(**({"missing": "error"} if name.startswith("Linear") else {}))
        with pytest.raises(BadInput, match=f"{name}: {told}"):
            model.fit(open_rows(path, Roles(target="kind"), format=Format(block=1000)))


def test_declared_classes_hold_for_files_too(tmp_path: Path) -> None:
    path = written(COUNTS, tmp_path)
    rows = open_rows(path, Roles(target="kind", ignore="weight"))
    model = suffice.MultinomialNB().partial_fit(rows, classes=["a", "b", "c", "d"])
    assert model.class_count_.tolist() == [*(float((label == Y).sum()) for label in "abc"), 0.0]
    with pytest.raises(BadInput, match="do not exist in the initial classes"):
        suffice.MultinomialNB().partial_fit(rows, classes=["a", "b"])


def test_one_column_for_each_alpha(tmp_path: Path) -> None:
    rows = open_rows(written(COUNTS, tmp_path), Roles(target="kind", ignore="weight"))
    with pytest.raises(BadInput, match="MultinomialNB: alpha must be one number for each of 4 columns"):
        suffice.MultinomialNB(alpha=[1.0, 2.0]).fit(rows)
    with pytest.raises(BadInput, match="CategoricalNB: min_categories must be one number, or one for each column"):
        suffice.CategoricalNB(min_categories=[3, 4]).fit(rows)


def test_a_second_fit_takes_other_columns(tmp_path: Path) -> None:
    other = COUNTS.rename(columns={"p": "z"})
    path = written(COUNTS, tmp_path)
    model = suffice.MultinomialNB().fit(other, Y).fit(open_rows(path, Roles(target="kind", ignore="weight")))
    same(model, suffice.MultinomialNB().fit(COUNTS, Y), COUNTS)
    assert suffice.GaussianNB().fit(NUMBERS, Y).fit(NUMBERS[["p"]], Y).schema_.names == ("p",)


def test_many_patterns_in_files_are_learned_in_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X = NUMBERS.mask(np.random.default_rng(2).random(NUMBERS.shape) < 0.3)
    options = {"missing": "marginalise", "prior_strength": 1.0}
    monkeypatch.setattr(pattern_moments, "CELLS", 5 * 3 * 16)
    path = written(X, tmp_path)
    for name in ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"):
        expected = getattr(suffice, name)(**options).fit(X, Y)
        rows = open_rows(path, Roles(target="kind", ignore="weight"), format=Format(block=3000))
        found = getattr(suffice, name)(**options).fit(rows)
        assert found.passes_ == expected.passes_ > 3
        np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-9)
        frame = pa.Table.from_pandas(X.assign(kind=Y), preserve_index=False)
        with pytest.raises(BadInput, match=f"{name}: the source must be one that can be read again"):
            getattr(suffice, name)(**options).fit(frame.to_reader(), target="kind")


def test_a_covariance_estimator_wants_rows_in_memory(tmp_path: Path) -> None:
    from sklearn.covariance import OAS

    rows = open_rows(written(NUMBERS, tmp_path), Roles(target="kind", ignore="weight"))
    model = suffice.LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=OAS())
    with pytest.raises(BadInput, match="covariance_estimator must be None where the rows come from files"):
        model.fit(rows)


@pytest.mark.parametrize(("name", "options", "cells"), MODELS, ids=IDS)
def test_folds_of_files_are_learned_in_one_pass(name: str, options: Any, cells: Any, tmp_path: Path) -> None:
    X = table(cells, options)
    rows = open_rows(written(X, tmp_path), Roles(target="kind", ignore="weight"), format=Format(block=2000))
    folds = np.arange(N) % 3
    made = [getattr(suffice, name)(**options) for _ in range(2)]
    read = FoldModels.of(made[0], rows, draw=partial(RowFolds, folds)).estimators
    kept = FoldModels.of(made[1], X, Y, draw=partial(RowFolds, folds)).estimators
    for a, b in zip(read, kept, strict=True):
        assert a.feature_names_in_.tolist() == list("pqrs")
        np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=0, atol=1e-12)
