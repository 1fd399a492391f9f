"""Numbers of the sources about Bayesian updating: beliefs about a chance, models as random variables, MAP, priors."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from suffice import BetaBernoulli, DirichletCategorical, ModelAverage, NaiveBayes, maximum_a_posteriori, metropolis
from suffice.bayes import FlatAngle, FlatSlope, ModelPosterior
from suffice.core.block import Coded
from suffice.core.shares import Shares
from suffice.families import Bernoulli, Beta, Reading
from suffice.families.beliefs.likelihood import likelihood_of

SPAM, HAM = True, False


@pytest.mark.parametrize("n", range(2, 11))
def test_one_ham_among_n_mails(n: int) -> None:
    """P.W01, P.M009: from the uniform start n - 1 spam and 1 ham give Beta(n, 2), whose mode is (n - 1) / n."""
    posterior = BetaBernoulli(1, 1) + {SPAM: n - 1, HAM: 1}
    assert (posterior.yes, posterior.no) == (n, 2)
    assert posterior.mode == pytest.approx((n - 1) / n, rel=1e-15)
    assert posterior.mean == pytest.approx(n / (n + 2), rel=1e-15)
    assert posterior.belief.variance == pytest.approx(n * 2 / ((n + 2) ** 2 * (n + 3)), rel=1e-13)


def test_the_statement_that_spam_is_the_rarer() -> None:
    """P.W02, P.M010: after 9 spam and 1 ham P(theta < 1/2) is 12 / 2048, about 0.6 %."""
    belief = (BetaBernoulli() + {SPAM: 9, HAM: 1}).belief
    oracle = Fraction(sum(comb(11, k) for k in (10, 11)), 2**11)
    assert oracle == Fraction(12, 2048)
    assert belief.probability(below=0.5) == pytest.approx(float(oracle), rel=1e-12)
    assert belief.probability(above=0.5) == pytest.approx(1 - float(oracle), rel=1e-15)


def test_one_of_each_is_symmetric() -> None:
    """P.W03: Beta(2, 2) has mode and mean 1/2 and no skew."""
    posterior = BetaBernoulli() + {SPAM: 1, HAM: 1}
    assert (posterior.mode, posterior.mean) == (0.5, 0.5)
    assert posterior.belief.law.stats("s") == pytest.approx(0.0, abs=1e-15)
    low, high = posterior.belief.interval(0.9)
    assert low + high == pytest.approx(1.0, abs=1e-10)


def test_laplace_is_a_mode_and_a_mean() -> None:
    """P.W04: for 9 of 10 the mode under Beta(2, 2) and the mean under Beta(1, 1) are both 10/12."""
    counts = {SPAM: 9, HAM: 1}
    assert (BetaBernoulli(2, 2) + counts).mode == pytest.approx(10 / 12, rel=1e-15)
    assert (BetaBernoulli(1, 1) + counts).mean == pytest.approx(10 / 12, rel=1e-15)
    part = Coded(np.array([[1]] * 9 + [[0]], dtype=np.int32), ((False, True),))
    for family in (Bernoulli(Beta(2.0, 2.0), reading=Reading.MODE), Bernoulli(Beta(1.0, 1.0))):
        summary = family.summarize(part, Shares.hard(np.zeros(10, dtype=np.int32), 1))
        assert np.exp(family.estimate(summary).column(0))[0, 1] == pytest.approx(10 / 12, rel=1e-14)


def test_the_posterior_is_the_prior_of_the_next_batch() -> None:
    """P.M008: mail by mail, in batches, or all at once; for models too."""
    rows = [True] * 6 + [False] + [True] * 3
    once, steps = BetaBernoulli().observe(rows), BetaBernoulli()
    for row in rows:
        steps = steps.observe([row])
    assert steps == once == BetaBernoulli().observe(rows[:4]).observe(rows[4:])
    fair, free = BetaBernoulli(1e9, 1e9), BetaBernoulli()
    whole = ModelPosterior.of(
        {"fair": fair.log_evidence(fair.summarize(rows)), "free": free.log_evidence({True: 9, False: 1})}
    )
    models = ModelPosterior.of({"fair": 0.0, "free": 0.0})
    for row in rows:
        models = models.update(
            {"fair": float(fair.log_predictive([row])[0]), "free": float(free.log_predictive([row])[0])}
        )
        fair, free = fair.observe([row]), free.observe([row])
    np.testing.assert_allclose(models.weights, whole.weights, rtol=1e-8)
    assert whole.weights[1] == pytest.approx((1 / 110) / (1 / 110 + 0.5**10), rel=1e-6)


def test_a_prior_is_mail_that_was_seen_before() -> None:
    """P.M012: Beta(2, 2) is the uniform belief after two mails, one of them spam; beliefs add as counts do."""
    assert BetaBernoulli.of(Beta(2.0, 2.0)) == BetaBernoulli() + {SPAM: 1, HAM: 1}
    two, three = DirichletCategorical.over("abc") + {"a": 1, "b": 1}, {"a": 2, "c": 1}
    assert two + three == DirichletCategorical(("a", "b", "c"), [4.0, 2.0, 2.0])


def test_data_from_many_parameters_is_wider_than_from_the_best() -> None:
    """P.M011: counts of spam among 20 new mails, each batch from its own draw of theta, are beta-binomial."""
    posterior = BetaBernoulli() + {SPAM: 9, HAM: 1}
    theta = posterior.draw(20_000, random_state=0)
    rng = np.random.default_rng(1)
    drawn, best = rng.binomial(20, theta), rng.binomial(20, posterior.mode, 20_000)
    law = stats.betabinom(20, 10, 2)
    expected = 20_000 * law.pmf(np.arange(21))
    seen = np.bincount(drawn, minlength=21)
    few = expected < 5
    pooled = [np.append(part[~few], part[few].sum()) for part in (seen, expected)]
    assert stats.chisquare(*pooled).pvalue > 0.01
    assert drawn.var() > 2 * best.var()


def test_the_best_model_alone_is_not_the_best_answer() -> None:
    """P.W05, P.M013, P.M014: the most probable model (0.4) says 0.9, but averaged over three models it is 0.42."""
    models = ModelPosterior.of({"m1": 0.0, "m2": 0.0, "m3": 0.0}, [0.4, 0.3, 0.3])
    says = {"m1": 0.9, "m2": 0.1, "m3": 0.1}
    assert models.best == "m1"
    assert says[models.best] > 0.5
    assert models.average(says) == pytest.approx(0.42, rel=1e-14)


def test_averaging_one_certain_model_is_that_model() -> None:
    """P.M014: the average is the best model's answer only if the others have no weight."""
    X, y = {"a": list("xxyyxy") * 20}, list("ppnnpn") * 20
    naive = NaiveBayes()
    average = ModelAverage([("one", naive), ("two", NaiveBayes(prior="uniform"))], prior=[1.0, 0.0]).fit(X, y)
    assert (average.predict_proba(X) == naive.fit(X, y).predict_proba(X)).all()


