"""Bias and variance: the identities are exact for any predictions, and the models are those of the replicas."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge as PeerRidge
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

from suffice import GaussianNB, PolynomialRegression, Ridge
from suffice.evaluation import Bootstrap, SquaredErrorParts, ZeroOneParts, bias_variance

rng = np.random.default_rng(9)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("measured", [1, 3])
def test_the_squared_error_is_the_sum_of_its_parts(measured: int, offset: float) -> None:
    """C.M11.10, C.R17: over all pairs of a prediction and a measured target; C.E07: squared deviations."""
    y, t = rng.normal(size=(25, 40)) + offset, rng.normal(size=(40, measured)) + offset
    parts = SquaredErrorParts.of(y, t if measured > 1 else t[:, 0])
    error = ((y[:, :, None] - t) ** 2).mean()
    assert parts.squared_error == pytest.approx(error, rel=1e-12)
    assert parts.bias_squared + parts.variance + parts.noise == pytest.approx(error, rel=1e-12)
    near = 1e-13 if not offset else 1e-7
    assert parts.bias_squared == pytest.approx(((y.mean(axis=0) - t.mean(axis=1)) ** 2).mean(), rel=near)
    assert parts.variance == pytest.approx(y.var(axis=0).mean(), rel=near)
    assert parts.noise == pytest.approx(t.var(axis=1).mean(), rel=near, abs=1e-25)
    assert np.abs((y.mean(axis=0) - y).mean(axis=0)).max() < 1e-6  # C.E07: without the square there is never any


def test_rows_that_few_models_predict() -> None:
    y = rng.normal(size=(6, 9))
    y[rng.random((6, 9)) < 0.4] = np.nan
    y[:, 4] = np.nan
    t, w = rng.normal(size=9), rng.integers(1, 4, 9).astype(float)
    parts = SquaredErrorParts.of(y, t, w)
    lines = [y[~np.isnan(y[:, i]), i] for i in range(9)]
    errors = np.array([((line - t[i]) ** 2).mean() if len(line) else 0.0 for i, line in enumerate(lines)])
    live = np.arange(9) != 4
    assert parts.squared_error == pytest.approx(np.average(errors[live], weights=w[live]), rel=1e-12)
    assert np.isnan(parts.bias_by_row[4])
    assert parts.weight[4] == 0.0


labels = st.integers(2, 5).flatmap(
    lambda K: st.tuples(
        st.lists(st.lists(st.integers(0, K - 1), min_size=4, max_size=4), min_size=1, max_size=7),
        st.lists(st.integers(0, K - 1), min_size=4, max_size=4),
        st.lists(st.integers(1, 3), min_size=4, max_size=4),
        st.sampled_from(["first", "last"]),
    )
)


@given(labels)
def test_the_error_is_the_sum_of_its_parts_for_any_number_of_classes(case: Any) -> None:
    """C.E06, C.M11.11: only deviations that land on the true class are taken off."""
    answers, truth, weight, ties = case
    y, t, w = np.array(answers), np.array(truth), np.array(weight, dtype=float)
    parts = ZeroOneParts.of(y, t, w, ties=ties)
    error = np.average((y != t).mean(axis=0), weights=w)
    assert parts.error == pytest.approx(error, abs=1e-12)
    assert parts.bias + parts.unbiased_variance - parts.biased_variance == pytest.approx(error, abs=1e-12)
    for i in range(4):
        votes = Counter(y[:, i].tolist())
        most = [label for label, count in votes.items() if count == max(votes.values())]
        assert parts.main[i] == (min(most) if ties == "first" else max(most))
        assert parts.tied[i] == (len(most) > 1)
        assert parts.bias_by_row[i] == (parts.main[i] != t[i])
        assert parts.deviating[i] == pytest.approx((y[:, i] != parts.main[i]).mean(), abs=1e-15)
    copies = ZeroOneParts.of(np.repeat(y, weight, axis=1), np.repeat(t, weight), ties=ties)
    assert (copies.bias, copies.variance) == pytest.approx((parts.bias, parts.variance), abs=1e-12)


def test_two_classes_need_no_correction() -> None:
    """C.R16: with two classes every deviation from a wrong answer hits the true class."""
    t = rng.integers(0, 2, 40)
    y = (rng.random((60, 40)) < np.where(t, 0.7, 0.35)).astype(int)
    parts = ZeroOneParts.of(y, t)
    main = (y.mean(axis=0) > 0.5).astype(int)
    wrong, variance = main != t, (y != main).mean(axis=0)
    naive = wrong.mean() + variance[~wrong].sum() / 40 - variance[wrong].sum() / 40
    assert parts.error == pytest.approx(naive, abs=1e-12) == (y != t).mean()
    assert parts.net_variance == pytest.approx(parts.error - parts.bias, abs=1e-12)


def test_three_classes_do() -> None:
    """C.E06: for three classes, counting every deviation from a wrong answer makes the error too small."""
    t, y = rng.integers(0, 3, 40), rng.integers(0, 3, (60, 40))
    parts = ZeroOneParts.of(y, t)
    wrong = parts.bias_by_row == 1.0
    naive = parts.bias + parts.unbiased_variance - parts.deviating[wrong].sum() / 40
    assert naive < parts.error - 0.1
    assert parts.bias + parts.net_variance == pytest.approx((y != t).mean(), abs=1e-12)


def test_ties_follow_a_rule() -> None:
    """C.E08: rounding the mean of 0 and 1 sends a tie to 0 without saying so, and works for no other labels."""
    y, t = [["no", "b"], ["yes", "b"]], ["yes", "b"]
    first, last = ZeroOneParts.of(y, t), ZeroOneParts.of(y, t, ties="last")
    assert (first.main, last.main) == (("no", "b"), ("yes", "b"))
    assert (first.bias, last.bias) == (0.5, 0.0)
    assert first.tied.tolist() == [True, False]
    assert first.error == last.error == 0.25
    assert np.round(np.mean([0, 1])) == 0 == ZeroOneParts.of([[0], [1]], [1]).main[0]


def test_unknown_labels_and_rows_without_answers() -> None:
    parts = ZeroOneParts.of([["a", None, "a"], ["b", None, None]], ["new", "a", "a"])
    assert parts.main == ("a", None, "a")
    assert parts.weight.tolist() == [1.0, 0.0, 1.0]
    assert (parts.error, parts.bias, parts.biased_variance) == (0.5, 0.5, 0.0)


def fits(x: Any, y: Any, degree: int, at: Any, replicas: Any) -> Any:
    return np.array([np.polyval(np.polyfit(x[rows], y[rows], degree), at) for rows, _ in replicas.split(x)])


@pytest.mark.parametrize("degree", [1, 3, 5])
def test_polynomials_over_replicas_and_a_test_set(degree: int) -> None:
    """C.M11.07, C.M11.09: bias and variance of polynomials, on rows that no model has learned from."""
    x, at = np.linspace(-2, 2, 60), np.linspace(-1.9, 1.9, 31)
    y, t = np.sin(2 * x) + 0.2 * rng.normal(size=60), np.sin(2 * at)
    replicas = Bootstrap(20, 4)
    parts = bias_variance(PolynomialRegression(degree=degree), x[:, None], y, at[:, None], t, replicas=replicas)
    assert isinstance(parts, SquaredErrorParts)
    made = fits(x, y, degree, at, replicas)
    assert parts.bias_squared == pytest.approx(((made.mean(axis=0) - t) ** 2).mean(), rel=1e-7)
    assert parts.variance == pytest.approx(made.var(axis=0).mean(), rel=1e-7)
    assert parts.noise == 0.0


def test_rows_left_out_take_the_place_of_a_test_set() -> None:
    x, y = rng.normal(size=(40, 2)), rng.integers(0, 3, 40)
    made = np.full((15, 40), None, dtype=object)
    for m, (rows, left_out) in enumerate(Bootstrap(15, 0).split(x)):
        made[m, left_out] = KNeighborsClassifier(3).fit(x[rows], y[rows]).predict(x[left_out])
    expected, found = ZeroOneParts.of(made, y), bias_variance(KNeighborsClassifier(3), x, y, replicas=15)
    assert (found.error, found.variance) == (expected.error, expected.variance)
    assert found.main == expected.main


@pytest.mark.parametrize("splitter", [KFold(4), ShuffleSplit(6, random_state=1)], ids=str)
@pytest.mark.parametrize("weights", [None, rng.integers(1, 4, 40).astype(float)], ids=["alike", "weighted"])
def test_training_sets_of_any_splitter(splitter: Any, weights: Any) -> None:
    x, y, at, t = rng.normal(size=(40, 2)), rng.normal(size=40), rng.normal(size=(12, 2)), rng.normal(size=12)
    found = bias_variance(Ridge(), x, y, at, t, replicas=splitter, sample_weight=weights)
    made = [
        PeerRidge().fit(x[a], y[a], sample_weight=None if weights is None else weights[a]).predict(at)
        for a, _ in splitter.split(x)
    ]
    expected = SquaredErrorParts.of(made, t)
    assert (found.bias_squared, found.variance) == pytest.approx((expected.bias_squared, expected.variance), rel=1e-9)


def test_test_rows_may_be_weighted() -> None:
    x, y = rng.normal(size=(60, 1)), rng.integers(0, 2, 60)
    w = rng.integers(0, 3, 20).astype(float)
    found = bias_variance(GaussianNB(), x[:40], y[:40], x[40:], y[40:], replicas=9, test_weight=w)
    copied = np.repeat(np.arange(40, 60), w.astype(int))
    expected = bias_variance(GaussianNB(), x[:40], y[:40], x[copied], y[copied], replicas=9)
    assert (found.error, found.bias) == pytest.approx((expected.error, expected.bias), abs=1e-12)
