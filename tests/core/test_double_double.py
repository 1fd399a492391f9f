"""Double-double arithmetic against exact rationals."""

from __future__ import annotations

from fractions import Fraction
from operator import add, mul, sub, truediv

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from suffice.core.double_double import Pair, bincount, exact, two_product, two_sum

BOUND = Fraction(1, 2**102)  # of the result, for one operation
NUMBERS = st.floats(-1e100, 1e100, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-100)


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    high = draw(NUMBERS)
    low = high * draw(st.floats(-1, 1)) * 2.0**-54
    return two_sum(np.float64(high), np.float64(low))


def rational(pair: Pair) -> Fraction:
    return Fraction(float(pair.high)) + Fraction(float(pair.low))


def normal(pair: Pair) -> bool:
    """The low part is below half a unit in the last place of the high part."""
    return float(pair.high + pair.low) == float(pair.high)


@pytest.mark.parametrize("operation", [add, sub, mul, truediv], ids=lambda operation: operation.__name__)
@given(a=pairs(), b=pairs())
@example(a=exact(1.0), b=Pair(np.float64(-1.0), np.float64(2.0**-60)))
@example(a=Pair(np.float64(1.0), np.float64(2.0**-54)), b=Pair(np.float64(-1.0), np.float64(2.0**-107)))
@example(a=exact(1.0), b=exact(3.0))
def test_an_operation_is_right_to_100_bits(operation, a: Pair, b: Pair) -> None:
    assume(operation is not truediv or float(b.high) != 0.0)
    got, true = operation(a, b), operation(rational(a), rational(b))
    assert abs(rational(got) - true) <= BOUND * abs(true)
    assert normal(got)


@given(a=NUMBERS, b=NUMBERS)
def test_the_error_of_a_sum_and_of_a_product_is_kept_exactly(a: float, b: float) -> None:
    assert rational(two_sum(np.float64(a), np.float64(b))) == Fraction(a) + Fraction(b)
    assert rational(two_product(np.float64(a), np.float64(b))) == Fraction(a) * Fraction(b)


@given(st.lists(pairs(), min_size=1, max_size=30))
def test_a_sum_along_an_axis(terms: list[Pair]) -> None:
    stacked = Pair(np.array([[t.high] for t in terms]), np.array([[t.low] for t in terms]))
    size = sum(abs(rational(t)) for t in terms)
    for axis, pair in ((0, stacked), (1, Pair(stacked.high.T, stacked.low.T))):
        total = pair.sum(axis)
        assert total.high.shape == (1,)
        assert (
            abs(Fraction(total.high[0]) + Fraction(total.low[0]) - sum(map(rational, terms)))
            <= len(terms) * BOUND * size
        )


def test_a_divisor_of_zero_gives_zero() -> None:
    quotient = exact(np.array([1.0, 0.0, 6.0])) / exact(np.array([0.0, 0.0, 3.0]))
    assert quotient.high.tolist() == [0.0, 0.0, 2.0]
    assert quotient.low.tolist() == [0.0, 0.0, 0.0]


def test_where_leaves_exact_zeros() -> None:
    kept = Pair(np.array([1.0, 2.0]), np.array([1e-20, 1e-20])).where(np.array([True, False]))
    assert kept.high.tolist() == [1.0, 0.0]
    assert kept.low.tolist() == [1e-20, 0.0]
    assert kept.value.tolist() == [1.0, 0.0]


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1e6)), max_size=200), st.integers(-200, 200))
def test_weights_are_counted_to_100_bits(rows: list[tuple[int, float]], exponent: int) -> None:
    codes = np.array([k for k, _ in rows], dtype=np.int64)
    weights = np.array([w for _, w in rows]) * 2.0**exponent
    counted = bincount(codes, weights, 4)
    top = Fraction(float(weights.max(initial=0.0)))
    for k in range(4):
        true = sum((Fraction(float(w)) for w in weights[codes == k]), Fraction(0))
        got = Fraction(counted.high[k]) + Fraction(counted.low[k])
        assert abs(got - true) <= len(rows) ** 2 * Fraction(1, 2**104) * top
    assert (counted.high[3], counted.low[3]) == (0.0, 0.0)


def test_a_plain_count_of_the_same_weights_would_be_wrong() -> None:
    weights = np.full(1_000_001, 0.1)
    weights[0] = 1e10
    codes = np.zeros(len(weights), dtype=np.int64)
    true = Fraction(1e10) + 1_000_000 * Fraction(0.1)
    assert abs(Fraction(float(np.bincount(codes, weights)[0])) - true) > 0.01
    counted = bincount(codes, weights, 1)
    assert abs(Fraction(counted.high[0]) + Fraction(counted.low[0]) - true) < 1e-10


@pytest.mark.parametrize("n", [1, 2, 9, 16, 17, 100, 442])
def test_long_sums_are_right_to_100_bits_of_their_sizes(n: int) -> None:
    rng = np.random.default_rng(n)
    high = rng.normal(size=(n, 3)) * 10.0 ** rng.integers(-8, 8, size=(n, 3))
    low = high * 2.0**-54 * rng.uniform(-1.0, 1.0, size=(n, 3))
    for axis, total in ((0, Pair(high, low).sum(0)), (1, Pair(high.T, low.T).sum(1))):
        assert total.high.shape == (3,), axis
        for j in range(3):
            true = sum(map(Fraction, high[:, j])) + sum(map(Fraction, low[:, j]))
            size = sum(abs(Fraction(term)) for term in high[:, j])
            assert abs(Fraction(total.high[j]) + Fraction(total.low[j]) - true) <= size / 2**100


def test_a_square_is_the_product_with_itself_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    a = Pair(*two_sum(rng.normal(size=500) * 10.0 ** rng.integers(-50, 50, 500), rng.normal(size=500) * 1e-20))
    for mine, theirs in zip(a.square(), a * a, strict=True):
        np.testing.assert_array_equal(mine, theirs)
