"""Trees of thresholds: scikit-learn's trees where no tie decides, loops against NumPy, pruning, pictures, files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import tree as theirs
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

import suffice
import suffice.trees
from suffice import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestRegressor
from suffice.trees.growth import absolute_losses as absolute
from suffice.trees.growth.absolute_loop import grow_absolute
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.growing import Growth, grow
from suffice.trees.growth.growing_loop import grow_by_loop
from suffice.trees.growth.packed_loop import packed_rows
from suffice.trees.growth.splits import SplitLimits
from suffice.trees.growth.targets import AbsoluteSums, ClassSums, MultiOutputSums, NumberSums, PoissonSums
from suffice.trees.impurities import CLASS_IMPURITIES

IRIS = load_iris(return_X_y=True)
MEASURES = CLASS_IMPURITIES.values()


def made_table(seed: int) -> tuple[Any, Any, Any]:
    """Numbers exact in float32, all different, so that few splits are tied."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400 + 10 * seed, 4)).astype(np.float32).astype(np.float64)
    t = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X)) / 4
    return X, np.digitize(t, [-0.5, 0.7]), t


@pytest.mark.parametrize("seed", sorted({*range(22)} - {15, 16}))  # of these two a tie decides
def test_the_trees_of_scikit_learn(seed: int) -> None:
    """Recursive splits until pure or a depth limit: the top of the tree, where no tie decides, node for node."""
    X, y, t = made_table(seed)
    gini, entropy, square = ({"max_depth": 3, "min_samples_leaf": 15} for _ in range(3))
    entropy["criterion"] = "entropy"  # type: ignore[assignment]
    for ours, other, target in (
        (DecisionTreeClassifier(**gini), theirs.DecisionTreeClassifier(**gini, random_state=0), y),
        (DecisionTreeClassifier(**entropy), theirs.DecisionTreeClassifier(**entropy, random_state=0), y),
        (DecisionTreeRegressor(**square), theirs.DecisionTreeRegressor(**square, random_state=0), t),
    ):
        a, b = ours.fit(X, target).tree_, other.fit(X, target).tree_
        assert a.node_count == b.node_count
        for name in ("children_left", "children_right", "feature", "n_node_samples"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
        for name in ("threshold", "impurity", "value", "weighted_n_node_samples"):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ours.feature_importances_, other.feature_importances_, atol=1e-9)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_numbers_of_diabetes(criterion: str) -> None:
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    ours = DecisionTreeRegressor(criterion=criterion, max_depth=3).fit(X, y).predict(X)
    other = theirs.DecisionTreeRegressor(criterion=criterion, max_depth=3, random_state=0).fit(X, y).predict(X)
    np.testing.assert_allclose(ours, other, rtol=1e-9)


