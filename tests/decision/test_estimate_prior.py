"""The class prior of rows without labels: the best there is, certified, on every step better than before."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from suffice.core.errors import BadInput
from suffice.decision import Posterior, estimate_prior, shift_prior, uniform


def normal_rows(n: int, share: float, seed: int, gap: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two normal classes and their exact posterior under even priors."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    x = rng.normal(gap * y, 1.0)
    ratio = np.exp(gap * x - gap**2 / 2)
    return np.column_stack([1 / (1 + ratio), ratio / (1 + ratio)]), y


def log_likelihood(prior: np.ndarray, likelihood: np.ndarray) -> float:
    return float(np.log(likelihood @ prior).mean())


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_two_classes_against_a_scalar_search(share: float) -> None:
    """The maximum of a concave function of one number, which SciPy finds to half the digits."""
    proba, y = normal_rows(3000, share, seed=1)
    found = estimate_prior(proba, "uniform", tol=1e-12)
    best = minimize_scalar(
        lambda p: -np.log(proba @ [1 - p, p]).mean(), bounds=(0, 1), method="bounded", options={"xatol": 1e-10}
    )
    assert found.settled
    assert found.prior[1] == pytest.approx(best.x, abs=1e-6)
    assert found.prior[1] == pytest.approx(y.mean(), abs=5 * math.sqrt(0.25 / 3000))


@given(
    counts=st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=1, max_size=12),
    old=st.lists(st.integers(1, 9), min_size=3, max_size=3),
)
def test_every_step_is_better_and_the_gap_is_a_bound(counts: list[list[int]], old: list[int]) -> None:
    """Expectation-maximisation never goes down; random priors are never better by more than the gap says."""
    rows = np.array(counts, dtype=float)
    proba, prior = rows / rows.sum(axis=1, keepdims=True), np.array(old) / sum(old)
    found = estimate_prior(proba, prior, max_iter=20_000, tol=1e-6)
    likelihood = proba / prior
    way = [log_likelihood(each, likelihood) for each in found.trace]
    assert np.diff(way).min(initial=0.0) >= -1e-14
    assert found.settled
    others = np.random.default_rng(0).dirichlet(np.ones(3), 200)
    assert max(log_likelihood(other, likelihood) for other in others) <= way[-1] + found.gap + 1e-14
    np.testing.assert_array_equal(found.trace[0], prior)
    np.testing.assert_array_equal(found.trace[-1], found.prior)
    assert found.steps == len(found.trace) - 1


def test_a_step_is_the_mean_of_the_shifted_posterior() -> None:
    """Saerens' two lines: shift the posterior to the prior so far, then take its mean."""
    proba, _ = normal_rows(200, 0.2, seed=3)
    old = np.array([0.4, 0.6])
    posterior = Posterior(shift_prior(proba, "uniform", old), old)
    found = estimate_prior(*posterior)
    step = old
    for number in range(1, 6):
        step = posterior.shift(step).proba.mean(axis=0)
        np.testing.assert_allclose(found.trace[number], step, rtol=1e-13)
    at_rest = posterior.shift(found.prior).proba.mean(axis=0)
    np.testing.assert_allclose(at_rest, found.prior, atol=1e-8)


def test_the_prior_of_training_is_found_again() -> None:
    """Where the posteriors are those of these very rows, their mean is the prior, and the first look settles it."""
    proba = np.array([[0.9, 0.1], [0.3, 0.7], [0.6, 0.4]])
    found = estimate_prior(proba, proba.mean(axis=0))
    assert found.settled
    assert found.steps == 0
    assert found.gap <= 1e-15


def test_certain_rows_give_their_shares() -> None:
    """Posteriors of 0 and 1 are labels, whatever prior they assume."""
    proba = np.eye(3)[[0, 0, 1, 2, 0]]
    np.testing.assert_allclose(estimate_prior(proba, [0.1, 0.2, 0.7]).prior, [0.6, 0.2, 0.2], rtol=1e-14)


def test_a_class_that_is_not_there_gets_next_to_nothing() -> None:
    """On the edge of the simplex convergence is slow, and still certified."""
    proba, _ = normal_rows(2000, 0.0, seed=5)
    found = estimate_prior(proba, "uniform")
    assert found.settled
    assert found.prior[1] < 0.01


def test_weights_are_copies() -> None:
    proba, _ = normal_rows(50, 0.4, seed=7)
    w = np.arange(50) % 4
    weighted = estimate_prior(proba, "uniform", sample_weight=w)
    copied = estimate_prior(np.repeat(proba, w, axis=0), "uniform")
    np.testing.assert_allclose(weighted.prior, copied.prior, rtol=1e-12)
    moved = np.where(w[:, None] == 0, [[0.5, 0.5]], proba)
    np.testing.assert_array_equal(estimate_prior(moved, "uniform", sample_weight=w).prior, weighted.prior)


def test_a_class_of_prior_0_stays_at_0() -> None:
    proba = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]])
    assert estimate_prior(proba, [0.5, 0.5, 0.0]).prior[2] == 0.0


