"""RidgeCV by any scorer: rows left out one by one and by folds, with groups; the path of the elastic net."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.linear_model as peer
from sklearn import config_context
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import KFold, LeaveOneGroupOut

from suffice import ElasticNet, Lasso, LassoCV, RidgeCV

RNG = np.random.default_rng(2)
X = RNG.normal(size=(40, 4))
Y = X @ [1.0, -1.0, 0.0, 0.5] + RNG.normal(size=40)
ALPHAS = [0.1, 3.0, 40.0]
MAE = make_scorer(mean_absolute_error, greater_is_better=False)


@pytest.mark.parametrize("scoring", ["neg_mean_absolute_error", "r2", "neg_mean_squared_error", MAE])
@pytest.mark.parametrize("cv", [None, KFold(4)])
def test_any_scorer_is_scikit_learns(scoring: object, cv: object) -> None:
    ours, theirs = (room(ALPHAS, scoring=scoring, cv=cv).fit(X, Y) for room in (RidgeCV, peer.RidgeCV))
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)


def test_groups_reach_the_splitters() -> None:
    groups = np.arange(40) % 4
    with config_context(enable_metadata_routing=True):
        folds = [(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in range(4)]
        for cls in (RidgeCV, LassoCV):
            routed = cls(cv=LeaveOneGroupOut()).fit(X, Y, groups=groups)
            assert routed.alpha_ == cls(cv=folds).fit(X, Y).alpha_
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        LassoCV(cv=LeaveOneGroupOut()).fit(X, Y, groups=groups)


def test_the_path_is_enet_path() -> None:
    A, b = X - X.mean(axis=0), Y - Y.mean()
    ours, theirs = (room.path(A, b, l1_ratio=0.7, alphas=8, tol=1e-12) for room in (ElasticNet, peer.ElasticNet))
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], atol=1e-9)


def test_how_scikit_learn_goes_along_the_path_changes_nothing() -> None:
    A, b = X - X.mean(axis=0), Y - Y.mean()
    options: dict[str, Any] = {"precompute": A.T @ A, "Xy": A.T @ b, "copy_X": False, "check_input": False}
    plain, found = (ElasticNet.path(A, b, alphas=8, **more) for more in ({}, {**options, "verbose": 0}))
    for a, c in zip(plain, found, strict=True):
        np.testing.assert_array_equal(a, c)
    with pytest.raises(TypeError, match="alpha_max"):
        ElasticNet.path(A, b, alpha_max=1.0)


def test_the_path_of_the_lasso_search_is_that_of_the_lasso() -> None:
    A, b = X - X.mean(axis=0), Y - Y.mean()
    ours, theirs = (room.path(A, b, alphas=8, tol=1e-12) for room in (LassoCV, peer.LassoCV))
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], atol=1e-9)


def test_a_warm_start_needs_no_sweep() -> None:
    model = Lasso(alpha=0.1, warm_start=True).fit(X, Y)
    before = model.coef_
    assert model.n_iter_ > 0
    assert model.fit(X, Y).n_iter_ == 0
    np.testing.assert_array_equal(model.coef_, before)


def test_a_row_that_weighs_nothing_may_lack_cells() -> None:
    weights, gappy = np.ones(len(X)), X.copy()
    weights[4], weights[6], gappy[4, 1] = 0.0, 2.0, np.nan
    rest = weights > 0.0
    ours = RidgeCV(ALPHAS, missing="indicator").fit(gappy, Y, weights)
    alone = RidgeCV(ALPHAS).fit(X[rest], Y[rest], weights[rest])
    assert ours.alpha_ == alone.alpha_
    np.testing.assert_allclose(ours.coef_, alone.coef_, rtol=1e-12)
