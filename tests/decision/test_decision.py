"""Decisions equal brute force over exact fractions, ties included, and cost next to no time."""

from __future__ import annotations

import pickle
import time
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.decision import REFUSE, Decision, Posterior, uniform
from tests.decision.free_actions import free

Shares = list[Fraction]


class Case(NamedTuple):
    """Some rows and a decision about them, in exact fractions."""

    rows: list[Shares]
    old: Shares
    prior: Shares | None
    costs: list[list[Fraction]] | None
    reject: Fraction | None
    at_least: Fraction | None

    def decided(self) -> list[int]:
        """What the library says, from numbers rounded once."""
        prior = None if self.prior is None else floats(self.prior)
        costs = None if self.costs is None else floats(self.costs)
        limits = [None if v is None else float(v) for v in (self.reject, self.at_least)]
        decision = Decision(prior, costs, *limits)
        return [int(a) for a in decision.decide(Posterior(floats(self.rows), floats(self.old)))]


def floats(values: Any) -> np.ndarray:
    """Fractions rounded to float64, each once."""
    return np.array(values, dtype=np.float64)


def brute_force(case: Case) -> list[int]:
    """Every action of every row priced in fractions; the first cheapest, refused only if that is better or required."""
    K = len(case.old)
    costs = case.costs or [[Fraction(int(true != action)) for action in range(K)] for true in range(K)]
    answers = []
    for row in case.rows:
        p = row
        if case.prior is not None:
            joint = [a / b * c for a, b, c in zip(row, case.old, case.prior, strict=True)]
            p = [j / sum(joint) for j in joint] if sum(joint) else case.prior
        price = [sum(p[true] * costs[true][action] for true in range(K)) for action in range(K)]
        best = price.index(min(price))
        dear = case.reject is not None and case.reject < price[best]
        doubtful = case.at_least is not None and p[best] < case.at_least
        answers.append(-1 if dear or doubtful else best)
    return answers


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Small whole numbers, so that ties between classes, and between answering and refusing, are common."""
    K = draw(st.integers(2, 10))
    top = draw(st.sampled_from([1, 3, 12]))

    def shares(least: int) -> Shares:
        counts = draw(st.lists(st.integers(least, max(top, least)), min_size=K, max_size=K).filter(any))
        return [Fraction(c, sum(counts)) for c in counts]

    cost = st.builds(Fraction, st.integers(-5, 5), st.sampled_from([1, 3]))
    line = st.lists(cost, min_size=K, max_size=K)
    table = st.lists(line, min_size=K, max_size=K).filter(lambda table: not free([table]))
    rows = [shares(0) for _ in range(draw(st.integers(1, 4)))]
    prior = shares(0) if draw(st.booleans()) else None
    reject = draw(st.none() | st.builds(Fraction, st.integers(-6, 18), st.sampled_from([6, 12, K])))
    at_least = draw(st.none() | st.builds(Fraction, st.integers(0, 12), st.just(12)))
    return Case(rows, shares(1), prior, draw(st.none() | table), reject, at_least)


@given(case=cases())
def test_every_decision_equals_brute_force(case: Case) -> None:
    """P.M047, P.M048, P.M189, P.M190, P.M192: any prior, costs, reject and limit, on every row, ties included."""
    assert case.decided() == brute_force(case)


@pytest.mark.parametrize("K", range(2, 11))
def test_random_numbers_equal_plain_loops(K: int) -> None:
    """P.M190: uneven posteriors and costs of any size and sign, 2,000 rows, no row differs."""
    rng = np.random.default_rng(K)
    posterior = Posterior(rng.dirichlet(np.full(K, 0.3), 2000), rng.dirichlet(np.full(K, 5.0)))
    prior, costs, reject, at_least = rng.dirichlet(np.ones(K)), rng.normal(size=(K, K)) * 100, 5.0, 0.2
    answers = Decision(prior, costs, reject, at_least).decide(posterior)
    for row, answer in zip(posterior.proba, answers, strict=True):
        p = row / posterior.prior * prior
        p /= p.sum()
        price = [sum(p[c] * costs[c, a] for c in range(K)) for a in range(K)]
        best = int(np.argmin(price))
        assert answer == (-1 if reject < price[best] or p[best] < at_least else best)


@given(
    counts=st.lists(st.integers(0, 30), min_size=2, max_size=8).filter(any),
    reject=st.builds(Fraction, st.integers(0, 24), st.sampled_from([7, 10, 24, 30])),
)
def test_chow(counts: list[int], reject: Fraction) -> None:
    """P.M189: with costs 0 and 1, answer if and only if the top posterior is at least 1 - reject, given or not."""
    p = [Fraction(c, sum(counts)) for c in counts]
    expected = [p.index(max(p)) if max(p) >= 1 - reject else REFUSE]
    posterior = Posterior(floats([p]), uniform(len(p)))
    assert Decision(reject=float(reject)).decide(posterior).tolist() == expected
    zero_one = 1.0 - np.eye(len(p))
    assert Decision(costs=zero_one, reject=float(reject)).decide(posterior).tolist() == expected
    assert Decision(at_least=max(0.0, float(1 - reject))).decide(posterior).tolist() == expected


@given(
    rows=st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(lambda r: sum(r) > 0), min_size=1),
    reject=st.floats(0, 1),
)
def test_chow_on_any_floats(rows: list[list[float]], reject: float) -> None:
    """P.M189: refusing never changes what is answered, and floats a hair from the limit count as on it."""
    proba = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    posterior = Posterior(proba, uniform(4))
    answers, top = Decision(reject=reject).decide(posterior), proba.max(axis=1)
    answered = answers != REFUSE
    assert (answers == Decision().decide(posterior))[answered].all()
    assert answered[top >= 1 - reject].all()
    assert not answered[top < 1 - reject - 1e-14].any()


def test_ties_that_rounding_would_break() -> None:
    """P.M190: sums of the same terms in another order differ in the last digit, and the first class still wins."""
    proba = np.array([[0.3, 0.1, 0.3, 0.3], [0.1, 0.2, 0.35, 0.35], [0.7, 0.1, 0.1, 0.1]])
    posterior, zero_one = Posterior(proba, uniform(4)), 1.0 - np.eye(4)
    assert Decision(costs=zero_one).decide(posterior).tolist() == [0, 2, 0]
    assert Decision(costs=zero_one, reject=0.3).decide(posterior).tolist() == [-1, -1, 0]
    swapped = Posterior(np.array([[0.6, 0.4]]), uniform(2))
    assert Decision(prior=[0.2 / 0.5, 0.3 / 0.5]).decide(swapped).tolist() == [0]


def test_limits_that_rounding_would_miss() -> None:
    """P.M189: 1 - 2/3 is above 1/3 in floats, and 7/9 by shifting is below 7/9; both are on the limit, so answered."""
    thirds = Posterior(np.full((1, 3), 1 / 3), uniform(3))
    assert thirds.proba[0, 0] < 1 - 2 / 3
    assert Decision(reject=2 / 3).decide(thirds).tolist() == [0]
    posterior, prior = Posterior(np.array([[0.6, 0.4]]), uniform(2)), [0.7, 0.3]
    assert posterior.shift(prior).proba[0, 0] < 7 / 9
    assert Decision(prior=prior, at_least=7 / 9).decide(posterior).tolist() == [0]
    assert Decision(prior=prior, at_least=7 / 9 + 1e-14).decide(posterior).tolist() == [-1]


def test_a_forbidden_action_does_not_blur_the_others() -> None:
    """P.M190: rounding is judged by action, so a cost of 1e15 here leaves a difference of 1e-9 there."""
    costs = np.array([[0.5, 0.5 - 1e-9, 1e15], [0.5, 0.5 - 1e-9, 1e15], [0.0, 0.0, 0.0]])
    assert Decision(costs=costs).decide(Posterior(np.array([[0.6, 0.4, 0.0]]), uniform(3))).tolist() == [1]


def test_the_reject_option_by_hand() -> None:
    """P.M189: a missed case costs 100, a false alarm 1, asking an expert 0.6."""
    posterior = Posterior(np.array([[0.999, 0.001], [0.99, 0.01], [0.5, 0.5], [0.3, 0.7]]), uniform(2))
    decision = Decision(costs=[[0, 1], [100, 0]], reject=0.6)
    np.testing.assert_allclose(
        decision.expected_cost(posterior),
        [[0.1, 0.999, 0.6], [1, 0.99, 0.6], [50, 0.5, 0.6], [70, 0.3, 0.6]],
        rtol=1e-13,
    )
    assert decision.decide(posterior).tolist() == [0, -1, 1, 1]


def test_at_least_looks_at_the_class_that_would_be_answered() -> None:
    """P.M189: with costs the answer need not be the most probable class, and its own probability is what counts."""
    posterior = Posterior(np.array([[0.8, 0.2]]), uniform(2))
    costs = [[0, 1], [100, 0]]
    assert Decision(costs=costs).decide(posterior).tolist() == [1]
    assert Decision(costs=costs, at_least=0.2).decide(posterior).tolist() == [1]
    assert Decision(costs=costs, at_least=0.5).decide(posterior).tolist() == [-1]
    assert Decision(at_least=0.5).decide(posterior).tolist() == [0]


def test_a_benefit_is_a_negative_cost() -> None:
    """P.M190: a new loss needs no new model."""
    posterior = Posterior(np.array([[0.9, 0.1], [0.5, 0.5]]), uniform(2))
    decision = Decision(costs=[[-1, 0], [0, -20]], reject=-1.5)
    np.testing.assert_allclose(decision.expected_cost(posterior), [[-0.9, -2, -1.5], [-0.5, -10, -1.5]], rtol=1e-15)
    assert decision.decide(posterior).tolist() == [1, 1]
    assert Decision(costs=[[-1, 0], [0, -1]], reject=-1.5).decide(posterior).tolist() == [-1, -1]


@given(case=cases())
def test_costs_plus_a_constant_decide_alike(case: Case) -> None:
    """P.M190: only differences of costs matter, the refusal's included."""
    if case.costs is not None:
        more = [[cost + 7 for cost in row] for row in case.costs]
        moved = case._replace(costs=more, reject=None if case.reject is None else case.reject + 7)
        assert moved.decided() == case.decided()


