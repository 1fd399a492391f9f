"""Cost curves: the lower envelope of the lines of all operating points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import RocCurve
from suffice.core.errors import BadInput
from suffice.decision import CostCurve, LinearMeasure, normalised_cost, probability_cost
from tests.decision.ranked_rows import ROWS, ScoredRows


@given(ROWS, st.lists(st.floats(0.0, 1.0), min_size=1, max_size=9))
def test_the_envelope_is_the_cheapest_of_all_thresholds(rows: ScoredRows, places: list[float]) -> None:
    curve = RocCurve.of(*rows)
    cost = CostCurve.of(curve)
    places = [0.0, 1.0, *places]
    lines = normalised_cost(curve.fpr, curve.tpr, np.array(places)[:, None])
    np.testing.assert_allclose(cost.at(places), lines.min(axis=1), rtol=0, atol=1e-12)
    for x, threshold in zip(places, cost.threshold(places), strict=True):
        table = curve.at(threshold)
        reached = normalised_cost(table.false_positive_rate, table.recall, x)
        assert reached == pytest.approx(float(cost.at(x)), abs=1e-12)
    assert (cost.at(places) <= np.minimum(places, 1.0 - np.array(places)) + 1e-12).all()  # never, always


@given(ROWS)
def test_the_line_is_broken_where_the_threshold_changes(rows: ScoredRows) -> None:
    cost = CostCurve.of(RocCurve.of(*rows))
    assert (np.diff(cost.probability_cost) >= 0.0).all()
    assert (cost.probability_cost[0], cost.probability_cost[-1]) == (0.0, 1.0)
    assert len(cost.thresholds) == len(cost.cost) - 1
    fine = np.linspace(0.0, 1.0, 20_001)
    assert cost.area == pytest.approx(np.trapezoid(cost.at(fine), fine), abs=1e-7)


@given(ROWS, st.floats(0.01, 0.99), st.integers(1, 20), st.integers(1, 20))
def test_it_is_the_expected_cost_over_that_of_always_being_wrong(
    rows: ScoredRows, p: float, false_alarm: int, miss: int
) -> None:
    curve, prior, costs = RocCurve.of(*rows), (1.0 - p, p), [[2, 2 + false_alarm], [miss, 0]]
    x = probability_cost(prior, costs)
    least = float(curve.expected_cost(prior, costs).min())
    right, wrong = 2.0 * (1.0 - p), (2 + false_alarm) * (1.0 - p) + miss * p
    assert CostCurve.of(curve).at(x) == pytest.approx((least - right) / (wrong - right), abs=1e-11)
    slope = LinearMeasure.expected_cost(prior, costs).slope
    assert slope == pytest.approx((1.0 - x) / x, rel=1e-11)  # the isometric of the same costs in ROC space


def test_a_perfect_ranking_costs_nothing_and_a_useless_one_what_guessing_costs() -> None:
    perfect = CostCurve.of(RocCurve.of([1.0, 2.0], [0, 1]))
    assert perfect.area == 0.0
    useless = CostCurve.of(RocCurve.of([1.0, 1.0], [0, 1]))
    assert useless.at([0.25, 0.5, 0.75]).tolist() == [0.25, 0.5, 0.25]
    assert useless.area == 0.25


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: probability_cost([0.5, 0.5], [[2, 1], [1, 0]]), r"probability_cost: costs must be higher for a wrong"),
        (lambda: probability_cost([0.5, 0.5], [[1, 1], [0, 0]]), r"probability_cost: costs must be higher for a wrong"),
        (lambda: probability_cost([0.5, 0.6]), r"probability_cost: prior must be .*, summing to 1"),
        (lambda: normalised_cost(0.1, 0.9, 1.5), r"CostCurve: probability_cost must be numbers from 0 to 1, got 1\.5"),
        (lambda: normalised_cost(0.1, 0.9, "half"), r"CostCurve: probability_cost must be numbers from 0 to 1, got 'h"),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}"):
        call()
