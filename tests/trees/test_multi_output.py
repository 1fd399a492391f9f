"""Several class labels a row: one tree or forest answers them all, as scikit-learn's do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.sparse import csr_matrix
from sklearn import ensemble, tree
from sklearn.utils import get_tags

import suffice
from suffice import DecisionTreeClassifier, RandomForestClassifier
from suffice.app.main import suffice as command
from suffice.compose import combine
from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.estimators.folds.fold_models import read_splits
from suffice.evaluation import cross_validate
from suffice.trees.growth.targets import ClassSums, MultiOutputSums
from suffice.trees.impurities import CLASS_IMPURITIES


def rows(seed: int = 0, n: int = 80) -> tuple[Array, Array]:
    """Numbers exact in float32, and three outputs of two, three and four classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).astype(np.float32).astype(np.float64)
    noise = rng.normal(size=(n, 3))
    first, second = X[:, 0] + noise[:, 0] > 0, np.digitize(X[:, 1] + noise[:, 1], [-0.5, 0.5])
    return X, np.column_stack([first * 2 - 1, second * 10, np.digitize(X[:, 2] + noise[:, 2], [-1, 0, 1])])


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(3))
def test_the_tree_is_that_of_scikit_learn(criterion: str, seed: int) -> None:
    """Same impurities, same shares of every output; also with weights."""
    X, y = rows(seed)
    w = np.random.default_rng(seed).integers(1, 4, len(X)).astype(float)
    ours = DecisionTreeClassifier(criterion=criterion, max_depth=3).fit(X, y, w)
    theirs = tree.DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0).fit(X, y, w)
    assert ours.tree_.node_count == theirs.tree_.node_count
    np.testing.assert_allclose(ours.tree_.impurity, theirs.tree_.impurity, atol=1e-12)
    np.testing.assert_allclose(ours.tree_.value, theirs.tree_.value, atol=1e-12)
    np.testing.assert_array_equal(ours.tree_.n_classes, theirs.tree_.n_classes)
    np.testing.assert_array_equal(ours.n_classes_, theirs.n_classes_)
    assert ours.n_outputs_ == 3
    for a, b in zip(ours.classes_, theirs.classes_, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype
    for a, b in zip(ours.predict_proba(X), theirs.predict_proba(X), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.predict(X).dtype == theirs.predict(X).dtype


def test_loss_is_the_mean_over_outputs() -> None:
    """Of any impurity, and by bins as in all."""
    _, y = rows()
    codes = np.column_stack([np.unique(y[:, t], return_inverse=True)[1] for t in range(3)])
    w, here = np.random.default_rng(1).random(len(y)), np.arange(len(y))
    for measure in CLASS_IMPURITIES.values():
        many = MultiOutputSums(codes, (2, 3, 4), w, measure)
        alone = [ClassSums(codes[:, t], K, w, measure) for t, K in enumerate((2, 3, 4))]
        expected = np.mean([one.loss(one.total(here)) for one in alone])
        np.testing.assert_allclose(many.loss(many.total(here)), expected, rtol=1e-14)
        np.testing.assert_allclose(many.weight(many.total(here)), w.sum(), rtol=1e-14)
        np.testing.assert_allclose(many.cells(here % 5, here, 5).sum(axis=0), many.total(here), rtol=1e-14)


def test_an_output_that_is_repeated_changes_nothing() -> None:
    """Columns of labels that are all alike grow the tree, and the forest, of one label a row."""
    X, y = rows()
    twice = np.column_stack([y[:, 1], y[:, 1]])
    for model in (DecisionTreeClassifier(), RandomForestClassifier(5, random_state=0, oob_score=False)):
        one, two = new(model).fit(X, y[:, 1]), new(model).fit(X, twice)
        np.testing.assert_array_equal(one.nodes_.threshold, two.nodes_.threshold)
        for shares in two.predict_proba(X):
            np.testing.assert_allclose(shares, one.predict_proba(X), atol=1e-14)
        np.testing.assert_array_equal(two.predict(X), np.column_stack([one.predict(X)] * 2))


def new(model: Any) -> Any:
    """A new one of the same parameters."""
    return type(model)(**model.get_params())


@pytest.mark.parametrize("model", [DecisionTreeClassifier(max_depth=4), RandomForestClassifier(6, random_state=0)])
def test_saved_and_loaded(model: Any, tmp_path: Path) -> None:
    """Answers, classes and readings come back, words among the labels too; and the estimator itself."""
    X, y = rows()
    X[::7, 1] = np.nan
    words = np.array(["low", "middle", "high"], dtype=object)[y[:, 1] // 10]
    labels = pd.DataFrame({"sign": y[:, 0], "word": words})
    fitted = new(model).fit(X, labels)
    fitted.save(tmp_path / "model")
    loaded = suffice.load(tmp_path / "model")
    answers = fitted.predict(X)
    assert answers.shape == (len(X), 2)
    assert set(answers[:, 1]) <= {"low", "middle", "high"}
    for other in (loaded, loaded.estimator()):
        np.testing.assert_array_equal(other.predict(X), answers)
        for a, b in zip(other.predict_proba(X), fitted.predict_proba(X), strict=True):
            np.testing.assert_array_equal(a, b)
        assert [list(k) for k in other.classes_] == [[-1, 1], ["high", "low", "middle"]]
    assert fitted.score(X, labels) == loaded.score(X, labels) > 0.5
    assert [log.shape for log in fitted.predict_log_proba(X)] == [(len(X), 2), (len(X), 3)]


def test_text_names_a_class_of_every_output() -> None:
    """And the readings that need one label a row refuse."""
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], [["red", 1], ["blue", 2]])
    assert model.text().splitlines()[0] == "x0 <= 0.5: red (1), 1 (1), weight 1"
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), np.array([["red", 1], ["blue", 2]], dtype=object))
    with pytest.raises(ValueError, match="one class label a row"):
        model.rank_leaves()


