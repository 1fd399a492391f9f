"""Verbs of the estimator inside: `Decide` learns on, merges and forgets where that does; calibration has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB as TheirNB

import suffice
from suffice import CalibratedClassifier, Decide, GaussianNB, LogisticRegression, NaiveBayes, RidgeClassifier
from suffice.core.errors import BadInput, NeverAdded, NotASummary
from suffice.decision import Outliers

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
W = np.arange(150) % 3 + 0.5
VERBS = ("partial_fit", "merge", "forget")
SHARDS = [slice(0, 40), slice(40, 110), slice(110, 150)]  # each lacks a class
WISHES: dict[str, Any] = {"prior": "uniform", "reject": 0.2, "refusal": "ask"}
BASES = [NaiveBayes(), GaussianNB(), Decide(NaiveBayes(), prior=[0.5, 0.25, 0.25])]


def loss() -> Any:
    return SGDClassifier(loss="log_loss", random_state=0)


def assert_same(model: Any, other: Any) -> None:
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.prior_, other.prior_, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    np.testing.assert_array_equal(model.classes_, other.classes_)


@pytest.mark.parametrize(
    ("model", "offered"),
    [
        (Decide(), VERBS),
        (Decide(GaussianNB()), VERBS),
        (Decide(Decide(GaussianNB())), VERBS),
        (Decide(loss()), ("partial_fit",)),
        (Decide(TheirNB()), ("partial_fit",)),
        (Decide(LogisticRegression()), ("partial_fit",)),
        (Decide(TheirLogistic(C=0.01)), ()),
        (Decide(FrozenEstimator(NaiveBayes().fit(X, Y))), ()),
        (Decide(CalibratedClassifier(NaiveBayes())), ()),
        (CalibratedClassifier(NaiveBayes()), ()),
        (CalibratedClassifier(RidgeClassifier()), ()),
    ],
    ids=str,
)
def test_the_verbs_are_those_of_what_is_inside(model: Any, offered: tuple[str, ...]) -> None:
    assert tuple(verb for verb in VERBS if hasattr(model, verb)) == offered
    assert tuple(verb for verb in VERBS if hasattr(clone(model).fit(X, Y), verb)) == offered


@pytest.mark.parametrize("base", BASES, ids=str)
def test_learning_on_is_learning_all(base: Any) -> None:
    """In any order, with weights; decisions included, and the prior follows."""
    whole = Decide(base, **WISHES).fit(X, NAMES, W)
    for order in ((0, 1, 2), (2, 0, 1)):
        model = Decide(base, **WISHES)
        for k in order:
            model.partial_fit(X[SHARDS[k]], NAMES[SHARDS[k]], np.unique(NAMES), W[SHARDS[k]])
        assert_same(model, whole)
        assert model.n_features_in_ == 4


@pytest.mark.parametrize("base", BASES, ids=str)
def test_merging_is_learning_all(base: Any, tmp_path: Path) -> None:
    """Estimators and models from files; none of the others is changed."""
    whole = Decide(base, **WISHES).fit(X, NAMES)
    half = [Decide(base, **WISHES).fit(X[rows], NAMES[rows]) for rows in (slice(0, None, 2), slice(1, None, 2))]
    before = half[1].predict_proba(X)
    half[1].save(tmp_path / "half")
    assert_same(clone(half[0]).fit(X[::2], NAMES[::2]).merge(suffice.load(tmp_path / "half")), whole)
    inner = half[0].estimator_
    said = inner.predict_proba(X)
    assert_same(half[0].merge(half[1]), whole)
    np.testing.assert_array_equal(inner.predict_proba(X), said)
    np.testing.assert_array_equal(half[1].predict_proba(X), before)


@pytest.mark.parametrize("base", BASES, ids=str)
def test_forgetting_goes_back(base: Any) -> None:
    some = np.arange(150) % 4 > 0
    before = Decide(base, **WISHES).fit(X[some], NAMES[some])
    model = Decide(base, **WISHES).fit(X, NAMES).forget(X[~some], NAMES[~some])
    assert_same(model, before)


def test_a_verb_that_fails_changes_nothing() -> None:
    model = Decide(GaussianNB()).fit(X, NAMES)
    before = {name: id(value) for name, value in vars(model).items()}
    inner = model.estimator_.fitted_
    for call, error in (
        (lambda: model.forget(X[:1].repeat(60, axis=0), NAMES[:1].repeat(60)), NeverAdded),
        (lambda: model.merge(model, GaussianNB().fit(X, NAMES)), NotASummary),
        (lambda: model.merge(Decide(NaiveBayes()).fit(X, NAMES)), NotASummary),
        (lambda: model.partial_fit(X[:, :3], NAMES), ValueError),
    ):
        with pytest.raises(error):
            call()
        assert {name: id(value) for name, value in vars(model).items()} == before
        assert model.estimator_.fitted_ is inner


def test_a_classifier_that_was_given_trained_stays_as_it_is() -> None:
    trained = GaussianNB().fit(X[::2], NAMES[::2])
    before = trained.predict_proba(X)
    assert_same(Decide(trained).partial_fit(X[1::2], NAMES[1::2]), Decide(GaussianNB()).fit(X, NAMES))
    np.testing.assert_array_equal(trained.predict_proba(X), before)
    theirs = loss().fit(X, Y)
    said = theirs.predict_proba(X)
    Decide(theirs).partial_fit(X[:50], Y[:50])
    np.testing.assert_array_equal(theirs.predict_proba(X), said)


def test_who_tells_no_prior_has_the_shares_of_all_rows() -> None:
    """Counted by weight as rows come; a stated prior stays; unknown where rows were learned elsewhere."""
    model = Decide(loss()).partial_fit(X[:60], Y[:60], classes=[0, 1, 2], sample_weight=W[:60])
    model.partial_fit(X[60:], Y[60:], sample_weight=W[60:])
    np.testing.assert_allclose(model.prior_, np.bincount(Y, W) / W.sum(), rtol=1e-12)
    model = Decide(loss(), learned_prior=[0.2, 0.3, 0.5]).fit(X, Y).partial_fit(X[:50], Y[:50])
    np.testing.assert_array_equal(model.prior_, [0.2, 0.3, 0.5])
    unknown = Decide(loss().fit(X, Y)).partial_fit(X[:50], Y[:50])
    with pytest.raises(BadInput, match="Decide: learned_prior must be given for a trained classifier"):
        unknown.predict(X, prior="uniform")


def test_a_share_of_outliers_needs_all_rows_at_once() -> None:
    model = Decide(GaussianNB(), outliers=0.1).fit(X, Y)
    for call in (lambda: model.partial_fit(X, Y), lambda: model.forget(X[:5], Y[:5]), lambda: model.merge(model)):
        with pytest.raises(BadInput) as caught:
            call()
        assert str(caught.value) == (
            "Decide: outliers must be None or Outliers where rows are added or taken away, got 0.1. The rows met "
            "before are gone; fit all of them together."
        )
    later = model.set_params(outliers=Outliers(-6.0)).partial_fit(X, Y)
    assert later.densities_ is None
    assert 0 < (later.reasons(X) == "outlier").sum() < 150


def test_models_of_another_kind_are_refused() -> None:
    with pytest.raises(NotASummary) as caught:
        Decide(GaussianNB()).fit(X, Y).merge(GaussianNB().fit(X, Y))
    assert str(caught.value) == (
        "Decide: models to merge must be of its own kind, got GaussianNB. Train the same kind on each shard."
    )
