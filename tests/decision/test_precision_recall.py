"""Precision, recall and average precision: scikit-learn's, from shards or the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from suffice.core.errors import BadInput
from suffice.decision import Contingency, PrecisionRecallCurve, rank_scores
from tests.decision.ranked_rows import CLOSE, ROWS, ScoredRows


@given(ROWS)
def test_points_and_average_are_those_of_scikit_learn(rows: ScoredRows) -> None:
    curve = PrecisionRecallCurve.of(*rows)
    precision, recall, thresholds = metrics.precision_recall_curve(rows.labels, rows.scores, sample_weight=rows.weights)
    np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])
    np.testing.assert_allclose(curve.precision, precision[::-1], **CLOSE)
    np.testing.assert_allclose(curve.recall, recall[::-1], **CLOSE)
    expected = metrics.average_precision_score(rows.labels, rows.scores, sample_weight=rows.weights)
    assert curve.average_precision == pytest.approx(expected, rel=1e-12)


@given(ROWS, st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_f_at_every_threshold_is_scikit_learn_s(rows: ScoredRows, beta: float) -> None:
    curve = PrecisionRecallCurve.of(*rows)
    f = curve.f(beta)
    for point, threshold in list(enumerate(curve.thresholds))[:: max(len(f) // 5, 1)]:
        called = (rows.scores >= threshold).astype(int)
        expected = metrics.fbeta_score(rows.labels, called, beta=beta, sample_weight=rows.weights, zero_division=0.0)
        assert f[point] == pytest.approx(expected, rel=1e-12, abs=1e-14)
        if point:
            assert curve.coverage.at(threshold).f(beta) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert f.max() == f[curve.thresholds == curve.best(beta)][0]


@given(ROWS.filter(lambda rows: rows.weights is None))
def test_from_rankings(rows: ScoredRows) -> None:
    half = len(rows.scores) // 2
    parts = [rank_scores(*rows[side]) for side in (slice(half), slice(half, None))]
    whole, merged = PrecisionRecallCurve.of(*rows), PrecisionRecallCurve.from_rankings(parts[0] + parts[1])
    np.testing.assert_array_equal(whole.precision, merged.precision)
    assert whole.average_precision == merged.average_precision


def test_recall_needs_positives_but_no_negatives() -> None:
    assert PrecisionRecallCurve.of([1.0, 2.0], [1, 1]).average_precision == 1.0
    with pytest.raises(
        BadInput, match=r"^PrecisionRecallCurve: rows must be some of them positive, got a weight of 2 "
    ):
        PrecisionRecallCurve.of([1.0, 2.0], [0, 0])
    with pytest.raises(BadInput, match=r"^PrecisionRecallCurve: scores must be present in every row, got NaN in row 0"):
        PrecisionRecallCurve.of([np.nan, 2.0], [0, 1])


@pytest.mark.parametrize("beta", [-1.0, np.nan, np.inf, True, "one"])
def test_beta_is_a_finite_number_of_at_least_0(beta: Any) -> None:
    with pytest.raises(BadInput, match=r"^PrecisionRecallCurve: beta must be a finite number of at least 0, got "):
        PrecisionRecallCurve.of([1.0, 2.0], [0, 1]).f(beta)
    with pytest.raises(BadInput, match=r"^Contingency: beta must be a finite number of at least 0, got "):
        Contingency(0.5, 1.0, 1.0, 1.0, 1.0).f(beta)


def test_a_table_without_rows_says_nothing() -> None:
    table = Contingency(0.5, 0.0, 0.0, 0.0, 0.0)
    assert np.isnan([table.accuracy, table.precision, table.recall, table.false_positive_rate, table.f()]).all()