def test_a_normal_prior_is_a_ridge() -> None:
    """C.R31, C.M14.02: MAP with N(0, 1) priors and noise of sd 0.5 is ridge regression with lambda 0.25."""
    rng = np.random.default_rng(0)
    X, truth = rng.normal(size=(30, 3)), np.array([1.0, -2.0, 0.5])
    y = X @ truth + 0.5 * rng.normal(size=30)
    best = maximum_a_posteriori(
        lambda t: float(stats.norm.logpdf(y, X @ t, 0.5).sum()),
        lambda t: float(stats.norm.logpdf(t).sum()),
        np.zeros(3),
    )
    ridge = np.linalg.solve(X.T @ X + 0.25 * np.eye(3), X.T @ y)
    np.testing.assert_allclose(best.theta, ridge, atol=1e-7)
    assert best.converged


def test_a_flat_prior_is_maximum_likelihood() -> None:
    """C.M14.01: MAP is argmax of likelihood times prior; where the prior is flat it is maximum likelihood."""
    part = Coded(np.array([[1]] * 9 + [[0]], dtype=np.int32), ((False, True),))
    family = Bernoulli()
    likelihood = likelihood_of(family, family.summarize(part, Shares.hard(np.zeros(10, dtype=np.int32), 1)))
    flat = maximum_a_posteriori(likelihood, lambda t: 0.0)
    beta = maximum_a_posteriori(likelihood, lambda t: float(stats.beta(2, 2).logpdf(t[0])))
    assert flat.theta[0] == pytest.approx(9 / 10, rel=1e-7)
    assert beta.theta[0] == pytest.approx(10 / 12, rel=1e-7)


def test_flat_in_the_slope_is_not_flat_in_the_angle() -> None:
    """C.R32, C.M14.03: flat over slopes from -100 to 100, 99 % of lines are steeper than 45 degrees."""
    flat, fair = FlatSlope(100.0), FlatAngle()
    assert flat.steeper(45.0) == pytest.approx(0.99, rel=1e-14)
    assert fair.steeper(45.0) == 0.5
    slopes = np.random.default_rng(0).uniform(-100, 100, 50_000)
    assert np.mean(np.abs(np.degrees(np.arctan(slopes))) > 45.0) == pytest.approx(0.99, abs=0.002)
    angles = np.random.default_rng(1).uniform(-90, 90, 5000)
    cauchy = stats.cauchy()
    assert stats.kstest(np.tan(np.radians(angles)), cauchy.cdf).pvalue > 0.01
    np.testing.assert_allclose(fair.log_density([0.0, 3.0]), cauchy.logpdf([0.0, 3.0]), rtol=1e-13)
    assert flat.log_density([0.0, 101.0]).tolist() == [-np.log(200.0), -np.inf]
    assert flat.steeper(80.0) > 0.94 > 0.12 > fair.steeper(80.0)


def test_the_walk_samples_the_posterior_and_the_prior_only_if_given_that() -> None:
    """C.M14.04, C.E34: what is sampled is the density that is given; for a posterior that is prior times likelihood."""
    prior = stats.beta(2, 2)
    bounds = [(0.0, 1.0)]

    def log_prior(t: np.ndarray) -> float:
        return float(prior.logpdf(t[0]))

    def log_posterior(t: np.ndarray) -> float:
        return float(prior.logpdf(t[0]) + 9 * np.log(t[0]) + np.log1p(-t[0]))

    before = metropolis(log_prior, [0.5], within=bounds, draws=4000, random_state=0)
    after = metropolis(log_posterior, [0.5], within=bounds, draws=4000, random_state=0)
    assert abs(before.mean[0] - 0.5) < 4 * before.error[0]
    assert abs(after.mean[0] - 11 / 14) < 4 * after.error[0]
    assert (before.effective_sample_size > 100).all()
