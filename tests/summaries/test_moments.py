"""`Moments`: one result by three routes, whatever the array looks like; missing cells; what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.errors import BadInput, NeverAdded
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.moments import Moments
from suffice.summaries.power_sums import scattered, twin
from suffice.summaries.shifted_sums import shared

K = 3


def table(seed: int, n: int, d: int, missing: float = 0.2) -> tuple[Array, Array, Array]:
    """Cells of very different size, components (-1: none) and weights (some 0)."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, K, n).astype(np.int32)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d) + 1e6 * np.arange(d) + 1e3 * codes[:, None]
    X[rng.random((n, d)) < missing] = np.nan
    return X, codes, rng.integers(0, 4, n) * 0.5


def assert_same(a: Moments, b: Moments, rtol: float = 1e-12) -> None:
    assert a.rows.dtype == b.rows.dtype == np.int64
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_allclose(a.weight.value, b.weight.value, rtol=1e-15)
    near = rtol * np.sqrt(b.variance) + 1e-15 * np.abs(b.mean.value)
    assert (np.abs(a.mean.value - b.mean.value) <= near).all()
    np.testing.assert_allclose(a.variance, b.variance, rtol=rtol, atol=1e-25)


SIZES = [(0, 2), (1, 1), (2, 8), (15, 7), (16, 9), (100, 3), (4097, 2), (5000, 30)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2, 1.0])
@pytest.mark.parametrize(("n", "d"), SIZES)
def test_the_routes_agree(n: int, d: int, missing: float, weighted: bool) -> None:
    X, codes, w = table(n + d, n, d, missing)
    R = Shares.hard(codes, K, w if weighted else None)
    shift = np.nanmedian(X[:64], axis=0) if n and missing < 1 else np.zeros(d)
    shift = np.where(np.isnan(shift), 0.0, shift)
    by_loop, by_twin = (Moments(shift, *route(X, R, shift)) for route in (scattered, twin))
    by_product = Moments(shift, *shared(X, Shares.soft(R.dense()), shift))
    assert_same(by_loop, by_twin, 1e-15)
    assert_same(by_product, by_twin)
    for a, b in zip(by_loop.second, by_twin.second, strict=True):
        assert a.shape == b.shape == (K, d)


VIEWS = {
    "rows side by side": lambda X: np.ascontiguousarray(X),
    "columns side by side": lambda X: np.asfortranarray(X),
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every second column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "float32": lambda X: X.astype(np.float32),
    "read only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
    "big-endian": lambda X: X.astype(">f8"),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("worth", [0, np.inf])
def test_an_array_is_an_array(view, worth: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", worth)
    X, codes, w = table(5, 300, 4)
    X = X.astype(np.float32).astype(np.float64)
    assert_same(Moments.of(view(X), Shares.hard(codes, K, w)), Moments.of(X, Shares.hard(codes, K, w)), 0.0)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int8, np.uint8])
@pytest.mark.parametrize("worth", [0, np.inf])
def test_codes_of_any_width(dtype: type, worth: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", worth)
    X, codes, w = table(6, 200, 2)
    codes = np.maximum(codes, 0)
    assert_same(Moments.of(X, Shares.hard(codes.astype(dtype), K, w)), Moments.of(X, Shares.hard(codes, K, w)), 0.0)


def test_weights_that_are_one_number() -> None:
    X, codes, _ = table(7, 100, 2)
    for worth in (0, np.inf):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "WORTH", worth)
            alike = Moments.of(X, Shares(codes[:, None], np.broadcast_to(np.float64(0.3), (100, 1)), K))
            assert_same(alike, Moments.of(X, Shares.hard(codes, K, np.full(100, 0.3))), 1e-15)


def test_shared_among_some_components() -> None:
    """m = 2 entries a row: code -1 and share 0 are nobody."""
    X = np.array([[1.0, np.nan], [2.0, 5.0], [4.0, 7.0]])
    R = Shares(np.array([[0, -1], [2, 0], [1, 2]]), np.array([[1.0, 9.0], [0.5, 0.5], [0.0, 2.0]]), K)
    moments = Moments.of(X, R)
    assert moments.rows.tolist() == [[2, 1], [0, 0], [2, 2]]
    assert moments.weight.value.tolist() == [[1.5, 0.5], [0.0, 0.0], [2.5, 2.5]]
    assert moments.mean.value[2].tolist() == [(0.5 * 2 + 2 * 4) / 2.5, (0.5 * 5 + 2 * 7) / 2.5]


def test_a_missing_cell_changes_no_other_cell() -> None:
    X, codes, w = table(8, 60, 3, 0.0)
    R = Shares.hard(codes, K, w)
    holes = X.copy()
    holes[::3, 1] = np.nan
    a, b = Moments.of(X, R), Moments.of(holes, R)
    for column in (0, 2):
        np.testing.assert_array_equal(a.mean.value[:, column], b.mean.value[:, column])
        np.testing.assert_array_equal(a.variance[:, column], b.variance[:, column])
    kept = Moments.of(np.delete(X, np.s_[::3], axis=0), R[np.arange(60) % 3 > 0])
    np.testing.assert_allclose(b.variance[:, 1], kept.variance[:, 1], rtol=1e-15)


