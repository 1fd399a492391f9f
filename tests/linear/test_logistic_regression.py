"""Logistic regression: scikit-learn's optimum, the conditions of an optimum, any split of the rows, odd data."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.linear_model as peer
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from suffice import LogisticRegression, LogisticRegressionCV, load
from suffice.core.errors import BadInput
from suffice.evaluation import calibration_identities
from suffice.linear.logistic import logistic_passes
from suffice.linear.logistic.logistic_classifier import Separable

rng = np.random.default_rng(0)
X = rng.normal(size=(400, 5)) @ rng.normal(size=(5, 5))
NOISE = rng.gumbel(size=(400, 4)) * 2.0
MANY = np.array(["a", "b", "c", "d"], dtype=object)[(X @ rng.normal(size=(5, 4)) + NOISE).argmax(axis=1)]
TWO = np.where(MANY < "c", "no", "yes")
W = rng.integers(0, 4, 400) / 2.0
LABELS = {"two": TWO, "many": MANY}


def loss(model: Any, y: Any, w: Any, C: float, l1_ratio: float) -> float:
    """The objective, from the coefficients alone."""
    eta = X @ model.coef_.T + model.intercept_
    eta = np.column_stack([np.zeros(len(eta)), eta[:, 0]]) if eta.shape[1] == 1 else eta
    own = np.searchsorted(model.classes_.astype(str), y.astype(str))
    each = np.logaddexp.reduce(eta, axis=1) - eta[np.arange(len(y)), own]
    penalty = l1_ratio * np.abs(model.coef_).sum() + (1 - l1_ratio) / 2 * (model.coef_**2).sum()
    return float(np.average(each, weights=w) * (len(y) if w is None else w.sum()) + penalty / C)


@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("C", [0.01, 1.0, np.inf])
@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_smooth_penalties_as_scikit_learn(y: Any, C: float, fit_intercept: bool, w: Any) -> None:
    options = {"C": C, "fit_intercept": fit_intercept}
    ours = LogisticRegression(**options, tol=1e-6).fit(X, y, w)
    theirs = peer.LogisticRegression(**options, solver="newton-cholesky", tol=1e-12).fit(X, y, w)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    assert loss(ours, y, w, C, 0.0) <= loss(theirs, y, w, C, 0.0) + 1e-9
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_sizes_are_penalised_as_in_scikit_learn(y: Any, l1_ratio: float) -> None:
    ours = LogisticRegression(C=0.05, l1_ratio=l1_ratio, tol=1e-7).fit(X, y)
    theirs = peer.LogisticRegression(C=0.05, l1_ratio=l1_ratio, solver="saga", tol=1e-10, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert loss(ours, y, None, 0.05, l1_ratio) <= loss(theirs, y, None, 0.05, l1_ratio) + 1e-9
    assert (ours.coef_ == 0).any() == (np.abs(theirs.coef_) < 1e-9).any()


def test_the_meaning_of_C() -> None:
    """C.E01, C.M05.16: with the summed loss C weighs half the sum of squares by 1/C, which is lambda = 1/(2C)."""
    model = LogisticRegression(C=0.5, tol=1e-8).fit(X, TWO)
    p = model.predict_proba(X)[:, 1]
    for lam, agrees in ((1 / (2 * 0.5), True), (1 / 0.5, False)):
        slope = X.T @ (p - (TWO == "yes")) + 2 * lam * model.coef_[0]
        assert bool(np.abs(slope).max() < 1e-8) is agrees
    assert abs((p - (TWO == "yes")).sum()) < 1e-8  # the intercept bears no penalty


def test_gradients_of_the_conditional_likelihood() -> None:
    """P.W36, P.M066, P.M067, P.M068: d LCL/dt = sum (p - y), d LCL/dw_j = sum (y - p) x_j; t is subtracted."""
    points = np.random.default_rng(5)
    x = np.concatenate([points.normal(1, 1, 20), points.normal(-1, 1, 20)])[:, None]
    y = np.repeat([1, 0], 20)

    def at(w: float, t: float) -> LogisticRegression:
        """The model of these coefficients: one step of the online rule from 0, where p = 1/2."""
        step = LogisticRegression(rate=2 * abs(t)).partial_fit([[-w / t]], [int(t < 0)], classes=[0, 1])
        np.testing.assert_allclose([step.coef_[0, 0], -step.intercept_[0]], [w, t], rtol=1e-14)
        return step

    def lcl(model: LogisticRegression) -> float:
        return float(model.predict_log_proba(x)[np.arange(40), y].sum())

    h, w, t = 1e-5, 0.7, 0.3
    model = at(w, t)
    assert model.predict_proba([[2.0]])[0, 1] == pytest.approx(1 / (1 + np.exp(-(w * 2.0 - t))), rel=1e-13)
    true, told = model.identities(x, y), calibration_identities(y, model.predict_proba(x)[:, 1], x)
    for by_t, by_w in (
        (true.rows[1, 1] - true.rows[1, 0], true.sums[1, 0, 0] - true.sums[1, 0, 1]),
        (told.surplus[0], told.by_column[0, 0]),
    ):
        assert (by_t, by_w) == (pytest.approx(-4.40899, abs=5e-6), pytest.approx(9.75957, abs=5e-6))
        assert (lcl(at(w, t + h)) - lcl(at(w, t - h))) / (2 * h) == pytest.approx(by_t, rel=1e-7)
        assert (lcl(at(w + h, t)) - lcl(at(w - h, t))) / (2 * h) == pytest.approx(by_w, rel=1e-7)
    best = LogisticRegression(C=np.inf, tol=1e-8).fit(x, y)
    found = calibration_identities(y, best.predict_proba(x)[:, 1], x)
    assert (found.surplus[0], found.by_column[0, 0]) == (pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-9))
    np.testing.assert_allclose(best.identities(x, y).sums[:, 0, 0], [x[y == 0].sum(), x[y == 1].sum()], rtol=1e-12)
    w, t = float(best.coef_[0, 0]), -float(best.intercept_[0])
    assert lcl(best) > max(lcl(at(w + a, t + b)) for a in (-h, 0, h) for b in (-h, 0, h) if a or b)


def test_identities_of_calibration() -> None:
    """P.M069: probabilities sum to the rows of each class, and weigh each column as the rows of the class do."""
    for y in (TWO, MANY):
        found = LogisticRegression(C=np.inf, tol=1e-8).fit(X, y).identities(X, y)
        np.testing.assert_allclose(found.rows[:, 0], found.rows[:, 1], rtol=1e-9)
        np.testing.assert_allclose(found.sums[..., 0], found.sums[..., 1], atol=1e-7)
    model = LogisticRegression(C=1e-3).fit(X, TWO)
    penalised = model.identities(X, TWO)
    assert np.abs(penalised.sums[..., 0] - penalised.sums[..., 1]).max() > 1.0
    with pytest.raises(BadInput, match=r"LogisticRegression: labels must be among the classes \['no', 'yes'\]"):
        model.identities(X, MANY)
    with pytest.raises(BadInput, match="X and y must be of one length, got 400 and 399"):
        model.identities(X, TWO[1:])


def test_far_scores_are_no_nan() -> None:
    """C.E02, C.M04.07: a score of 800 rounds the probability to 1, its log loss is still a number."""
    from suffice.linear.logistic.logistic_sums import probabilities

    p, losses = probabilities(np.array([[800.0, -800.0]]), np.array([0, 0]))
    assert p[0].tolist() == [1.0, 0.0]
    assert losses.tolist() == [800.0, 0.0]
    p, losses = probabilities(np.array([[800.0], [0.0], [-800.0]]), np.array([2]))
    assert losses.tolist() == [1600.0]


def test_far_points_do_not_pull_the_frontier() -> None:
    """C.R40: least squares cuts at 3.6111 and errs once; logistic regression cuts near 2.5."""
    x, y = np.array([0, 1, 2, 3, 4, 5, 40.0])[:, None], np.array([0, 0, 0, 1, 1, 1, 1])
    model = LogisticRegression(C=1e12, tol=1e-10).fit(x, y)
    cut = -model.intercept_[0] / model.coef_[0, 0]
    assert abs(cut - 2.5) < 0.1
    assert (model.predict(x) == y).all()


def test_practically_no_penalty_on_iris() -> None:
    """C.M04.10, C.M11.05: C = 1e12 and many classes fitted together."""
    iris = load_iris()
    model = LogisticRegression(C=1e12, tol=1e-8).fit(iris.data, iris.target)
    assert model.score(iris.data, iris.target) >= 0.98
    np.testing.assert_allclose(model.predict_proba(iris.data).sum(axis=1), 1.0, rtol=1e-12)


def test_separable_classes_are_told() -> None:
    """P.M068: no finite optimum."""
    with pytest.warns(Separable, match="would grow without end"):
        model = LogisticRegression(C=np.inf).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert (model.predict([[0.0], [3.0]]) == [0, 1]).all()


def test_passes_that_run_out_are_told() -> None:
    with pytest.warns(ConvergenceWarning, match="still changing after 1 passes"):
        LogisticRegression(max_iter=1).fit(X, TWO)


def test_an_offset_costs_no_digits() -> None:
    grid = np.round(X * 2**20) / 2**20
    near, far = (LogisticRegression(C=np.inf, tol=1e-9).fit(grid + offset, TWO) for offset in (0.0, 1e8))
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-6)
    np.testing.assert_allclose(far.predict_proba(grid + 1e8), near.predict_proba(grid), atol=1e-6)


def test_threads_and_thin_curvature_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    many, y = np.tile(X, (60, 1)), np.tile(MANY, 60)
    thin = LogisticRegression(tol=1e-6).fit(many, y)
    monkeypatch.setattr(logistic_passes, "THINNEST", 1)
    whole = LogisticRegression(tol=1e-6, threads=1).fit(many, y)
    np.testing.assert_allclose(thin.coef_, whole.coef_, atol=1e-6)


TALL = rng.normal(size=(24_000, 6)) * np.geomspace(1.0, 100.0, 6) + 3.0
TALL_MANY = (
    TALL @ (rng.normal(size=(6, 4)) / np.geomspace(1.0, 100.0, 6)[:, None]) + rng.gumbel(size=(24_000, 4))
).argmax(1)
TALL_W = rng.integers(0, 9, 24_000) / 4.0


def careful(y: Any, w: Any, l2: float) -> Any:
    """Intercept and coefficients of two classes by Newton's method; slopes in extended precision, every row counted."""
    Z, b = np.column_stack([np.ones(len(TALL)), TALL]).astype(np.longdouble), np.zeros(7, dtype=np.longdouble)
    ridge = np.append(0.0, np.full(6, l2))
    for _ in range(12):
        p = 1.0 / (1.0 + np.exp(-(Z @ b)))
        bend = np.asarray(Z.T * (w * p * (1 - p)) @ Z, dtype=float) + np.diag(ridge)
        b = b - np.linalg.solve(bend, np.asarray(Z.T @ (w * (p - y)) + ridge * b, dtype=float))
    return np.asarray(b, dtype=float)


