"""Joint tables: the rules of probability and the Bayes classifier against exact rationals; a frozen value."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.bayes.joint.joint_table import JointTable
from suffice.bayes.joint.table_answers import Conditional
from suffice.core.errors import BadInput

NAMES = ("a", "b", "c", "d")
TIGHT = 1e-12


@st.composite
def tables(draw, least=1, most=4):
    """Tables of whole counts, many of them 0."""
    variables = {name: tuple(range(draw(st.integers(1, 3)))) for name in NAMES[: draw(st.integers(least, most))]}
    size = JointTable.cells(variables)
    counts = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 7, 1000]), min_size=size, max_size=size))
    counts[draw(st.integers(0, size - 1))] += 1
    return JointTable.from_counts(variables, np.reshape(counts, [len(v) for v in variables.values()]))


def mass(table: JointTable, **values) -> Fraction:
    """Exact weight of the cells with these values, one cell at a time."""
    total = Fraction(0)
    for cell in itertools.product(*table.variables.values()):
        named = dict(zip(table.variables, cell, strict=True))
        if all(named[name] == value for name, value in values.items()):
            total += Fraction(float(table.counts[tuple(table.axes.code(k, v) for k, v in named.items())]))
    return total


def assignments(table: JointTable, names):
    """Every combination of values of some variables."""
    for cell in itertools.product(*(table.variables[name] for name in names)):
        yield dict(zip(names, cell, strict=True))


# The rules of probability


@given(tables(), st.data())
def test_sum_rule(table, data):
    """C.M07.01, P.M002: any marginal, axes in any order, is the correctly rounded exact sum."""
    names = data.draw(st.permutations(table.axes.names))[: data.draw(st.integers(1, len(table.axes.names)))]
    marginal = table.marginal(*names)
    assert tuple(marginal.variables) == tuple(names)
    for values in assignments(table, names):
        exact = float(mass(table, **values) / mass(table))
        assert marginal.probability(**values) == exact
        assert table.probability(**values) == exact


@given(tables(least=2), st.data())
def test_conditioning(table, data):
    """C.M07.01: p(rest | values) is the exact ratio, and refused exactly where p(values) is 0."""
    names = data.draw(st.permutations(table.axes.names))[: data.draw(st.integers(1, len(table.axes.names) - 1))]
    rest = [name for name in table.axes.names if name not in names]
    for values in assignments(table, names):
        if not mass(table, **values):
            with pytest.raises(BadInput, match="probability 0"):
                table.given(**values)
            continue
        conditioned = table.given(**values)
        assert conditioned.weight == mass(table, **values)
        for other in assignments(table, rest):
            assert conditioned.probability(**other) == float(mass(table, **values, **other) / mass(table, **values))


@given(tables(least=2), st.data())
def test_bayes_rule_is_conditioning(table, data):
    """C.M07.01: p(Y) p(x | Y) / p(x) is p(Y | x), for one or more hypotheses and any evidence."""
    names = data.draw(st.permutations(table.axes.names))
    cut = data.draw(st.integers(1, len(names) - 1))
    hypothesis, known = names[:cut], names[cut:][: data.draw(st.integers(0, len(names) - cut))]
    for evidence in assignments(table, known):
        if not mass(table, **evidence):
            with pytest.raises(BadInput, match="probability 0"):
                table.bayes(hypothesis, **evidence)
            continue
        posterior = table.bayes(hypothesis, **evidence)
        np.testing.assert_allclose(
            posterior.table, table.given(**evidence).marginal(*hypothesis).table, rtol=TIGHT, atol=0
        )


@given(tables(least=2), st.data())
def test_product_rule(table, data):
    """C.M07.01: p(Y) p(X | Y) gives the joint and its counts back, undefined rows included."""
    names = data.draw(st.permutations(table.axes.names))
    cut = data.draw(st.integers(1, len(names) - 1))
    likelihood = table.conditional(names[cut:], given=data.draw(st.permutations(names[:cut])))
    again = JointTable.from_conditionals(table.marginal(*names[:cut]), likelihood)
    np.testing.assert_allclose(again.counts, table.marginal(*names).counts, rtol=TIGHT, atol=0)
    for row in likelihood.undefined:
        assert mass(table, **row) == 0
    assert len(likelihood.undefined) == sum(
        not mass(table, **row) for row in assignments(table, likelihood.given.names)
    )


@given(tables(least=3, most=3))
def test_chain_rule(table):
    """P.M002: p(a, b, c) = p(a) p(b | a) p(c | a, b)."""
    pair = JointTable.from_conditionals(table.marginal("a"), table.conditional("b", given="a"))
    whole = JointTable.from_conditionals(pair, table.conditional("c", given=("b", "a")))
    np.testing.assert_allclose(whole.table, table.table, rtol=TIGHT, atol=0)


@given(tables(least=2), st.data())
def test_independence_gap(table, data):
    """C.M07.04: the gap is the largest |p(a,b|c) - p(a|c) p(b|c)| over possible c, and it is where it says."""
    names = data.draw(st.permutations(table.axes.names))
    cut, end = sorted(data.draw(st.sets(st.integers(1, len(names)), min_size=2, max_size=2)))
    a, b, c = names[:cut], names[cut:end], names[end:]

    def gap(values):
        split = [{name: values[name] for name in side} for side in (a, b, c)]
        joint, given_c = mass(table, **values), mass(table, **split[2])
        left, right = (mass(table, **split[side], **split[2]) for side in (0, 1))
        return abs(joint / given_c - left / given_c * right / given_c) if given_c else Fraction(0)

    result = table.independent(a, b, given=c)
    exact = max(gap(values) for values in assignments(table, names))
    assert result.gap == pytest.approx(float(exact), abs=1e-15)
    assert float(gap(result.at)) == pytest.approx(float(exact), abs=1e-15)
    if exact == 0 or exact > TIGHT:
        assert bool(result) == (exact == 0)


@given(tables(most=1), tables(most=1))
def test_products_are_independent(p, q):
    """C.M07.04: a product of marginals is independent; a variable and its copy are not, unless it is sure."""
    product = JointTable.from_counts(
        {"a": p.variables["a"], "z": q.variables["a"]}, np.multiply.outer(p.counts, q.counts)
    )
    assert product.independent("a", "z")
    twin = JointTable.from_counts({"a": p.variables["a"], "z": p.variables["a"]}, np.diag(p.counts))
    assert bool(twin.independent("a", "z")) == (np.count_nonzero(p.counts) == 1)
    assert twin.independent("a", "z", tolerance=1.0)


def test_likelihood_that_is_not_given_everything():
    """Variables the likelihood is not given are independent of the new ones, given those it is."""
    pair = JointTable.from_counts({"a": (0, 1), "b": (0, 1, 2)}, [[1, 2, 3], [4, 5, 0]])
    likelihood = Conditional({"b": (0, 1, 2)}, {"x": ("u", "v")}, [[0.5, 0.5], [0.25, 0.75], [1, 0]])
    whole = JointTable.from_conditionals(pair, likelihood)
    assert whole.independent("a", "x", given="b")
    assert not whole.independent("a", "x")
    assert whole.marginal("a", "b") == pair
    assert whole.probability(a=1, b=1, x="v") == pytest.approx(5 / 15 * 0.75, rel=1e-15)


# The Bayes classifier


@given(tables(least=2), st.data())
def test_classifier(table, data):
    """C.M07.02: argmax of p(c, x) by exact rationals, the first of equals, the prior where x is impossible."""
    target, *others = data.draw(st.permutations(table.axes.names))
    cell = st.sampled_from([0, 1, 2, "strange", None, math.nan])
    some = data.draw(st.lists(st.fixed_dictionaries({name: cell for name in others}), min_size=1, max_size=6))
    answer, posterior = table.classify(target, some), table.posterior(target, some)
    classes = table.variables[target]
    for i, row in enumerate(some):
        known = {name: value for name, value in row.items() if value is not None and value == value}
        joint = [mass(table, **known, **{target: c}) for c in classes]
        assert posterior.seen[i] == (sum(joint) > 0)
        if not sum(joint):
            joint = [mass(table, **{target: c}) for c in classes]
        assert answer[i] == classes[joint.index(max(joint))]
        np.testing.assert_allclose(posterior.proba[i], [float(m / sum(joint)) for m in joint], rtol=1e-15, atol=0)
    assert posterior.values == classes
    assert posterior.prior.tolist() == table.marginal(target).table.tolist()


def test_classifier_takes_a_table_with_the_target_and_with_fewer_columns():
    """The target's own column is no evidence; a column that is not there is summed out; no rows give no answers."""
    table = JointTable.from_rows({"c": ["p", "p", "n"], "x": [0, 1, 1], "z": [0, 0, 1]})
    assert table.classify("c", {"c": ["n"], "x": [0], "z": [0]}) == ("p",)
    assert table.posterior("c", {"z": [1]}).proba.tolist() == [[1.0, 0.0]]
    assert table.posterior("c", [{"z": 1}, {"x": 0}]).proba.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert table.classify("c", []) == table.classify("c", {"x": []}) == ()
    assert table.posterior("c", []).proba.shape == (0, 2)


