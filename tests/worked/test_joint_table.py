"""Worked numbers of joint tables, held as exact rationals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from suffice.bayes.joint.joint_table import JointTable
from suffice.bayes.joint.table_answers import Conditional
from suffice.core.errors import BadInput

THOUSANDTHS = (
    (29, 27, 60, 45, 35, 6),
    (4, 30, 26, 1, 15, 33),
    (54, 18, 51, 46, 65, 57),
    (35, 17, 12, 16, 45, 39),
    (26, 4, 38, 30, 36, 32),
    (21, 20, 5, 14, 4, 4),
)
DICE = {"X": (1, 2, 3, 4, 5, 6), "Y": (1, 2, 3, 4, 5, 6)}
ULP = 2.0**-52


@pytest.fixture
def counted() -> JointTable:
    return JointTable.from_counts(DICE, THOUSANDTHS)


@pytest.fixture
def printed() -> JointTable:
    return JointTable(DICE, [[cell / 1000 for cell in row] for row in THOUSANDTHS])


def exactly(numerators, denominator) -> list[float]:
    """The floats nearest to these rationals."""
    return [float(Fraction(n, denominator)) for n in numerators]


def test_marginal_of_x(counted, printed):
    """C.W08, C.M07.01: P(X) of Table 7.1 by the sum rule is .202 .109 .291 .164 .166 .068."""
    assert counted.marginal("X").table.tolist() == exactly([202, 109, 291, 164, 166, 68], 1000)
    np.testing.assert_allclose(
        printed.marginal("X").table, [0.202, 0.109, 0.291, 0.164, 0.166, 0.068], rtol=0, atol=ULP
    )


def test_marginal_of_y(counted, printed):
    """C.W09, C.M07.01: P(Y) of Table 7.1 by the sum rule is .169 .116 .192 .152 .2 .171."""
    assert counted.marginal("Y").table.tolist() == exactly([169, 116, 192, 152, 200, 171], 1000)
    np.testing.assert_allclose(printed.marginal("Y").table, [0.169, 0.116, 0.192, 0.152, 0.2, 0.171], rtol=0, atol=ULP)


def test_total(counted, printed):
    """C.W10: the cells of Table 7.1 sum to 1; one thousandth more is no longer a distribution."""
    assert sum(Fraction(cell, 1000) for row in THOUSANDTHS for cell in row) == 1
    assert counted.weight == 1000
    assert counted.probability() == 1.0
    assert abs(printed.weight - 1) <= ULP
    with pytest.raises(BadInput, match="sum to 1"):
        JointTable(DICE, printed.table + np.eye(6) * 0.001)


def test_conditional_of_y_given_x(counted):
    """C.R08, C.M07.01: p(Y | X=1) of Table 7.1 is .1436 .1337 .2970 .2228 .1733 .0297, sliced or by Bayes' rule."""
    four_decimals = [0.1436, 0.1337, 0.2970, 0.2228, 0.1733, 0.0297]
    answers = (
        counted.given(X=1).table,
        counted.conditional("Y", given="X").table[0],
        counted.bayes("Y", X=1).table,
    )
    for answer in answers:
        assert answer.round(4).tolist() == four_decimals
        np.testing.assert_allclose(answer, exactly(THOUSANDTHS[0], 202), rtol=4 * ULP)
    assert answers[0].tolist() == exactly(THOUSANDTHS[0], 202)


def test_everything_follows_from_the_joint(counted):
    """P.M002: every marginal and conditional of Table 7.1, either way round, as exact rationals."""
    columns = tuple(zip(*THOUSANDTHS, strict=True))
    for i, (row, column) in enumerate(zip(THOUSANDTHS, columns, strict=True)):
        assert counted.given(X=i + 1).table.tolist() == exactly(row, sum(row))
        assert counted.given(Y=i + 1).table.tolist() == exactly(column, sum(column))
        assert counted.conditional("X", given="Y").table[i].tolist() == exactly(column, sum(column))
        for j, cell in enumerate(row):
            assert counted.probability(X=i + 1, Y=j + 1) == float(Fraction(cell, 1000))


def test_product_rule_gives_the_joint_back(counted):
    """C.M07.01, P.M002: p(Y) p(X | Y) is p(X, Y), so is p(X) p(Y | X)."""
    for y, x in (("Y", "X"), ("X", "Y")):
        again = JointTable.from_conditionals(counted.marginal(y), counted.conditional(x, given=y))
        np.testing.assert_allclose(again.marginal("X", "Y").table, counted.table, rtol=4 * ULP)


