"""Worked numbers of impurities, bagging and boosting."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import AdaBoostClassifier, DecisionStump
from suffice.compose import boost_step, exponential_loss, rule_weight
from suffice.trees import impurity

TEN, SIGNS = np.arange(10.0)[:, None], np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])


def test_impurities_of_nine_to_one() -> None:
    """C.R49: p = (.9, .1): error .1, Gini .18, entropy .325083 nat = .468996 bit."""
    p = [0.9, 0.1]
    assert impurity(p, "misclassification") == pytest.approx(0.1, abs=1e-12)
    assert impurity(p, "gini") == pytest.approx(0.18, abs=1e-12)
    assert impurity(p, "entropy", base=np.e) == pytest.approx(0.325083, abs=5e-7)
    assert impurity(p, "entropy") == pytest.approx(0.468996, abs=5e-7)
    assert impurity(p, "sqrt_gini") == pytest.approx(0.3, abs=1e-12)


def test_impurities_are_to_be_made_small() -> None:
    """C.E10: the entropy has a minus sign, and all impurities are 0 for one class and largest for even shares."""
    assert impurity([0.5, 0.5], "entropy", base=np.e) == pytest.approx(np.log(2.0), abs=1e-12)  # not -.6931
    for measure in ("misclassification", "gini", "entropy", "sqrt_gini"):
        assert impurity([1.0, 0.0], measure) == 0.0
        assert impurity([0.5, 0.5], measure) > impurity([0.6, 0.4], measure) > impurity([0.9, 0.1], measure) > 0.0


def test_three_of_ten_are_wrong() -> None:
    """P.W103: eps .3, alpha .4236 with the half; new weights .1667 and .0714, half of the weight on the errors."""
    step = boost_step(np.full(10, 0.1), np.arange(10) < 3, half=True)
    assert (step.error, step.alpha) == (pytest.approx(0.3), pytest.approx(0.5 * np.log(0.7 / 0.3)))
    np.testing.assert_allclose(step.weights[[0, 9]], [0.1 / 0.6, 0.1 / 1.4], rtol=1e-12)
    assert step.weights[:3].sum() == pytest.approx(0.5, abs=1e-12)


def test_no_error_and_chance_are_refused() -> None:
    """P.W103: the text is silent about eps = 0, where alpha is infinite."""
    for wrong in (np.zeros(4, dtype=bool), np.arange(4) < 2):
        with pytest.raises(ValueError, match="the weighted error must be above 0 and below"):
            boost_step(np.full(4, 0.25), wrong)


def test_dropping_the_half_leaves_the_weights() -> None:
    """C.R20: the weights of rows are the same with and without 1/2, if right answers lose what errors gain."""
    w, wrong = np.random.default_rng(0).dirichlet(np.ones(12)), np.arange(12) % 4 == 0
    whole, half = boost_step(w, wrong), boost_step(w, wrong, half=True)
    np.testing.assert_allclose(whole.weights, half.weights, atol=1e-16)
    assert whole.alpha == pytest.approx(2 * half.alpha)
    mixed = w * np.exp(half.alpha * wrong)  # the half with the update of the whole
    assert np.abs(mixed / mixed.sum() - whole.weights).max() > 0.005


def test_the_last_member_is_as_good_as_chance_on_the_new_weights() -> None:
    """C.R21: the weighted error of a member after its own update is 1/2."""
    model = AdaBoostClassifier(n_estimators=3, keep_weights=True).fit(TEN, SIGNS)
    for member, after in zip(model.estimators_, model.weights_by_round_[1:], strict=True):
        wrong = model.classes_[member.predict(TEN)] != SIGNS
        assert after[wrong].sum() == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("estimator", [None, DecisionStump()], ids=["tree", "stump"])
def test_stumps_on_ten_points(estimator: object) -> None:
    """C.R42: rounds (eps, cut, alpha): (.3, 2.5, .8473), (.2143, 8.5, 1.2993), (.1818, 5.5, 1.5041); then no error."""
    model = AdaBoostClassifier(estimator, n_estimators=3).fit(TEN, SIGNS)
    np.testing.assert_allclose(model.estimator_errors_, [0.3, 0.2143, 0.1818], atol=5e-5)
    np.testing.assert_allclose(model.estimator_weights_, [0.8473, 1.2993, 1.5041], atol=5e-5)
    assert [member.nodes_.threshold[0] for member in model.estimators_] == [2.5, 8.5, 5.5]
    assert model.score(TEN, SIGNS) == 1.0
    assert next(iter(model.staged_score(TEN, SIGNS))) == 0.7


def test_boosting_lowers_the_exponential_loss() -> None:
    """C.E09: f = 1/2 sum alpha_j y_j; the best step at eps = .25 is .5493, half of 1.0986."""
    w, wrong = np.full(4, 0.25), np.arange(4) == 0
    steps = np.linspace(0.0, 2.0, 20001)
    signs = np.where(wrong, -1.0, 1.0)
    losses = [exponential_loss(np.full(4, step), signs) for step in steps]
    least = steps[int(np.argmin(losses))]
    assert least == pytest.approx(0.5493, abs=1e-4)
    assert boost_step(w, wrong, half=True).alpha == pytest.approx(least, abs=1e-4)
    assert boost_step(w, wrong).alpha == pytest.approx(1.0986, abs=5e-5)
    model = AdaBoostClassifier(n_estimators=3, algorithm="half", keep_weights=True).fit(TEN, SIGNS)
    scores, fall = np.zeros(10), []
    for alpha, member in zip(model.estimator_weights_, model.estimators_, strict=True):
        scores += alpha * model.classes_[member.predict(TEN)]
        fall.append(exponential_loss(scores, SIGNS))
    assert fall == sorted(fall, reverse=True)
    after = np.exp(-SIGNS * scores)  # the weights of rows are the terms of the loss
    np.testing.assert_allclose(after / after.sum(), model.weights_by_round_[-1], atol=1e-14)


def test_a_rule_that_abstains() -> None:
    """P.W104: eps0 .5, eps+ .35, eps- .15: alpha .4236 minimises Z (it does not maximise it); Z = .958258."""
    alpha, Z = rule_weight(0.35, 0.15, 0.5)
    assert (alpha, Z) == (pytest.approx(0.4236, abs=5e-5), pytest.approx(0.958258, abs=5e-7))
    assert pytest.approx(1.0 - (np.sqrt(0.35) - np.sqrt(0.15)) ** 2) == Z
    at = [0.5 + 0.35 * np.exp(-a) + 0.15 * np.exp(a) for a in (alpha - 0.5, alpha, alpha + 0.5)]
    np.testing.assert_allclose(at, [1.0167, Z, 1.0167], atol=5e-5)
    assert rule_weight(0.1, 0.3, 0.6).alpha < 0
    with pytest.raises(ValueError, match="a pure rule must be given a floor"):
        rule_weight(0.3, 0.0, 0.7)
    assert np.isfinite(rule_weight(0.3, 0.0, 0.7, floor=0.05).alpha)
