"""Missing cells from models of their columns (P.M158)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LinearRegression as TheirRegression

from suffice import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    LinearRegression,
    ModelImputer,
    NormalImputer,
    Ridge,
    SimpleImputer,
    load,
)
from suffice.core.errors import BadInput

RNG = np.random.default_rng(0)
BASE = RNG.normal(size=(80, 2))
NOISE = 0.8 * RNG.normal(size=(80, 2))
FULL = np.column_stack([BASE, BASE @ np.array([[1.0, 3.0], [2.0, -1.0]]) + NOISE + [0.0, 5.0]])
GAPS = np.where(RNG.random(FULL.shape) < 0.06, np.nan, FULL)


def test_what_follows_from_the_others_is_found() -> None:
    """P.M158: a model of each incomplete column from the others; nearer to the truth than the means."""
    filled = ModelImputer(LinearRegression(), max_iter=100, tol=1e-4).fit(GAPS).transform(GAPS)
    gone = np.isnan(GAPS)
    assert np.abs(filled - FULL)[gone].mean() < 0.7 * np.abs(np.nanmean(GAPS, axis=0) - FULL)[gone].mean()
    np.testing.assert_array_equal(filled[~gone], GAPS[~gone])


def test_the_rounds_end_where_every_model_predicts_what_is_filled() -> None:
    model = ModelImputer(Ridge(1e-3), max_iter=200, tol=1e-10).fit(GAPS)
    filled, gone = model.transform(GAPS), np.isnan(GAPS)
    for j, one in enumerate(model.estimators_):
        rows = gone[:, j]
        np.testing.assert_allclose(
            one.predict(np.delete(filled[rows], j, axis=1)), filled[rows, j], rtol=1e-8, atol=1e-8
        )
        without = GAPS.copy()
        without[:, j] = np.nan  # what a column is learned from was filled without it
        anew = Ridge(1e-3).fit(np.delete(model.transform(without)[~rows], j, axis=1), GAPS[~rows, j])
        np.testing.assert_allclose(one.coef_, anew.coef_, rtol=1e-6, atol=1e-8)


def _factors(n: int, seed: int) -> tuple[Any, Any]:
    """A table of eight columns that share two factors, and the same with two cells of five taken away."""
    rng = np.random.default_rng(seed)
    whole = rng.normal(size=(n, 2)) @ rng.normal(size=(2, 8)) + rng.normal(size=(n, 8))
    return whole, np.where(rng.random(whole.shape) < 0.4, np.nan, whole)


def test_rounds_do_not_drift() -> None:
    """Learned from cells that know the column, coefficients grow round by round, as a peer's do."""
    whole, holed = _factors(300, 1)
    gone = np.isnan(holed)
    drifting = IterativeImputer(TheirRegression(), max_iter=30, tol=1e-9)
    with pytest.warns(ConvergenceWarning):
        told = [
            float(np.sqrt(np.mean((one.fit_transform(holed) - whole)[gone] ** 2)))
            for one in (ModelImputer(tol=1e-2), NormalImputer(), SimpleImputer(), drifting)
        ]
    model, normal, mean, drifted = told
    assert model < 1.01 * normal  # the best there is: the table is normal
    assert model < 0.9 * mean
    assert drifted > 1.05 * model


def test_rounds_that_drive_each_other_up_end_at_limits() -> None:
    """Hardly more rows than columns, and nothing that shrinks coefficients."""
    _, holed = _factors(14, 1)
    with pytest.warns(ConvergenceWarning, match="cells still moved"):
        model = ModelImputer(LinearRegression(), max_iter=30).fit(holed)
    filled, low, high = model.transform(holed), np.nanmin(holed, axis=0), np.nanmax(holed, axis=0)
    assert (filled <= high + 3.0 * (high - low)).all()
    assert (filled >= low - 3.0 * (high - low)).all()


@pytest.mark.filterwarnings("ignore:.IterativeImputer. Early stopping")
def test_the_same_rounds_as_the_peer() -> None:
    """Cells after as many rounds in the same order, from the same start."""
    one_column = FULL.copy()
    one_column[::7, 2] = np.nan
    theirs = IterativeImputer(TheirRegression(), max_iter=3, tol=0.0).fit_transform(one_column)
    mine = ModelImputer(LinearRegression()).fit(one_column).transform(one_column)
    np.testing.assert_allclose(mine, theirs, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:ModelImputer. cells still moved")  # leaves change places
def test_any_regressor_any_row_and_files_of_models(tmp_path: Any) -> None:
    model = ModelImputer(DecisionTreeRegressor(max_depth=4, random_state=0), max_iter=20, tol=1e-3).fit(GAPS)
    new = np.array([[np.nan, 1.0, np.nan, 4.0], [np.nan] * 4])
    assert np.isfinite(model.transform(new)).all()
    assert len(model.estimators_) == 4
    model = ModelImputer().fit(GAPS)
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.transform(new), model.transform(new))
    np.testing.assert_array_equal(loaded.estimator().transform(new), model.transform(new))
    assert loaded.estimator().n_iter_ == model.n_iter_