@pytest.mark.parametrize("w", [None, TALL_W], ids=["alike", "weighted"])
@pytest.mark.parametrize("C", [0.01, np.inf])
def test_a_small_tol_is_kept_from_many_rows_on(C: float, w: Any) -> None:
    y = TALL_MANY % 2
    model = LogisticRegression(C=C, tol=1e-12).fit(TALL, y, w)
    found = np.append(model.intercept_, model.coef_[0])
    np.testing.assert_allclose(found, careful(y, 1.0 if w is None else w, 1.0 / C), rtol=1e-12)


@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("y", [TALL_MANY % 2, TALL_MANY], ids=["two", "many"])
def test_the_slopes_of_many_rows_vanish(y: Any, l1_ratio: float) -> None:
    model = LogisticRegression(C=0.01, l1_ratio=l1_ratio, tol=1e-12).fit(TALL, y)
    b = model.coef_
    apart = (model.predict_proba(TALL) - np.eye(len(model.classes_))[y])[:, -len(b) :]
    slope = apart.T @ TALL + 100.0 * (1.0 - l1_ratio) * b
    left = np.where(b == 0.0, np.maximum(np.abs(slope) - 100.0 * l1_ratio, 0.0), slope + 100.0 * l1_ratio * np.sign(b))
    assert np.abs(left).max() <= 1e-13 * np.abs(TALL).sum(axis=0).max()