def test_weights_of_classes_multiply_over_outputs() -> None:
    """A list of dicts, one an output, is the product of their weights."""
    X, y = rows()
    given = [{-1: 2.0, 1: 1.0}, {0: 1.0, 10: 3.0, 20: 0.5}, {0: 1.0, 1: 1.0, 2: 1.0, 3: 4.0}]
    w = np.prod([[one[label] for label in y[:, t].tolist()] for t, one in enumerate(given)], axis=0)
    a = DecisionTreeClassifier(class_weight=given, max_depth=4).fit(X, y)
    b = DecisionTreeClassifier(max_depth=4).fit(X, y, w)
    np.testing.assert_array_equal(a.nodes_.threshold, b.nodes_.threshold)
    np.testing.assert_allclose(a.nodes_.value, b.nodes_.value, rtol=1e-12)
    even = DecisionTreeClassifier(class_weight="balanced", max_depth=1).fit(X, y).nodes_
    theirs = tree.DecisionTreeClassifier(class_weight="balanced", max_depth=1, random_state=0).fit(X, y).tree_
    np.testing.assert_allclose(even.weight, theirs.weighted_n_node_samples, rtol=1e-12)


def test_balanced_subsample_weighs_the_classes_that_were_drawn() -> None:
    """Of every tree, all classes weigh alike at its root."""
    X, y = rows()
    forest = RandomForestClassifier(4, class_weight="balanced_subsample", random_state=0).fit(X, y[:, 1])
    roots = forest.nodes_.value[forest.nodes_.roots]
    np.testing.assert_allclose(roots, np.full((4, 3), len(X) / 3), rtol=1e-12)
    whole = RandomForestClassifier(4, class_weight="balanced", random_state=0).fit(X, y[:, 1])
    assert not np.allclose(whole.nodes_.value[whole.nodes_.roots], len(X) / 3)


def test_out_of_bag_answers_of_several_outputs() -> None:
    """As in scikit-learn: two classes an output (n, 2, q); the score may be a function."""
    X, y = rows()
    two = (y > 0).astype(int)
    forest = RandomForestClassifier(25, max_depth=4, oob_score=True, random_state=0).fit(X, two)
    theirs = ensemble.RandomForestClassifier(25, max_depth=4, oob_score=True, random_state=0).fit(X, two)
    assert forest.oob_decision_function_.shape == theirs.oob_decision_function_.shape
    np.testing.assert_allclose(forest.oob_decision_function_.sum(axis=1), 1.0, rtol=1e-12)
    said = forest.oob_decision_function_.argmax(axis=1)
    assert forest.oob_score_ == np.mean((said == two).all(axis=1))
    share = RandomForestClassifier(25, max_depth=4, oob_score=lambda a, b: np.mean(a == b), random_state=0)
    share.fit(X, two)
    assert share.oob_score_ == np.mean(said == two)
    with pytest.raises(ValueError, match="The type of target cannot be used to compute OOB estimates"):
        RandomForestClassifier(3, oob_score=True).fit(X, y)


