"""Joint tables add and subtract: shards, values met and declared, weights, pseudo-counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.bayes.joint.joint_table import JointTable
from suffice.core.errors import BadInput, NeverAdded, NotASummary

TIGHT = 1e-12


@st.composite
def rows(draw, values="xyz", max_size=12):
    """Columns of symbols."""
    n = draw(st.integers(0, max_size))
    return {name: draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)) for name in "abc"}


def part_of(columns, start, stop):
    return {name: column[start:stop] for name, column in columns.items()}


@given(rows(), st.integers(0, 12), st.integers(0, 12), st.randoms())
def test_any_split_in_any_order_is_the_whole(columns, i, j, random):
    """Shards, some empty, some with values of their own, add up to the table of all rows."""
    i, j = sorted((i, j))
    shards = [part_of(columns, 0, i), part_of(columns, i, j), part_of(columns, j, None)]
    random.shuffle(shards)
    for alpha in (0.0, 0.5):
        parts = [JointTable.from_rows(shard, alpha=alpha) for shard in shards]
        whole = JointTable.from_rows(columns, alpha=alpha)
        assert JointTable.sum(parts) == whole
        assert parts[0] + (parts[1] + parts[2]) == (parts[0] + parts[1]) + parts[2] == whole
        assert whole - parts[2] == parts[0] + parts[1]


@given(rows(values="xyz"), rows(values="wxy"))
def test_subtracting_undoes_adding(first, second):
    """Values met in rows leave with their last row; what is left of everything is the empty table."""
    a, b = JointTable.from_rows(first, alpha=1.0), JointTable.from_rows(second, alpha=1.0)
    assert a + b == b + a
    assert (a + b) - b == a
    nothing = JointTable.from_rows({name: [] for name in first}, alpha=1.0)
    assert (a + b) - b - a == nothing
    assert a + nothing == a


@given(st.data())
def test_declared_values_stay(data):
    """A declared value stays when its last row goes: the law holds for tables of counts with empty slices."""
    counts = st.lists(st.sampled_from([0, 0, 1, 5]), min_size=6, max_size=6)
    variables = {"a": (0, 1), "b": ("u", "v", "w")}
    table, other = (JointTable.from_counts(variables, np.reshape(data.draw(counts), (2, 3)), alpha=2) for _ in range(2))
    assert (table + other) - other == table
    assert table.scale(2.0) == table + table


@given(rows(), st.data())
def test_weight_is_copies(columns, data):
    """Weight w equals w copies; a row of weight 0 brings nothing in, not even a missing value."""
    n = len(columns["a"])
    w = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    copies = {name: [v for v, k in zip(column, w, strict=True) for _ in range(k)] for name, column in columns.items()}
    assert JointTable.from_rows(columns, weights=w) == JointTable.from_rows(copies)
    extended = {name: [*column, None] for name, column in columns.items()}
    assert JointTable.from_rows(extended, weights=[*w, 0]) == JointTable.from_rows(copies)


@given(rows(values="xy"), st.integers(0, 12), st.data())
def test_fractional_weights_leave_nothing_behind(columns, cut, data):
    """Taking shards from a whole that was summed in another order leaves no rounding error standing as a row."""
    columns = {"a": columns["a"]}
    n = len(columns["a"])
    w = np.array(data.draw(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7, 1e-3]), min_size=n, max_size=n)))
    first = JointTable.from_rows(part_of(columns, 0, cut), weights=w[:cut])
    second = JointTable.from_rows(part_of(columns, cut, None), weights=w[cut:])
    whole = JointTable.from_rows({name: column[::-1] for name, column in columns.items()}, weights=w[::-1])
    left = whole - second
    assert left.axes == first.axes
    np.testing.assert_allclose(left.counts, first.counts, rtol=TIGHT, atol=0)


def test_rounding_error_is_no_row():
    """0.3 + 0.2 + 0.1 is less than 0.1 + 0.2 + 0.3 in floats: neither too much is taken, nor is anything left."""
    up, down = (JointTable.from_rows({"x": ["u", "u", "u"]}, weights=w) for w in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]))
    assert up.weight > down.weight
    assert up - down == down - up == JointTable.from_rows({"x": []})


def test_a_declared_value_stays_when_met_values_go():
    """What one table declares stays declared in the sum."""
    declared, met = JointTable.from_counts({"x": (0, 1, 2)}, [1, 0, 0]), JointTable.from_rows({"x": [1, 1]})
    assert (declared + met) - met == declared
    assert (met + declared) - met == declared


def test_axes_in_another_order_are_aligned():
    """The names of the first table decide the order; a transposed table adds in its place."""
    a = JointTable.from_counts({"x": (0, 1), "y": ("u", "v", "w")}, [[1, 2, 3], [4, 5, 6]])
    assert a + a.marginal("y", "x") == a.scale(2)
    assert (a + a.marginal("y", "x")) - a.marginal("y", "x") == a


def test_values_that_differ_in_order_or_kind():
    """Declared orders are kept where all agree, otherwise the union is in canonical order, whoever is first."""
    down = JointTable.from_counts({"x": ("low", "high")}, [1, 2])
    assert (down + down).variables == {"x": ("low", "high")}
    up = JointTable.from_counts({"x": ("high", "low")}, [10, 20])
    assert down + up == up + down
    assert (down + up).probability(x="low") == 21 / 33
    mixed = JointTable.from_rows({"x": [1, "1", 2.5]}) + JointTable.from_rows({"x": ["b", 3]})
    assert mixed.weight == 5
    assert len(mixed.variables["x"]) == 5


@given(rows(max_size=6), st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3)]))
def test_pseudo_counts(columns, alpha):
    """p = (count + alpha) / (n + alpha * cells), in the table, its marginals, its conditionals, and Bayes' rule."""
    values = {name: ("x", "y", "z") for name in columns}
    smooth = JointTable.from_rows(columns, values=values, alpha=float(alpha))
    table = [(Fraction(int(c)) + alpha) / (len(columns["a"]) + 27 * alpha) for c in smooth.counts.ravel()]
    np.testing.assert_allclose(smooth.table.ravel(), [float(p) for p in table], rtol=1e-15)
    plain = JointTable.from_counts(
        values, [[[float(p) for p in table[9 * i + 3 * j :][:3]] for j in range(3)] for i in range(3)]
    )
    pairs = (
        (smooth.marginal("c", "a").table, plain.marginal("c", "a").table),
        (smooth.given(b="y").table, plain.given(b="y").table),
        (smooth.marginal("a", "b").given(b="y").table, plain.given(b="y").marginal("a").table),
        (smooth.bayes("a", c="z").table, plain.given(c="z").marginal("a").table),
        (smooth.conditional("a", given=("b", "c")).table, plain.conditional("a", given=("b", "c")).table),
    )
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours, theirs, rtol=TIGHT)
    assert smooth.weight == len(columns["a"])
    assert smooth.conditional("a", given=("b", "c")).undefined == ()


