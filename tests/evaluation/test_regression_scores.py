"""Scores of predicted numbers: scikit-learn's, whole from any shards, with large offsets and weights."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isnan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from suffice.core.errors import BadInput, NeverAdded
from suffice.evaluation import Estimate, RegressionScores
from suffice.persistence import from_bytes, to_bytes
from suffice.testing.sameness import identical

CASES = st.tuples(st.integers(0, 2**32 - 1), st.integers(2, 50), st.booleans())
READ = ("mean_squared_error", "root_mean_squared_error", "mean_absolute_error", "mean_error", "r2")


def made(seed: int, n: int, weighted: bool) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n) * 3.0 + rng.choice([0.0, 5.0])
    return y, y + rng.normal(size=n) * rng.choice([0.1, 4.0]), rng.choice([0.5, 1.0, 3.0], n) if weighted else None


@given(CASES)
def test_values_are_those_of_scikit_learn(case: Any) -> None:
    y, predicted, w = made(*case)
    scores = RegressionScores.of(y, predicted, w)
    peers = {
        "mean_squared_error": metrics.mean_squared_error,
        "root_mean_squared_error": metrics.root_mean_squared_error,
        "mean_absolute_error": metrics.mean_absolute_error,
        "r2": metrics.r2_score,
    }
    for name, peer in peers.items():
        expected = peer(y, predicted, sample_weight=w)
        assert getattr(scores, name).value == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert scores.mean_error.value == pytest.approx(np.average(y - predicted, weights=w), rel=1e-12, abs=1e-14)


@given(CASES, st.lists(st.integers(0, 50), max_size=3), st.randoms(use_true_random=False))
def test_shards_in_any_order_are_the_whole(case: Any, cuts: list[int], chance: Any) -> None:
    y, predicted, w = made(*case)
    pieces = np.split(np.arange(len(y)), sorted(cuts))
    shards = [RegressionScores.of(y[p], predicted[p], None if w is None else w[p]) for p in pieces]
    chance.shuffle(shards)
    whole = RegressionScores.of(y, predicted, w)
    for name in READ:
        np.testing.assert_allclose(getattr(RegressionScores.sum(shards), name), getattr(whole, name), rtol=1e-12)
    left = RegressionScores.sum(shards) - shards[0]
    others = RegressionScores.sum([RegressionScores.of([], []), *shards[1:]])
    for name in READ:
        np.testing.assert_allclose(getattr(left, name), getattr(others, name), rtol=1e-9, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(2, 30))
def test_an_offset_of_1e8_loses_no_digits(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    y = 1e8 + rng.normal(size=n)
    predicted = y + rng.normal(size=n) * 0.1
    exact = [Fraction(v) for v in y]
    errors = [(a - Fraction(p)) ** 2 for a, p in zip(exact, predicted, strict=True)]
    middle = sum(exact) / n
    r2 = float(1 - sum(errors) / sum((a - middle) ** 2 for a in exact))
    half = n // 2
    shards = RegressionScores.of(y[:half], predicted[:half]) + RegressionScores.of(y[half:], predicted[half:])
    assert shards.r2.value == pytest.approx(r2, rel=1e-12)
    assert shards.mean_squared_error.value == pytest.approx(float(sum(errors) / n), rel=1e-13)


@given(CASES)
def test_intervals_are_those_of_the_sample_variance(case: Any) -> None:
    y, predicted, _ = made(*case)
    scores, n, error = RegressionScores.of(y, predicted), len(y), y - predicted
    for name, values, least in (
        ("mean_squared_error", error**2, 0.0),
        ("mean_absolute_error", np.abs(error), 0.0),
        ("mean_error", error, -inf),
    ):
        half = stats.norm.ppf(0.975) * values.std(ddof=1) / sqrt(n)
        low, high = max(values.mean() - half, least), values.mean() + half
        np.testing.assert_allclose(getattr(scores, name), (values.mean(), low, high, n), rtol=1e-9, atol=1e-12)
    mse, variance = scores.mean_squared_error, y.var()
    expected = (1 - mse.value / variance, 1 - mse.high / variance, 1 - mse.low / variance, n)
    np.testing.assert_allclose(scores.r2, expected, rtol=1e-9, atol=1e-12)


def test_targets_that_do_not_vary_leave_nothing_to_explain() -> None:
    scores = RegressionScores.of([2.0, 2.0, 2.0], [2.0, 2.5, 1.5])
    assert isnan(scores.r2.value)
    assert scores.r2[1:] == (-inf, 1.0, 3.0)
    assert scores.mean_squared_error.value == pytest.approx(0.5 / 3, rel=1e-15)


def test_one_row_and_no_row() -> None:
    one = RegressionScores.of([1.0], [3.0])
    assert one.mean_squared_error == Estimate(4.0, 0.0, inf, 1.0)
    for none in (RegressionScores.of([], []), one - one, RegressionScores.of([1.0], [3.0], [0.0])):
        assert all(isnan(getattr(none, name).value) for name in READ)
        assert identical((none + one).mean_squared_error, one.mean_squared_error)


def test_files_bring_the_same_back_and_what_was_never_added_stays() -> None:
    scores = RegressionScores.of(*made(3, 20, True))
    loaded = from_bytes(to_bytes(scores))
    assert identical(loaded, scores)
    assert identical(loaded + scores, scores + scores)
    with pytest.raises(NeverAdded, match=r"^forget: the rows must have been added before"):
        RegressionScores.of([1.0], [1.0]) - scores


def test_printed() -> None:
    assert str(RegressionScores.of([1.0, 2.0, 3.0, 4.0], [1.5, 2.0, 2.5, 4.0])).splitlines() == [
        "score                   value          95 % interval  of rows",
        "mean squared error      0.125          0 to 0.266448        4",
        "root of it           0.353553          0 to 0.516186        4",
        "mean absolute error      0.25          0 to 0.532896        4",
        "mean error                  0  -0.400076 to 0.400076        4",
        "R2                        0.9          0.786841 to 1        4",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0], [1.0]), r"y_pred must be one number for each of the 2 rows of y_true, got 1"),
        (([1.0, np.nan], [1.0, 2.0]), r"y_true must be finite, got nan in row 1\. Leave the row out"),
        (([1.0, 2.0], [np.inf, 2.0]), r"y_pred must be finite, got inf in row 0"),
        ((["a"], [1.0]), r"y_true must be numbers, got \['a'\]"),
        (([[1.0]], [1.0]), r"y_true must be one column of numbers, got shape \(1, 1\)"),
        (
            ([1e200], [-1e200]),
            r"y_pred must be within 1e\+150 of y_true, got -1e\+200\. Its squared error has no float",
        ),
        (([1.0], [1.0], [-1.0]), r"sample_weight must be at least 0, got -1\.0"),
        (([1.0], [1.0], [1.0, 2.0]), r"sample_weight must be one column of 1 numbers"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: Any, message: str) -> None:
    with pytest.raises(BadInput, match=f"^RegressionScores: {message}"):
        RegressionScores.of(*arguments)