@pytest.mark.parametrize("trial", range(12))
def test_the_loop_grows_the_tree_of_numpy(trial: int) -> None:
    rng = np.random.default_rng(trial)
    n, d = int(rng.integers(5, 90)), int(rng.integers(1, 6))
    X = np.round(rng.normal(size=(n, d)), trial % 3)
    X[rng.random((n, d)) < 0.15 * (trial % 2)] = np.nan
    w, y = rng.integers(0, 3, n).astype(float), rng.integers(0, 3, n)
    w[0] = 1.0
    cells = BinnedCells.of(X, np.zeros(d, dtype=int), 5 if trial % 3 == 0 else None)
    growth = Growth(
        seed=trial,
        columns=None if trial % 4 else max(1, d // 2),
        limits=SplitLimits(rows=1 + trial % 3),
        once=trial == 8,
    )
    numbers, ones = rng.normal(size=(n, 1)), np.ones(n)
    for target in (
        *(ClassSums(y, 3, w, m) for m in MEASURES),
        ClassSums(y % 2, 2, w),
        ClassSums(y % 2, 2, ones),
        NumberSums(numbers, w),
        NumberSums(numbers + 1e8, ones),
        PoissonSums(rng.poisson(1.0, size=(n, 1)) + np.eye(n, 1), w),
        *(MultiOutputSums(np.column_stack([y, y % 2, ones.astype(int)]), (3, 2, 2), w, m) for m in MEASURES),
        MultiOutputSums(np.column_stack([y // 2, y // 3]), (2, 1), ones),
        NumberSums(np.hstack([numbers, rng.normal(size=(n, 1)) + 1e8]), w),
        PoissonSums(rng.poisson(1.0, size=(n, 2)) + np.eye(n, 2) + np.eye(n, 2)[:, ::-1], w),
    ):
        one, other = grow(cells, target, growth), grow_by_loop(cells, target, growth)
        for field in fields(one):
            np.testing.assert_allclose(
                getattr(one, field.name), getattr(other, field.name), rtol=1e-9, atol=1e-12, err_msg=field.name
            )


@pytest.mark.parametrize("most", [7, 256])
def test_packed_rows_grow_the_same_tree(most: int) -> None:
    """Two classes, whole weights, bins that fit a byte: nodes larger and smaller than where bits note the bins."""
    rng = np.random.default_rng(most)
    X = rng.normal(size=(500, 5)) + 1e8
    X[:, 3] = 1.0
    y, w = rng.integers(0, 2, 500), rng.poisson(1.0, 500).astype(float)
    cells = BinnedCells.of(X, np.zeros(5, dtype=int), most)
    target = ClassSums(y, 2, w)
    growth = Growth(seed=3, columns=2, limits=SplitLimits(rows=2, weight=3.0))
    assert packed_rows(cells, target, ordered=False)[1].size
    one, other = grow(cells, target, growth), grow_by_loop(cells, target, growth)
    assert one.count > 50
    for field in fields(one):
        np.testing.assert_allclose(
            getattr(one, field.name), getattr(other, field.name), rtol=1e-12, atol=1e-14, err_msg=field.name
        )


def test_what_is_not_packed() -> None:
    """Sums that would run into one another, parts of a weight, missing cells, more bins than a byte holds."""
    X, y, ones = np.arange(300.0)[:, None], np.arange(300) % 2, np.ones(300)

    def packed(X: Any, target: Any, most: int | None = 9, ordered: bool = False) -> int:
        return packed_rows(BinnedCells.of(X, np.zeros(1, dtype=int), most), target, ordered)[1].size

    assert packed(X, ClassSums(y, 2, ones)) == 300
    assert not packed(X, ClassSums(y, 2, ones), ordered=True)
    assert not packed(X, ClassSums(y, 2, ones), most=None)
    assert not packed(X, ClassSums(y, 2, ones / 2))
    assert not packed(X, ClassSums(y, 2, ones * 2.0**13))
    assert not packed(X, ClassSums(y, 3, ones))
    assert not packed(X, ClassSums(y, 2, ones, CLASS_IMPURITIES["entropy"]))
    assert not packed(np.where(X < 5, np.nan, X), ClassSums(y, 2, ones))


def test_a_scale_does_not_change_the_splits() -> None:
    X, y = IRIS
    plain = DecisionTreeClassifier().fit(X, y)
    for scaled in (X * 1e-6, X * 1e6, np.exp(X)):
        other = DecisionTreeClassifier().fit(scaled, y)
        np.testing.assert_array_equal(other.nodes_.column, plain.nodes_.column)
        np.testing.assert_array_equal(other.predict_proba(scaled), plain.predict_proba(X))
    far = DecisionTreeClassifier().fit(np.round(X * 8) + 1e8, y)
    near = DecisionTreeClassifier().fit(np.round(X * 8), y)
    np.testing.assert_array_equal(far.nodes_.column, near.nodes_.column)


def test_the_root_of_gini_does_not_depend_on_the_prior() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    w = np.where(y == 1, 7.0, 1.0)
    options: dict[str, Any] = {"criterion": "sqrt_gini", "max_depth": 2}
    plain, weighed = (DecisionTreeClassifier(**options).fit(X, y, sample_weight=v) for v in (None, w))
    np.testing.assert_array_equal(plain.nodes_.column, weighed.nodes_.column)
    gini = [DecisionTreeClassifier(max_depth=2).fit(X, y, sample_weight=v).nodes_.threshold for v in (None, w)]
    assert not np.array_equal(gini[0], gini[1], equal_nan=True)  # those of Gini do


def test_ties_go_to_the_lowest_column() -> None:
    x = np.arange(6.0)
    model = DecisionTreeClassifier().fit(np.column_stack([x, x, -x]), [0, 0, 0, 1, 1, 1])
    assert model.nodes_.column[0] == 0


def test_missing_cells_go_the_best_way() -> None:
    X = np.array([[0.0], [1.0], [np.nan], [np.nan], [5.0], [6.0]])
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1, 1, 1])
    assert model.predict([[np.nan]]).tolist() == [1]
    apart = DecisionTreeClassifier().fit(X, [0, 0, 1, 1, 0, 0])
    assert apart.text().splitlines() == ["x0 is known: 0 (1), weight 4", "x0 is missing: 1 (1), weight 2"]
    assert apart.predict([[np.nan], [2.0]]).tolist() == [1, 0]


def test_cost_complexity_pruning_is_that_of_scikit_learn() -> None:
    X, y = load_wine(return_X_y=True)
    ours = DecisionTreeClassifier().cost_complexity_pruning_path(X, y)
    other = theirs.DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(ours.ccp_alphas[-3:], other.ccp_alphas[-3:], rtol=1e-6)
    np.testing.assert_allclose(ours.impurities[[0, -1]], other.impurities[[0, -1]], atol=1e-12)
    sizes = [DecisionTreeClassifier(ccp_alpha=a + 1e-9).fit(X, y).get_n_leaves() for a in ours.ccp_alphas]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_pictures_and_reasons() -> None:
    X, y = IRIS
    model = DecisionTreeClassifier(max_depth=2, smoothing="laplace").fit(X, y)
    assert model.text().splitlines()[0] == "x2 <= 2.45: 0 (0.962), weight 50"
    assert model.rules()[0] == "if x2 <= 2.45 then 0 (0.962)"
    assert model.explain(X[:1])[0][0].condition == "x2 <= 2.45"
    assert model.svg().startswith("<svg")
    assert model.svg().count("<rect") == model.nodes_.count
    rank = DecisionTreeClassifier(max_depth=3).fit(X, y == 2).rank_leaves(True)
    assert rank.auc > 0.99
    assert (np.diff(rank.positives / (rank.positives + rank.negatives)) <= 0).all()


def test_limits() -> None:
    X, y = IRIS
    assert DecisionTreeClassifier(max_leaf_nodes=4).fit(X, y).get_n_leaves() == 4
    assert DecisionTreeClassifier(min_samples_leaf=20).fit(X, y).nodes_.rows.min() >= 20
    assert DecisionTreeClassifier(min_weight_fraction_leaf=0.2).fit(X, y).nodes_.weight.min() >= 30
    assert DecisionTreeClassifier(min_impurity_decrease=0.2).fit(X, y).get_n_leaves() == 3
    assert DecisionTreeClassifier(splitter="random", random_state=0).fit(X, y).score(X, y) == 1.0


def test_a_loaded_tree_predicts_without_scikit_learn(tmp_path: Path) -> None:
    X, y = IRIS
    DecisionTreeClassifier().fit(X, y).save(tmp_path / "tree")
    suffice.RandomForestClassifier(3, random_state=0).fit(X, y).save(tmp_path / "forest")
    program = (
        "import sys, numpy as np, suffice\n"
        f"for name in ('tree', 'forest'):\n    print(suffice.load(r'{tmp_path}/' + name).predict(np.zeros((1, 4))))\n"
        "assert 'sklearn' not in sys.modules and 'numba' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


BAD: list[tuple[Any, str]] = [
    (lambda: DecisionTreeClassifier(criterion="gain"), "'criterion' parameter"),
    (lambda: DecisionTreeClassifier(max_depth=0), "'max_depth' parameter"),
    (lambda: DecisionTreeClassifier(min_samples_split=1), "'min_samples_split' parameter"),
    (lambda: DecisionTreeClassifier(min_samples_leaf=0), "'min_samples_leaf' parameter"),
    (lambda: DecisionTreeClassifier(min_weight_fraction_leaf=0.6), "'min_weight_fraction_leaf' parameter"),
    (lambda: DecisionTreeClassifier(max_features=0), "'max_features' parameter"),
    (lambda: DecisionTreeClassifier(max_leaf_nodes=1), "'max_leaf_nodes' parameter"),
    (lambda: DecisionTreeClassifier(ccp_alpha=-1.0), "'ccp_alpha' parameter"),
    (lambda: DecisionTreeClassifier(smoothing="bayes"), "'smoothing' parameter"),
    (lambda: DecisionTreeClassifier(class_weight={9: 1.0}), "class_weight must be about the classes"),
    (lambda: suffice.Tree(missing="never"), "'missing' parameter"),
    (lambda: suffice.Tree(symbols="all"), "'symbols' parameter"),
    (lambda: suffice.Tree(bins=1), "'bins' parameter"),
    (lambda: suffice.Tree(kinds={"z": "count"}), "kinds must be about columns"),
    (lambda: suffice.RuleList(quality="best"), "'quality' parameter"),
    (lambda: suffice.RuleList(beam=0), "'beam' parameter"),
    (lambda: suffice.RandomForestClassifier(0), "'n_estimators' parameter"),
    (lambda: suffice.RandomForestClassifier(2, bootstrap="twice"), "'bootstrap' parameter"),
    (lambda: suffice.RandomForestClassifier(2, bootstrap=False, oob_score=True), "oob_score must be False"),
    (lambda: suffice.RandomForestClassifier(2, bootstrap=False, max_samples=3), "max_samples must be None"),
    (lambda: suffice.RandomForestClassifier(2, draw="leaf"), "'draw' parameter"),
    (lambda: suffice.AdaBoostClassifier(learning_rate=0.0), "'learning_rate' parameter"),
    (lambda: suffice.AdaBoostClassifier(algorithm="SAMME"), "'algorithm' parameter"),
    (lambda: suffice.AdaBoostClassifier("tree"), "'estimator' parameter"),
    (lambda: suffice.BoostedRules(n_rules=0), "'n_rules' parameter"),
    (lambda: suffice.BaggingClassifier(n_estimators=0), "'n_estimators' parameter"),
]


@pytest.mark.parametrize(("make", "words"), BAD)
def test_bad_parameters(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make().fit([[0.0], [1.0], [2.0]], [0, 1, 1])


@pytest.mark.parametrize("shares", [[], [[1.0]], [-1.0, 2.0], [np.nan, 1.0], [0.0, 0.0]])
def test_bad_shares(shares: Any) -> None:
    with pytest.raises(ValueError, match="impurity: shares must be"):
        suffice.trees.impurity(shares)


@pytest.mark.parametrize("seed", range(4))
def test_absolute_error_takes_missing_cells(seed: int) -> None:
    """The tree is that of scikit-learn; brute force over every way of the first split says the same."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)).astype(np.float32).astype(np.float64)
    y = np.round(X[:, 0] * 3 + rng.normal(size=40), 3)
    X[rng.random(X.shape) < 0.2] = np.nan
    options = {"criterion": "absolute_error", "max_depth": 3}
    ours = DecisionTreeRegressor(**options).fit(X, y)
    other = theirs.DecisionTreeRegressor(**options, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), other.predict(X), atol=1e-12)
    np.testing.assert_allclose(ours.tree_.impurity, other.tree_.impurity, atol=1e-12)

    def loss(part: Any) -> float:
        return float(np.abs(y[part] - np.median(y[part])).sum()) if part.any() else np.inf

    ways = [np.isnan(X[:, j]) for j in range(3)]
    for j in range(3):
        for cut in X[:, j][~np.isnan(X[:, j])]:
            ways += [X[:, j] <= cut, (X[:, j] <= cut) | np.isnan(X[:, j])]
    best = min(loss(way) + loss(~way) for way in ways)
    kids = ours.nodes_.kids(0)
    np.testing.assert_allclose((ours.nodes_.weight * ours.nodes_.impurity)[kids].sum(), best, rtol=1e-12)


def test_absolute_error_sends_missing_cells_apart() -> None:
    """Where only what is missing tells the target; a leaf that would be too small is not made."""
    X, y = np.array([[1.0], [2.0], [np.nan], [np.nan], [3.0]]), [1.0, 1.0, 9.0, 9.0, 1.0]
    model = DecisionTreeRegressor(criterion="absolute_error").fit(X, y)
    assert model.predict([[np.nan], [2.5]]).tolist() == [9.0, 1.0]
    assert model.nodes_.threshold[0] == np.inf
    held = DecisionTreeRegressor(criterion="absolute_error", min_samples_leaf=3).fit(X, y)
    assert held.nodes_.count == 1
    forest = RandomForestRegressor(5, criterion="absolute_error", random_state=0).fit(X, y)
    assert forest.predict([[np.nan]])[0] > forest.predict([[2.0]])[0]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_a_missing_cell_goes_to_the_heavier_child_and_right_of_equals(criterion: str) -> None:
    """Where training met none; as in scikit-learn, by NumPy and by the loop."""
    X, y = np.arange(9.0)[:, None], np.repeat([1.0, 5.0, 5.0], 3)
    for rows, answer in ((slice(0, 9), 5.0), (slice(0, 6), 5.0), (slice(0, 5), 1.0)):
        model = DecisionTreeRegressor(max_depth=1, criterion=criterion).fit(X[rows], y[rows])
        assert model.predict([[np.nan]])[0] == answer
    cells = BinnedCells.of(X[:6], np.zeros(1, dtype=int))
    assert grow_by_loop(cells, NumberSums(y[:6, None], np.ones(6)), Growth()).missing[0] == 1


@pytest.mark.parametrize("seed", range(3))
def test_drawn_thresholds_take_columns_with_missing_cells(seed: int) -> None:
    """Missing cells go to a side that is drawn; where one value is known, they go apart. All rows are told apart."""
    rng = np.random.default_rng(seed)
    X = rng.permutation(60).astype(float)[:, None]
    X[:20] = np.nan
    y = np.where(np.isnan(X[:, 0]), 7, X[:, 0] // 15).astype(int)
    model = DecisionTreeClassifier(splitter="random", random_state=seed).fit(X, y)
    assert model.score(X, y) == 1.0
    inner = model.nodes_.met
    assert set(model.nodes_.missing[inner].tolist()) == {0, 1}
    numbers = DecisionTreeRegressor(splitter="random", criterion="absolute_error", random_state=seed).fit(X, y)
    np.testing.assert_array_equal(numbers.predict(X), y)
    alone = DecisionTreeClassifier(splitter="random").fit([[1.0], [np.nan], [1.0], [np.nan]], [0, 1, 0, 1])
    assert alone.predict([[np.nan], [1.0]]).tolist() == [1, 0]
    held = DecisionTreeClassifier(splitter="random", min_samples_leaf=3).fit([[1.0], [np.nan], [1.0]], [0, 1, 0])
    assert held.nodes_.count == 1


NASTY = {
    "plain": (lambda rng: rng.normal(size=60), lambda rng: np.ones(60)),
    "ties": (lambda rng: rng.integers(0, 3, 60).astype(float), lambda rng: rng.integers(1, 4, 60).astype(float)),
    "offset": (lambda rng: 1e8 + rng.normal(size=60), lambda rng: rng.random(60) + 0.1),
    "heavy": (lambda rng: rng.normal(size=60), lambda rng: np.where(np.arange(60) % 7 == 0, 1e6, 1e-3)),
    "constant": (lambda rng: np.full(60, -3.0), lambda rng: np.ones(60)),
    "one": (lambda rng: np.array([2.0]), lambda rng: np.array([0.5])),
    "none": (lambda rng: np.zeros(0), lambda rng: np.zeros(0)),
}


@pytest.mark.parametrize("name", NASTY)
def test_absolute_losses_by_heaps_and_by_ranks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are what every possible median says."""
    rng = np.random.default_rng(0)
    y, w = (make(rng) for make in NASTY[name])
    brute = [0.0]
    for m in range(1, len(y) + 1):
        brute.append(min(float((w[:m] * np.abs(y[:m] - middle)).sum()) for middle in y[:m]))
    scale = float((w * np.abs(y - np.median(y))).sum()) if len(y) else 0.0
    for pays in (True, False):
        monkeypatch.setattr(type(absolute._by_ranks), "pays", lambda *_, pays=pays: pays)
        np.testing.assert_allclose(absolute.absolute_losses(y, w), brute, rtol=1e-12, atol=1e-12 * scale)


def test_trees_of_absolute_error_by_heaps_and_by_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    X, y, w = np.round(rng.normal(size=(80, 2)), 1), rng.normal(size=(80, 2)) + 1e8, rng.integers(0, 3, 80)
    X[rng.random(X.shape) < 0.1] = np.nan
    grown = []
    for pays in (True, False):
        monkeypatch.setattr(type(absolute._by_ranks), "pays", lambda *_, pays=pays: pays)
        model = DecisionTreeRegressor(criterion="absolute_error", min_samples_leaf=2).fit(X, y, sample_weight=w)
        grown.append(model.nodes_)
    for field in fields(grown[0]):
        one, other = (getattr(nodes, field.name) for nodes in grown)
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-7, err_msg=field.name)  # losses of targets at 1e8


@pytest.mark.parametrize("trial", range(8))
def test_the_loop_grows_the_tree_of_absolute_error(trial: int) -> None:
    """Node for node: ties, missing cells, weights, offsets, columns that are drawn, several targets, least leaves."""
    rng = np.random.default_rng(trial)
    n, d = int(rng.integers(1, 60)), int(rng.integers(1, 5))
    X = np.round(rng.normal(size=(n, d)), trial % 3)
    X[rng.random((n, d)) < 0.2 * (trial % 2)] = np.nan
    y = np.round(rng.normal(size=(n, 1 + trial % 3)), 1 + trial % 2) + (1e8 if trial == 5 else 0.0)
    w = rng.integers(0, 4, n).astype(float) if trial % 4 else rng.random(n) + 0.01
    w[0] = 1.0
    limits = SplitLimits(rows=1 + trial % 2, weight=1.5 * (trial % 3 == 2))
    growth = Growth(seed=trial, columns=None if trial % 4 else max(1, d // 2), limits=limits, once=trial == 4)
    cells = BinnedCells.of(X, np.zeros(d, dtype=int), 6 if trial == 3 else None)
    target = AbsoluteSums(y, w)
    one, other = grow(cells, target, growth), grow_absolute(cells, target, growth)
    for field in fields(one):
        np.testing.assert_allclose(
            getattr(one, field.name), getattr(other, field.name), rtol=1e-12, atol=1e-7, err_msg=field.name
        )
