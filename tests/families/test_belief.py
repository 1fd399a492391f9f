"""Beliefs about one number: shortest intervals, statements and comparisons, against SciPy and exact rationals."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice.core.errors import BadInput
from suffice.families.beliefs.belief import Belief
from suffice.families.beliefs.beta_bernoulli import BetaBernoulli
from suffice.families.beliefs.exceedance import exceedance, integrated

LAWS: list[Any] = [
    stats.beta(10, 2),
    stats.beta(2.5, 40.25),
    stats.beta(300, 700),
    stats.gamma(3.5, scale=0.2),
    stats.gamma(1e4, scale=1e-3),
    stats.invgamma(2.5, scale=3.0),
    stats.t(3, loc=1e6, scale=2.0),
]


def integer_beta(a: int, b: int, x: Fraction) -> Fraction:
    """P(Beta(a, b) < x) for whole a and b: a binomial tail."""
    n = a + b - 1
    return sum((comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)), Fraction(0))


def beta_exceeds(a1: int, a0: int, b1: int, b0: int) -> Fraction:
    """P(Beta(a1, a0) > Beta(b1, b0)) for whole parameters, by integrating a polynomial."""

    def B(x: int, y: int) -> Fraction:
        return Fraction(factorial(x - 1) * factorial(y - 1), factorial(x + y - 1))

    n = b1 + b0 - 1
    terms = (comb(n, k) * B(a1 + k, a0 + n - k) for k in range(b1, n + 1))
    return sum(terms, Fraction(0)) / B(a1, a0)


@pytest.mark.parametrize("mass", [0.05, 0.5, 0.95, 0.999])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.dist.name}{law.args}")
def test_the_shortest_interval_has_its_mass_and_equal_densities(law: Any, mass: float) -> None:
    low, high = Belief(law, np.nan).interval(mass)
    assert law.cdf(high) - law.cdf(low) == pytest.approx(mass, abs=1e-10)
    assert law.logpdf(low) == pytest.approx(law.logpdf(high), abs=1e-5)
    for p in np.linspace(0, 1 - mass, 101)[1:-1]:
        assert high - low <= (law.ppf(p + mass) - law.ppf(p)) * (1 + 1e-9)


@pytest.mark.parametrize(("yes", "no", "low", "high"), [(1, 3, 0.0, None), (3, 1, None, 1.0), (0.5, 2, 0.0, None)])
def test_where_the_density_falls_from_an_edge_the_interval_begins_there(
    yes: float, no: float, low: float | None, high: float | None
) -> None:
    found = BetaBernoulli(yes, no).belief.interval(0.9)
    law = stats.beta(yes, no)
    assert found.low == pytest.approx(law.ppf(0.1) if low is None else low, rel=1e-12)
    assert found.high == pytest.approx(law.ppf(0.9) if high is None else high, rel=1e-12)


def test_a_flat_belief_gets_the_middle_and_a_valley_is_refused() -> None:
    assert BetaBernoulli(1, 1).belief.interval(0.5) == pytest.approx((0.25, 0.75), abs=1e-12)
    with pytest.raises(BadInput, match=r"Belief: the parameters must be such that the density has no valley, got"):
        BetaBernoulli(0.5, 0.5).belief.interval(0.5)
    for yes, no in ((1, 1), (0.5, 0.5)):
        with pytest.raises(BadInput, match="must be such that the density has one highest place"):
            BetaBernoulli(yes, no).belief.mode


@pytest.mark.parametrize(("a", "b"), [(10, 2), (2, 2), (1, 1), (40, 25)])
@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)])
def test_the_probability_of_a_statement(a: int, b: int, x: Fraction) -> None:
    belief, oracle = BetaBernoulli(a, b).belief, integer_beta(a, b, x)
    assert belief.probability(below=float(x)) == pytest.approx(float(oracle), rel=1e-11)
    assert belief.probability(above=float(x)) == pytest.approx(float(1 - oracle), rel=1e-11)


def test_a_statement_far_in_the_tail_keeps_its_digits() -> None:
    belief = BetaBernoulli(1, 200).belief
    assert belief.probability(above=0.4, below=0.5) == pytest.approx(0.6**200 - 0.5**200, rel=1e-10)
    assert belief.probability(above=0.1, below=0.1) == 0.0


@pytest.mark.parametrize(("a", "b"), [((10, 2), (2, 10)), ((1, 1), (1, 1)), ((3, 7), (5, 6)), ((20, 30), (25, 22))])
def test_one_chance_against_another_is_exact(a: tuple[int, int], b: tuple[int, int]) -> None:
    chance = BetaBernoulli(*a).belief.exceeds(BetaBernoulli(*b).belief)
    oracle = float(beta_exceeds(*a, *b))
    assert abs(chance.probability - oracle) <= chance.error < 1e-12


@pytest.mark.parametrize(
    ("a", "b"),
    [((2.5, 3.25), (1.5, 2.75)), ((2.5, 3), (1.5, 2.75)), ((2.5, 3.5), (4, 2.75)), ((2.5, 3.5), (4.5, 2))],
)
def test_the_integral_agrees_with_the_sum_and_with_the_other_side(a: Any, b: Any) -> None:
    first, second = stats.beta(*a), stats.beta(*b)
    there, back, quad = exceedance(first, second), exceedance(second, first), integrated(first, second, 0.0)
    assert abs(there.probability + back.probability - 1.0) <= there.error + back.error < 1e-9
    assert abs(quad.probability - there.probability) <= quad.error + there.error


@pytest.mark.parametrize(
    ("a", "b"),
    [((1.5, 1e6), (1, 1e6)), ((3, 1e5 + 0.5), (3, 1e5 + 0.25)), ((5e4, 50001), (50010, 49990)), ((7, 2), (9e5, 1))],
)
def test_the_error_is_honest_where_parameters_are_large(a: Any, b: Any) -> None:
    """Logs of gamma functions of a million lose nine digits; what is stated must cover what is left."""
    first, second = stats.beta(*a), stats.beta(*b)
    chance, quad = exceedance(first, second), integrated(first, second, 0.0)
    assert abs(chance.probability - quad.probability) <= chance.error + quad.error < 1e-11


def test_rates_and_variances_are_compared_exactly() -> None:
    for law in (stats.gamma, stats.invgamma):
        a, b = law(3.5, scale=0.2), law(2.25, scale=0.4)
        chance, quad = exceedance(a, b), integrated(a, b, 0.0)
        assert chance.error < 1e-13
        assert abs(chance.probability - quad.probability) <= quad.error
        assert exceedance(b, a).probability == pytest.approx(1 - chance.probability, abs=1e-13)


def test_means_are_compared_by_an_integral_whose_error_is_stated() -> None:
    a, b = stats.t(5, loc=1.0, scale=0.5), stats.t(9, loc=0.0, scale=1e-3)
    chance = exceedance(a, b)
    assert chance.error < 1e-9
    assert chance.probability == pytest.approx(a.sf(0.0), abs=1e-5)  # the second is nearly a point
    same = exceedance(a, a)
    assert abs(same.probability - 0.5) <= same.error


def test_a_margin_moves_the_comparison() -> None:
    a, b = BetaBernoulli(1, 1).belief, BetaBernoulli(1, 1).belief
    chance = a.exceeds(b, by=0.25)  # the triangle above the line: (3/4)^2 / 2
    assert abs(chance.probability - 9 / 32) <= chance.error
    assert a.exceeds(b, by=1.5).probability == pytest.approx(0.0, abs=1e-12)


def test_draws_have_the_distribution() -> None:
    belief = BetaBernoulli(10, 2).belief
    drawn = belief.draw(2000, random_state=0)
    assert stats.kstest(drawn, belief.law.cdf).pvalue > 0.01
    assert (belief.draw(5, random_state=1) == belief.draw(5, random_state=np.random.default_rng(1))).all()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda b: b.interval(1.0), r"Belief: mass must be above 0 and below 1, got 1.0\. 0.95 leaves"),
        (lambda b: b.interval(np.nan), "Belief: mass must be above 0 and below 1, got nan"),
        (lambda b: b.probability(above=0.7, below=0.2), "Belief: above must be at most below, 0.2, got 0.7"),
        (lambda b: b.exceeds(0.5), "Belief: other must be a Belief, got 0.5. Compare with the belief"),
        (lambda b: b.draw(0), "Belief: n must be a whole number of at least 1, got 0. Say how many"),
        (lambda b: b.draw(3, "x"), "Belief: random_state must be None, a seed or a numpy.random.Generator, got 'x'"),
    ],
)
def test_what_cannot_be_asked(ask: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        ask(BetaBernoulli(10, 2).belief)
