"""Floats in order, by their bits as by comparison."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from suffice.decision.curves.sorted_floats import BYTES, VALUES, radix_loop, sort_floats
from suffice.numerics.loop import whole

FLOATS = st.lists(st.floats(allow_nan=False).map(lambda x: x + 0.0), max_size=40)


@given(FLOATS)
def test_the_loop_sorts_as_numpy_does(numbers: list[float]) -> None:
    x = np.array(numbers)
    expected = np.sort(x)
    bits = x.view(np.uint64)
    radix_loop.plain(bits, np.empty_like(bits), np.zeros((BYTES, VALUES), dtype=np.int64))
    np.testing.assert_array_equal(x, expected)


@given(FLOATS)
def test_compiled_or_not(numbers: list[float]) -> None:
    x, y = np.array(numbers), np.array(numbers)
    sort_floats(x)
    with whole(10**9):
        sort_floats(y)
    np.testing.assert_array_equal(x, np.sort(np.array(numbers)))
    np.testing.assert_array_equal(y, x)


def test_a_million() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=1_000_000) * 10.0 ** rng.integers(-300, 300, 1_000_000)
    x[:4] = np.inf, -np.inf, 5e-324, -5e-324
    expected = np.sort(x)
    sort_floats(x)
    np.testing.assert_array_equal(x, expected)
