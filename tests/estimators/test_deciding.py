"""`predict` with its options: one decision rule for estimators and loaded models, and the same with and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import suffice
from suffice import Decision, NaiveBayes, Posterior, load
from suffice.bayes.learner import BayesModel

X = np.random.default_rng(0).normal(size=(200, 3)) + np.arange(200)[:, None] % 3
Y = np.array(["a", "b", "c"])[np.arange(200) % 3]
MODELS = [NaiveBayes(refusal="ask").fit(X, Y), suffice.GaussianNB(refusal="ask").fit(X, Y)]


@pytest.fixture(params=["NaiveBayes", "GaussianNB", "loaded"])
def model(request: Any, tmp_path: Path) -> Any:
    if request.param != "loaded":
        return next(model for model in MODELS if type(model).__name__ == request.param)
    MODELS[0].save(tmp_path / "model")
    return load(tmp_path / "model")


def test_without_options_the_most_probable_class(model: Any) -> None:
    p = model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
    np.testing.assert_allclose(p, np.exp(model.predict_log_proba(X)), rtol=1e-15)


def test_options_are_a_decision_on_the_posterior(model: Any) -> None:
    posterior = model.posterior(X)
    assert isinstance(posterior, Posterior)
    np.testing.assert_allclose(posterior.prior, np.exp(model._state()[0].model.log_prior), rtol=1e-15)
    cases: list[dict[str, Any]] = [
        {"prior": [0.8, 0.1, 0.1]},
        {"prior": {"a": 0.1, "b": 0.8, "c": 0.1}},
        {"prior": "uniform"},
        {"costs": [[0, 1, 9], [2, 0, 1], [1, 1, 0]]},
        {"costs": {"a": {"b": 5.0, "c": 5.0}, "b": {"a": 1.0}, "c": {"a": 1.0}}},
        {"reject": 0.3},
        {"at_least": 0.8},
        {"prior": "uniform", "costs": 1.0 - np.eye(3), "reject": 0.2, "at_least": 0.5},
    ]
    for options in cases:
        actions = Decision.read("test", tuple("abc"), **options).decide(posterior)
        expected = ["ask" if k < 0 else "abc"[k] for k in actions]
        assert model.predict(X, **options).tolist() == expected, options


def test_the_refusal_is_a_label_of_any_type() -> None:
    y = np.arange(200) % 3
    for refusal, kind in ((None, object), (-1, np.int64), ("?", object), (np.nan, object)):
        model = NaiveBayes(refusal=refusal).fit(X, y)
        answers = model.predict(X, at_least=0.99)
        assert answers.dtype == kind
        assert any(answer is refusal or answer == refusal for answer in answers.tolist())
        assert model.predict(X).dtype == np.int64
        assert model.set_params(refusal="other").predict(X, at_least=1.0).tolist().count("other") > 0


def test_nothing_is_refused_for_nothing() -> None:
    model = MODELS[0]
    assert model.predict(X, at_least=0.0).tolist() == model.predict(X).tolist()
    assert model.predict(X, reject=1.0).tolist() == model.predict(X).tolist()
    assert set(model.predict(X, reject=-1.0).tolist()) == {"ask"}


def test_X_is_checked_once(monkeypatch: Any) -> None:
    model = NaiveBayes().fit(X, Y)
    calls = []
    check = NaiveBayes._check_X
    monkeypatch.setattr(NaiveBayes, "_check_X", lambda self, X, **how: calls.append(how) or check(self, X, **how))
    for options in ({}, {"prior": "uniform"}, {"reject": 0.1}):
        calls.clear()
        model.predict(X, **options)
        assert calls == [{"first": False, "learning": False}]


class Fixed:
    """Factors whose log density is a given matrix."""

    def __init__(self, logs: Any) -> None:
        self.logs = logs

    def log_evidence(self, parts: Any) -> Any:
        return self.logs


EDGE = st.sampled_from([0.0, -1e-17, -1e-16, -1e-15, -1e-12, -1e-9, -1.1e-9, -1.0, -745.0, -1e300, -np.inf, np.inf])


@given(st.lists(st.lists(EDGE, min_size=3, max_size=3), min_size=1, max_size=5), st.sampled_from([0.2, 1 / 3, 0.6]))
def test_ties_and_impossible_rows_are_decided_as_the_posterior_says(rows: list[list[float]], share: float) -> None:
    """However close two classes are: `predict` is the argmax of `predict_proba`, to the last digit."""
    prior = np.log([share, (1 - share) / 2, (1 - share) / 2])
    model: Any = BayesModel(tuple("abc"), prior, Fixed(np.array(rows)))  # type: ignore[arg-type]

    class NoBlock:
        parts = ()

    block: Any = NoBlock()
    expected = np.exp(model.log_posterior(block)).argmax(axis=1)
    np.testing.assert_array_equal(model.likeliest(block), expected)
    decided = Decision().decide(Posterior(np.exp(model.log_posterior(block)), np.exp(prior)))
    np.testing.assert_array_equal(decided, expected)


def test_a_row_impossible_under_every_class_gets_the_class_of_the_largest_share() -> None:
    model = suffice.CategoricalNB(alpha=0.0).fit([[0, 0], [1, 1], [1, 1]], ["x", "y", "y"])
    assert model.predict_proba([[0, 1]])[0].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert model.predict([[0, 1]]).tolist() == ["y"]
    assert model.predict([[0, 1]], at_least=0.6).tolist() == ["y"]