def test_no_cells_at_all() -> None:
    moments = Moments.of(np.full((4, 2), np.nan), Shares.hard(np.array([0, 0, 1, 1]), 2))
    assert not moments.rows.any()
    assert not moments.mean.value.any()
    assert not moments.variance.any()
    more = moments + Moments.of(np.array([[5.0, 1e9]]), Shares.hard(np.array([1]), 2))
    assert more.mean.value[1].tolist() == [5.0, 1e9]
    assert more.shift.tolist() == [5.0, 1e9]  # of the first shard that saw a cell


def test_columns_and_back() -> None:
    X, codes, w = table(9, 50, 4)
    moments = Moments.of(X, Shares.hard(codes, K, w))
    some = moments.columns([3, 1])
    assert_same(some, Moments.of(X[:, [3, 1]], Shares.hard(codes, K, w)), 0.0)
    wide = some.among([2, 0], 3)
    assert_same(wide.columns([2, 0]), some, 0.0)
    assert not wide.rows[:, 1].any()


def test_all_components_as_one() -> None:
    X, codes, w = table(10, 80, 3)
    one = Shares.hard(np.where(codes < 0, -1, 0), 1, w)
    assert_same(Moments.of(X, Shares.hard(codes, K, w)).pooled(), Moments.of(X, one), 1e-14)


def test_what_was_never_added_cannot_be_taken_away() -> None:
    X, codes, _ = table(11, 20, 2, 0.0)
    moments = Moments.of(X, Shares.hard(codes, K))
    with pytest.raises(NeverAdded, match="more than there were"):
        moments - (moments + moments)
    holes = np.where(np.arange(20)[:, None] == 3, np.nan, X)
    with pytest.raises(NeverAdded, match="more than there were"):
        Moments.of(holes, Shares.hard(codes, K)) - moments


@pytest.mark.parametrize("cell", [np.inf, -np.inf, 1e141, -1e300])
@pytest.mark.parametrize("route", ["twin", "loop", "shared"])
def test_a_cell_too_large_is_named(cell: float, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", 0 if route == "loop" else np.inf)
    X = np.ones((5, 3))
    X[3, 1] = cell
    R = Shares.soft(np.full((5, 2), 0.5)) if route == "shared" else Shares.hard(np.zeros(5, dtype=np.int32), 1)
    with pytest.raises(BadInput, match=r"X: column 1 must be finite and at most 1e\+140 in size, got .* in row 3"):
        Moments.of(X, R)


@pytest.mark.parametrize("route", ["twin", "loop", "shared"])
def test_cells_that_are_nobodys_are_not_looked_at(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", 0 if route == "loop" else np.inf)
    X = np.array([[np.inf], [1.0], [3.0], [1e300]])
    share = np.array([0.0, 1.0, 1.0, 1.0])
    codes = np.array([0, 0, 0, -1], dtype=np.int32)
    R = Shares.hard(codes, 2, share)
    R = Shares.soft(R.dense()) if route == "shared" else R
    moments = Moments.of(X, R)
    assert moments.variance[0, 0] == 1.0
    assert moments.rows.tolist() == [[2], [0]]


def test_large_cells_add_and_scale() -> None:
    X = np.array([[1e139], [-1e139]] * 50)
    moments = Moments.of(X, Shares.hard(np.zeros(100, dtype=np.int32), 1))
    assert ((moments + moments).scale(1e10)).variance[0, 0] == pytest.approx(1e278, rel=1e-15)


def test_weights_too_large() -> None:
    X = np.array([[0.0], [0.0], [1e100]])
    with pytest.raises(BadInput, match=r"X: weights must be such that sums of squares stay finite, got 1e\+200"):
        Moments.of(X, Shares.hard(np.zeros(3, dtype=np.int32), 1, np.array([1.0, 1.0, 1e200])))


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 5))
def test_any_split_is_the_whole(seed: int, n: int, shards: int) -> None:
    X, codes, w = table(seed, n, 2)
    R = Shares.hard(codes, K, w)
    order = np.random.default_rng(seed).permutation(n)
    parts = [Moments.of(X[rows], R[rows]) for rows in np.array_split(order, shards)]
    whole = Moments.of(X, R)
    assert_same(Moments.sum(parts), whole, 1e-13)
    assert_same(whole - parts[0], Moments.sum([Moments.empty(K, 2), *parts[1:]]), 1e-11)


@pytest.mark.parametrize("late", [None, 0.5, 1e-20, 2.0**40 + 1.0, np.nan])
def test_chunks_of_whole_numbers_are_summed_as_pairs_are(late: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that is none, in the second of three chunks, leaves that one and the last to the pairs."""
    rng = np.random.default_rng(0)
    X = rng.integers(-7, 300, (10_000, 5)).astype(float)
    X[:, 1] += 2.0**19
    if late is not None:
        X[5000, 2] = late
    R = Shares.hard(rng.integers(0, 3, 10_000), 3)
    shift = np.array([3.0, 2.0**19, 0.0, -5.0, 1e-3])
    for about in (np.round(shift), shift):
        found = scattered(X, R, about)
        with monkeypatch.context() as patch:
            patch.setattr("suffice.summaries.power_sums.FEW", 0)
            expected = scattered(X, R, about)
        np.testing.assert_array_equal(found[0], expected[0])
        for mine, theirs in zip(found[1:], expected[1:], strict=True):
            assert isinstance(mine, Pair)
            np.testing.assert_array_equal((mine - theirs).high, 0.0)
