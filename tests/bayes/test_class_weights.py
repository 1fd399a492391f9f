"""`class_weight` of naive Bayes: copies of rows, shares of classes, models that still add."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import suffice
from suffice.core.errors import BadInput

RNG = np.random.default_rng(3)
X = RNG.poisson(2.0, size=(40, 3))
Y = np.array(["a", "b", "b", "b"])[np.arange(40) % 4]
WEIGHTED = ["GaussianNB", "MultinomialNB", "BernoulliNB", "CategoricalNB", "NaiveBayes"]


def made(name: str, **options: Any) -> Any:
    smoothing = {"GaussianNB": {"var_smoothing": 0.0}, "NaiveBayes": {}}.get(name, {"alpha": 1e-12})
    return getattr(suffice, name)(**smoothing, **options)


@pytest.mark.parametrize("name", [name for name in WEIGHTED if name != "NaiveBayes"])
def test_a_weight_is_so_many_copies(name: str) -> None:
    twice = np.concatenate([X, X[Y == "a"], X[Y == "a"]]), np.concatenate([Y, ["a"] * 20])
    found = made(name, class_weight={"a": 3.0}).fit(X, Y)
    np.testing.assert_allclose(found.predict_proba(X), made(name).fit(*twice).predict_proba(X), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", WEIGHTED)
def test_balanced_classes_are_alike_and_models_add(name: str) -> None:
    whole = made(name, class_weight="balanced").fit(X, Y)
    np.testing.assert_allclose(np.exp(whole.fitted_.model.log_prior), [0.5, 0.5], rtol=1e-14)
    parts = [made(name, class_weight="balanced").fit(X[a::2], Y[a::2]) for a in (0, 1)]
    np.testing.assert_allclose((parts[0] + parts[1]).predict_proba(X), whole.predict_proba(X), rtol=1e-11)
    later = made(name).fit(X, Y).set_params(class_weight="balanced")
    np.testing.assert_allclose(later.predict_proba(X), whole.predict_proba(X), rtol=1e-14)


@pytest.mark.parametrize("weight", [{"a": -1.0}, {"a": np.nan}])
def test_odd_weights_get_one_sentence(weight: Any) -> None:
    with pytest.raises(BadInput, match="class_weight must be finite and at least 0 for every class"):
        suffice.GaussianNB(class_weight=weight).fit(X, Y)
