"""Class weights chosen on rows held out: two classes exactly, many one at a time; and odds."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.decision import (
    Decision,
    Posterior,
    best_cut,
    break_even_odds,
    break_even_prior,
    even_odds,
    likelihood_ratio,
    recalibrate,
    uniform,
)
from suffice.decision.curves.best_cut import sweep
from suffice.decision.decide.odds import odds, probability


def paid(proba: Any, prior: Any, weights: Any, y: Any, costs: Any) -> float:
    """The mean cost of what is decided with these weights."""
    answers = Decision(prior=weights).decide(Posterior(np.asarray(proba), np.asarray(prior)))
    return float(np.asarray(costs)[np.asarray(y), answers].mean())


@given(
    rows=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=25),
    prior=st.integers(1, 9),
    alarm=st.integers(1, 5),
)
def test_two_classes_against_every_threshold(rows: list[tuple[int, int, int]], prior: int, alarm: int) -> None:
    """P.M049, P.M050: no weights are cheaper, with ties, posteriors of 0 and 1, costs and weights of rows."""
    share, y, w = (np.array(column) for column in zip(*rows, strict=True))
    w = w if w.any() else w + 1
    proba, old = np.column_stack([12 - share, share]) / 12, np.array([prior, 10 - prior]) / 10
    costs = np.array([[0, alarm], [3, 0]])
    found = recalibrate(proba, old, y, costs=costs, sample_weight=w)
    price = costs[y] * w[:, None]
    best = min(np.where(share > limit, price[:, 1], price[:, 0]).sum() for limit in range(-1, 13))
    assert found.cost == pytest.approx(best / w.sum(), abs=1e-12)
    assert found.weights.sum() == pytest.approx(1.0, abs=1e-15)
    assert found.cost <= found.before + 1e-12


@given(seed=st.integers(0, 10_000), K=st.integers(2, 6))
def test_never_worse_than_the_prior_and_as_said(seed: int, K: int) -> None:
    """P.M049: the weights are a prior to decide with, and the costs are what deciding so pays, after and before."""
    rng = np.random.default_rng(seed)
    proba, old, y = rng.dirichlet(np.full(K, 0.3), 40), rng.dirichlet(np.full(K, 3.0)), rng.integers(0, K, 40)
    costs = rng.random((K, K)) * 5
    found = recalibrate(proba, old, y, costs=costs)
    assert found.cost == pytest.approx(paid(proba, old, found.weights, y, costs), rel=1e-12)
    assert found.before == pytest.approx(paid(proba, old, old, y, costs), rel=1e-12)
    assert found.cost <= found.before


def one_at_a_time(proba: np.ndarray, y: np.ndarray, order: list[int]) -> np.ndarray:
    """The heuristic written out: for each class, every threshold tried on the rows of the classes so far (errors)."""
    w = np.zeros(proba.shape[1])
    w[order[0]] = 1.0
    for place, c in enumerate(order[1:], start=1):
        seen = sorted(order[:place])
        rows = np.isin(y, order[: place + 1])
        joint = proba[rows][:, seen] * w[seen]
        best = np.array(seen)[joint.argmax(axis=1)]
        lead = np.log(proba[rows, c] / joint.max(axis=1))
        edges = np.sort(lead)
        limits = [edges[0] - 1, *((edges[1:] + edges[:-1]) / 2), edges[-1] + 1]
        errors = [(np.where(lead > limit, c, best) != y[rows]).sum() for limit in limits]
        inside = [i for i, e in enumerate(errors) if e == min(errors)]
        spans = [(-np.inf if i == 0 else edges[i - 1], np.inf if i == len(edges) else edges[i]) for i in inside]
        away = [max(low, -high, 0.0) for low, high in spans]  # from threshold 0, the equal weights of the start
        low, high = spans[int(np.argmin(away))]
        t = 0.0 if low < 0 < high else (low + high) / 2
        if t == -np.inf:
            w[seen], w[c] = 0.0, 1.0
        else:
            w[c] = np.exp(-t)
    return w / w.sum()


@pytest.mark.parametrize("seed", range(20))
def test_many_classes_one_at_a_time(seed: int) -> None:
    """P.M051: each class separated from those before it, in every order; the result depends on the order."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 60)
    proba = rng.dirichlet(np.ones(3), 60) + np.eye(3)[y] * 0.4
    proba /= proba.sum(axis=1, keepdims=True)
    found = {}
    for order in permutations(range(3)):
        weights = recalibrate(proba, "uniform", y, order=order, rounds=0).weights
        np.testing.assert_allclose(weights, one_at_a_time(proba, y, list(order)), rtol=1e-9)
        found[order] = weights
    assert len({tuple(np.round(w, 9)) for w in found.values()}) > 1


