"""Numbers of the sources about scores, ROC and coverage curves, and operating points."""

from __future__ import annotations

from fractions import Fraction
from math import log
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from suffice import BernoulliNB, CoverageCurve, RocCurve, Scores
from suffice.decision import Contingency, InformationGain, LinearMeasure, PrecisionRecallCurve, rank_scores
from suffice.evaluation import BrierParts, RegressionScores


def test_points_and_area_of_four_rows() -> None:
    """C.R39, C.M05.09: y 0, 0, 1, 1 and scores .1, .4, .35, .8 give five points and an area of .75."""
    curve = RocCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    points = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
    assert points == [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]
    assert curve.auc == 0.75
    assert curve.ranking_error == 0.25


def table_of(tp: int, fp: int, fn: int, tn: int = 0) -> tuple[Contingency, Scores]:
    cells = ((1, 1, tp), (0, 1, fp), (1, 0, fn), (0, 0, tn))
    y, answers, w = zip(*cells, strict=True)
    return Contingency(0.5, tp, fp, fn, tn), Scores.of(y, None, predicted=answers, sample_weight=w)


@pytest.mark.parametrize(
    ("tp", "fp", "fn", "printed"),
    [(7, 3, 5, 0.636364), (30, 10, 20, 0.666667)],
)
def test_the_forms_of_f1_agree(tp: int, fp: int, fn: int, printed: float) -> None:
    """C.R04, P.W50, P.M095, C.M05.06, C.M05.07: harmonic mean of precision and recall = TP / (TP + (FP + FN) / 2)."""
    table, scores = table_of(tp, fp, fn)
    precision, recall = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
    harmonic, direct = 2 * precision * recall / (precision + recall), tp / (tp + Fraction(fp + fn, 2))
    assert harmonic == direct
    for found in (table.f(), scores.f()[1].value):
        assert found == pytest.approx(float(direct), rel=1e-14)
        assert round(found, 6) == printed
    assert (table.precision, table.recall) == (float(precision), float(recall))
    assert scores.precision[1].value == pytest.approx(float(precision), rel=1e-15)
    assert scores.recall[1].value == pytest.approx(float(recall), rel=1e-15)


def test_mushrooms() -> None:
    """C.W13, C.M05.04, C.M05.05: 236 of 4062 wrong; rows are true classes here, and answers in the source."""
    y = ["edible", "poisonous", "edible", "poisonous"]
    answers = ["edible", "edible", "poisonous", "poisonous"]
    scores = Scores.of(y, None, predicted=answers, sample_weight=[2089, 221, 15, 1737])
    assert scores.confusion.table.tolist() == [[2089.0, 15.0], [221.0, 1737.0]]
    assert (1.0 - scores.accuracy.value) * 4062 == pytest.approx(236, rel=1e-12)
    assert round(100 * (1.0 - scores.accuracy.value), 2) == 5.81
    assert round(scores.precision["edible"].value, 4) == 0.9043
    assert round(scores.recall["edible"].value, 4) == 0.9929
    assert round(scores.recall["poisonous"].value, 4) == 0.8871
    assert round(scores.f()["poisonous"].value, 4) == 0.9364


def test_log_loss_and_brier_of_three_rows() -> None:
    """C.R38, C.M05.01, C.M05.02, P.M073: log loss .279777 and Brier score .07, which has a decomposition."""
    p = [[0.1, 0.9], [0.8, 0.2], [0.4, 0.6]]
    scores = Scores.of([1, 0, 1], p, [0, 1])
    assert round(scores.log_loss.value, 6) == 0.279777
    assert scores.brier.value == pytest.approx(0.07, rel=1e-14)
    parts = BrierParts.of([1, 0, 1], p, [0, 1])
    assert parts.brier == pytest.approx(0.07, rel=1e-13)
    assert (parts.refinement, parts.uncertainty) == (pytest.approx(0.0, abs=1e-15), pytest.approx(2 / 9, rel=1e-14))


def test_four_positives_to_a_negative() -> None:
    """P.W33, P.M053: where positives are four times as many, a weak ranking is best not used: all positive, 0.80."""
    fpr, tpr = np.array([0.0, 0.1, 0.4, 1.0]), np.array([0.0, 0.3, 0.6, 1.0])
    weights = np.concatenate([np.diff(fpr), np.diff(tpr)])
    curve = RocCurve.of([3.0, 2.0, 1.0] * 2, [0] * 3 + [1] * 3, weights)
    accuracy = LinearMeasure.accuracy([0.2, 0.8])
    assert accuracy.slope == 0.25
    assert curve.best(accuracy)[1:] == pytest.approx((1.0, 1.0, 0.8), rel=1e-14)
    balanced = curve.best(LinearMeasure.accuracy([0.5, 0.5]))
    assert (balanced.threshold, balanced.value) == (3.0, pytest.approx(0.6, rel=1e-14))  # as good as at 2.0


MAILS = ["bdebbde", "bcebbddecc", "adadeaee", "badbedab", "abababaed", "acacacaed", "eaedaea", "deded"]
SPAM = np.array([1, 1, 1, 1, 0, 0, 0, 0])


def test_the_threshold_on_the_likelihood_ratio_of_the_mails() -> None:
    """P.W34, P.M050, P.M054: naive Bayes as a ranker; the best accuracy on the training mails is 0.75."""
    bits = np.array([[word in mail for word in "abc"] for mail in MAILS], dtype=float)
    model = BernoulliNB().fit(bits, SPAM)
    log_ratio = np.diff(model.predict_joint_log_proba(bits), axis=1)[:, 0]  # the classes are as many
    ratio = np.exp(log_ratio).round(12)
    np.testing.assert_allclose(ratio, [3.0, 3.0, 0.375, 1.5, 1.5, 0.375, 0.375, 0.75], rtol=1e-10)
    curve = RocCurve.of(ratio, SPAM)
    assert curve.best().value == 0.75
    assert curve.at(1.5).accuracy == curve.at(1.0).accuracy == 0.75  # maximum likelihood is as good
    assert curve.at(0.75).accuracy < 0.75
    moved = rank_scores(ratio[:3], SPAM[:3]) + rank_scores(ratio[3:], SPAM[3:])
    assert RocCurve.from_rankings(moved).best() == curve.best()