def test_combined_forests_unite_the_classes_of_each_output() -> None:
    """The answer is the mean of both, class by class."""
    X, y = rows()
    a, b = (RandomForestClassifier(3, random_state=s).fit(X, y + s) for s in (0, 1))
    both = combine(a, b)
    assert [list(k) for k in both.classes_] == [sorted({*p, *q}) for p, q in zip(a.classes_, b.classes_, strict=True)]
    for t, shares in enumerate(both.predict_proba(X)):
        expected = np.zeros(shares.shape)
        for part in (a, b):
            expected[:, np.searchsorted(both.classes_[t], part.classes_[t])] += part.predict_proba(X)[t] / 2
        np.testing.assert_allclose(shares, expected, atol=1e-14)
    assert both.by_tree(X).shape == (6, len(X), 3)
    assert a.estimators_[0].n_outputs_ == 3


BAD: list[tuple[Any, str]] = [
    (lambda X, y: DecisionTreeClassifier().fit(X, y[:5]), "of one length"),
    (lambda X, y: DecisionTreeClassifier().fit(X, np.where(y == 10, np.nan, y)), "labels of output 1 must be present"),
    (lambda X, y: DecisionTreeClassifier().fit(X, y + 0.5), "labels of output 0 must be classes"),
    (lambda X, y: DecisionTreeClassifier().fit(X[:2], [[1, 2], [3]]), "as many labels in every row"),
    (lambda X, y: DecisionTreeClassifier().fit(X, y[:, :0]), "at least one label a row"),
    (lambda X, y: DecisionTreeClassifier(class_weight={0: 1.0}).fit(X, y), "should be a list of dicts"),
    (lambda X, y: DecisionTreeClassifier(class_weight=[{0: 1.0}]).fit(X, y), "number of elements in class_weight"),
    (lambda X, y: DecisionTreeClassifier(class_weight=[{0: 1.0}]).fit(X, y[:, 0]), "must be a dict"),
    (lambda X, y: DecisionTreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, y), "not supported with multiple output"),
    (lambda X, y: DecisionTreeClassifier().fit(X, y).predict(X, prior="uniform"), "one label a row to decide"),
    (lambda X, y: DecisionTreeClassifier().fit(X, y).posterior(X), "one label a row to decide"),
    (lambda X, y: DecisionTreeClassifier().fit(X, y).score(X, y[:, 0]), "labels of shape"),
]


@pytest.mark.parametrize(("work", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_tables_of_labels_get_one_sentence(work: Any, words: str) -> None:
    """Each says what is wrong."""
    with pytest.raises(ValueError, match=words):
        work(*rows(n=30))


def test_sparse_labels_are_of_the_wrong_type() -> None:
    """As in scikit-learn, whose trees raise TypeError and whose forests ValueError: ours is both."""
    X, y = rows(n=10)
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match="sparse multilabel-indicator for y is not supported"):
            DecisionTreeClassifier().fit(X, csr_matrix(y))


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), RandomForestClassifier()])
def test_tags_say_that_tables_of_labels_are_taken(model: Any) -> None:
    """So that scikit-learn's checks of such estimators are among those that run."""
    tags = get_tags(model)
    assert tags.target_tags.multi_output
    assert tags.classifier_tags.multi_label


def test_verbs_of_one_label_a_row_refuse_several_in_one_sentence(tmp_path: Path) -> None:
    """Folds are drawn by the labels of a row together; scores and the command know one label a row."""
    X, codes = np.arange(60.0).reshape(30, 2), np.arange(30) % 3
    several = np.column_stack([codes, codes > 0])
    splits = read_splits("cross_validate", 5, several, 30, classes=True)
    assert all(sorted(codes[test].tolist()) == [0, 0, 1, 1, 2, 2] for _, test in splits.pairs)
    with pytest.raises(BadInput, match="labels must be one column"):
        cross_validate(suffice.DecisionTreeClassifier(), X, several)
    suffice.DecisionTreeClassifier().fit(X, several).save(tmp_path / "m")
    (tmp_path / "t.csv").write_text("x0,x1\n1,2\n")
    done = CliRunner().invoke(command, ["predict", str(tmp_path / "m"), str(tmp_path / "t.csv")])
    assert "one that gives one label a row, got several labels a row" in str(done.exception) + done.output
