"""Tests of differences: counts of errors, McNemar, paired t, signs, signed ranks, Friedman and Nemenyi."""

from __future__ import annotations

from itertools import product
from math import comb, inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LogisticRegression

from suffice import GaussianNB
from suffice.core.errors import NeverAdded, NotASummary
from suffice.evaluation import (
    ErrorCount,
    PairedErrors,
    Scores,
    cross_validate,
    friedman,
    paired_t,
    sign_test,
    signed_ranks,
)

rng = np.random.default_rng(4)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
@pytest.mark.parametrize(("errors", "n"), [(0, 10), (1, 44), (10, 44), (44, 44)])
def test_intervals_of_a_count(errors: int, n: int, level: float) -> None:
    count = ErrorCount(errors, n)
    wilson = stats.binomtest(errors, n).proportion_ci(level, method="wilson")
    np.testing.assert_allclose(count.interval(level, "wilson"), np.array(wilson) * n, rtol=1e-12, atol=1e-12)
    p = errors / n
    half = stats.norm.ppf(0.5 + level / 2) * sqrt(n * p * (1 - p))
    np.testing.assert_allclose(count.interval(level), [errors - half, errors + half], rtol=1e-9, atol=1e-12)
    assert count.reliable == (errors == 10)


def test_errors_are_counted_and_add() -> None:
    """C.M07.13: number and share of errors beside the confusion table, whose two kinds of error differ in cost."""
    y, said = list("aabbb"), ["a", "b", "b", "a", None]
    scores = Scores.of(y, None, predicted=said)
    count = ErrorCount.from_scores(scores)
    assert (count.errors, count.n, count.share) == (2.0, 4.0, 0.5)
    assert ErrorCount.of(y, said) == count
    assert (scores.confusion.table[0, 1], scores.confusion.table[1, 0]) == (1.0, 1.0)
    halves = ErrorCount.of(y[:2], said[:2]) + ErrorCount.of(y[2:], said[2:])
    assert halves == count
    assert ErrorCount.of(["a", "b"], ["a", "a"], sample_weight=[3.0, 1.0]).share == 0.25
    with pytest.raises(NotASummary, match="ErrorCount"):
        count + 3  # type: ignore[operator]


def test_intervals_meet_by_share_not_by_number() -> None:
    small, large = ErrorCount(10, 20), ErrorCount(100, 200)
    assert small.meets(large)
    assert large.meets(small)
    assert not ErrorCount(10, 1000).meets(large)
    assert not ErrorCount(10, 1000).meets(large, method="wilson")


answers = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=30)


@given(answers)
def test_paired_errors_are_counted(rows: Any) -> None:
    y, first, second = zip(*rows, strict=True)
    paired = PairedErrors.of(y, first, second)
    assert paired.only_first == sum(a != t and b == t for t, a, b in rows)
    assert paired.only_second == sum(a == t and b != t for t, a, b in rows)
    assert paired["both wrong"] == sum(a != t and b != t for t, a, b in rows)
    assert paired.first.errors == sum(a != t for t, a, _ in rows)
    assert paired.second.errors == sum(b != t for t, _, b in rows)
    swapped = PairedErrors.of(y, second, first)
    assert swapped.mcnemar() == paired.mcnemar()
    doubled = PairedErrors.of(y, first, second, sample_weight=[2.0] * len(rows))
    assert doubled.only_first == 2 * paired.only_first == (paired + paired).only_first


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_by_its_formula_and_by_coins(a: int, b: int) -> None:
    """C.M07.17, C.E39: squared corrected difference over the total; C.W23: chi-squared with one degree of freedom."""
    paired = PairedErrors.from_counts(a, b, both_right=100)
    corrected, plain = paired.mcnemar(), paired.mcnemar(correction=False)
    if a + b == 0:
        assert (corrected.statistic, corrected.p, paired.exact().p) == (0.0, 1.0, 1.0)
        return
    if a != b:  # at a == b the correction would make a difference of one row out of none
        assert corrected.statistic == pytest.approx((abs(a - b) - 1) ** 2 / (a + b), rel=1e-12)
    else:
        assert corrected.statistic == 0.0
    assert plain.statistic == pytest.approx((a - b) ** 2 / (a + b), rel=1e-12)
    assert corrected.p == pytest.approx(stats.chi2.sf(corrected.statistic, 1), rel=1e-12)
    assert paired.exact().p == pytest.approx(stats.binomtest(min(a, b), a + b).pvalue, rel=1e-9)
    tail = sum(comb(a + b, i) for i in range(min(a, b) + 1)) / 2 ** (a + b)
    assert paired.exact().p == pytest.approx(min(1.0, 2 * tail), rel=1e-9)


