"""Statistics of bounded length: they do not depend on how rows were divided, and tell how far off they may be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice import describe
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.features.describing.rounded_values import Rounding
from suffice.summaries.rankings import Rankings


def ranked(x: np.ndarray) -> Rankings:
    return Rankings.of(np.asarray(x, dtype=float)[:, None], Shares.hard(np.zeros(len(x), dtype=np.int32), 1))


NASTY = st.floats(-1e12, 1e12) | st.sampled_from([0.0, -0.0, 1e8, 1e8 + 1, 1e8 + 2, 5e-324, -1.5, 1e-300])


@settings(max_examples=60)
@given(st.lists(NASTY, min_size=1, max_size=40), st.integers(2, 9), st.integers(0, 40), st.integers(0, 40))
def test_any_division_gives_the_rounding_of_all_rows(x, most, a, b):
    whole, how = Rounding(most).keep(ranked(np.array(x)))
    a, b = sorted((min(a, len(x)), min(b, len(x))))
    total, found = None, None
    for part in (x[a:b], x[:a], x[b:]):
        if not part:
            continue
        some, mine = Rounding(most).keep(ranked(np.array(part)))
        if total is None or found is None:
            total, found = some, mine
        else:
            total, found = found.add(mine).keep(total + some)
    assert found == how
    assert (how.low, how.high) == (min(x), max(x))
    np.testing.assert_array_equal(total.values[0], whole.values[0])
    np.testing.assert_array_equal(total.rows, whole.rows)
    assert len(whole.values[0]) <= most


def test_quantiles_are_off_by_no_more_than_is_told():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(1e8, 1.0, 5000), [1e70, -1e70]])  # an offset, and two that are far away
    exact, short = describe({"x": x})["x"], describe({"x": x}, most=500)["x"]
    assert (exact.precision, 0 < short.precision < 0.05) == (0.0, True)
    assert len(short.values) <= 500
    for q in (0.01, 0.25, 0.5, 0.9):
        assert abs(short.quantile(q) - exact.quantile(q)) <= short.precision
    for name in ("minimum", "maximum", "mean", "variance", "range", "midrange"):
        assert getattr(short, name) == getattr(exact, name)


def test_few_values_are_kept_as_they_are():
    table = {"x": [3.0, 1.0, np.nan, 3.0], "c": ["a", "b", None, "a"], "none": [np.nan] * 4}
    short, exact = describe(table, most=2), describe(table)
    assert (short["x"].values.tolist(), short["x"].precision) == ([1.0, 3.0], 0.0)
    assert str(short) == str(exact)
    assert (short + short)["x"].weights.tolist() == [2.0, 4.0]
    for most in (1, 0, True, 2.5, "two"):
        with pytest.raises(BadInput, match="most must be None or a whole number from 2"):
            describe(table, most=most)
