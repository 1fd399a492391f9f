"""Selection without refitting: the models of folds that are added are those that refitting gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.covariance import ShrunkCovariance
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as PeerRidge
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, RepeatedKFold, ShuffleSplit, StratifiedKFold

from suffice import (
    BernoulliNB,
    CategoricalNB,
    DecisionStump,
    GaussianNB,
    LinearDiscriminantAnalysis,
    LinearRegression,
    MultinomialNB,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    Ridge,
)
from suffice.core.errors import BadInput
from suffice.estimators.folds.fold_models import read_splits
from suffice.evaluation.selection.cross_validation import cross_val_predict, cross_validate
from suffice.evaluation.selection.parameter_grid import grid_search
from suffice.sources.tables.grid import Grid

rng = np.random.default_rng(0)
Y = np.array(["a", "b", "c"], dtype=object)[rng.integers(0, 3, 120)]
NUMBERS = rng.normal(size=(120, 4)) + 1e6 + (Y == "a")[:, None]
CODES = rng.integers(0, 3, size=(120, 4))
WEIGHTS = rng.integers(0, 3, 120).astype(float)
CASES: dict[str, tuple[Any, Any]] = {
    "gaussian": (GaussianNB(), NUMBERS),
    "multinomial": (MultinomialNB(alpha=0.5), CODES),
    "sparse": (BernoulliNB(), csr_array(CODES.astype(float))),
    "categorical": (CategoricalNB(min_categories=3), CODES),
    "mixed": (NaiveBayes(), pd.DataFrame({"x": NUMBERS[:, 0], "s": CODES[:, 0].astype(str)})),
    "mapping": (NaiveBayes(), {"x": NUMBERS[:, 0], "s": CODES[:, 0].astype(str).tolist()}),
}


def refitted(estimator: Any, X: Any, y: Any, w: Any, splits: Any) -> Any:
    """Probabilities of each row by a model that was fitted without its fold."""
    from suffice.estimators.folds.fold_models import some_rows

    out = np.zeros((len(y), 3))
    for train, test in splits:
        weights = None if w is None else w[train]
        model = clone(estimator).fit(some_rows(X, train), y[train], sample_weight=weights)
        out[np.ix_(test, np.searchsorted(["a", "b", "c"], model.classes_.astype(str)))] = model.predict_proba(
            some_rows(X, test)
        )
    return out


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alike", "weighted"])
@pytest.mark.parametrize(("estimator", "X"), CASES.values(), ids=CASES)
def test_added_folds_predict_as_refitted_ones(estimator: Any, X: Any, weights: Any) -> None:
    splits = list(StratifiedKFold(5, shuffle=True, random_state=1).split(np.zeros(120), Y))
    expected = refitted(estimator, X, Y, weights, splits)
    found = cross_val_predict(estimator, X, Y, cv=splits, sample_weight=weights, method="predict_proba")
    np.testing.assert_allclose(found, expected, atol=1e-10)
    scores = cross_validate(estimator, X, Y, cv=splits, sample_weight=weights)
    assert (scores.path, scores.reads) == ("folds added", 2)
    for k, (_, test) in enumerate(splits):
        w = None if weights is None else weights[test]
        right = Y[test] == np.array(["a", "b", "c"])[expected[test].argmax(axis=1)]
        assert scores.values("accuracy")[k] == pytest.approx(np.average(right, weights=w), abs=1e-12)
        found_loss = log_loss(Y[test].astype(str), expected[test], labels=["a", "b", "c"], sample_weight=w)
        assert scores.values("log_loss")[k] == pytest.approx(found_loss, abs=1e-9)


def test_leave_one_out_equals_refits() -> None:
    X, y = NUMBERS[:40], Y[:40]
    found = cross_val_predict(GaussianNB(), X, y, cv=LeaveOneOut(), method="predict_proba")
    expected = refitted(GaussianNB(), X, y, None, LeaveOneOut().split(X))
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_groups_stay_together() -> None:
    groups = np.arange(120) // 12
    found = cross_validate(GaussianNB(), NUMBERS, Y, cv=GroupKFold(5), groups=groups)
    assert found.path == "folds added"
    assert found.total.tally.rows.sum() == 120


@pytest.mark.parametrize("cv", [ShuffleSplit(3, random_state=0), RepeatedKFold(n_splits=3, n_repeats=2)], ids=str)
def test_splits_that_do_not_part_the_rows_are_refitted(cv: Any) -> None:
    found = cross_validate(GaussianNB(), NUMBERS, Y, cv=cv)
    assert (found.path, found.reads) == ("refitted", len(found.scores))
    with pytest.raises(BadInput, match="cv must be such that every row is tested once"):
        cross_val_predict(GaussianNB(), NUMBERS, Y, cv=cv)


def test_a_classifier_of_another_library_is_refitted() -> None:
    model = LogisticRegression()
    found = cross_validate(model, NUMBERS - 1e6, Y, cv=KFold(4))
    expected = [
        accuracy_score(Y[test], LogisticRegression().fit(NUMBERS[train] - 1e6, Y[train]).predict(NUMBERS[test] - 1e6))
        for train, test in KFold(4).split(NUMBERS)
    ]
    np.testing.assert_allclose(found.values("accuracy"), expected, rtol=1e-12)
    assert not hasattr(model, "coef_")


def test_a_grid_of_smoothing_values_reads_the_rows_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 values equal 20 refits of all folds; cells are counted where they are read."""
    read = []
    parts = Grid.parts

    def counted(self: Grid, schema: Any, rows: slice) -> Any:
        found = parts(self, schema, rows)
        read.append(len(found[0]))
        return found

    monkeypatch.setattr(Grid, "parts", counted)
    values = np.logspace(-9, 0, 20)
    found = grid_search(GaussianNB(threads=1), {"var_smoothing": values}, NUMBERS, Y, cv=10)
    assert sum(read) <= 2 * len(Y)
    assert found.reads == 2
    monkeypatch.undo()
    for value, result in zip(values, found.results, strict=True):
        expected = cross_validate(GaussianNB(var_smoothing=value), NUMBERS, Y, cv=10)
        np.testing.assert_allclose(result.values("log_loss"), expected.values("log_loss"), rtol=1e-10)
    best = min(found.results, key=lambda result: result.mean("log_loss"))
    assert found.results[found.best] is best
    whole = GaussianNB(var_smoothing=found.parameters["var_smoothing"]).fit(NUMBERS, Y)
    np.testing.assert_allclose(found.estimator.predict_proba(NUMBERS), whole.predict_proba(NUMBERS), atol=1e-10)


