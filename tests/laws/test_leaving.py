"""What leaves with its last row: classes and labels, whatever rounding left of their weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice import BernoulliNB, NaiveBayes
from suffice.testing import discovery
from suffice.testing.adding import fitted, weighted
from suffice.testing.check import hold
from suffice.testing.estimator_laws import declares
from suffice.testing.law import law
from suffice.testing.learning import ModelTable, assert_same_model
from suffice.testing.model_tables import WIDENING, tables_for


@law
def a_class_leaves(cls: type[Any], table: ModelTable) -> None:
    """Forgetting the only rows of a class, with weights that do not add exactly, removes it."""
    w = np.random.default_rng(table.n).uniform(0.1, 0.9, table.n)
    table = ModelTable(table.X, table.y, w, table.order, table.cuts, table.query, table.parameters)
    labels = table.y.tolist()
    mine = [i for i, label in enumerate(labels) if label == labels[0]]
    others = [i for i in range(table.n) if i not in mine]
    if not others:
        return
    model, gone = fitted(cls, table), table.at(mine)
    for i in np.array_split(np.arange(len(mine)), 2):  # in two steps, so that sums are rounded on the way
        part = gone.at(i)
        if part.n:
            model.forget(part.X, part.y, **weighted(part))
    assert labels[0] not in model.classes_.tolist()
    assert_same_model(model, fitted(cls, table.at(others)), table)


@pytest.mark.parametrize("model", discovery.estimators(), ids=lambda model: model.__name__)
def test_a_class_leaves_with_its_last_row(model: type[Any]) -> None:
    options = {} if declares(model) else {"without": WIDENING}
    hold(lambda table: a_class_leaves(model, table), tables_for(model, **options), model.__name__)


@pytest.mark.parametrize("kind", ["word", "text"])
def test_a_label_leaves_with_its_last_row(kind: str) -> None:
    """Residue of float weights must not keep a label: the shares of the others would be off."""
    parameters = {"kinds": {"x": "text"}} if kind == "text" else {}
    X, y, w = {"x": ["red", "red", "blue", "red"]}, ["a", "b", "b", "a"], [0.1, 0.2, 0.3, 0.7]
    model = NaiveBayes(**parameters).fit(X, y, w)
    model.partial_fit({"x": ["gone", "gone"]}, ["a", "b"], sample_weight=[0.3, 1 / 3])
    model.forget({"x": ["gone"]}, ["b"], [1 / 3]).forget({"x": ["gone"]}, ["a"], [0.3])
    earlier = NaiveBayes(**parameters).fit(X, y, w)
    counts = model.summary_.summary.parts[0]
    counts = counts.parts[1] if kind == "text" else counts
    assert set(counts.labels[0]) == {"red", "blue"}
    asked = {"x": ["red", "blue", "gone", "never", None]}
    np.testing.assert_allclose(model.predict_proba(asked), earlier.predict_proba(asked), rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(asked), earlier.predict_joint_log_proba(asked), rtol=1e-12, atol=1e-12
    )


def test_a_row_of_weight_0_brings_nothing_in() -> None:
    X, y = {"x": ["red", "blue", "new"], "z": [1.0, 2.0, 1e8]}, ["a", "b", "c"]
    model = NaiveBayes().fit(X, y, [1.0, 1.0, 0.0])
    assert model.classes_.tolist() == ["a", "b"]
    assert set(model.summary_.summary.parts[1].labels[0]) == {"red", "blue"}
    assert model.summary_.summary.parts[0].rows.sum() == 2


def test_a_word_that_no_document_lacks_is_absent_from_nothing() -> None:
    """Residue of float weights must not make its absence possible: the exact row counts decide."""
    X, y = np.array([[1.0]] * 10 + [[0.0], [1.0]]), np.repeat([0, 1], [10, 2])
    w = np.full(12, 0.1)  # ten of them, added one by one, are not 1
    a, b = (BernoulliNB(alpha=0.0).fit(X[rows], y[rows], w[rows]) for rows in (slice(0, 11), slice(11, 12)))
    for model in (BernoulliNB(alpha=0.0).fit(X, y, w), a + b, b.merge(a)):
        assert model.feature_log_prob_[0].tolist() == [0.0]
        assert model.predict_proba(np.zeros((1, 1))).tolist() == [[0.0, 1.0]]