@given(case=cases())
def test_a_row_alone_is_decided_as_among_others(case: Case) -> None:
    """Matrix products of another size may sum in another order; decisions do not change."""
    assert [a for row in case.rows for a in case._replace(rows=[row]).decided()] == case.decided()


def test_expected_cost_without_costs_is_the_chance_of_error() -> None:
    """P.M048: one minus the posterior, under the prior of the decision."""
    posterior = Posterior(np.array([[0.75, 0.25]]), uniform(2))
    assert Decision().expected_cost(posterior).tolist() == [[0.25, 0.75]]
    np.testing.assert_allclose(Decision(prior=[0.25, 0.75]).expected_cost(posterior), [[0.5, 0.5]], rtol=1e-15)


def test_no_rows_one_class_and_nan() -> None:
    """The edges: nothing to decide, nothing to choose from, nothing known."""
    everything = Decision(uniform(3), np.eye(3), 0.5, 0.5)
    for decision in (Decision(), everything):
        assert decision.decide(Posterior(np.zeros((0, 3)), uniform(3))).shape == (0,)
    assert Decision([1.0], [[0.0]], 0.0, 1.0).decide(Posterior(np.ones((2, 1)), uniform(1))).tolist() == [0, 0]
    unknown = Posterior(np.full((1, 3), np.nan), uniform(3))
    for decision in (everything, Decision(reject=0.9), Decision(at_least=0.0), Decision(costs=np.eye(3), reject=9.0)):
        assert decision.decide(unknown).tolist() == [-1]


