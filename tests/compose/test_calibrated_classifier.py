"""CalibratedClassifier: scikit-learn's on the same folds, any table, any estimator, decisions, weights, messages."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB as PeerNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.estimator_checks import check_estimator

import suffice
from suffice import BinnedMap, CalibratedClassifier, GaussianNB, IsotonicMap, LogisticMap, NaiveBayes, TemperatureMap
from suffice.compose.calibration.calibrating import MAPS
from suffice.core.errors import BadInput, SufficeError
from suffice.datasets import make_clinic
from suffice.sources.engines.memory import MemorySource

X, Y = load_iris(return_X_y=True)
LINEAR = make_pipeline(StandardScaler(), LogisticRegression())
HINGE = make_pipeline(StandardScaler(), SGDClassifier(random_state=0))
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
FOLDS = StratifiedKFold(4, shuffle=True, random_state=3)


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_iris])
def test_the_hull_is_isotonic_calibration_of_scikit_learn_on_the_same_folds(load: Any, ensemble: bool) -> None:
    rows, labels = load(return_X_y=True)
    train = np.arange(len(labels)) % 3 > 0
    peer = CalibratedClassifierCV(LINEAR, method="isotonic", cv=FOLDS, ensemble=ensemble)
    ours = CalibratedClassifier(LINEAR, map="isotonic", cv=FOLDS, ensemble=ensemble)
    theirs = peer.fit(rows[train], labels[train]).predict_proba(rows[~train])
    mine = ours.fit(rows[train], labels[train]).predict_proba(rows[~train])
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12)
    assert len(ours.calibrated_classifiers_) == len(peer.calibrated_classifiers_)


@pytest.mark.parametrize("ensemble", [True, False])
def test_the_same_for_probabilities_and_weights(ensemble: bool) -> None:
    w = np.random.default_rng(0).integers(1, 4, len(Y)).astype(np.float64)
    peer = CalibratedClassifierCV(PeerNB(), method="isotonic", cv=FOLDS, ensemble=ensemble).fit(X, Y, w)
    ours = CalibratedClassifier(PeerNB(), map=IsotonicMap, cv=FOLDS, ensemble=ensemble, response="predict_proba")
    np.testing.assert_allclose(ours.fit(X, Y, w).predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("method", "map"), [("sigmoid", "logistic"), ("temperature", "temperature")])
def test_other_maps_of_scikit_learn_as_far_as_they_converge(method: str, map: str) -> None:
    peer = CalibratedClassifierCV(LINEAR, method=method, cv=FOLDS, ensemble=False).fit(X, Y)
    ours = CalibratedClassifier(LINEAR, map=map, cv=FOLDS, response="decision_function").fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "model",
    [
        CalibratedClassifier(PeerNB(), map="binned", ensemble=True, cv=2),
        CalibratedClassifier(LogisticRegression(), map="isotonic"),
        CalibratedClassifier(GaussianNB(), map="temperature"),
    ],
    ids=str,
)
def test_scikit_learn_checks(model: Any) -> None:
    results = check_estimator(model, on_fail=None, on_skip=None)
    odd = {r["check_name"]: r["exception"] for r in results if r["status"] != "passed"}
    assert set(odd) <= {"check_array_api_input"}, odd


@pytest.mark.parametrize("model", [NaiveBayes(), GaussianNB()])
def test_forgetting_folds_is_training_without_them(model: Any) -> None:
    fast = CalibratedClassifier(model, map="logistic", cv=FOLDS).fit(X + 1e8, Y)
    rows = [(train, test) for train, test in FOLDS.split(X, Y)]
    scores = np.empty((len(Y), 3))
    for train, test in rows:
        scores[test] = fast.calibrated_classifiers_[0].scorer(clone(model).fit(X[train] + 1e8, Y[train]), X[test] + 1e8)
    np.testing.assert_allclose(
        LogisticMap.of(scores, Y)(scores), fast.calibrated_classifiers_[0].map(scores), rtol=0, atol=1e-12
    )


def test_one_pass_models_learn_all_folds_and_the_whole_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []  # rows, pass by pass
    plain = MemorySource.reduce

    def counted(self: MemorySource, *how: Any) -> Any:
        read.append(self.table.n)
        return plain(self, *how)

    monkeypatch.setattr(MemorySource, "reduce", counted)
    for ensemble in (False, True):
        CalibratedClassifier(NaiveBayes(), cv=10, ensemble=ensemble).fit(X, Y)
        assert read == [150]
        read.clear()
    CalibratedClassifier(NaiveBayes(), cv=ShuffleSplit(3, test_size=0.2, train_size=0.5, random_state=0)).fit(X, Y)
    assert read == [150, 75, 75, 75]


def test_tables_of_mixed_kinds_and_missing_cells() -> None:
    clinic = make_clinic(300, random_state=0, text=False)
    base = NaiveBayes(kinds={**clinic.kinds, "severity": list(clinic.orders["severity"])})
    tables = [clinic.frame("pandas"), clinic.frame("polars"), clinic.frame("pyarrow"), dict(clinic.data)]
    answers = [CalibratedClassifier(base, cv=3).fit(t, clinic.target).predict_proba(t) for t in tables]
    for other in answers[1:]:
        np.testing.assert_allclose(other, answers[0], rtol=0, atol=1e-12)
    model = CalibratedClassifier(base, cv=3).fit(tables[0], clinic.target)
    assert model.classes_.tolist() == list(clinic.classes)
    assert model.feature_names_in_.tolist() == list(clinic.data)


@pytest.mark.parametrize("form", [np.asfortranarray, list, pd.DataFrame, pl.DataFrame])
def test_forms_of_the_same_table(form: Any) -> None:
    plain = CalibratedClassifier(GaussianNB(), cv=3).fit(X, Y).predict_proba(X)
    other = CalibratedClassifier(GaussianNB(), cv=3).fit(form(X), Y).predict_proba(form(X))
    np.testing.assert_allclose(other, plain, rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.coo_array, sp.dia_array, sp.bsr_matrix])
def test_sparse_rows_are_taken_whatever_their_form(form: Any) -> None:
    rows, labels = X[::3], Y[::3]
    base = suffice.MultinomialNB()
    plain = CalibratedClassifier(base, cv=3).fit(rows, labels).predict_proba(rows)
    other = CalibratedClassifier(base, cv=3).fit(form(rows), labels).predict_proba(form(rows))
    np.testing.assert_allclose(other, plain, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", "b", "c"]),
        np.array([10, 20, 30], dtype=np.int8),
        np.array(["x", 7, 8], dtype=object),
    ],
)
def test_labels_of_any_type(labels: Any) -> None:
    y = labels[Y]
    model = CalibratedClassifier(NaiveBayes(), cv=3).fit(X, y)
    assert set(model.predict(X).tolist()) <= set(labels.tolist())
    assert np.mean(model.predict(X) == y) > 0.9
    assert model.classes_.dtype == labels.dtype


@pytest.mark.parametrize("map", [*MAPS, IsotonicMap, TemperatureMap, partial(BinnedMap.of, bins=3)])
@pytest.mark.parametrize("base", [NaiveBayes(), LINEAR, TREE, HINGE])
def test_every_map_around_every_kind_of_classifier(base: Any, map: Any) -> None:
    if base is TREE and map == "means":  # one class is told apart without doubt: its scores have no spread
        with pytest.raises(BadInput, match="LogisticMap: scores must be spread within a class"):
            CalibratedClassifier(base, map=map, cv=3).fit(X, Y)
        return
    p = CalibratedClassifier(base, map=map, cv=3).fit(X, Y).predict_proba(X)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)
    two = CalibratedClassifier(base, map=map, cv=3).fit(X[50:], Y[50:])
    assert two.predict_proba(X).shape == (150, 2)
    assert two.score(X[50:], Y[50:]) > 0.8


@pytest.mark.parametrize(
    "cv",
    [2, KFold(5, shuffle=True, random_state=0), LeaveOneOut(), ShuffleSplit(5, random_state=0),
     RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0), list(FOLDS.split(X, Y))],
)  # fmt: skip
def test_splitters_are_used_as_they_are(cv: Any) -> None:
    model = CalibratedClassifier(GaussianNB(), cv=cv).fit(X, Y)
    assert model.score(X, Y) > 0.9


def test_a_class_of_one_row_is_learned_all_the_same() -> None:
    y = np.where(np.arange(150) == 7, 9, Y)
    for base in (NaiveBayes(), LINEAR):
        model = CalibratedClassifier(base).fit(X, y)
        assert model.classes_.tolist() == [0, 1, 2, 9]
        assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("base", [NaiveBayes(), PeerNB(), LINEAR])
def test_a_trained_classifier_is_left_as_it_is(base: Any) -> None:
    half = np.arange(150) % 2 == 0
    trained = clone(base).fit(X[half], Y[half])
    before = trained.predict_proba(X)
    frozen = CalibratedClassifier(FrozenEstimator(trained), map="logistic").fit(X[~half], Y[~half])
    prefit = CalibratedClassifier(trained, cv="prefit", map="logistic").fit(X[~half], Y[~half], np.ones(75))
    assert (trained.predict_proba(X) == before).all()
    np.testing.assert_allclose(frozen.predict_proba(X), prefit.predict_proba(X), rtol=1e-12)
    pair = prefit.calibrated_classifiers_[0]
    scores = pair.scorer(trained, X[~half])
    np.testing.assert_allclose(pair.map(scores), LogisticMap.of(scores, Y[~half])(scores), rtol=1e-13)


def test_decisions_are_made_late() -> None:
    y = np.array(["se", "ve", "vi"])[Y]
    model = CalibratedClassifier(NaiveBayes(), refusal="ask").fit(X, y)
    posterior = model.posterior(X)
    np.testing.assert_allclose(posterior.prior, 1 / 3, rtol=1e-15)
    plain = model.predict(X)
    assert (plain == model.classes_[posterior.proba.argmax(axis=1)]).all()
    assert (model.predict(X, prior={"se": 0.0, "ve": 0.5, "vi": 0.5}) != "se").all()
    assert (model.predict(X, costs=[[0, 1, 1], [1, 0, 1], [1, 50, 0]]) == "vi").sum() > (plain == "vi").sum()
    unsure = posterior.proba.max(axis=1) < 0.9
    assert ((model.predict(X, at_least=0.9) == "ask") == unsure).all()
    assert 0 < unsure.sum() < 100
    assert (model.predict(X, reject=-1.0) == "ask").all()


def test_weights_reach_the_classifier_and_the_map() -> None:
    w = np.arange(150) % 3
    folds = [(a, b) for a, b in FOLDS.split(X, Y)]
    copies = np.repeat(np.arange(150), w)
    twice = [tuple(np.flatnonzero(np.isin(copies, side)) for side in fold) for fold in folds]
    weighted = CalibratedClassifier(GaussianNB(), cv=folds).fit(X, Y, w).predict_proba(X)
    copied = CalibratedClassifier(GaussianNB(), cv=twice).fit(X[copies], Y[copies]).predict_proba(X)
    np.testing.assert_allclose(weighted, copied, rtol=0, atol=1e-12)


def test_one_weight_for_all_rows_changes_nothing() -> None:
    plain = CalibratedClassifier(GaussianNB(), map="isotonic").fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(
        CalibratedClassifier(GaussianNB(), map="isotonic").fit(X, Y, 2.0).predict_proba(X), plain, rtol=0, atol=1e-12
    )


def test_metadata_is_routed() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        base = LogisticRegression(max_iter=5000).set_fit_request(sample_weight=True)
        model = CalibratedClassifier(base, cv=GroupKFold(3))
        groups, w = np.arange(150) % 7, np.ones(150)
        routed = model.fit(X, Y, sample_weight=w, groups=groups).predict_proba(X)
    splits = list(GroupKFold(3).split(X, Y, groups))
    plain = CalibratedClassifier(LogisticRegression(max_iter=5000), cv=splits).fit(X, Y, w).predict_proba(X)
    np.testing.assert_allclose(routed, plain, rtol=0, atol=1e-12)


def test_copies_and_pickles_predict_alike() -> None:
    for map in MAPS:
        model = CalibratedClassifier(NaiveBayes(), map=map).fit(X, Y)
        assert (pickle.loads(pickle.dumps(model)).predict_proba(X) == model.predict_proba(X)).all()
        assert str(clone(model).get_params()) == str(model.get_params())


def test_a_failed_fit_changes_nothing() -> None:
    model = CalibratedClassifier(GaussianNB()).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(SufficeError):
        model.fit(X, np.zeros(150))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full_like(X, np.nan), Y)
    assert (model.predict_proba(X) == before).all()


def no_map(scores: Any, labels: Any, weights: Any) -> int:
    return 3


class Wide(PeerNB):
    """A classifier whose decision values are those of pairs of classes, one of them missing."""

    def decision_function(self, X: Any) -> Any:
        return np.zeros((len(X), 2))


BAD: list[tuple[CalibratedClassifier, dict[str, Any], str]] = [
    (CalibratedClassifier(map="sigmoid"), {}, "The 'map' parameter of CalibratedClassifier must"),
    (CalibratedClassifier(map=3), {}, "The 'map' parameter of CalibratedClassifier must"),
    (CalibratedClassifier(response="proba"), {}, "The 'response' parameter of Calibrated"),
    (CalibratedClassifier(estimator=3), {}, "The 'estimator' parameter of CalibratedClassifier"),
    (CalibratedClassifier(cv="some"), {}, "The 'cv' parameter of CalibratedClassifier must"),
    (CalibratedClassifier(ensemble=2), {}, "The 'ensemble' parameter of CalibratedClass"),  # type: ignore[arg-type]
    (
        CalibratedClassifier(cv=51),
        {},
        "CalibratedClassifier: cv must be at most 50, the number of rows of class 0, got 51. Use fewer folds",
    ),
    (
        CalibratedClassifier(Perceptron(), response="log_odds"),
        {},
        "CalibratedClassifier: estimator must be a classifier with predict_proba, got Perceptron.",
    ),
    (
        CalibratedClassifier(map=no_map),
        {},
        "CalibratedClassifier: map must be a function that returns a map from scores to probabilities, got int.",
    ),
    (CalibratedClassifier(Wide()), {}, r"CalibratedClassifier: scores must be one for each of 3 classes, got shape"),
    (CalibratedClassifier(), {"y": None}, "CalibratedClassifier: y must be a label for each row .*, got None."),
    (CalibratedClassifier(), {"y": [1] * 150}, "CalibratedClassifier: y must be of at least two classes, got one cla"),
    (
        CalibratedClassifier(),
        {"y": [0, 1]},
        "CalibratedClassifier: X and y must be of one length .*, got 150 and 2. Give one label a row.",
    ),
    (CalibratedClassifier(), {"X": X * 1j}, "CalibratedClassifier: X must be a table of real numbers .* complex num"),
    (CalibratedClassifier(), {"sample_weight": [1.0]}, "CalibratedClassifier: sample_weight must be one column of 150"),
    (CalibratedClassifier(), {"sample_weight": -np.ones(150)}, "CalibratedClassifier: sample_weight must be at least"),
    (
        CalibratedClassifier(KNeighborsClassifier()),
        {"sample_weight": np.ones(150)},
        "CalibratedClassifier: sample_weight must be None for an estimator that takes no weights, got weights for KNei",
    ),
    (
        CalibratedClassifier(FrozenEstimator(PeerNB().fit(X[:100], Y[:100]))),
        {},
        r"CalibratedClassifier: y must be of the classes \[0, 1\] that the estimator knows, got 2.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("model", "given", "sentence"), BAD, ids=[sentence[-40:] for *_, sentence in BAD])
def test_bad_input_gets_one_sentence(model: CalibratedClassifier, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises((BadInput, InvalidParameterError), match=sentence):
        model.fit(**{"X": X, "y": Y, **given})
    assert not hasattr(model, "calibrated_classifiers_")


def test_untrained_and_badly_asked() -> None:
    with pytest.raises(sklearn.exceptions.NotFittedError):
        CalibratedClassifier().predict(X)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        CalibratedClassifier(PeerNB(), cv="prefit").fit(X, Y)
    model = CalibratedClassifier(GaussianNB()).fit(X, Y)
    with pytest.raises(
        BadInput, match="CalibratedClassifier: at_least must be None or a probability from 0 to 1, got 2"
    ):
        model.predict(X, at_least=2)


def test_it_is_public() -> None:
    assert suffice.CalibratedClassifier is CalibratedClassifier
