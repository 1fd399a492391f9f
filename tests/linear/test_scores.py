"""Classifiers by linear scores: ties, dual form, metrics, messages, and no probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.linear_model
from scipy.sparse import csr_matrix
from sklearn.datasets import make_multilabel_classification

from suffice import BasicLinearClassifier, LeastSquaresClassifier, RidgeClassifier, load
from suffice.core.errors import BadInput, NotASummary
from suffice.linear.scores.least_squares_classifier import threshold

X = np.array([[0.0, 0.0], [0.0, 2.0], [4.0, 0.0], [4.0, 2.0], [10.0, 1.0], [12.0, 1.0]])
TWO, THREE = ["a", "a", "b", "b", "b", "b"], ["a", "a", "b", "b", "c", "c"]


@pytest.mark.parametrize(("ties", "answer"), [("first", "a"), ("last", "b"), ("refuse", "?")])
def test_a_row_on_the_boundary(ties: str, answer: str) -> None:
    """G.G027: sign(0) is no class; the rule is a parameter."""
    model = BasicLinearClassifier(ties=ties, refusal="?").fit(X[:4], TWO[:4])
    assert model.decision_function([[2.0, 5.0]]).tolist() == [0.0]
    assert model.predict([[2.0, 5.0], [3.0, 0.0]]).tolist() == [answer, "b"]


def test_ties_of_many_classes() -> None:
    model = BasicLinearClassifier(ties="refuse").fit(X, THREE)
    assert model.predict([[2.0, 1.0], [0.0, 0.0]]).tolist() == [None, "a"]
    assert BasicLinearClassifier(ties="last").fit(X, THREE).predict([[2.0, 1.0]]).tolist() == ["c"]


@pytest.mark.parametrize("w", [None, np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])], ids=["alike", "weighted"])
@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_dual_form(labels: Any, w: Any) -> None:
    """G.G007: products of rows are all that is needed: scores from the Gram matrix are those from the means."""
    model = BasicLinearClassifier().fit(X, labels, w)
    alpha = model.dual_coef(labels, w)
    gram = X @ X.T
    scores = gram @ alpha - np.einsum("ik,ij,jk->k", alpha, gram, alpha) / 2.0
    mine = scores[:, 1] - scores[:, 0] if len(set(labels)) == 2 else scores - scores.mean(axis=1, keepdims=True)
    found = model.decision_function(X)
    found = found if found.ndim == 1 else found - found.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(found, mine, atol=1e-11)
    np.testing.assert_allclose(alpha.T @ X, model.means_, atol=1e-13)


def test_far_from_0_the_boundary_keeps_its_digits() -> None:
    near, far = (BasicLinearClassifier().fit(X + offset, TWO) for offset in (0.0, 1e8))
    np.testing.assert_array_equal(near.decision_function(X), far.decision_function(X + 1e8))


def test_one_class_answers_itself_until_another_comes() -> None:
    for cls in (BasicLinearClassifier, LeastSquaresClassifier, RidgeClassifier):
        model = cls().fit(X[:2], TWO[:2])
        assert model.predict([[9.0, 9.0]]).tolist() == ["a"]
        model.partial_fit(X[2:], TWO[2:])
        np.testing.assert_allclose(model.coef_, cls().fit(X, TWO).coef_, rtol=1e-10)
        assert model.forget(X[2:], TWO[2:]).classes_.tolist() == ["a"]


def test_categories_become_columns() -> None:
    table = {"x": [1.0, 2.0, 3.0, 4.0], "s": ["u", "v", "u", "v"]}
    model = RidgeClassifier().fit(table, [0, 1, 0, 1])
    assert model.get_feature_names_out().tolist() == ["x", "s=v"]
    assert model.predict(table).tolist() == [0, 1, 0, 1]


def test_there_are_no_probabilities() -> None:
    model = LeastSquaresClassifier().fit(X, TWO)
    assert not hasattr(model, "predict_proba")


def test_files(tmp_path: Any) -> None:
    model = BasicLinearClassifier("diagonal", ties="refuse", refusal="?").fit(X, THREE)
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))
    assert loaded.refusal == "?"
    assert "BasicLinearClassifier from a file: 3 classes, 2 columns" in repr(loaded)
    assert loaded.estimator().get_params() == model.get_params()


def test_messages() -> None:
    with pytest.raises(ValueError, match=r"threshold: share must be between 0 and 1, got 1\.0"):
        threshold(1.0, 0.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="threshold: the means must be different"):
        threshold(1.0, 1.0, 1.0, 0.5)
    with pytest.raises(ValueError, match="RidgeClassifier: class_weight must be numbers of at least 0"):
        RidgeClassifier(class_weight={"a": -1.0}).fit(X, TWO)
    with pytest.raises(ValueError, match="labels must have been learned, got 'z'"):
        BasicLinearClassifier().fit(X, TWO).dual_coef(["z"])
    with pytest.raises(ValueError, match="LeastSquaresClassifier: column 'x1' must be present in every row"):
        LeastSquaresClassifier().fit([[1.0, np.nan], [1.0, 2.0]], [0, 1])
    with pytest.raises(ValueError, match="'metric' parameter of BasicLinearClassifier"):
        BasicLinearClassifier("nonsense").fit(X, TWO)


def test_several_labels_a_row_as_scikit_learn(tmp_path: Path) -> None:
    X, Y = make_multilabel_classification(n_samples=90, n_features=6, n_classes=3, random_state=0)
    w = np.arange(90) % 3.0
    ours, theirs = RidgeClassifier(alpha=0.5).fit(X, Y, w), sklearn.linear_model.RidgeClassifier(alpha=0.5).fit(X, Y, w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-13)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    assert ours.score(X, Y) == theirs.score(X, Y)
    both = RidgeClassifier(alpha=2.0).fit(X[:40], Y[:40], w[:40]).partial_fit(X[40:], Y[40:], sample_weight=w[40:])
    np.testing.assert_allclose(both.set_params(alpha=0.5).coef_, ours.coef_, rtol=0, atol=1e-14)
    both.forget(X[:40], Y[:40], w[:40])
    np.testing.assert_allclose(both.coef_, RidgeClassifier(0.5).fit(X[40:], Y[40:], w[40:]).coef_, rtol=0, atol=1e-12)
    ours.save(tmp_path / "labels.model")
    np.testing.assert_array_equal(load(tmp_path / "labels.model").predict(X), ours.predict(X))
    np.testing.assert_array_equal(RidgeClassifier(0.5).fit(X, csr_matrix(Y), w).coef_, ours.coef_)


def test_several_labels_that_cannot_be_taken() -> None:
    X, Y = np.arange(18.0).reshape(9, 2) ** 2, np.eye(3, dtype=int)[np.arange(9) % 3]
    with pytest.raises(BadInput, match="class_weight must be None where rows have several labels"):
        RidgeClassifier(class_weight="balanced").fit(X, Y)
    with pytest.raises(BadInput, match="y must be of the same form as before"):
        RidgeClassifier().fit(X, Y).partial_fit(X, Y[:, 0])
    with pytest.raises(NotASummary, match="as many targets, got 3 and 2"):
        RidgeClassifier().fit(X, Y).merge(RidgeClassifier().fit(X, Y[:, :2]))
    with pytest.raises(BadInput, match="1d array"):
        RidgeClassifier().fit(X, Y + 1)