def test_parameters_that_change_what_is_kept_need_a_pass_of_their_own() -> None:
    grid = {"alpha": [0.1, 1.0], "binarize": [0.0, 1.0]}
    found = grid_search(BernoulliNB(), grid, CODES, Y, cv=3, scoring="accuracy")
    assert found.reads == 3
    for candidate, result in zip(found.candidates, found.results, strict=True):
        expected = cross_validate(BernoulliNB(**candidate), CODES, Y, cv=3)
        np.testing.assert_allclose(result.values("accuracy"), expected.values("accuracy"), rtol=1e-12)


def test_one_standard_error_takes_the_first_that_is_good_enough() -> None:
    values = [1e3, 1.5, 1.0, 1e-3]  # simplest first
    found = grid_search(GaussianNB(), {"var_smoothing": values}, NUMBERS, Y, rule="one_standard_error")
    means = np.array([result.mean("log_loss") for result in found.results])
    limit = means.min() + found.results[int(means.argmin())].standard_error("log_loss")
    assert found.best == int(np.flatnonzero(means <= limit)[0]) < int(means.argmin())
    assert "rows read 2 times" in str(found)


def test_a_grid_for_another_library() -> None:
    found = grid_search(LogisticRegression(), {"C": [0.01, 1.0]}, NUMBERS - 1e6, Y, cv=3)
    assert found.reads == 7
    assert found.parameters["C"] == found.estimator.C


