"""Rows of the sources that ask for pictures: the numbers that are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import suffice
from suffice import BernoulliNB, CoverageCurve, PolynomialRegression
from suffice.decision import InformationGain
from suffice.evaluation import andrews_curves, pair_distances, radial_points
from suffice.families import EqualWidth, FixedWidth
from suffice.plots import (
    AndrewsCurvesDisplay,
    BoxDisplay,
    CalibrationMapDisplay,
    CoverageDisplay,
    DecisionRegionDisplay,
    HistogramDisplay,
    MarginPanelDisplay,
    ParallelCoordinatesDisplay,
    PercentileDisplay,
    ProbabilitySurfaceDisplay,
    RadvizDisplay,
    ScatterMatrixDisplay,
    SelectionDisplay,
    SpyDisplay,
    WordProfileDisplay,
)

IRIS, SPECIES = load_iris(return_X_y=True)
MACHINES = [SVC(), suffice.SVC()]


def axes(*shape: int) -> Any:
    return Figure().subplots(*shape)


def test_close_rows_are_close_curves() -> None:
    """C.R34, C.M15.06: the integral of the squared gap over (-pi, pi) is pi times the squared distance: 87.7447."""
    t = np.linspace(-np.pi, np.pi, 256, endpoint=False)  # sums of sines over full turns are exact
    one, other = andrews_curves(IRIS[[0, 100]], t)
    integral = float(((one - other) ** 2).sum() * 2.0 * np.pi / len(t))
    squared = float(((IRIS[0] - IRIS[100]) ** 2).sum())
    assert integral == pytest.approx(np.pi * squared, rel=1e-12)
    assert round(integral, 4) == 87.7447
    x = IRIS[0]
    expected = x[0] / np.sqrt(2) + x[1] * np.sin(t) + x[2] * np.cos(t) + x[3] * np.sin(2 * t)
    np.testing.assert_allclose(one, expected, atol=1e-12)
    display = AndrewsCurvesDisplay.from_rows(IRIS, SPECIES, ax=axes())
    assert [len(lines.get_segments()) for lines in display.lines_] == [50, 50, 50]


def test_rows_between_anchors() -> None:
    """C.R50, C.M15.07: (1, 0, 0, 0) is at its anchor (1, 0), a balanced row in the centre; all zeros too."""
    points = radial_points([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]])
    np.testing.assert_allclose(points, [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], atol=1e-15)
    display = RadvizDisplay.from_rows(IRIS, SPECIES, ax=axes())
    angles = np.arctan2(*display.anchors_.get_data()[::-1]) % (2 * np.pi)
    np.testing.assert_allclose(angles, 2 * np.pi * np.arange(4) / 4, atol=1e-12)


def test_overlaid_and_single_histograms() -> None:
    """C.M15.01, C.M15.02: all features in one chart with 15 bins and opacity 0.5; one chart for each feature."""
    together = HistogramDisplay.from_rows(IRIS, cuts=EqualWidth(15), density=False, ax=axes())
    alone = HistogramDisplay.from_rows(IRIS, cuts=EqualWidth(15), density=False, each=True, ax=axes(4))
    for j in range(4):
        counts, edges = np.histogram(IRIS[:, j], bins=15)
        for display in (together, alone):
            drawn = display.stairs_[j].get_data()
            assert drawn.values.sum() == 150
            np.testing.assert_allclose(drawn.edges, edges, rtol=1e-12)
            assert np.abs(np.asarray(drawn.values) - counts).sum() <= 10  # values on an edge, rounded the other way
    assert {stairs.get_alpha() for stairs in together.stairs_} == {0.5}
    assert together.ax_.get_xlabel() == "value"
    assert [len(ax.patches) for ax in alone.ax_.ravel()] == [1, 1, 1, 1]


def test_box_plot() -> None:
    """C.M15.03: box at the 25 % and 75 % points, line at the median, whiskers at most 1.5 box lengths beyond."""
    display = BoxDisplay.from_rows(IRIS, ax=axes())
    for j, box in enumerate(display.boxes):
        x = IRIS[:, j]
        assert [box.q1, box.median, box.q3] == pytest.approx(np.quantile(x, [0.25, 0.5, 0.75]), rel=1e-12)
        length = box.q3 - box.q1
        inside = (x >= box.q1 - 1.5 * length) & (x <= box.q3 + 1.5 * length)
        assert (box.low, box.high) == (x[inside].min(), x[inside].max())
        assert sorted(box.outside) == sorted(set(x[~inside]))
    assert display.boxes[1].outside.tolist() == [2.0, 4.1, 4.2, 4.4]


def test_scatter_matrix() -> None:
    """C.M15.04: every pair of features, with a histogram or a density on the diagonal."""
    for diagonal, artist in (("histogram", "StepPatch"), ("density", "Line2D")):
        display = ScatterMatrixDisplay.from_rows(IRIS, SPECIES, diagonal=diagonal, ax=axes(4, 4))
        assert {type(one).__name__ for column in display.diagonal_ for one in column} == {artist}
        np.testing.assert_array_equal(display.points_[3, 1][2].get_offsets(), IRIS[SPECIES == 2][:, [1, 3]])


def test_parallel_coordinates() -> None:
    """C.M15.05: parallel coordinates, with and without class colours."""
    plain = ParallelCoordinatesDisplay.from_rows(IRIS, scale=False, ax=axes())
    coloured = ParallelCoordinatesDisplay.from_rows(IRIS, SPECIES, scale=False, ax=axes())
    np.testing.assert_array_equal(np.stack(plain.lines_[0].get_segments())[:, :, 1], IRIS)
    assert len({tuple(lines.get_colors()[0][:3]) for lines in coloured.lines_}) == 3


def test_the_surface_of_a_probability() -> None:
    """C.M05.03: the surface of predicted probability over two features, rows at height 0 or 1."""
    rows = SPECIES > 0
    X, y = IRIS[rows][:, 2:], SPECIES[rows]
    model = LogisticRegression().fit(X, y)
    ax = Figure().add_subplot(projection="3d")
    display = ProbabilitySurfaceDisplay.from_estimator(model, X, y, grid_resolution=10, ax=ax)
    across, up = np.meshgrid(display.x, display.y)
    z = model.intercept_[0] + model.coef_[0, 0] * across + model.coef_[0, 1] * up
    np.testing.assert_allclose(display.proba, 1.0 / (1.0 + np.exp(-z)), rtol=1e-10)
    assert [(len(one._offsets3d[2]), set(np.asarray(one._offsets3d[2]))) for one in display.rows_] == [
        (50, {0.0}),
        (50, {1.0}),
    ]


@pytest.mark.parametrize("k", [1, 3, 7])
def test_regions_of_nearest_neighbours(k: int) -> None:
    """C.M06.02: 1-NN gives a Voronoi tessellation; for all k the frontiers are pieces of bisectors of two rows."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)), np.arange(12) % 3
    model = KNeighborsClassifier(k).fit(X, y)
    display = DecisionRegionDisplay.from_estimator(model, X, y, grid_resolution=80, ax=axes())
    grid = np.stack(np.meshgrid(display.x, display.y), axis=-1)
    order = np.argsort(np.linalg.norm(grid[:, :, None] - X, axis=-1), axis=-1)
    if k == 1:
        np.testing.assert_array_equal(display.codes, y[order[:, :, 0]])
    near = np.sort(order[:, :, :k], axis=-1)  # which rows are near changes only at a bisector of two of them
    changes = display.codes[:, 1:] != display.codes[:, :-1]
    assert changes.any()
    assert (near[:, 1:] != near[:, :-1]).any(axis=-1)[changes].all()


