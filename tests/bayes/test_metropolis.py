"""Random-walk Metropolis: right distribution, honest about how many independent draws it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice.bayes.inference.metropolis import MarkovChain, effective_sample_size, metropolis
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.families import BetaBernoulli, InverseGammaNormal, Poisson
from suffice.families.beliefs.likelihood import likelihood_of


def thinned(chain: MarkovChain, j: int = 0) -> Any:
    """Draws far enough apart to be nearly independent."""
    return chain.draws[:: max(int(2 * len(chain.draws) / chain.effective_sample_size[j]), 1), j]


def test_draws_of_a_chance_have_its_posterior() -> None:
    posterior = BetaBernoulli() + {True: 9, False: 1}
    chain = metropolis(
        lambda t: float(9 * np.log(t[0]) + np.log1p(-t[0])), [0.5], within=[(0.0, 1.0)], draws=20_000, random_state=0
    )
    assert 0.15 < chain.acceptance < 0.6
    assert abs(chain.mean[0] - posterior.mean) < 4 * chain.error[0]
    assert stats.kstest(thinned(chain), posterior.belief.law.cdf).pvalue > 0.01
    assert (chain.draws < 0.5).mean() == pytest.approx(posterior.belief.probability(below=0.5), abs=0.005)


def test_two_correlated_numbers_of_very_different_size() -> None:
    cov = np.array([[1.0, 0.9e3], [0.9e3, 1e6]])
    inverse = np.linalg.inv(cov)
    chain = metropolis(
        lambda t: float(-0.5 * (t - 5.0) @ inverse @ (t - 5.0)), [0.0, 0.0], draws=20_000, warmup=6000, random_state=1
    )
    assert (np.abs(chain.mean - 5.0) < 5 * chain.error).all()
    np.testing.assert_allclose(np.corrcoef(chain.draws.T)[0, 1], 0.9, atol=0.05)
    np.testing.assert_allclose(chain.sd, [1.0, 1e3], rtol=0.15)


def test_mean_and_variance_of_normal_rows() -> None:
    rows = np.random.default_rng(2).normal(10, 2, 30)
    prior = InverseGammaNormal(9.0, 1.0, 4.0, 4.0)
    posterior = prior.observe(rows)

    def log_posterior(t: Any) -> float:
        logs = stats.norm.logpdf(rows, t[0], np.sqrt(t[1])).sum() + stats.norm.logpdf(t[0], 9.0, np.sqrt(t[1]))
        return float(logs + stats.invgamma.logpdf(t[1], 2.0, scale=8.0))

    chain = metropolis(log_posterior, [9.0, 4.0], within=[(None, None), (0, None)], draws=4000, random_state=3)
    assert abs(chain.mean[0] - posterior.mean) < 4 * chain.error[0]
    assert abs(chain.mean[1] - posterior.variance_belief.mean) < 4 * chain.error[1]


def test_a_likelihood_of_ours_knows_where_to_begin() -> None:
    moments = Poisson().summarize(np.array([[1.0], [4.0], [1.0]]), Shares.hard(np.zeros(3, dtype=np.int32), 1))
    chain = metropolis(likelihood_of(Poisson(), moments), draws=8000, random_state=4)
    assert abs(chain.mean[0] - 7 / 3) < 4 * chain.error[0]  # flat prior: Gamma(7, 3)
    assert (chain.draws > 0).all()


def test_the_same_seed_gives_the_same_walk() -> None:
    walks = [metropolis(lambda t: float(-0.5 * t @ t), [1.0], draws=50, warmup=50, random_state=9) for _ in range(2)]
    assert (walks[0].draws == walks[1].draws).all()
    assert walks[0].step == walks[1].step


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.95, -0.5])
def test_effective_sample_size_of_an_autoregression(rho: float) -> None:
    """x_t = rho x_{t-1} + noise is worth n (1 - rho) / (1 + rho) independent draws."""
    rng, n = np.random.default_rng(7), 40_000
    x = np.empty(n)
    x[0] = rng.standard_normal() / np.sqrt(1 - rho**2)
    for i, noise in enumerate(rng.standard_normal(n - 1)):
        x[i + 1] = rho * x[i] + noise
    assert effective_sample_size(x) == pytest.approx(n * (1 - rho) / (1 + rho), rel=0.2)
    assert effective_sample_size(1e8 + 1e-3 * x) == pytest.approx(effective_sample_size(x), rel=1e-3)


def test_a_chain_that_never_moved_is_worth_nothing() -> None:
    assert effective_sample_size(np.ones(100)) == 0.0
    assert effective_sample_size([1.0]) == 1.0
    assert effective_sample_size([]) == 0.0


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda f: metropolis(f), "start must be given for a function"),
        (lambda f: metropolis(lambda t: -np.inf, [1.0]), r"start must be where the density is above 0, got array\(\[1"),
        (lambda f: metropolis(f, [1.0], draws=0), "draws must be a whole number of at least 1, got 0"),
        (lambda f: metropolis(f, [1.0], warmup=2.5), r"warmup must be a whole number of at least 1, got 2\.5"),
        (lambda f: metropolis(f, [1.0], random_state=-1), "random_state must be None, a seed"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(BadInput, match="metropolis: " + message):
        ask(lambda t: float(-t @ t))
