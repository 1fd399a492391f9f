"""Exchanging the prior of a posterior: exact where numbers are ordinary, never nan where they are not."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.decision import Posterior, uniform


@pytest.fixture(autouse=True)
def _strict() -> Iterator[None]:
    """Any warning, and any floating-point signal but underflow, is a failure."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """A row's posterior, its prior (nowhere 0) and a new prior, as exact fractions over 2 to 10 classes."""
    K = draw(st.integers(2, 10))

    def shares(least: int) -> list[Fraction]:
        counts = draw(st.lists(st.integers(least, 1000), min_size=K, max_size=K).filter(any))
        return [Fraction(c, sum(counts)) for c in counts]

    return shares(0), shares(1), shares(0)


def floats(values: list[Fraction]) -> np.ndarray:
    """Each rounded once."""
    return np.array([float(v) for v in values])


@given(case=cases())
def test_shift_against_exact_fractions(case: tuple[list[Fraction], list[Fraction], list[Fraction]]) -> None:
    """P.M192: p / old * new, divided by its sum; each probability to a few units in the last place."""
    p, old, new = case
    joint = [a * c / b for a, b, c in zip(p, old, new, strict=True)]
    exact = [j / sum(joint) for j in joint] if sum(joint) else new
    shifted = Posterior(floats(p)[None], floats(old)).shift(floats(new))
    np.testing.assert_allclose(shifted.proba[0], floats(exact), rtol=1e-14, atol=0)
    np.testing.assert_allclose(shifted.prior, floats(new), rtol=1e-15)


@given(case=cases())
def test_shifts_compose_and_undo(case: tuple[list[Fraction], list[Fraction], list[Fraction]]) -> None:
    """P.M192: only the last prior counts, as long as none on the way is 0."""
    p, old, new = case
    posterior, between = Posterior(floats(p)[None], floats(old)), floats(old)[::-1]
    once, twice = posterior.shift(floats(new)), posterior.shift(between).shift(floats(new))
    np.testing.assert_allclose(twice.proba, once.proba, rtol=1e-13, atol=0)
    np.testing.assert_allclose(posterior.shift(between).shift(floats(old)).proba, posterior.proba, rtol=1e-13, atol=0)


@given(case=cases())
def test_the_likelihood_is_what_the_prior_was_multiplied_with(
    case: tuple[list[Fraction], list[Fraction], list[Fraction]],
) -> None:
    """P.M192: likelihood times prior is the posterior again, and the likelihood does not depend on the prior."""
    p, old, _ = case
    posterior = Posterior(floats(p)[None], floats(old))
    joint = posterior.likelihood() * posterior.prior
    np.testing.assert_allclose(joint / joint.sum(), posterior.proba, rtol=1e-13, atol=0)
    elsewhere = posterior.shift(floats(old)[::-1])
    np.testing.assert_allclose(elsewhere.likelihood(), posterior.likelihood(), rtol=1e-13, atol=0)


def test_the_same_prior_changes_nothing() -> None:
    """Not even the last digit."""
    proba = np.random.default_rng(1).dirichlet(np.ones(7), 50)
    prior = np.full(7, 1 / 7)
    np.testing.assert_array_equal(Posterior(proba, prior).shift(prior).proba, proba)