def test_answers_are_integers_and_inputs_untouched() -> None:
    """A decision keeps arrays of its own that nobody can write to."""
    prior, costs = np.array([0.5, 0.5]), np.array([[0.0, 1.0], [1.0, 0.0]])
    decision = Decision(prior, costs)
    prior[0], costs[0, 1] = 9.0, 9.0
    assert decision.prior is not None
    assert decision.costs is not None
    assert decision.prior.tolist() == [0.5, 0.5]
    assert decision.costs.tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="read-only"):
        decision.costs[0, 0] = 1.0
    with pytest.raises(AttributeError):
        decision.reject = 1.0  # type: ignore[misc]
    posterior = Posterior(np.array([[0.2, 0.8]]), uniform(2))
    for each in (decision, Decision(), Decision(at_least=0.1)):
        assert each.decide(posterior).dtype == np.intp


def test_equal_decisions_are_equal() -> None:
    """By value, whatever they were written as; they can be keys and be pickled."""
    one = Decision([0.5, 0.5], [[0, 1], [2, 0]], 1, 0)
    two = Decision(uniform(2), np.array([[-0.0, 1.0], [2.0, 0.0]]), 1.0, 0.0)
    assert one == two
    assert hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one
    assert len({one, Decision(), Decision.maximum_a_posteriori(), Decision.maximum_likelihood(2)}) == 3
    assert one != Decision([0.5, 0.5], [[0, 1], [2, 0]], 1, 0.1)
    assert one != "decision"


@pytest.mark.parametrize("decision", [Decision.maximum_likelihood(3), Decision(costs=np.eye(3))])
def test_the_posterior_must_be_of_the_same_classes(decision: Decision) -> None:
    """Two classes cannot be decided by a rule for three."""
    message = r"^Decision: posterior must be of 3 classes, like the decision, got \(1, 2\)\.$"
    for method in (decision.decide, decision.expected_cost):
        with pytest.raises(BadInput, match=message):
            method(Posterior(np.array([[0.5, 0.5]]), uniform(2)))


def test_a_new_decision_takes_well_under_a_millisecond() -> None:
    """Read, shift, price, refuse and decide 1,000 rows of 10 classes; the best of many, as the machine is shared."""
    rng = np.random.default_rng(0)
    posterior = Posterior(rng.dirichlet(np.ones(10), 1000), uniform(10))
    prior, costs = dict(enumerate(rng.dirichlet(np.ones(10)))), rng.random((10, 10))

    def spent() -> float:
        start = time.perf_counter()
        Decision.read("Clock", range(10), prior=prior, costs=costs, reject=0.3, at_least=0.2).decide(posterior)
        return time.perf_counter() - start

    assert min(spent() for _ in range(50)) < 1e-3