@pytest.mark.parametrize("weights", [None, WEIGHTS + 0.5], ids=["alike", "weighted"])
def test_regressors_too(weights: Any) -> None:
    y = NUMBERS[:, 0] - 1e6 + rng.normal(size=120)
    alphas = [0.1, 10.0, 1000.0]
    found = grid_search(Ridge(), {"alpha": alphas}, NUMBERS, y, cv=KFold(5), sample_weight=weights)
    assert (found.reads, found.scoring, found.results[0].path) == (2, "mean_squared_error", "folds added")
    for alpha, result in zip(alphas, found.results, strict=True):
        for k, (train, test) in enumerate(KFold(5).split(NUMBERS)):
            w = (None, None) if weights is None else (weights[train], weights[test])
            model = PeerRidge(alpha=alpha).fit(NUMBERS[train] - 1e6, y[train], w[0])
            error = np.average((y[test] - model.predict(NUMBERS[test] - 1e6)) ** 2, weights=w[1])
            assert result.values("squared_error")[k] == pytest.approx(error, rel=1e-9)
    peer = cross_validate(PeerRidge(alpha=10.0), NUMBERS, y, cv=KFold(5), sample_weight=weights)
    assert peer.path == "refitted"
    np.testing.assert_allclose(peer.values("r2"), found.results[1].values("r2"), rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: cross_validate(GaussianNB(), NUMBERS, Y[:-1]),
            "y must be one label or number for each of the 120 rows, got 119",
        ),
        (lambda: cross_validate(Ridge(), NUMBERS, NUMBERS), "y must be one number a row, got shape (120, 4)"),
        (lambda: cross_validate(GaussianNB(), NUMBERS, Y, cv=1), "cv must be a number of folds from 2"),
        (lambda: cross_validate(GaussianNB(), NUMBERS, Y, cv=500), "cv must be a number of folds from 2"),
        (lambda: cross_validate(GaussianNB(), NUMBERS, Y, cv=[]), "cv must be of at least one split"),
        (lambda: cross_validate(GaussianNB(), NUMBERS, Y).mean("acuracy"), "a score must be among"),
        (lambda: grid_search(GaussianNB(), {}, NUMBERS, Y, rule="worst"), "rule must be among"),
        (lambda: grid_search(GaussianNB(), [], NUMBERS, Y), "grid must be of at least one candidate"),
        (lambda: grid_search(GaussianNB(), 3, NUMBERS, Y), "grid must be a mapping of parameters"),
        (lambda: grid_search(GaussianNB(), {"alpha": [1]}, NUMBERS, Y), "Invalid parameter 'alpha'"),
        (lambda: grid_search(GaussianNB(), {"priors": [None]}, NUMBERS, Y, scoring="x"), "a score must be among"),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as error:
        call()
    assert message in str(error.value)


def test_folds_in_the_order_of_the_rows() -> None:
    """C.W04, C.W05: 12 rows in 4 folds test rows 0-2, 3-5, 6-8 and 9-11; 50 rows in 5 folds test 10 each."""
    found = read_splits("cross_validate", KFold(4), None, 12, None, classes=False)
    assert [test.tolist() for _, test in found.pairs] == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert found.folds is not None
    assert found.folds.tolist() == np.repeat(range(4), 3).tolist()
    assert [len(test) for _, test in read_splits("cross_validate", 5, None, 50, None, classes=False).pairs] == [10] * 5


def test_a_grid_of_fifty_penalties() -> None:
    """C.W03, C.M03.09, G.G023: 50 penalties from 0.01 to 0.2, chosen by the error on rows held out."""
    penalties = np.linspace(0.01, 0.2)
    assert len(penalties) == 50
    y = NUMBERS[:, 0] - 1e6 + rng.normal(size=120)
    found = grid_search(Ridge(), {"alpha": penalties}, NUMBERS, y, cv=[(np.arange(80), np.arange(80, 120))])
    errors = [
        ((y[80:] - PeerRidge(alpha=a).fit(NUMBERS[:80] - 1e6, y[:80]).predict(NUMBERS[80:] - 1e6)) ** 2).mean()
        for a in penalties
    ]
    assert found.parameters["alpha"] == penalties[int(np.argmin(errors))]


