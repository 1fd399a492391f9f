"""Forests of tables of every kind: numbers and classes, from memory and in passes, missing cells, symbols, offsets."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice
from suffice import Forest, RegressionForest, RegressionTree
from suffice.sources import Roles, open_rows

RNG = np.random.default_rng(4)
N = 90
TABLE = pd.DataFrame(
    {
        "colour": pd.Series(RNG.choice(["red", "green", "blue", "grey"], N)).where(RNG.random(N) > 0.1, None),
        "size": np.where(RNG.random(N) < 0.15, np.nan, RNG.integers(0, 9, N).astype(float)),
        "age": RNG.integers(0, 30, N).astype(float),
    }
)
TARGET = TABLE["age"] + 5.0 * (TABLE["colour"] == "red") + RNG.normal(size=N)


def same_nodes(a: Any, b: Any, rtol: float = 1e-9) -> None:
    for field in fields(a.nodes_):
        one, other = getattr(a.nodes_, field.name), getattr(b.nodes_, field.name)
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-9, err_msg=field.name)


def from_chunks(model: Any, y: Any, roles: Roles, **more: Any) -> Any:
    whole = TABLE.assign(y=y, **more)
    return model.fit(open_rows([whole[:31], whole[31:32], whole[32:]], roles))


@pytest.mark.parametrize("options", [{}, {"missing": "branch", "symbols": "groups"}, {"missing": "share"}])
def test_numbers_from_chunks_are_those_of_memory(options: dict[str, Any]) -> None:
    """Node for node, with the same Poisson draws, with weights; and the trees differ from one another."""
    given: dict[str, Any] = {"n_trees": 3, "seed": 2, "max_depth": 4, "columns": 2, **options}
    w = RNG.integers(0, 3, N)
    here = RegressionForest(**given).fit(TABLE, TARGET, sample_weight=w)
    there = from_chunks(RegressionForest(**given), TARGET, Roles(target="y", weight="w"), w=w)
    same_nodes(here, there)
    np.testing.assert_allclose(there.predict(TABLE), here.predict(TABLE), rtol=1e-9)
    assert len(here.nodes_.roots) == 3
    assert len(np.unique(here.by_tree(TABLE)[:, :, 0].round(9), axis=0)) == 3


def test_without_draws_every_tree_is_the_regression_tree() -> None:
    forest = RegressionForest(2, bootstrap=False, max_depth=4).fit(TABLE, TARGET)
    tree = RegressionTree(max_depth=4).fit(TABLE, TARGET)
    np.testing.assert_allclose(forest.predict(TABLE), tree.predict(TABLE), rtol=1e-12)
    np.testing.assert_allclose(forest.feature_importances_, tree.feature_importances_, atol=1e-12)


def test_several_targets_and_an_offset() -> None:
    """A constant added to a target is added to the answers; of two targets each has its own means."""
    both = np.column_stack([TARGET, TARGET + 1e8])
    forest = RegressionForest(3, max_depth=3).fit(TABLE, both)
    assert forest.predict(TABLE).shape == (N, 2)
    np.testing.assert_allclose(forest.predict(TABLE)[:, 1] - 1e8, forest.predict(TABLE)[:, 0], atol=1e-6)
    alone = RegressionForest(3, max_depth=3).fit(TABLE, TARGET + 1e8).predict(TABLE)
    np.testing.assert_allclose(
        alone - 1e8, RegressionForest(3, max_depth=3).fit(TABLE, TARGET).predict(TABLE), atol=1e-6
    )


def test_a_forest_of_numbers_is_saved_and_combined(tmp_path: Path) -> None:
    a, b = (RegressionForest(2, seed=seed, max_depth=3).fit(TABLE, TARGET) for seed in (0, 1))
    a.save(tmp_path / "m")
    np.testing.assert_array_equal(suffice.load(tmp_path / "m").predict(TABLE), a.predict(TABLE))
    both = suffice.compose.combine(a, b)
    np.testing.assert_allclose(both.predict(TABLE), (a.predict(TABLE) + b.predict(TABLE)) / 2, rtol=1e-12)


def test_a_tree_for_which_no_row_is_drawn_takes_all() -> None:
    """Of one or two rows often none is drawn; from memory and in passes alike."""
    few = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 5.0], "k": ["a", "b"]})
    for model, y in ((RegressionForest(12), "y"), (Forest(12), "k")):
        here = model.fit(few[["x"]], few[y])
        there = type(model)(12).fit(open_rows([few[["x", y]][:1], few[["x", y]][1:]], Roles(target=y)))
        same_nodes(here, there)
        assert (here.nodes_.weight[here.nodes_.roots] > 0).all()
    assert RegressionForest(3).fit([[1.0]], [7.0]).predict([[4.0]]) == pytest.approx([7.0])


def test_bad_inputs_of_forests_of_numbers() -> None:
    for given, words in (({"n_trees": 0}, "n_trees"), ({"columns": 1.5}, "columns"), ({"seed": -1}, "seed")):
        with pytest.raises(ValueError, match=words):
            RegressionForest(**given).fit(TABLE, TARGET)
    with pytest.raises(ValueError, match="infinity"):
        RegressionForest(2).fit([[1.0], [np.inf]], [1.0, 2.0])
    with pytest.raises(ValueError, match="greater than 0 for some row"):
        RegressionForest(2).fit([[1.0], [2.0]], [1.0, 2.0], sample_weight=[0, 0])
    model = RegressionForest(2).fit(TABLE, TARGET)
    assert np.isfinite(model.predict(TABLE.assign(colour="never met", size=None))).all()


def test_columns_are_drawn_as_in_scikit_learn() -> None:
    """Columns alike at a node count as drawn, so that weaker ones get their turn; equals have equal chances."""
    rng = np.random.default_rng(0)
    strong, ones = np.arange(12.0), np.ones(12)
    X, y = np.column_stack([ones, strong, rng.permutation(strong), ones]), strong > 5
    for model in (suffice.RandomForestClassifier(60, max_features=2, random_state=0), Forest(60, columns=2)):
        nodes = model.fit(X, y).nodes_
        roots = nodes.column[nodes.roots]
        assert set(roots.tolist()) == {1, 2}  # a column that varies is found in the end
        assert 0.22 < (roots == 2).mean() < 0.62  # 5 of 12 orders let the strong one wait
    twins = suffice.RandomForestClassifier(40, max_features=2, random_state=0).fit(np.column_stack([strong, strong]), y)
    assert 0.2 < twins.feature_importances_[0] < 0.8
    tree = suffice.DecisionTreeClassifier(random_state=3).fit(np.column_stack([strong, strong]), y)
    assert tree.nodes_.column[0] == 0  # no draws: the lowest