def test_it_says_when_it_has_not_settled() -> None:
    """By the result and by a warning; more steps mend it."""
    proba, _ = normal_rows(500, 0.1, seed=9, gap=0.5)
    with pytest.warns(
        RuntimeWarning, match=r"^estimate_prior: the prior has not settled in 3 steps; its mean log"
    ) as said:
        found = estimate_prior(proba, "uniform", max_iter=3)
    assert str(said[0].message).endswith("short of the best. Raise max_iter or tol.")
    assert not found.settled
    assert found.steps == 3
    assert found.gap > 1e-8
    assert estimate_prior(proba, "uniform").settled


def test_by_label() -> None:
    proba = [[0.9, 0.1], [0.2, 0.8]]
    named = estimate_prior(proba, {"cold": 0.25, "flu": 0.75}, classes=["flu", "cold"])
    np.testing.assert_array_equal(named.prior, estimate_prior(proba, [0.75, 0.25]).prior)
    with pytest.raises(BadInput, match="There is no such class"):
        estimate_prior(proba, {"cold": 0.25, "gout": 0.75}, classes=["flu", "cold"])


ROWS = "a table of probabilities, a row for each row and a column for each class"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: estimate_prior(np.zeros((0, 2)), "uniform"),
            "proba must be of at least one row, got (0, 2). Without rows there is no share to estimate.",
        ),
        (lambda: estimate_prior([0.5, 0.5], "uniform"), f"proba must be {ROWS}, got (2,)."),
        (
            lambda: estimate_prior([[0.5, 0.4]], "uniform"),
            f"proba must be {ROWS}, each row summing to 1, got [0.5, 0.4]. Row 0 sums to 0.9.",
        ),
        (
            lambda: estimate_prior([[1.5, -0.5]], "uniform"),
            f"proba must be {ROWS}, none of them negative, infinite or NaN, got [[1.5, -0.5]].",
        ),
        (lambda: estimate_prior([["a", "b"]], "uniform"), f"proba must be {ROWS}, got [['a', 'b']]."),
        (
            lambda: estimate_prior([[0.5, 0.5]], [0.5, 0.6]),
            "prior must be one probability per class, summing to 1, got [0.5, 0.6]. They sum to 1.1; divide them by "
            "that.",
        ),
        (
            lambda: estimate_prior([[0.5, 0.5]], [1.0, 0.0]),
            "prior must be above 0 for every class that has a probability somewhere, got [1.0, 0.0].",
        ),
        (
            lambda: estimate_prior([[0.5, 0.5]], "uniform", sample_weight=[0.0]),
            "sample_weight must be one number of at least 0 for each of the 1 rows, all finite and some of them above "
            "0, got [0.0].",
        ),
        (
            lambda: estimate_prior([[0.5, 0.5]], "uniform", sample_weight=[1, 1]),
            "sample_weight must be one number of at least 0 for each of the 1 rows, got (2,).",
        ),
        (
            lambda: estimate_prior([[0.5, 0.5]], "uniform", max_iter=0),
            "max_iter must be a whole number of at least 1, got 0.",
        ),
        (
            lambda: estimate_prior([[0.5, 0.5]], "uniform", tol=-1.0),
            "tol must be a finite number of at least 0, got -1.0.",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert str(caught.value) == f"estimate_prior: {message}"


def test_shift_prior_is_the_shift_of_a_posterior() -> None:
    """P.M192: the function over arrays, with priors in every form."""
    rng = np.random.default_rng(2)
    proba, old, new = rng.dirichlet(np.ones(4), 30), rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4))
    np.testing.assert_array_equal(shift_prior(proba, old, new), Posterior(proba, old).shift(new).proba)
    likelihood = Posterior(proba, old).likelihood()
    np.testing.assert_array_equal(shift_prior(proba, old, "uniform"), likelihood)
    named = dict(zip("abcd", new.tolist(), strict=True))
    np.testing.assert_array_equal(shift_prior(proba, old, named, "abcd"), shift_prior(proba, old, new))
    np.testing.assert_array_equal(shift_prior(proba, uniform(4), "uniform"), proba)


def test_shift_prior_takes_single_precision() -> None:
    """Rows of float32 sum to 1 but for its rounding."""
    proba = np.random.default_rng(0).dirichlet(np.ones(50), 20).astype(np.float32)
    shifted = shift_prior(proba, "uniform", np.arange(1, 51) / 1275)
    np.testing.assert_allclose(shifted.sum(axis=1), 1.0, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.5, 0.4]], "uniform", "uniform"), "Row 0 sums to 0.9."),
        (([[0.5, 0.5]], "uniform", [0.2, 0.2]), "They sum to 0.4; divide them by that."),
        (([[0.5, 0.5]], "flat", "uniform"), "got 'flat'."),
        (([[0.5, 0.5]], "uniform", {0: 0.5, 2: 0.5}), "There is no such class."),
        (([[1.0, 0.0]], [1.0, 0.0], "uniform"), "Learn again with rows of that class."),
        (([[0.5, 0.5]], [0.2, 0.3, 0.5], "uniform"), "got [0.2, 0.3, 0.5]."),
    ],
)
def test_shift_prior_messages(arguments: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        shift_prior(*arguments)
    assert str(caught.value).endswith(message)