def test_refused_answers_count_as_wrong_and_labels_need_not_be_known() -> None:
    paired = PairedErrors.of(["a", "b", "new"], ["a", None, "new"], ["a", "refused", "b"], refusal="refused")
    assert (paired["both right"], paired["both wrong"], paired.only_second) == (1.0, 1.0, 1.0)


def test_paired_errors_can_be_taken_away() -> None:
    one, more = PairedErrors.from_counts(3, 1), PairedErrors.from_counts(5, 1, 7)
    assert str(one + more - one) == str(more)
    assert (more - PairedErrors.from_counts(5, 1, 7)).n == 0.0
    with pytest.raises(NeverAdded):
        one - more


@pytest.mark.parametrize("n", [2, 5, 40])
def test_without_overlap_the_t_test_is_scipys(n: int) -> None:
    a = rng.normal(size=n) + 1e3
    b = a + rng.normal(size=n) * 0.1 + 0.05
    found, expected = paired_t(a, b), stats.ttest_rel(a, b)
    assert found.result.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert found.result.p == pytest.approx(expected.pvalue, rel=1e-9)
    np.testing.assert_allclose(found.interval(0.9), expected.confidence_interval(0.9), rtol=1e-9)


def test_overlap_is_corrected() -> None:
    """By the formula of Nadeau and Bengio: ten folds make t smaller by sqrt(0.1 / (0.1 + 1 / 9))."""
    a, b = rng.normal(size=10), rng.normal(size=10) + 1
    plain, corrected = paired_t(a, b), paired_t(a, b, test_ratio=1 / 9)
    assert corrected.result.statistic == pytest.approx(plain.result.statistic * sqrt(0.1 / (0.1 + 1 / 9)), rel=1e-12)
    d = a - b
    by_hand = d.mean() / sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    assert corrected.result.statistic == pytest.approx(by_hand, rel=1e-12)
    assert corrected.result.p == pytest.approx(2 * stats.t.sf(abs(by_hand), 9), rel=1e-12)


def test_differences_that_do_not_vary() -> None:
    assert paired_t([0.5, 0.7, 0.1], [0.5, 0.7, 0.1]).result[1:] == (0.0, 1.0)
    assert paired_t([0.5, 0.7, 0.9], [0.4, 0.6, 0.8]).result[1:] == (inf, 0.0)
    assert paired_t([0.4, 0.6, 0.8], [0.5, 0.7, 0.9]).result[1:] == (-inf, 0.0)


def test_folds_of_two_models() -> None:
    X = rng.normal(size=(100, 2))
    y = (X[:, 0] > 0).astype(int)
    first, second = (cross_validate(m, X, y, cv=10).values("accuracy") for m in (LogisticRegression(), GaussianNB()))
    found = paired_t(first, second, test_ratio=1 / 9)
    assert found.difference == pytest.approx((first - second).mean())
    assert str(found).startswith("difference ")


@pytest.mark.parametrize(("wins", "losses", "ties"), [(5, 0, 1), (3, 3, 0), (0, 0, 4), (1, 9, 2)])
def test_the_sign_test(wins: int, losses: int, ties: int) -> None:
    first = np.repeat([1.0, 0.0, 0.5], [wins, losses, ties])
    found = sign_test(first, np.repeat([0.0, 1.0, 0.5], [wins, losses, ties]))
    assert tuple(found) == (wins, losses, ties)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert found.result.p == pytest.approx(expected, rel=1e-9)


