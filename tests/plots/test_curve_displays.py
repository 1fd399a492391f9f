"""Pictures of scores: what is drawn are the numbers of the curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn import metrics
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.svm import SVC as TheirSVC

from suffice import Decide, GaussianNB, RocCurve
from suffice.decision import CostCurve, InformationGain, LinearMeasure, RejectCurve, rank_scores
from suffice.evaluation import Reliability
from suffice.plots import (
    CalibrationMapDisplay,
    ConfusionDisplay,
    CostCurveDisplay,
    CoverageDisplay,
    PrecisionRecallDisplay,
    RejectCurveDisplay,
    ReliabilityDisplay,
    RocDisplay,
)

rng = np.random.default_rng(7)
Y = rng.integers(0, 3, 300)
X = rng.normal(size=(300, 2)) + Y[:, None] * [1.0, 0.5]
NAMES = np.array(["cold", "flu", "lungs"])
TWO = Y < 2
W = rng.integers(0, 4, 300).astype(float)


def axes(**options: Any) -> Any:
    return Figure().subplots(**options)


def data(line: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


@pytest.mark.parametrize("model", [GaussianNB(), TheirLogistic(), TheirSVC()], ids=lambda m: type(m).__name__)
def test_roc_curves_are_those_of_scikit_learn(model: Any) -> None:
    labels = NAMES[Y[TWO]]
    model = model.fit(X[TWO], labels)
    w = W[TWO]
    ours = RocDisplay.from_estimator(model, X[TWO], labels, sample_weight=w, drop_intermediate=False, ax=axes())
    theirs = metrics.RocCurveDisplay.from_estimator(model, X[TWO], labels, sample_weight=w, ax=axes())
    fpr, tpr = data(ours.line_)
    every = metrics.roc_curve(labels == "flu", _scores(model, X[TWO]), sample_weight=w, drop_intermediate=False)
    points = [np.unique(np.column_stack(side).round(12), axis=0) for side in ((fpr, tpr), every[:2])]
    np.testing.assert_allclose(*points, atol=1e-12)
    assert ours.roc_auc == pytest.approx(theirs.roc_auc, abs=1e-12)
    assert ours.line_.get_label() == f"{type(model).__name__} (AUC = {theirs.roc_auc:.2f})"
    assert ours.ax_.get_xlabel() == "False positive rate (positive: flu)"


def _scores(model: Any, rows: np.ndarray) -> np.ndarray:
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(rows))[:, 1]
    return np.asarray(model.decision_function(rows))


def test_one_class_against_the_rest() -> None:
    model = GaussianNB().fit(X, NAMES[Y])
    display = RocDisplay.from_estimator(model, X, NAMES[Y], pos_label="lungs", ax=axes(), name="mine")
    expected = metrics.roc_auc_score(Y == 2, model.predict_proba(X)[:, 2])
    assert display.roc_auc == pytest.approx(expected, abs=1e-12)
    assert display.line_.get_label() == f"mine (AUC = {expected:.2f})"


def test_hull_chance_and_the_best_point_with_its_isometric() -> None:
    score, hit = X[TWO, 0], Y[TWO]
    curve = RocCurve.of(score, hit)
    measure = LinearMeasure.expected_cost([0.3, 0.7], [[0, 1], [4, 0]])
    display = RocDisplay.from_predictions(
        hit, score, plot_hull=True, plot_chance_level=True, measure=measure, ax=axes()
    )
    hull = curve.hull()
    np.testing.assert_array_equal(data(display.hull_), (hull.fpr, hull.tpr))
    np.testing.assert_array_equal(data(display.chance_level_), ([0, 1], [0, 1]))
    best = curve.best(measure)
    (point,), (line,) = display.points_, display.isometrics_
    assert (point.get_xdata()[0], point.get_ydata()[0]) == (best.fpr, best.tpr)
    fpr, tpr = data(line)
    drawn = np.isfinite(tpr)
    np.testing.assert_allclose(measure.value(fpr[drawn], tpr[drawn]), best.value, atol=1e-12)
    assert point.get_label() == f"threshold {best.threshold:.4g} (value {best.value:.4g})"
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[1:] == ["convex hull", "chance (AUC = 0.5)", point.get_label()]


def test_curves_of_shards_add() -> None:
    score, hit = X[TWO, 0], Y[TWO]
    half = len(score) // 2
    rankings = rank_scores(score[:half], hit[:half]) + rank_scores(score[half:], hit[half:])
    display = RocDisplay(curve=RocCurve.from_rankings(rankings)).plot(axes())
    np.testing.assert_array_equal(data(display.line_), data(RocDisplay.from_predictions(hit, score, ax=axes()).line_))


def test_coverage_counts_rows_and_information_gain_bends() -> None:
    score, hit = X[TWO, 0], Y[TWO]
    n, p = (hit == 0).sum(), (hit == 1).sum()
    gain = InformationGain((n / (n + p), p / (n + p)))
    splits = [0.0, 1.0, 40.0]
    display = CoverageDisplay.from_predictions(
        hit,
        score,
        measure=gain,
        thresholds=splits,
        plot_hull=True,
        plot_lower_hull=True,
        plot_chance_level=True,
        ax=axes(),
    )
    across, up = data(display.line_)
    assert (across[-1], up[-1]) == (n, p)
    for t, point, line in zip(splits, display.points_, display.isometrics_, strict=True):
        place = (score[hit == 0] >= t).sum(), (score[hit == 1] >= t).sum()
        assert (point.get_xdata()[0], point.get_ydata()[0]) == pytest.approx(place, abs=1e-9)
        x, y = data(line)
        drawn = np.isfinite(y)
        expected = float(gain.value(place[0] / n, place[1] / p))
        np.testing.assert_allclose(gain.value(x[drawn] / n, y[drawn] / p), expected, atol=1e-9)
    upper, lower = data(display.hull_), data(display.lower_hull_)
    assert (np.interp(across, *upper) >= up - 1e-9).all()
    assert (np.interp(across, *lower) <= up + 1e-9).all()
    assert display.chance_level_.get_xdata()[-1] == n


def test_isometrics_below_the_diagonal_stay_there() -> None:
    display = CoverageDisplay.from_predictions(
        [0, 0, 1, 1], [4.0, 3.0, 2.0, 1.0], measure=InformationGain((0.5, 0.5)), thresholds=[3.5], ax=axes()
    )
    x, y = data(display.isometrics_[0])
    drawn = np.isfinite(y)
    assert drawn.any()
    assert (y[drawn] <= x[drawn] + 1e-12).all()


def test_a_coverage_curve_of_one_class() -> None:
    display = CoverageDisplay.from_predictions([0, 0], [1.0, 2.0], ax=axes())
    assert [side.tolist() for side in data(display.line_)] == [[0.0, 2.0], [0.0, 0.0]]
    assert display.ax_.get_ylim() == (-0.01, 1.01)


def test_the_area_under_the_drawn_steps_is_the_average_precision() -> None:
    score, hit = X[TWO, 0].round(1), Y[TWO]
    display = PrecisionRecallDisplay.from_predictions(hit, score, plot_chance_level=True, beta=2, ax=axes())
    recall, precision = data(display.line_)
    assert display.line_.get_drawstyle() == "steps-pre"
    area = float(np.diff(recall) @ precision[1:])
    assert area == pytest.approx(metrics.average_precision_score(hit, score), abs=1e-12)
    assert display.line_.get_label() == f"AP = {area:.2f}"
    assert display.chance_level_.get_ydata()[0] == hit.mean()
    r, p = display.best_.get_xdata()[0], display.best_.get_ydata()[0]
    f2 = 5 * precision * recall / np.maximum(4 * precision + recall, 1e-300)
    assert 5 * p * r / (4 * p + r) == pytest.approx(f2.max(), abs=1e-12)


def test_the_cost_curve_is_the_lower_envelope_of_the_drawn_lines() -> None:
    score, hit = X[TWO, 0], Y[TWO]
    display = CostCurveDisplay.from_predictions(hit, score, probability_cost=0.3, ax=axes())
    curve = RocCurve.of(score, hit)
    x = np.linspace(0, 1, 101)
    every = np.stack([x * (1 - t) + (1 - x) * f for f, t in zip(curve.fpr, curve.tpr, strict=True)])
    np.testing.assert_allclose(np.interp(x, *data(display.line_)), every.min(axis=0), atol=1e-12)
    ends = [line.get_ydata() for line in (*display.trivial_, *display.thresholds_)]
    lines = np.stack([(1 - x) * a + x * b for a, b in ends])
    np.testing.assert_allclose(lines.min(axis=0), every.min(axis=0), atol=1e-12)
    assert display.point_.get_ydata()[0] == float(CostCurve.of(curve).at(0.3))


def test_reject_curves() -> None:
    model = GaussianNB().fit(X, NAMES[Y])
    display = RejectCurveDisplay.from_estimator(model, X, NAMES[Y], accuracy=0.9, ax=axes())
    curve = RejectCurve.of(model.predict_proba(X), NAMES[Y], classes=model.classes_)
    np.testing.assert_array_equal(data(display.line_), (curve.answered, curve.accuracy))
    found = curve.for_accuracy(0.9)
    assert (display.point_.get_xdata()[0], display.point_.get_ydata()[0]) == (found.answered, found.accuracy)
    never = RejectCurveDisplay.from_predictions([0, 1], [[0.1, 0.9], [0.9, 0.1]], accuracy=0.5, ax=axes())
    assert never.point_ is None


def test_reliability_with_its_bands_and_rows() -> None:
    model = TheirLogistic().fit(X[TWO], Y[TWO])
    display = ReliabilityDisplay.from_estimator(model, X[TWO], Y[TWO], bins=6, ax=axes())
    p = model.predict_proba(X[TWO])[:, 1]
    table = Reliability.of(Y[TWO], p, bins=6)
    full = table.weight > 0
    np.testing.assert_allclose(data(display.line_), (table.predicted[full], table.observed[full]), atol=1e-15)
    segments = display.bands_.lines[2][0].get_segments()
    np.testing.assert_allclose([s[:, 1] for s in segments], np.column_stack([table.low, table.high])[full], atol=1e-12)
    heights = np.array([bar.get_height() for bar in display.bars_])
    np.testing.assert_allclose(heights / heights.max(), table.weight / table.weight.max(), atol=1e-15)
    assert display.pos_label == 1
    assert display.ax_.get_xlabel() == "Mean predicted probability of 1"


def test_reliability_of_the_most_probable_of_many_classes() -> None:
    model = GaussianNB().fit(X, NAMES[Y])
    display = ReliabilityDisplay.from_estimator(model, X, NAMES[Y], bins=5, plot_rows=False, ref_line=False, ax=axes())
    proba = model.predict_proba(X)
    sure, right = proba.max(axis=1), model.predict(X) == NAMES[Y]
    inside = [(sure >= a) & (sure < b) for a, b in zip(np.arange(5) / 5, [*(np.arange(1, 5) / 5), 1.1], strict=True)]
    expected = [right[one].mean() for one in inside if one.any()]
    np.testing.assert_allclose(data(display.line_)[1], expected, atol=1e-12)
    assert display.bars_ is None
    assert display.ref_line_ is None
    assert display.pos_label is None


def test_confusion_tables_with_refused_rows() -> None:
    model = Decide(GaussianNB(), at_least=0.7, refusal="?").fit(X, NAMES[Y])
    display = ConfusionDisplay.from_estimator(model, X, NAMES[Y], ax=axes())
    answered = model.predict(X)
    expected = [[((NAMES[Y] == t) & (answered == a)).sum() for a in (*NAMES, "?")] for t in NAMES]
    np.testing.assert_array_equal(display.im_.get_array(), expected)
    assert [[int(text.get_text()) for text in row] for row in display.text_] == expected
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == [*NAMES, "refused"]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == list(NAMES)


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_shares_of_a_confusion_table_are_those_of_scikit_learn(normalize: str) -> None:
    predicted = GaussianNB().fit(X, NAMES[Y]).predict(X)
    display = ConfusionDisplay.from_predictions(
        NAMES[Y], predicted, normalize=normalize, sample_weight=W, ax=axes(), colorbar=True
    )
    expected = metrics.confusion_matrix(NAMES[Y], predicted, sample_weight=W, normalize=normalize)
    np.testing.assert_allclose(display.im_.get_array(), expected, atol=1e-12)
    assert display.text_[0, 1].get_text() == f"{expected[0, 1]:.2f}"


def test_the_ink_of_a_cell_stands_out_from_it() -> None:
    display = ConfusionDisplay.from_predictions([0] * 50 + [1], [0] * 50 + [0], ax=axes())
    inks = {text.get_text(): text.get_color() for text in display.text_.ravel()}
    assert inks["50"] == "black"  # on yellow
    assert inks["0"] == "white"  # on dark blue


def test_a_table_of_pandas_and_a_series() -> None:
    table = pd.DataFrame(X[TWO], columns=["a", "b"])
    labels = pd.Series(NAMES[Y[TWO]])
    model = GaussianNB().fit(table, labels)
    display = RocDisplay.from_estimator(model, table, labels, ax=axes())
    plain = RocDisplay.from_estimator(model, table, labels.to_numpy(), ax=axes())
    np.testing.assert_array_equal(data(display.line_), data(plain.line_))


def test_the_map_beside_the_curve() -> None:
    score, hit = X[TWO, 0], Y[TWO]
    display = CalibrationMapDisplay.from_predictions(hit, score, ax=axes(ncols=2))
    assert display.roc_.hull_ is not None
    p = data(display.line_)[1]
    assert (np.diff(p) >= 0).all()
    hull = RocCurve.of(score, hit).hull()
    n, m = (hit == 0).sum(), (hit == 1).sum()
    up, across = np.diff(hull.tpr) * m, np.diff(hull.fpr) * n
    np.testing.assert_allclose(np.unique(p.round(9)), np.unique((up / (up + across)).round(9)), atol=1e-9)
    assert [len(one.get_offsets()) for one in display.rows_] == [n, m]
    other = CalibrationMapDisplay.from_predictions(hit, score, map=lambda s: np.full(len(s), 0.25), ax=axes(ncols=2))
    assert set(data(other.line_)[1]) == {0.25}


def test_points_inside_straight_pieces_are_left_out() -> None:
    hit, score = [1] * 500 + [0] * 500, np.arange(1000.0)[::-1]
    few = RocDisplay.from_predictions(hit, score, ax=axes())
    assert data(few.line_)[0].tolist() == [0.0, 0.0, 1.0]
    every = CoverageDisplay.from_predictions(hit, score, drop_intermediate=False, ax=axes())
    assert len(data(every.line_)[0]) == 1001
    assert few.roc_auc == 1.0


def test_one_threshold_need_not_be_a_list() -> None:
    display = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=0.4, ax=axes())
    assert (display.points_[0].get_xdata()[0], display.points_[0].get_ydata()[0]) == (0.5, 0.5)
    assert display.isometrics_ == []


def test_bands_of_bins_that_are_all_right_or_all_wrong() -> None:
    told = np.repeat([0.05, 0.95], 7)
    display = ReliabilityDisplay.from_predictions(np.repeat([0, 1], 7), told, ax=axes())
    low, high = (segment[:, 1] for segment in display.bands_.lines[2][0].get_segments())
    assert low[0] == 0.0
    assert high[1] == 1.0


CURVES = [RocDisplay, CoverageDisplay, PrecisionRecallDisplay, CostCurveDisplay, RejectCurveDisplay, ReliabilityDisplay]


@pytest.mark.parametrize("display", CURVES)
def test_curves_on_one_axis_differ_in_colour_and_name(display: Any) -> None:
    ax = axes()
    y, model = Y[TWO], GaussianNB().fit(X[TWO], Y[TWO])
    drawn = [display.from_estimator(model, X[TWO], y, name="nb", ax=ax) for _ in range(3)]
    assert len({one.line_.get_color() for one in drawn}) == 3
    if display is not ReliabilityDisplay:  # whose label is that of its bands
        labels = [one.line_.get_label() for one in drawn]
        assert labels == [labels[0], f"{labels[0]} (2)", f"{labels[0]} (3)"]
    alone = display.from_estimator(model, X[TWO], y, ax=axes())
    assert alone.line_.get_color() == drawn[0].line_.get_color()  # whatever stands elsewhere
    given = display.from_estimator(model, X[TWO], y, ax=ax, curve_kwargs={"color": "red"})
    assert given.line_.get_color() == "red"


def test_a_hull_has_the_next_colour() -> None:
    ax, y = axes(), [0, 0, 1, 1, 0, 1]
    drawn = [RocDisplay.from_predictions(y, [0.1, 0.4, 0.3, 0.8, 0.2, 0.7], plot_hull=True, ax=ax) for _ in range(2)]
    assert len({line.get_color() for one in drawn for line in (one.line_, one.hull_)}) == 4