def test_a_class_drawn_for_every_pixel() -> None:
    """G.G111: for each pixel the class of one of its k neighbours, drawn at random."""
    model = KNeighborsClassifier(5).fit(IRIS[:, :2], SPECIES)
    options: dict[str, Any] = {"draw": True, "grid_resolution": 40, "random_state": 1}
    display = DecisionRegionDisplay.from_estimator(model, IRIS[:, :2], SPECIES, ax=axes(), **options)
    points = np.column_stack([side.ravel() for side in np.meshgrid(display.x, display.y)])
    neighbours = SPECIES[model.kneighbors(points, return_distance=False)]
    assert (neighbours == display.codes.ravel()[:, None]).any(axis=1).all()
    shares = model.predict_proba(points)
    drawn = np.eye(3)[display.codes.ravel()]
    assert np.abs((drawn - shares).mean(axis=0)).max() < 4 * 0.5 / np.sqrt(len(points))


@pytest.mark.parametrize("machine", MACHINES, ids=["scikit-learn", "ours"])
def test_panels_of_c_by_gamma(machine: Any) -> None:
    """C.M10.08: C 1 and 1000 by gamma 0.01 and 2, support vectors ringed; a small C has more rows inside the margin."""
    rng = np.random.default_rng(4)
    y = np.array([0, 1] * 20)
    X = rng.normal(size=(40, 2)) * 0.6 + np.where(y[:, None] == 1, [1.2, 0.8], [-1.0, -1.0])
    display = MarginPanelDisplay.from_estimator(machine, X, y, grid_resolution=20, ax=axes(2, 2))
    assert [[(panel.C, panel.gamma) for panel in row] for row in display.panels] == [
        [(1.0, 0.01), (1.0, 2.0)],
        [(1000.0, 0.01), (1000.0, 2.0)],
    ]
    inside = np.array([[panel.margins.inside for panel in row] for row in display.panels])
    assert (inside[0] > inside[1]).all()
    assert inside[1].tolist() == [0, 0]  # at C = 1000 no row is inside the margin
    for rings, panel in zip(display.support_vectors_, [p for row in display.panels for p in row], strict=True):
        np.testing.assert_array_equal(rings.get_offsets(), X[panel.model.support_])


