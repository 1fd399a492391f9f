"""The estimators inside scikit-learn: clones, pipelines, searches, cross-validation, routing, representations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.utils import estimator_html_repr

import suffice
from suffice import GaussianNB, MultinomialNB, NaiveBayes
from suffice.datasets import make_clinic
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Dirichlet

CLINIC = make_clinic(240, random_state=3)
TABLE, Y = CLINIC.frame("pandas"), CLINIC.target
KINDS = {"patient": "identifier", "notes": "text"}
X = np.random.default_rng(0).normal(size=(150, 3)) + np.arange(150)[:, None] % 3
LABELS = np.arange(150) % 3


def test_clones_are_unfitted_twins() -> None:
    model = NaiveBayes(kinds=KINDS, families={"visits": Poisson()}, prior=Dirichlet(1.0), refusal="ask").fit(TABLE, Y)
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        twin.predict(TABLE)
    np.testing.assert_array_equal(twin.fit(TABLE, Y).predict_proba(TABLE), model.predict_proba(TABLE))
    assert is_classifier(model)


@pytest.mark.parametrize(
    "name", ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "NaiveBayes"]
)
def test_unfitted_models_say_so(name: str) -> None:
    model = getattr(suffice, name)()
    for verb in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "posterior", "explain"):
        with pytest.raises(NotFittedError, match=f"This {name} instance is not fitted yet"):
            getattr(model, verb)(X)
    for attribute in ("classes_", "schema_", "summary_"):
        assert not hasattr(model, attribute)
    for call in (model.coefficients, model.duplicate_features, lambda: model.merge(model), lambda: model.save("never")):
        with pytest.raises(NotFittedError):
            call()


def test_pipelines() -> None:
    scaled = make_pipeline(StandardScaler(), GaussianNB()).fit(X, LABELS)
    plain = GaussianNB().fit(X, LABELS)
    assert (scaled.predict(X) == plain.predict(X)).mean() > 0.99
    words = make_pipeline(CountVectorizer(), MultinomialNB()).fit(["a good day", "a bad day"], [1, 0])
    assert words.predict(["good good"]).tolist() == [1]
    numbers = make_column_transformer((OrdinalEncoder(), make_column_selector(dtype_include="bool")), remainder="drop")
    assert make_pipeline(numbers.set_output(transform="pandas"), NaiveBayes()).fit(
        pd.DataFrame({"a": [True, False], "b": [False, True]}), [0, 1]
    )[-1].feature_names_in_.tolist() == ["ordinalencoder__a", "ordinalencoder__b"]


def test_grid_search() -> None:
    search = GridSearchCV(
        NaiveBayes(kinds=KINDS), {"prior": [None, "uniform"], "by_kind": [None, {"count": Poisson()}]}, cv=3
    ).fit(TABLE, Y)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ > 0.6
    alphas = GridSearchCV(make_pipeline(MultinomialNB()), {"multinomialnb__alpha": [0.1, 1.0, 10.0]}, cv=3)
    assert alphas.fit(np.abs(X), LABELS).best_params_["multinomialnb__alpha"] in (0.1, 1.0, 10.0)


def test_cross_validation() -> None:
    p = cross_val_predict(NaiveBayes(kinds=KINDS), TABLE, Y, method="predict_proba", cv=4)
    assert p.shape == (240, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)
    scores = cross_validate(NaiveBayes(kinds=KINDS), TABLE, Y, scoring=["accuracy", "neg_log_loss"], cv=3)
    assert (scores["test_accuracy"] > 0.5).all()


def test_inside_other_estimators() -> None:
    for outer in (
        BaggingClassifier(GaussianNB(), n_estimators=3, random_state=0),
        CalibratedClassifierCV(GaussianNB(), cv=3),
        VotingClassifier([("a", GaussianNB()), ("b", NaiveBayes())], voting="soft"),
    ):
        assert outer.fit(X, LABELS).score(X, LABELS) > 0.5


def test_sample_weight_is_routed() -> None:
    w = np.random.default_rng(1).uniform(0.1, 2.0, size=len(Y))
    with sklearn.config_context(enable_metadata_routing=True):
        inner = NaiveBayes(kinds=KINDS).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipe = make_pipeline(inner).fit(TABLE, Y, sample_weight=w)
        direct = NaiveBayes(kinds=KINDS).fit(TABLE, Y, w)
        np.testing.assert_array_equal(pipe.predict_proba(TABLE), direct.predict_proba(TABLE))
        assert pipe.score(TABLE, Y, sample_weight=w) == direct.score(TABLE, Y, w)
        scores = cross_validate(inner, TABLE, Y, params={"sample_weight": w}, cv=3)
        assert len(scores["test_score"]) == 3


def test_options_of_predict_are_routed() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        inner = NaiveBayes(kinds=KINDS, refusal="ask").set_predict_request(prior=True, at_least=True)
        pipe = make_pipeline(inner).fit(TABLE, Y)
        answers = pipe.predict(TABLE, prior="uniform", at_least=0.8)
    direct = NaiveBayes(kinds=KINDS, refusal="ask").fit(TABLE, Y)
    assert answers.tolist() == direct.predict(TABLE, prior="uniform", at_least=0.8).tolist()
    assert "ask" in answers.tolist()


def test_representations() -> None:
    model = NaiveBayes(kinds=KINDS).fit(TABLE, Y)
    assert repr(model).startswith("NaiveBayes(kinds={")
    for estimator in (model, NaiveBayes(), GaussianNB().fit(X, LABELS)):
        html = estimator_html_repr(estimator)
        assert type(estimator).__name__ in html
        assert estimator._repr_html_() == html or "<style>" in estimator._repr_html_()


def test_tables_must_have_the_names_of_training() -> None:
    model = NaiveBayes(kinds=KINDS).fit(TABLE, Y)
    with pytest.raises(
        ValueError, match="NaiveBayes: The feature names should match those that were passed during fit"
    ):
        model.predict(TABLE[TABLE.columns[::-1]])
    with pytest.raises(ValueError, match="Feature names unseen at fit time"):
        model.predict(TABLE.rename(columns={"age": "years"}))
    with pytest.raises(ValueError, match="X has 2 features, but GaussianNB is expecting 3 features as input"):
        GaussianNB().fit(X, LABELS).predict(X[:, :2])


def test_labels_as_a_column_are_taken_with_scikit_learns_warning() -> None:
    for y in (LABELS[:, None], LABELS[:, None].tolist(), pd.DataFrame({"y": LABELS})):
        with pytest.warns(sklearn.exceptions.DataConversionWarning, match="column-vector y was passed"):
            model = NaiveBayes().fit(X, y)
        np.testing.assert_array_equal(model.predict(X), NaiveBayes().fit(X, LABELS).predict(X))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_labels_of_table_libraries(library: str) -> None:
    table: Any = CLINIC.frame(library, target=True)
    column = table["diagnosis"]
    rows = CLINIC.frame(library)
    model = NaiveBayes(kinds=KINDS).fit(rows, column)
    assert model.classes_.tolist() == ["cold", "flu", "pneumonia"]
    np.testing.assert_array_equal(
        model.predict_proba(rows), NaiveBayes(kinds=KINDS).fit(rows, list(Y)).predict_proba(rows)
    )
    assert model.score(rows, column) > 0.6
