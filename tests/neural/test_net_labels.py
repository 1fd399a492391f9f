"""Rows with several labels: scikit-learn's net weight for weight, learned on, saved, and refused where it must be."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.neural_network as peers
from scipy.sparse import csr_matrix
from sklearn.datasets import make_multilabel_classification

from suffice import MLPClassifier, load

X, Y = make_multilabel_classification(n_samples=60, n_features=6, n_classes=3, random_state=0)
NET: dict[str, Any] = {"hidden_layer_sizes": (4,), "random_state": 1, "max_iter": 8}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize(
    "given", [{}, {"solver": "lbfgs"}, {"solver": "sgd", "batch_size": 1}, {"early_stopping": True}]
)
def test_the_same_net_as_scikit_learns(given: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = peers.MLPClassifier(**NET | given).fit(X, Y)
    ours = MLPClassifier(**NET | given).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), other.predict(X))
    assert ours.score(X, Y) == other.score(X, Y)
    assert ours.predict(X).dtype == other.predict(X).dtype
    np.testing.assert_array_equal(ours.classes_, other.classes_)
    np.testing.assert_allclose(ours.predict_log_proba(X), np.log(ours.predict_proba(X)), rtol=1e-9)


def test_labels_in_any_form_and_more_rows() -> None:
    """Arrays, lists, tables, sparse tables and truth values are one; weights are copies in a full batch."""
    whole = MLPClassifier(**NET).fit(X, Y).predict_proba(X)
    for y in (Y.tolist(), pd.DataFrame(Y), csr_matrix(Y), Y > 0, Y.astype(float)):
        np.testing.assert_array_equal(MLPClassifier(**NET).fit(X, y).predict_proba(X), whole)
    on = MLPClassifier((4,), solver="sgd", random_state=1)
    for _ in range(2):
        on.partial_fit(X, Y, classes=["a", "b", "c"])
    assert on.predict(X).shape == Y.shape
    assert on.classes_.tolist() == ["a", "b", "c"]
    w = np.arange(60) % 3
    options = {"solver": "lbfgs", "alpha": 0.0, **NET}
    weighed = MLPClassifier(**options).fit(X, Y, sample_weight=w)
    copied = MLPClassifier(**options).fit(np.repeat(X, w, axis=0), np.repeat(Y, w, axis=0))
    np.testing.assert_allclose(weighed.predict_proba(X), copied.predict_proba(X), rtol=1e-5)


def test_it_is_saved(tmp_path: Path) -> None:
    model = MLPClassifier(**NET).fit(X, Y)
    model.save(tmp_path / "net")
    loaded = load(tmp_path / "net")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.estimator().predict(X), model.predict(X))


def test_what_needs_one_label_is_refused() -> None:
    model = MLPClassifier(**NET, warm_start=True).fit(X, Y)
    for ask in (
        lambda: model.predict(X, reject=0.1),
        lambda: model.posterior(X),
        lambda: model.predict(X, prior="uniform"),
    ):
        with pytest.raises(ValueError, match="one label a row to decide"):
            ask()
    with pytest.raises(ValueError, match="classes of the last fit"):
        model.fit(X, Y.sum(axis=1) % 3)
    with pytest.raises(ValueError, match="as many classes as y has columns"):
        MLPClassifier(solver="sgd").partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(ValueError, match="1d array"):
        MLPClassifier().fit(X, 2 * Y)
    with pytest.raises(ValueError, match="of the same form as before"):
        MLPClassifier((4,), solver="sgd").partial_fit(X, Y, classes=[0, 1, 2]).partial_fit(X, Y[:, 0])