def test_weights_count_as_copies() -> None:
    copies = np.repeat(np.arange(400), (W * 2).astype(int))
    a = LogisticRegression(C=2.0, tol=1e-8).fit(X, MANY, W)
    b = LogisticRegression(C=1.0, tol=1e-8).fit(X[copies], MANY[copies])
    np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-7)


def test_class_weights_as_scikit_learn() -> None:
    for weight in ("balanced", {"no": 3.0, "yes": 0.5}):
        a = LogisticRegression(class_weight=weight, tol=1e-7).fit(X, TWO)
        b = peer.LogisticRegression(class_weight=weight, solver="newton-cholesky", tol=1e-12).fit(X, TWO)
        np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-7)


def test_tables_of_any_kind() -> None:
    table = pd.DataFrame({"x": X[:, 0], "site": np.array(["n", "s", "w"])[np.arange(400) % 3], "on": X[:, 1] > 0})
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(table, TWO)
    assert model.get_feature_names_out().tolist() == ["x", "site=s", "site=w", "on"]
    dummies = np.column_stack([table["x"], table["site"] == "s", table["site"] == "w", table["on"]]).astype(float)
    expected = peer.LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(dummies, TWO)
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(dummies), atol=1e-8)
    sparse = LogisticRegression(tol=1e-8).fit(csr_array(X), TWO)
    np.testing.assert_allclose(sparse.coef_, LogisticRegression(tol=1e-8).fit(X, TWO).coef_, atol=1e-9)