@pytest.mark.parametrize("seed", range(5))
def test_three_classes_come_close_to_the_best(seed: int) -> None:
    """P.M051: against a fine grid over all weights, where the best is out of reach of one pass."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [60, 25, 15])
    proba = rng.dirichlet(np.ones(3), 100) + np.eye(3)[y] * [[0.2, 0.6, 0.3]]
    proba /= proba.sum(axis=1, keepdims=True)
    found = recalibrate(proba, "uniform", y)
    steps = np.exp(np.linspace(-3, 3, 61))
    grid = min((np.array(proba * [1.0, a, b]).argmax(axis=1) != y).mean() for a in steps for b in steps)
    assert found.cost <= grid + 0.02
    assert found.cost <= recalibrate(proba, "uniform", y, rounds=0).cost


def test_the_best_may_be_always_one_class() -> None:
    """P.M050, P.W33: four positives for each negative and a useless score; always positive is right in 80 %."""
    y = np.array([1, 1, 1, 1, 0] * 4)
    p = np.array([0.2, 0.4, 0.5, 0.6, 0.8] * 4)
    found = recalibrate(np.column_stack([1 - p, p]), "uniform", y)
    assert found.weights.tolist() == [0.0, 1.0]
    assert found.cost == pytest.approx(0.2, abs=1e-15)
    assert paid(np.array([[1.0, 0.0]]), uniform(2), found.weights, [1], 1 - np.eye(2)) == 0.0


def test_good_weights_are_left_alone() -> None:
    """P.M049: where the prior of training is among the best, it is the answer to the last digit but one."""
    prior = np.array([0.3, 0.7])
    proba = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.4, 0.6]])
    found = recalibrate(proba, prior, [0, 0, 1, 1])
    np.testing.assert_allclose(found.weights, prior, rtol=1e-14)
    assert (found.cost, found.before) == (0.0, 0.0)


def test_likelihoods_counted_twice_are_mended() -> None:
    """P.M054: every feature twice squares the ratio; a cut placed by rows, not by the prior, undoes the harm."""
    rng = np.random.default_rng(4)
    y = (rng.random(4000) < 0.1).astype(int)
    log_ratio = 2.0 * rng.normal(1.5 * y, 1.0) * 1.5 - 1.5**2 - 1.0  # squared, and off by a constant
    odd = np.exp(log_ratio) / 9
    proba = np.column_stack([1 / (1 + odd), odd / (1 + odd)])
    found = recalibrate(proba[:2000], [0.9, 0.1], y[:2000])
    fresh = slice(2000, None)
    costs = 1 - np.eye(2)
    before = paid(proba[fresh], [0.9, 0.1], [0.9, 0.1], y[fresh], costs)
    assert found.cost < found.before
    assert paid(proba[fresh], [0.9, 0.1], found.weights, y[fresh], costs) < before


def test_a_class_of_prior_0_is_never_answered() -> None:
    found = recalibrate([[0.7, 0.3, 0.0], [0.4, 0.6, 0.0]], [0.5, 0.5, 0.0], [0, 2])
    assert found.weights[2] == 0.0


def test_labels_order_and_costs_by_name() -> None:
    proba, y = [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]], ["ham", "spam", "spam"]
    named = recalibrate(
        proba,
        {"spam": 0.5, "ham": 0.5},
        y,
        classes=["ham", "spam"],
        order=["spam", "ham"],
        costs={("ham", "spam"): 10, ("spam", "ham"): 1},
    )
    plain = recalibrate(proba, "uniform", [0, 1, 1], order=[1, 0], costs=[[0, 10], [1, 0]])
    np.testing.assert_array_equal(named.weights, plain.weights)
    assert named.cost == pytest.approx(1 / 3)
    by_row = recalibrate(
        proba, "uniform", [0, 1, 1], costs=np.array([[[0, 1], [1, 0]], [[0, 1], [9, 0]], [[0, 1], [1, 0]]])
    )
    assert by_row.cost == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [0, 2]}, "y must be given for the classes (0, 1), got 2. There is no such class."),
        ({"y": [0]}, "y must be one label for each of the 2 rows, got (1,)."),
        ({"classes": ["a"]}, "classes must be the 2 labels in the order of the columns, got ('a',)."),
        ({"order": [0, 0]}, "order must be the classes (0, 1), each once, got (0, 0)."),
        ({"rounds": -1}, "rounds must be a whole number of at least 0, got -1."),
        ({"costs": np.ones((5, 2, 2))}, "costs must be one table for each of the 2 rows, got (5, 2, 2)."),
        (
            {"costs": np.zeros((3, 3))},
            "costs must be a table of finite costs, a row for each true class and a column for each action, of shape "
            "(2, 2), got (3, 3). An action is to answer one of the classes.",
        ),
        ({"prior": "flat"}, "prior must be None, one of ('uniform',), or one probability per class, got 'flat'."),
    ],
)
def test_messages(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"proba": [[0.5, 0.5], [0.4, 0.6]], "prior": "uniform", "y": [0, 1]}
    with pytest.raises(BadInput) as caught:
        recalibrate(**{**given, **change})
    assert str(caught.value) == f"recalibrate: {message}"


@given(rows=st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 1)), min_size=1, max_size=20), start=st.floats(-5, 5))
def test_the_best_cut_of_all(rows: list[tuple[int, int]], start: float) -> None:
    """C.M14.05: no threshold makes fewer errors; the start is kept where it is among the best."""
    scores, y = (np.array(column) for column in zip(*rows, strict=True))
    cut = best_cut(scores, y, start=start)
    errors = {limit: int(((scores > limit) != y).sum()) for limit in [-4, *(v + 0.5 for v in range(-3, 4))]}
    assert cut.cost == min(errors.values())
    assert ((scores > cut.threshold) != y).sum() == cut.cost
    if start not in scores and ((scores > start) != y).sum() == cut.cost:
        assert cut.threshold == start


@pytest.mark.parametrize(("offset", "scale"), [(0.0, 1.0), (1e8, 1e-3), (0.0, 1e-300), (0.0, 5e-324), (1.0, 2e-16)])
def test_a_cut_at_any_scale(offset: float, scale: float) -> None:
    """Scores are apart as long as they differ, down to neighbours among the floats."""
    scores = offset + scale * np.array([1.0, 2.0, 3.0, 4.0])
    assert (np.diff(scores) > 0).all()
    cut = best_cut(scores, [0, 0, 1, 1], start=-np.inf)
    assert (scores > cut.threshold).tolist() == [False, False, True, True]
    assert cut.cost == 0.0


@pytest.mark.parametrize(("at", "unit"), [(0.0, 1.0), (0.25, 1.0), (1000.0, 1000.0)])
def test_scores_that_are_close_move_together(at: float, unit: float) -> None:
    """By no more than `close`, as a share of scores beyond 1 and as it is below."""
    free = np.zeros(2)
    for gap, cost in ((0.9, 1.0), (1.5, 0.0)):
        scores = at + np.array([0.0, gap * 1e-3 * unit])
        below, above = np.array([0.0, 1.0]), np.array([1.0, 0.0])
        assert sweep(scores, below, above, 0.0, close=1e-3).cost == cost
    assert sweep(at + np.array([0.0, 1e-3 * unit]), free, free, at + 5.0, close=1e-3).threshold == at + 5.0


def test_what_only_rounding_decides_is_a_tie() -> None:
    """All rows on either side cost the same but for rounding, of however many rows: the side of the start is taken."""
    price, free = np.repeat([0.1, -0.1], 50_000), np.zeros(100_000)
    assert np.abs(np.cumsum(price)[-1]) > 1e-14
    for below, above in ((price, free), (free, -price)):
        for start in (-5.0, 2e5):
            assert sweep(np.arange(1e5), below, above, start).threshold == start


def test_a_cut_between_rows_is_in_the_middle() -> None:
    assert best_cut([0.0, 1.0, 3.0, 4.0], [0, 0, 1, 1], start=9.0) == (2.0, 0.0)
    assert best_cut([-7.0, -3.0], [0, 1], start=9.0) == (-5.0, 0.0)


def test_cut_messages() -> None:
    for scores in ([], [[1.0]], [np.nan], [np.inf]):
        with pytest.raises(
            BadInput, match=r"^best_cut: scores must be one finite number for each row, at least one, got"
        ):
            best_cut(scores, [0])
    with pytest.raises(BadInput, match=r"^best_cut: costs must be a table of shape \(2, 2\), got \(1, 2, 2\)\.$"):
        best_cut([1.0], [0], costs=np.zeros((1, 2, 2)))


def test_odds_there_and_back() -> None:
    """P.M052: odds and probabilities, certainty included."""
    assert odds([0.0, 0.2, 0.5, 1.0]).tolist() == [0.0, 0.25, 1.0, np.inf]
    assert probability([0.0, 0.25, 1.0, np.inf]).tolist() == [0.0, 0.2, 0.5, 1.0]


@given(share=st.integers(1, 99), prior=st.integers(1, 99), alarm=st.integers(1, 9), miss=st.integers(1, 9))
def test_the_answer_flips_at_the_break_even_prior(share: int, prior: int, alarm: int, miss: int) -> None:
    """P.M052: posterior odds are ratio times prior odds; a hair on either side of break-even the answer is another."""
    posterior = Posterior(np.array([[1 - share / 100, share / 100]]), np.array([1 - prior / 100, prior / 100]))
    ratio = likelihood_ratio(posterior)
    assert odds(share / 100) == pytest.approx(ratio[0] * odds(prior / 100), rel=1e-12)
    costs = np.array([[0, alarm], [miss, 0]])
    even = float(break_even_prior(ratio, costs)[0])
    assert odds(even) == pytest.approx(float(break_even_odds(ratio, costs)[0]), rel=1e-12)
    assert odds(even) * ratio[0] == pytest.approx(even_odds(costs), rel=1e-12)
    answers = [
        Decision(prior=[1 - p, p], costs=costs).decide(posterior)[0]
        for p in (even * (1 - 1e-9), even + (1 - even) * 1e-9)
    ]
    assert answers == [0, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds(1.5), "odds: probability must be numbers from 0 to 1, got 1.5."),
        (lambda: probability(-1.0), "probability: odds must be numbers of at least 0, got -1.0."),
        (lambda: break_even_odds(-2.0), "break_even_odds: ratio must be numbers of at least 0, got -2.0."),
        (
            lambda: even_odds([[0, 1], [-1, 0]]),
            "even_odds: costs must be higher for an error than for the right answer, in both classes, got "
            "[[0, 1], [-1, 0]].",
        ),
        (
            lambda: likelihood_ratio(Posterior(np.ones((1, 3)) / 3, uniform(3))),
            "likelihood_ratio: posterior must be of two classes with a prior above 0, got "
            "[0.3333333333333333, 0.3333333333333333, 0.3333333333333333].",
        ),
    ],
)
def test_odds_messages(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert str(caught.value) == message


def test_no_rows_have_no_best_weights() -> None:
    with pytest.raises(BadInput, match=r"recalibrate: proba must be of at least one row, got \(0, 2\)\. Without rows"):
        recalibrate(np.zeros((0, 2)), "uniform", [])
