"""Missing cells in linear models: an indicator of their own and the mean, exact however the rows were divided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import linear_model as peer
from sklearn.base import clone

import suffice
from suffice import BasicLinearClassifier, Chain, LinearRegression, LogisticRegression, Ridge, RidgeClassifier, RidgeCV
from suffice.core.added_columns import AddedColumns
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.evaluation import cross_validate
from suffice.summaries.least_squares import LeastSquaresSummary

RNG = np.random.default_rng(0)
N = 90
WHOLE = pd.DataFrame(
    {
        "age": RNG.normal(50.0, 10.0, N),
        "site": pd.Series(RNG.choice(["n", "s", "w"], N), dtype=object),
        "ill": RNG.random(N) < 0.5,
        "dose": RNG.normal(size=N),
    }
)
Y = 0.1 * WHOLE["age"].to_numpy() + 2.0 * (WHOLE["site"] == "s").to_numpy() - WHOLE["dose"] + RNG.normal(size=N)
LABELS = np.where(np.median(Y) < Y, "b", "a")
GAPS = WHOLE.copy()
GAPS.loc[RNG.random(N) < 0.2, "age"] = np.nan
GAPS.loc[RNG.random(N) < 0.15, "site"] = None
GAPS.loc[RNG.random(N) < 0.15, "dose"] = np.nan
NAMES = ["age", "age is missing", "site=s", "site=w", "site is missing", "ill", "dose", "dose is missing"]
ONE_PASS = {
    "LinearRegression": (LinearRegression, Y),
    "Ridge": (lambda: Ridge(alpha=2.0), Y),
    "Lasso": (lambda: suffice.Lasso(alpha=0.01), Y),
    "RidgeClassifier": (RidgeClassifier, LABELS),
    "BasicLinearClassifier": (lambda: BasicLinearClassifier("full"), LABELS),
}


def design(table: pd.DataFrame, known: pd.DataFrame = GAPS) -> np.ndarray:
    """The same by hand."""
    age, dose = (table[name].fillna(known[name].mean()) for name in ("age", "dose"))
    site = table["site"]
    columns = age, table["age"].isna(), site == "s", site == "w", site.isna(), table["ill"], dose, table["dose"].isna()
    return np.column_stack(columns).astype(float)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(LinearRegression(), peer.LinearRegression()), (Ridge(2.0), peer.Ridge(2.0))]
)
def test_an_indicator_and_the_mean(ours: Any, theirs: Any) -> None:
    ours.fit(GAPS, Y)
    theirs.fit(design(GAPS), Y)
    assert ours.get_feature_names_out().tolist() == NAMES
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(ours.predict(GAPS), theirs.predict(design(GAPS)), rtol=1e-11)


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_logistic_regression(C: float) -> None:
    ours = LogisticRegression(C=C, tol=1e-10).fit(GAPS, LABELS)
    theirs = peer.LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(design(GAPS), LABELS)
    assert ours.get_feature_names_out().tolist() == NAMES
    np.testing.assert_allclose(ours.predict_proba(GAPS), theirs.predict_proba(design(GAPS)), atol=1e-7)


@pytest.mark.parametrize("name", ONE_PASS)
def test_any_division_of_the_rows_gives_the_same_model(name: str) -> None:
    """Also where all cells of a column are missing on a shard, and where a gap or a level is on one shard only."""
    make, y = ONE_PASS[name]
    table = GAPS.copy()
    table.loc[:29, ["age", "site"]] = [np.nan, None]
    table.loc[30:59, "dose"] = 1.0
    whole = make().fit(table, y)
    shards = [(table[a : a + 30], y[a : a + 30]) for a in (0, 30, 60)]
    merged = make().fit(*shards[2]).merge(*(make().fit(*shard) for shard in shards[:2]))
    learned = make().fit(*shards[0]).partial_fit(*shards[1]).partial_fit(*shards[2])
    for model in (merged, learned):
        assert model.get_feature_names_out().tolist() == whole.get_feature_names_out().tolist()
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10, atol=1e-12)
    learned.forget(*shards[0])
    fresh = make().fit(table[30:], y[30:])
    assert learned.get_feature_names_out().tolist() == fresh.get_feature_names_out().tolist()
    np.testing.assert_allclose(learned.coef_, fresh.coef_, rtol=1e-9, atol=1e-10)


def test_the_last_gap_that_is_forgotten_takes_its_indicator_along() -> None:
    model = LinearRegression().fit(WHOLE, Y).partial_fit(GAPS[:30], Y[:30]).forget(GAPS[:30], Y[:30])
    assert model.get_feature_names_out().tolist() == ["age", "site=s", "site=w", "ill", "dose"]
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(WHOLE, Y).coef_, rtol=1e-10)


@pytest.mark.parametrize("model", [Ridge(2.0), LogisticRegression(tol=1e-10)])
def test_a_weight_is_so_many_copies_and_none_is_no_row(model: Any) -> None:
    y = Y if isinstance(model, Ridge) else LABELS
    w = np.arange(N) % 3
    copies = np.repeat(np.arange(N), w)
    weighed, copied = (clone(model).fit(GAPS, y, w), clone(model).fit(GAPS.iloc[copies], y[copies]))
    np.testing.assert_allclose(weighed.coef_, copied.coef_, rtol=1e-7, atol=1e-9)
    table = WHOLE.copy()
    table.loc[0, "age"] = np.nan
    nothing = (np.arange(N) > 0).astype(float)
    assert "age is missing" not in clone(model).fit(table, y, nothing).get_feature_names_out()


def test_far_from_zero_no_digit_is_lost_but_those_of_the_cells() -> None:
    far = GAPS.copy()
    far["age"] = np.round(far["age"]) + 1e8
    near = far.copy()
    near["age"] -= 1e8
    for make in (LinearRegression, lambda: Ridge(2.0)):
        a, b = make().fit(far, Y), make().fit(near, Y)
        np.testing.assert_allclose(a.predict(far), b.predict(near), rtol=1e-8)
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-8, atol=1e-9)


def test_the_conditional_mean_by_a_step_before() -> None:
    """The other choice that the guide names: what is expected of a gap, given the numbers of its row."""
    noise = np.random.default_rng(1).normal(size=N)
    numbers = GAPS[["age", "dose"]].assign(both=WHOLE["age"] + 10.0 * WHOLE["dose"] + noise)
    filled = suffice.NormalImputer().fit(numbers).transform(numbers)
    chain = Chain(suffice.NormalImputer(), LinearRegression()).fit(numbers, Y)
    np.testing.assert_allclose(chain.predict(numbers), LinearRegression().fit(filled, Y).predict(filled), rtol=1e-11)


def test_a_gap_that_training_never_met_is_the_average_row() -> None:
    for model, y in ((LinearRegression(), Y), (LogisticRegression(), LABELS)):
        model.fit(WHOLE, y)
        filled = pd.DataFrame({"age": [None, 40.0], "site": ["n", None], "ill": [True, True], "dose": [0.0, 0.0]})
        meant = filled.assign(age=[WHOLE["age"].mean(), 40.0])
        told = model.predict(filled) if y is Y else model.decision_function(filled)
        again = model.predict(meant) if y is Y else model.decision_function(meant)
        np.testing.assert_allclose(told[0], again[0], rtol=1e-12)
        assert np.isfinite(told).all()


@pytest.mark.parametrize("model", [LinearRegression(), LogisticRegression(), RidgeClassifier()])
def test_arrays_are_refused_unless_asked_for(model: Any) -> None:
    y = Y if isinstance(model, LinearRegression) else LABELS
    X = GAPS[["age", "dose"]].to_numpy()
    with pytest.raises(BadInput, match=r"column 'x1' must be present in every row \(Input X contains NaN\)"):
        clone(model).fit(X, y)
    with pytest.raises(BadInput, match="column 'dose' must be present in every row"):
        clone(model).set_params(missing="error").fit(GAPS[["age", "dose"]], y)
    asked = clone(model).set_params(missing="indicator")
    assert asked.__sklearn_tags__().input_tags.allow_nan
    assert not model.__sklearn_tags__().input_tags.allow_nan
    np.testing.assert_allclose(asked.fit(X, y).coef_, clone(model).fit(GAPS[["age", "dose"]], y).coef_, rtol=1e-12)


def test_every_library_and_files_give_the_same_model(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    GAPS.assign(y=Y, label=LABELS).to_csv(path, index=False)
    columns = list(GAPS.columns)
    for model, y, name, other in ((Ridge(2.0), Y, "y", "label"), (LogisticRegression(tol=1e-10), LABELS, "label", "y")):
        known = clone(model).fit(GAPS, y)
        mapping = {column: GAPS[column].tolist() for column in columns}
        for table in (pl.from_pandas(GAPS), pa.Table.from_pandas(GAPS), mapping):
            np.testing.assert_allclose(clone(model).fit(table, y).coef_, known.coef_, rtol=1e-10)
        alone = tmp_path / f"{name}.csv"
        pd.read_csv(path).drop(columns=other).to_csv(alone, index=False)
        np.testing.assert_allclose(clone(model).fit(alone, target=name).coef_, known.coef_, rtol=1e-8, atol=1e-10)


def test_saved_models_answer_alike_and_learn_on(tmp_path: Path) -> None:
    for model, y in ((Ridge(2.0), Y), (LogisticRegression(), LABELS)):
        model.fit(GAPS[:60], y[:60]).save(tmp_path / "model")
        back = suffice.load(tmp_path / "model")
        np.testing.assert_array_equal(back.predict(GAPS), model.predict(GAPS))
        np.testing.assert_array_equal(back.estimator().predict(GAPS), model.predict(GAPS))
    back = suffice.load(_saved(tmp_path, Ridge(2.0).fit(GAPS[:60], Y[:60])))
    back.partial_fit(GAPS[60:], Y[60:])
    np.testing.assert_allclose(back.predict(GAPS), Ridge(2.0).fit(GAPS, Y).predict(GAPS), rtol=1e-10)


def _saved(folder: Path, model: Any) -> Path:
    model.save(folder / "again")
    return folder / "again"


def test_penalties_are_chosen_as_on_the_columns_by_hand() -> None:
    """Left out one by one, rows are filled with the mean of all; in folds, with that of the other folds."""
    ours = RidgeCV(alphas=[0.01, 1.0, 100.0], store_cv_results=True).fit(GAPS, Y)
    theirs = RidgeCV(alphas=[0.01, 1.0, 100.0], store_cv_results=True).fit(design(GAPS), Y)
    np.testing.assert_allclose(ours.cv_results_, theirs.cv_results_, rtol=1e-9, atol=1e-12)
    assert ours.alpha_ == theirs.alpha_
    folds = [(np.arange(45), np.arange(45, N)), (np.arange(45, N), np.arange(45))]
    errors = []
    for train, test in folds:
        model = Ridge(1.0).fit(GAPS.iloc[train], Y[train])
        errors.append(np.mean((Y[test] - model.predict(GAPS.iloc[test])) ** 2))
    found = RidgeCV(alphas=[1.0], cv=folds, scoring="neg_mean_squared_error").fit(GAPS, Y)
    np.testing.assert_allclose(-found.best_score_, np.mean(errors), rtol=1e-10)


def test_folds_add_and_are_filled_by_the_others() -> None:
    folds = [(np.arange(30, N), np.arange(30)), (np.arange(30), np.arange(30, N))]
    found = cross_validate(Ridge(2.0), GAPS, Y.to_numpy(), cv=folds)
    errors = np.empty(N)
    for train, test in folds:
        errors[test] = Y[test] - Ridge(2.0).fit(GAPS.iloc[train], Y[train]).predict(GAPS.iloc[test])
    assert found.path == "folds added"
    np.testing.assert_allclose(found.total.mean_squared_error.value, np.mean(errors**2), rtol=1e-10)


def test_scaled_columns_keep_their_gaps_in_a_chain() -> None:
    table = GAPS[["age", "dose"]]
    chain = Chain(suffice.StandardScaler(), Ridge(2.0, missing="indicator")).fit(table, Y)
    scaled = (table - table.mean()) / table.std(ddof=0)
    assert chain.passes_ == 1
    np.testing.assert_allclose(chain.predict(table), Ridge(2.0).fit(scaled, Y).predict(scaled), rtol=1e-11)


def test_products_of_columns_with_gaps_are_refused() -> None:
    for model in (suffice.PolynomialRegression(), suffice.TotalLeastSquares()):
        with pytest.raises(BadInput, match=r"column '.*' must be present in every row .* Fill it in"):
            model.fit(GAPS, Y)


def test_adding_columns_is_summarizing_their_sum() -> None:
    """The law of every push: what is kept of mapped rows is what was kept of the rows, pushed."""
    X = RNG.normal([1e6, 0.0, 0.0], 1.0, size=(40, 3))
    R = Shares.hard(np.arange(40) % 2, 2)
    by = AddedColumns(np.array([0]), np.array([2]), np.array([7.0]))
    mapped = X.copy()
    mapped[:, 0] += 7.0 * X[:, 2]
    pushed, made = LeastSquaresSummary.of(X, R).push(by), LeastSquaresSummary.of(mapped, R)
    np.testing.assert_allclose(pushed.moments.mean.value, made.moments.mean.value, rtol=1e-12)
    np.testing.assert_allclose(pushed.moments.scatter.value, made.moments.scatter.value, rtol=1e-8)