def test_decisions_are_chosen_late() -> None:
    model = LogisticRegression(refusal="?").fit(X, TWO)
    assert (model.predict(X, prior={"no": 0.999, "yes": 0.001}) == "no").mean() > (model.predict(X) == "no").mean()
    assert set(model.predict(X, at_least=0.9)) == {"no", "yes", "?"}


def test_the_online_rule() -> None:
    """P.M070: w <- w + eta (y - p) x and the intercept likewise, row after row."""
    model = LogisticRegression(rate=0.5).partial_fit(X[:3], [0, 1, 1], classes=[0, 1])
    w, b = np.zeros(5), 0.0
    for x, y in zip(X[:3], [0, 1, 1], strict=True):
        p = 1 / (1 + np.exp(-(w @ x + b)))
        w, b = w + 0.5 * (y - p) * x, b + 0.5 * (y - p)
    np.testing.assert_allclose(model.coef_[0], w, rtol=1e-12)
    np.testing.assert_allclose(model.intercept_, [b], rtol=1e-12)
    for _ in range(60):
        model.partial_fit(X, (TWO == "yes").astype(int))
    assert model.score(X, (TWO == "yes").astype(int)) > 0.8


def test_a_saved_model_predicts_and_becomes_an_estimator_again(tmp_path: Path) -> None:
    table = {"x": X[:, 0].tolist(), "site": np.array(["n", "s", "w"])[np.arange(400) % 3].tolist()}
    model = LogisticRegression().fit(table, MANY)
    model.save(tmp_path / "m.suffice")
    back = load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(back.predict_proba(table), model.predict_proba(table))
    assert back.estimator().get_params() == model.get_params()
    np.testing.assert_array_equal(back.estimator().coef_, model.coef_)
    assert "4 classes" in repr(back)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LogisticRegression().fit(X, ["a"] * 400), "y must be of at least 2 classes"),
        (lambda: LogisticRegression().fit(X, None), "y must be a label for each row"),
        (lambda: LogisticRegression().fit(X, TWO[:-1]), "X and y must be of one length"),
        (lambda: LogisticRegression().fit(X[:0], TWO[:0]), "X must be a table with rows"),
        (lambda: LogisticRegression().fit(np.where(X > 1, np.nan, X), TWO), "column 'x0' must be present in every row"),
        (lambda: LogisticRegression().fit(X, TWO, -W), "must be"),
        (lambda: LogisticRegression().partial_fit(X, TWO), "classes must be given in the first call"),
        (lambda: LogisticRegression().partial_fit(X, TWO, classes=["no"]), "must be among"),
        (lambda: LogisticRegression().partial_fit({"s": ["a", "b"]}, [0, 1], classes=[0, 1]), "must be of numbers"),
        (
            lambda: LogisticRegression(missing="error").fit({"t": ["a", "c"]}, [0, 1]).predict({"t": [None]}),
            "must be present",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_the_penalty_is_chosen_as_by_scikit_learn(y: Any, scoring: str) -> None:
    """C.M05.17: C by cross-validation on a grid of logarithms."""
    options = {"Cs": [1e-3, 1e-1, 10.0], "cv": StratifiedKFold(3), "scoring": scoring}
    ours = LogisticRegressionCV(**options, tol=1e-6).fit(X, y)
    theirs = peer.LogisticRegressionCV(
        **options, solver="newton-cholesky", tol=1e-10, l1_ratios=(0.0,), use_legacy_attributes=False
    ).fit(X, y)
    np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-6)
    assert (ours.C_, ours.l1_ratio_) == (theirs.C_, theirs.l1_ratio_)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)


