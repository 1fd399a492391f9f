"""The drop-ins agree with scikit-learn: attributes and predictions, for every form of X and y."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from sklearn.preprocessing import PolynomialFeatures

import suffice

RNG = np.random.default_rng(0)
X = RNG.normal([1.0, -50.0, 0.0, 3.0], [1.0, 10.0, 0.01, 2.0], size=(90, 4))
y = X @ [1.0, 0.2, 30.0, -2.0] + RNG.normal(size=90)
Y = np.column_stack([y, X[:, 0] * 3.0 + RNG.normal(size=90)])
W = RNG.uniform(0.1, 3.0, size=90)
FORMS = {
    "array": lambda X: X,
    "fortran": np.asfortranarray,
    "list": lambda X: X.tolist(),
    "pandas": lambda X: pd.DataFrame(X, columns=list("abcd")),
    "polars": lambda X: pl.DataFrame(X, schema=list("abcd")),
    "csr": sp.csr_array,
    "csc": sp.csc_matrix,
    "mapping": lambda X: dict(zip("abcd", X.T, strict=True)),
}
PARAMETERS: list[tuple[str, dict[str, Any]]] = [
    ("LinearRegression", {}),
    ("LinearRegression", {"fit_intercept": False}),
    ("LinearRegression", {"positive": True}),
    ("Ridge", {"alpha": 3.0}),
    ("Ridge", {"alpha": 0.5, "fit_intercept": False}),
    ("Ridge", {"alpha": 2.0, "positive": True, "tol": 1e-14, "solver": "lbfgs"}),
]


def peer(name: str, **parameters: Any) -> Any:
    if name == "LinearRegression":
        parameters["tol"] = 1e-14  # its default leaves directions out that are there
    return getattr(sklearn.linear_model, name)(**parameters)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_X(form: str) -> None:
    ours = suffice.LinearRegression().fit(FORMS[form](X), y)
    theirs = peer("LinearRegression").fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-10)
    np.testing.assert_allclose(ours.predict(FORMS[form](X)), theirs.predict(X), rtol=1e-11)
    assert ours.n_features_in_ == 4


@pytest.mark.parametrize(("name", "parameters"), PARAMETERS)
@pytest.mark.parametrize("targets", [y, Y, Y[:, :1]], ids=["flat", "two", "column"])
@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
def test_attributes(name: str, parameters: dict[str, Any], targets: Any, w: Any) -> None:
    ours = getattr(suffice, name)(**parameters).fit(X, targets, w)
    theirs = peer(name, **parameters).fit(X, targets, w)
    loose = 1e-5 if parameters.get("solver") == "lbfgs" else 1e-9  # what their iterations leave
    theirs_coef = theirs.coef_
    if name != "Ridge" or targets.shape != (90, 1):  # its Ridge forgets that y was a table; our predictions do not
        assert ours.predict(X).shape == theirs.predict(X).shape
    np.testing.assert_allclose(ours.coef_, theirs_coef, rtol=loose, atol=loose)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=loose, atol=loose)
    assert np.shape(ours.coef_) == np.shape(theirs_coef)
    assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
    assert ours.score(X, targets, w) == pytest.approx(theirs.score(X, targets, w), rel=1e-9)


def test_one_penalty_a_target() -> None:
    ours, theirs = suffice.Ridge([0.0, 5.0]).fit(X, Y), sklearn.linear_model.Ridge([0.0, 5.0]).fit(X, Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)


@pytest.mark.parametrize("intercept", [True, False])
def test_rank_and_singular_values(intercept: bool) -> None:
    ours = suffice.LinearRegression(fit_intercept=intercept).fit(X, y)
    theirs = peer("LinearRegression", fit_intercept=intercept).fit(X, y)
    assert ours.rank_ == theirs.rank_ == 4
    np.testing.assert_allclose(ours.singular_, theirs.singular_, rtol=1e-11)


@pytest.mark.parametrize("rows", [3, 4, 7])
def test_of_all_solutions_the_shortest(rows: int) -> None:
    Z = RNG.normal(size=(rows, 9))
    ours, theirs = suffice.LinearRegression().fit(Z, Z[:, 0]), peer("LinearRegression").fit(Z, Z[:, 0])
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-12)
    assert ours.rank_ == theirs.rank_
    assert len(ours.singular_) == len(theirs.singular_)
    doubled = np.hstack([X, X])
    np.testing.assert_allclose(
        suffice.LinearRegression().fit(doubled, y).coef_, peer("LinearRegression").fit(doubled, y).coef_, rtol=1e-8
    )


def test_a_default_that_costs_correctness_is_another() -> None:
    """scikit-learn counts directions below 1e-6 of the largest as none, in the units of the table."""
    small = X * [1.0, 1.0, 1e-6, 1.0]
    theirs = sklearn.linear_model.LinearRegression().fit(small, y)
    ours = suffice.LinearRegression().fit(small, y)
    assert theirs.score(small, y) < ours.score(small, y) - 0.002
    np.testing.assert_allclose(ours.coef_[2], 1e6 * suffice.LinearRegression().fit(X, y).coef_[2], rtol=1e-9)


def test_how_a_ridge_was_found() -> None:
    """Rows are met once, whatever the penalty; the solver named is scikit-learn's nearest."""
    plain, positive = suffice.Ridge().fit(X, y), suffice.Ridge(positive=True).fit(X, y)
    assert (plain.n_iter_, plain.solver_, positive.n_iter_, positive.solver_) == (1, "svd", 1, "lbfgs")