def test_certain_and_vanishing_posteriors() -> None:
    """Exact 0 and 1 and 1e-300 stay what they are; a row that nothing explains gets the new prior."""
    proba = np.array([[1.0, 0.0, 0.0], [1.0, 1e-300, 2e-300], [1.0, 5e-324, 0.0], [0.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    third = np.full(3, 1 / 3)
    shifted = Posterior(proba, third).shift([0.0, 0.25, 0.75]).proba
    np.testing.assert_allclose(
        shifted, [[0, 0.25, 0.75], [0, 1 / 7, 6 / 7], [0, 1, 0], [0, 0.25, 0.75], [0, 0.25, 0.75]], rtol=1e-13
    )
    assert Posterior(proba, third).shift([1.0, 0.0, 0.0]).proba.tolist() == [[1, 0, 0]] * 5


def test_products_that_leave_the_range_of_floats() -> None:
    """Where a product would lose its digits below 1e-308, or overflow above 1e308, logarithms take over."""
    below = Posterior(np.array([[1.0, 3e-323, 3e-323]]), np.full(3, 1 / 3)).shift([0.0, 0.25, 0.75])
    np.testing.assert_allclose(below.proba, [[0, 0.25, 0.75]], rtol=1e-13)
    above = Posterior(np.array([[0.5, 0.5], [1.0, 1e-310]]), np.array([1.0, 1e-310])).shift([0.5, 0.5])
    np.testing.assert_allclose(above.proba, [[0, 1], [0.5, 0.5]], rtol=1e-13, atol=1e-300)


@given(
    exponents=st.lists(st.integers(-323, 0), min_size=9, max_size=9),
    zeros=st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_no_exponent_gives_nan(exponents: list[int], zeros: list[bool]) -> None:
    """Posteriors and priors down to the smallest float: the exact answer within 1e-13, never nan."""
    numbers = np.where(zeros, 0.0, [float(f"1e{e}") for e in exponents]).reshape(3, 3)
    numbers[range(3), range(3)] = 1.0
    numbers[::2, numbers[1] == 0.0] = 0.0  # a class of prior 0 is nowhere
    numbers[::2, 1] += 1e-323  # and some class is everywhere
    proba, old, new = numbers / numbers.sum(axis=1, keepdims=True)
    joint = [Fraction(p) * Fraction(c) / Fraction(b) if b else 0 for p, b, c in zip(proba, old, new, strict=True)]
    exact = [j / sum(joint) for j in joint] if any(joint) else new
    shifted = Posterior(proba[None], old).shift(new).proba[0]
    np.testing.assert_allclose(shifted, floats(exact), rtol=0, atol=1e-13)


def test_a_class_of_prior_zero_stays_at_zero() -> None:
    """It left no trace in the posterior, so it can be kept out but not brought back."""
    posterior = Posterior(np.array([[0.5, 0.0, 0.5]]), np.array([0.8, 0.0, 0.2]))
    np.testing.assert_allclose(posterior.shift([0.5, 0.0, 0.5]).proba, [[0.2, 0.0, 0.8]], rtol=1e-15)
    half = posterior._replace(prior=np.array([0.5, 0.0, 0.5]))
    for share in (0.25, 0.125, 0.375, 0.4375):  # products of such numbers are exact; logarithms would not be
        assert half.shift([share, 0.0, 1 - share]).proba.tolist() == [[share, 0.0, 1 - share]]
    message = (
        r"^Posterior: prior must be 0 for class number 1 \(from 0\), whose prior was 0 when the posterior was learned, "
        r"got 0\.3\. Learn again with rows of that class\.$"
    )
    with pytest.raises(BadInput, match=message):
        posterior.shift([0.4, 0.3, 0.3])
    with pytest.raises(BadInput, match="class number 1"):
        posterior.likelihood()


@pytest.mark.parametrize(
    ("proba", "prior"),
    [([0.5, 0.5], [0.5, 0.5]), ([[0.5, 0.5]], [1.0]), ([[0.5, 0.5]], [[0.5, 0.5]]), (np.zeros((3, 0)), [])],
)
def test_shapes_must_fit(proba: list[float], prior: list[float]) -> None:
    """One column per class of the prior."""
    with pytest.raises(
        BadInput, match=r"^Posterior: proba must be of shape \(n, K\), with K the length of the prior, \d"
    ):
        Posterior(np.array(proba), np.array(prior)).shift([0.5, 0.5])


def test_lists_float32_and_no_rows_are_welcome_and_inputs_untouched() -> None:
    """A posterior written by hand works; nothing that came in is written to."""
    assert Posterior([[0.9, 0.1]], [0.5, 0.5]).shift([0.1, 0.9]).proba.tolist() == [[0.5, 0.5]]  # type: ignore[arg-type]
    assert Posterior(np.zeros((0, 2)), uniform(2)).shift([0.1, 0.9]).proba.shape == (0, 2)
    proba, prior = np.array([[0.25, 0.75], [0.0, 1.0]], dtype=np.float32), np.array([0.5, 0.5])
    assert Posterior(proba, prior).shift([1.0, 0.0]).proba.dtype == np.float64
    assert proba.tolist() == [[0.25, 0.75], [0.0, 1.0]]
    assert prior.tolist() == [0.5, 0.5]
