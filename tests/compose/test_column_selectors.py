"""SelectFromModel and SequentialFeatureSelector beside scikit-learn's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import feature_selection as peer
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression as TheirRegression
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import KFold, cross_val_score

from suffice import (
    DecisionTreeClassifier,
    ElasticNetCV,
    GaussianNB,
    KMeans,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Ridge,
    SelectFromModel,
    SequentialFeatureSelector,
    load,
)
from suffice.core.errors import BadInput
from suffice.features import CrossValidated, LeastSquaresFolds

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


@pytest.mark.parametrize("scoring", [None, "r2", "neg_root_mean_squared_error"])
@pytest.mark.parametrize(
    ("estimator", "peer_estimator"),
    [
        (LinearRegression(), TheirRegression()),
        (LinearRegression(fit_intercept=False), TheirRegression(fit_intercept=False)),
        (Ridge(0.3), TheirRidge(0.3)),
    ],
)
def test_subsets_are_scored_from_products_wherever_the_plan_of_the_estimator_says_they_tell(
    scoring: Any, estimator: Any, peer_estimator: Any
) -> None:
    judge = SequentialFeatureSelector(estimator, scoring=scoring, cv=4)._judge(X, Y)
    assert isinstance(judge, LeastSquaresFolds)
    for subset in ((0,), (1, 4, 7), tuple(range(10))):
        expected = cross_val_score(peer_estimator, X[:, list(subset)], Y, cv=4, scoring=scoring).mean()
        assert judge.score(subset) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("estimator", "scoring"),
    [
        (LinearRegression(positive=True), None),
        (LinearRegression(tol=1e-3), None),
        (LinearRegression(), "neg_median_absolute_error"),
        (TheirRegression(), None),
        (Lasso(), "r2"),
    ],
)
def test_what_products_do_not_tell_is_fitted_again(estimator: Any, scoring: Any) -> None:
    assert isinstance(SequentialFeatureSelector(estimator, scoring=scoring)._judge(X, Y), CrossValidated)


def test_clusterers_choose_columns_without_targets_and_splits_may_be_an_iterator() -> None:
    chosen = SequentialFeatureSelector(KMeans(2, random_state=0), n_features_to_select=2, cv=2).fit(X[:60])
    assert chosen.get_support().sum() == 2
    splits = KFold(3).split(X)
    again = SequentialFeatureSelector(LinearRegression(), n_features_to_select=3, cv=splits).fit(X, Y)
    whole = SequentialFeatureSelector(LinearRegression(), n_features_to_select=3, cv=3).fit(X, Y)
    assert again.get_support().tolist() == whole.get_support().tolist()


def test_weights_reach_the_estimator_and_a_most_is_told() -> None:
    w = np.where(YC == 1, 5.0, 1.0)
    weighted = SelectFromModel(max_features=2).fit(XC, YC, sample_weight=w)
    copies = SelectFromModel(max_features=2).fit(np.repeat(XC, w.astype(int), axis=0), np.repeat(YC, w.astype(int)))
    np.testing.assert_allclose(weighted.scores_, copies.scores_, rtol=1e-6)
    assert np.abs(weighted.scores_ - SelectFromModel().fit(XC, YC).scores_).max() > 1e-3
    assert weighted.max_features_ == 2
    assert not hasattr(SelectFromModel().fit(XC, YC), "max_features_")
    assert SelectFromModel(ElasticNetCV(l1_ratio=1.0)).fit(X, Y).threshold_ == 1e-5


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
            "must be below 10, the number of columns",
        ),
        (SequentialFeatureSelector(LinearRegression(), tol=-1.0), "tol must be strictly positive"),
        (SequentialFeatureSelector(LinearRegression(), direction="up"), "direction"),
    ],
)
def test_bad_input_in_one_sentence(selector: Any, told: str) -> None:
    with pytest.raises((BadInput, ValueError), match=told):
        selector.fit(X, np.round(Y) if isinstance(selector.estimator, GaussianNB) else Y)
