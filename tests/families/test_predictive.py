"""Predictive distributions: closed forms against numerical integration and exact fractions; means and modes by hand."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from scipy import integrate, stats

from suffice.core.double_double import exact
from suffice.core.shares import Shares
from suffice.families.counts.binomial import BetaBinomials, Binomial
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.geometric import BetaGeometrics, Geometric
from suffice.families.counts.multinomial import Multinomial
from suffice.families.counts.poisson import NegativeBinomials, Poisson
from suffice.families.counts.pseudo_counts import Beta, Dirichlet
from suffice.families.counts.rate_priors import Gamma
from suffice.families.family import Reading
from suffice.families.normals.normal import DiagonalNormal, Normals
from suffice.families.normals.student import Students
from suffice.families.normals.variance_priors import NormalInverseGamma
from suffice.summaries.moments import Moments
from tests.families.parts import column, documents, hard, labels, learn

ONE = np.ones(1)


def integral(f, low: float, high: float) -> float:
    return float(integrate.quad(f, low, high, epsabs=0, epsrel=1e-11, limit=200)[0])


@pytest.mark.parametrize("x", [0.0, 1.0, 5.0, 20.0])
def test_poisson(x: float) -> None:
    d = learn(Poisson(Gamma(2.5, 1.5), Reading.PREDICTIVE), column(3, 0, 4), hard([0, 0, 0]))
    posterior = stats.gamma(2.5 + 7.0, scale=1 / (1.5 + 3.0))
    true = integral(lambda r: stats.poisson.pmf(x, r) * posterior.pdf(r), 0, 40)
    assert np.exp(d.log_density(column(x))[0, 0]) == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize("x", [0.0, 3.0, 6.0])
def test_binomial(x: float) -> None:
    d = learn(Binomial(6, Beta(0.5, 2.0), Reading.PREDICTIVE), column(2, 5), hard([0, 0]))
    posterior = stats.beta(0.5 + 7, 2.0 + 5)
    true = integral(lambda t: stats.binom.pmf(x, 6, t) * posterior.pdf(t), 0, 1)
    assert np.exp(d.log_density(column(x))[0, 0]) == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize("x", [1.0, 2.0, 9.0])
def test_geometric(x: float) -> None:
    d = learn(Geometric(Beta(1.5, 2.0), Reading.PREDICTIVE), column(1, 4, 2), hard([0, 0, 0]))
    posterior = stats.beta(1.5 + 3, 2.0 + 4)
    true = integral(lambda t: stats.geom.pmf(x, t) * posterior.pdf(t), 0, 1)
    assert np.exp(d.log_density(column(x))[0, 0]) == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize("x", [-1.0, 1.3, 6.0])
def test_normal(x: float) -> None:
    """The mean integrated by hand (a normal of variance s (1 + 1/k)), the variance numerically."""
    prior = NormalInverseGamma(3.0, 2.0, mean=0.5, variance=1.5, reading=Reading.PREDICTIVE)
    cells = np.array([1.0, 2.0, 4.5])
    d = learn(DiagonalNormal(prior), cells[:, None], hard([0, 0, 0]))
    k, v, m = 2.0 + 3, 3.0 + 3, (2.0 * 0.5 + cells.sum()) / 5.0
    spread = 3.0 * 1.5 + np.square(cells - cells.mean()).sum() + 2.0 * 3 / 5.0 * (cells.mean() - 0.5) ** 2
    posterior = stats.invgamma(v / 2, scale=spread / 2)  # of the variance
    true = integral(lambda s: stats.norm.pdf(x, m, np.sqrt(s * (1 + 1 / k))) * posterior.pdf(s), 0, np.inf)
    assert np.exp(d.log_density(column(x))[0, 0]) == pytest.approx(true, rel=1e-8)
    assert isinstance(d, Students)


def test_the_prior_alone_is_the_predictive_of_a_component_without_rows() -> None:
    prior = NormalInverseGamma(3.0, 2.0, mean=0.5, variance=1.5, reading=Reading.PREDICTIVE)
    d = learn(DiagonalNormal(prior), column(1, 2), hard([0, 0], K=2))
    true = stats.t(3.0, 0.5, np.sqrt(1.5 * 1.5)).logpdf(2.2)
    assert d.log_density(column(2.2))[0, 1] == pytest.approx(true, rel=1e-13)


def test_without_a_proper_prior_such_a_component_takes_the_whole_column() -> None:
    for reading in Reading:
        d = learn(DiagonalNormal(NormalInverseGamma(reading=reading)), column(1, 2, 5), hard([0, 0, 1], K=3))
        whole = np.array([1.0, 2.0, 5.0])
        true = stats.norm(whole.mean(), whole.std()).logpdf(2.2)
        assert d.log_density(column(2.2))[0, 2] == pytest.approx(true, rel=1e-14)


def rising(a: Fraction, x: int) -> Fraction:
    product = Fraction(1)
    for i in range(x):
        product *= a + i
    return product


@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 0, 0), (3, 1, 0), (2, 5, 4), (0, 0, 30)])
def test_dirichlet_multinomial_against_fractions(counts: tuple[int, ...]) -> None:
    mails = documents(["a a b", "b c", "a a a"], ("a", "b", "c"))
    mails = mails._replace(labels=range(3))
    d = learn(Multinomial(Dirichlet(0.5), Reading.PREDICTIVE), mails, hard([0, 0, 0]))
    alpha = [Fraction(1, 2) + n for n in (5, 2, 1)]
    n = sum(counts)
    true = Fraction(factorial(n)) / rising(sum(alpha, Fraction(0)), n)
    for a, x in zip(alpha, counts, strict=True):
        true *= rising(a, x) / factorial(x)
    query = mails._replace(counts=np.array([counts], dtype=float))
    assert np.exp(d.log_density(query)[0, 0]) == pytest.approx(float(true), rel=1e-13)
    if n:
        peer = stats.dirichlet_multinomial.logpmf(counts, [float(a) for a in alpha], n)
        assert d.log_density(query)[0, 0] == pytest.approx(peer, rel=1e-12)


def test_a_million_rows_behind_a_predictive_cost_no_digits() -> None:
    """Against products of exact numbers, where differences of log-gammas are wrong by 1e-8."""
    a, b, x = 1_234_567.25, 987_654.5, 7
    with localcontext() as context:
        context.prec = 60
        A, B = Decimal(a), Decimal(b)
        ups = sum(((A + i).ln() for i in range(x)), Decimal(0)) - Decimal(factorial(x)).ln()
        poisson = ups + A * (B / (B + 1)).ln() - x * (B + 1).ln()
        d = NegativeBinomials(np.array([[a]]), np.array([[b]]), ONE)
        assert d.log_density(column(x))[0, 0] == pytest.approx(float(poisson), rel=1e-14)
        downs = sum(((B + i).ln() for i in range(3)), Decimal(0)) - sum(
            ((A + B + i).ln() for i in range(10)), Decimal(0)
        )
        binomial = ups + downs + (Decimal(factorial(10)) / factorial(3)).ln()
        assert BetaBinomials(10, np.array([[a]]), np.array([[b]]), ONE).log_density(column(x))[0, 0] == pytest.approx(
            float(binomial), rel=1e-14
        )
        waits = A.ln() + sum(((B + i).ln() for i in range(x - 1)), Decimal(0))
        waits -= sum(((A + B + i).ln() for i in range(x)), Decimal(0))
        assert BetaGeometrics(np.array([[a]]), np.array([[b]]), ONE).log_density(column(x))[0, 0] == pytest.approx(
            float(waits), rel=1e-14
        )
    student = Students(exact(np.zeros((1, 1))), np.ones((1, 1)), np.full((1, 1), 4e9), ONE)
    normal = Normals(exact(np.zeros((1, 1))), np.ones((1, 1)), ONE)
    assert student.log_density(column(1.5))[0, 0] == pytest.approx(normal.log_density(column(1.5))[0, 0], abs=1e-9)


def test_readings_of_a_rate() -> None:
    X, R = column(3, 0, 4), hard([0, 0, 0])
    assert learn(Poisson(Gamma(2.0, 1.0)), X, R).rate.tolist() == [[9 / 4]]
    assert learn(Poisson(Gamma(2.0, 1.0), Reading.MODE), X, R).rate.tolist() == [[8 / 4]]
    assert learn(Poisson(Gamma(0.0, 0.0)), X, R).rate.tolist() == [[7 / 3]]
    assert learn(Poisson(Gamma(0.0, 0.0), Reading.MODE), column(0, 0), hard([0, 0])).rate.tolist() == [[0.0]]
    assert learn(Poisson(), X, R).rate.tolist() == [[7 / 3]]  # a virtual row at the mean of the whole column
    two = learn(Poisson(), column(3, 0, 4, 13), hard([0, 0, 0, 1]))
    assert two.rate.ravel().tolist() == [(5 + 7) / 4, (5 + 13) / 2]


def test_readings_of_a_chance() -> None:
    X, R = column(2, 5), hard([0, 0])
    assert learn(Binomial(6, Beta(2.0, 3.0)), X, R).theta[0, 0] == pytest.approx(9 / 17, rel=1e-15)
    assert learn(Binomial(6, Beta(2.0, 3.0), Reading.MODE), X, R).theta[0, 0] == pytest.approx(8 / 15, rel=1e-15)
    assert learn(Binomial(6, Beta(0.0, 0.0)), X, R).theta[0, 0] == pytest.approx(7 / 12, rel=1e-15)
    assert learn(Geometric(Beta(2.0, 3.0)), X, R).theta[0, 0] == pytest.approx(4 / 12, rel=1e-15)
    assert learn(Geometric(Beta(2.0, 3.0), Reading.MODE), X, R).theta[0, 0] == pytest.approx(3 / 10, rel=1e-15)


def test_readings_of_shares() -> None:
    part, R = labels(["a", "a", "b"], "abc"), hard([0, 0, 0])
    mean = np.exp(learn(Categorical(Dirichlet(2.0), ("a", "b", "c")), part, R).column(0))[0]
    np.testing.assert_allclose(mean, [4 / 9, 3 / 9, 2 / 9, 0], rtol=1e-15)
    mode = np.exp(learn(Categorical(Dirichlet(2.0), ("a", "b", "c"), Reading.MODE), part, R).column(0))[0]
    np.testing.assert_allclose(mode, [3 / 6, 2 / 6, 1 / 6, 0], rtol=1e-15)
    predictive = np.exp(learn(Categorical(Dirichlet(2.0), ("a", "b", "c"), Reading.PREDICTIVE), part, R).column(0))[0]
    np.testing.assert_array_equal(predictive, mean)  # of one draw
    yes = labels([True, True, False])
    theta = np.exp(learn(Bernoulli(Beta(2.0, 1.0)), yes, R).column(0))[0]
    np.testing.assert_allclose(theta, [2 / 6, 4 / 6, 0], rtol=1e-15)


def test_readings_of_a_variance() -> None:
    cells = np.array([1.0, 2.0, 4.5])
    scatter = np.square(cells - cells.mean()).sum()
    moments = Moments.of(cells[:, None], Shares.hard(np.zeros(3, dtype=np.int32), 1))

    def variance(**options: object) -> float:
        return float(NormalInverseGamma(**options).parameters(moments).variance[0, 0])

    assert variance(strength=0.0) == pytest.approx(scatter / 3, rel=1e-15)
    assert variance(strength=2.0) == pytest.approx((2 * scatter / 3 + scatter) / 5, rel=1e-15)
    assert variance(strength=2.0, variance=7.0) == pytest.approx((14.0 + scatter) / 5, rel=1e-15)
    assert variance(strength=2.0, variance=7.0, reading=Reading.MODE) == pytest.approx((14.0 + scatter) / 8, rel=1e-15)
    pulled = NormalInverseGamma(0.0, 1.0, mean=0.0).parameters(moments)
    assert pulled.mean.value[0, 0] == pytest.approx(7.5 / 4, rel=1e-15)
    assert pulled.variance[0, 0] == pytest.approx((scatter + 3 / 4 * 2.5**2) / 3, rel=1e-15)
