"""Rankings: the distinct values of columns, how they add, and what is read from them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput, NeverAdded, NotASummary
from suffice.core.saving import bytes_value, value_bytes
from suffice.core.shares import Shares
from suffice.summaries.quantiles import CONVENTIONS
from suffice.summaries.rankings import Rankings
from suffice.testing.sameness import identical

METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
]
NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6),
    st.floats(-1.0, 1.0).map(lambda x: 1e8 + x),
    st.sampled_from([0.0, -0.0, 1e300, -1e300, 5e-324, 0.1, 0.3]),
)
COLUMNS = st.lists(NUMBERS, min_size=1, max_size=40)
SHARES_OF = st.lists(
    st.one_of(
        st.floats(0.0, 1.0), st.integers(0, 100).map(lambda i: i / 100), st.integers(0, 64).map(lambda i: i / 64)
    ),
    min_size=1,
    max_size=5,
)
CELLS = st.sampled_from([-np.inf, -2.0, -0.0, 0.0, 1.0, 1.0 + 2.0**-52, 7.5, np.inf, np.nan])


def one(x: Any, w: Any = None) -> Rankings:
    """The ranking of one column as one component."""
    x = np.asarray(x, dtype=np.float64)
    w = None if w is None else np.asarray(w, dtype=np.float64)
    return Rankings.of(x[:, None], Shares.hard(np.zeros(len(x), dtype=np.int32), 1, w))


def counted(X: Any, R: Shares) -> list[tuple[dict[float, dict[int, tuple[int, float]]], dict[int, tuple[int, float]]]]:
    """Slowly and plainly: for each column, value -> component -> (rows, weight), and the same of missing cells."""
    out = []
    for j in range(X.shape[1]):
        values: Any = defaultdict(lambda: defaultdict(lambda: (0, 0.0)))
        missing: Any = defaultdict(lambda: (0, 0.0))
        for x, codes, shares in zip(X[:, j].tolist(), R.codes.tolist(), R.share.tolist(), strict=True):
            for k, share in zip(codes, shares, strict=True):
                if k >= 0 and share != 0.0:
                    table = missing if x != x else values[x]
                    table[k] = (table[k][0] + 1, table[k][1] + share)
        out.append((values, missing))
    return out


def assert_counted(found: Rankings, X: Any, R: Shares, lost: float = 0.0) -> None:
    """The same as counted plainly; weights but for what rounding has lost of those once there."""
    for j, (values, missing) in enumerate(counted(X, R)):
        assert found.values[j].tolist() == sorted(values)
        assert not np.signbit(found.values[j][found.values[j] == 0.0]).any()
        s = found.slices[j]
        for k in range(R.K):
            mine = [values[v].get(k, (0, 0.0)) for v in sorted(values)]
            assert found.rows[k, s].tolist() == [rows for rows, _ in mine]
            np.testing.assert_allclose(found.weight[k, s], [weight for _, weight in mine], rtol=1e-14, atol=lost)
            assert found.missing_rows[k, j] == missing.get(k, (0, 0.0))[0]
            np.testing.assert_allclose(found.missing_weight[k, j], missing.get(k, (0, 0.0))[1], rtol=1e-14, atol=lost)
    assert found.rows.dtype == found.missing_rows.dtype == np.int64
    assert found.weight.dtype == found.missing_weight.dtype == np.float64


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, Shares]:
    n, d, K = draw(st.integers(0, 12)), draw(st.integers(0, 3)), draw(st.integers(1, 4))
    X = np.array(draw(st.lists(CELLS, min_size=n * d, max_size=n * d)), dtype=np.float64).reshape(n, d)
    codes = np.array(draw(st.lists(st.integers(-1, K - 1), min_size=n, max_size=n)), dtype=np.int32)
    weights = st.one_of(st.integers(0, 3).map(float), st.sampled_from([0.1, 0.25, 1e-3]))
    w = draw(st.one_of(st.none(), st.lists(weights, min_size=n, max_size=n).map(lambda v: np.array(v, dtype=float))))
    return X, Shares.hard(codes, K, w)


@given(tables())
def test_counts_every_cell(table: tuple[Any, Shares]) -> None:
    assert_counted(Rankings.of(*table), *table)


@given(tables())
def test_shared_rows_are_counted_in_every_component_they_belong_to(table: tuple[Any, Shares]) -> None:
    X, hard = table
    soft = Shares.soft(hard.dense().reshape(len(X), hard.K))
    assert identical(Rankings.of(X, soft), Rankings.of(X, hard))
    rng = np.random.default_rng(len(X))
    shares = rng.choice([0.0, 0.2, 0.5, 1.0], size=(len(X), hard.K))
    assert_counted(Rankings.of(X, Shares.soft(shares)), X, Shares.soft(shares))
    some = Shares(
        rng.permuted(np.tile(np.arange(-1, hard.K), (len(X), 1)), axis=1)[:, :2], shares[:, :1] + [0, 1], hard.K
    )
    assert_counted(Rankings.of(X, some), X, some)


@given(tables(), st.integers(0, 12), st.integers(0, 12))
def test_any_cut_is_the_whole_and_can_be_taken_away(table: tuple[Any, Shares], first: int, second: int) -> None:
    X, R = table
    low, high = sorted((first, second))
    parts = [Rankings.of(X[s], R[s]) for s in (slice(0, low), slice(low, high), slice(high, None))]
    whole = Rankings.sum(parts)
    assert_counted(whole, X, R)
    assert_counted(Rankings.sum(parts[::-1]), X, R)
    assert_counted(whole - parts[1] - parts[2], X[:low], R[:low], lost=2.0**-50 * R.share.sum())
    assert_counted(whole - whole, X[:0], R[:0])


def test_numbers_of_any_type_and_layout_are_ranked() -> None:
    X = np.array([[3, 1], [2, 1], [3, 0]])
    R = Shares.hard(np.array([0, 0, 1]), 2)
    for same in (X, X.astype(np.float32), np.asfortranarray(X), X[::-1][::-1], X.astype(np.uint8)):
        assert_counted(Rankings.of(same, R), X.astype(float), R)


def test_no_rows_no_columns_and_no_component() -> None:
    assert identical(Rankings.empty(2, 3), Rankings.of(np.zeros((0, 3)), Shares.hard(np.zeros(0, dtype=np.int32), 2)))
    assert Rankings.of(np.zeros((4, 0)), Shares.hard(np.zeros(4, dtype=np.int32), 2)).rows.shape == (2, 0)
    nobody = Rankings.of(np.ones((2, 1)), Shares.hard(np.array([-1, 0]), 1, np.array([1.0, 0.0])))
    assert identical(nobody, Rankings.empty(1, 1))
    assert np.isnan(nobody.quantile([0.0, 1.0])).all()
    assert np.isnan(nobody.minimum).all()
    assert np.isnan(nobody.maximum).all()
    assert nobody.cumulative(0).rows.shape == (1, 0)


def test_minus_zero_from_one_shard_and_zero_from_another_are_one_value() -> None:
    both = one([-0.0, 1.0]) + one([0.0])
    assert both.values[0].tobytes() == np.array([0.0, 1.0]).tobytes()
    assert (both - one([-0.0])).rows.tolist() == [[1, 1]]


def test_infinity_is_first_or_last() -> None:
    ranks = one([np.inf, 1.0, -np.inf, np.inf, np.nan])
    assert ranks.values[0].tolist() == [-np.inf, 1.0, np.inf]
    assert ranks.rows.tolist() == [[1, 1, 2]]
    assert (ranks.minimum.item(), ranks.maximum.item()) == (-np.inf, np.inf)
    assert ranks.quantile([0.0, 1 / 6, 1 / 3, 0.5, 2 / 3, 1.0]).ravel().tolist() == [-np.inf] * 2 + [1.0] + [np.inf] * 3
    between = one([-np.inf, np.inf]).quantile([0.0, 0.5, 1.0]).ravel()
    assert between.tolist()[::2] == [-np.inf, np.inf]
    assert np.isnan(between[1])


def test_the_middle_of_the_largest_numbers_does_not_overflow() -> None:
    top = np.finfo(np.float64).max
    assert one([-top, top]).quantile([0.0, 0.5, 1.0]).ravel().tolist() == [-top, 0.0, top]


@pytest.mark.parametrize("method", METHODS)
@given(x=COLUMNS, q=SHARES_OF)
def test_quantiles_are_those_of_numpy(method: str, x: list[float], q: list[float]) -> None:
    found = one(x).quantile(q, method=method)[:, 0, 0]
    np.testing.assert_allclose(found, np.quantile(np.array(x), q, method=method), rtol=1e-12, atol=0.0)


@pytest.mark.parametrize("method", METHODS)
def test_quantiles_jump_where_numpy_s_do(method: str) -> None:
    q = np.arange(1001) / 1000
    for n in (1, 2, 3, 7, 10, 100, 1000):
        x = np.arange(n) ** 2.0
        assert np.array_equal(one(x).quantile(q, method=method)[:, 0, 0], np.quantile(x, q, method=method))


def test_there_are_nine_conventions() -> None:
    assert list(CONVENTIONS) == METHODS


@pytest.mark.parametrize("method", METHODS)
@given(rows=st.lists(st.tuples(NUMBERS, st.integers(0, 4)), min_size=1, max_size=20), q=SHARES_OF)
def test_a_whole_weight_is_so_many_copies(method: str, rows: list[tuple[float, int]], q: list[float]) -> None:
    x, w = (np.array(side) for side in zip(*rows, strict=True))
    found = one(x, w).quantile(q, method=method)[:, 0, 0]
    if not w.any():
        assert np.isnan(found).all()
        return
    np.testing.assert_allclose(found, np.quantile(np.repeat(x, w), q, method=method), rtol=1e-12, atol=0.0)
    copies = one(np.repeat(x, w))
    assert np.array_equal(copies.quantile(q, method=method)[:, 0, 0], found)


@given(
    rows=st.lists(st.tuples(NUMBERS, st.floats(0.01, 5.0)), min_size=1, max_size=20, unique_by=lambda row: row[0]),
    q=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=5),
)
def test_weighted_quantiles_are_those_of_numpy(rows: list[tuple[float, float]], q: list[float]) -> None:
    x, w = (np.array(side) for side in zip(*rows, strict=True))
    order = np.argsort(x)
    near = np.abs(np.subtract.outer(np.cumsum(w[order]) / w.sum(), q)).min(axis=0) < 1e-12
    q = [0.5 if close and 0.0 < share < 1.0 else share for share, close in zip(q, near, strict=True)]
    expected = np.quantile(x, q, method="inverted_cdf", weights=w)
    assert one(x, w).quantile(q, method="inverted_cdf")[:, 0, 0].tolist() == expected.tolist()


@given(rows=st.lists(st.tuples(NUMBERS, st.integers(0, 4)), min_size=1, max_size=20), eighths=st.integers(0, 8))
def test_whole_weights_are_weighed_as_numpy_weighs(rows: list[tuple[float, int]], eighths: int) -> None:
    x, w = (np.array(side, dtype=float) for side in zip(*[*rows, (2.5, 1)], strict=True))
    expected = np.quantile(x, eighths / 8, method="inverted_cdf", weights=w)
    for factor in (1.0, 0.25, 4.0):  # a quarter of a weight is not whole, but as exact
        assert one(x, w).scale(factor).quantile(eighths / 8, method="inverted_cdf").item() == expected


def test_quantiles_of_each_component_and_column() -> None:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(60, 2)), 1)
    X[rng.random(X.shape) < 0.2] = np.nan
    k = rng.integers(0, 3, 60)
    ranks = Rankings.of(X, Shares.hard(k, 4))
    q = np.array([[0.1, 0.5], [0.9, 1.0]])
    found = ranks.quantile(q, method="hazen")
    assert found.shape == (2, 2, 4, 2)
    for c in range(3):
        expected = np.nanquantile(X[k == c], q, axis=0, method="hazen")
        np.testing.assert_allclose(found[:, :, c], expected, rtol=1e-12)
    assert np.isnan(found[:, :, 3]).all()
    np.testing.assert_allclose(ranks.pooled().quantile(0.5)[0], np.nanquantile(X, 0.5, axis=0), rtol=1e-12)
    assert ranks.quantile(0.5).shape == (4, 2)
    np.testing.assert_array_equal(ranks.minimum[:3], [np.nanmin(X[k == c], axis=0) for c in range(3)])
    np.testing.assert_array_equal(ranks.maximum[:3], [np.nanmax(X[k == c], axis=0) for c in range(3)])
    assert np.isnan(ranks.minimum[3]).all()
    assert np.isnan(ranks.maximum[3]).all()


@given(tables())
def test_cumulative_tables_count_what_is_at_most_and_at_least(table: tuple[Any, Shares]) -> None:
    X, R = table
    ranks = Rankings.of(X, R)
    for j in range(X.shape[1]):
        up, down = ranks.cumulative(j), ranks.cumulative(j, falling=True)
        assert up.values.tolist() == down.values.tolist()[::-1] == ranks.values[j].tolist()
        for k in range(R.K):
            mine = R.live[:, 0] & (R.codes[:, 0] == k)
            for i, v in enumerate(up.values):
                below, above = mine & (X[:, j] <= v), mine & (X[:, j] >= v)
                last = len(up.values) - 1 - i
                assert (up.rows[k, i], down.rows[k, last]) == (below.sum(), above.sum())
                np.testing.assert_allclose(up.weight[k, i], R.share[below].sum(), rtol=1e-14)
                np.testing.assert_allclose(down.weight[k, last], R.share[above].sum(), rtol=1e-14)


def test_columns_and_places_among_more_columns() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, (20, 4)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    R = Shares.hard(rng.integers(0, 2, 20), 2, rng.uniform(0.5, 2.0, 20))
    ranks = Rankings.of(X, R)
    for places in ([2, 0], [3], [], np.array([1, 2])):
        assert identical(ranks.columns(places), Rankings.of(X[:, places], R))
        wide = np.full((20, 6), np.nan)
        wide[:, np.asarray(places, dtype=int)] = X[:, places]
        found = ranks.columns(places).among(places, 6)
        others = [j for j in range(6) if j not in list(places)]
        assert identical(found.columns(places), ranks.columns(places))
        assert not found.missing_rows[:, others].any()
        assert identical(found.values, Rankings.of(wide, R).values)


def test_components_move_and_take_their_values_with_them() -> None:
    ranks = Rankings.of(np.array([[1.0], [2.0], [2.0], [np.nan]]), Shares.hard(np.array([0, 0, 1, 0]), 2))
    moved = ranks.spread([-1, 2], 3)
    assert moved.values[0].tolist() == [2.0]
    assert moved.rows.tolist() == [[0], [0], [1]]
    assert moved.missing_rows.ravel().tolist() == [0, 0, 0]
    assert ranks.spread([2, 0], 3).missing_rows.ravel().tolist() == [0, 0, 1]


def test_the_rows_decide_what_exists_whatever_rounding_left_of_the_weights() -> None:
    tenths = one([1.0] * 10, [0.1] * 10)
    left = tenths + one([2.0], [0.1])
    for _ in range(10):
        left = left - one([1.0], [0.1])
    assert left.values[0].tolist() == [2.0]
    assert left.weight.tolist() == [[0.1]]
    decayed = (one([1.0, 2.0]).scale(0.5) + one([3.0])) - one([2.0]).scale(0.5)
    assert (decayed.values[0].tolist(), decayed.weight.tolist()) == ([1.0, 3.0], [[0.5, 1.0]])


def test_what_was_never_added_cannot_be_taken_and_nothing_changes() -> None:
    ranks = one([1.0, 2.0, np.nan])
    before = ranks.rows.copy(), ranks.weight.copy(), ranks.missing_rows.copy()
    cases = {
        r"the values of column 0 must have been added before, got 1\.5, which was never seen\. Nothing": [1.5],
        r"column 0 must have been added before, got inf, which": [2.0, np.inf],
        r"the rows must have been added before, got 1 more than there were": [2.0, 2.0],
        r"forget: the rows must have been added before, got 1 more": [np.nan, np.nan],
    }
    for message, cells in cases.items():
        with pytest.raises(NeverAdded, match=message):
            ranks - one(cells)
    with pytest.raises(NeverAdded, match="column 0 must have been added before, got 5"):
        Rankings.empty(1, 1) - one([5.0])
    with pytest.raises(NeverAdded, match="the weights must have been added before, got more weight than"):
        (ranks + one([1.0])) - one([1.0], [2.5])
    assert identical(before, (ranks.rows, ranks.weight, ranks.missing_rows))


def test_only_rankings_of_the_same_columns_and_components_add() -> None:
    for other, got in ((Rankings.empty(1, 2), "1 and 2"), (Rankings.empty(3, 1), "3 and 1")):
        message = rf"^Rankings: can only be added to rankings of 1 components and 1 columns, got {got}\."
        with pytest.raises(NotASummary, match=message):
            one([1.0]) + other
        with pytest.raises(NotASummary, match=message):
            one([1.0]) - other
    with pytest.raises(NotASummary, match="own kind"):
        one([1.0]) + 5  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5, 25],), r"q must be numbers from 0 to 1, got \[0\.5, 25\]\. Divide percentages by 100\."),
        ((-0.1,), r"q must be numbers from 0 to 1, got -0\.1\.$"),
        ((np.nan,), "q must be numbers from 0 to 1, got nan"),
        (("median",), "q must be numbers from 0 to 1, got 'median'"),
        ((None,), "q must be numbers from 0 to 1, got None"),
        (([[0.5], [0.5, 0.6]],), "q must be numbers from 0 to 1, got "),
        ((0.5, "middle"), "method must be one of inverted_cdf, .*normal_unbiased, got 'middle'"),
        ((0.5, None), "method must be one of inverted_cdf, .*, got None"),
        ((0.5, ["linear"]), r"method must be one of inverted_cdf, .*, got \['linear'\]"),
    ],
)
def test_bad_questions_get_one_sentence(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(BadInput, match=f"^Rankings: {message}"):
        one([1.0, 2.0]).quantile(*arguments)


@pytest.mark.parametrize("method", METHODS[1:])
def test_weights_that_are_not_whole_are_refused_by_name(method: str) -> None:
    message = f"^Rankings: weights must be whole numbers for the method '{method}', got 0.5. Use method='inverted_cdf'"
    with pytest.raises(BadInput, match=message):
        one([1.0, 2.0], [2.0, 0.5]).quantile(0.5, method=method)


@pytest.mark.parametrize("j", [-1, 1, True, 0.0, "0", None])
def test_columns_that_are_not_there(j: Any) -> None:
    with pytest.raises(BadInput, match=r"^Rankings: j must be the number of a column, from 0 to 0, got "):
        one([1.0]).cumulative(j)


def test_files_hold_counts_in_few_bytes_and_no_weights_that_are_counts() -> None:
    X = np.random.default_rng(0).normal(size=(1000, 3))
    X[::3, 0] = np.nan
    one, three = Shares.hard(np.zeros(1000, np.int32), 1), np.arange(1000, dtype=np.int32) % 3
    weighed = Shares.hard(three, 3, np.linspace(0.1, 2.0, 1000))
    for ranked in (Rankings.of(X, one), Rankings.of(X, weighed), Rankings.of(np.zeros((1000, 1)), one)):
        assert identical(bytes_value(value_bytes(ranked)), ranked)
    values = sum(map(len, Rankings.of(X, one).values))
    assert len(value_bytes(Rankings.of(X, one))) < 9 * values + 1_100  # 24 bytes each, were they written as they are


def test_one_number_stands_for_rows_and_weights_where_no_value_comes_twice():
    X = np.random.default_rng(5).normal(size=(200, 3))
    X[3, 1] = np.nan
    for weight in (1.0, 3.0, 0.25):
        got = Rankings.of(X, Shares(np.zeros((200, 1), dtype=np.int32), np.broadcast_to(weight, (200, 1)), 1))
        assert got.rows.strides[1] == got.weight.strides[1] == 0  # no array to fill
        filled = Rankings(got.values, got.rows.copy(), got.weight.copy(), got.missing_rows, got.missing_weight)
        shares = np.linspace(0.0, 1.0, 23)
        for method in ("inverted_cdf",) if weight < 1.0 else CONVENTIONS:
            np.testing.assert_array_equal(got.quantile(shares, method), filled.quantile(shares, method))
        again = bytes_value(value_bytes(got))
        assert all(np.array_equal(a, b) for a, b in zip(again.values, got.values, strict=True))
        np.testing.assert_array_equal(again.weight, filled.weight)
        np.testing.assert_array_equal((got + got - got).rows, filled.rows)
    mixed = Rankings.of(np.column_stack([X[:, 0], np.round(X[:, 2])]), Shares.hard(np.zeros(200, dtype=np.int32), 1))
    assert mixed.rows.sum() == 400
    assert mixed.rows[0, :200].tolist() == [1] * 200


@pytest.mark.parametrize("K", [1, 3])
def test_whole_numbers_are_counted_as_sorting_ranks_them(K: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside them columns that cannot be counted so: fractions, far ones, infinite ones, fractions that come late."""
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 6, (500, 18)).astype(float)
    X[:, 1] += 1e8
    X[::7, 2] = np.nan
    X[:, 3] = np.nan
    X[X == 0.0] = -0.0
    X[::5, 8], X[400, 9], X[400, 10], X[3, 11], X[400, 12], X[:, 13] = 1e-20, 0.5, 1e9, np.inf, -np.inf, 1e300
    R = Shares.hard(rng.integers(0, K, 500), K, np.where(rng.random(500) < 0.1, 0.0, 2.0))
    plain = Shares.hard(rng.integers(0, K, 500), K)
    for shares in (R, plain):
        expected = Rankings.of(X, shares)
        with monkeypatch.context() as patch:
            patch.setattr("suffice.summaries.cell_counts.pays", lambda cells: True)
            found = Rankings.of(X, shares)
        for mine, theirs in zip(found.values, expected.values, strict=True):
            np.testing.assert_array_equal(mine, theirs)
            assert not np.signbit(mine[mine == 0.0]).any()
        for name in ("rows", "weight", "missing_rows", "missing_weight"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
