"""Estimators around estimators in cross-validation, searches, copies, with weights and labels of the user's own."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.model_selection import cross_val_predict as their_cross_val_predict

from suffice import (
    CalibratedClassifier,
    Decide,
    GaussianNB,
    LogisticRegression,
    NaiveBayes,
    OneVsOneClassifier,
    OneVsRestClassifier,
    RidgeClassifier,
)
from suffice.evaluation import cross_val_predict, cross_validate, grid_search

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
FOLDS = StratifiedKFold(4, shuffle=True, random_state=1)

MODELS = [
    CalibratedClassifier(GaussianNB(), cv=3),
    CalibratedClassifier(OneVsRestClassifier(RidgeClassifier()), cv=3),
    Decide(NaiveBayes()),
    Decide(CalibratedClassifier(RidgeClassifier(), cv=3)),
    Decide(OneVsRestClassifier(NaiveBayes())),
    OneVsRestClassifier(NaiveBayes()),
    OneVsRestClassifier(RidgeClassifier()),
    OneVsOneClassifier(LogisticRegression()),
]


@pytest.mark.parametrize("labels", [NAMES, Y], ids=["names", "numbers"])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_cross_validation(model: Any, labels: np.ndarray) -> None:
    """Ours and scikit-learn's, on the same folds and on a table that is sorted by class."""
    answers = cross_val_predict(model, X, labels, cv=FOLDS)
    np.testing.assert_array_equal(answers, their_cross_val_predict(clone(model), X, labels, cv=FOLDS))
    right = [np.mean(answers[test] == labels[test]) for _, test in FOLDS.split(X, labels)]
    np.testing.assert_allclose(cross_validate(model, X, labels, cv=FOLDS).values("accuracy"), right, rtol=1e-12)
    assert cross_validate(model, X, labels).mean("accuracy") > 0.8
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_searches(model: Any) -> None:
    """By parameters of the estimator inside, and by the estimator itself."""
    inner = {"estimator": [clone(model.estimator), NaiveBayes()]}
    found = grid_search(model, inner, X, NAMES, cv=FOLDS, scoring="accuracy")
    peer = GridSearchCV(clone(model), inner, cv=FOLDS).fit(X, NAMES)
    means = [result.mean("accuracy") for result in found.results]
    np.testing.assert_allclose(means, peer.cv_results_["mean_test_score"], rtol=1e-12)
    assert found.estimator.score(X, NAMES) > 0.8


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_copies(model: Any) -> None:
    fitted = clone(model).fit(X, NAMES)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    assert repr(clone(fitted)) == repr(model)


@pytest.mark.parametrize(
    "model",
    [Decide(NaiveBayes()), Decide(CalibratedClassifier(RidgeClassifier(), cv=[(np.arange(150), np.arange(150))]))],
)
def test_weights_are_copies(model: Any) -> None:
    w = np.arange(150) % 3
    copies = np.repeat(np.arange(150), w)
    weighted = clone(model).fit(X, NAMES, sample_weight=w)
    if isinstance(model.estimator, CalibratedClassifier):
        model = clone(model).set_params(estimator__cv=[(np.arange(len(copies)), np.arange(len(copies)))])
    copied = clone(model).fit(X[copies], NAMES[copies])
    np.testing.assert_allclose(weighted.predict_proba(X), copied.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_allclose(weighted.prior_, copied.prior_, rtol=1e-12)