def test_zero_marginal():
    """C.M07.01: under a condition of probability 0 nothing follows, and the table says which condition."""
    table = JointTable.from_counts({"X": (1, 2), "Y": ("a", "b")}, [[1, 3], [0, 0]])
    with pytest.raises(BadInput, match=r"the condition X=2 must be possible, got probability 0\."):
        table.given(X=2)
    with pytest.raises(BadInput, match=r"the condition X=2 must be possible, got probability 0\."):
        table.bayes("Y", X=2)
    conditional = table.conditional("Y", given="X")
    assert conditional.undefined == ({"X": 2},)
    assert conditional.table[0].tolist() == [0.25, 0.75]
    assert np.isnan(conditional.table[1]).all()


def test_twenty_questions():
    """C.W11, C.M07.02: 20 yes/no questions make 1 048 576 cells; 24 are refused, 1000 are counted."""
    questions = {f"q{i}": ("no", "yes") for i in range(1000)}

    def first(n):
        return dict(list(questions.items())[:n])

    assert JointTable.cells(first(20)) == 1_048_576
    assert JointTable.cells(questions) == 2**1000
    table = JointTable.from_rows([dict.fromkeys(first(20), "yes")], values=first(20))
    assert table.counts.size == 1_048_576
    with pytest.raises(BadInput, match="the table must be of at most 10000000 cells, got 16777216"):
        JointTable.from_rows([dict.fromkeys(first(24), "yes")], values=first(24))


def test_bayes_classifier_from_the_full_joint(counted):
    """C.M07.02: argmax over c of p(C=c, X=x), on Table 7.1 with Y the class; of equal ones the first."""
    columns_of_largest = [row.index(max(row)) + 1 for row in THOUSANDTHS]
    assert columns_of_largest == [3, 6, 5, 5, 3, 1]
    assert counted.classify("Y", {"X": [1, 2, 3, 4, 5, 6]}) == tuple(columns_of_largest)
    assert counted.classify("X", {"Y": [6, 4]}) == (3, 3)
    even = JointTable.from_counts({"c": ("b", "a"), "x": (0, 1)}, [[2, 1], [2, 3]])
    assert even.classify("c", {"x": [0, 1]}) == ("b", "a")


def two_words_in_spam() -> JointTable:
    """p(class) p(a | class) p(b | class): both words 0.9 in spam, 0.1 in ham."""
    prior = JointTable({"class": ("spam", "ham")}, [0.5, 0.5])
    chances = [[0.1, 0.9], [0.9, 0.1]]
    with_a = JointTable.from_conditionals(prior, Conditional({"class": ("spam", "ham")}, {"a": (0, 1)}, chances))
    return JointTable.from_conditionals(with_a, Conditional({"class": ("spam", "ham")}, {"b": (0, 1)}, chances))


def test_conditional_without_unconditional_independence():
    """P.W32 (a), P.M056, C.M07.04: words independent given the class are dependent: P(both) 0.41 against 0.25."""
    table = two_words_in_spam()
    assert table.probability(a=1, b=1) == pytest.approx(float(Fraction(41, 100)), rel=4 * ULP)
    assert table.probability(a=1) * table.probability(b=1) == pytest.approx(0.25, rel=4 * ULP)
    assert table.independent("a", "b", given="class")
    unconditional = table.independent("a", "b")
    assert not unconditional
    assert unconditional.gap == pytest.approx(float(Fraction(41, 100) - Fraction(1, 4)), rel=16 * ULP)


def test_unconditional_without_conditional_independence():
    """P.W32 (b), P.M056, C.M07.04: fair words, spam if any: within spam P(both) 1/3 against (2/3)^2 = 4/9."""
    rows = [{"a": a, "b": b, "spam": bool(a or b)} for a in (0, 1) for b in (0, 1)]
    table = JointTable.from_rows(rows)
    spam = table.given(spam=True)
    assert spam.probability(a=1, b=1) == float(Fraction(1, 3))
    assert spam.probability(a=1) * spam.probability(b=1) == pytest.approx(float(Fraction(4, 9)), rel=4 * ULP)
    assert table.independent("a", "b")
    assert table.independent("a", "b").gap == 0.0
    conditional = table.independent("a", "b", given="spam")
    assert not conditional
    assert conditional.gap == pytest.approx(float(Fraction(1, 9)), rel=16 * ULP)
    assert conditional.at["spam"] is True
