"""Pictures of clusters: trees, silhouettes, dense regions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from suffice import DBSCAN, AgglomerativeClustering, KMeans
from suffice.clusters import linkage_tree, silhouettes
from suffice.core.errors import BadInput
from suffice.plots import DendrogramDisplay, DenseRegionDisplay, SilhouetteDisplay

X = np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.7], [8.0, 8.0], [9.0, 8.0], [8.3, 8.9], [20.0, 0.0]])


def axes() -> Any:
    return Figure().subplots()


def test_a_dendrogram_has_a_bracket_a_merge_at_its_height() -> None:
    model = AgglomerativeClustering(2, linkage="average").fit(X)
    display = DendrogramDisplay.from_estimator(model, ax=axes(), clusters=2, names=list("abcdefg"))
    tops = [float(np.max(line.get_ydata())) for line in display.lines_]
    np.testing.assert_allclose(tops, model.tree_.heights)
    told = [tick.get_text() for tick in display.ax_.get_xticklabels()]
    assert sorted(told) == list("abcdefg")
    assert len({line.get_color() for line in display.lines_}) >= 2
    inverted = DendrogramDisplay(tree=linkage_tree([[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]], "centroid")).plot(ax=axes())
    assert inverted.ax_.get_title() == "1 merges below their parts"


def test_silhouettes_are_sorted_within_clusters() -> None:
    labels = KMeans(3, random_state=0).fit(X).labels_
    display = SilhouetteDisplay.from_labels(X, labels, ax=axes())
    found = silhouettes(X, labels)
    for k, bars in enumerate(display.bars_):
        widths = [bar.get_width() for bar in bars]
        assert widths == sorted(widths, reverse=True)
        np.testing.assert_allclose(widths, found.sorted_values(k))
    assert display.line_.get_xdata()[0] == found.mean
    again = SilhouetteDisplay.from_estimator(KMeans(3, random_state=0).fit(X), X, ax=axes())
    assert len(again.bars_) == 3


def test_core_border_and_noise_look_different() -> None:
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [9.0, 9.0]])
    model = DBSCAN(eps=1.0, min_samples=3).fit(rows)
    display = DenseRegionDisplay.from_estimator(model, rows, ax=axes())
    assert {kind: len(points.get_offsets()) for kind, points in display.points_.items()} == {
        "core": 1,
        "border": 2,
        "noise": 1,
    }


def test_bad_pictures_of_clusters() -> None:
    model = KMeans(2, random_state=0).fit(X)
    with pytest.raises(BadInput, match="DendrogramDisplay: estimator must be a fitted model with a tree"):
        DendrogramDisplay.from_estimator(model)
    with pytest.raises(BadInput, match="DendrogramDisplay: names must be one a leaf"):
        DendrogramDisplay(tree=linkage_tree(X), names=["a"]).plot(ax=axes())
    with pytest.raises(BadInput, match="DenseRegionDisplay: estimator must be a fitted DBSCAN"):
        DenseRegionDisplay.from_estimator(model, X)
    with pytest.raises(BadInput, match="DenseRegionDisplay: X must be the 7 rows of training"):
        DenseRegionDisplay.from_estimator(DBSCAN().fit(X), X[:3])
