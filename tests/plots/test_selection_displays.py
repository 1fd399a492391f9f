"""Pictures of choices: scores against penalties and complexities, coefficients against penalties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_diabetes
from sklearn.linear_model import ElasticNetCV as TheirElasticNetCV
from sklearn.linear_model import Lasso as TheirLasso
from sklearn.linear_model import LassoCV as TheirLassoCV
from sklearn.linear_model import LogisticRegressionCV as TheirLogisticCV
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.linear_model import lasso_path
from sklearn.model_selection import GridSearchCV, KFold

from suffice import (
    ElasticNetCV,
    GaussianNB,
    Lasso,
    LassoCV,
    LogisticRegression,
    LogisticRegressionCV,
    PolynomialRegression,
    Ridge,
    RidgeCV,
)
from suffice.evaluation import SelectionCurve, coefficient_path, complexity_curve, grid_search, read_selection
from suffice.plots import CoefficientPathDisplay, SelectionDisplay

D, T = load_diabetes(return_X_y=True, as_frame=True)
CLASSES = np.where(T.to_numpy() > 140.5, "high", "low")


def axes() -> Any:
    return Figure().subplots()


def data(line: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def band(fill: Any) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper edge of a filled band, by their places."""
    points = fill.get_paths()[0].vertices
    places = np.unique(points[:, 0])
    edges = [points[points[:, 0] == x, 1] for x in places]
    return np.array([e.min() for e in edges]), np.array([e.max() for e in edges])


@pytest.mark.parametrize("search", [LassoCV(cv=5), TheirLassoCV(cv=5)], ids=["ours", "theirs"])
def test_lasso(search: Any) -> None:
    search = search.fit(D, T)
    display = SelectionDisplay.from_search(search, simplest="largest", ax=axes())
    order = np.argsort(search.alphas_)
    mean = search.mse_path_.mean(axis=1)[order]
    error = search.mse_path_.std(axis=1, ddof=1)[order] / np.sqrt(5)
    np.testing.assert_allclose(data(display.line_), (search.alphas_[order], mean), rtol=1e-12)
    low, high = band(display.band_)
    np.testing.assert_allclose(low, mean - error, rtol=1e-9)
    np.testing.assert_allclose(high, mean + error, rtol=1e-9)
    assert display.best_.get_xdata()[0] == pytest.approx(search.alpha_, rel=1e-12)
    best = int(mean.argmin())
    limit = mean[best] + error[best]
    assert display.limit_.get_ydata()[0] == pytest.approx(limit, rel=1e-12)
    assert display.simplest_.get_xdata()[0] == search.alphas_[order][mean <= limit].max()
    assert display.ax_.get_xscale() == "log"
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("alpha", "Mean squared error")


def test_the_simplest_is_that_of_the_rule_of_one_standard_error() -> None:
    display = SelectionDisplay.from_search(LassoCV(cv=5).fit(D, T), simplest="largest", ax=axes())
    chosen = LassoCV(cv=5, rule="one_standard_error").fit(D, T).alpha_
    assert display.simplest_.get_xdata()[0] == pytest.approx(chosen, rel=1e-12)


@pytest.mark.parametrize("kind", [ElasticNetCV, TheirElasticNetCV], ids=["ours", "theirs"])
def test_of_several_ratios_the_chosen_one(kind: Any) -> None:
    search = kind(l1_ratio=[0.2, 0.9], alphas=20, cv=4).fit(D, T)
    curve = read_selection(search)
    assert curve.mean[curve.best] == pytest.approx(search.mse_path_.mean(axis=-1).min(), rel=1e-12)
    assert curve.values[curve.best] == pytest.approx(search.alpha_, rel=1e-12)


def test_ridge_row_by_row() -> None:
    search = RidgeCV(alphas=[0.01, 0.1, 1.0], store_cv_results=True).fit(D, T)
    display = SelectionDisplay.from_search(search, ax=axes())
    np.testing.assert_allclose(data(display.line_)[1], search.cv_results_.mean(axis=0), rtol=1e-12)
    assert display.best_.get_xdata()[0] == search.alpha_


@pytest.mark.parametrize("kind", [LogisticRegressionCV, TheirLogisticCV], ids=["ours", "theirs"])
def test_logistic(kind: Any) -> None:
    more = {"use_legacy_attributes": False} if kind is TheirLogisticCV else {}
    search = kind(Cs=[0.01, 1.0, 100.0], cv=3, scoring="neg_log_loss", l1_ratios=(0.0,), **more).fit(D, CLASSES)
    display = SelectionDisplay.from_search(search, ax=axes())
    np.testing.assert_allclose(data(display.line_)[0], [0.01, 1.0, 100.0])
    assert display.best_.get_xdata()[0] == pytest.approx(float(np.ravel(search.C_)[0]))
    assert (data(display.line_)[1] > 0).all()
    assert display.ax_.get_ylabel() == "Log loss"


