"""Conjugate updating: prior + summary = posterior, in steps as at once, against SciPy and exact rationals."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from suffice.core.block import Coded
from suffice.core.errors import BadInput, BadType, NeverAdded
from suffice.core.shares import Shares
from suffice.families import (
    Beta,
    BetaBernoulli,
    DiagonalNormal,
    Dirichlet,
    DirichletCategorical,
    DirichletMultinomial,
    Gamma,
    GammaPoisson,
    InverseGammaNormal,
    InverseWishartNormal,
    MEstimate,
    NormalInverseGamma,
    NormalInverseWishart,
    Reading,
    bayes_factor,
)
from suffice.persistence import from_bytes, to_bytes
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments

RNG = np.random.default_rng(0)
NORMAL = InverseGammaNormal(mean=1.0, mean_strength=0.5, variance=4.0, strength=3.0)
WISHART = InverseWishartNormal(np.array([1.0, -1.0]), np.array([[2.0, 0.5], [0.5, 1.0]]), 0.5, 4.0)
CASES: list[tuple[Any, Any]] = [
    (BetaBernoulli(1.5, 2.5), RNG.random(40) < 0.3),
    (DirichletCategorical.over("abc", MEstimate(2.0)), RNG.choice(list("abc"), 40).tolist()),
    (DirichletMultinomial.over("abc", Dirichlet(0.7)), RNG.integers(0, 4, (40, 3))),
    (GammaPoisson(2.0, 0.5), RNG.poisson(3.0, 40)),
    (NORMAL, RNG.normal(3.0, 2.0, 40)),
    (WISHART, RNG.normal(3.0, 2.0, (40, 2))),
]
each_pair = pytest.mark.parametrize(("prior", "rows"), CASES, ids=lambda part: type(part).__name__)


def numbers(value: Any) -> np.ndarray[Any, Any]:
    """All hyper-parameters in one array."""
    fields = [v for name, v in vars(value).items() if name not in {"labels", "low"}]
    return np.concatenate([np.ravel(field) for field in fields])


@each_pair
def test_updating_in_steps_is_updating_once(prior: Any, rows: Any) -> None:
    once = prior.observe(rows)
    steps, parts = prior, [prior.summarize(rows[a:b]) for a, b in ((0, 1), (1, 18), (18, 18), (18, 40))]
    for part in parts:
        steps = steps + part
    assert type(steps) is type(prior)
    np.testing.assert_allclose(numbers(steps), numbers(once), rtol=1e-13)
    np.testing.assert_allclose(numbers(prior + sum(parts[1:], parts[0])), numbers(once), rtol=1e-13)


@each_pair
def test_taking_rows_away_goes_back(prior: Any, rows: Any) -> None:
    back = prior.observe(rows) - prior.summarize(rows)
    np.testing.assert_allclose(numbers(back), numbers(prior), rtol=1e-11, atol=1e-11)


@each_pair
def test_a_weight_is_so_many_copies_and_weight_nothing_is_no_row(prior: Any, rows: Any) -> None:
    w = RNG.integers(0, 4, len(rows))
    copies = np.repeat(np.asarray(rows), w, axis=0)
    copies = copies.tolist() if isinstance(rows, list) else copies
    np.testing.assert_allclose(numbers(prior.observe(rows, w)), numbers(prior.observe(copies)), rtol=1e-12)
    summary = prior.summarize(rows, w)
    both = prior.log_evidence(summary), prior.log_evidence(prior.summarize(copies))
    assert both[0] == pytest.approx(both[1], rel=1e-12)


@each_pair
def test_the_evidence_is_what_was_predicted_row_by_row(prior: Any, rows: Any) -> None:
    """log p(rows) = sum of log p(row | rows before)."""
    so_far, total = prior, 0.0
    for i in range(len(rows)):
        total += float(so_far.log_predictive(rows[i : i + 1])[0])
        so_far = so_far.observe(rows[i : i + 1])
    evidence = prior.log_evidence(prior.summarize(rows), prior.log_base(rows))
    assert evidence == pytest.approx(total, rel=1e-12)


@each_pair
def test_each_component_gets_its_posterior(prior: Any, rows: Any) -> None:
    codes = np.arange(len(rows)) % 2
    R = Shares.hard(codes.astype(np.int32), 2)
    kind = type(prior.summarize(rows))
    if kind is Counts and isinstance(rows, np.ndarray) and rows.ndim == 2:
        summary = Counts.of_words(prior._words(rows), R)
    elif kind is Counts:
        known = (False, True) if isinstance(prior, BetaBernoulli) else prior.labels
        part = Coded(np.array([[known.index(row)] for row in np.asarray(rows).tolist()]), (known,))
        summary = Counts.of(part, R)
    else:
        summary = kind.of(np.asarray(rows, float).reshape(len(rows), -1), R)
    for k, posterior in enumerate(prior.each(summary)):
        mine = [row for row, code in zip(rows, codes, strict=True) if code == k]
        np.testing.assert_allclose(numbers(posterior), numbers(prior.observe(mine)), rtol=1e-12)
    with pytest.raises(BadInput, match=r"the summary must be of one component, got 2\. Use `each`"):
        prior + summary


@each_pair
def test_a_posterior_is_saved_and_still_adds(prior: Any, rows: Any) -> None:
    posterior = prior.observe(rows)
    back = from_bytes(to_bytes(posterior))
    assert type(back) is type(posterior)
    assert (numbers(back) == numbers(posterior)).all()
    assert (numbers(back.observe(rows)) == numbers(posterior.observe(rows))).all()


@each_pair
def test_new_rows_have_the_predictive_distribution(prior: Any, rows: Any) -> None:
    """The mean log predictive of sampled rows is minus its entropy, by two independent samples."""
    posterior = prior.observe(rows)
    a, b = (posterior.log_predictive(posterior.sample(4000, seed)) for seed in (1, 2))
    spread = np.hypot(a.std(), b.std()) / np.sqrt(4000)
    assert abs(a.mean() - b.mean()) < 4 * spread + 1e-12
    assert len(posterior.sample(3, 0)) == 3


def test_a_chance_against_rationals() -> None:
    posterior = BetaBernoulli() + {True: 9, False: 1}
    assert (posterior.yes, posterior.no, posterior.mean) == (10, 2, 10 / 12)
    assert np.exp(BetaBernoulli().log_evidence({True: 9, False: 1})) == pytest.approx(1 / 110, rel=1e-13)
    top = Fraction(factorial(9), factorial(11))
    even = np.exp(stats.betabinom(10, 50, 50).logpmf(9)) / 10
    factor = bayes_factor(BetaBernoulli(), BetaBernoulli(50, 50), {True: 9, False: 1})
    assert factor == pytest.approx(float(top) / even, rel=1e-11)
    logs = bayes_factor(BetaBernoulli(), BetaBernoulli(50, 50), {True: 9, False: 1}, log=True)
    assert logs == pytest.approx(np.log(factor), rel=1e-12)
    assert np.exp(posterior.log_predictive([1, 0, 2])).tolist() == pytest.approx([5 / 6, 1 / 6, 0.0], rel=1e-14)


def test_labels_against_scipy() -> None:
    posterior = DirichletMultinomial.over("abcd", Dirichlet(0.5)) + {"a": 3, "b": 1, "c": 8}
    rows = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [4, 4, 4, 4]])
    peer = [stats.dirichlet_multinomial(posterior.alpha, row.sum()).logpmf(row) for row in rows]
    np.testing.assert_allclose(posterior.log_predictive(rows), peer, atol=1e-12)
    law = stats.dirichlet(posterior.alpha)
    np.testing.assert_allclose(posterior.mean, law.mean(), rtol=1e-14)
    for j, label in enumerate("abcd"):
        assert posterior.belief(label).variance == pytest.approx(law.var()[j], rel=1e-12)
    sharper = posterior + {"a": 1, "b": 1, "c": 1, "d": 1}
    np.testing.assert_allclose(sharper.mode, (sharper.alpha - 1) / (sharper.alpha.sum() - 4), rtol=1e-14)
    drawn = posterior.draw(20_000, 0)
    share = (drawn[:, 0] > drawn[:, 1]).mean()
    exact = posterior.exceeds("a", "b").probability
    assert abs(share - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000)


def test_two_labels_are_a_chance() -> None:
    two = DirichletCategorical.over((False, True), Beta(2.0, 3.0))
    one = BetaBernoulli.of(Beta(2.0, 3.0))
    counts = {True: 5, False: 2}
    assert two.log_evidence(counts) == one.log_evidence(counts)
    assert (two + counts).belief(True).law.args == (one + counts).belief.law.args
    assert (two + counts).mean[1] == pytest.approx((one + counts).mean, rel=1e-15)


def test_events_against_scipy_and_rationals() -> None:
    posterior = GammaPoisson.of(Gamma(2.0, 1.0)).observe([1, np.nan, 4, 1])
    assert (posterior.shape, posterior.rate) == (8.0, 4.0)
    x = np.arange(12)
    peer = stats.nbinom(8, 4 / 5)
    np.testing.assert_allclose(posterior.log_predictive(x), peer.logpmf(x), rtol=1e-12, atol=1e-13)
    assert np.isneginf(posterior.log_predictive([-1, 0.5])).all()
    rows = [1, 4, 1]  # prod 1/x! int r^6 e^-3r r e^-r dr = 7! / 4^8 / 24
    prior = GammaPoisson(2.0, 1.0)
    oracle = Fraction(factorial(7), 4**8 * 24)
    evidence = prior.log_evidence(prior.summarize(rows), prior.log_base(rows))
    assert np.exp(evidence) == pytest.approx(float(oracle), rel=1e-13)


def test_normal_against_scipy_and_the_family_that_has_the_same_prior() -> None:
    rows = np.array([3.0, 5.0, np.nan, -2.0, 7.5])
    prior = NormalInverseGamma(strength=3.0, mean_strength=0.5, mean=1.0, variance=4.0)
    posterior = InverseGammaNormal.of(prior).observe(rows)
    moments = Moments.of(rows[:, None], Shares.hard(np.zeros(5, dtype=np.int32), 1))
    found = prior.parameters(moments)
    assert posterior.mean == pytest.approx(found.mean.value[0, 0], rel=1e-14)
    assert posterior.variance == pytest.approx(found.variance[0, 0], rel=1e-14)
    mode = NormalInverseGamma(3.0, 0.5, 1.0, 4.0, Reading.MODE).parameters(moments)
    assert posterior.mode.variance == pytest.approx(mode.variance[0, 0], rel=1e-14)
    predictive = DiagonalNormal(NormalInverseGamma(3.0, 0.5, 1.0, 4.0, Reading.PREDICTIVE)).estimate(moments)
    x = np.linspace(-10, 10, 7)
    np.testing.assert_allclose(posterior.log_predictive(x), predictive.log_density(x[:, None])[:, 0], rtol=1e-13)
    drawn = posterior.draw(4000, 0)
    assert stats.kstest(drawn[:, 0], posterior.mean_belief.law.cdf).pvalue > 0.01
    assert stats.kstest(drawn[:, 1], posterior.variance_belief.law.cdf).pvalue > 0.01


def test_the_evidence_of_normal_rows_is_the_integral() -> None:
    rows = np.array([0.5, 1.5, 3.0])

    def inner(variance: float) -> float:
        prior = stats.invgamma(1.5, scale=6.0).pdf(variance)
        centre, k = 1.0, 0.5
        mean = (k * centre + rows.sum()) / (k + 3)
        scatter = ((rows - mean) ** 2).sum() + k * (mean - centre) ** 2
        height = (2 * np.pi * variance) ** -1.5 * np.sqrt(k / (k + 3))
        return float(prior * height * np.exp(-scatter / (2 * variance)))

    oracle = quad(inner, 0, 5, epsabs=0, epsrel=1e-12)[0] + quad(inner, 5, np.inf, epsabs=0, epsrel=1e-12)[0]
    assert NORMAL.log_evidence(NORMAL.summarize(rows)) == pytest.approx(np.log(oracle), abs=1e-9)


def test_several_columns_in_one_are_one_column() -> None:
    rows = RNG.normal(5.0, 2.0, 30)
    one = NORMAL.observe(rows)
    prior = InverseWishartNormal(np.array([1.0]), np.array([[4.0]]), 0.5, 3.0)
    many = prior.observe(rows[:, None])
    assert many.covariance[0, 0] == pytest.approx(one.variance, rel=1e-13)
    evidence = prior.log_evidence(prior.summarize(rows[:, None]))
    assert evidence == pytest.approx(NORMAL.log_evidence(NORMAL.summarize(rows)), rel=1e-12)
    x = np.array([0.0, 4.0])
    np.testing.assert_allclose(many.log_predictive(x[:, None]), one.log_predictive(x), rtol=1e-12)
    assert many.mean_belief(0).interval(0.9) == pytest.approx(one.mean_belief.interval(0.9), rel=1e-9)
    assert many.mode.covariance[0, 0] == pytest.approx(one.mode.variance, rel=1e-13)


def test_several_columns_against_the_family_that_has_the_same_prior() -> None:
    rows = RNG.normal(5.0, 2.0, (30, 2))
    prior = NormalInverseWishart(4.0, 0.5, (1.0, 2.0), 3.0)
    posterior = InverseWishartNormal.of(prior, 2).observe(rows)
    found = prior.shape(FullMoments.of(rows, Shares.hard(np.zeros(30, dtype=np.int32), 1)))
    np.testing.assert_allclose(posterior.mean, found.mean.value[0], rtol=1e-14)
    np.testing.assert_allclose(posterior.covariance, found.covariance[0], rtol=1e-13)


def test_draws_of_mean_and_covariance_have_the_marginals() -> None:
    posterior = WISHART.observe(CASES[5][1])
    mean, covariance = posterior.draw(3000, 0)
    assert stats.kstest(mean @ [1, -1], posterior.mean_belief([1, -1]).law.cdf).pvalue > 0.01
    assert stats.kstest(covariance[:, 1, 1], posterior.variance_belief(1).law.cdf).pvalue > 0.01
    law = stats.invwishart(posterior.strength, posterior.spread)
    np.testing.assert_allclose(posterior.expected_covariance, law.mean(), rtol=1e-12)


@pytest.mark.parametrize("offset", [1e8, -3e9])
def test_digits_survive_an_offset(offset: float) -> None:
    """In steps, with the rows far from 0 and little spread, against rational arithmetic on the stored numbers."""
    rows = offset + RNG.normal(0.0, 1.0, 50)
    posterior = InverseGammaNormal(mean=offset, mean_strength=1.0, variance=1.0, strength=1.0)
    for some in np.array_split(rows, 7):
        posterior = posterior.observe(some)
    cells = [Fraction(x) for x in rows.tolist()]
    mean = sum(cells) / 50
    scatter = sum((x - mean) ** 2 for x in cells)
    spread = 1 + scatter + Fraction(50, 51) * (mean - Fraction(offset)) ** 2
    assert posterior.variance == pytest.approx(float(spread / 51), rel=1e-13)
    exact = (Fraction(offset) + 50 * mean) / 51
    assert abs(Fraction(posterior.mean) + Fraction(posterior.low) - exact) < Fraction(abs(offset)) / 2**90


def test_a_prior_of_nothing_is_maximum_likelihood() -> None:
    rows = np.array([2.0, 4.0, 9.0])
    posterior = InverseGammaNormal(mean_strength=0.0, strength=0.0).observe(rows)
    assert (posterior.mean, posterior.variance) == pytest.approx((rows.mean(), rows.var()), rel=1e-14)
    assert (BetaBernoulli(0, 0) + {True: 3, False: 1}).mean == 0.75
    empty = posterior - posterior.summarize(rows)
    assert (empty.mean_strength, empty.strength, empty.variance) == (0.0, 0.0, 0.0)


def test_one_row_no_row_and_a_constant_column() -> None:
    assert NORMAL.observe([]) == NORMAL
    assert NORMAL.observe([np.nan]) == NORMAL
    assert NORMAL.log_evidence(NORMAL.summarize([])) == pytest.approx(0.0, abs=1e-15)
    assert NORMAL.observe([5.0]).strength == 4.0
    constant = InverseGammaNormal(mean_strength=0.0, strength=0.0).observe([7.0, 7.0])
    with pytest.raises(BadInput, match="InverseGammaNormal: variance must be above 0, so that the belief is a dist"):
        constant.mean_belief


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda: BetaBernoulli(-1, 2), BadInput, "BetaBernoulli: yes must be finite and at least 0, got -1"),
    (lambda: BetaBernoulli(1, np.inf), BadInput, "BetaBernoulli: no must be finite and at least 0, got inf"),
    (lambda: BetaBernoulli(0, 2).belief, BadInput, "yes must be above 0, so that the belief is a distribution, got 0"),
    (
        lambda: BetaBernoulli() + np.ones(2),
        BadType,
        "what is added must be Counts, got ndarray. Make it",
    ),
    (lambda: BetaBernoulli() + {"yes": 3}, BadInput, r"every label must be one of \[False, True\], got 'yes'"),
    (lambda: BetaBernoulli() + {True: -3}, BadInput, r"counts must be finite and at least 0, got \{True: -3\}\. To t"),
    (lambda: BetaBernoulli() - {True: 3}, NeverAdded, "the counts must stay at least 0, got -2 after taking rows away"),
    (lambda: BetaBernoulli().observe([1, 0], [1, -1]), BadInput, "weights must be 2 finite numbers of at least 0, got"),
    (lambda: BetaBernoulli().observe([0.5]), BadInput, r"every label must be one of \[False, True\], got 0.5"),
    (lambda: DirichletCategorical(("a",), [1, 2]), BadInput, r"alpha must be one pseudo-count for each label of \['a'"),
    (lambda: DirichletCategorical(("a", "b"), [1, -2]), BadInput, "alpha must be finite and at least 0"),
    (lambda: DirichletCategorical.over("ab").belief("c"), BadInput, r"label must be one of \['a', 'b'\], got 'c'"),
    (lambda: DirichletCategorical.over("ab").exceeds("a", "a"), BadInput, "other must be another label, got 'a'"),
    (lambda: DirichletCategorical.over("ab").mode, BadInput, "alpha must be at least 1 for every label and above 1"),
    (lambda: DirichletMultinomial.over("ab").observe([[1, 2, 3]]), BadInput, "rows must be vectors of 2 counts"),
    (lambda: DirichletMultinomial.over("ab").observe([[1, -2]]), BadInput, "rows must be counts of at least 0, got -2"),
    (lambda: GammaPoisson.of(Gamma()), BadInput, "GammaPoisson: the shape of the prior must be given, got None"),
    (lambda: GammaPoisson().observe([-1]), BadInput, "GammaPoisson: counts must be at least 0, got -1"),
    (lambda: GammaPoisson().observe(np.ones((2, 2))), BadInput, r"rows must be one number each, got \(2, 2\)"),
    (lambda: GammaPoisson(1, 0).mean, BadInput, "GammaPoisson: rate must be above 0, so that the belief"),
    (lambda: GammaPoisson(1, 0).belief, BadInput, "GammaPoisson: rate must be above 0, so that the belief"),
    (lambda: GammaPoisson().observe([3]) - GammaPoisson().summarize([5]), NeverAdded, "events and rows must stay at l"),
    (lambda: InverseGammaNormal.of(NormalInverseGamma()), BadInput, "mean and variance of the prior must be given"),
    (lambda: InverseWishartNormal.of(NormalInverseWishart(), 2), BadInput, "mean and variance of the prior must be g"),
    (lambda: InverseGammaNormal(mean=np.nan), BadInput, "InverseGammaNormal: mean must be finite, got nan"),
    (
        lambda: NORMAL + Moments.of(np.ones((2, 2)), Shares.hard(np.zeros(2, dtype=np.int32), 1)),
        BadInput,
        r"the summary must be of 1 column\(s\), got 2. Take one column",
    ),
    (lambda: InverseWishartNormal([0.0, 0.0], np.eye(3)), BadInput, r"covariance must be symmetric and of shape \(2"),
    (lambda: InverseWishartNormal([[0.0]], [[1.0]]), BadInput, "mean must be a list of finite numbers"),
    (lambda: InverseWishartNormal([0.0, 0.0], np.eye(2)).mode, BadInput, "strength must be above 1, one less than"),
    (lambda: WISHART.mean_belief([0, 0]), BadInput, "direction must be the number of a column, or 2 numbers that are"),
    (lambda: WISHART.observe([1.0, 2.0]), BadInput, "rows must be of 2 numbers each"),
    (lambda: bayes_factor(NORMAL, GammaPoisson(), None), BadInput, "second must be of the likelihood of the first"),
    (lambda: WISHART + NORMAL.summarize([1.0]), BadType, "what is added must be FullMoments, got Moments"),
]


@pytest.mark.parametrize(("ask", "error", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(ask: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask()


def test_a_covariance_without_a_mean() -> None:
    with pytest.raises(BadInput, match=r"strength must be above 3, so that the covariance has a mean, got 2\.5"):
        InverseWishartNormal([0.0, 0.0], np.eye(2), strength=2.5).expected_covariance
    with pytest.raises(BadInput, match="covariance must be positive definite"):
        InverseWishartNormal([0.0, 0.0], np.ones((2, 2)), strength=2.5).mode


def test_full_moments_of_another_width_are_refused() -> None:
    one = FullMoments.of(np.ones((2, 1)), Shares.hard(np.zeros(2, dtype=np.int32), 1))
    with pytest.raises(BadInput, match=r"InverseWishartNormal: the summary must be of 2 column\(s\), got 1"):
        WISHART + one


def test_a_belief_goes_into_a_file_and_comes_back(tmp_path: Path) -> None:
    from suffice.persistence import load, save

    save(BetaBernoulli(3, 4), tmp_path / "belief")
    assert load(tmp_path / "belief") == BetaBernoulli(3, 4)


def test_rows_that_would_leave_a_direction_with_less_than_no_spread_were_never_added() -> None:
    """Each column alone would keep some spread."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    near = np.column_stack([x, x + 0.1 * rng.normal(size=40)])
    belief = InverseWishartNormal([0.0, 0.0], 0.01 * np.eye(2), 1.0, 3.0).observe(near)
    taken = belief.summarize([[1.0, -1.0], [-1.0, 1.0]])
    with pytest.raises(NeverAdded, match="would vary by less than nothing"):
        belief - taken
    left = belief - belief.summarize(near[:7])
    alone = InverseWishartNormal([0.0, 0.0], 0.01 * np.eye(2), 1.0, 3.0).observe(near[7:])
    np.testing.assert_allclose(left.covariance, alone.covariance, rtol=1e-11)
