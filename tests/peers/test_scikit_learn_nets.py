"""scikit-learn's own tests of its nets pass with the import replaced, less a named list; same nets, same weights."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.neural_network as peers
import sklearn.neural_network.tests.test_mlp as theirs
from sklearn.datasets import load_iris

from suffice import MLPClassifier, MLPRegressor
from tests.peers.their_tests import run_theirs

X, Y = load_iris(return_X_y=True)
NOT_OURS = {
    "test_fit",  # writes weights into private attributes of an estimator that was never fitted
    "test_gradient",  # calls a private method; ours is checked against finite differences in tests/neural
}
READINGS = {  # private members of theirs that are public readings of ours
    "._optimizer.learning_rate": ".learning_rate_",
    "._no_improvement_count": ".epochs_in_vain_",
}


def test_their_tests_pass(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace("from sklearn.neural_network import", "from suffice import")
    for private, public in READINGS.items():
        replaced = replaced.replace(private, public)
    done = run_theirs(tmp_path, "test_mlp.py", text, replaced)
    assert set(done.failed) == NOT_OURS, done.told[-6000:]
    assert done.passed >= 50


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"solver": "sgd", "learning_rate_init": 0.05},
        {"solver": "sgd", "learning_rate": "adaptive", "momentum": 0.5, "nesterovs_momentum": False},
        {"solver": "sgd", "learning_rate": "invscaling", "batch_size": 7, "shuffle": False},
        {"early_stopping": True, "activation": "logistic"},
        {"solver": "lbfgs", "max_iter": 10},
    ],
    ids=str,
)
def test_the_same_net_weight_for_weight(given: dict[str, Any]) -> None:
    """The loss of several targets is added, not averaged: with one target the regressors agree too."""
    options = {"random_state": 3, "max_iter": 20, **given}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for y in (Y, Y > 0):
            ours = MLPClassifier((5, 4), **options).fit(X, y)
            other = peers.MLPClassifier((5, 4), **options).fit(X, y)
            np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-8, atol=1e-12)
            np.testing.assert_allclose(ours.loss_, other.loss_, rtol=1e-9)
            assert (ours.n_iter_, ours.t_, ours.out_activation_) == (other.n_iter_, other.t_, other.out_activation_)
        ours = MLPRegressor("squared_error", (5, 4), **options).fit(X, Y)
        other = peers.MLPRegressor("squared_error", (5, 4), **options).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=1e-8)
