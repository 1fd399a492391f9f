"""Bad input gets one clear sentence, and leaves no figure behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib.figure import Figure
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import SVC, LinearSVC

from suffice import GaussianMixture, GaussianNB, KernelDensity, Ridge
from suffice.core.errors import SufficeError
from suffice.decision import RocCurve
from suffice.evaluation import (
    SelectionCurve,
    andrews_curves,
    coefficient_path,
    grid_search,
    pair_distances,
    radial_points,
    read_selection,
)
from suffice.families.normals.gaussian import Gaussian
from suffice.plots import (
    AndrewsCurvesDisplay,
    BoxDisplay,
    CoefficientPathDisplay,
    ConfusionDisplay,
    ContourDisplay,
    CoverageDisplay,
    DecisionRegionDisplay,
    DensityDisplay,
    EpochDisplay,
    HiddenOutputDisplay,
    HistogramDisplay,
    MarginPanelDisplay,
    ParallelCoordinatesDisplay,
    PercentileDisplay,
    ProbabilitySurfaceDisplay,
    RadvizDisplay,
    RejectCurveDisplay,
    ReliabilityDisplay,
    RocDisplay,
    ScatterMatrixDisplay,
    SelectionDisplay,
    SpyDisplay,
    UnitGridDisplay,
    WordProfileDisplay,
)
from suffice.plots.numbers.row_curves import scaled_columns

rng = np.random.default_rng(0)
Y = np.array([0, 1] * 10)
X = rng.normal(size=(20, 2)) + Y[:, None]
Y3 = np.arange(20) % 3
NB = GaussianNB().fit(X, Y)
NB3 = GaussianNB().fit(X, Y3)
CURVE = RocCurve.of(X[:, 0], Y)
ONE = Gaussian([0.0], [[1.0]])


def polar() -> Any:
    return Figure().add_subplot(projection="polar")


CASES: list[tuple[str, str, Callable[[], Any]]] = [
    # axes
    ("ax", "None or axes of a plane, got str", lambda: RocDisplay(curve=CURVE).plot("here")),
    ("ax", "None or axes of a plane, got polar axes", lambda: RocDisplay(curve=CURVE).plot(polar())),
    (
        "ax",
        "None or axes of a plane, got 3d axes",
        lambda: BoxDisplay.from_rows(X, ax=Figure().add_subplot(projection="3d")),
    ),
    ("ax", "None or axes in 3-D", lambda: ProbabilitySurfaceDisplay.from_estimator(NB, X, Y, ax=Figure().subplots())),
    ("ax", "None or axes of a plane, got ndarray", lambda: RocDisplay(curve=CURVE).plot(Figure().subplots(2))),
    (
        "ax",
        "4 axes, one for each panel, got 3",
        lambda: MarginPanelDisplay.from_estimator(SVC(), X, Y, ax=Figure().subplots(3)),
    ),
    (
        "ax",
        "2 axes, one for each panel, got 1",
        lambda: HistogramDisplay.from_rows(X, each=True, ax=Figure().subplots()),
    ),
    # two features
    ("X", "a table of 2 features, got 3", lambda: ProbabilitySurfaceDisplay.from_estimator(NB, np.ones((4, 3)))),
    ("X", "a table of 2 features, got 1", lambda: DecisionRegionDisplay.from_estimator(NB, [1.0, 2.0])),
    (
        "X",
        "a table of 2 features, got 3",
        lambda: MarginPanelDisplay.from_estimator(SVC(), np.ones((4, 3)), [0, 1, 0, 1]),
    ),
    ("X", "not sparse", lambda: DecisionRegionDisplay.from_estimator(NB, sp.csr_array(X))),
    ("X", "a table of numbers", lambda: DecisionRegionDisplay.from_estimator(NB, [["a", "b"]])),
    (
        "X",
        "at least one finite number in each column",
        lambda: DecisionRegionDisplay.from_estimator(NB, X * [np.nan, 1]),
    ),
    ("X", "a table with rows and columns", lambda: DecisionRegionDisplay.from_estimator(NB, np.ones((0, 2)))),
    (
        "grid_resolution",
        "a whole number of at least 2, got 1",
        lambda: DecisionRegionDisplay.from_estimator(NB, X, grid_resolution=1),
    ),
    (
        "eps",
        "None or a finite number of at least 0, got -1",
        lambda: ProbabilitySurfaceDisplay.from_estimator(NB, X, eps=-1),
    ),
    ("y", "one label for each of the 20 rows, got 3", lambda: DecisionRegionDisplay.from_estimator(NB, X, [0, 1, 0])),
    ("columns of X", "of one length", lambda: BoxDisplay.from_rows({"a": [1.0, 2.0], "b": [1.0]})),
    # classifiers
    (
        "estimator",
        "a classifier with predict_proba, got LinearSVC",
        lambda: ProbabilitySurfaceDisplay.from_estimator(LinearSVC().fit(X, Y), X),
    ),
    (
        "estimator",
        "a classifier with predict_proba, got LinearSVC",
        lambda: RejectCurveDisplay.from_estimator(LinearSVC().fit(X, Y), X, Y),
    ),
    (
        "estimator",
        "a classifier with predict_proba",
        lambda: DecisionRegionDisplay.from_estimator(LinearSVC().fit(X, Y), X, reject=0.1),
    ),
    (
        "estimator",
        "a classifier that has been fitted, got LogisticRegression",
        lambda: RocDisplay.from_estimator(LogisticRegression(), X, Y),
    ),
    (
        "estimator",
        "a classifier that has been fitted, got LinearRegression",
        lambda: DecisionRegionDisplay.from_estimator(LinearRegression().fit(X, Y), X),
    ),
    ("estimator", "a fitted classifier", lambda: ConfusionDisplay.from_estimator("model", X, Y)),
    (
        "pos_label",
        r"one of the classes \[0, 1\], got 7",
        lambda: ProbabilitySurfaceDisplay.from_estimator(NB, X, pos_label=7),
    ),
    (
        "pos_label",
        r"one of the classes \[0, 1, 2\], where there are not two, got none",
        lambda: ProbabilitySurfaceDisplay.from_estimator(NB3, X),
    ),
    (
        "pos_label",
        r"one of the classes \[0, 1, 2\], where there are not two, got none",
        lambda: RocDisplay.from_estimator(NB3, X, Y3),
    ),
    (
        "pos_label",
        r"one of the classes \[0, 1\], got 'x'",
        lambda: ReliabilityDisplay.from_estimator(NB, X, Y, pos_label="x"),
    ),
    ("pos_label", r"one of the labels \[0, 1\], got 5", lambda: RocDisplay.from_predictions(Y, X[:, 0], pos_label=5)),
    (
        "pos_label",
        r"one of the labels \['a', 'b'\], where they are not 0 and 1, got none",
        lambda: RocDisplay.from_predictions(["a", "b"], [0.1, 0.2]),
    ),
    (
        "response_method",
        "one of auto, predict_proba, decision_function, got 'predict'",
        lambda: RocDisplay.from_estimator(NB, X, Y, response_method="predict"),
    ),
    (
        "estimator",
        "a classifier with decision_function",
        lambda: RocDisplay.from_estimator(NB, X, Y, response_method="decision_function"),
    ),
    (
        "decision values",
        "one for each class",
        lambda: RocDisplay.from_estimator(
            SVC(decision_function_shape="ovo").fit(rng.normal(size=(20, 2)), np.arange(20) % 4), X, Y3, pos_label=1
        ),
    ),
    ("costs", "of shape", lambda: DecisionRegionDisplay.from_estimator(NB, X, costs=np.ones((3, 3)))),
    (
        "draw",
        "False where a decision is asked for",
        lambda: DecisionRegionDisplay.from_estimator(NB, X, draw=True, at_least=0.9),
    ),
    ("codes", "of shape", lambda: DecisionRegionDisplay(x=[0, 1], y=[0, 1], codes=[[0, 1]], classes=("a", "b"))),
    (
        "codes",
        "numbers of the 2 classes",
        lambda: DecisionRegionDisplay(x=[0, 1], y=[0], codes=[[0, 2]], classes=("a", "b")),
    ),
    ("proba", "of shape", lambda: ProbabilitySurfaceDisplay(x=[0, 1], y=[0, 1], proba=[0.1, 0.2])),
    ("hits", "one for each of the points", lambda: ProbabilitySurfaceDisplay(x=[0], y=[0], proba=[[0.5]], points=X)),
    # curves
    (
        "measure",
        "LinearMeasure, InformationGain, or None, got str",
        lambda: RocDisplay(curve=CURVE).plot(measure="accuracy"),
    ),
    ("rows", "those of negatives and positives", lambda: RocDisplay.from_predictions([0, 0], [0.1, 0.2])),
    ("scores", "present in every row", lambda: CoverageDisplay.from_predictions([0, 1], [0.1, np.nan])),
    (
        "weights",
        "finite and at least 0",
        lambda: RocDisplay.from_predictions([0, 1], [0.1, 0.2], sample_weight=[1.0, -1.0]),
    ),
    (
        "normalize",
        "None, 'true', 'pred' or 'all', got 'row'",
        lambda: ConfusionDisplay.from_predictions(Y, Y, normalize="row"),
    ),
    # support vectors
    (
        "estimator",
        "a support vector classifier with parameters C and gamma",
        lambda: MarginPanelDisplay.from_estimator(LogisticRegression(), X, Y),
    ),
    ("y", "labels of two classes, got 3", lambda: MarginPanelDisplay.from_estimator(SVC(), X, Y3)),
    ("C", "numbers above 0, at least one", lambda: MarginPanelDisplay.from_estimator(SVC(), X, Y, C=[0.0])),
    ("gamma", "numbers above 0, at least one", lambda: MarginPanelDisplay.from_estimator(SVC(), X, Y, gamma=[])),
    # ellipses
    (
        "model",
        "fitted, with means and covariances, got LogisticRegression",
        lambda: ContourDisplay.from_estimator(LogisticRegression().fit(X, Y)),
    ),
    ("components", "normal distributions of two columns", lambda: ContourDisplay(components=[ONE])),
    ("columns", "two different numbers from 0 to 1", lambda: ContourDisplay.from_estimator(NB, columns=(0, 2))),
    ("radii", "finite and above 0", lambda: ContourDisplay.from_estimator(NB, radii=[-1.0])),
    (
        "X",
        "a table of 2 features, got 3",
        lambda: ContourDisplay.from_estimator(GaussianMixture(1).fit(X), np.ones((4, 3))),
    ),
    # columns and rows
    ("cuts", "FixedWidth", lambda: HistogramDisplay.from_rows(X, cuts="auto")),
    ("bars", "of at least one column", lambda: HistogramDisplay(bars=[])),
    ("X", "a table of 1 features, got 2", lambda: PercentileDisplay.from_rows(X)),
    ("x", "at least one number that weighs something", lambda: PercentileDisplay.from_rows([np.nan, np.nan])),
    ("values", "different in some rows of column x0", lambda: DensityDisplay.from_rows([1.0, 1.0])),
    (
        "estimator",
        "one with score_samples, got LogisticRegression",
        lambda: DensityDisplay.from_estimator(LogisticRegression(), X[:, 0]),
    ),
    ("X", "a table of 1 features, got 2", lambda: DensityDisplay.from_estimator(KernelDensity().fit(X), X)),
    ("window", "", lambda: DensityDisplay.from_rows(X[:, 0], window="round")),
    ("reach", "a finite number of at least 0", lambda: BoxDisplay.from_rows(X, reach=-1.0)),
    ("orientation", "'vertical' or 'horizontal'", lambda: BoxDisplay.from_rows(X, orientation="up")),
    ("sample_weight", "at least 0", lambda: HistogramDisplay.from_rows(X, sample_weight=[-1.0] * 20)),
    ("t", "a list of angles", lambda: andrews_curves(X, [[0.0]])),
    ("curves", "of shape", lambda: AndrewsCurvesDisplay(t=[0.0, 1.0], curves=[[1.0]])),
    ("heights", "of shape", lambda: ParallelCoordinatesDisplay(heights=X, names=("a",))),
    ("X", "numbers from 0 to 1", lambda: radial_points([[2.0, 0.0, 0.0]])),
    ("X", "of at least three columns, got 2", lambda: RadvizDisplay.from_rows(X)),
    ("points", "of shape", lambda: RadvizDisplay(points=[1.0], names=("a",))),
    ("diagonal", "one of histogram, density, got 'box'", lambda: ScatterMatrixDisplay.from_rows(X, diagonal="box")),
    ("X", "of 2 to 12 columns, got 13", lambda: ScatterMatrixDisplay.from_rows(np.ones((2, 13)))),
    ("y", "one label for each of the 20 rows", lambda: SpyDisplay.from_rows(X, [0, 1])),
    ("estimator", "a naive Bayes classifier of words", lambda: WordProfileDisplay.from_estimator(NB)),
    ("proba", "of shape", lambda: WordProfileDisplay(proba=[[0.5]], classes=("a", "b"))),
    ("names", "one for each of 1 columns", lambda: WordProfileDisplay(proba=[[0.5]], classes=("a",), names=["x", "y"])),
    ("n_rows", "a whole number of at least 2", lambda: pair_distances(X, n_rows=1)),
    ("metric", "one that SciPy's pdist knows", lambda: pair_distances(X, metric="far")),
    ("X", "finite in every cell", lambda: pair_distances([[np.nan], [1.0]])),
    # choices
    ("search", "a search that has been made", lambda: SelectionDisplay.from_search(Ridge())),
    (
        "simplest",
        "None, or one of first, smallest, largest, got 'best'",
        lambda: SelectionDisplay(curve=SelectionCurve.of("a", [1], [[1.0]], larger=True)).plot(simplest="best"),
    ),
    ("end", "one of first", lambda: SelectionCurve.of("a", [1], [[1.0]], larger=True).simplest("best")),
    (
        "scores",
        "a line of folds for each of the 2 values",
        lambda: SelectionCurve.of("a", [1, 2], [[1.0]], larger=True),
    ),
    ("values", "numbers", lambda: SelectionCurve.of("a", ["x"], [[1.0]], larger=True)),
    (
        "parameter",
        "the one parameter that varied",
        lambda: read_selection(grid_search(Ridge(), {"alpha": [1.0, 2.0], "fit_intercept": [True, False]}, X, Y, cv=2)),
    ),
    ("path", "a CoefficientPath, or penalties and coefficients", lambda: CoefficientPathDisplay(path=3)),
    ("path", "penalties", lambda: CoefficientPathDisplay(path=([1.0], [1.0]))),
    ("penalties", "a list of numbers", lambda: coefficient_path(Ridge(), X, Y, [])),
    ("parameter", "one of the estimator's parameters", lambda: coefficient_path(Ridge(), X, Y, [1.0], parameter="C")),
    ("estimator", "a linear model with coef_", lambda: coefficient_path(NB, X, Y, [1.0], parameter="var_smoothing")),
    (
        "target",
        "a number from 0 to 0",
        lambda: CoefficientPathDisplay.from_estimator(
            LogisticRegression(), X, Y, penalties=[1.0], parameter="C", target=3
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{name}" for i, (name, _, _) in enumerate(CASES)])
def test_refused_in_one_sentence(case: tuple[str, str, Callable[[], Any]]) -> None:
    argument, rule, call = case
    with pytest.raises(SufficeError) as caught:
        call()
    message = str(caught.value)
    assert re.search(rule, message), message
    assert argument in message, message
    assert re.match(r"\w+: .+ must .+, (got|but) .+", message), message
    assert "\n" not in message
    assert len(message) < 400
    assert plt.get_fignums() == []


def test_the_cases_are_many_and_different() -> None:
    assert len({(name, rule) for name, rule, _ in CASES}) >= 70


@pytest.mark.parametrize(
    ("display", "given", "rule"),
    [
        (EpochDisplay, (), "net, with loss_curve_"),
        (HiddenOutputDisplay, ([[0.0]],), "net, with hidden_outputs"),
        (UnitGridDisplay, ([[0.0]],), "SelfOrganizingMap, with distance_map"),
    ],
)
def test_a_model_without_what_is_drawn_is_refused(display: Any, given: tuple[Any, ...], rule: str) -> None:
    told = f"{display.__name__}: estimator must be a fitted {rule}, got GaussianNB. "
    with pytest.raises(SufficeError, match=told):
        display.from_estimator(GaussianNB().fit([[0.0], [1.0]], [0, 1]), *given)
    assert not plt.get_fignums()


def test_infinite_cells_are_drawn_like_missing_ones() -> None:
    rows = np.array([[0.0, 1.0], [2.0, np.inf], [1.0, -np.inf], [3.0, 3.0]])
    missing = np.where(np.isfinite(rows), rows, np.nan)
    np.testing.assert_array_equal(scaled_columns(rows), scaled_columns(missing))
    np.testing.assert_array_equal(andrews_curves(rows, [0.0, 1.0]), andrews_curves(missing, [0.0, 1.0]))
    ParallelCoordinatesDisplay.from_rows(rows)
    RadvizDisplay.from_rows(np.column_stack([rows, rows[:, 0]]))
    plt.close("all")


@pytest.mark.parametrize("rows", [np.zeros((0, 3)), sp.csr_array((3, 0))])
def test_a_table_without_cells_has_no_pattern(rows: Any) -> None:
    for y in (None, [0] * rows.shape[0]):
        with pytest.raises(SufficeError, match="SpyDisplay: X must be a table with rows and columns, got shape"):
            SpyDisplay.from_rows(rows, y)
