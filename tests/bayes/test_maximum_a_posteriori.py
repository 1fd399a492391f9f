"""Maximum a posteriori under any prior: against closed forms, and in the worked examples of the rows named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice.bayes.inference.posterior_mode import maximum_a_posteriori
from suffice.core.block import Coded
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.families import (
    BetaBernoulli,
    Categorical,
    DiagonalNormal,
    DirichletCategorical,
    GammaPoisson,
    InverseGammaNormal,
    Poisson,
)
from suffice.families.beliefs.likelihood import likelihood_of
from suffice.families.beliefs.parameter_ranges import Simplex

RNG = np.random.default_rng(5)


def one(n: int) -> Shares:
    return Shares.hard(np.zeros(n, dtype=np.int32), 1)


def test_the_mode_of_a_conjugate_posterior_is_found() -> None:
    events = RNG.poisson(4.0, 25).astype(float)
    moments = Poisson().summarize(events[:, None], one(25))
    prior = GammaPoisson(3.0, 2.0)
    best = maximum_a_posteriori(likelihood_of(Poisson(), moments), lambda t: float(prior.belief.log_density(t[0])))
    assert best.converged
    assert best.theta[0] == pytest.approx((prior + moments).mode, rel=1e-7)


def test_mean_and_variance_under_their_conjugate_prior() -> None:
    rows = 50.0 + RNG.normal(0, 3, 40)
    prior = InverseGammaNormal(mean=45.0, mean_strength=2.0, variance=4.0, strength=5.0)
    moments = DiagonalNormal().summarize(rows[:, None], one(40))

    def log_prior(theta: Any) -> float:
        mean, variance = theta
        logs = stats.invgamma(2.5, scale=10.0).logpdf(variance)
        return float(logs + stats.norm(45.0, np.sqrt(variance / 2.0)).logpdf(mean))

    best = maximum_a_posteriori(likelihood_of(DiagonalNormal(), moments), log_prior)
    assert best.theta == pytest.approx((prior + moments).mode, rel=1e-6)


def test_shares_on_the_simplex() -> None:
    codes = np.repeat([0, 1, 2], [5, 3, 2]).astype(np.int32)[:, None]
    family = Categorical(vocabulary=("a", "b", "c"))
    counts = family.summarize(Coded(codes, (("a", "b", "c"),)), one(10))
    prior = DirichletCategorical(("a", "b", "c"), np.array([2.0, 3.0, 4.0]))
    law = stats.dirichlet(prior.alpha)
    best = maximum_a_posteriori(likelihood_of(family, counts), lambda t: float(law.logpdf(t / t.sum())))
    np.testing.assert_allclose(best.theta, (prior + counts).mode, rtol=1e-6)
    assert isinstance(likelihood_of(family, counts).within, Simplex)


def test_a_prior_that_is_not_conjugate() -> None:
    """A normal prior on the log odds of a chance, against a fine grid."""

    def log_prior(theta: Any) -> float:
        return float(stats.norm(1.0, 0.5).logpdf(np.log(theta[0] / (1 - theta[0]))))

    def log_likelihood(theta: Any) -> float:
        return float(3 * np.log(theta[0]) + 9 * np.log1p(-theta[0]))

    best = maximum_a_posteriori(log_likelihood, log_prior, [0.5], within=[(0.0, 1.0)])
    grid = np.linspace(0.3, 0.7, 400_001)
    heights = 3 * np.log(grid) + 9 * np.log1p(-grid) + stats.norm(1.0, 0.5).logpdf(np.log(grid / (1 - grid)))
    assert best.theta[0] == pytest.approx(grid[heights.argmax()], abs=2e-6)
    assert best.log_posterior == pytest.approx(heights.max(), abs=1e-10)


def test_a_flat_prior_is_maximum_likelihood() -> None:
    rows = RNG.normal(-3, 2, 30)
    moments = DiagonalNormal().summarize(rows[:, None], one(30))
    flat = maximum_a_posteriori(likelihood_of(DiagonalNormal(), moments))
    assert flat.theta == pytest.approx((rows.mean(), rows.var()), rel=1e-7)
    constant = maximum_a_posteriori(likelihood_of(DiagonalNormal(), moments), lambda t: -7.0)
    assert constant.theta == pytest.approx(flat.theta, rel=1e-7)


def test_a_wall_turns_the_search_back() -> None:
    """A prior that ends: the best place is at its wall."""
    best = maximum_a_posteriori(
        lambda t: float(-0.5 * (t[0] - 5.0) ** 2), lambda t: 0.0 if t[0] <= 2.0 else -np.inf, [0.0]
    )
    assert best.theta[0] <= 2.0
    inside = maximum_a_posteriori(lambda t: float(-0.5 * (t[0] - 5.0) ** 2), None, [0.0], within=[(None, 2.0)])
    assert inside.theta[0] == pytest.approx(2.0, abs=1e-4)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda f: maximum_a_posteriori(f), "start must be given for a function, got None. Say where"),
        (lambda f: maximum_a_posteriori(f, None, [np.nan]), r"start must be a list of finite numbers, got \[nan\]"),
        (lambda f: maximum_a_posteriori(f, None, [2.0], within=[(0, 1)]), r"start must be inside its range, got \[2.0"),
        (lambda f: maximum_a_posteriori(f, lambda t: -np.inf, [2.0]), "start must be where the rows and the prior are"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(BadInput, match="maximum_a_posteriori: " + message):
        ask(lambda t: float(-t @ t))


def test_the_mode_of_a_chance() -> None:
    counts = {True: 9, False: 1}
    best = maximum_a_posteriori(lambda t: float(9 * np.log(t[0]) + np.log1p(-t[0])), None, [0.5], within=[(0.0, 1.0)])
    assert best.theta[0] == pytest.approx((BetaBernoulli() + counts).mode, rel=1e-7)
