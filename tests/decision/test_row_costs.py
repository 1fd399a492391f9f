"""Costs row by row: every decision equals brute force over exact fractions, and the same tables decide as one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.decision import Decision, Posterior, read_costs, uniform
from tests.decision.free_actions import free

Table = list[list[Fraction]]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[Table], Fraction | None, Fraction | None]:
    """Rows of 2 to 10 classes, a table of costs for each, a price of refusing and a least probability, or none."""
    K, n = draw(st.integers(2, 10)), draw(st.integers(1, 4))
    cost = st.builds(Fraction, st.integers(-5, 5), st.sampled_from([1, 3]))
    counts = st.lists(st.integers(0, 7), min_size=K, max_size=K).filter(any)
    rows = [[Fraction(c, sum(some)) for c in some] for some in draw(st.lists(counts, min_size=n, max_size=n))]
    line = st.lists(cost, min_size=K, max_size=K)
    table = st.lists(line, min_size=K, max_size=K)
    tables = draw(st.lists(table, min_size=n, max_size=n).filter(lambda tables: not free(tables)))
    reject = draw(st.none() | st.builds(Fraction, st.integers(-6, 18), st.just(6)))
    return rows, tables, reject, draw(st.none() | st.builds(Fraction, st.integers(0, 12), st.just(12)))


@given(case=cases())
def test_every_row_by_its_own_costs(case: Any) -> None:
    """P.M190: the cheapest action of each row by brute force, ties and refusals included."""
    rows, tables, reject, at_least = case
    wanted = []
    for p, costs in zip(rows, tables, strict=True):
        price = [sum(p[c] * costs[c][a] for c in range(len(p))) for a in range(len(p))]
        best = price.index(min(price))
        dear = reject is not None and reject < price[best]
        wanted.append(-1 if dear or (at_least is not None and p[best] < at_least) else best)
    limits = [None if v is None else float(v) for v in (reject, at_least)]
    posterior = Posterior(np.array(rows, dtype=float), uniform(len(rows[0])))
    assert Decision(None, np.array(tables, dtype=float), *limits).decide(posterior).tolist() == wanted


@pytest.mark.parametrize("K", [2, 3, 10])
def test_one_table_repeated_is_one_table(K: int) -> None:
    """P.M190: actions and expected costs, under another prior, with everything else given too."""
    rng = np.random.default_rng(K)
    posterior = Posterior(rng.dirichlet(np.full(K, 0.5), 500), rng.dirichlet(np.full(K, 5.0)))
    costs, prior = rng.normal(size=(K, K)), rng.dirichlet(np.ones(K))
    one, many = Decision(prior, costs, 0.1, 0.3), Decision(prior, np.tile(costs, (500, 1, 1)), 0.1, 0.3)
    np.testing.assert_array_equal(one.decide(posterior), many.decide(posterior))
    np.testing.assert_allclose(one.expected_cost(posterior), many.expected_cost(posterior), rtol=1e-13, atol=1e-14)
    assert one != many


def test_a_column_of_costs_by_label() -> None:
    """A missed fraud costs its amount, a false alarm 5: the same doubt is answered by what is at stake."""
    amounts = np.array([20.0, 900.0, 45.0])
    costs: dict[Any, Any] = {("fraud", "fine"): amounts, ("fine", "fraud"): 5}
    tables = read_costs("Shop", costs, ("fine", "fraud"))
    assert tables.tolist() == [[[0, 5], [20, 0]], [[0, 5], [900, 0]], [[0, 5], [45, 0]]]
    posterior = Posterior(np.full((3, 2), [0.9, 0.1]), uniform(2))  # alarm where 0.1 * amount > 4.5
    assert Decision.read("Shop", ("fine", "fraud"), costs=costs).decide(posterior).tolist() == [0, 1, 0]
    nested = {"fraud": {"fine": amounts.tolist()}, "fine": {"fraud": 5}}
    assert read_costs("Shop", nested, ("fine", "fraud")).tolist() == tables.tolist()
    series = {("fraud", "fine"): pd.Series(amounts, index=[7, 8, 9]), ("fine", "fraud"): 5}
    assert read_costs("Shop", series, ("fine", "fraud")).tolist() == tables.tolist()
    assert read_costs("Shop", {("fraud", "fine"): [20.0, 900.0]}, ("fine", "fraud")).tolist() == [
        [[0, 1], [20, 0]],  # what is not named costs 1 if wrong
        [[0, 1], [900, 0]],
    ]
    by_label = {"fraud": pd.Series({"fine": 3.0}), "fine": pd.Series({"fraud": 5.0})}
    assert read_costs("Shop", by_label, ("fine", "fraud")).tolist() == [[0, 5], [3, 0]]


def test_an_action_may_be_free_in_some_rows() -> None:
    """To miss a fraud of 0 costs nothing; only what is free in every row would answer them all."""
    decision = Decision.read("Shop", ("fine", "fraud"), costs={("fraud", "fine"): [0.0, 900.0]})
    assert decision.decide(Posterior(np.full((2, 2), [0.4, 0.6]), uniform(2))).tolist() == [0, 1]
    with pytest.raises(BadInput) as caught:
        Decision.read("Shop", ("fine", "fraud"), costs={("fraud", "fine"): [0.0, 0.0]})
    assert str(caught.value) == (
        "Shop: costs must be a table in which no action is free whatever the truth, got 0 for every true class where "
        "'fine' is answered. Every row would be answered so; say what its mistakes cost."
    )
    none = Decision(costs=np.zeros((0, 2, 2)))  # no rows, nothing to refuse
    assert none.decide(Posterior(np.zeros((0, 2)), uniform(2))).shape == (0,)


def test_models_take_costs_row_by_row() -> None:
    """The estimators' own `predict` reads them too."""
    x, y = np.array([[-1.0], [-0.9], [1.0], [1.2]]), np.array(["fine", "fine", "fraud", "fraud"])
    model = NaiveBayes().fit(x, y)
    rows = np.array([[-0.2], [-0.2]])
    assert model.predict(rows, costs={("fraud", "fine"): [1.0, 1e6], ("fine", "fraud"): 1.0}).tolist() == [
        "fine",
        "fraud",
    ]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (
            {("fraud", "fine"): [1.0, 2.0], ("fine", "fraud"): [1.0, 2.0, 3.0]},
            "Shop: columns of costs must be all of one length, got [2, 3]. Each holds a cost for each row.",
        ),
        (
            {("fraud", "fine"): [[1.0, 2.0]]},
            "Shop: costs must be finite numbers, one for each row, got (1, 2). Give a column, not a table.",
        ),
        ({("fraud", "fine"): ["a", "b"]}, "Shop: costs must be finite numbers, one for each row, got ['a', 'b']."),
        (
            {("fraud", "fine"): [1.0, np.nan]},
            "Shop: costs must be a table of finite costs, a row for each true class and a column for each action, none "
            "of them NaN or above 1e+300, got array([[[ 0., 1.], [ 1., 0.]], [[ 0., 1.], [nan, 0.]]]). For an action "
            "that must never be taken, a cost of 1e9 will do.",
        ),
        (
            np.zeros((4, 3, 3)),
            "Shop: costs must be a table of finite costs, a row for each true class and a column for each action, of "
            "shape (n, 2, 2), got (4, 3, 3). An action is to answer one of the classes.",
        ),
        (
            np.zeros((4, 2, 3)),
            "Shop: costs must be a table of finite costs, a row for each true class and a column for each action, of "
            "shape (n, 2, 2), got (4, 2, 3). An action is to answer one of the classes.",
        ),
    ],
)
def test_bad_costs_row_by_row(costs: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_costs("Shop", costs, ("fine", "fraud"))
    assert str(caught.value) == message


def test_a_table_for_each_row() -> None:
    """Neither more nor fewer."""
    decision, posterior = Decision(costs=np.ones((3, 2, 2))), Posterior(np.full((4, 2), 0.5), uniform(2))
    for method in (decision.decide, decision.expected_cost):
        with pytest.raises(BadInput) as caught:
            method(posterior)
        assert str(caught.value) == ("Decision: posterior must be of 3 rows, one for each table of costs, got (4, 2).")
    assert decision.decide(Posterior(np.full((3, 2), 0.5), uniform(2))).tolist() == [0, 0, 0]
