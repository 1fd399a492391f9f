"""Answers that may only rise or fall with a column: scikit-learn's trees, monotone everywhere, saved, refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import tree as peers

import suffice
from suffice import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor

RNG = np.random.default_rng(3)
X = RNG.random((160, 3)).astype(np.float32).astype(float)
Y = X[:, 0] - X[:, 1] + 0.5 * RNG.normal(size=160)
SIGNS = [1, -1, 0]
GRID = np.linspace(0.0, 1.0, 15)


def rising(model: Any, ask: Any, signs: list[int] = SIGNS) -> bool:
    """Whether answers keep to the signs, along lines through some rows."""
    kept = True
    for column, sign in enumerate(signs):
        for row in X[:12]:
            line = np.repeat(row[None], len(GRID), axis=0)
            line[:, column] = GRID
            kept &= bool((np.diff(ask(model, line)) * sign >= -1e-15).all())
    return kept


def number(model: Any, rows: Any) -> Any:
    return model.predict(rows)


def share(model: Any, rows: Any) -> Any:
    return model.predict_proba(rows)[:, 1]


@pytest.mark.parametrize(
    "given",
    [
        {"max_depth": 5},
        {"max_leaf_nodes": 12},
        {"criterion": "absolute_error", "max_depth": 3},
        {"criterion": "poisson"},
    ],
    ids=str,
)
def test_regression_trees_are_scikit_learns(given: dict[str, Any]) -> None:
    y = np.abs(Y) if given.get("criterion") == "poisson" else Y
    options = {"min_samples_leaf": 4, "monotonic_cst": SIGNS, "random_state": 0, **given}
    ours = DecisionTreeRegressor(**options).fit(X, y)
    other = peers.DecisionTreeRegressor(**options).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=1e-9)
    assert rising(ours, number)
    free = DecisionTreeRegressor(**{**options, "monotonic_cst": None}).fit(X, y)
    assert not rising(free, number)
    assert ours.tree_.node_count == other.tree_.node_count


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_class_trees_are_scikit_learns(criterion: str) -> None:
    """The probability of the second class rises or falls; with weights, too."""
    y, w = Y > 0, RNG.integers(1, 4, 160)
    options: dict[str, Any] = {"criterion": criterion, "max_depth": 5, "monotonic_cst": SIGNS, "random_state": 0}
    ours = DecisionTreeClassifier(**options).fit(X, y, sample_weight=w)
    other = peers.DecisionTreeClassifier(**options).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-9)
    assert rising(ours, share)
    assert not rising(DecisionTreeClassifier(max_depth=5).fit(X, y), share)


def test_forests_missing_cells_and_drawn_thresholds(tmp_path: Path) -> None:
    gaps = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    options: dict[str, Any] = {"max_depth": 6, "monotonic_cst": SIGNS, "random_state": 0}
    alone, other = (tree(**options).fit(gaps, Y) for tree in (DecisionTreeRegressor, peers.DecisionTreeRegressor))
    np.testing.assert_allclose(alone.predict(gaps), other.predict(gaps), rtol=1e-9)
    forest = RandomForestRegressor(4, monotonic_cst=SIGNS, random_state=0).fit(gaps, Y)
    assert rising(forest, number)
    assert not rising(RandomForestRegressor(4, random_state=0).fit(gaps, Y), number)
    classes = RandomForestClassifier(4, monotonic_cst=[0, -1, 0], random_state=0).fit(X, Y > 0)
    assert rising(classes, share, [0, -1, 0])
    drawn = DecisionTreeRegressor(splitter="random", monotonic_cst=SIGNS, random_state=0).fit(X, Y)
    assert rising(drawn, number)
    forest.save(tmp_path / "m")
    np.testing.assert_array_equal(suffice.load(tmp_path / "m").predict(X), forest.predict(X))
    assert suffice.load(tmp_path / "m").estimator().monotonic_cst == SIGNS


def test_signs_that_cannot_be_kept_are_refused() -> None:
    bad: list[tuple[Any, Any, str]] = [
        ([1, 0], Y, "monotonic_cst has shape 2 but the input data X has 3 features"),
        ([1, 0, 0.5], Y, "array-like of -1, 0 or 1"),
        (SIGNS, np.column_stack([Y, Y]), "not supported with multiple output"),
    ]
    for signs, y, words in bad:
        with pytest.raises(ValueError, match=words):
            DecisionTreeRegressor(monotonic_cst=signs).fit(X, y)
    with pytest.raises(ValueError, match="not supported with multiclass classification"):
        RandomForestClassifier(2, monotonic_cst=SIGNS).fit(X, np.arange(160) % 3)
