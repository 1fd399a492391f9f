"""The area under ROC curves: DeLong's variance from all pairs, many classes as scikit-learn has them."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from suffice import RocCurve
from suffice.core.errors import BadInput
from suffice.decision import class_auc, hand_till_auc, one_vs_rest_auc, pairwise_auc, rank_scores
from suffice.summaries.rankings import Rankings
from tests.decision.ranked_rows import ROWS, ScoredRows


def placements(rows: ScoredRows) -> tuple[Any, Any]:
    """Of each positive among the negatives, and of each negative among the positives: by comparing all pairs."""
    w = np.ones(len(rows.scores), dtype=int) if rows.weights is None else np.rint(rows.weights).astype(int)
    positives = np.repeat(rows.scores, w * (rows.labels == 1))
    negatives = np.repeat(rows.scores, w * (rows.labels == 0))
    wins = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
    return wins.mean(axis=1), wins.mean(axis=0)


@given(ROWS.filter(lambda rows: rows.weights is None or not (rows.weights % 1).any()))
def test_the_variance_is_delong_s(rows: ScoredRows) -> None:
    curve = RocCurve.of(*rows)
    of_positives, of_negatives = placements(rows)
    assert curve.auc == pytest.approx(of_positives.mean(), rel=1e-12, abs=1e-13)
    if min(len(of_positives), len(of_negatives)) < 2:
        assert curve.auc_variance == inf
        assert curve.auc_interval() == (0.0, 1.0)
        return
    expected = sum(side.var(ddof=1) / len(side) for side in (of_positives, of_negatives))
    assert curve.auc_variance == pytest.approx(expected, rel=1e-10, abs=1e-14)
    for level in (0.5, 0.95):
        half = stats.norm.ppf(0.5 + level / 2.0) * sqrt(expected)
        low, high = curve.auc_interval(level)
        assert low == pytest.approx(max(curve.auc - half, 0.0), abs=1e-9)
        assert high == pytest.approx(min(curve.auc + half, 1.0), abs=1e-9)


def test_the_interval_holds_as_often_as_it_says() -> None:
    """Normal scores one standard deviation apart have an area of Phi(1 / sqrt 2)."""
    true = stats.norm.cdf(1.0 / sqrt(2.0))
    rng = np.random.default_rng(12)
    labels = np.repeat([0, 1], [60, 40])
    held = 0
    for _ in range(1000):
        low, high = RocCurve.of(rng.normal(size=100) + labels, labels).auc_interval()
        held += low <= true <= high
    assert 0.925 <= held / 1000 <= 0.965  # 0.95 less a little for 40 positives; three standard errors are 0.02


CLASSES = st.tuples(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(0, 60), st.booleans())


def many(seed: int, K: int, more: int, weighted: bool) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.concatenate([np.arange(K), rng.integers(0, K, more)]))
    proba = rng.dirichlet(np.ones(K), len(labels)).round(1) + 0.01
    return proba / proba.sum(axis=1, keepdims=True), labels, rng.random(len(labels)) + 0.1 if weighted else None


@settings(max_examples=40)  # scikit-learn takes its time for all pairs
@given(CLASSES)
def test_averages_are_those_of_scikit_learn(case: tuple[int, int, int, bool]) -> None:
    proba, labels, w = many(*case)
    if proba.shape[1] == 2:
        proba, labels, w = many(case[0], 3, case[2], case[3])
    rankings = rank_scores(proba, labels, w)
    for average in ("macro", "weighted", "micro"):
        expected = metrics.roc_auc_score(labels, proba, multi_class="ovr", average=average, sample_weight=w)
        assert one_vs_rest_auc(rankings, average) == pytest.approx(expected, rel=1e-12)
    for average in ("macro", "weighted"):
        expected = metrics.roc_auc_score(labels, proba, multi_class="ovo", average=average)
        assert hand_till_auc(rank_scores(proba, labels), average) == pytest.approx(expected, rel=1e-12)


@given(CLASSES)
def test_each_pair_is_a_curve_of_its_own(case: tuple[int, int, int, bool]) -> None:
    proba, labels, w = many(*case)
    rankings = rank_scores(proba, labels, w)
    table, alone = pairwise_auc(rankings), class_auc(rankings)
    for i in range(proba.shape[1]):
        assert alone[i] == pytest.approx(RocCurve.of(proba[:, i], labels == i, w).auc, rel=1e-12, abs=1e-14)
        for j in set(range(proba.shape[1])) - {i}:
            rows = np.isin(labels, (i, j))
            pair = RocCurve.of(proba[rows, i], labels[rows] == i, None if w is None else w[rows])
            assert table[i, j] == pytest.approx(pair.auc, rel=1e-12, abs=1e-14)
    assert np.diag(table).tolist() == [0.5] * proba.shape[1]


@given(CLASSES)
def test_merged_shards_are_the_whole(case: tuple[int, int, int, bool]) -> None:
    proba, labels, w = many(*case)
    halves = [np.arange(len(labels)) % 2 == side for side in (0, 1)]
    shards = [rank_scores(proba[rows], labels[rows], None if w is None else w[rows]) for rows in halves if rows.any()]
    merged, whole = Rankings.sum(shards), rank_scores(proba, labels, w)
    assert hand_till_auc(merged) == pytest.approx(hand_till_auc(whole), rel=1e-12)
    for average in ("macro", "weighted", "micro"):
        assert one_vs_rest_auc(merged, average) == pytest.approx(one_vs_rest_auc(whole, average), rel=1e-12)


THREE = rank_scores([[0.8, 0.1, 0.1], [0.3, 0.3, 0.4], [0.3, 0.2, 0.5]], [0, 1, 2])


def test_bad_input_gets_one_sentence() -> None:
    with pytest.raises(
        BadInput, match=r"^hand_till_auc: average must be one of \('macro', 'weighted'\), got 'micro'\."
    ):
        hand_till_auc(THREE, "micro")
    with pytest.raises(BadInput, match=r"^one_vs_rest_auc: average must be one of .*'micro'\), got 'mean'\."):
        one_vs_rest_auc(THREE, "mean")
    with pytest.raises(
        BadInput, match=r"^AUC: rankings must be of as many columns .*, got 1 columns and 2 classes\. F"
    ):
        hand_till_auc(rank_scores([0.1, 0.9], [0, 1]))
    with pytest.raises(BadInput, match=r"^AUC: rows must be of every class, got none of class number 1\. Leave its"):
        one_vs_rest_auc(rank_scores([[0.8, 0.1, 0.1], [0.3, 0.3, 0.4]], [0, 2]))