def test_class_shares_are_kept_in_every_fold_of_sorted_rows() -> None:
    """C.M05.12, C.M05.13: rows sorted by class need stratified, or shuffled, folds."""
    y = np.repeat(["a", "b"], [40, 20])
    X = np.arange(60.0)[:, None]
    for k, (_, test) in enumerate(read_splits("cross_validate", 4, y, 60, None, classes=True).pairs):
        assert ((y[test] == "a").sum(), (y[test] == "b").sum()) == (10, 5), k
    plain, shuffled = (KFold(3, shuffle=shuffle, random_state=0 if shuffle else None) for shuffle in (False, True))
    worst = cross_validate(GaussianNB(), X, y, cv=plain).values("accuracy").min()
    assert worst < cross_validate(GaussianNB(), X, y, cv=shuffled).values("accuracy").min()


@pytest.mark.parametrize("cv", [KFold(10), LeaveOneOut()], ids=["ten folds", "leave one out"])
@pytest.mark.parametrize(
    ("estimator", "name"),
    [(LinearDiscriminantAnalysis(solver="lsqr"), "shrinkage"), (QuadraticDiscriminantAnalysis(), "reg_param")],
    ids=["linear", "quadratic"],
)
def test_discriminants_over_twenty_shrinkages_read_the_rows_twice(estimator: Any, name: str, cv: Any) -> None:
    X, y = NUMBERS[:45] - 1e6, Y[:45]
    values = np.linspace(0.05, 1.0, 20)
    found = grid_search(estimator, {name: values}, X, y, cv=cv)
    assert found.reads == 2
    for value, result in list(zip(values, found.results, strict=True))[::6]:
        expected = []
        for train, test in cv.split(X):
            model = clone(estimator).set_params(**{name: value}).fit(X[train], y[train])
            own = np.searchsorted(model.classes_.astype(str), y[test].astype(str))
            p = model.predict_proba(X[test])[np.arange(len(test)), own]
            expected.append(-np.log(p).mean())
        np.testing.assert_allclose(result.values("log_loss"), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_an_estimator_of_covariances_sees_the_rows_of_its_folds(kind: Any) -> None:
    """The sums of folds cannot say what it would: every fold is fitted anew."""
    shrunken = kind(solver="eigen", covariance_estimator=ShrunkCovariance(shrinkage=0.9))
    splits = list(StratifiedKFold(3).split(NUMBERS, Y))
    told = cross_val_predict(shrunken, NUMBERS, Y, cv=splits, method="predict_proba")
    for train, test in splits:
        anew = clone(shrunken).fit(NUMBERS[train], Y[train])
        np.testing.assert_allclose(told[test], anew.predict_proba(NUMBERS[test]), rtol=1e-9, atol=1e-12)


def test_a_missing_cell_is_refused_in_folds_as_in_fit() -> None:
    gap = np.where(np.arange(120)[:, None] == 3, np.nan, NUMBERS)
    with pytest.raises(BadInput, match="GaussianNB: every cell must be present"):
        cross_validate(GaussianNB(), gap, Y)


def test_weights_of_refitted_folds_are_one_a_row_or_one_for_all() -> None:
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    for weights in (np.ones(3), [1.0] * 21):
        with pytest.raises(BadInput, match="cross_validate: sample_weight must be one column of 20 numbers"):
            cross_validate(DecisionStump(), X, y, sample_weight=weights)
        with pytest.raises(BadInput, match="cross_validate: sample_weight must be one column of 20 numbers"):
            cross_val_predict(DecisionStump(), X, y, sample_weight=weights)
    alike, all_of_them = (cross_validate(DecisionStump(), X, y, sample_weight=w) for w in (np.full(20, 2.0), 2.0))
    assert all_of_them.mean("accuracy") == alike.mean("accuracy")


@pytest.mark.parametrize("model", [NaiveBayes(), DecisionStump()])
def test_absent_labels_are_told_before_they_are_sorted(model: Any) -> None:
    with pytest.raises(BadInput, match=r"labels must be present in every row, .* in row 0"):
        cross_val_predict(model, np.arange(20.0)[:, None], np.array([None] * 20), method="predict_proba")


@pytest.mark.parametrize("model", [NaiveBayes(), LinearRegression()])
def test_no_rows_have_no_score(model: Any) -> None:
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    with pytest.raises(BadInput, match=r": y must be of at least one row, to be scored, got none\. "):
        model.fit(X, y).score(X[:0], y[:0])