def test_types_follow_X() -> None:
    ours = suffice.LinearRegression().fit(X.astype(np.float32), y.astype(np.float32))
    assert ours.coef_.dtype == np.float32
    assert suffice.LinearRegression().fit(X.astype(int), y).coef_.dtype == np.float64
    assert suffice.LinearRegression(fit_intercept=False).fit(X, y).intercept_ == 0.0


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("interactions", [False, True])
def test_polynomials_are_least_squares_on_expanded_columns(degree: int, interactions: bool) -> None:
    Z = RNG.normal(size=(80, 3))
    target = Z[:, 0] * Z[:, 1] + Z[:, 2] + 0.1 * RNG.normal(size=80)
    ours = suffice.PolynomialRegression(degree, interactions=interactions).fit(Z, target)
    expanded = PolynomialFeatures(degree, interaction_only=interactions, include_bias=False)
    theirs = peer("LinearRegression").fit(expanded.fit_transform(Z), target)
    assert ours.get_feature_names_out().tolist() == expanded.get_feature_names_out().tolist()
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-11)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3.0}])
@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
def test_ridge_classifier(classes: int, class_weight: Any, w: Any) -> None:
    labels = RNG.integers(0, classes, 90)
    Z = X + labels[:, None]
    ours = suffice.RidgeClassifier(2.0, class_weight=class_weight).fit(Z, labels, w)
    theirs = sklearn.linear_model.RidgeClassifier(2.0, class_weight=class_weight)
    if class_weight == "balanced" and w is not None:  # ours balances weights, theirs numbers of rows
        balance = w.sum() / (classes * np.bincount(labels, w))
        theirs = sklearn.linear_model.RidgeClassifier(2.0, class_weight=dict(enumerate(balance)))
    theirs = theirs.fit(Z, labels, w)
    np.testing.assert_allclose(ours.coef_, np.atleast_2d(theirs.coef_), rtol=1e-9, atol=1e-12)  # as it is documented
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.decision_function(Z), theirs.decision_function(Z), atol=1e-10)
    assert (ours.predict(Z) == theirs.predict(Z)).all()


def test_the_nearest_mean_is_scikit_learns_nearest_centroid() -> None:
    from sklearn.neighbors import NearestCentroid

    labels = RNG.integers(0, 4, 90)
    Z = X + 3.0 * labels[:, None]
    ours = suffice.BasicLinearClassifier().fit(Z, labels)
    assert (ours.predict(Z) == NearestCentroid().fit(Z, labels).predict(Z)).all()
    np.testing.assert_allclose(ours.means_, NearestCentroid().fit(Z, labels).centroids_, rtol=1e-12)


@pytest.mark.parametrize("name", ["LinearRegression", "Ridge", "RidgeCV", "Lasso", "ElasticNet"])
def test_a_table_of_one_target_is_answered_alike(name: str, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = X.sum(axis=1, keepdims=True) + 0.1
    ours, theirs = getattr(suffice, name)().fit(X, y), getattr(sklearn.linear_model, name)().fit(X, y)
    ours.save(tmp_path / "model")
    for model in (ours, suffice.load(tmp_path / "model")):
        assert model.predict(X).shape == theirs.predict(X).shape
        assert model.coef_.shape == theirs.coef_.shape
        assert np.shape(model.intercept_) == np.shape(theirs.intercept_)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-6)
