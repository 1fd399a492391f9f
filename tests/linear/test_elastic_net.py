"""Lasso and elastic net: scikit-learn's answers, from a summary that adds; searches for a penalty without refitting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.linear_model as peer
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit

import suffice
from suffice import ElasticNet, ElasticNetCV, Lasso, LassoCV, Ridge, RidgeCV, load
from suffice.core.errors import BadInput, NotASummary
from suffice.estimators.folds.fold_models import read_splits
from suffice.linear.regression.sparse_solver import NotSettled
from suffice.sources.engines.memory import MemorySource

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 6)) @ rng.normal(size=(6, 6)) + 3.0
y = X[:, 0] - 2.0 * X[:, 3] + rng.normal(size=150)
Y = np.column_stack([y, rng.normal(size=150)])
W = rng.integers(0, 4, 150) / 2.0
TIGHT = {"tol": 1e-12, "max_iter": 100_000}
ALPHAS = np.logspace(-3, 3, 7)


@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("alpha", [0.01, 0.3, 1e4])
def test_as_scikit_learn(alpha: float, fit_intercept: bool, positive: bool, w: Any) -> None:
    for ours, theirs in ((Lasso, peer.Lasso), (ElasticNet, peer.ElasticNet)):
        options = {"alpha": alpha, "fit_intercept": fit_intercept, "positive": positive, **TIGHT}
        a, b = ours(**options).fit(X, y, w), theirs(**options).fit(X, y, w)
        np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-8)
        np.testing.assert_allclose(a.predict(X), b.predict(X), rtol=1e-8)
        np.testing.assert_array_equal(a.coef_ == 0, np.abs(b.coef_) < 1e-12)
        assert a.dual_gap_ <= 1e-12 * (y**2).mean() * 10
    assert (a.sparse_coef_ != b.sparse_coef_).nnz <= 6


def test_a_ratio_of_0_is_ridge_and_no_penalty_least_squares() -> None:
    a = ElasticNet(alpha=0.5, l1_ratio=0.0).fit(X, y)
    np.testing.assert_allclose(a.coef_, Ridge(alpha=0.5 * len(y)).fit(X, y).coef_, rtol=1e-12)
    np.testing.assert_allclose(Lasso(alpha=0.0).fit(X, y).coef_, peer.LinearRegression().fit(X, y).coef_, rtol=1e-9)
    assert (a.n_iter_, Lasso(alpha=0.0).fit(X, y).n_iter_) == (1, 1)


def test_targets_side_by_side_are_solved_one_by_one() -> None:
    both = Lasso(alpha=0.1, **TIGHT).fit(X, Y)
    for j in range(2):
        one = Lasso(alpha=0.1, **TIGHT).fit(X, Y[:, j])
        np.testing.assert_allclose(both.coef_[j], one.coef_, rtol=1e-12)
        assert (both.n_iter_[j], both.dual_gap_[j]) == (one.n_iter_, pytest.approx(one.dual_gap_))


def test_shards_merge_and_rows_are_forgotten() -> None:
    whole = Lasso(alpha=0.1, **TIGHT).fit(X, y)
    parts = [Lasso(alpha=0.1, **TIGHT).fit(X[k::3], y[k::3]) for k in range(3)]
    merged = parts[2].merge(parts[0], parts[1])
    np.testing.assert_allclose(merged.coef_, whole.coef_, atol=1e-10)
    np.testing.assert_allclose(
        merged.forget(X[::3], y[::3]).coef_,
        Lasso(alpha=0.1, **TIGHT).fit(X[parts_of(3)], y[parts_of(3)]).coef_,
        atol=1e-9,
    )


def parts_of(k: int) -> Any:
    return np.arange(len(y)) % k != 0


def test_another_penalty_needs_no_rows() -> None:
    model = Lasso(alpha=10.0, **TIGHT).fit(X, y)
    np.testing.assert_allclose(model.set_params(alpha=0.1).coef_, Lasso(alpha=0.1, **TIGHT).fit(X, y).coef_, atol=1e-12)


def test_symbols_become_columns() -> None:
    table = pd.DataFrame({"x": X[:, 0], "site": np.array(["a", "b", "c"])[np.arange(150) % 3]})
    model = LassoCV(cv=3).fit(table, y)
    assert model.get_feature_names_out().tolist() == ["x", "site=b", "site=c"]


def test_sweeps_that_run_out_are_told() -> None:
    with pytest.warns(NotSettled, match=r"Lasso: the objective may still fall by .* after 1 sweeps"):
        Lasso(alpha=1e-3, max_iter=1, tol=1e-12).fit(X, y)


@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
@pytest.mark.parametrize(
    "cv", [KFold(5), KFold(3), KFold(4, shuffle=True, random_state=0), ShuffleSplit(3, random_state=0)], ids=str
)
def test_lasso_paths_over_folds_equal_those_of_scikit_learn(cv: Any, w: Any) -> None:
    a, b = LassoCV(cv=cv, alphas=20, **TIGHT).fit(X, y, w), peer.LassoCV(cv=cv, alphas=20, **TIGHT).fit(X, y, w)
    np.testing.assert_allclose(a.alphas_, b.alphas_, rtol=1e-10)
    np.testing.assert_allclose(a.mse_path_, b.mse_path_, rtol=1e-7)
    assert a.alpha_ == pytest.approx(b.alpha_, rel=1e-10)
    np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-8)


def test_several_ratios() -> None:
    options = {"l1_ratio": [0.2, 0.7, 1.0], "alphas": 15, "cv": KFold(4), **TIGHT}
    a, b = ElasticNetCV(**options).fit(X, y), peer.ElasticNetCV(**options).fit(X, y)
    np.testing.assert_allclose(a.mse_path_, b.mse_path_, rtol=1e-7)
    assert (a.l1_ratio_, a.alpha_) == (b.l1_ratio_, pytest.approx(b.alpha_))
    assert a.alphas_.shape == b.alphas_.shape


def test_given_penalties_are_tried_from_the_largest() -> None:
    a, b = (cls(alphas=[0.01, 1.0, 0.1], cv=KFold(3), **TIGHT).fit(X, y) for cls in (LassoCV, peer.LassoCV))
    assert a.alphas_.tolist() == b.alphas_.tolist() == [1.0, 0.1, 0.01]
    np.testing.assert_allclose(a.mse_path_, b.mse_path_, rtol=1e-7)
    none = LassoCV(alphas=[0.0], cv=3).fit(X, y)
    np.testing.assert_allclose(none.coef_, peer.LinearRegression().fit(X, y).coef_, rtol=1e-8)


@pytest.mark.parametrize("targets", [y, Y], ids=["one", "two"])
@pytest.mark.parametrize("w", [None, W + 0.5], ids=["alike", "weighted"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rows_left_out_one_by_one(targets: Any, w: Any, fit_intercept: bool) -> None:
    options = {"alphas": ALPHAS, "store_cv_results": True, "fit_intercept": fit_intercept}
    a, b = RidgeCV(**options).fit(X, targets, w), peer.RidgeCV(**options).fit(X, targets, w)
    np.testing.assert_allclose(a.cv_results_, b.cv_results_, rtol=1e-6, atol=1e-9)
    assert a.alpha_ == b.alpha_
    assert a.best_score_ == pytest.approx(b.best_score_, rel=1e-9)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-8)


def test_leave_one_out_equals_refits_to_nine_digits() -> None:
    errors = RidgeCV(alphas=ALPHAS, store_cv_results=True).fit(X[:40], y[:40]).cv_results_
    for i in range(0, 40, 7):
        rest = np.arange(40) != i
        for j, alpha in enumerate(ALPHAS):
            left = y[i] - Ridge(alpha=alpha).fit(X[:40][rest], y[:40][rest]).predict(X[i : i + 1])[0]
            assert errors[i, j] == pytest.approx(left**2, rel=1e-9, abs=1e-12)


def test_a_penalty_for_each_target() -> None:
    a, b = (cls(alphas=ALPHAS, alpha_per_target=True).fit(X, Y) for cls in (RidgeCV, peer.RidgeCV))
    assert a.alpha_.tolist() == b.alpha_.tolist()
    np.testing.assert_allclose(a.best_score_, b.best_score_, rtol=1e-9)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-8)


@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_squared_error"])
def test_ridge_folds_equal_a_grid_of_refits(scoring: str | None) -> None:
    found = RidgeCV(alphas=ALPHAS, cv=KFold(5), scoring=scoring).fit(X, y)
    refits = GridSearchCV(peer.Ridge(), {"alpha": ALPHAS}, cv=KFold(5), scoring=scoring or "r2").fit(X, y)
    assert found.alpha_ == refits.best_params_["alpha"]
    assert found.best_score_ == pytest.approx(refits.best_score_, rel=1e-9)


UNEVEN = [(np.flatnonzero(part), np.flatnonzero(~part)) for part in (np.arange(23) % 9 > k for k in (0, 2, 5))]


@pytest.mark.parametrize("rule", ["best", "one_standard_error"])
@pytest.mark.parametrize("cls", [LassoCV, ElasticNetCV, RidgeCV])
def test_weights_are_copies_for_given_folds(cls: Any, rule: str) -> None:
    penalties = np.geomspace(1.0, 1e-3, 60)
    for seed in range(10):
        draw = np.random.default_rng(seed)
        X, w = draw.normal(size=(23, 4)), draw.integers(0, 4, 23)
        y = X @ [1.0, -0.5, 0.0, 0.0] + draw.normal(size=23)
        copies = np.repeat(np.arange(23), w)
        folds = [tuple(np.flatnonzero(np.isin(copies, rows)) for rows in pair) for pair in UNEVEN]
        model = cls(alphas=penalties, cv=UNEVEN, rule=rule).fit(X, y, w)
        copied = cls(alphas=penalties, cv=folds, rule=rule).fit(X[copies], y[copies])
        assert model.alpha_ == copied.alpha_
        np.testing.assert_allclose(model.coef_, copied.coef_, rtol=1e-9, atol=1e-12)
        alike, none = (cls(alphas=penalties, cv=UNEVEN, rule=rule).fit(X, y, w) for w in (np.ones(23), None))
        assert (alike.alpha_, alike.coef_.tolist()) == (none.alpha_, none.coef_.tolist())


@pytest.mark.parametrize("rule", ["best", "one_standard_error"])
@pytest.mark.parametrize("cls", [LassoCV, ElasticNetCV, RidgeCV])
def test_a_fold_without_weight_is_no_fold(cls: Any, rule: str) -> None:
    fold, w = np.arange(150) % 4, np.ones(150)
    w[fold == 2] = 0.0
    parts = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    kept = fold[fold != 2]
    others = [(np.flatnonzero(kept != k), np.flatnonzero(kept == k)) for k in (0, 1, 3)]
    options = {"alphas": np.geomspace(10.0, 1e-2, 30), "rule": rule}
    model, rest = cls(cv=parts, **options).fit(X, y, w), cls(cv=others, **options).fit(X[w > 0], y[w > 0])
    assert model.alpha_ == rest.alpha_
    np.testing.assert_allclose(model.coef_, rest.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("rows", [slice(0, 75), slice(75, None)], ids=["learned from", "tested"])
def test_a_split_without_weight_is_refused(rows: slice) -> None:
    w = np.ones(150)
    w[rows] = 0.0
    with pytest.raises(BadInput, match="LassoCV: cv must be such that rows of some weight are learned from and tested"):
        LassoCV(cv=[(np.arange(75), np.arange(75, 150))]).fit(X, y, w)


@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
@pytest.mark.parametrize("cls", ["LassoCV", "ElasticNetCV"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_grid_of_positive_coefficients(cls: str, sign: float, w: Any) -> None:
    options = {"positive": True, "alphas": 12, "cv": KFold(3), **TIGHT}
    target = sign * (2.0 * X[:, 3] - X[:, 0])
    a, b = (getattr(room, cls)(**options).fit(X, target, w) for room in (suffice, peer))
    np.testing.assert_allclose(a.alphas_, b.alphas_, rtol=1e-10)
    assert a.alpha_ == pytest.approx(b.alpha_, rel=1e-10)
    np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-8)


def test_no_column_pulls_upwards() -> None:
    column = np.arange(10.0)[:, None]
    model, theirs = (room.LassoCV(positive=True, cv=2, alphas=4).fit(column, -column[:, 0]) for room in (suffice, peer))
    assert model.alphas_.tolist() == theirs.alphas_.tolist()
    assert model.coef_.tolist() == [0.0]


@pytest.mark.parametrize("cls", [RidgeCV, LassoCV])
def test_one_standard_error_prefers_the_larger_penalty(cls: Any) -> None:
    best, simple = (
        cls(alphas=np.logspace(-3, 3, 40), cv=5, rule=rule).fit(X, y).alpha_ for rule in ("best", "one_standard_error")
    )
    assert simple > best


def test_rows_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, block = [], MemorySource.block

    def counted(self: MemorySource, rows: slice) -> Any:
        found = block(self, rows)
        read.append(found.n)
        return found

    monkeypatch.setattr(MemorySource, "block", counted)
    LassoCV(cv=10, alphas=30).fit(X, y)
    assert sum(read) == len(y)


@pytest.mark.parametrize("cls", [Lasso, ElasticNet, LassoCV, ElasticNetCV, RidgeCV])
def test_a_saved_model_predicts_and_becomes_an_estimator_again(cls: Any, tmp_path: Path) -> None:
    model = cls().fit(X, y)
    model.save(tmp_path / "m.suffice")
    back = load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    again = back.estimator()
    assert type(again) is cls
    np.testing.assert_array_equal(again.coef_, model.coef_)
    if hasattr(model, "alpha_"):
        assert again.alpha_ == model.alpha_
        assert clone(again).get_params().keys() == model.get_params().keys()


def test_after_the_choice_more_rows_are_learned_under_it() -> None:
    model = LassoCV(cv=3).fit(X[:100], y[:100])
    alpha = model.alpha_
    model.partial_fit(X[100:], y[100:])
    assert model.alpha_ == alpha
    np.testing.assert_allclose(model.coef_, Lasso(alpha=alpha).fit(X, y).coef_, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LassoCV().fit(X, Y), "LassoCV: y must be one number a row"),
        (lambda: LassoCV(cv=500).fit(X, y), "LassoCV: cv must be a number of folds from 2"),
        (lambda: LassoCV(cv=[([0, 0], [1])]).fit(X, y), "cv must be such that no row comes twice in a split"),
        (lambda: LassoCV(alphas=[-1.0]).fit(X, y), "alphas must be a number of penalties, or penalties of at least 0"),
        (lambda: ElasticNetCV(l1_ratio=[0.0]).fit(X, y), "l1_ratio must be above 0 where penalties are not given"),
        (lambda: RidgeCV(alphas=[0.0, 1.0]).fit(X, y), "alphas must be above 0 where rows are left out one by one"),
        (lambda: RidgeCV(cv=3, store_cv_results=True).fit(X, y), "store_cv_results must be False where rows"),
        (lambda: RidgeCV(cv=3, alpha_per_target=True).fit(X, Y), "alpha_per_target must be False where rows"),
        (
            lambda: RidgeCV(scoring="r2", rule="one_standard_error").fit(X, y),
            "scoring must be None where rows are left out one by one",
        ),
        (lambda: LassoCV().fit(X, y[:-1]), "X and y must be of one length"),
        (lambda: LassoCV().fit(X[:0], y[:0]), "X must be a table with rows"),
        (lambda: LassoCV().fit(np.where(X > 4, np.nan, X), y), "must be present in every row"),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as error:
        call()
    assert message in str(error.value)


def test_public_names() -> None:
    assert {"Lasso", "LassoCV", "ElasticNet", "ElasticNetCV", "RidgeCV"} <= set(suffice.__all__)


@pytest.mark.parametrize("cls", [LassoCV, ElasticNetCV])
def test_folds_of_our_own_survive_sorted_rows(cls: Any) -> None:
    order = np.argsort(y)  # folds of neighbours would each hold out a range of targets nobody else has
    folds = read_splits("test", 5, None, len(y), classes=False).folds
    assert folds is not None
    assert np.bincount(folds).tolist() == [len(y) // 5] * 5
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(5)]
    drawn, given = (cls(cv=cv, alphas=20, **TIGHT).fit(X[order], y[order]) for cv in (5, splits))
    np.testing.assert_allclose(drawn.mse_path_, given.mse_path_, rtol=1e-9)
    neighbours = cls(cv=KFold(5), alphas=20, **TIGHT).fit(X[order], y[order])
    assert drawn.mse_path_.mean() < neighbours.mse_path_.mean()


def test_penalties_chosen_from_different_rows_do_not_merge() -> None:
    a, b = LassoCV(alphas=30).fit(X[:60], y[:60]), LassoCV(alphas=30).fit(X[60:], y[60:])
    assert a.alpha_ != b.alpha_
    with pytest.raises(NotASummary, match="chosen from their rows must be equal"):
        a.merge(b)
    before = a.coef_
    a.partial_fit(X[60:], y[60:])  # under the penalty that was chosen
    whole = Lasso(alpha=a.alpha_).fit(X, y)
    np.testing.assert_allclose(a.coef_, whole.coef_, atol=1e-6)
    assert not np.array_equal(a.coef_, before)


@pytest.mark.parametrize("cls", [Lasso, ElasticNet, LassoCV, ElasticNetCV])
def test_products_of_columns_are_never_taken_on_trust(cls: Any) -> None:
    """Whoever hands in a Gram matrix, right or wrong, weighted or not, gets the answer that the rows give."""
    centred = X - np.average(X, axis=0, weights=W)
    options: dict[str, Any] = TIGHT if cls in (Lasso, ElasticNet) else {**TIGHT, "alphas": 5, "cv": KFold(3)}
    for w in (None, W):
        expected = cls(**options).fit(X, y, w)
        theirs = getattr(peer, cls.__name__)(**options).fit(X, y, w)
        np.testing.assert_allclose(expected.coef_, theirs.coef_, atol=1e-7)
        for gram in (True, X.T @ X, centred.T @ (centred * W[:, None]), np.eye(6)):
            np.testing.assert_array_equal(cls(**options, precompute=gram).fit(X, y, w).coef_, expected.coef_)