# A frozen value


def test_it_is_a_value():
    """Equal by content, hashable, picklable, never written; the arrays it was made from stay the caller's."""
    given_table = np.array([0.25, 0.75])
    table = JointTable({"x": (0, 1)}, given_table)
    given_table[0] = 9.0
    assert table.table.tolist() == [0.25, 0.75]
    assert table == JointTable.from_counts({"x": [0, 1]}, [0.25, 0.75])
    assert table != JointTable.from_counts({"x": [0, 1]}, [0.25, 0.75], alpha=1)
    assert table != "table"
    assert {table: 1}[JointTable({"x": (0, 1)}, [0.25, 0.75])] == 1
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert twin == table
    given = Conditional({"y": (0,)}, {"x": (0, 1)}, [[0.25, 0.75]])
    for array in (table.table, table.counts, table.marginal("x").counts, given.table):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.5
    with pytest.raises(AttributeError):
        table.alpha = 1.0
    table.variables["x"] = ()
    assert table.variables == {"x": (0, 1)}


def test_variables_may_have_any_name():
    """Names that look like parameters are names."""
    table = JointTable.from_rows({"self": [0, 1, 1], "hypothesis": [0, 0, 1]})
    assert table.given(self=1).probability(hypothesis=1) == 0.5
    assert table.bayes("self", hypothesis=0).table.tolist() == [0.5, 0.5]


