"""Trees and rules of tables of every kind: symbols, missing cells, files, pruning for a purpose, covering."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import BoostedRules, RegressionTree, RuleList, Tree
from suffice.datasets import make_clinic
from suffice.sources import Roles, open_rows
from suffice.trees.conditions import Condition
from suffice.trees.rules.conjunction import ConjunctiveRule

CLINIC = make_clinic(150, random_state=1)
KINDS = {"patient": "identifier", "notes": "identifier"}
COLUMNS = {name: CLINIC.frame("pandas")[name].tolist() for name in CLINIC.frame("pandas")}
MUSHROOMS = {"length": [3, 4, 3, 5, 5, 4], "gills": ["no", "no", "yes", "no", "yes", None]}
EDIBLE = ["+", "+", "-", "+", "-", "+"]


def test_kinds_decide_how_a_column_is_split() -> None:
    """One child a symbol; one threshold for numbers and for values in order."""
    X = {"colour": list("rgbrgb"), "size": ["s", "m", "l", "s", "m", "l"], "age": [1, 2, 3, 4, 5, 6]}
    by_symbol = Tree(kinds={"size": "identifier", "age": "identifier"}).fit(X, list("xyzxyz"))
    assert by_symbol.nodes_.width[0] == 3
    assert by_symbol.text().splitlines()[0] == "colour is b: z (1), weight 2"
    ordinal = Tree(kinds={"colour": "identifier", "age": "identifier", "size": ["s", "m", "l"]}).fit(X, list("xyzxyz"))
    assert ordinal.nodes_.width[0] == 2
    assert ordinal.text().splitlines()[0] == "size is s: x (1), weight 2"
    groups = Tree(symbols="groups", kinds={"size": "identifier", "age": "identifier"}).fit(X, list("xyxxyx"))
    assert groups.text().splitlines() == ["colour is b or r: x (1), weight 4", "colour is g: y (1), weight 2"]
    numbers = RegressionTree(kinds={"colour": "identifier", "size": "identifier"}, max_depth=1).fit(
        X, [0, 0, 0, 9, 9, 9]
    )
    assert numbers.text().splitlines() == ["age <= 3.5: 0, weight 3", "age > 3.5: 9, weight 3"]


def test_missing_cells() -> None:
    X, y = {"a": [1.0, 2.0, None, None, 5.0, 6.0]}, list("xxyyzz")
    branch = Tree(missing="branch").fit(X, y)
    assert branch.text().splitlines()[-1] == "a is missing: y (1), weight 2"
    share = Tree(missing="share", max_depth=1).fit(X, y)
    np.testing.assert_allclose(share.predict_proba({"a": [None]}), [[1 / 3, 1 / 3, 1 / 3]])
    np.testing.assert_allclose(share.nodes_.weight, [6, 3, 3])
    best = Tree(missing="best").fit(X, y)
    assert best.predict({"a": [None]}).tolist() == ["y"]
    assert Tree().fit({"c": list("aab")}, [0, 0, 1]).predict({"c": ["never met"]}).tolist() == [0]


def chunks_of(columns: dict[str, Any], n: int = 3) -> list[dict[str, Any]]:
    size = -(-len(next(iter(columns.values()))) // n)
    return [{name: cells[i * size : (i + 1) * size] for name, cells in columns.items()} for i in range(n)]


@pytest.mark.parametrize("symbols", ["each", "groups"])
@pytest.mark.parametrize("missing", ["best", "branch", "share"])
def test_passes_over_files_give_the_nodes_of_memory(missing: str, symbols: str) -> None:
    chunks = chunks_of({**COLUMNS, "diagnosis": list(CLINIC.target)})
    whole = pd.concat([pd.DataFrame(chunk) for chunk in chunks])
    options: dict[str, Any] = {"kinds": KINDS, "missing": missing, "symbols": symbols, "max_depth": 4, "bins": 500}
    there = Tree(**options).fit(open_rows(chunks, Roles(target="diagnosis")))
    here = Tree(**options).fit(whole.drop(columns="diagnosis"), whole["diagnosis"])
    for field in fields(here.nodes_):
        np.testing.assert_allclose(
            getattr(there.nodes_, field.name),
            getattr(here.nodes_, field.name),
            rtol=1e-9,
            atol=1e-12,
            err_msg=field.name,
        )
    assert there.fitted_.state.passes == 5  # a look, and one a level


def test_nodes_are_batched_where_sums_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    from suffice.trees.growth import growing_in_passes

    chunks = chunks_of({**COLUMNS, "diagnosis": list(CLINIC.target)})
    rows = open_rows(chunks, Roles(target="diagnosis"))
    one = Tree(kinds=KINDS, max_depth=4).fit(rows)
    plain = growing_in_passes.grow_in_passes
    monkeypatch.setattr("suffice.trees.growth.table_trees.grow_in_passes", lambda *a: plain(*a, budget=1))
    other = Tree(kinds=KINDS, max_depth=4).fit(rows)
    np.testing.assert_array_equal(one.nodes_.threshold, other.nodes_.threshold)
    assert other.fitted_.state.passes > one.fitted_.state.passes


def test_prior_and_costs_are_chosen_afterwards_and_pruned_for() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 1).astype(int)
    tree = Tree(min_rows=5, smoothing="laplace").fit(X, y)
    costs = [[0, 1], [9, 0]]
    small = tree.prune(costs=costs)
    assert small.get_n_leaves() < tree.get_n_leaves()
    np.testing.assert_array_equal(small.predict(X, costs=costs), tree.predict(X, costs=costs))
    assert (tree.predict(X, costs=costs) == 1).sum() > (tree.predict(X) == 1).sum()
    held = rng.normal(size=(200, 2))
    truth = (held[:, 0] + rng.normal(size=200) > 1).astype(int)
    reduced = tree.prune(held, truth)
    assert reduced.get_n_leaves() < tree.get_n_leaves()
    assert reduced.score(held, truth) >= tree.score(held, truth)
    sizes = [tree.prune(alpha=a).get_n_leaves() for a in (0.0, 0.01, 0.1, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    with pytest.raises(ValueError, match="prune must be given rows"):
        RegressionTree().fit(X, X[:, 0]).prune()
    numbers = RegressionTree().fit(X, X[:, 0] + rng.normal(size=300))
    assert numbers.prune(held, held[:, 0]).get_n_leaves() < numbers.get_n_leaves()


def test_gain_ratio_tempers_symbols_of_many_values() -> None:
    X = {"name": [f"n{i}" for i in range(8)], "kind": list("aaaabbbb")}
    y = [0, 0, 0, 1, 1, 1, 1, 1]
    assert Tree(max_depth=1).fit(X, y).nodes_.column[0] == 0
    assert Tree(max_depth=1, gain_ratio=True).fit(X, y).nodes_.column[0] == 1


def test_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="column 'notes' must be numbers, dates or symbols"):
        Tree(kinds={"notes": "text"}).fit({"notes": ["a b", "c d"]}, [0, 1])


def test_ordered_rules() -> None:
    model = RuleList().fit(MUSHROOMS, EDIBLE)
    assert model.sentences()[0] == "if gills is yes then - (2 of 2)" or model.sentences()[0].startswith(
        "if gills is no"
    )
    assert model.score(MUSHROOMS, EDIBLE) == 1.0
    assert model.explain(MUSHROOMS)[0] == [model.sentences()[0]]
    for quality in ("laplace", "chi_square"):
        for ordered in (True, False):
            one = RuleList(quality=quality, ordered=ordered).fit(MUSHROOMS, EDIBLE)
            assert one.score(MUSHROOMS, EDIBLE) >= 5 / 6
            np.testing.assert_allclose(one.predict_proba(MUSHROOMS).sum(axis=1), 1.0)


def test_rules_abstain_where_they_do_not_cover() -> None:
    """A conjunction with a positive head says nothing of rows that it does not cover, and of missing cells."""
    rule = ConjunctiveRule((Condition(0, high=4.0), Condition(1, symbols=(0,))), 1, np.array([0.0, 2.0]))
    rows = np.array([[3.0, 0.0], [3.0, 1.0], [5.0, 0.0], [np.nan, 0.0]])
    assert rule.covers(rows).tolist() == [True, False, False, False]
    words = {1: ("no", "yes")}
    assert rule.sentence(["length", "gills"], words, ["-", "+"]) == "if length <= 4 and gills is no then + (2 of 2)"


def test_boosted_rules() -> None:
    model = BoostedRules(n_rules=4).fit(MUSHROOMS, EDIBLE)
    assert model.score(MUSHROOMS, EDIBLE) == 1.0
    (rules,) = model.rules_
    assert all(one.Z < 1.0 for one in rules)
    scores = model.decision_function(MUSHROOMS)
    np.testing.assert_allclose(model.predict_proba(MUSHROOMS)[:, 1], 1 / (1 + np.exp(-2 * scores)), rtol=1e-12)
    assert "for" in model.sentences()[0] or "against" in model.sentences()[0]