SIZE = RNG.normal(size=90)
MIXED = pd.DataFrame(
    {
        "size": SIZE,
        "animal": np.where(SIZE > 0.7, "horse", np.where(SIZE > -0.5, "dog", "mouse")),
        "legs": np.where(SIZE > 0.0, 4.0, 2.0) + 0.1 * RNG.normal(size=90),
        "tame": SIZE > 0.2,
    }
)


def test_columns_of_symbols_are_chosen_by_a_classifier(tmp_path: Any) -> None:
    holed = MIXED.astype(object)
    gone = RNG.random(MIXED.shape) < 0.15
    gone[:, 0] = False
    holed = holed.mask(gone).infer_objects()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    model = ModelImputer(DecisionTreeRegressor(max_depth=3, random_state=0), classifier=tree, max_iter=30).fit(holed)
    filled = model.transform(holed)
    animal = filled[:, 1] == MIXED["animal"]
    most = (MIXED["animal"] == MIXED["animal"].mode()[0])[gone[:, 1]].mean()
    assert animal[~gone[:, 1]].all()
    assert animal[gone[:, 1]].mean() > max(0.8, most)
    assert set(filled[:, 3]) == {True, False}
    assert np.abs(filled[gone[:, 2], 2].astype(float) - MIXED["legs"][gone[:, 2]]).mean() < 0.5
    assert model.get_feature_names_out().tolist() == list(MIXED)
    new = pd.DataFrame({"size": [2.0, np.nan], "animal": ["whale", None], "legs": [np.nan, 2.0], "tame": [True, None]})
    told = model.transform(new)
    assert told[0, 1] == "horse"  # a symbol that training never showed is filled in like a missing one
    assert told[1, 1] in ("dog", "mouse")  # two legs
    plain = ModelImputer(max_iter=50).fit(holed)
    plain.save(tmp_path / "model")
    assert (load(tmp_path / "model").transform(new) == plain.transform(new)).all()


def test_one_symbol_alone_and_an_identifier_that_is_left_out() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0], "s": ["a", None, "a"], "id": [7, 8, 9]})
    model = ModelImputer(kinds={"id": "identifier"}).fit(table)
    assert model.transform(table)[:, 1].tolist() == ["a"] * 3
    assert model.get_feature_names_out().tolist() == ["x", "s"]


REFUSED: list[tuple[Any, str]] = [
    (lambda: ModelImputer().fit([[1.0], [2.0]]), "at least two columns"),
    (lambda: ModelImputer().fit([[1.0, np.nan], [2.0, np.nan]]), "present in some row of every column"),
    (lambda: ModelImputer(estimator=3).fit(GAPS), "estimator"),
    (lambda: ModelImputer(classifier=Ridge()).fit(MIXED), "classifier must be a classifier"),
    (lambda: ModelImputer(DecisionTreeClassifier()).fit(MIXED), "estimator must be a regressor"),
    (lambda: ModelImputer(kinds={"tail": "count"}).fit(MIXED), "about columns of the table"),
    (lambda: ModelImputer().fit(MIXED.assign(none=None)), "present in some row of every column"),
    (lambda: ModelImputer(max_iter=0).fit(GAPS), "max_iter"),
    (lambda: ModelImputer().fit(GAPS).transform([[1.0]]), "4 features"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises((BadInput, ValueError), match=message):
        ask()


@pytest.mark.parametrize("given", [np.inf, -1e200])
def test_new_rows_are_refused_by_their_own_column_and_row(given: float) -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    table = pd.DataFrame(X).assign(s=["a", "b"] * 15)
    numbers, mixed = ModelImputer().fit(X), ModelImputer().fit(table.rename(columns=str))
    rows = np.array([[0.0, 1.0, 2.0], [np.nan, given, 1.0]])
    message = r"^ModelImputer: column 1 must be at most 1e\+140 in size, .*, got (inf|-1e\+200) in row 1\. Correct"
    with pytest.raises(BadInput, match=message):
        numbers.transform(rows)
    with pytest.raises(BadInput, match="column 1 must be at most"):
        mixed.transform(pd.DataFrame(rows).assign(s=["a", None]).rename(columns=str))
