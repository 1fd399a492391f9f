"""Measures in ROC space: their values, their isometrics, and the best operating points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from suffice import RocCurve
from suffice.core.errors import BadInput
from suffice.decision import Decision, InformationGain, LinearMeasure, Posterior
from tests.decision.ranked_rows import ROWS, ScoredRows

PRIOR = st.floats(0.01, 0.99).map(lambda p: (1.0 - p, p))
COST = st.integers(-5, 20).map(float)
RATE = st.floats(0.0, 1.0)


@given(PRIOR, st.tuples(COST, COST, COST, COST), RATE, RATE)
def test_values_are_sums_over_the_four_cells(prior: Any, costs: Any, fpr: float, tpr: float) -> None:
    table = np.array(costs).reshape(2, 2)
    cells = np.array([[prior[0] * (1 - fpr), prior[0] * fpr], [prior[1] * (1 - tpr), prior[1] * tpr]])
    cost = LinearMeasure.expected_cost(prior, table)
    assert cost.value(fpr, tpr) == pytest.approx((cells * table).sum(), abs=1e-12)
    assert LinearMeasure.accuracy(prior).value(fpr, tpr) == pytest.approx(np.trace(cells), abs=1e-14)
    assert LinearMeasure.expected_cost(prior).value(fpr, tpr) == pytest.approx(1.0 - np.trace(cells), abs=1e-14)
    assert LinearMeasure.average_recall().value(fpr, tpr) == pytest.approx((1.0 - fpr + tpr) / 2.0, abs=1e-15)


@given(PRIOR, RATE, RATE, RATE)
def test_linear_isometrics_are_straight_and_keep_the_value(prior: Any, fpr: float, tpr: float, other: float) -> None:
    """P.M053: accuracy is equal along lines of slope neg / pos."""
    accuracy = LinearMeasure.accuracy(prior)
    assert accuracy.slope == pytest.approx(prior[0] / prior[1], rel=1e-14)
    assert LinearMeasure.average_recall().slope == 1.0
    expensive = LinearMeasure.expected_cost(prior, [[0, 2], [6, 0]])
    assert expensive.slope == pytest.approx(prior[0] / prior[1] / 3.0, rel=1e-12)
    for measure in (accuracy, LinearMeasure.average_recall(), expensive):
        value = float(measure.value(fpr, tpr))
        assert measure.isometric(value, fpr) == pytest.approx(tpr, abs=1e-12)
        there = float(measure.isometric(value, other))
        line = tpr + measure.slope * (other - fpr)
        if 1e-9 < line < 1.0 - 1e-9:
            assert there == pytest.approx(line, abs=1e-11)
            assert measure.value(other, there) == pytest.approx(value, abs=1e-12)
        elif not -1e-9 < line < 1.0 + 1e-9:
            assert np.isnan(there)


def test_a_measure_that_does_not_count_hits_has_upright_isometrics() -> None:
    measure = LinearMeasure.expected_cost((0.5, 0.5), [[0, 1], [3, 3]])
    assert measure.slope == np.inf
    assert np.isnan(measure.isometric(0.5, [0.0, 1.0])).all()


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4))
def test_information_gain_is_mutual_information(cells: list[int]) -> None:
    tp, fp, fn, tn = cells
    assume(tp + fn > 0 and fp + tn > 0)
    n = sum(cells)
    truth, called = np.repeat([[1, 1], [0, 1], [1, 0], [0, 0]], cells, axis=0).T
    gain = InformationGain(((fp + tn) / n, (tp + fn) / n))
    expected = mutual_info_score(truth, called) / np.log(2.0)
    assert gain.value(fp / (fp + tn), tp / (tp + fn)) == pytest.approx(expected, abs=1e-12)


@given(PRIOR, st.floats(0.02, 0.98), st.floats(0.02, 0.98), RATE)
def test_isometrics_of_information_gain_keep_the_value_on_both_sides(
    prior: Any, fpr: float, tpr: float, other: float
) -> None:
    gain = InformationGain(prior)
    value = float(gain.value(fpr, tpr))
    assume(value > 1e-6)
    assert gain.isometric(value, fpr, lower=tpr < fpr) == pytest.approx(tpr, abs=1e-7)
    for lower in (False, True):
        there = float(gain.isometric(value, other, lower))
        end = float(gain.value(other, 0.0 if lower else 1.0))
        if np.isnan(there):
            assert end < value
        else:
            assert (there <= other) if lower else (there >= other)
            assert gain.value(other, there) == pytest.approx(value, abs=1e-12)


@given(ROWS, PRIOR, st.tuples(COST, COST, COST, COST))
def test_the_best_point_is_best_and_lies_on_the_hull(rows: ScoredRows, prior: Any, costs: Any) -> None:
    """P.M050, C.M14.05: sweeping the threshold finds the least expected cost; the hull holds a point as good."""
    curve = RocCurve.of(*rows)
    measures = [
        LinearMeasure.accuracy(prior),
        LinearMeasure.average_recall(),
        LinearMeasure.expected_cost(prior, np.array(costs).reshape(2, 2)),
        InformationGain(prior),
    ]
    for measure in measures:
        point, values = curve.best(measure), measure.value(curve.fpr, curve.tpr)
        top = values.max() if measure.more_is_better else values.min()
        assert point.value == pytest.approx(top, abs=1e-12)
        called = rows.scores >= point.threshold
        w = np.ones(len(called)) if rows.weights is None else rows.weights
        assert point.fpr == pytest.approx(np.average(called[rows.labels == 0], weights=w[rows.labels == 0]), abs=1e-12)
        assert point.tpr == pytest.approx(np.average(called[rows.labels == 1], weights=w[rows.labels == 1]), abs=1e-12)
        if measure.more_is_better or min(costs[1] - costs[0], costs[2] - costs[3]) >= 0.0:
            reachable = [curve.hull().best(measure).value, curve.lower_hull().best(measure).value]
            best = max(reachable) if measure.more_is_better else min(reachable)
            assert best == pytest.approx(top, abs=1e-12)
    costs_at = curve.expected_cost(prior, np.array(costs).reshape(2, 2))
    np.testing.assert_allclose(costs_at, measures[2].value(curve.fpr, curve.tpr), rtol=0, atol=0)


def test_ties_go_to_the_highest_threshold() -> None:
    curve = RocCurve.of([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1])
    assert curve.best().threshold == 4.0  # as right as 2.0 is
    assert curve.best().value == 0.75


@given(st.integers(0, 2**32 - 1), PRIOR, st.integers(1, 9), st.integers(1, 9))
def test_on_true_posteriors_the_best_threshold_is_that_of_the_decision(
    seed: int, prior: Any, false_alarm: int, miss: int
) -> None:
    """C.M14.06: on rows that are exactly as probable as they say, the cut of least cost is the decision's own."""
    rng = np.random.default_rng(seed)
    p = np.sort(rng.choice(np.arange(1, 40), 12, replace=False)) / 40.0
    scores, labels, weights = np.tile(p, 2), np.repeat([0, 1], 12), np.concatenate([1.0 - p, p])
    curve = RocCurve.of(scores, labels, weights)
    costs = [[0.0, false_alarm], [miss, 0.0]]
    decided = Decision(costs=costs, prior=prior).decide(Posterior(np.column_stack([1.0 - p, p]), curve.prior))
    point = curve.best(LinearMeasure.expected_cost(prior, costs))
    at = int(decided.argmax()) if decided.any() else None
    table = curve.at(np.inf if at is None else p[at])
    cost = LinearMeasure.expected_cost(prior, costs)
    assert point.value == pytest.approx(float(cost.value(table.false_positive_rate, table.recall)), abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LinearMeasure.accuracy([0.5, 0.6]), r"LinearMeasure: prior must be .*, summing to 1"),
        (lambda: LinearMeasure.accuracy([1.0]), r"LinearMeasure: prior must be one probability per class, 2 of them"),
        (lambda: InformationGain((0.5, 0.4, 0.1)), r"InformationGain: prior must be .*, 2 of them"),
        (lambda: LinearMeasure.expected_cost([0.5, 0.5], [1.0, 2.0]), r"LinearMeasure: costs must be .*\(2, 2\)"),
        (
            lambda: LinearMeasure.expected_cost([0.5, 0.5], np.ones((7, 2, 2))),
            r"LinearMeasure: costs must be one table of 2 rows and 2 columns for all rows, got shape \(7, 2, 2\)",
        ),
        (lambda: LinearMeasure.average_recall().value(0.5, 1.5), r"isometric: tpr must be rates from 0 to 1, got 1\.5"),
        (lambda: InformationGain((0.5, 0.5)).value(np.nan, 0.5), r"isometric: fpr must be rates from 0 to 1, got nan"),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}"):
        call()
