"""Pictures of columns and of rows: what is drawn are the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.cbook import boxplot_stats
from matplotlib.figure import Figure
from scipy.stats import gaussian_kde
from sklearn.naive_bayes import MultinomialNB as TheirNB
from sklearn.neighbors import KernelDensity as TheirDensity

from suffice import BernoulliNB, GaussianMixture, KernelDensity
from suffice.evaluation import andrews_curves, radial_points
from suffice.families import EqualFrequency, EqualWidth, FixedWidth, SheatherJones
from suffice.plots import (
    AndrewsCurvesDisplay,
    BoxDisplay,
    DensityDisplay,
    HistogramDisplay,
    ParallelCoordinatesDisplay,
    PercentileDisplay,
    RadvizDisplay,
    ScatterMatrixDisplay,
    SpyDisplay,
    WordProfileDisplay,
)

rng = np.random.default_rng(11)
X = np.column_stack([rng.normal(size=120), 1e8 + rng.exponential(size=120), rng.integers(0, 5, 120)])
Y = np.array(["b", "a", "c"])[rng.integers(0, 3, 120)]
W = rng.integers(0, 3, 120).astype(float)
HOLED = np.where(rng.random(120) < 0.2, np.nan, X[:, 0])


def axes(*shape: int) -> Any:
    return Figure().subplots(*shape)


def heights(stairs: Any) -> np.ndarray:
    return np.asarray(stairs.get_data().values)


@pytest.mark.parametrize("w", [None, W], ids=["plain", "weighted"])
def test_bars_are_the_histogram_of_numpy(w: np.ndarray | None) -> None:
    display = HistogramDisplay.from_rows(X, cuts=EqualWidth(7), sample_weight=w, ax=axes())
    for j, stairs in enumerate(display.stairs_):
        live = slice(None) if w is None else w > 0  # a row of weight 0 is no row
        expected, edges = np.histogram(X[live, j], bins=7, weights=None if w is None else w[live], density=True)
        np.testing.assert_allclose(heights(stairs), expected, atol=1e-9)
        np.testing.assert_allclose(stairs.get_data().edges, edges, rtol=1e-12)
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["x0", "x1", "x2"]


def test_bars_class_by_class_count_rows_and_leave_out_missing_cells() -> None:
    display = HistogramDisplay.from_rows(HOLED, Y, cuts=FixedWidth(0.5, 0.25), density=False, ax=axes())
    seen = np.isfinite(HOLED)
    edges = display.stairs_[0].get_data().edges
    for k, label in enumerate(["a", "b", "c"]):
        expected, _ = np.histogram(HOLED[seen & (label == Y)], bins=edges)
        assert heights(display.stairs_[k]).tolist() == expected.tolist()
        assert display.stairs_[k].get_label() == label
    assert ((edges - 0.25) % 0.5 == 0).all()


def test_equal_frequency_and_the_modal_bin() -> None:
    display = HistogramDisplay.from_rows(X[:, 0], cuts=EqualFrequency(4), plot_modal=True, ax=axes())
    assert set(display.bars[0].weight[0]) <= {29.0, 30.0, 31.0}  # a value at an edge is of the bin above
    np.testing.assert_allclose(
        heights(display.stairs_[0]) * np.diff(display.bars[0].edges) * 120, display.bars[0].weight[0]
    )
    low, high = display.bars[0].modal()
    assert tuple(display.modal_[0].get_xdata()) == (low, high)
    assert display.modal_[0].get_label() == f"modal bin {low:g} to {high:g}"
    assert heights(display.stairs_[0]).max() == display.modal_[0].get_ydata()[0]


def test_one_panel_for_each_column() -> None:
    wide = np.column_stack([X, X])
    display = HistogramDisplay.from_rows(wide, each=True)
    assert display.ax_.shape == (2, 4)
    assert [ax.get_visible() for ax in display.ax_.ravel()] == [True] * 6 + [False] * 2
    assert [len(ax.patches) for ax in display.ax_.ravel()] == [1] * 6 + [0] * 2
    given = HistogramDisplay.from_rows(X, Y, each=True, ax=axes(3))
    assert given.ax_.shape == (1, 3)
    assert [ax.get_xlabel() for ax in given.ax_.ravel()] == ["x0", "x1", "x2"]


def test_a_column_of_one_value_is_one_bar() -> None:
    display = HistogramDisplay.from_rows([3.0, 3.0, 3.0], ax=axes())
    assert display.bars[0].edges.tolist() == [2.5, 3.5]
    assert heights(display.stairs_[0]).tolist() == [1.0]


def test_window_densities_are_those_of_scipy() -> None:
    x = X[:, 0]
    h = 0.3
    display = DensityDisplay.from_rows(x, Y, bandwidth=h, plot_rug=True, ax=axes())
    for k, label in enumerate(["a", "b", "c"]):
        mine = x[label == Y]
        place, density = display.lines_[k].get_data()
        expected = gaussian_kde(mine, bw_method=h / mine.std(ddof=1))(place)
        np.testing.assert_allclose(density, expected, rtol=1e-9, atol=1e-12)
        marks = sorted(segment[0, 0] for segment in display.rug_[k].get_segments())
        assert marks == sorted(mine)
        assert np.trapezoid(density, place) == pytest.approx(1.0, abs=1e-3)


def test_windows_that_end_are_0_beyond() -> None:
    display = DensityDisplay.from_rows([0.0, 10.0], bandwidth=1.0, window="tophat", ax=axes())
    place, density = display.lines_[0].get_data()
    assert set(density.round(12)) == {0.0, 0.25}
    assert (density[(place > 1.01) & (place < 8.99)] == 0.0).all()


@pytest.mark.parametrize(
    "model", [KernelDensity(bandwidth=0.4), TheirDensity(bandwidth=0.4), GaussianMixture(2, random_state=0)]
)
def test_densities_of_any_estimator(model: Any) -> None:
    model = model.fit(X[:, :1])
    display = DensityDisplay.from_estimator(model, X[:, :1], ax=axes())
    place, density = display.lines_[0].get_data()
    np.testing.assert_allclose(density, np.exp(model.score_samples(place[:, None])), rtol=1e-12)
    assert display.lines_[0].get_label() == type(model).__name__


def test_a_rule_finds_the_bandwidth() -> None:
    display = DensityDisplay.from_rows(X[:, 0], bandwidth=SheatherJones(), ax=axes())
    assert 0.05 < display.lines.bandwidth[0] < 1.0


def test_percentiles_step_at_every_value() -> None:
    display = PercentileDisplay.from_rows(HOLED, sample_weight=W, ax=axes())
    seen = np.isfinite(HOLED) & (W > 0)
    x, y = display.lines_[0].get_data()
    values = np.unique(HOLED[seen])
    np.testing.assert_array_equal(x[1:], values)
    copies = np.repeat(HOLED[seen], W[seen].astype(int))
    np.testing.assert_allclose(y[1:], [100.0 * (copies <= v).mean() for v in values], atol=1e-12)
    np.testing.assert_allclose(display.quartiles_[0].get_xdata(), np.quantile(copies, [0.25, 0.5, 0.75]), rtol=1e-12)
    assert display.quartiles_[0].get_ydata().tolist() == [25.0, 50.0, 75.0]
    assert display.means_[0].get_xdata()[0] == pytest.approx(copies.mean(), rel=1e-12)
    assert display.lines_[0].get_drawstyle() == "steps-post"
    assert display.ax_.get_ylim() == (0.0, 102.0)


def test_percentiles_class_by_class() -> None:
    display = PercentileDisplay.from_rows(X[:, 0], Y, plot_quartiles=False, plot_mean=False, ax=axes())
    assert [line.get_label() for line in display.lines_] == ["a", "b", "c"]
    assert [len(line.get_xdata()) - 1 for line in display.lines_] == [(label == Y).sum() for label in "abc"]
    assert display.quartiles_ == display.means_ == []


def test_boxes_are_those_of_matplotlib() -> None:
    display = BoxDisplay.from_rows(X, Y, ax=axes())
    i = 0
    for j in range(3):
        for label in "abc":
            theirs = boxplot_stats(X[label == Y, j])[0]
            box = display.boxes[i]
            assert [box.q1, box.median, box.q3] == pytest.approx([theirs["q1"], theirs["med"], theirs["q3"]], rel=1e-12)
            assert [box.low, box.high] == pytest.approx([theirs["whislo"], theirs["whishi"]], rel=1e-12)
            np.testing.assert_array_equal(box.outside, np.unique(theirs["fliers"]))
            assert display.artists_["medians"][i].get_ydata().tolist() == [box.median] * 2
            i += 1
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["x0", "x1", "x2"]
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["a", "b", "c"]


def test_boxes_lie_down_and_reach_as_far_as_told() -> None:
    display = BoxDisplay.from_rows(X[:, 0], reach=0.0, orientation="horizontal", ax=axes())
    (box,) = display.boxes
    assert (box.low, box.high) == (box.q1, box.q3)
    assert display.ax_.get_xlabel() == "Value"
    assert len(box.outside) > 40


def test_andrews_curves_have_the_colours_of_their_classes() -> None:
    t = np.linspace(-np.pi, np.pi, 31)
    display = AndrewsCurvesDisplay.from_rows(X, Y, points=31, ax=axes())
    for k, label in enumerate("abc"):
        segments = np.stack(display.lines_[k].get_segments())
        np.testing.assert_allclose(segments[:, :, 0], np.broadcast_to(t, segments.shape[:2]), atol=1e-12)
        np.testing.assert_allclose(segments[:, :, 1], andrews_curves(X[label == Y], t), rtol=1e-12)
    assert display.ax_.get_xlim() == (-np.pi, np.pi)
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["a", "b", "c"]


def test_parallel_coordinates_run_over_the_range_of_each_column() -> None:
    table = pd.DataFrame(X, columns=["one", "two", "three"])
    display = ParallelCoordinatesDisplay.from_rows(table, ax=axes())
    segments = np.stack(display.lines_[0].get_segments())
    assert segments[:, :, 0].tolist() == [[0.0, 1.0, 2.0]] * 120
    expected = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    np.testing.assert_allclose(segments[:, :, 1], expected, atol=1e-12)
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["one", "two", "three"]
    assert display.ax_.get_legend() is None
    plain = ParallelCoordinatesDisplay.from_rows(table, Y, scale=False, ax=axes())
    assert len(plain.lines_) == 3
    assert plain.ax_.get_ylabel() == "Value"


def test_a_missing_cell_interrupts_a_line_and_a_constant_column_is_in_the_middle() -> None:
    display = ParallelCoordinatesDisplay.from_rows([[0.0, 7.0, 1.0], [1.0, 7.0, np.nan]], ax=axes())
    assert display.heights[:, 1].tolist() == [0.5, 0.5]
    assert np.isnan(display.heights[1, 2])


def test_rows_among_anchors() -> None:
    display = RadvizDisplay.from_rows(X, Y, ax=axes())
    scaled = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    points = np.concatenate([one.get_offsets() for one in display.rows_])
    expected = np.concatenate([radial_points(scaled[label == Y]) for label in "abc"])
    np.testing.assert_allclose(points, expected, atol=1e-12)
    assert (np.hypot(*points.T) <= 1.0 + 1e-12).all()
    np.testing.assert_allclose(np.hypot(*display.anchors_.get_data()), 1.0, rtol=1e-12)
    assert [text.get_text() for text in display.ax_.texts] == ["x0", "x1", "x2"]


@pytest.mark.parametrize("diagonal", ["histogram", "density"])
def test_every_pair_of_columns(diagonal: str) -> None:
    display = ScatterMatrixDisplay.from_rows(X, Y, diagonal=diagonal)
    assert display.axes_.shape == (3, 3)
    for i in range(3):
        for j in range(3):
            if i == j:
                assert len(display.diagonal_[i]) == 3
                continue
            for k, label in enumerate("abc"):
                np.testing.assert_array_equal(display.points_[i, j][k].get_offsets(), X[label == Y][:, [j, i]])
    assert [display.axes_[2, j].get_xlabel() for j in range(3)] == ["x0", "x1", "x2"]


def test_cells_that_are_not_0() -> None:
    table = (rng.random((20, 9)) < 0.2).astype(float)
    labels = np.array(["b", "a"])[rng.integers(0, 2, 20)]
    for given in (table, sp.csr_array(table), sp.coo_matrix(table)):
        display = SpyDisplay.from_rows(given, ax=axes())
        cells = set(zip(*(side.tolist() for side in display.points_.get_data()), strict=True))
        assert cells == {(j, i) for i, j in np.argwhere(table)}
    display = SpyDisplay.from_rows(table, labels, ax=axes())
    ordered = np.concatenate([table[labels == "a"], table[labels == "b"]])
    cells = set(zip(*(side.tolist() for side in display.points_.get_data()), strict=True))
    assert cells == {(j, i) for i, j in np.argwhere(ordered)}
    assert display.limits_[0].get_ydata()[0] == (labels == "a").sum() - 0.5
    assert [text.get_text().strip() for text in display.ax_.texts] == ["a", "b"]
    assert display.ax_.get_ylim() == (19.5, -0.5)
    assert display.ax_.get_title().startswith(f"{int(table.sum())} cells not 0")


@pytest.mark.parametrize("model", [BernoulliNB(), TheirNB()], ids=lambda m: type(m).__name__)
def test_words_in_each_class(model: Any) -> None:
    table = (rng.random((30, 4)) < 0.4).astype(int)
    model = model.fit(table, ["ham", "spam"] * 15)
    display = WordProfileDisplay.from_estimator(model, names=["w", "x", "y", "z"])
    assert display.axes_.shape == (2, 1)
    for k in range(2):
        np.testing.assert_allclose(
            display.stems_[k].markerline.get_ydata(), np.exp(model.feature_log_prob_[k]), rtol=1e-12
        )
        assert display.axes_[k, 0].get_ylabel() == f"p(x | {['ham', 'spam'][k]})"
    assert [text.get_text() for text in display.axes_[1, 0].get_xticklabels()] == ["w", "x", "y", "z"]
    assert display.axes_[0, 0].get_ylim() == display.axes_[1, 0].get_ylim()
