"""Scorers: what scikit-learn's scorers of the same names say, inside scikit-learn's own model selection."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import cohen_kappa_score, get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB as PeerNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.evaluation import scorer
from suffice.evaluation.scores.scorers import SCORERS

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
LINEAR = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
TWO = ["roc_auc", "average_precision"]
NUMBERS = ["r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error"]
OURS = {"cohen_kappa", "f", "f_macro", "f_micro", "f_weighted", "precision", "recall", "f1"}
MANY = sorted(set(SCORERS) - set(TWO) - set(NUMBERS) - OURS)


@pytest.mark.parametrize("name", MANY)
def test_many_classes(name: str) -> None:
    model = PeerNB().fit(*IRIS)
    expected = get_scorer(name)(model, *IRIS) / (2.0 if name == "neg_brier_score" else 1.0)  # ours is from 0 to 1
    assert scorer(name)(model, *IRIS) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("model", [LINEAR, PeerNB()])
@pytest.mark.parametrize("name", [*TWO, "neg_brier_score", "precision", "recall", "f1"])
def test_two_classes(name: str, model: Any) -> None:
    model = model.fit(*CANCER)
    assert scorer(name, positive=1)(model, *CANCER) == pytest.approx(get_scorer(name)(model, *CANCER), rel=1e-12)


def test_log_loss_is_not_cut_off() -> None:
    linear, bayes = (model.fit(*CANCER) for model in (LINEAR, PeerNB()))
    theirs = get_scorer("neg_log_loss")
    assert scorer("neg_log_loss")(linear, *CANCER) == pytest.approx(theirs(linear, *CANCER), rel=1e-12)
    assert bayes.predict_proba(CANCER[0]).min() < 1e-16
    assert scorer("neg_log_loss")(bayes, *CANCER) < theirs(bayes, *CANCER)  # which replaces what is below 2e-16


@pytest.mark.parametrize("name", TWO)
def test_the_other_class_may_be_positive(name: str) -> None:
    X, y = CANCER
    model = PeerNB().fit(X, y)
    turned = get_scorer(name)(PeerNB().fit(X, 1 - y), X, 1 - y)
    assert scorer(name, positive=0)(model, X, y) == pytest.approx(turned, rel=1e-9)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name: str) -> None:
    model = Ridge().fit(*DIABETES)
    w = np.arange(len(DIABETES[1])) % 3
    assert scorer(name)(model, *DIABETES) == pytest.approx(get_scorer(name)(model, *DIABETES), rel=1e-12)
    expected = get_scorer(name)(model, *DIABETES, sample_weight=w)
    assert scorer(name)(model, *DIABETES, sample_weight=w) == pytest.approx(expected, rel=1e-12)


def test_f_and_kappa() -> None:
    X, y = IRIS
    model = PeerNB().fit(X, y)
    assert scorer("cohen_kappa")(model, X, y) == pytest.approx(cohen_kappa_score(y, model.predict(X)), rel=1e-12)
    assert scorer("f", positive=1)(model, X, y) == scorer("f1", positive=1)(model, X, y)
    recall, precision = (scorer(name, positive=1)(model, X, y) for name in ("recall", "precision"))
    assert scorer("f", positive=1, beta=0)(model, X, y) == pytest.approx(precision, rel=1e-14)
    f2 = 5 * precision * recall / (4 * precision + recall)
    assert scorer("f", positive=1, beta=2)(model, X, y) == pytest.approx(f2, rel=1e-12)


def test_inside_scikit_learn_s_model_selection() -> None:
    found = cross_val_score(PeerNB(), *IRIS, scoring=scorer("f1_macro"), cv=5)
    np.testing.assert_allclose(found, cross_val_score(PeerNB(), *IRIS, scoring="f1_macro", cv=5), rtol=1e-12)
    both = cross_validate(PeerNB(), *IRIS, scoring={"loss": scorer("neg_log_loss"), "right": scorer("accuracy")}, cv=3)
    assert set(both) >= {"test_loss", "test_right"}
    search = GridSearchCV(PeerNB(), {"var_smoothing": [1e-9, 1.0]}, scoring=scorer("neg_brier_score"), cv=3).fit(*IRIS)
    assert search.best_params_ == {"var_smoothing": 1e-9}


def test_a_fold_without_a_class_is_scored_like_any_other() -> None:
    X, y = IRIS
    model = PeerNB().fit(X, y)
    rows = y > 0
    assert np.isfinite(scorer("neg_log_loss")(model, X[rows], y[rows]))
    assert np.isnan(scorer("recall", positive=0)(model, X[rows], y[rows]))


class Careful:
    """Answers only what is 99 % certain."""

    refusal = "?"

    def __init__(self, model: Any) -> None:
        self.model, self.classes_ = model, model.classes_

    def predict(self, X: Any) -> Any:
        return self.model.predict(X, at_least=0.99)


def test_refused_rows_are_left_out() -> None:
    X, y = IRIS
    labels = np.array(["setosa", "versicolor", "virginica"])[y]
    model = Careful(NaiveBayes(refusal="?").fit(X, labels))
    answers = model.predict(X)
    assert (answers == "?").any()
    right = np.mean(answers[answers != "?"] == labels[answers != "?"])
    assert scorer("accuracy")(model, X, labels) == pytest.approx(right, rel=1e-14)


def test_bad_input_gets_one_sentence() -> None:
    model = PeerNB().fit(*IRIS)
    with pytest.raises(BadInput, match=r"^scorer: name must be one of accuracy, .*, got 'accurate'\."):
        scorer("accurate")
    with pytest.raises(BadInput, match=r"^scorer: positive must be a class for 'f1', got None\. Or ask for f1_macro"):
        scorer("f1")
    with pytest.raises(BadInput, match=r"^scorer: beta must be a finite number of at least 0, got -1\."):
        scorer("f_macro", beta=-1)
    with pytest.raises(BadInput, match=r"^scorer: positive must be one of the classes \(.*\), got 7\."):
        scorer("recall", positive=7)(model, *IRIS)
    with pytest.raises(BadInput, match=r"^scorer: classes of the estimator must be two for 'roc_auc', got "):
        scorer("roc_auc")(model, *IRIS)
