"""Estimators around estimators save what they hold; loaded, they answer alike, without scikit-learn."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB as TheirNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import (
    BasicLinearClassifier,
    BinnedMap,
    CalibratedClassifier,
    Decide,
    GaussianNB,
    LinearRegression,
    LogisticRegression,
    MultinomialNB,
    NaiveBayes,
    OneVsOneClassifier,
    OneVsRestClassifier,
    RidgeClassifier,
)
from suffice.compose.calibration.calibrating import MAPS
from suffice.core.errors import BadInput, NotASummary
from suffice.datasets import make_clinic
from suffice.decision import Outliers

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
TRAINED = NaiveBayes().fit(X[::2], NAMES[::2])
COSTS = {"virginica": {"versicolor": 5}, "setosa": {"virginica": np.float64(2.0)}}
METHODS = (
    "predict", "predict_proba", "predict_log_proba", "decision_function", "reasons", "expected_cost", "claims",
    "ambiguous",
)  # fmt: skip

MODELS = [
    *(CalibratedClassifier(GaussianNB(), map=map) for map in MAPS),
    CalibratedClassifier(),
    CalibratedClassifier(RidgeClassifier(alpha=0.5), cv=3, refusal="ask"),
    CalibratedClassifier(LogisticRegression(), ensemble=True, cv=StratifiedKFold(3), response="log_odds"),
    CalibratedClassifier(FrozenEstimator(TRAINED)),
    CalibratedClassifier(TRAINED, cv="prefit"),
    CalibratedClassifier(OneVsRestClassifier(RidgeClassifier())),
    Decide(),
    Decide(GaussianNB(), prior="uniform", costs=COSTS, reject=0.3, refusal="no", outliers=0.1, unexplained="odd"),
    Decide(NaiveBayes(), prior={"setosa": 0.1, "versicolor": 0.1, "virginica": 0.8}, outliers=Outliers(-4.0)),
    Decide(CalibratedClassifier(RidgeClassifier()), at_least=0.9, costs=1 - np.eye(3), learned_prior=[0.2, 0.3, 0.5]),
    Decide(FrozenEstimator(TRAINED), refusal="ask"),
    OneVsRestClassifier(NaiveBayes()),
    OneVsRestClassifier(LogisticRegression()),
    OneVsRestClassifier(RidgeClassifier(), one_less=True),
    OneVsRestClassifier(LinearRegression()),
    OneVsRestClassifier(Decide(GaussianNB(), prior="uniform")),
    OneVsOneClassifier(NaiveBayes()),
    OneVsOneClassifier(BasicLinearClassifier()),
    OneVsOneClassifier(LinearRegression()),
]


def saved(model: Any, path: Path) -> Any:
    model.save(path)
    return suffice.load(path)


def assert_alike(model: Any, other: Any, rows: Any, methods: tuple[str, ...] = METHODS) -> None:
    expected = {method: getattr(model, method)(rows) for method in methods if hasattr(model, method)}
    assert len(expected) >= 3
    for method, wanted in expected.items():
        found = getattr(other, method)(rows)
        assert found.dtype == wanted.dtype, method
        np.testing.assert_array_equal(found, wanted, err_msg=method)


@pytest.mark.parametrize("labels", [NAMES, Y, NAMES == "setosa"], ids=["names", "numbers", "two"])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_loaded_models_answer_alike(model: Any, labels: np.ndarray, tmp_path: Path) -> None:
    """And the estimator that is made of the file, what that saves again, and what it learns anew."""
    if labels is not NAMES and any(given in str(model) for given in ("Frozen", "prefit", "setosa", "costs=")):
        labels = NAMES  # what was given names the classes
    fitted = clone(model) if getattr(model, "cv", None) != "prefit" else model
    fitted.fit(X, labels)
    loaded = saved(fitted, tmp_path / "model")
    assert_alike(fitted, loaded, X)
    assert loaded.classes_.dtype == fitted.classes_.dtype
    assert_alike(fitted, saved(loaded, tmp_path / "again"), X)
    estimator = loaded.estimator()
    assert type(estimator) is type(model)
    assert_alike(fitted, estimator, X)
    assert_alike(fitted, saved(estimator, tmp_path / "again"), X)
    assert estimator.n_features_in_ == 4
    anew = estimator if getattr(model, "cv", None) == "prefit" else clone(estimator)
    if not isinstance(getattr(model, "cv", None), StratifiedKFold):  # a splitter is no part of a file
        assert_alike(fitted, anew.fit(X, labels), X)


def test_parameters_come_back(tmp_path: Path) -> None:
    inner = CalibratedClassifier(RidgeClassifier(alpha=0.25), map="logistic", cv=3)
    model = Decide(inner, costs=COSTS, reject=0.3).fit(pd.DataFrame(X, columns=list("abcd")), NAMES)
    estimator = saved(model, tmp_path / "model").estimator()
    given = {name: value for name, value in model.get_params().items() if not hasattr(value, "fit")}
    assert {name: estimator.get_params()[name] for name in given} == given
    assert repr(estimator.estimator) == repr(inner)
    assert not hasattr(estimator.estimator, "fitted_")
    assert isinstance(estimator.estimator_, CalibratedClassifier)
    assert isinstance(estimator.estimator_.calibrated_classifiers_[0].estimator, RidgeClassifier)
    assert estimator.feature_names_in_.tolist() == list("abcd")
    plain = saved(CalibratedClassifier().fit(X, Y), tmp_path / "plain").estimator()
    assert plain.estimator is None


def test_what_was_frozen_stays_so(tmp_path: Path) -> None:
    for model in (CalibratedClassifier(FrozenEstimator(TRAINED)), Decide(FrozenEstimator(TRAINED))):
        estimator = saved(model.fit(X, NAMES), tmp_path / "model").estimator()
        assert isinstance(estimator.estimator, FrozenEstimator)
        again = clone(estimator).fit(X[:120], NAMES[:120])
        np.testing.assert_array_equal(again.estimator.predict_proba(X), TRAINED.predict_proba(X))


def test_a_classifier_trained_elsewhere_is_saved_without_fit(tmp_path: Path) -> None:
    model = Decide(TRAINED, costs=COSTS)
    loaded = saved(model, tmp_path / "model")
    assert_alike(model, loaded, X)
    np.testing.assert_array_equal(loaded.estimator().estimator.predict_proba(X), TRAINED.predict_proba(X))


def test_a_loaded_model_decides_late(tmp_path: Path) -> None:
    """By what is stored, and by what `predict` is told instead; its prior is known."""
    model = Decide(GaussianNB(), costs=COSTS, reject=0.3, refusal="no", outliers=0.1, unexplained="odd").fit(X, NAMES)
    loaded = saved(model, tmp_path / "model")
    assert set(loaded.predict(X).tolist()) == {"setosa", "versicolor", "virginica", "no", "odd"}
    np.testing.assert_array_equal(loaded.prior_, model.prior_)
    for wish in ({"prior": [0.1, 0.1, 0.8]}, {"reject": 0.01}, {"at_least": 0.99}, {"costs": 1 - np.eye(3)}):
        np.testing.assert_array_equal(loaded.predict(X, **wish), model.predict(X, **wish))
        np.testing.assert_array_equal(loaded.reasons(X, **wish), model.reasons(X, **wish))
    np.testing.assert_array_equal(loaded.reasons(X, outliers=0.02), model.reasons(X, outliers=0.02))
    posterior = loaded.posterior(X)
    np.testing.assert_array_equal(posterior.proba, model.posterior(X).proba)
    np.testing.assert_array_equal(posterior.prior, model.prior_)


def test_several_labels(tmp_path: Path) -> None:
    rows, labels = make_multilabel_classification(60, 5, n_classes=3, random_state=0)
    for base in (LogisticRegression(), NaiveBayes(), RidgeClassifier()):
        model = OneVsRestClassifier(base).fit(rows, labels)
        loaded = saved(model, tmp_path / "model")
        for other in (loaded, loaded.estimator()):
            assert_alike(model, other, rows, ("predict", "claims", "predict_proba", "decision_function"))
        assert loaded.classes_.tolist() == [0, 1, 2]
        with pytest.raises(BadInput, match="y must be one label a row to be ambiguous about, got several"):
            loaded.ambiguous(rows)


def test_any_table(tmp_path: Path) -> None:
    clinic = make_clinic(200, random_state=0, text=False)
    for model in (CalibratedClassifier(cv=3), Decide(at_least=0.5), OneVsRestClassifier(NaiveBayes())):
        loaded = saved(model.fit(clinic.frame("pandas"), clinic.target), tmp_path / "model")
        expected = model.predict_proba(clinic.frame("pandas"))
        for table in (clinic.frame("polars"), clinic.frame("pyarrow"), dict(clinic.data)):
            np.testing.assert_allclose(loaded.predict_proba(table), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", [list, sp.csr_matrix, pd.DataFrame, pl.DataFrame])
def test_forms_of_numbers(form: Any, tmp_path: Path) -> None:
    for model in (OneVsOneClassifier(MultinomialNB()), OneVsRestClassifier(MultinomialNB())):
        loaded = saved(model.fit(X, NAMES), tmp_path / "model")
        np.testing.assert_array_equal(loaded.predict(form(X)), model.predict(X))
    votes = saved(OneVsOneClassifier(MultinomialNB()).fit(X, NAMES), tmp_path / "model").votes(form(X))
    np.testing.assert_array_equal(votes.counts, OneVsOneClassifier(MultinomialNB()).fit(X, NAMES).votes(X).counts)


def test_without_scikit_learn(tmp_path: Path) -> None:
    """A process of its own loads, answers and decides."""
    models = [
        CalibratedClassifier(RidgeClassifier()),
        Decide(CalibratedClassifier(GaussianNB()), reject=0.3, costs=COSTS),
        Decide(GaussianNB(), outliers=0.1),
        OneVsRestClassifier(NaiveBayes()),
        OneVsRestClassifier(RidgeClassifier(), one_less=True),
        OneVsOneClassifier(LogisticRegression()),
    ]
    for k, model in enumerate(models):
        model.fit(X, NAMES).save(tmp_path / f"{k}.suffice")
    np.save(tmp_path / "rows.npy", X)
    program = (
        "import sys, numpy as np, suffice\n"
        f"folder, count = {str(tmp_path)!r}, {len(models)}\n"
        "rows = np.load(folder + '/rows.npy')\n"
        "for k in range(count):\n"
        "    np.save(f'{folder}/{k}.npy', suffice.load(f'{folder}/{k}.suffice').predict(rows).astype(str))\n"
        "print(sorted({'sklearn', 'numba', 'pandas'} & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=os.environ)
    assert (done.stdout, done.stderr) == ("[]\n", "")
    for k, model in enumerate(models):
        assert np.load(tmp_path / f"{k}.npy").tolist() == model.predict(X).astype(str).tolist()


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (CalibratedClassifier(TheirNB()), "CalibratedClassifier: the estimator must be one of ours to be saved"),
        (Decide(FrozenEstimator(TheirNB().fit(X, NAMES))), "Decide: the estimator must be one of ours to be saved"),
        (
            Decide(CalibratedClassifier(TheirLogistic(C=0.01))),
            "CalibratedClassifier: the estimator must be one of ours to be saved, got LogisticRegression. A file holds",
        ),
        (
            Decide(make_pipeline(StandardScaler(), GaussianNB())),
            "Decide: the estimator must be one of ours to be saved, got Pipeline. A file holds numbers and a descr",
        ),
        (OneVsRestClassifier(TheirNB()), "OneVsRestClassifier: the estimator must be one of ours to be saved"),
        (OneVsOneClassifier(TheirNB()), "OneVsOneClassifier: the estimator must be one of ours to be saved"),
        (
            CalibratedClassifier(GaussianNB(), map=partial(BinnedMap.of, bins=5)),
            "CalibratedClassifier: map must be one of binned, isotonic, .* to be saved, got functools.partial",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_not_ours_is_refused_in_one_sentence(model: Any, sentence: str, tmp_path: Path) -> None:
    model.fit(X, NAMES)
    with pytest.raises(BadInput, match=sentence):
        model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_prior_that_nobody_knows_is_not_exchanged(tmp_path: Path) -> None:
    loaded = saved(OneVsRestClassifier(NaiveBayes()).fit(X, NAMES), tmp_path / "model")
    with pytest.raises(BadInput, match="OneVsRestClassifier: prior must be None where no class prior is known"):
        loaded.predict(X, prior="uniform")
    assert (loaded.predict(X, costs=1 - np.eye(3)) == loaded.predict(X)).mean() > 0.99


def test_a_loaded_decide_learns_on_merges_and_forgets(tmp_path: Path) -> None:
    """By the estimator that it holds; where that cannot, in one sentence, and nothing is changed."""
    X, y = load_iris(return_X_y=True)
    Decide(GaussianNB(), at_least=0.9, refusal=-1).fit(X[::2], y[::2]).save(tmp_path / "even")
    Decide(GaussianNB(), at_least=0.9, refusal=-1).fit(X[1::2], y[1::2]).save(tmp_path / "odd")
    whole = Decide(GaussianNB(), at_least=0.9, refusal=-1).fit(X, y)
    model, odd = suffice.load(tmp_path / "even"), suffice.load(tmp_path / "odd")
    for change in (lambda m: m.merge(odd), lambda m: m.forget(X[1::2], y[1::2]).partial_fit(X[1::2], y[1::2])):
        changed = change(model)
        assert changed is model
        np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(model.predict(X), whole.predict(X))
    model.save(tmp_path / "again")
    np.testing.assert_array_equal(suffice.load(tmp_path / "again").predict(X), whole.predict(X))
    Decide(LogisticRegression()).fit(X, y).save(tmp_path / "passes")
    with pytest.raises(NotASummary, match="found in"):
        suffice.load(tmp_path / "passes").merge(suffice.load(tmp_path / "passes"))