def test_the_complexity_curve_underfits_and_overfits() -> None:
    """C.M03.04: training and test error against the degree; the first only falls, the second falls and rises again."""
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(-1.0, 1.0, 35))[:, None]
    y = np.sin(3.0 * x[:, 0]) + rng.normal(0.0, 0.3, 35)
    degrees = np.arange(1, 12)
    display = SelectionDisplay.from_estimator(
        PolynomialRegression(), x, y, param_name="degree", param_range=degrees, ax=axes()
    )
    (place, test), (_, training) = display.line_.get_data(), display.train_line_.get_data()
    np.testing.assert_array_equal(place, degrees)
    assert training[-1] < training[0]
    best = int(np.argmin(test))
    assert 0 < best < len(degrees) - 1
    assert test[0] > test[best] < test[-1]
    assert test[-1] > 2.0 * training[-1]  # overfits on the right


def test_percentile_plot() -> None:
    """P.M103: values across, percentage up, P(X <= x), with quartiles and mean marked; the mean is of the raw data."""
    x = np.concatenate([np.arange(1.0, 100.0), [1000.0]])
    display = PercentileDisplay.from_rows(x, ax=axes())
    place, percent = display.lines_[0].get_data()
    np.testing.assert_allclose(percent[1:], np.arange(1, 101), atol=1e-12)
    np.testing.assert_array_equal(place[1:], x)
    np.testing.assert_allclose(display.quartiles_[0].get_xdata(), np.quantile(x, [0.25, 0.5, 0.75]))
    assert display.means_[0].get_xdata()[0] == pytest.approx(x.mean(), rel=1e-12)
    assert display.means_[0].get_ydata()[0] == 59.0  # at 59.5, far above the median: it cannot be read from the curve


def test_histogram_with_fixed_width() -> None:
    """P.M104: bins of a fixed width, and the modal bin."""
    x = [100.0, 1900.0, 1999.0, 2000.0, 2500.0, 3500.0, 9000.0]
    display = HistogramDisplay.from_rows(x, cuts=FixedWidth(2000.0), density=False, plot_modal=True, ax=axes())
    drawn = display.stairs_[0].get_data()
    assert drawn.edges.tolist() == [0.0, 2000.0, 4000.0, 8000.0, 10000.0]  # empty bins side by side are one stretch
    assert drawn.values.tolist() == [3.0, 3.0, 0.0, 1.0]
    assert display.bars[0].modal() == (0.0, 2000.0)
    assert display.modal_[0].get_label() == "modal bin 0 to 2000"


