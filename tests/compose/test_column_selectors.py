"""SelectFromModel and SequentialFeatureSelector beside scikit-learn's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import feature_selection as peer
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression as TheirRegression

from suffice import (
    DecisionTreeClassifier,
    GaussianNB,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Ridge,
    SelectFromModel,
    SequentialFeatureSelector,
    load,
)
from suffice.core.errors import BadInput

X, Y = load_diabetes(return_X_y=True)
XC, YC = (part[:200] for part in load_breast_cancer(return_X_y=True))
XC = XC[:, :6]


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("size", ["auto", 3, 0.25])
def test_least_squares_choose_as_scikit_learn_by_one_pass(direction: str, size: Any) -> None:
    options: dict[str, Any] = {"n_features_to_select": size, "direction": direction, "cv": 4}
    options["scoring"] = "neg_mean_squared_error"
    ours = SequentialFeatureSelector(LinearRegression(), **options).fit(X, Y)
    theirs = peer.SequentialFeatureSelector(TheirRegression(), **options).fit(X, Y)
    assert ours.get_support().tolist() == theirs.get_support().tolist()
    assert ours.n_features_to_select_ == theirs.n_features_to_select_


def test_any_estimator_and_a_least_gain() -> None:
    ours = SequentialFeatureSelector(GaussianNB(), tol=1e-3, cv=3).fit(XC, YC)
    theirs = peer.SequentialFeatureSelector(GaussianNB(), tol=1e-3, cv=3).fit(XC, YC)
    assert ours.get_support().tolist() == theirs.get_support().tolist()
    assert (np.diff(ours.scores_) >= 1e-3).all()


def test_floating_is_no_worse_than_forward() -> None:
    options: dict[str, Any] = {"n_features_to_select": 4, "scoring": "neg_mean_squared_error"}
    found = [
        SequentialFeatureSelector(LinearRegression(), direction=d, **options).fit(X, Y) for d in ("forward", "floating")
    ]
    assert found[1].scores_.max() >= found[0].scores_.max()


@pytest.mark.parametrize(
    ("estimator", "options"),
    [
        (LogisticRegression(), {}),
        (LogisticRegression(), {"threshold": "1.5*median"}),
        (LogisticRegression(), {"threshold": -np.inf, "max_features": 2}),
        (LogisticRegression(), {"max_features": lambda rows: 1}),
        (DecisionTreeClassifier(max_depth=3), {"threshold": "mean"}),
        (LogisticRegression(), {"importance_getter": lambda model: np.arange(6.0)}),
    ],
)
def test_importances_choose_as_in_scikit_learn(estimator: Any, options: dict[str, Any]) -> None:
    scaled = (XC - XC.mean(axis=0)) / XC.std(axis=0)
    ours = SelectFromModel(estimator, **options).fit(scaled, YC)
    theirs = peer.SelectFromModel(estimator, **options).fit(scaled, YC)
    assert ours.get_support().tolist() == theirs.get_support().tolist()
    np.testing.assert_allclose(ours.threshold_, theirs.threshold_, rtol=1e-12)


def test_a_lasso_keeps_what_is_not_0() -> None:
    ours = SelectFromModel(Lasso(alpha=0.5)).fit(X, Y)
    assert ours.threshold_ == 1e-5
    assert ours.get_support().tolist() == (ours.estimator_.coef_ != 0).tolist()


def test_a_fitted_estimator_is_asked_not_fitted() -> None:
    fitted = Ridge().fit(X, Y)
    chosen = SelectFromModel(fitted, prefit=True).fit(X, -Y)
    assert chosen.estimator_ is fitted


def test_saved_and_back(tmp_path: Path) -> None:
    for selector in (
        SelectFromModel(Ridge()),
        SequentialFeatureSelector(LinearRegression(), n_features_to_select=2, cv=2),
    ):
        selector.fit(X, Y).save(tmp_path / "m.suffice")
        loaded = load(tmp_path / "m.suffice")
        np.testing.assert_array_equal(loaded.transform(X), X[:, selector.get_support()])
        np.testing.assert_array_equal(loaded.get_support(), selector.get_support())
        back = selector.inverse_transform(selector.transform(X))
        np.testing.assert_array_equal(back[:, selector.get_support()], X[:, selector.get_support()])


@pytest.mark.parametrize(
    ("selector", "told"),
    [
        (SelectFromModel(GaussianNB()), "the estimator must be one that has `coef_`"),
        (SelectFromModel(Ridge(), threshold="most"), "threshold must be a number"),
        (SelectFromModel(Ridge(), max_features=11), "max_features must be a whole number from 0 to 10"),
        (SelectFromModel(Ridge(), importance_getter="nothing"), "importance_getter names"),
        (
            SequentialFeatureSelector(LinearRegression(), n_features_to_select=10),
            "must be below n_features = 10",
        ),
        (SequentialFeatureSelector(LinearRegression(), tol=-1.0), "tol must be strictly positive"),
        (SequentialFeatureSelector(LinearRegression(), direction="up"), "direction"),
    ],
)
def test_bad_input_in_one_sentence(selector: Any, told: str) -> None:
    with pytest.raises((BadInput, ValueError), match=told):
        selector.fit(X, np.round(Y) if isinstance(selector.estimator, GaussianNB) else Y)
