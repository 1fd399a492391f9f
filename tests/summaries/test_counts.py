"""`Counts`: open vocabularies, exact rows, one result by every route."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

from suffice.core.block import Array, Coded, Words
from suffice.core.errors import BadInput, NegativeCounts, NeverAdded
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.counts import Counts

K = 3
LABELS = (("red", "green", "blue", "never"), (True, False), (1, "1", None, 2.5))


@pytest.fixture(params=["twin", "loop"])
def route(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(loop, "WORTH", 0 if request.param == "loop" else np.inf)
    return str(request.param)


def symbols(n: int, seed: int = 0) -> Coded:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(-1, len(v) - (v[-1] == "never"), n) for v in LABELS]
    return Coded(np.stack(columns, axis=1).astype(np.int32), LABELS)


def components(n: int, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed + 100)
    return rng.integers(-1, K, n).astype(np.int32), rng.integers(0, 4, n) * 0.5


def said(counts: Counts) -> dict[Any, tuple[list[int], list[float]]]:
    """Column and label -> rows and weights, whatever the order of the labels."""
    return {
        (j, label, type(label)): (counts.rows[:, s.start + i].tolist(), counts.weight[:, s.start + i].tolist())
        for j, (labels, s) in enumerate(zip(counts.labels, counts.slices, strict=True))
        for i, label in enumerate(labels)
    }


def by_hand(part: Coded, codes: Array, w: Array) -> dict[Any, tuple[list[int], list[float]]]:
    found: dict[Any, tuple[list[int], list[float]]] = {}
    for row, k, weight in zip(part.codes.tolist(), codes.tolist(), w.tolist(), strict=True):
        for j, code in enumerate(row):
            if k >= 0 and code >= 0 and weight != 0:
                label = part.labels[j][code]
                rows, weights = found.setdefault((j, label, type(label)), ([0] * K, [0.0] * K))
                rows[k] += 1
                weights[k] += weight
    return found


@pytest.mark.parametrize("n", [0, 1, 50, 5000])
@pytest.mark.parametrize("weighted", [False, True])
def test_symbols_are_counted(route: str, n: int, weighted: bool) -> None:
    part, (codes, w) = symbols(n), components(n)
    counts = Counts.of(part, Shares.hard(codes, K, w if weighted else None))
    assert said(counts) == by_hand(part, codes, w if weighted else np.ones(n))
    assert counts.rows.dtype == np.int64
    assert "never" not in counts.labels[0]


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_codes_of_any_width_and_order(route: str, dtype: type, order: Any) -> None:
    part, (codes, w) = symbols(300), components(300)
    other = Coded(np.array(part.codes, dtype=dtype, order=order), part.labels)
    assert said(Counts.of(other, Shares.hard(codes, K, w))) == said(Counts.of(part, Shares.hard(codes, K, w)))
    strided = Coded(np.repeat(part.codes, 2, axis=0)[::2], part.labels)
    assert said(Counts.of(strided, Shares.hard(codes, K, w))) == said(Counts.of(part, Shares.hard(codes, K, w)))


def test_unsigned_codes(route: str) -> None:
    part = Coded(np.array([[0], [2], [2]], dtype=np.uint8), (("a", "b", "c"),))
    assert Counts.of(part, Shares.hard(np.zeros(3, dtype=np.int32), 1)).rows.tolist() == [[1, 2]]


def test_hard_and_shared_symbols_agree() -> None:
    part, (codes, w) = symbols(5000), components(5000)
    R = Shares.hard(codes, K, w)
    assert said(Counts.of(part, Shares.soft(R.dense()))) == said(Counts.of(part, R))
    share = np.random.default_rng(0).integers(0, 3, (5000, K)) * 0.25
    shared = said(Counts.of(part, Shares.soft(share)))
    for k in range(K):
        alone = said(Counts.of(part, Shares.hard(np.zeros(5000, dtype=np.int32), 1, share[:, k])))
        assert {key: ([rows[k]], [w[k]]) for key, (rows, w) in shared.items() if rows[k]} == alone


def test_shares_of_one_number() -> None:
    part = symbols(100)
    alike = Counts.of(part, Shares.soft(np.broadcast_to(np.float64(0.5), (100, K))))
    each = Counts.of(part, Shares.soft(np.full((100, K), 0.5)))
    assert said(alike) == said(each)


def matrix(n: int, V: int = 6, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return rng.poisson(0.6, (n, V)).astype(float) * rng.choice([1.0, 1.0, 0.5], (n, V))


KEPT = {
    "array": np.asarray,
    "float32": lambda X: X.astype(np.float32),
    "columns side by side": np.asfortranarray,
    "csr_array": csr_array,
    "csr_matrix": csr_matrix,
    "wide indices": lambda X: _wide(csr_array(X)),
    "stored zeros": lambda X: _with_zeros(X),
    "sparse float32": lambda X: csr_array(X.astype(np.float32)),
}


def _wide(X: Any) -> Any:
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def _with_zeros(X: Array) -> Any:
    stored = csr_array(X + 100.0)
    stored.data -= 100.0
    return stored


@pytest.mark.parametrize("keep", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("threshold", [None, 0.0, 0.75, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_words_are_counted(route: str, keep: Any, threshold: float | None, weighted: bool) -> None:
    X, (codes, w) = matrix(5000), components(5000)
    R = Shares.hard(codes, K, w if weighted else None)
    counts = Counts.of_words(Words(keep(X), range(6)), R, threshold)
    values = X if threshold is None else np.greater(X, threshold).astype(float)
    live = R.dense()
    np.testing.assert_array_equal(counts.rows, (live != 0).T.astype(int) @ (values != 0).astype(int))
    np.testing.assert_array_equal(counts.weight, live.T @ values)  # multiples of 1/4: exact in any order
    assert counts.labels == (range(6),)


@pytest.mark.parametrize("data", [np.int64, np.int8, np.uint16, bool])
def test_counts_that_are_no_floats(route: str, data: type) -> None:
    X, (codes, w) = (matrix(200) > 0.7).astype(data), components(200)
    R = Shares.hard(codes, K, w)
    for kept in (X, csr_array(X)):
        for threshold in (None, 0.0):
            counts = Counts.of_words(Words(kept, range(6)), R, threshold)
            np.testing.assert_array_equal(counts.weight, R.dense().T @ X.astype(float))


@pytest.mark.parametrize("keep", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_hard_and_shared_words_agree(keep: Any) -> None:
    X, (codes, w) = matrix(5000), components(5000)
    R, share = Shares.hard(codes, K, w), np.random.default_rng(0).integers(0, 3, (5000, K)) * 0.25
    for threshold in (None, 0.75):
        a, b = (Counts.of_words(Words(keep(X), range(6)), S, threshold) for S in (R, Shares.soft(R.dense())))
        assert said(a) == said(b)
        c = Counts.of_words(Words(keep(X), range(6)), Shares.soft(share), threshold)
        np.testing.assert_array_equal(c.weight, share.T @ (X if threshold is None else np.greater(X, threshold)))
        np.testing.assert_array_equal(c.rows, (share > 0).T.astype(int) @ np.greater(X, threshold or 0.0))


def test_no_documents_and_empty_documents(route: str) -> None:
    for keep in (np.asarray, csr_array):
        none = Counts.of_words(Words(keep(np.zeros((0, 2))), ("a", "b")), Shares.hard(np.zeros(0, dtype=np.int32), K))
        blank = Counts.of_words(Words(keep(np.zeros((3, 2))), ("a", "b")), Shares.hard(np.zeros(3, dtype=np.int32), K))
        for counts in (none, blank):
            assert counts.labels == ((),)
            assert counts.rows.shape == (K, 0)


@pytest.mark.parametrize("keep", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize(("cell", "threshold", "error", "message"), [
    (-2.5, None, NegativeCounts, r"counts must be at least 0, got -2\.5"),
    (np.nan, None, BadInput, "counts must be finite"), (np.inf, None, BadInput, "counts must be finite"),
    (np.nan, 0.0, BadInput, "counts must be finite"), (-np.inf, 0.0, BadInput, "counts must be finite"),
])  # fmt: skip
def test_what_is_no_count(
    route: str, keep: Any, m: int, cell: float, threshold: float | None, error: type, message: str
) -> None:
    X = np.ones((4, 3))
    X[2, 1] = cell
    R = Shares.hard(np.zeros(4, dtype=np.int32), 2) if m == 1 else Shares.soft(np.full((4, 2), 0.5))
    with pytest.raises(error, match=message):
        Counts.of_words(Words(keep(X), range(3)), R, threshold)
    nobody = Shares(np.where(np.arange(4)[:, None] == 2, -1, R.codes), R.share, 2)
    weightless = Shares(R.codes, np.where(np.arange(4)[:, None] == 2, 0.0, R.share), 2)
    for S in (nobody, weightless):
        assert np.isfinite(Counts.of_words(Words(keep(X), range(3)), S, threshold).weight).all()


def test_a_negative_cell_is_below_every_threshold(route: str) -> None:
    for keep in (np.asarray, csr_array):
        counts = Counts.of_words(Words(keep(np.array([[-1.0, 2.0]])), range(2)), Shares.hard(np.array([0]), 1), 0.0)
        assert counts.weight.tolist() == [[0.0, 1.0]]


def of(labels: tuple[Any, ...], codes: list[int], w: list[float] | None = None) -> Counts:
    R = Shares.hard(np.zeros(len(codes), dtype=np.int32), 1, None if w is None else np.array(w))
    return Counts.of(Coded(np.array(codes, dtype=np.int32)[:, None], (labels,)), R)


def test_vocabularies_unite() -> None:
    total = Counts.sum([of(("a", "b"), [0, 1, 1]), of(("c", "b"), [0, 1]), of((), []), of(("a",), [0])])
    assert total.labels == (("a", "b", "c"),)
    assert total.rows.tolist() == [[2, 3, 1]]


def test_labels_leave_with_their_last_row() -> None:
    left = of(("a", "b"), [0, 1, 1], [0.1, 0.2, 0.3]) - of(("b",), [0, 0], [0.2, 0.3])
    assert left.labels == (("a",),)
    assert left.weight.tolist() == [[0.1]]


def test_never_added() -> None:
    with pytest.raises(
        NeverAdded, match=r"labels of column 0 must have been added before, got 'z', which was never seen"
    ):
        of(("a", "b"), [0, 1]) - of(("z",), [0])
    with pytest.raises(NeverAdded, match="got 1 more than there were"):
        of(("a", "b"), [0, 1]) - of(("b",), [0, 0])
    with pytest.raises(NeverAdded, match="more weight than there was"):
        of(("a",), [0, 0], [1.0, 1.0]) - of(("a",), [0], [9.0])


def test_a_weight_left_is_never_negative() -> None:
    left = of(("a",), [0, 0], [1e17, 1.0]) - of(("a",), [0], [1e17])
    assert left.weight[0, 0] >= 0.0


def test_columns_of_a_matrix_stay() -> None:
    some = Words(np.array([[1.0, 0.0, 0.0]]), range(3))
    counts = Counts.of_words(some, Shares.hard(np.array([0]), 1))
    assert (counts - counts).labels == (range(3),)
    longer = Counts.of_words(Words(np.ones((1, 5)), range(5)), Shares.hard(np.array([0]), 1))
    assert (counts + longer).labels == (range(5),)
    assert (counts + longer).rows.tolist() == [[2, 1, 1, 1, 1]]


def test_moving_components_drops_what_only_they_had() -> None:
    part = Coded(np.array([[0], [1]]), (("a", "b"),))
    counts = Counts.of(part, Shares.hard(np.array([0, 1]), 2))
    assert counts.spread([-1, 2], 3).labels == (("b",),)
    assert counts.spread([-1, 2], 3).rows.tolist() == [[0], [0], [1]]


def test_columns_and_back() -> None:
    part, (codes, w) = symbols(100), components(100)
    counts = Counts.of(part, Shares.hard(codes, K, w))
    some = counts.columns([2, 0])
    assert some.labels == (counts.labels[2], counts.labels[0])
    np.testing.assert_array_equal(some.column(1), counts.column(0))
    wide = some.among([3, 1], 4)
    assert [len(v) for v in wide.labels] == [0, len(counts.labels[0]), 0, len(counts.labels[2])]
    assert counts.columns([]).rows.shape == (K, 0)


def test_among_keeps_counts_with_their_labels() -> None:
    """Columns given out of order find their places with their counts."""
    part, (codes, w) = symbols(100), components(100)
    counts = Counts.of(part, Shares.hard(codes, K, w))
    wide = counts.columns([2, 0]).among([3, 1], 4)
    np.testing.assert_array_equal(wide.column(3), counts.column(2))
    np.testing.assert_array_equal(wide.column(1), counts.column(0))


@given(st.integers(0, 2**32), st.integers(0, 40), st.integers(1, 6))
def test_any_split_is_the_whole(seed: int, n: int, shards: int) -> None:
    part, (codes, w) = symbols(n, seed), components(n, seed)
    R = Shares.hard(codes, K, w)
    order = np.random.default_rng(seed).permutation(n)
    parts = [Counts.of(Coded(part.codes[i], part.labels), R[i]) for i in np.array_split(order, shards)]
    whole = Counts.of(part, R)
    assert said(Counts.sum(parts)) == said(whole)
    assert said(whole - parts[0]) == said(Counts.sum([Counts.of(Coded(part.codes[:0], LABELS), R[:0]), *parts[1:]]))


def test_many_labels_unite_quickly() -> None:
    """Linear in the number of labels: 64 shards of 2000 labels, most of them shared."""
    shards = [of(tuple(range(i * 50, i * 50 + 2000)), list(range(2000))) for i in range(64)]
    total = Counts.sum(shards)
    assert len(total.labels[0]) == 2000 + 63 * 50
    assert (total - shards[3]).rows.sum() == 63 * 2000
