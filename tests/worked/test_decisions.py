"""Numbers of the sources about decisions: imbalance, prior shift, likelihood ratios, sums of logarithms."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import Decide
from suffice.datasets import Clinic, make_clinic
from suffice.decision import (
    Decision,
    Posterior,
    best_cut,
    break_even_odds,
    break_even_prior,
    estimate_prior,
    even_odds,
    fuse,
    likelihood_ratio,
    log_sum_exp,
    majority_right,
    normalize,
    recalibrate,
)
from suffice.decision.decide.odds import odds

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


def mails() -> Posterior:
    """The eight mails of the example under the Bernoulli model with one pseudo-count, classes even: ham 0, spam 1."""
    present = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 0]])
    spam = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    shares = [(present[spam == c].sum(axis=0) + 1) / 6 for c in (0, 1)]
    joint = np.array([[np.prod(np.where(row, share, 1 - share)) for share in shares] for row in present])
    return Posterior(joint / joint.sum(axis=1, keepdims=True), np.array([0.5, 0.5]))


def test_recalibrated_likelihood_of_the_mails() -> None:
    """P.W34, P.M049, P.M050: the ratios, and 6 of 8 right at best, between 3/4 and 3/2, where equal weights lie."""
    posterior, y = mails(), [1, 1, 1, 1, 0, 0, 0, 0]
    ratio = likelihood_ratio(posterior)
    np.testing.assert_allclose(ratio, [3, 3, 0.375, 1.5, 1.5, 0.375, 0.375, 0.75], rtol=1e-14)
    found = recalibrate(*posterior, y)
    assert 1 - found.cost == 1 - found.before == 0.75
    assert 0.75 <= found.weights[0] / found.weights[1] < 1.5
    np.testing.assert_allclose(found.weights, [0.5, 0.5], rtol=1e-14)


def test_four_positives_for_each_negative() -> None:
    """P.W33: with a ranking that is no better than chance the best rule is always positive, right in 80 %."""
    y = np.tile([1, 1, 1, 1, 0], 5)
    p = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 5)
    found = recalibrate(np.column_stack([1 - p, p]), "uniform", y)
    assert found.weights.tolist() == [0.0, 1.0]
    assert 1 - found.cost == pytest.approx(0.80, abs=1e-15)


def test_odds_of_a_message() -> None:
    """P.W25, P.M052: posterior odds 3/2 * 1/2 = 3/4; break-even prior odds 2/3, a prior of 2/5."""
    posterior = mail((1 / 3, 2 / 3))
    ratio = likelihood_ratio(Posterior(posterior.proba[:, ::-1], posterior.prior[::-1]))[0]
    assert ratio == pytest.approx(3 / 2, rel=1e-14)
    assert ratio * odds(1 / 3) == pytest.approx(3 / 4, rel=1e-14)
    assert break_even_odds(ratio) == pytest.approx(2 / 3, rel=1e-14)
    assert break_even_prior(ratio) == pytest.approx(2 / 5, rel=1e-14)


def test_fusion_of_two_sources() -> None:
    """P.W97, P.M193: p(y | x1) p(y | x2) / p(y) is (1/4, 3/4), as from the joint directly."""
    prior, one, two = np.array([0.3, 0.7]), np.array([0.2, 0.6]), np.array([0.7, 0.3])
    opinions = [(likelihood * prior / (likelihood @ prior))[None] for likelihood in (one, two)]
    direct = one * two * prior / (one * two @ prior)
    np.testing.assert_allclose(fuse(opinions, prior).proba, [[0.25, 0.75]], rtol=1e-14)
    np.testing.assert_allclose(direct, [0.25, 0.75], rtol=1e-14)


MAJORITY = {
    0.51: (0.51, 0.515, 0.5187, 0.5271, 0.5370, 0.5571, 0.5799),
    0.55: (0.55, 0.5748, 0.5931, 0.6331, 0.6790, 0.7641, 0.8438),
    0.6: (0.6, 0.648, 0.6826, 0.7535, 0.8256, 0.9265, 0.9791),
    0.7: (0.7, 0.784, 0.8369, 0.9218, 0.9736, 0.9986, 1.0),
    0.8: (0.8, 0.896, 0.9421, 0.9883, 0.9990, 1.0, 1.0),
    0.5: (0.5,) * 7,
    0.3: (0.3, 0.216, 0.1631, 0.0782, 0.0264, 0.0014, 0.0),
}


def test_a_majority_of_independent_voters() -> None:
    """C.R19, C.M12.04: 1 to 101 voters, the printed digits; even numbers lose their ties."""
    for p, row in MAJORITY.items():
        for voters, share in zip((1, 3, 5, 11, 21, 51, 101), row, strict=True):
            assert majority_right(voters, p) == pytest.approx(share, abs=5.1e-5)
    assert majority_right(2, 0.6) == pytest.approx(0.36, rel=1e-14)
    assert majority_right(10, 0.6) == pytest.approx(0.6331, abs=5e-5)


def test_the_loss_matrix_of_a_diagnosis() -> None:
    """C.M14.06: missing a case costs 5, a false alarm 1; cancer is answered above a probability of 1/6, not 1/2."""
    costs = {"cancer": {"healthy": 5}, "healthy": {"cancer": 1}}
    decision = Decision.read("Clinic", ("cancer", "healthy"), costs=costs)
    p = np.array([0.1, 1 / 6 - 1e-9, 1 / 6 + 1e-9, 0.4, 0.6])
    answers = decision.decide(Posterior(np.column_stack([p, 1 - p]), np.array([0.5, 0.5])))
    assert answers.tolist() == [1, 1, 0, 0, 0]
    assert even_odds([[0, 5], [1, 0]]) == 5.0  # for the second class, healthy


def test_nothing_is_answered_below_seven_tenths() -> None:
    """C.M14.07: two normal classes; between the points where a posterior reaches 0.7 nothing is answered."""
    x = np.linspace(-4, 4, 801)
    p = 1 / (1 + np.exp(-2 * x))  # means -1 and 1, variance 1
    posterior = Posterior(np.column_stack([1 - p, p]), np.array([0.5, 0.5]))
    refused = Decision(at_least=0.7).decide(posterior) == -1
    edge = math.log(7 / 3) / 2
    np.testing.assert_array_equal(refused, np.abs(x) < edge)
    assert not (Decision(at_least=0.5).decide(posterior) == -1).any()  # below 1/K nothing is ever refused


def test_a_threshold_where_the_total_error_is_least() -> None:
    """C.M14.05: two normals of different shares, cut where their joint densities cross."""
    x = np.linspace(-8, 8, 16_001)
    first, second = 0.7 * np.exp(-((x + 1) ** 2) / 2), 0.3 * np.exp(-((x - 1) ** 2) / 2)
    cut = best_cut(np.tile(x, 2), np.repeat([0, 1], len(x)), sample_weight=np.concatenate([first, second]))
    crossing = math.log(7 / 3) / 2
    assert cut.threshold == pytest.approx(crossing, abs=0.001)
    dear = best_cut(np.tile(x, 2), np.repeat([0, 1], len(x)), [[0, 1], [5, 0]], np.concatenate([first, second]))
    assert dear.threshold == pytest.approx(math.log(7 / 3 / 5) / 2, abs=0.001)


def test_a_movable_threshold() -> None:
    """C.M05.08: positive above alpha is a choice of costs; too small answers all, too large none."""
    p = np.array([0.05, 0.3, 0.5, 0.7, 0.95])
    posterior = Posterior(np.column_stack([1 - p, p]), np.array([0.5, 0.5]))
    for alpha, positives in ((0.01, 5), (0.4, 3), (0.6, 2), (0.99, 0)):
        answers = Decision(costs=[[0, alpha], [1 - alpha, 0]]).decide(posterior)
        assert answers.sum() == positives == (p >= alpha).sum()


@pytest.mark.parametrize("share", [0.05, 0.2, 0.8])
def test_the_prior_of_another_season_from_rows_without_labels(share: float) -> None:
    """P.M192: a clinic learned at a prior of a half; an estimated prior does nine tenths of what the true one does."""

    def season(p: float, n: int, seed: int) -> Clinic:
        return make_clinic(n, random_state=seed, prior=[0.0, 1 - p, p], missing=0.0, text=False)

    def numbers(clinic: Clinic) -> np.ndarray:
        columns = [np.asarray(clinic.data[name], float) for name in ("age", "temperature", "systolic", "visits")]
        return np.column_stack([*columns, np.log(np.asarray(clinic.data["crp"], float))])

    train = season(0.5, 3000, 0)
    model = Decide(make_pipeline(StandardScaler(), LogisticRegression())).fit(numbers(train), train.target)
    gains = []
    for seed in range(1, 4):
        test = season(share, 2000, seed)
        found = estimate_prior(*model.posterior(numbers(test)))
        assert found.settled
        as_learned, by_truth, by_estimate = (
            test.regret(model.predict(numbers(test), prior=prior)) for prior in (None, [1 - share, share], found.prior)
        )
        gains.append((as_learned - by_estimate) / (as_learned - by_truth))
    assert np.median(gains) >= 0.9