def test_mode():
    """The most probable cell, and of equals the first."""
    table = JointTable.from_counts({"x": ("u", "v"), "y": (1, 2)}, [[1, 3], [3, 0]])
    assert table.mode() == {"x": "u", "y": 2}
    assert table.marginal("y").mode() == {"y": 1}


def test_sample():
    """Rows that come back as a table: reproducible, none from empty cells, shares within five standard errors."""
    table = JointTable({"x": ("u", "v"), "y": (1, 2)}, [[0.5, 0.0], [0.2, 0.3]])
    n = 20_000
    drawn = table.sample(n, random_state=7)
    assert drawn == table.sample(n, random_state=np.random.default_rng(7))
    assert drawn != table.sample(n, random_state=8)
    again = JointTable.from_rows(drawn, values=table.variables)
    assert again.counts[0, 1] == 0
    error = np.sqrt(table.table * (1 - table.table) / n)
    assert (np.abs(again.table - table.table) <= 5 * error).all()
    assert table.sample(0) == {"x": (), "y": ()}


def test_text():
    """One and two variables are printed as a table; larger ones in one line."""
    two = JointTable.from_counts({"X": (1, 2), "kind": ("spam", "ham")}, [[1, 2], [3, 4]])
    assert str(two).splitlines() == [
        "X \\ kind  spam  ham  sum",
        "1          0.1  0.2  0.3",
        "2          0.3  0.4  0.7",
        "sum        0.4  0.6    1",
    ]
    assert str(two.marginal("X")).splitlines() == ["X    p", "1  0.3", "2  0.7"]
    assert repr(two) == "JointTable(X: 2 values, kind: 2 values; weight 10)"
    three = JointTable.from_counts({"a": (0,), "b": (0,), "c": (0, 1)}, [[[1, 1]]])
    assert str(three) == repr(three) == "JointTable(a: 1 values, b: 1 values, c: 2 values; weight 2)"
    assert str(JointTable.from_rows({"x": []})) == "JointTable(x: 0 values; weight 0)"
    assert "\n" not in str(JointTable.from_rows({"x": range(21)}))


def test_cells_are_counted_without_allocating():
    """P.M002: the table grows exponentially with the number of variables."""
    for v in range(1, 7):
        assert JointTable.cells({f"q{i}": range(10**6) for i in range(v)}) == 10 ** (6 * v)