def test_coverage_curve_with_splits_hull_and_isometrics() -> None:
    """P.M126, P.M127: candidate thresholds are the hull's vertices; through each split an isometric of the gain."""
    x = np.array([9.0, 8.0, 8.0, 7.0, 6.0, 5.0, 4.0, 4.0, 3.0, 2.0, 1.0])
    y = np.array([1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0])
    gain = InformationGain((6 / 11, 5 / 11))
    curve = CoverageCurve.of(x, y)
    values = gain.value(curve.negatives / 6, curve.positives / 5)
    best = float(curve.thresholds[int(values.argmax())])
    assert best in curve.hull().thresholds  # the best of all splits is a vertex
    splits = [best, float(x.mean()), float(np.median(x))]
    display = CoverageDisplay.from_predictions(y, x, plot_hull=True, measure=gain, thresholds=splits, ax=axes())
    across, up = display.line_.get_data()
    assert (across[2] - across[1], up[2] - up[1]) == (1.0, 1.0)  # ties are a diagonal
    np.testing.assert_array_equal(display.hull_.get_data(), (curve.hull().negatives, curve.hull().positives))
    for t, point, line in zip(splits, display.points_, display.isometrics_, strict=True):
        place = ((y == 0) & (x >= t)).sum(), ((y == 1) & (x >= t)).sum()
        assert (point.get_xdata()[0], point.get_ydata()[0]) == pytest.approx(place, abs=1e-12)
        a, b = line.get_data()
        here = np.isfinite(b)
        level = gain.value(place[0] / 6, place[1] / 5)
        np.testing.assert_allclose(gain.value(a[here] / 6, b[here] / 5), level, atol=1e-9)


def test_the_lower_hull_where_low_values_are_for_the_positives() -> None:
    """P.M126: the lower hull has the candidate thresholds when low values favour the positives."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    x = rng.normal(size=60) - y
    curve, gain = CoverageCurve.of(x, y), InformationGain(((y == 0).mean(), (y == 1).mean()))
    values = gain.value(curve.negatives / curve.totals[0], curve.positives / curve.totals[1])
    assert curve.thresholds[int(values.argmax())] in curve.lower_hull().thresholds
    display = CoverageDisplay.from_predictions(y, x, plot_lower_hull=True, ax=axes())
    np.testing.assert_array_equal(display.lower_hull_.get_xdata(), curve.lower_hull().negatives)


def test_the_calibration_map_beside_the_curve() -> None:
    """P.M153: the twenty weights of P.W84: the ROC curve with its hull, and a step of the map for each segment."""
    weight = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
    diabetes = [1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    display = CalibrationMapDisplay.from_predictions(diabetes, weight, ax=axes(1, 2))
    hull = display.roc_.hull_.get_data()
    up, across = np.diff(hull[1]) * 10, np.diff(hull[0]) * 10
    levels = np.unique(np.asarray(display.line_.get_ydata()).round(12))
    np.testing.assert_allclose(levels, np.sort(up / (up + across)), atol=1e-12)
    np.testing.assert_allclose(levels, [0.0, 1 / 3, 2 / 5, 1 / 2, 2 / 3, 1.0], atol=1e-12)


def test_words_of_documents() -> None:
    """P.M207: a spy plot of a document-word matrix, and p(x_i = 1 | c) as stems for each class."""
    documents = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    labels = ["a", "a", "b"]
    spy = SpyDisplay.from_rows(documents, labels, ax=axes())
    assert sorted(zip(*(side.tolist() for side in spy.points_.get_data()), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 1),
        (2, 0),
        (2, 2),
        (3, 2),
    ]
    profile = WordProfileDisplay.from_estimator(BernoulliNB(alpha=1.0).fit(documents, labels), ax=axes(2))
    np.testing.assert_allclose(profile.stems_[0].markerline.get_ydata(), [3 / 4, 2 / 4, 2 / 4, 1 / 4], rtol=1e-12)
    np.testing.assert_allclose(profile.stems_[1].markerline.get_ydata(), [1 / 3, 1 / 3, 2 / 3, 2 / 3], rtol=1e-12)


def test_a_spike_in_the_distances_of_all_pairs() -> None:
    """G.G109: some points are drawn and the distances of all pairs shown; in many dimensions they are nearly equal."""
    rng = np.random.default_rng(0)
    width = []
    for d in (2, 1000):
        distances = pair_distances(rng.normal(size=(300, d)), n_rows=100, random_state=0)
        assert len(distances) == 100 * 99 // 2
        display = HistogramDisplay.from_rows(distances / distances.mean(), cuts=FixedWidth(0.1), ax=axes())
        assert np.asarray(display.stairs_[0].get_data().values).max() > 0
        width.append((display.bars[0].weight > 0).sum())
    assert width[1] <= 3 < 15 <= width[0]