def test_signed_ranks_by_all_signs() -> None:
    """The exact distribution: every sign of every difference is as likely."""
    d = np.array([0.3, -0.1, 0.7, 0.45, 0.2, 0.9])
    ranks = stats.rankdata(np.abs(d))
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    sums = [ranks[np.array(signs)].sum() for signs in product([False, True], repeat=6)]
    p = np.mean([min(s, ranks.sum() - s) <= smaller for s in sums])
    found = signed_ranks(d, np.zeros(6))
    assert (found.statistic, found.p) == pytest.approx((smaller, p), rel=1e-12)
    assert signed_ranks([1.0, 2.0], [1.0, 2.0]).p == 1.0


AUC = np.array(  # four decision trees on fourteen data sets: J. Demsar (2006), table 6
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.97501, 0.975],  # printed with the same digits, but ranked as different
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_fourteen_data_sets() -> None:
    """The published mean ranks, F and critical differences; the published chi-squared leaves ties uncorrected."""
    found = friedman(AUC, ["plain", "m", "cf", "m+cf"])
    np.testing.assert_allclose(found.mean_ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    uncorrected = 12 * 14 / (4 * 5) * ((found.mean_ranks**2).sum() - 4 * 25 / 4)
    assert uncorrected == pytest.approx(9.28, abs=0.006)
    assert (13 * uncorrected / (14 * 3 - uncorrected)) == pytest.approx(3.69, abs=0.006)
    assert found.critical_difference(0.95) == pytest.approx(1.25, abs=0.005)
    assert found.critical_difference(0.90) == pytest.approx(1.12, abs=0.005)
    assert not found.different(0.95).any()
    expected = np.zeros((4, 4), dtype=bool)
    expected[0, [1, 3]] = expected[[1, 3], 0] = True
    np.testing.assert_array_equal(found.different(0.90), expected)
    np.testing.assert_array_equal(found.pair_p <= 0.10, expected)


@pytest.mark.parametrize("k", [3, 4, 6])
@pytest.mark.parametrize("decimals", [1, 9], ids=["tied", "untied"])
def test_friedman_is_scipys(k: int, decimals: int) -> None:
    scores = rng.normal(size=(12, k)).round(decimals)
    found, expected = friedman(scores), stats.friedmanchisquare(*scores.T)
    assert found.result.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert found.result.p == pytest.approx(expected.pvalue, rel=1e-9)
    reverse = friedman(-scores, larger_is_better=False)
    np.testing.assert_array_equal(reverse.ranks, found.ranks)
    chi = expected.statistic
    f = 11 * chi / (12 * (k - 1) - chi)
    assert found.f_result.statistic == pytest.approx(f, rel=1e-9)
    assert found.f_result.p == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * 11), rel=1e-9)


def test_nemenyi_critical_values() -> None:
    """The tables of two-tailed critical values for 2 to 10 models."""
    table = {
        0.95: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
        0.90: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
    }
    for level, values in table.items():
        for k, value in zip(range(2, 11), values, strict=True):
            found = friedman(rng.normal(size=(5, k))).critical_difference(level) / sqrt(k * (k + 1) / 30)
            assert found == pytest.approx(value, abs=1.5e-3)


def test_two_models_and_models_that_agree() -> None:
    two = friedman(rng.normal(size=(9, 2)))
    wins = (two.ranks[:, 0] == 1).sum()
    assert two.result.statistic == pytest.approx((wins - (9 - wins)) ** 2 / 9, rel=1e-12)  # the sign test's
    same = friedman(np.ones((4, 3)))
    assert (same.result.statistic, same.result.p) == (0.0, 1.0)
    assert (same.pair_p == 1.0).all()
    always = friedman(np.tile([1.0, 2.0, 3.0], (5, 1)))
    assert (always.f_result.statistic, always.f_result.p) == (inf, 0.0)
    assert str(always).splitlines()[-3].split() == ["2", "1.000"]
