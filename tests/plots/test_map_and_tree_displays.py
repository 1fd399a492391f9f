"""Pictures of maps, trees, boosting and importances: what is drawn is what was found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_iris
from sklearn.inspection import permutation_importance as theirs

from suffice import (
    PCA,
    TSNE,
    AdaBoostClassifier,
    DecisionTreeClassifier,
    GaussianNB,
    NaiveBayes,
    Ridge,
    SelfOrganizingMap,
    Tree,
)
from suffice.core.errors import BadInput
from suffice.evaluation import permutation_importance
from suffice.plots import (
    ImportanceDisplay,
    MapDisplay,
    RoundWeightsDisplay,
    ShepardDisplay,
    TreeDisplay,
    UnitGridDisplay,
)
from suffice.projections import shepard

X, Y = load_iris(return_X_y=True)
SOME = slice(None, None, 5)


def axes() -> Any:
    return Figure().subplots()


def test_a_map_of_three_classes_and_its_warning() -> None:
    pca = PCA(2).fit(X)
    display = MapDisplay.from_estimator(pca, X, Y, ax=axes())
    np.testing.assert_allclose(np.vstack([p.get_xydata() for p in display.points_]), pca.transform(X)[np.argsort(Y)])
    assert display.ax_.get_title() == ""
    tsne = TSNE(perplexity=5, max_iter=250, init="random", random_state=0).fit(X[SOME])
    told = shepard(X[SOME], tsne.embedding_).warning
    assert MapDisplay.from_estimator(tsne, X[SOME], Y[SOME], ax=axes()).ax_.get_title() == told
    with pytest.raises(BadInput, match="the rows of the map"):
        MapDisplay.from_estimator(tsne, X[:3], ax=axes())


def test_a_shepard_picture_shows_every_pair() -> None:
    display = ShepardDisplay.from_rows(X[SOME], PCA(2).fit_transform(X[SOME]), ax=axes())
    n = len(X[SOME])
    assert len(display.points_.get_xydata()) == n * (n - 1) // 2
    found = shepard(X[SOME], PCA(2).fit_transform(X[SOME]))
    assert display.ax_.get_title() == f"Correlation of ranks {found.correlation:.2f}"


def test_a_grid_of_units_by_distance_hits_and_column() -> None:
    som = SelfOrganizingMap(rows=3, columns=4).fit(X)
    display = UnitGridDisplay.from_estimator(som, X, Y, ax=axes())
    np.testing.assert_array_equal(display.image_.get_array(), som.distance_map())
    labels = [label for row in som.label_grid(X, Y) for label in row if label is not None]
    assert [text.get_text() for text in display.texts_] == [str(label) for label in labels]
    hits = UnitGridDisplay.from_estimator(som, X, of="hits", ax=axes())
    assert hits.image_.get_array().sum() == len(X)
    plane = UnitGridDisplay.from_estimator(som, of=2, ax=axes())
    np.testing.assert_array_equal(plane.image_.get_array(), som.weights_[:, :, 2])


def test_a_map_of_colours_is_its_own_picture() -> None:
    colours = np.random.default_rng(0).random((60, 3))
    som = SelfOrganizingMap(rows=4, columns=5, random_state=0).fit(colours)
    display = UnitGridDisplay.from_estimator(som, colours, range(60), of="colours", ax=axes())
    np.testing.assert_array_equal(display.image_.get_array(), som.weights_.clip(0, 1))
    assert len(display.texts_) == (som.hits(colours) > 0).sum()
    with pytest.raises(BadInput, match="three columns"):
        UnitGridDisplay.from_estimator(SelfOrganizingMap(rows=2, columns=2).fit(X), of="colours", ax=axes())


def test_a_tree_has_a_box_a_node_and_a_line_a_child() -> None:
    tree = DecisionTreeClassifier(max_depth=3).fit(X, Y)
    display = TreeDisplay.from_estimator(tree, ax=axes())
    assert len(display.boxes_) == tree.nodes_.count
    assert len(display.edges_) == tree.nodes_.count - 1
    assert len(TreeDisplay.from_estimator(tree, max_depth=1, ax=axes()).boxes_) == 3
    mixed = Tree().fit({"colour": ["red", "blue", "red", "blue"]}, ["a", "b", "a", "b"])
    texts = [text.get_text() for text in TreeDisplay.from_estimator(mixed, ax=axes()).ax_.texts]
    assert "colour is red" in texts


def test_the_weights_of_rounds() -> None:
    boosted = AdaBoostClassifier(n_estimators=4, keep_weights=True).fit(X, Y)
    display = RoundWeightsDisplay.from_estimator(boosted, ax=axes())
    np.testing.assert_array_equal(display.image_.get_array(), boosted.weights_by_round_)
    with pytest.raises(BadInput, match="keep_weights=True"):
        RoundWeightsDisplay.from_estimator(AdaBoostClassifier(n_estimators=2).fit(X, Y), ax=axes())


def test_importances_are_those_of_scikit_learn() -> None:
    model = GaussianNB().fit(X, Y)
    ours = permutation_importance(model, X, Y, scoring="accuracy", n_repeats=30, random_state=0)
    peer = theirs(model, X, Y, scoring="accuracy", n_repeats=30, random_state=0)
    assert ours.base == pytest.approx(model.score(X, Y))
    spread = np.sqrt(ours.values.var(axis=1) / 30 + peer.importances.var(axis=1) / 30)
    assert (np.abs(ours.mean - peer.importances_mean) <= 4 * spread).all()
    assert (ours.low < ours.mean).all()
    assert (ours.mean < ours.high).all()
    display = ImportanceDisplay(importances=ours, most=2).plot(ax=axes())
    assert [round(bar.get_width(), 12) for bar in display.bars_] == sorted(np.sort(ours.mean)[-2:].round(12).tolist())


@pytest.mark.parametrize("form", ["pandas", "mapping", "sparse"])
def test_importances_of_any_table(form: str) -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(80, 3))
    y = rows[:, 1] > 0
    if form == "sparse":
        from scipy.sparse import csr_matrix

        model, table = Ridge().fit(csr_matrix(rows), rows[:, 1]), csr_matrix(rows)
        found = permutation_importance(model, table, rows[:, 1], random_state=1)
    else:
        columns = {"a": rows[:, 0], "b": rows[:, 1], "c": rng.choice(list("xy"), 80)}
        table = pd.DataFrame(columns, index=np.arange(80)[::-1]) if form == "pandas" else columns
        model = NaiveBayes().fit(table, y)
        found = permutation_importance(model, table, y, random_state=1)
        assert found.names == ("a", "b", "c")
    assert found.mean.argmax() == 1
    assert found.low[1] > found.high[0]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: MapDisplay(places=[[1.0]]), "two numbers a row"),
        (lambda: ShepardDisplay(points=[1, 2]), "suffice.projections.shepard"),
        (lambda: UnitGridDisplay(values=[1.0]), "in rows and columns"),
        (lambda: UnitGridDisplay(values=[[1.0]], labels=[["a", "b"]]), "labels must be one a unit"),
        (lambda: UnitGridDisplay.from_estimator(SelfOrganizingMap(rows=2, columns=2).fit(X), of="hits"), "rows to"),
        (lambda: UnitGridDisplay.from_estimator(SelfOrganizingMap(rows=2, columns=2).fit(X), of=9), "0 to 3"),
        (lambda: TreeDisplay.from_estimator(GaussianNB().fit(X, Y)), "a fitted tree"),
        (lambda: RoundWeightsDisplay(weights=[]), "one line a round"),
        (lambda: ImportanceDisplay(importances=3), "permutation_importance"),
        (lambda: permutation_importance(GaussianNB().fit(X, Y), X, Y, n_repeats=1), "n_repeats must be"),
    ],
)
def test_bad_pictures_in_one_sentence(make: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        make()
