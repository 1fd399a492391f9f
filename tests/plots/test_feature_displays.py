"""Pictures over two features: surfaces, regions, margins, ellipses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.mixture import GaussianMixture as TheirMixture
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC as TheirSVC

from suffice import (
    SVC,
    Decide,
    GaussianMixture,
    GaussianNB,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
)
from suffice.families.normals.gaussian import Gaussian
from suffice.plots import ContourDisplay, DecisionRegionDisplay, MarginPanelDisplay, ProbabilitySurfaceDisplay
from suffice.plots.palette import REFUSED, colour

rng = np.random.default_rng(3)
Y = rng.integers(0, 2, 80)
X = rng.normal(size=(80, 2)) + 1.2 * Y[:, None]
THREE = rng.integers(0, 3, 90)
X3 = rng.normal(size=(90, 2)) + np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])[THREE]


def flat() -> Any:
    return Figure().subplots()


def solid() -> Any:
    return Figure().add_subplot(projection="3d")


@pytest.mark.parametrize(
    "model", [GaussianNB(), LogisticRegression(), TheirLogistic()], ids=lambda m: type(m).__module__
)
def test_the_surface_has_the_heights_of_the_classifier(model: Any) -> None:
    model = model.fit(X, Y)
    display = ProbabilitySurfaceDisplay.from_estimator(model, X, Y, grid_resolution=9, eps=0.5, ax=solid())
    ends = X.min(axis=0) - 0.5, X.max(axis=0) + 0.5
    x, y = (np.linspace(a, b, 9) for a, b in zip(*ends, strict=True))
    expected = [[model.predict_proba([[a, b]])[0, 1] for a in x] for b in y]
    np.testing.assert_allclose(display.proba, expected, rtol=1e-12)
    p = np.array(expected)
    drawn = np.sort(np.asarray(display.surface_.get_array()))  # the mean height of each facet
    facets = np.sort(((p[:-1, :-1] + p[1:, :-1] + p[:-1, 1:] + p[1:, 1:]) / 4).ravel())
    np.testing.assert_allclose(drawn, facets, rtol=1e-9)
    assert display.ax_.get_zlim() == (0.0, 1.0)


def test_rows_stand_at_height_0_or_1() -> None:
    model = GaussianNB().fit(X, Y)
    display = ProbabilitySurfaceDisplay.from_estimator(model, X, Y, grid_resolution=5, ax=solid())
    for height, points in enumerate(display.rows_):
        x, y, z = points._offsets3d
        np.testing.assert_array_equal(np.column_stack([x, y]), X[height == Y])
        assert set(np.asarray(z).tolist()) == {float(height)}
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["not 1", "1"]


def test_a_surface_of_one_of_three_classes_without_rows() -> None:
    model = GaussianNB().fit(X3, THREE)
    display = ProbabilitySurfaceDisplay.from_estimator(model, X3, pos_label=2, grid_resolution=4, ax=solid())
    assert display.rows_ == []
    corner = model.predict_proba([[display.x[0], display.y[-1]]])[0, 2]
    assert display.proba[-1, 0] == pytest.approx(corner, rel=1e-12)


def test_tables_keep_their_names_and_kind() -> None:
    columns = {"age": X[:, 0], "height": X[:, 1]}
    for table in (pd.DataFrame(columns), pl.DataFrame(columns), columns):
        model = NaiveBayes().fit(table, Y)
        display = DecisionRegionDisplay.from_estimator(model, table, Y, grid_resolution=6, ax=flat())
        assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("age", "height")
        reference = DecisionRegionDisplay.from_estimator(NaiveBayes().fit(X, Y), X, Y, grid_resolution=6, ax=flat())
        np.testing.assert_array_equal(display.codes, reference.codes)
    named = ProbabilitySurfaceDisplay.from_estimator(model, columns, xlabel="years", grid_resolution=3, ax=solid())
    assert (named.ax_.get_xlabel(), named.ax_.get_ylabel()) == ("years", "height")


def test_regions_are_what_is_predicted() -> None:
    labels = np.array(["a", "b", "c"])[THREE]
    model = TheirLogistic().fit(X3, labels)
    display = DecisionRegionDisplay.from_estimator(model, X3, labels, grid_resolution=15, ax=flat())
    cells = np.asarray(display.mesh_.get_array()).reshape(15, 15)
    expected = [[model.predict([[a, b]])[0] for a in display.x] for b in display.y]
    np.testing.assert_array_equal(model.classes_[cells], expected)
    for k, points in enumerate(display.rows_):
        np.testing.assert_array_equal(points.get_offsets(), X3[k == THREE])
        np.testing.assert_allclose(points.get_facecolor()[0], to_rgba(colour(k)))
    assert len(display.frontiers_) == 3
    assert display.ax_.get_xlim() == (display.x[0], display.x[-1])


def test_the_refused_region_of_a_decision() -> None:
    model = GaussianNB().fit(X, Y)
    wishes = {"costs": [[0, 1], [5, 0]], "reject": 0.4, "prior": [0.8, 0.2]}
    display = DecisionRegionDisplay.from_estimator(model, X, Y, grid_resolution=20, ax=flat(), **wishes)
    grid = np.column_stack([side.ravel() for side in np.meshgrid(display.x, display.y)])
    answered = Decide(model, refusal=-1, **wishes).predict(grid).reshape(20, 20)
    np.testing.assert_array_equal(np.where(answered == -1, -1, answered), display.codes)
    assert {-1, 0, 1} == set(display.codes.ravel().tolist())
    np.testing.assert_allclose(display.mesh_.cmap(display.mesh_.norm(-1))[:3], to_rgba(REFUSED)[:3])
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["0", "1", "refused"]


def test_what_decide_refuses_by_itself() -> None:
    model = Decide(GaussianNB(), at_least=0.8, outliers=0.05, refusal="?", unexplained="!").fit(X, Y)
    display = DecisionRegionDisplay.from_estimator(model, X, grid_resolution=12, ax=flat())
    grid = np.column_stack([side.ravel() for side in np.meshgrid(display.x, display.y)])
    refused = np.isin(model.predict(grid), ["?", "!"]).reshape(12, 12)
    np.testing.assert_array_equal(display.codes == -1, refused)
    assert refused.any()


def test_a_class_the_model_has_not_met_is_drawn_too() -> None:
    model = GaussianNB().fit(X, Y)
    labels = np.where(np.arange(80) == 0, 9, Y)
    display = DecisionRegionDisplay.from_estimator(model, X, labels, grid_resolution=4, ax=flat())
    assert [len(points.get_offsets()) for points in display.rows_] == [*np.bincount(labels)[[0, 1]], 1]


def test_drawn_classes_come_as_often_as_they_are_probable() -> None:
    model = KNeighborsClassifier(4).fit(X, Y)
    display = DecisionRegionDisplay.from_estimator(
        model, X, Y, draw=True, random_state=0, grid_resolution=60, ax=flat()
    )
    grid = np.column_stack([side.ravel() for side in np.meshgrid(display.x, display.y)])
    p = model.predict_proba(grid)[:, 1].reshape(60, 60)
    for level in (0.25, 0.5, 0.75):
        here = p == level
        share, n = display.codes[here].mean(), here.sum()
        assert abs(share - level) < 4 * np.sqrt(level * (1 - level) / n)
    assert (display.codes[p == 0.0] == 0).all()
    assert (display.codes[p == 1.0] == 1).all()
    again = DecisionRegionDisplay.from_estimator(model, X, Y, draw=True, random_state=0, grid_resolution=60, ax=flat())
    np.testing.assert_array_equal(again.codes, display.codes)


def test_features_far_from_0_and_columns_that_do_not_vary() -> None:
    far = X + np.array([1e8, -1e8])
    model = GaussianNB().fit(far, Y)
    display = DecisionRegionDisplay.from_estimator(model, far, Y, grid_resolution=5, ax=flat())
    assert display.x[0] < far[:, 0].min() < far[:, 0].max() < display.x[-1]
    still = np.column_stack([X[:, 0], np.full(80, 7.0)])
    display = DecisionRegionDisplay.from_estimator(
        TheirLogistic().fit(still, Y), still, Y, grid_resolution=5, ax=flat()
    )
    assert (display.y[0], display.y[-1]) == (6.0, 8.0)


@pytest.mark.parametrize("machine", [TheirSVC(), SVC()], ids=["theirs", "ours"])
def test_margin_panels(machine: Any) -> None:
    display = MarginPanelDisplay.from_estimator(machine, X, Y, grid_resolution=30)
    assert display.axes_.shape == (2, 2)
    places = [(C, gamma) for C in (1.0, 1000.0) for gamma in (0.01, 2.0)]
    sign = np.where(Y == 1, 1.0, -1.0)
    for i, (C, gamma) in enumerate(places):
        ax = display.axes_.ravel()[i]
        model = TheirSVC(C=C, gamma=gamma).fit(X, Y)
        panel = display.panels[i // 2][i % 2]
        grid = np.column_stack([side.ravel() for side in np.meshgrid(display.x, display.y)])
        np.testing.assert_allclose(
            panel.values.ravel(), model.decision_function(grid), atol=0.02 * max(1.0, np.abs(panel.values).max())
        )
        inside = int((sign * model.decision_function(X) < 0.99).sum())
        assert panel.margins.inside == pytest.approx(inside, abs=2)
        rings = np.asarray(display.support_vectors_[i].get_offsets())
        assert len(rings) == pytest.approx(len(model.support_), abs=2)
        assert {tuple(row) for row in rings} <= {tuple(row) for row in X}
        told = f"{len(rings)} support vectors, {panel.margins.inside} rows inside the margin"
        assert ax.get_title() == f"C = {C:g}, gamma = {gamma:g}\n{told}"
        lines = display.frontiers_[i]
        assert set(lines.levels) <= {-1.0, 0.0, 1.0}
        for level, paths in zip(lines.levels, lines.allsegs, strict=True):
            points = np.concatenate(paths)
            step = np.hypot(np.diff(display.x[:2]), np.diff(display.y[:2]))[0]
            slope = np.abs(np.gradient(panel.values, display.y, display.x)).max()
            assert np.abs(model.decision_function(points) - level).max() <= step * slope + 0.05
    small, large = (display.panels[i][0].margins.inside for i in (0, 1))
    assert small > large  # a small C is simpler and leaves more rows inside the margin


def test_margin_panels_of_named_classes() -> None:
    labels = np.array(["no", "yes"])[Y]
    display = MarginPanelDisplay.from_estimator(TheirSVC(), X, labels, C=1, gamma=0.5, grid_resolution=5, ax=flat())
    texts = [text.get_text() for text in display.axes_[0, 0].get_legend().get_texts()]
    assert texts == ["no", "yes", "support vector"]


MODELS = [
    *(GaussianMixture(2, covariance_type=kind, random_state=0) for kind in ("full", "tied", "diag", "spherical")),
    *(TheirMixture(2, covariance_type=kind, random_state=0) for kind in ("full", "tied", "diag", "spherical")),
    GaussianNB(),
    LinearDiscriminantAnalysis(store_covariance=True),
    TheirLDA(store_covariance=True),
    QuadraticDiscriminantAnalysis(store_covariance=True),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: f"{type(m).__module__}-{getattr(m, 'covariance_type', '')}")
def test_ellipses_are_one_standard_deviation_from_the_mean(model: Any) -> None:
    model = model.fit(X, Y)
    display = ContourDisplay.from_estimator(model, X, radii=[1.0, 2.0], ax=flat())
    means = model.theta_ if hasattr(model, "theta_") else model.means_
    assert len(display.ellipses_) == 4
    for k in range(2):
        C = covariance(model, k)
        for i, radius in enumerate((1.0, 2.0)):
            points = np.column_stack(display.ellipses_[2 * k + i].get_data()) - means[k]
            distance = np.sqrt(np.einsum("ni,ij,nj->n", points, np.linalg.inv(C), points))
            np.testing.assert_allclose(distance, radius, rtol=1e-8)
        assert tuple(np.ravel(display.centres_[k].get_data())) == pytest.approx(tuple(means[k]))
    assert len(display.rows_.get_offsets()) == len(X)


def covariance(model: Any, k: int) -> np.ndarray:
    """Of component k, read in another way than the display does."""
    if hasattr(model, "theta_"):
        return np.diag(model.var_[k])
    if hasattr(model, "covariance_"):
        return np.asarray(model.covariance_[k] if isinstance(model.covariance_, list) else model.covariance_)
    C, kind = model.covariances_, model.covariance_type
    return np.asarray(
        {"full": lambda: C[k], "tied": lambda: C, "diag": lambda: np.diag(C[k]), "spherical": lambda: C[k] * np.eye(2)}[
            kind
        ]()
    )


def test_two_columns_of_more_are_a_marginal() -> None:
    wide = np.column_stack([X, rng.normal(size=80)])
    model = GaussianMixture(1, random_state=0).fit(wide)
    display = ContourDisplay.from_estimator(model, wide, columns=(2, 0), ax=flat())
    one = Gaussian(model.means_[0], model.covariances_[0]).marginal([2, 0])
    np.testing.assert_allclose(one.distance(np.column_stack(display.ellipses_[0].get_data())), 1.0, rtol=1e-9)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("x2", "x0")
    np.testing.assert_array_equal(display.rows_.get_offsets(), wide[:, [2, 0]])


def test_classes_are_named() -> None:
    display = ContourDisplay.from_estimator(GaussianNB().fit(X, np.array(["no", "yes"])[Y]), ax=flat())
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["no", "yes"]
    assert display.rows_ is None
