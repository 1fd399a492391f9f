"""Numbers of the sources about decisions: imbalance, prior shift, likelihood ratios, sums of logarithms."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from suffice.decision import Decision, Posterior, log_sum_exp, normalize

SPAM, HAM = 0, 1


def mail(prior: tuple[float, float]) -> Posterior:
    """The posterior of a message with likelihoods 2/9 (spam) and 4/27 (ham)."""
    log_joint = np.log([[2 / 9, 4 / 27]]) + np.log(prior)
    return Posterior(np.exp(normalize(log_joint)), np.array(prior))


def test_likelihood_ratio_and_posterior_odds() -> None:
    """P.W25: likelihood ratio 3/2, prior odds 1/2, posterior odds 3/4."""
    posterior = mail((1 / 3, 2 / 3))
    ratio = posterior.likelihood()[0]
    assert ratio[SPAM] / ratio[HAM] == pytest.approx(3 / 2, rel=1e-14)
    odds = posterior.proba[0, SPAM] / posterior.proba[0, HAM]
    assert odds == pytest.approx(3 / 4, rel=1e-14)


def test_maximum_likelihood_says_spam_and_maximum_a_posteriori_ham() -> None:
    """P.W25, P.M047, P.M048: the two rules disagree on this message."""
    posterior = mail((1 / 3, 2 / 3))
    assert Decision.maximum_likelihood(2).decide(posterior).tolist() == [SPAM]
    assert Decision.maximum_a_posteriori().decide(posterior).tolist() == [HAM]


@pytest.mark.parametrize(("odds", "answer"), [(0.6666, HAM), (2 / 3, SPAM), (0.6667, SPAM)])
def test_the_answer_flips_at_prior_odds_of_two_thirds(odds: float, answer: int) -> None:
    """P.W25: with prior odds of exactly 2/3 both classes are as probable, and the first one is answered."""
    prior = np.array([odds / (1 + odds), 1 / (1 + odds)])
    assert Decision(prior=prior).decide(mail((1 / 3, 2 / 3))).tolist() == [answer]


def test_always_normal_is_right_in_999_of_1000() -> None:
    """P.W94: one case in 1000; the rule that always says normal scores 99.9 %, and costs show why it is no good."""
    y = np.zeros(1000, dtype=int)
    y[0] = 1
    prior = np.array([np.mean(y == 0), np.mean(y == 1)])
    knows_nothing = Posterior(np.tile(prior, (1000, 1)), prior)
    answers = Decision().decide(knows_nothing)
    assert not answers.any()
    assert Fraction(int((answers == y).sum()), 1000) == Fraction(999, 1000)
    assert Decision().expected_cost(knows_nothing)[0, 0] == pytest.approx(0.001, abs=1e-15)
    assert Decision(costs=[[0, 1], [1000, 0]]).decide(knows_nothing).all()


def test_balanced_posterior_under_the_true_prior() -> None:
    """P.W96, P.M191, P.M192: learned on balanced classes, corrected by the scaled-likelihood trick."""
    shifted = Posterior(np.array([[0.9, 0.1]]), np.array([0.5, 0.5])).shift([0.001, 0.999])
    case = Fraction(9, 10) * Fraction(1, 1000)
    normal = Fraction(1, 10) * Fraction(999, 1000)
    exact = [float(case / (case + normal)), float(normal / (case + normal))]
    np.testing.assert_allclose(shifted.proba[0], exact, rtol=1e-15, atol=0)
    assert shifted.proba[0].round(5).tolist() == [0.00893, 0.99107]
    assert shifted.prior.tolist() == [0.001, 0.999]


def test_log_sum_exp_of_small_numbers() -> None:
    """P.W101, P.M206: (-120, -121) gives log(e^0 + e^-1) - 120; a direct sum survives that, but not 1000 lower."""
    assert log_sum_exp([-120.0, -121.0]) == pytest.approx(math.log(1 + math.exp(-1)) - 120, rel=1e-15)
    assert log_sum_exp([-1200.0, -1201.0]) == pytest.approx(-1199.6867383124818, rel=1e-15)
    assert math.exp(-1200.0) + math.exp(-1201.0) == 0.0


def test_log_sum_exp_of_nothing_possible() -> None:
    """P.W102, P.M206: where the maximum is not finite, the result is the maximum."""
    assert log_sum_exp([-np.inf, -np.inf]) == -np.inf
    assert log_sum_exp([3.0, np.inf]) == np.inf
