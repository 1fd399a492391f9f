"""ROC and coverage curves: scikit-learn's, from shards or the whole, with ties, weights and infinite scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from suffice import CoverageCurve, RocCurve
from suffice.core.errors import BadInput
from suffice.decision import rank_scores
from suffice.decision.curves.threshold_sweep import merge_loop, merged, merged_twin
from suffice.summaries.rankings import Rankings
from tests.decision.ranked_rows import CLOSE, ROWS, ScoredRows


@given(ROWS)
def test_points_and_area_are_those_of_scikit_learn(rows: ScoredRows) -> None:
    curve = RocCurve.of(*rows)
    fpr, tpr, thresholds = metrics.roc_curve(
        rows.labels, rows.scores, sample_weight=rows.weights, drop_intermediate=False
    )
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    np.testing.assert_allclose(curve.fpr, fpr, **CLOSE)
    np.testing.assert_allclose(curve.tpr, tpr, **CLOSE)
    expected = metrics.roc_auc_score(rows.labels, rows.scores, sample_weight=rows.weights)
    assert curve.auc == pytest.approx(expected, rel=1e-12, abs=1e-13)
    assert curve.ranking_error == pytest.approx(1.0 - expected, rel=1e-12, abs=1e-13)


@given(ROWS.filter(lambda rows: rows.weights is None or not (rows.weights % 1).any()))
def test_corners_are_the_points_that_scikit_learn_keeps(rows: ScoredRows) -> None:
    curve = RocCurve.of(*rows).corners()
    weights = None if rows.weights is None else rows.weights.astype(int)
    fpr, tpr, thresholds = metrics.roc_curve(rows.labels, rows.scores, sample_weight=weights)
    at = [0, *(1 + i for i in range(len(fpr) - 2) if bends(fpr[i : i + 3], tpr[i : i + 3])), len(fpr) - 1]
    np.testing.assert_array_equal(curve.thresholds, thresholds[at])
    assert curve.auc == pytest.approx(RocCurve.of(*rows).auc, rel=1e-12, abs=1e-13)


def bends(x: Any, y: Any) -> bool:
    """Whether three points are not on one line: scikit-learn keeps some that are, where both rates move."""
    (a, b), (c, d) = np.diff(x), np.diff(y)
    return abs(a * d - b * c) > 1e-12


@given(ROWS, st.lists(st.integers(0, 60), max_size=4), st.randoms(use_true_random=False))
def test_merged_shards_are_the_whole(rows: ScoredRows, cuts: list[int], chance: Any) -> None:
    pieces = np.split(np.arange(len(rows.scores)), sorted(cuts))
    shards = [rank_scores(*rows[piece]) for piece in pieces if len(piece) and weighs(rows.weights, piece)]
    chance.shuffle(shards)
    whole, ranked = RocCurve.of(*rows), RocCurve.from_rankings(Rankings.sum(shards))
    np.testing.assert_array_equal(ranked.thresholds, whole.thresholds)
    np.testing.assert_allclose(ranked.fpr, whole.fpr, **CLOSE)
    np.testing.assert_allclose(ranked.tpr, whole.tpr, **CLOSE)
    assert ranked.auc == pytest.approx(whole.auc, rel=1e-12, abs=1e-13)


def weighs(weights: Any, rows: Any) -> bool:
    return weights is None or bool(weights[rows].any())


@given(ROWS)
def test_a_weight_counts_as_so_many_rows(rows: ScoredRows) -> None:
    w = np.arange(len(rows.scores)) % 3
    w[[0, -1]] = 2
    weighted = CoverageCurve.of(rows.scores, rows.labels, w)
    copied = CoverageCurve.of(np.repeat(rows.scores, w), np.repeat(rows.labels, w))
    for name in ("thresholds", "negatives", "positives"):
        np.testing.assert_array_equal(getattr(weighted, name), getattr(copied, name))


@given(ROWS)
def test_the_hull_is_above_the_curve_and_bends_down(rows: ScoredRows) -> None:
    curve = RocCurve.of(*rows)
    for hull, sign in ((curve.hull(), 1.0), (curve.lower_hull(), -1.0)):
        across, up = np.diff(hull.fpr)[:, None], np.diff(hull.tpr)[:, None]
        beyond = across * (curve.tpr - hull.tpr[:-1, None]) - up * (curve.fpr - hull.fpr[:-1, None])
        assert (sign * beyond <= 1e-14).all()  # no point is beyond the line of any edge
        assert sign * (hull.auc - curve.auc) >= -1e-13
        assert set(hull.thresholds) <= set(curve.thresholds)


def test_tied_scores_are_one_diagonal() -> None:
    curve = RocCurve.of([0.5, 0.5, 0.5, 0.5], [0, 1, 0, 1])
    assert curve.fpr.tolist() == curve.tpr.tolist() == [0.0, 1.0]
    assert curve.auc == 0.5
    assert curve.hull().thresholds.tolist() == [np.inf, 0.5]


def test_minus_zero_is_zero_and_infinity_is_a_score() -> None:
    curve = CoverageCurve.of([-0.0, 0.0, np.inf, -np.inf], [0, 1, 1, 0])
    np.testing.assert_array_equal(curve.thresholds, [np.nan, np.inf, 0.0, -np.inf])
    assert curve.positives.tolist() == [0.0, 1.0, 2.0, 2.0]
    assert curve.negatives.tolist() == [0.0, 0.0, 1.0, 2.0]
    assert not np.signbit(curve.thresholds[2])
    assert curve.at(np.inf)[1:3] == (1.0, 0.0)
    assert curve.at(np.nan)[1:3] == (0.0, 0.0)
    ranked = CoverageCurve.from_rankings(rank_scores([-0.0, 0.0, np.inf, -np.inf], [0, 1, 1, 0]))
    np.testing.assert_array_equal(ranked.thresholds, curve.thresholds)


def test_rows_of_weight_0_are_no_rows() -> None:
    curve = CoverageCurve.of([5.0, 1.0, 3.0], [0, 0, 1], [0.0, 1.0, 1.0])
    assert curve.thresholds.tolist() == [np.inf, 3.0, 1.0]
    scaled = rank_scores([5.0, 1.0], [0, 1]).scale(0.0) + rank_scores([2.0, 3.0], [0, 1])
    assert CoverageCurve.from_rankings(scaled).thresholds.tolist() == [np.inf, 3.0, 2.0]


def test_one_class_has_a_coverage_curve_but_no_rates() -> None:
    curve = CoverageCurve.of([1.0, 2.0, 2.0], [1, 1, 1])
    assert curve.totals == (0.0, 3.0)
    assert curve.positives.tolist() == [0.0, 2.0, 3.0]
    assert curve.misranked == 0.0
    assert curve.hull().thresholds.tolist() == [np.inf, 1.0]
    with pytest.raises(BadInput, match=r"^RocCurve: rows must be those of negatives and positives, got a weight of 0 "):
        RocCurve(curve)


def test_no_rows_at_all() -> None:
    curve = CoverageCurve.from_rankings(Rankings.empty(2, 1))
    assert curve.thresholds.tolist() == [np.inf]
    assert curve.totals == (0.0, 0.0)
    assert curve.hull().thresholds.tolist() == curve.corners().thresholds.tolist() == [np.inf]
    assert np.isnan(curve.at(0.0).accuracy)


@given(ROWS, st.floats(-2.0, 2.0))
def test_the_table_at_a_threshold_counts_the_rows(rows: ScoredRows, near: float) -> None:
    """C.M05.08, C.M05.04: positive is called what reaches the threshold."""
    w = np.ones(len(rows.scores)) if rows.weights is None else rows.weights
    curve = RocCurve.of(*rows)
    for threshold in (near, float(rows.scores[0]), -np.inf, np.inf):
        called = rows.scores >= threshold
        cells = metrics.confusion_matrix(rows.labels, called.astype(int), labels=[0, 1], sample_weight=w)
        table = curve.at(threshold)
        (tn, fp), (fn, tp) = cells
        np.testing.assert_allclose(table[1:], (tp, fp, fn, tn), **CLOSE)
        assert table.threshold == threshold
        assert table.accuracy == pytest.approx((tp + tn) / w.sum(), rel=1e-12)
        assert table.recall == pytest.approx(tp / (tp + fn), rel=1e-12, abs=1e-15)
        assert table.false_positive_rate == pytest.approx(fp / (fp + tn), rel=1e-12, abs=1e-15)


def test_one_class_against_all_others_from_rankings_of_many() -> None:
    rng = np.random.default_rng(3)
    scores, labels = rng.dirichlet(np.ones(4), 50).round(2), rng.integers(0, 4, 50)
    rankings = rank_scores(scores, labels)
    for k in range(4):
        curve = RocCurve.from_rankings(rankings, positive=k, column=k)
        assert curve.auc == pytest.approx(metrics.roc_auc_score(labels == k, scores[:, k]), rel=1e-12)


def test_labels_by_name() -> None:
    named = RocCurve.of([0.1, 0.4, 0.35, 0.8], ["ham", "ham", "spam", "spam"], classes=["ham", "spam"])
    assert named.auc == 0.75
    turned = RocCurve.of([0.1, 0.4, 0.35, 0.8], ["ham", "ham", "spam", "spam"], classes=["spam", "ham"])
    assert turned.auc == 0.25


@given(ROWS)
def test_the_merging_loop_and_its_twin_agree(rows: ScoredRows) -> None:
    falls = -rows.scores
    sides = np.sort(falls[rows.labels == 0]), np.sort(falls[rows.labels == 1])
    out = np.empty((3, len(falls) + 1))
    m = merge_loop.plain(*sides, *out)
    twin = merged_twin(*sides)
    for mine, other in zip(out, twin, strict=True):
        np.testing.assert_array_equal(mine[1 : m + 1], other[1:])


def test_the_compiled_loop_is_used_on_many_rows_and_says_the_same() -> None:
    rng = np.random.default_rng(0)
    for digits in (3, 17):
        sides = [np.sort(rng.normal(size=n).round(digits)) for n in (700_000, 300_000)]
        for mine, other in zip(merged(*sides), merged_twin(*sides), strict=True):
            np.testing.assert_array_equal(mine, other)


GOOD: dict[str, Any] = {"scores": [0.1, 0.4, 0.35, 0.8], "labels": [0, 0, 1, 1]}
BAD: list[tuple[dict[str, Any], str]] = [
    ({"scores": [0.1, np.nan, 0.3, 0.4]}, r"scores must be present in every row, got NaN in row 1\. Leave the row out"),
    ({"scores": ["a", "b", "c", "d"]}, r"scores must be numbers, got \['a', 'b', 'c', 'd'\]"),
    ({"scores": np.zeros((4, 3)), "labels": [0, 1, 2, 0]}, r"scores must be one column, about two classes, got 3 col"),
    ({"scores": []}, r"scores must be of at least one row, got none"),
    ({"labels": [0, 1, 1]}, r"labels must be one for each of the 4 rows of scores, got shape \(3,\)"),
    ({"labels": [0, 1, 2, 1]}, r"labels must be 0 or 1, False or True, got .*2"),
    ({"labels": ["a", "b", "a", "b"]}, r"labels must be 0 or 1, .* Give the names of the classes as `classes`"),
    ({"labels": ["a", "b", "a", "c"], "classes": ["a", "b"]}, r"labels must be among the classes, got 'c'"),
    ({"classes": ["a", "a"]}, r"classes must be 2 different labels"),
    ({"weights": [1, 1, 1]}, r"weights must be one for each of the 4 rows"),
    ({"weights": [1, 1, 1, -1]}, r"weights must be finite and at least 0, got -1\.0"),
    ({"weights": [1, 1, 1, np.inf]}, r"weights must be finite and at least 0, got inf"),
    ({"weights": [0, 0, 0, 0]}, r"weights must be above 0 for some row, got only zeros"),
    ({"weights": ["a"] * 4}, r"weights must be numbers"),
    ({"labels": [1, 1, 1, 1]}, r"rows must be those of negatives and positives, got a weight of 0 and 4\. A Coverage"),
    ({"weights": [1, 1, 0, 0]}, r"rows must be those of negatives and positives, got a weight of 2 and 0\."),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_gets_one_sentence(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"^RocCurve: {message}"):
        RocCurve.of(**{**GOOD, **change})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"positive": 2}, r"CoverageCurve: positive must be the number of a component, from 0 to 1, got 2"),
        ({"positive": True}, r"CoverageCurve: positive must be the number of a component, .*, got True"),
        ({"positive": "spam"}, r"CoverageCurve: positive must be the number of a component, .*, got 'spam'"),
        ({"column": 1}, r"Rankings: j must be the number of a column, from 0 to 0, got 1"),
    ],
)
def test_a_component_or_column_that_is_not_there(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}"):
        RocCurve.from_rankings(rank_scores([0.1, 0.9], [0, 1]), **arguments)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, "95 %", True, np.nan])
def test_a_level_is_between_0_and_1(level: Any) -> None:
    with pytest.raises(BadInput, match=r"^RocCurve: level must be a number above 0 and below 1, got "):
        RocCurve.of(**GOOD).auc_interval(level)