def test_ratios_are_chosen_too() -> None:
    table = {"x": X[:, 0].tolist(), "site": np.array(["n", "s", "w"])[np.arange(400) % 3].tolist()}
    model = LogisticRegressionCV(Cs=4, l1_ratios=[0.0, 1.0], cv=3).fit(table, TWO)
    assert model.scores_.shape == (3, 2, 4)
    best = LogisticRegression(C=model.C_, l1_ratio=model.l1_ratio_).fit(table, TWO)
    np.testing.assert_allclose(model.predict_proba(table), best.predict_proba(table), atol=1e-6)


def test_without_refit_coefficients_are_the_mean_of_the_folds() -> None:
    split = [(np.arange(200, 400), np.arange(200)), (np.arange(200), np.arange(200, 400))]
    model = LogisticRegressionCV(Cs=[0.1, 1.0], cv=split, refit=False).fit(X, TWO)
    best = model.scores_[:, 0].argmax(axis=1)
    assert model.Cs_[best].mean() == model.C_
    folds = [
        LogisticRegression(C=model.Cs_[c]).fit(X[learn], TWO[learn]) for c, (learn, _) in zip(best, split, strict=True)
    ]
    np.testing.assert_allclose(model.coef_, np.mean([fold.coef_ for fold in folds], axis=0), rtol=1e-4)
    np.testing.assert_allclose(model.coefs_paths_[0, 0, best[0], 0, -1], folds[0].intercept_[0], rtol=1e-4)
    assert model.n_iter_.shape == model.scores_.shape == (2, 1, 2)


def test_a_fold_whose_rows_weigh_nothing_is_no_fold() -> None:
    split = [(np.arange(200, 400), np.arange(200)), (np.arange(200), np.arange(200, 400))]
    w = (np.arange(400) < 200).astype(float)
    with pytest.raises(BadInput, match="rows of weight 0 alone"):
        LogisticRegressionCV(Cs=[0.1, 1.0], cv=split[1:]).fit(X, TWO, w)
    third = (np.arange(0, 400, 2), np.arange(1, 400, 2))
    model = LogisticRegressionCV(Cs=[0.1, 1.0], cv=[split[1], third]).fit(X, TWO, w)
    assert model.scores_.shape == (1, 1, 2)


def test_a_fold_may_lack_a_class_or_all_but_one() -> None:
    three = np.repeat([0, 1, 2], [10, 195, 195])
    rows = np.arange(400)
    split = [(rows[10:], rows[:10]), (rows[10:200], rows[200:]), (rows[::2], rows[1::2])]
    model = LogisticRegressionCV(Cs=[0.1, 1.0], cv=split, scoring="accuracy").fit(X, three)
    assert (model.scores_[0] == 0.0).all()
    assert np.isnan(model.coefs_paths_[0, 0, 0, 0]).all()
    two = LogisticRegression(C=0.1).fit(X[10:], three[10:])
    np.testing.assert_allclose(np.diff(model.coefs_paths_[0, 0, 0, 1:, :-1], axis=0), two.coef_, rtol=1e-4, atol=1e-6)