WEIGHT = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
DIABETES = np.array([c == "+" for c in "++++-++-+--+-+--+---"])


def test_hull_segments_and_area_of_twenty_rows() -> None:
    """P.W84: positives and rows of the hull segments, and an area of 0.80."""
    curve = CoverageCurve.of(WEIGHT, DIABETES)
    hull = curve.hull()
    up, across = np.diff(hull.positives), np.diff(hull.negatives)
    assert list(zip(up.tolist(), (up + across).tolist(), strict=True)) == [
        (4.0, 4.0),
        (2.0, 3.0),
        (1.0, 2.0),
        (2.0, 5.0),
        (1.0, 3.0),
        (0.0, 3.0),
    ]
    assert RocCurve(curve).auc == pytest.approx(0.8, rel=1e-15)
    assert curve.misranked == 20.0


def test_information_gain_of_splits_in_coverage_space() -> None:
    """P.W62: splits of 23 positives of 231 that reach 19/49, 20/53 and 21/94; hull slopes 1/41 and 2/114 after it."""
    negatives, positives = np.array([0.0, 49, 53, 94, 208]), np.array([0.0, 19, 20, 21, 23])
    curve = CoverageCurve(np.array([np.inf, 3, 2, 1, 0]), negatives, positives)
    gain = InformationGain((208 / 231, 23 / 231))
    bits = gain.value(negatives / 208, positives / 23)
    assert bits[1:4].round(4).tolist() == [0.0987, 0.1071, 0.0631]
    assert RocCurve(curve).best(gain).threshold == 2.0
    hull = curve.hull()
    slopes = (np.diff(hull.positives) / np.diff(hull.negatives)).round(4).tolist()
    assert slopes[-2:] == [0.0244, 0.0175]


def test_the_best_split_by_information_gain() -> None:
    """P.W64: the best cut of twelve values is between 9.0 and 13.7, with a gain of 0.1750 bits."""
    values = [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]
    curve = RocCurve.of(values, np.array([c == "+" for c in "-+---++-+---"]))
    best = curve.best(InformationGain(tuple(curve.prior)))
    assert best.threshold == 13.7
    assert round(best.value, 4) == 0.1750
    assert curve.at(13.7)[1:] == (0.0, 3.0, 4.0, 5.0)


def densities(apart: float = 2.0) -> RocCurve:
    """Two normal classes of standard deviation 1, as weights on a fine grid."""
    x = np.linspace(-6.0, 6.0 + apart, 28_001)
    middle = (x[1:] + x[:-1]) / 2.0
    weights = np.concatenate([np.exp(-0.5 * (middle - m) ** 2) for m in (0.0, apart)])
    return RocCurve.of(np.tile(middle, 2), np.repeat([0, 1], len(middle)), weights)


def test_the_threshold_of_least_error_and_how_costs_move_it() -> None:
    """C.M14.05, C.M14.06: two normals 2 apart are cut half-way, with an error of Phi(-1); costs of 9 move the cut."""
    curve = densities()
    point = curve.best(LinearMeasure.accuracy([0.5, 0.5]))
    assert point.threshold == pytest.approx(1.0, abs=1e-3)
    assert 1.0 - point.value == pytest.approx(NormalDist().cdf(-1.0), abs=1e-6)
    assert curve.auc == pytest.approx(NormalDist().cdf(2.0**0.5), abs=1e-6)
    careful = curve.best(LinearMeasure.expected_cost([0.5, 0.5], [[0, 1], [9, 0]]))
    assert careful.threshold == pytest.approx(1.0 - log(9.0) / 2.0, abs=1e-3)
    assert careful.value == pytest.approx(float(curve.expected_cost([0.5, 0.5], [[0, 1], [9, 0]]).min()), rel=1e-15)


def test_counts_against_the_threshold() -> None:
    """C.M05.08: too small a threshold calls all positive, too large a one none."""
    curve = RocCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    assert curve.at(0.0)[1:] == (2.0, 2.0, 0.0, 0.0)
    assert curve.at(0.5)[1:] == (1.0, 0.0, 1.0, 2.0)
    assert curve.at(1.0)[1:] == (0.0, 0.0, 2.0, 2.0)
    recall = PrecisionRecallCurve(curve.coverage)
    assert (curve.at(0.35).precision, curve.at(0.35).recall) == (recall.precision[3], recall.recall[3])


def test_training_error_says_nothing_about_unseen_rows() -> None:
    """C.M02.01: the loss averaged over the rows used to fit; a grown tree has none, and errs elsewhere."""
    X, y = make_moons(400, noise=0.4, random_state=0)
    tree = DecisionTreeClassifier(random_state=0).fit(X[:200], y[:200])

    def error(rows: Any) -> float:
        return 1.0 - Scores.of(y[rows], None, predicted=tree.predict(X[rows])).accuracy.value

    assert error(slice(200)) == 0.0
    assert error(slice(200, None)) > 0.1
    line = DecisionTreeRegressor(random_state=0).fit(X[:200, :1], X[:200, 1])
    assert RegressionScores.of(X[:200, 1], line.predict(X[:200, :1])).mean_squared_error.value < 1e-30
    assert RegressionScores.of(X[200:, 1], line.predict(X[200:, :1])).r2.value < 0.5