def test_a_sum_may_be_as_large_as_its_parts():
    """A table that was allowed adds to itself; a union that is larger than allowed is refused before it is made."""
    big = JointTable.from_counts({"x": range(40)}, np.ones(40), max_cells=40)
    assert JointTable.sum([big, big], max_cells=10) == big.scale(2)
    with pytest.raises(BadInput, match="at most 50 cells, got 80"):
        JointTable.sum([big, JointTable.from_counts({"x": range(40, 80)}, np.ones(40))], max_cells=50)


def test_values_that_do_not_belong_together():
    """Other variables, or no table at all, do not add."""
    table = JointTable.from_counts({"x": (0, 1), "y": ("u", "v")}, [[1, 2], [3, 0]])
    for other in (table.marginal("x"), 1, None, {"x": 1}):
        with pytest.raises(NotASummary, match=r"JointTable: can only be added to a table of \('x', 'y'\), got"):
            table + other
        with pytest.raises(NotASummary, match="JointTable: can only be added to a table of"):
            table - other


def test_what_was_never_added_cannot_be_taken_away():
    """More than there was, or a value never seen: it raises, says which, and changes nothing."""
    table = JointTable.from_rows({"x": ["u", "u", "v"]})
    kept = table.counts.copy()
    with pytest.raises(NeverAdded, match=r"got more of {'x': 'v'} than there was\. Nothing was changed"):
        table - JointTable.from_rows({"x": ["v", "v"]})
    with pytest.raises(NeverAdded, match=r"got x='w', which was never seen\. Nothing was changed"):
        table - JointTable.from_rows({"x": ["w"]})
    with pytest.raises(NeverAdded, match="got more of"):
        table - JointTable.from_rows({"x": ["u"]}, weights=[2 + 1e-9])
    assert (table.counts == kept).all()
    unseen = JointTable.from_counts({"x": ("u", "w")}, [1, 0])
    assert (table - unseen).counts.tolist() == [1, 1]
