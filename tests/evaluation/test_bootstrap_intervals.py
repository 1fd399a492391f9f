"""Intervals by bootstrap: SciPy's from the same replicas, weights as copies, scores by their weights."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score

from suffice.evaluation import Bootstrap, Scores, bootstrap_interval
from suffice.evaluation.resampling.bootstrap_intervals import _acceleration, _by_weights

rng = np.random.default_rng(11)
SKEWED = rng.exponential(size=40)
OTHER = SKEWED + rng.normal(size=40)


def mean(x: Any) -> float:
    return float(np.mean(x))


def correlation(x: Any, y: Any) -> float:
    return float(np.corrcoef(x, y)[0, 1])


CASES = {
    "mean": (mean, (SKEWED,)),
    "mean far away": (mean, (SKEWED + 1e8,)),
    "median": (lambda x: float(np.median(x)), (SKEWED,)),
    "sd": (lambda x: float(np.std(x)), (SKEWED,)),
    "correlation": (correlation, (SKEWED, OTHER)),
}


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize(("statistic", "columns"), CASES.values(), ids=CASES)
def test_the_interval_is_scipys_from_the_same_replicas(
    statistic: Any, columns: Any, method: str, theirs: str, level: float
) -> None:
    found = bootstrap_interval(statistic, *columns, replicas=300, method=method, level=level)
    expected = stats.bootstrap(
        columns,
        statistic,
        paired=True,
        vectorized=False,
        method=theirs,
        confidence_level=level,
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=found.replicas),
    )
    near = (
        {"rtol": 1e-9, "atol": 0.0} if statistic is not mean or columns[0][0] < 1e6 else {"rtol": 1e-15, "atol": 1e-7}
    )
    np.testing.assert_allclose([found.low, found.high], expected.confidence_interval, **near)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-9)
    assert found.value == statistic(*columns)
    assert found.bias == pytest.approx(found.replicas.mean() - found.value, abs=1e-12)


def test_by_weights_and_by_rows_are_the_same() -> None:
    by_rows = bootstrap_interval(np.average, SKEWED, replicas=200)
    by_weights = bootstrap_interval(np.average, SKEWED, replicas=200, weights="weights")
    np.testing.assert_allclose(by_weights.replicas, by_rows.replicas, rtol=1e-13)
    np.testing.assert_allclose([by_weights.low, by_weights.high], [by_rows.low, by_rows.high], rtol=1e-12)


def test_a_score_of_ours_and_one_of_scikit_learn() -> None:
    y = rng.integers(0, 2, 60)
    p = np.clip(0.5 + 0.3 * (2 * y - 1) + rng.normal(scale=0.3, size=60), 0.01, 0.99)

    def accuracy(y: Any, p: Any, sample_weight: Any) -> float:
        proba = np.column_stack([1 - p, p])
        return Scores.of(y, proba, [0, 1], sample_weight=sample_weight).accuracy.value

    ours = bootstrap_interval(accuracy, y, p, weights="sample_weight", replicas=100)
    theirs = bootstrap_interval(accuracy_score, y, p > 0.5, weights="sample_weight", replicas=100)
    np.testing.assert_allclose(ours.replicas, theirs.replicas, rtol=1e-12)
    assert ours.low < ours.value < ours.high
    binomial = np.sqrt(ours.value * (1 - ours.value) / 60)
    assert ours.standard_error == pytest.approx(binomial, rel=0.3)


def test_a_weight_is_so_many_copies_for_the_correction_too() -> None:
    """The skewness of the influence of rows of weight w is that of w copies of each."""
    w = rng.integers(0, 4, 40).astype(float)
    copies = np.repeat(SKEWED, w.astype(int))
    weighted, copied = (_by_weights(np.average, (x,), "weights") for x in (SKEWED, copies))
    found = _acceleration(weighted, w, None, weighted(w))
    ones = np.ones(len(copies))
    assert found == pytest.approx(_acceleration(copied, ones, None, copied(ones)), rel=1e-10)
    skewness = stats.skew(copies) / (6 * np.sqrt(len(copies)))  # of a mean, the influence is the value itself
    assert found == pytest.approx(skewness, rel=1e-10)


def test_weighted_rows_are_drawn_by_weight() -> None:
    w = np.array([10.0, 30.0])
    found = bootstrap_interval(np.average, [0.0, 1.0], weights="weights", sample_weight=w, replicas=2000)
    assert found.value == 0.75
    assert found.standard_error == pytest.approx(np.sqrt(0.75 * 0.25 / 40), rel=0.05)


def test_groups_widen_the_interval() -> None:
    """Ten rows of a group that say the same are no ten rows."""
    means = rng.normal(size=20)
    x, groups = np.repeat(means, 10), np.repeat(np.arange(20), 10)
    alone, grouped = (bootstrap_interval(np.mean, x, groups=g, replicas=500) for g in (None, groups))
    assert grouped.standard_error / alone.standard_error == pytest.approx(np.sqrt(10), rel=0.15)
    by_mean = bootstrap_interval(np.mean, means, replicas=500)
    np.testing.assert_allclose([grouped.low, grouped.high], [by_mean.low, by_mean.high], rtol=1e-9)


def test_what_is_undefined_is_counted_and_left_out() -> None:
    def of(x: Any) -> float:
        return float("nan") if x.max() < 5 else float(x.mean())

    found = bootstrap_interval(of, [1.0, 2.0, 3.0, 5.0], replicas=400, method="percentile")
    assert found.undefined == pytest.approx(400 * 0.75**4, rel=0.25)
    assert len(found.replicas) == 400 - found.undefined
    assert f"undefined for {found.undefined} replicas" in str(found)


def test_what_never_varies_has_no_width() -> None:
    for method in ("bca", "percentile"):
        found = bootstrap_interval(np.mean, [2.0] * 7, replicas=50, method=method)
        assert (found.low, found.value, found.high, found.standard_error) == (2.0, 2.0, 2.0, 0.0)
    one = bootstrap_interval(np.mean, [2.0], replicas=1)
    assert (one.low, one.high) == (2.0, 2.0)
    assert np.isnan(one.standard_error)


def test_replicas_on_one_side_fall_back_to_percentiles() -> None:
    def of(x: Any) -> float:
        return float(len(np.unique(x)))  # below its value in nearly every replica

    found = bootstrap_interval(of, np.arange(30.0), replicas=Bootstrap(100, 3))
    assert found.value == 30.0
    assert found.high < 30.0


def test_the_interval_covers() -> None:
    """Of 300 samples, 90 % intervals of the mean hold the true one about as often (binomial sd 1.7 %)."""
    hits = 0
    for seed in range(300):
        x = np.random.default_rng(seed).exponential(size=60)
        found = bootstrap_interval(np.average, x, weights="weights", replicas=Bootstrap(200, seed), level=0.9)
        hits += found.low <= 1.0 <= found.high
    assert 0.83 < hits / 300 < 0.95