def test_a_grid_by_any_of_its_scores() -> None:
    found = grid_search(GaussianNB(), {"var_smoothing": np.logspace(-9, 0, 8)}, D, CLASSES, cv=4)
    display = SelectionDisplay.from_search(found, ax=axes())
    np.testing.assert_allclose(data(display.line_)[1], [r.mean("log_loss") for r in found.results], rtol=1e-12)
    assert display.best_.get_xdata()[0] == found.parameters["var_smoothing"]
    right = SelectionDisplay.from_search(found, scoring="accuracy", ax=axes())
    values = [r.mean("accuracy") for r in found.results]
    assert right.best_.get_ydata()[0] == max(values)
    low, high = band(right.band_)
    np.testing.assert_allclose((high - low) / 2, [r.standard_error("accuracy") for r in found.results], rtol=1e-9)


def test_the_search_of_scikit_learn_with_its_training_scores() -> None:
    grid = {"alpha": [1.0, 0.1, 10.0]}
    search = GridSearchCV(TheirRidge(), grid, cv=3, return_train_score=True, scoring="r2").fit(D, T)
    display = SelectionDisplay.from_search(search, log_scale=False, ax=axes())
    order = np.argsort(grid["alpha"])
    np.testing.assert_allclose(data(display.line_)[1], search.cv_results_["mean_test_score"][order], rtol=1e-12)
    np.testing.assert_allclose(data(display.train_line_)[1], search.cv_results_["mean_train_score"][order], rtol=1e-12)
    assert display.best_.get_xdata()[0] == search.best_params_["alpha"]
    assert display.ax_.get_xscale() == "linear"


def test_the_complexity_curve_of_an_estimator() -> None:
    rng = np.random.default_rng(0)
    x = np.linspace(-1.0, 1.0, 40)[:, None]
    y = np.sin(3.0 * x[:, 0]) + rng.normal(0, 0.1, 40)
    cv = KFold(4, shuffle=True, random_state=0)
    options: dict[str, Any] = {"param_name": "degree", "param_range": range(1, 8), "cv": cv, "ax": axes()}
    display = SelectionDisplay.from_estimator(PolynomialRegression(), x, y, **options)
    found = complexity_curve(PolynomialRegression(), "degree", range(1, 8), x, y, cv=cv)
    np.testing.assert_array_equal(data(display.line_), (np.arange(1, 8), found.test))
    np.testing.assert_array_equal(data(display.train_line_)[1], found.training)
    low, high = band(display.band_)
    np.testing.assert_allclose((high - low) / 2, [one.standard_error for one in found.errors], rtol=1e-9)
    assert display.best_.get_xdata()[0] == found.best
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()][:2] == [
        "rows left out",
        "rows learned from",
    ]


def test_one_fold_has_no_band() -> None:
    curve = SelectionCurve.of("degree", [1, 2], [[3.0], [2.0]], larger=False)
    display = SelectionDisplay(curve=curve).plot(axes(), simplest="smallest", plot_best=False)
    assert display.band_ is None
    assert display.best_ is None
    assert display.simplest_.get_xdata()[0] == 2.0


@pytest.mark.parametrize(("ours", "theirs", "factor"), [(Ridge, TheirRidge, 1.0), (Lasso, TheirLasso, 1.0)])
def test_paths_are_those_of_refits_and_read_the_rows_once(ours: Any, theirs: Any, factor: float) -> None:
    penalties = [10.0, 1.0, 0.1]
    more = {"tol": 1e-10} if ours is Lasso else {}
    path = coefficient_path(ours(**more), D, T, penalties)
    assert path.reads == 1
    refits = np.stack([theirs(alpha=a, **more).fit(D, T).coef_ for a in penalties])
    np.testing.assert_allclose(path.coef, refits, rtol=1e-6, atol=1e-6)
    assert path.names == tuple(D.columns)
    assert coefficient_path(theirs(**more), D, T, penalties).reads == 3
    display = CoefficientPathDisplay(path=path).plot(axes(), chosen=1.0)
    assert [line.get_label() for line in display.lines_] == list(D.columns)
    for j, line in enumerate(display.lines_):
        np.testing.assert_array_equal(data(line), (penalties[::-1], path.coef[::-1, j]))
    assert display.chosen_.get_xdata()[0] == 1.0
    assert display.ax_.get_xscale() == "log"


def test_the_path_of_a_classifier_by_its_c() -> None:
    display = CoefficientPathDisplay.from_estimator(
        LogisticRegression(), D, CLASSES, penalties=[0.1, 1.0], parameter="C", ax=axes()
    )
    expected = LogisticRegression(C=1.0).fit(D, CLASSES).coef_[0]
    np.testing.assert_allclose(display.path.coef[1], expected, rtol=1e-6)
    assert display.ax_.get_xlabel() == "C"


def test_the_path_that_scikit_learn_gives() -> None:
    found = lasso_path(D, T - T.mean(), alphas=[2.0, 0.5, 0.1])
    display = CoefficientPathDisplay(path=found).plot(axes())
    for j, line in enumerate(display.lines_):
        np.testing.assert_array_equal(data(line)[1], found[1][j][::-1])


def test_many_columns_are_not_named() -> None:
    wide = np.random.default_rng(0).normal(size=(30, 20))
    display = CoefficientPathDisplay.from_estimator(Ridge(), wide, wide[:, 0], ax=axes())
    assert len(display.lines_) == 20
    assert display.ax_.get_legend() is None
    assert len(display.path.penalties) == 50
