"""Incomplete cells, distances by kind, constructed and selected columns: what rooms do together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from suffice import DecisionTreeClassifier, JointTable, NaiveBayes, PolynomialFeatures, RidgeClassifier, RuleList, Tree
from suffice.sources import Analyzer
from suffice.spaces import MixedDistance


def test_unobserved_columns_are_averaged_given_what_is_observed() -> None:
    """P.W86: 0.2 for y = 1 given x = 0; the printed weights P(z) would give 0.2381."""
    cells = [[[0.30, 0.10], [0.05, 0.05]], [[0.05, 0.05], [0.10, 0.30]]]
    joint = JointTable({"y": (0, 1), "x": (0, 1), "z": (0, 1)}, cells)
    assert joint.bayes("y", x=0).probability(y=1) == pytest.approx(0.2, abs=1e-15)
    at = [joint.bayes("y", x=0, z=z).probability(y=1) for z in (0, 1)]
    given = [joint.bayes("z", x=0).probability(z=z) for z in (0, 1)]
    apart = [joint.probability(z=z) for z in (0, 1)]
    assert np.dot(at, given) == pytest.approx(0.2, abs=1e-15)
    assert np.dot(at, apart) == pytest.approx(0.2381, abs=5e-5)
    assert joint.posterior("y", {"x": [0]}).proba[0][1] == pytest.approx(0.2, abs=1e-15)


def test_a_missing_cell_is_a_value_that_a_tree_may_split_on() -> None:
    """P.M156: whether an answer was given tells the class; the answers themselves tell nothing."""
    X = {"answer": [None, None, None, "yes", "no", "yes", "no"], "age": [30, 40, 50, 30, 40, 50, 35]}
    y = ["silent"] * 3 + ["said"] * 4
    tree = Tree(missing="branch", max_depth=1).fit(X, y)
    assert tree.score(X, y) == 1.0
    assert tree.predict({"answer": [None, "no"], "age": [35, 35]}).tolist() == ["silent", "said"]
    assert "missing" in tree.text()


def test_distances_by_kind() -> None:
    """P.M113: symbols 0 or 1, steps between ordinal values, differences of numbers; added over the columns."""
    grades = {"low": 0, "middle": 1, "high": 2}
    rows = np.array(
        [["red", grades["low"], 1.0], ["blue", grades["high"], 4.0], ["red", grades["middle"], 1.5]], dtype=object
    )
    distance = MixedDistance(np.array([np.nan, 1.0, 1.0]))  # steps and differences in their own units
    np.testing.assert_allclose(
        3.0 * distance.between(rows), [[0.0, 6.0, 1.5], [6.0, 0.0, 4.5], [1.5, 4.5, 0.0]], rtol=1e-15
    )


def test_words_in_a_row_are_words_too() -> None:
    """P.M160: "not good" and "good" tell classes apart that single words do not."""
    texts = ["good", "not bad", "very good", "not good", "bad", "very bad"]
    y = ["+", "+", "+", "-", "-", "-"]
    assert list(Analyzer(ngrams=(1, 3))("not very good")) == [
        "not", "very", "good", "not very", "very good", "not very good",
    ]  # fmt: skip
    single = NaiveBayes({"t": "text"}).fit({"t": texts}, y)
    rows = NaiveBayes({"t": "text"}, analyzer=Analyzer(ngrams=(1, 2))).fit({"t": texts}, y)
    assert rows.score({"t": texts}, y) == 1.0
    assert single.score({"t": texts}, y) < 1.0
    halves = NaiveBayes({"t": "text"}, analyzer=Analyzer(ngrams=(1, 2))).fit({"t": texts[:3]}, y[:3])
    halves.merge(NaiveBayes({"t": "text"}, analyzer=Analyzer(ngrams=(1, 2))).fit({"t": texts[3:]}, y[3:]))
    np.testing.assert_allclose(halves.predict_proba({"t": texts}), rows.predict_proba({"t": texts}), rtol=1e-12)


def test_products_of_columns_make_a_plane_of_a_circle() -> None:
    """P.M162: squares and products as columns; a linear classifier then has a round boundary."""
    X = np.random.default_rng(0).uniform(-1.0, 1.0, (300, 2))
    y = (X**2).sum(axis=1) < 0.5
    powers = PolynomialFeatures(2, include_bias=False)
    Z = powers.fit_transform(X)
    np.testing.assert_allclose(Z, np.column_stack([X, X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2]), rtol=1e-15)
    assert RidgeClassifier(alpha=1e-6).fit(Z, y).score(Z, y) > 0.9 > RidgeClassifier(alpha=1e-6).fit(X, y).score(X, y)


def test_a_concept_becomes_a_column() -> None:
    """P.M163: a conjunction that was learned first, as a Boolean column of its own."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"length": rng.integers(1, 9, 200), "gills": rng.choice(["yes", "no"], 200)})
    concept = X["length"].between(3, 5) & (X["gills"] == "no")
    y = np.where(concept, "+", "-")
    learned = RuleList(max_conditions=3).fit(X, y)
    held = learned.predict(X) == "+"
    assert (held == concept).all()
    plain, with_concept = (NaiveBayes().fit(Z, y).score(Z, y) for Z in (X, X.assign(concept=held)))
    assert plain < with_concept == 1.0


def test_a_shallow_tree_selects_columns() -> None:
    """C.M15.15: of ten columns, the two that a tree of depth 2 divides by."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 10))
    y = (X[:, 3] > 0) * 2 + (X[:, 7] > 0.5)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    assert set(np.flatnonzero(tree.feature_importances_ > 0)) == {3, 7}