def test_groups_reach_the_splitter() -> None:
    groups = np.arange(400) % 3
    with config_context(enable_metadata_routing=True):
        model = LogisticRegressionCV(Cs=[1.0], cv=LeaveOneGroupOut()).fit(X, TWO, groups=groups)
        assert len(model.scores_) == 3
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        LogisticRegressionCV(Cs=[1.0], cv=LeaveOneGroupOut()).fit(X, TWO, groups=groups)


def test_a_warm_start_begins_where_the_last_fit_ended() -> None:
    model = LogisticRegression(warm_start=True).fit(X, TWO)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        again = model.set_params(max_iter=1).fit(X, TWO)
        cold = LogisticRegression(max_iter=1).fit(X, TWO)
    best = LogisticRegression(tol=1e-10).fit(X, TWO)
    assert np.abs(again.coef_ - best.coef_).max() < 1e-4 < np.abs(cold.coef_ - best.coef_).max()


def test_coefficients_are_shown_sparse_on_demand() -> None:
    model = LogisticRegression(C=0.01, l1_ratio=1.0).fit(X, TWO)
    dense, scores = model.coef_, model.decision_function(X)
    assert model.sparsify().coef_.nnz == (dense != 0).sum()
    np.testing.assert_array_equal(model.decision_function(X), scores)
    np.testing.assert_array_equal(model.densify().coef_, dense)


@pytest.mark.parametrize(
    ("penalty", "said"), [(None, {"C": np.inf}), ("l1", {"l1_ratio": 1.0}), ("l2", {}), ("elasticnet", {})]
)
def test_penalty_says_what_c_and_ratio_say(penalty: Any, said: dict[str, Any]) -> None:
    ratio = {"l1": 1.0}.get(penalty, 0.0)
    with pytest.warns(FutureWarning, match="penalty"):
        model = LogisticRegression(penalty=penalty, l1_ratio=ratio).fit(X, TWO)
    np.testing.assert_allclose(model.coef_, LogisticRegression(**said).fit(X, TWO).coef_, atol=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LogisticRegressionCV(Cs=[0.0]).fit(X, TWO), "Cs must be a number of values, or values above 0"),
        (lambda: LogisticRegressionCV(l1_ratios=[2.0]).fit(X, TWO), "l1_ratios must be from 0 to 1"),
        (lambda: LogisticRegressionCV(cv=999).fit(X, TWO), "cv must be a number of folds from 2"),
    ],
)
def test_bad_grids_get_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize("kind", [int, bool, float, str])
def test_the_search_stratifies_labels_of_every_type(kind: Any) -> None:
    y = (np.array(LABELS["two"]) == "yes").astype(int)
    labels = np.array([kind(label) for label in y.tolist()])
    order = np.argsort(y, kind="stable")  # a fold of neighbours would lack a class
    model = LogisticRegressionCV(Cs=3).fit(X[order], labels[order])
    assert np.isfinite(model.scores_).all()
    named = LogisticRegressionCV(Cs=3, cv=StratifiedKFold(3)).fit(X[order], labels[order])
    assert np.isfinite(named.scores_).all()


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision", "balanced_accuracy"])
def test_any_scorer_of_scikit_learn_chooses(scoring: str) -> None:
    truth = (TWO == "yes").astype(int)
    options = {"Cs": [1e-3, 1e-1, 10.0], "cv": StratifiedKFold(3), "scoring": scoring}
    ours = LogisticRegressionCV(**options, tol=1e-8).fit(X, truth)
    theirs = peer.LogisticRegressionCV(
        **options, solver="newton-cholesky", tol=1e-10, l1_ratios=(0.0,), use_legacy_attributes=False
    ).fit(X, truth)
    np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-6)
