"""Discriminant analysis beyond scikit-learn: digits, incomplete rows, virtual rows, decisions, passes, messages."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import sklearn.discriminant_analysis as theirs
from scipy.stats import multivariate_normal
from sklearn.covariance import OAS, EmpiricalCovariance, oas
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NearestCentroid
from sklearn.preprocessing import StandardScaler

import suffice as ours
from suffice.bayes.discriminants import discriminant_passes
from suffice.core.errors import BadInput, NotASummary
from suffice.core.folds import RowFolds
from suffice.estimators.folds.fold_models import FoldModels
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.families.normals.gaussian import Gaussian
from suffice.summaries import pattern_moments

NAN = np.nan
NAMES = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
LDA, QDA = ours.LinearDiscriminantAnalysis, ours.QuadraticDiscriminantAnalysis
X, Y = load_iris(return_X_y=True)


def make(name: str, **parameters: Any) -> Any:
    return getattr(ours, name)(**parameters)


def holed(share: float = 0.2, seed: int = 0, X: Any = X) -> Any:
    return np.where(np.random.default_rng(seed).random(X.shape) < share, NAN, X)


def test_shrunk_to_one_spread_it_is_the_basic_linear_classifier() -> None:
    """P.M023: a covariance that is the identity times a number, and equal shares, give the nearest mean."""
    model = LDA(solver="lsqr", shrinkage=1.0, priors=[1 / 3] * 3).fit(X, Y)
    C = model.covariance_
    np.testing.assert_allclose(C, C[0, 0] * np.eye(4), atol=1e-15)
    query = np.random.default_rng(0).normal(size=(500, 4)) * 3.0 + X.mean(axis=0)
    nearest = np.linalg.norm(query[:, None] - model.means_, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(query), nearest)
    np.testing.assert_array_equal(model.predict(query), NearestCentroid().fit(X, Y).predict(query))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("shrinkage", [None, 0.0, 0.3, 1.0, "auto"])
@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_numbers_are_scikit_learns(load: Any, shrinkage: Any, solver: str) -> None:
    X, y = load(return_X_y=True)
    if solver == "svd" and shrinkage is not None:
        return
    a, b = (room.LinearDiscriminantAnalysis(solver=solver, shrinkage=shrinkage).fit(X, y) for room in (theirs, ours))
    near: dict[str, Any] = {"rtol": 1e-7, "atol": 1e-9}
    for name in ("coef_", "intercept_", "means_", "priors_"):
        np.testing.assert_allclose(getattr(b, name), getattr(a, name), **near, err_msg=name)
    lost = 1e-6 if solver == "lsqr" else 1e-9  # theirs solves in the units of the columns, here 1e5 apart
    np.testing.assert_allclose(b.predict_proba(X), a.predict_proba(X), rtol=0, atol=lost)
    np.testing.assert_allclose(b.decision_function(X), a.decision_function(X), rtol=1e-7, atol=1e-7)
    if solver != "lsqr":
        np.testing.assert_allclose(np.abs(b.transform(X)), np.abs(a.transform(X)), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(b.explained_variance_ratio_, a.explained_variance_ratio_, atol=1e-9)


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("options", [{}, {"solver": "eigen", "shrinkage": "auto"}, {"reg_param": 0.2}])
def test_quadratic_numbers_are_scikit_learns(load: Any, options: dict[str, Any]) -> None:
    X, y = load(return_X_y=True)
    a = theirs.QuadraticDiscriminantAnalysis(**options, tol=1e-12, store_covariance=True).fit(X, y)
    b = QDA(**options, store_covariance=True).fit(X, y)
    np.testing.assert_allclose(b.predict_proba(X), a.predict_proba(X), rtol=0, atol=1e-9)
    np.testing.assert_allclose(b.decision_function(X), a.decision_function(X), rtol=1e-8)
    for name in ("covariance_", "scalings_"):
        for mine, other in zip(getattr(b, name), getattr(a, name), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-7, atol=1e-12)
    assert [rotation.shape for rotation in b.rotations_] == [(X.shape[1],) * 2] * 3


def test_oracle_shrinkage_is_scikit_learns_of_standardized_rows() -> None:
    model = QDA(solver="eigen", shrinkage="oas", store_covariance=True).fit(X, Y)
    for k in range(3):
        scaler = StandardScaler().fit(X[k == Y])
        shrunk = scaler.scale_[:, None] * oas(scaler.transform(X[k == Y]))[0] * scaler.scale_
        np.testing.assert_allclose(model.covariance_[k], shrunk, rtol=1e-10)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shrinkage", [None, 0.2, "auto", "oas"])
def test_shards_merged_and_forgotten_are_the_whole(name: str, shrinkage: Any) -> None:
    options = {"solver": "eigen", "shrinkage": shrinkage}
    order = np.random.default_rng(1).permutation(len(X))
    parts = [make(name, **options).fit(X[some], Y[some]) for some in np.array_split(order, 4)]
    whole = make(name, **options).fit(X, Y)
    merged = parts[0] + parts[1] + parts[2] + parts[3]
    np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)
    some = np.array_split(order, 4)[3]
    left = merged.forget(X[some], Y[some])
    again = parts[0] + parts[1] + parts[2]
    np.testing.assert_allclose(left.predict_proba(X), again.predict_proba(X), rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scale", [1e-6, 1e6, np.array([1e-6, 1.0, 1e6, 3.7])])
def test_units_change_nothing(name: str, scale: Any) -> None:
    before = make(name).fit(X, Y).predict_proba(X)
    after = make(name).fit(X * scale, Y).predict_proba(X * scale)
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_adding_1e8_on_a_grid_changes_nothing(name: str) -> None:
    grid = np.rint(X * 2.0**20) / 2.0**20
    before = make(name).fit(grid, Y).predict_proba(grid)
    after = make(name).fit(grid + 1e8, Y).predict_proba(grid + 1e8)
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_copies(name: str) -> None:
    w = np.random.default_rng(2).integers(1, 4, len(X)).astype(float)
    copied = make(name).fit(np.repeat(X, w.astype(int), axis=0), np.repeat(Y, w.astype(int)))
    np.testing.assert_allclose(make(name).fit(X, Y, w).predict_proba(X), copied.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_incomplete_rows_are_predicted_by_the_exact_marginal(name: str) -> None:
    """P.M155: what is not seen is summed out, to 1e-10."""
    model = make(name, missing="marginalise").fit(X, Y)
    query = holed(0.5)
    proba, means, priors = model.predict_proba(query), model.means_, model.priors_
    covariances = model._distribution.covariance
    for i, row in enumerate(query):
        here = np.flatnonzero(~np.isnan(row))
        logs = np.log(priors)
        for k in range(3):
            C = covariances[k % len(covariances)][np.ix_(here, here)]
            logs[k] += multivariate_normal(means[k, here], C).logpdf(row[here]) if len(here) else 0.0
        expected = np.exp(logs - logs.max())
        assert np.abs(proba[i] - expected / expected.sum()).max() <= 1e-10


@pytest.mark.parametrize("name", NAMES)
def test_complete_rows_need_no_iterations(name: str) -> None:
    plain, open_minded = make(name).fit(X, Y), make(name, missing="marginalise").fit(X, Y)
    np.testing.assert_array_equal(open_minded.predict_proba(X), plain.predict_proba(X))


@pytest.mark.parametrize("name", NAMES)
def test_incomplete_rows_are_learned_from(name: str) -> None:
    """More rows with gaps bring the estimate nearer to that of all cells than complete rows alone."""
    rng = np.random.default_rng(3)
    A, y = rng.normal(size=(4, 4)), np.arange(2_000) % 2
    table = rng.normal(size=(2_000, 4)) @ A + y[:, None]
    gaps = holed(0.3, 4, table)
    complete = ~np.isnan(gaps).any(axis=1)
    full = make(name).fit(table, y)
    known, few = make(name, missing="marginalise").fit(gaps, y), make(name).fit(gaps[complete], y[complete])
    error, error_few = (
        np.abs(model._distribution.covariance - full._distribution.covariance).mean() for model in (known, few)
    )
    assert error < error_few
    assert known.passes_ == 1


@pytest.mark.parametrize("name", NAMES)
def test_incomplete_shards_merge_and_forget(name: str) -> None:
    gaps = holed()
    options = {"missing": "marginalise", "prior_strength": 1.0}
    whole = make(name, **options).fit(gaps, Y)
    a, b = (make(name, **options).fit(gaps[i::2], Y[i::2]) for i in range(2))
    np.testing.assert_allclose((a + b).predict_proba(gaps), whole.predict_proba(gaps), rtol=0, atol=1e-8)
    left = (a + b).forget(gaps[1::2], Y[1::2])
    np.testing.assert_allclose(left.predict_proba(gaps), a.predict_proba(gaps), rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_too_many_patterns_are_learned_in_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = holed()
    options = {"missing": "marginalise", "prior_strength": 1.0}
    kept = make(name, **options).fit(gaps, Y)
    monkeypatch.setattr(pattern_moments, "CELLS", 5 * 3 * 16)  # five patterns of three classes and four columns
    monkeypatch.setattr(discriminant_passes, "SETTLED", 1e-9)
    passed = make(name, **options).fit(gaps, Y)
    assert passed.passes_ > 3
    np.testing.assert_allclose(passed.predict_proba(gaps), kept.predict_proba(gaps), rtol=0, atol=1e-7)
    np.testing.assert_allclose(passed.means_, kept.means_, atol=1e-8)
    for call in (
        lambda: passed.partial_fit(gaps, Y),
        lambda: passed.forget(gaps, Y),
        lambda: passed.merge(passed),
        lambda: kept.merge(passed),
    ):
        with pytest.raises(
            NotASummary, match="the model must be one whose summary was kept, got one that was found in"
        ):
            call()


def test_passes_that_do_not_settle_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_moments, "CELLS", 5 * 3 * 16)
    monkeypatch.setattr(discriminant_passes, "MOST", 2)
    with pytest.warns(ConvergenceWarning, match="2 passes over incomplete rows did not settle all parameters to 0.001"):
        LDA(missing="marginalise").fit(holed(), Y)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_learned_in_passes_is_saved_but_still_does_not_add(
    name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_moments, "CELLS", 5 * 3 * 16)
    gaps = holed()
    passed = make(name, missing="marginalise", prior_strength=1.0).fit(gaps, Y)
    passed.save(tmp_path / "model")
    loaded = ours.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(gaps), passed.predict_proba(gaps))
    with pytest.raises(NotASummary, match="merge: the model must be one whose summary was kept"):
        loaded.merge(loaded)


@pytest.mark.parametrize("name", NAMES)
def test_virtual_rows_make_any_table_do(name: str) -> None:
    model = make(name, prior_strength=2.0).fit([[1.0, 2.0, 7.0], [1.0, 5.0, 7.0], [3.0, 3.0, 7.0]], [0, 0, 1])
    assert np.isfinite(model.predict_log_proba([[1.0, 1.0, 7.0]])).all()
    one = make(name, prior_strength=2.0).fit([[1.0, 2.0]], ["a"])
    assert one.predict([[5.0, 5.0]]).tolist() == ["a"]


def test_virtual_rows_are_those_of_the_family() -> None:
    model = QDA(prior_strength=3.0, store_covariance=True).fit(X, Y)
    expected = NormalInverseWishart(3.0).shape(model._part.complete).covariance
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_decisions(name: str) -> None:
    model = make(name, refusal=-1).fit(X, Y)
    proba = model.predict_proba(X)
    shifted = proba / model.priors_ * np.array([0.8, 0.1, 0.1])
    np.testing.assert_array_equal(model.predict(X, prior=[0.8, 0.1, 0.1]), shifted.argmax(axis=1))
    costs = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 9.0], [1.0, 1.0, 0.0]])
    np.testing.assert_array_equal(model.predict(X, costs=costs), (proba @ costs).argmin(axis=1))
    refused = model.predict(X, at_least=0.99)
    np.testing.assert_array_equal(refused == -1, proba.max(axis=1) < 0.99)


@pytest.mark.parametrize("name", NAMES)
def test_densities_and_draws(name: str) -> None:
    model = make(name).fit(X, Y)
    covariances = model._distribution.covariance
    density = sum(
        p * multivariate_normal(m, covariances[k % len(covariances)]).pdf(X)
        for k, (p, m) in enumerate(zip(model.priors_, model.means_, strict=True))
    )
    np.testing.assert_allclose(model.score_samples(X), np.log(density), rtol=1e-9)
    drawn, labels = model.sample(3_000, random_state=0)
    again = make(name).fit(drawn, labels)
    assert np.abs(again.means_ - model.means_).max() <= 0.1
    assert again.score(X, Y) > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_parameters_take_effect_at_once(name: str) -> None:
    model = make(name, solver="eigen").fit(X, Y)
    for shrinkage in (0.1, 0.9, "oas", None):
        again = make(name, solver="eigen", shrinkage=shrinkage).fit(X, Y)
        np.testing.assert_array_equal(model.set_params(shrinkage=shrinkage).predict_proba(X), again.predict_proba(X))
    model.set_params(shrinkage="auto")  # what is kept cannot say it: it waits for the next fit
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
    again = make(name, solver="eigen", shrinkage="auto").fit(X, Y)
    np.testing.assert_array_equal(model.fit(X, Y).predict_proba(X), again.predict_proba(X))


@pytest.mark.parametrize("name", NAMES)
def test_a_covariance_estimator_of_ones_own(name: str) -> None:
    given = make(name, solver="eigen", covariance_estimator=EmpiricalCovariance()).fit(X, Y)
    np.testing.assert_allclose(given.predict_proba(X), make(name, solver="eigen").fit(X, Y).predict_proba(X), atol=1e-9)
    peer = getattr(theirs, name)(solver="eigen", covariance_estimator=OAS()).fit(X, Y)
    mine = make(name, solver="eigen", covariance_estimator=OAS()).fit(X, Y)
    np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X), atol=1e-9)
    assert mine.passes_ == 2
    with pytest.raises(BadInput, match="covariance_estimator must be None in a model to be saved"):
        mine.save("never written")
    with pytest.raises(
        NotASummary, match="forget: the model must be one whose summary was kept, got one that was found in 2 passes"
    ):
        mine.forget(X, Y)


@pytest.mark.parametrize("name", NAMES)
def test_saved_models_predict_alike(name: str, tmp_path: Any) -> None:
    gaps = holed()
    model = make(name, missing="marginalise").fit(gaps, Y)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(ours.load(tmp_path / "model").predict_proba(gaps), model.predict_proba(gaps))


def test_evidence_of_features_adds_up() -> None:
    for name in NAMES:
        model = make(name, missing="marginalise").fit(X, Y)
        told = model.explain(holed()[:5], target=2, versus=1)
        logs = model.predict_joint_log_proba(holed()[:5])
        np.testing.assert_allclose(told.log_odds, logs[:, 2] - logs[:, 1], rtol=1e-10)
        assert model.duplicate_features() == model.duplicate_features(X) == []


def test_transformed_tables_keep_their_library() -> None:
    import pandas as pd

    frame = pd.DataFrame(X, columns=list("abcd"))
    moved = LDA().set_output(transform="pandas").fit(frame, Y).transform(frame)
    assert list(moved.columns) == ["lineardiscriminantanalysis0", "lineardiscriminantanalysis1"]
    np.testing.assert_allclose(
        np.abs(moved), np.abs(theirs.LinearDiscriminantAnalysis().fit_transform(X, Y)), atol=1e-9
    )


def test_incomplete_rows_are_transformed_to_what_is_expected_of_them() -> None:
    model = LDA(missing="marginalise").fit(X, Y)
    query, proba = holed()[:40], model.predict_proba(holed()[:40])
    moved = model.transform(query)
    for i, row in enumerate(query):
        filled = np.zeros(4)
        for k in range(3):
            g = Gaussian(model.means_[k], model._distribution.covariance[0])
            filled += proba[i, k] * np.where(np.isnan(row), _at(np.isnan(row), g, row), row)
        np.testing.assert_allclose(moved[i], model.transform(filled[None])[0], atol=1e-10)


def _at(gaps: Any, g: Gaussian, row: Any) -> Any:
    out = np.zeros(len(row))
    if gaps.any():
        out[gaps] = g.conditional(row).mean
    return out


def test_singular_covariances_are_no_trouble_to_svd() -> None:
    doubled = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 3.0)])
    a, b = LDA().fit(X, Y), LDA().fit(doubled, Y)
    np.testing.assert_allclose(b.predict_proba(doubled), a.predict_proba(X), rtol=0, atol=1e-9)
    peer = theirs.LinearDiscriminantAnalysis().fit(doubled, Y)
    np.testing.assert_allclose(b.predict_proba(doubled), peer.predict_proba(doubled), rtol=0, atol=1e-9)
    few = LDA().fit(X[::30], Y[::30])  # five rows, four columns
    np.testing.assert_array_equal(few.predict(X), theirs.LinearDiscriminantAnalysis().fit(X[::30], Y[::30]).predict(X))


DOUBLED = np.column_stack([X, X[:, 0]])
BAD = {
    "LinearDiscriminantAnalysis: shrinkage must be None .*, got 0.5. Use another solver.": (
        lambda: LDA(shrinkage=0.5).fit(X, Y)
    ),
    "LinearDiscriminantAnalysis: covariance_estimator must be None, got one: .* with svd solver": (
        lambda: LDA(covariance_estimator=OAS()).fit(X, Y)
    ),
    "QuadraticDiscriminantAnalysis: covariance_estimator must be None, got one: .* solver='eigen' instead": (
        lambda: QDA(covariance_estimator=OAS()).fit(X, Y)
    ),
    "Only one of the two can be set. They must be one or the other, got shrinkage=0.5": (
        lambda: LDA(solver="lsqr", shrinkage=0.5, covariance_estimator=OAS()).fit(X, Y)
    ),
    "shrinkage must be other than 'auto' where cells may be missing, got 'auto'. Use 'oas'": (
        lambda: LDA(solver="lsqr", shrinkage="auto", missing="marginalise").fit(X, Y)
    ),
    "LinearDiscriminantAnalysis: n_components must be at most 2 .*, got 3. Ask for fewer: there are 4 col": (
        lambda: LDA(n_components=3).fit(X, Y)
    ),
    "LinearDiscriminantAnalysis: the rows must be more than the classes .*, got 3 sample.* Give more rows": (
        lambda: LDA().fit(X[::50], Y[::50])
    ),
    "LinearDiscriminantAnalysis: transform not implemented for 'lsqr' solver .* got 'lsqr'. Fit with another.": (
        lambda: LDA(solver="lsqr").fit(X, Y).transform(X)
    ),
    "LinearDiscriminantAnalysis: every cell must be finite, and present unless missing='marginalise'": (
        lambda: LDA(missing="marginalise").fit(X, Y).transform(np.where(X[7] == X, np.inf, X))
    ),
    "LinearDiscriminantAnalysis: the covariance within classes must be positive definite for solver='eigen'": (
        lambda: LDA(solver="eigen").fit(np.column_stack([X, np.zeros(150)]), Y).coef_
    ),
    "LinearDiscriminantAnalysis: column .x2. must be present in every row": lambda: LDA().fit(holed(), Y),
    "LinearDiscriminantAnalysis: the class shares must be finite and at least 0": (
        lambda: LDA(priors=[0.5, -0.5, 1.0]).fit(X, Y)
    ),
    "QuadraticDiscriminantAnalysis: the class shares must be one for each of the 3 classes": (
        lambda: QDA(priors=[0.5, 0.5]).fit(X, Y)
    ),
    "QuadraticDiscriminantAnalysis: the classes must be two or more .*, got .0.. Give rows of another class.": (
        lambda: QDA().fit(X[:50], Y[:50])
    ),
    "QuadraticDiscriminantAnalysis: the rows must be two or more in each class .*, got 1. Give more": (
        lambda: QDA().fit(X[:101], Y[:101])
    ),
    "QuadraticDiscriminantAnalysis: the covariance of every class must have an inverse, .* Increase `reg_param`": (
        lambda: QDA().fit(DOUBLED, Y)
    ),
    "class 1 has 3 samples and 4 features. Try using `solver='eigen'`": lambda: QDA().fit(X[:53], Y[:53]),
    "LinearDiscriminantAnalysis: covariance_estimator must have an attribute covariance_ after fit, got Bare": (
        lambda: LDA(solver="lsqr", covariance_estimator=Bare()).fit(X, Y)
    ),
    "LinearDiscriminantAnalysis: sample_weight must be None with a covariance_estimator, got some": (
        lambda: LDA(solver="lsqr", covariance_estimator=OAS()).fit(X, Y, np.ones(150))
    ),
    "LinearDiscriminantAnalysis: n_components must be at most 2 .*, got 4": (
        lambda: LDA(n_components=4, prior_strength=1.0).fit(X, Y)
    ),
    "LinearDiscriminantAnalysis: column 'x3' must be present and at most .* for fourth powers, got 1e.100 in row 0": (
        lambda: LDA(solver="lsqr", shrinkage="auto").fit(np.where(X[7] == X, 1e100, X), Y)
    ),
    "forget: the rows must have been added before, got rows that lack other cells": (
        lambda: LDA(missing="marginalise").fit(X, Y).forget(holed(), Y)
    ),
}


class Bare:
    def fit(self, X: Any) -> None:
        """Learns nothing."""


@pytest.mark.parametrize("message", BAD)
def test_bad_inputs(message: str) -> None:
    with pytest.raises(BadInput, match=message):
        BAD[message]()


@pytest.mark.parametrize("name", NAMES)
def test_a_failed_fit_changes_nothing(name: str) -> None:
    model = make(name).fit(X, Y)
    before = model.predict_proba(X)
    for call in (lambda: model.fit(holed(), Y), lambda: model.fit(X[:1], Y[:1]), lambda: model.partial_fit(holed(), Y)):
        with pytest.raises(BadInput):
            call()
        np.testing.assert_array_equal(model.predict_proba(X), before)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folds", [10, len(X)], ids=["ten folds", "leave one out"])
def test_folds_and_shrinkages_without_refitting(name: str, folds: int) -> None:
    """Held-out probabilities for twenty shrinkages equal explicit refits, to 1e-9; rows are kept once and read once."""
    few = slice(None, None, 1 if folds == 10 else 5)
    rows, labels = X[few], Y[few]
    place = np.arange(len(rows)) % folds
    models = FoldModels.of(make(name, solver="eigen"), rows, labels, draw=partial(RowFolds, place))
    for shrinkage in np.linspace(0.05, 1.0, 20 if folds == 10 else 3):
        read = models.read_by({"shrinkage": float(shrinkage)})
        assert read is not None
        for k in (0, 3, min(folds, len(rows)) - 1):
            held = place == k
            again = make(name, solver="eigen", shrinkage=float(shrinkage)).fit(rows[~held], labels[~held])
            near = np.abs(read.estimators[k].predict_proba(rows[held]) - again.predict_proba(rows[held])).max()
            assert near <= 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_lack_cells_in_many_ways_are_predicted_alike(name: str) -> None:
    X, y = load_wine(return_X_y=True)
    model = make(name, missing="marginalise", prior_strength=1.0).fit(X, y)
    query = holed(0.4, X=X)
    alone = np.vstack([model.predict_proba(row[None]) for row in query])
    assert np.abs(model.predict_proba(query) - alone).max() <= 1e-10


@pytest.mark.parametrize("n", [1, 400])
def test_rows_beyond_all_densities_have_the_prior_in_scores_too(n: int) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    model = ours.QuadraticDiscriminantAnalysis(priors=[0.2, 0.8]).fit(X, np.arange(40) % 2)
    far = np.full((n, 2), 1e200)
    np.testing.assert_allclose(model.decision_function(far), np.full(n, np.log(4.0)))
    np.testing.assert_allclose(model.predict_proba(far), np.tile([0.2, 0.8], (n, 1)))
    three = ours.QuadraticDiscriminantAnalysis().fit(X, np.arange(40) % 3)
    np.testing.assert_allclose(three.decision_function(far), np.tile(np.log(three.priors_), (n, 1)))
