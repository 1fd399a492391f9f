"""Rows taken away: what rounding leaves is known, and rows that cannot have been there are refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from suffice.core.block import Array
from suffice.core.by_class import ByClass
from suffice.core.errors import NeverAdded
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.persistence import from_bytes, to_bytes
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.moments import Moments
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.quartic_moments import QuarticMoments
from suffice.testing.sameness import identical
from tests.persistence.forged import framed

KINDS: list[Any] = [Moments, FullMoments, PatternMoments, QuarticMoments, LeastSquaresSummary]
JOINT = [kind for kind in KINDS if kind is not Moments]
each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
joint = pytest.mark.parametrize("kind", JOINT, ids=lambda kind: kind.__name__)


def one(kind: Any, X: Array, w: Array | None = None) -> Any:
    """The summary of rows of one component."""
    return kind.of(X, Shares.hard(np.zeros(len(X), dtype=np.int32), 1, w))


def variance(kept: Any) -> Array:
    """The variance of each column (d,)."""
    kept = getattr(kept, "moments", getattr(kept, "full", kept))
    return kept.variance[0] if isinstance(kept, Moments) else np.diagonal(kept.covariance[0])


@each
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_a_row_too_far_away_to_have_been_there_is_refused(kind: Any, offset: float) -> None:
    X = offset + np.random.default_rng(0).normal(size=(50, 3))
    kept, stranger = one(kind, X), one(kind, X[:1] + np.array([0.0, 9.0, 0.0]))  # 50/49 * 81 is more than the scatter
    before = to_bytes(kept)
    with pytest.raises(NeverAdded, match="forget: the rows must have been added before, got some that cannot be"):
        kept - stranger
    assert to_bytes(kept) == before


@joint
def test_a_row_that_only_the_columns_together_refute_is_refused(kind: Any) -> None:
    """Within the range of each column, but off the line on which all rows lie."""
    x = np.linspace(-1.0, 1.0, 40)
    X = np.column_stack([x, 2.0 * x])
    kept = one(kind, X)
    assert variance(kept - one(kind, X[:3]))[1] > 0
    with pytest.raises(NeverAdded):
        kept - one(kind, np.array([[0.5, -1.0]]))


@each
def test_another_value_of_a_constant_column_is_refused(kind: Any) -> None:
    X = np.column_stack([np.full(9, 7.25), np.arange(9.0)])
    with pytest.raises(NeverAdded):
        one(kind, X) - one(kind, np.array([[7.26, 3.0]]))


@each
def test_the_row_that_is_left_must_be_one_row(kind: Any) -> None:
    """Two rows of three whose third would have to be spread out."""
    X = np.array([[0.0, 1.0], [1.0, 3.0], [5.0, 0.0]])
    assert variance(one(kind, X) - one(kind, X[:2])).tolist() == [0.0, 0.0]
    with pytest.raises(NeverAdded):
        one(kind, X) - one(kind, np.array([[2.0, 1.0], [2.0, 2.0]]))


@each
def test_as_many_rows_as_there_are_must_be_these(kind: Any) -> None:
    X = np.random.default_rng(1).normal(size=(6, 2))
    assert (one(kind, X) - one(kind, X[::-1])).scale(1.0) is not None
    for other in (X + 0.1, 2.0 * X - X.mean(axis=0)):
        with pytest.raises(NeverAdded):
            one(kind, X) - one(kind, other)


@pytest.mark.parametrize("lacking", [False, True])
def test_a_row_that_lacks_a_cell_no_row_lacked_is_refused(lacking: bool) -> None:
    X, labels = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]]), ("a",)
    X[1, 1] = np.nan if lacking else 4.0

    def kept(rows: Array) -> ByClass:
        R = Shares.hard(np.zeros(len(rows), dtype=np.int32), 1)
        return ByClass.of(labels, Tally.of(R), Moments.of(rows, R))

    gone = np.array([[3.0, np.nan]])
    if lacking:
        assert (kept(X) - kept(gone)).tally.rows.tolist() == [2]
    else:
        with pytest.raises(NeverAdded, match="more rows that lack a cell"):
            kept(X) - kept(gone)


@each
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_that_were_there_are_never_refused(kind: Any, seed: int, offset: float, weighted: bool) -> None:
    """One by one, in any order, until none is left: nearly dependent columns, an outlier, a rare flag, a constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 6))
    X[:, 1] = X[:, 0] + 1e-7 * X[:, 1]
    X[rng.integers(40), 2] = 1e4
    X[:, 3] = rng.random(40) < 0.05
    X[:, 4], X[:, 5] = 3.3, X[:, 0] + X[:, 2]
    X += offset
    w = rng.uniform(0.1, 3.0, 40) if weighted else np.ones(40)
    kept = one(kind, X, w)
    for i in rng.permutation(40):
        kept = kept - one(kind, X[[i]], w[[i]])
    assert variance(kept).tolist() == [0.0] * 6 if kind is not PatternMoments else not len(kept.present)


@joint
@pytest.mark.parametrize("seed", range(5))
def test_a_column_that_becomes_constant_is_exactly_so(kind: Any, seed: int) -> None:
    """In two steps, so that what the first leaves behind is still known in the second."""
    X = np.random.default_rng(seed).normal(size=(40, 3))
    X[6:, 1], X[3:, 2] = 3.3, 0.0
    X[:2, 1] = 1e3
    left = one(kind, X) - one(kind, X[:3]) - one(kind, X[3:6])
    assert variance(left)[1:].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(variance(left)[0], X[6:, 0].var(), rtol=1e-12)


@joint
def test_large_blocks_know_their_rounding_too(kind: Any) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(20_000, 12))
    X[10_000:, 3], X[:, 5] = 0.1, rng.random(20_000) < 1e-3
    X[10_000:, 5] = 0.0
    left = variance(one(kind, X) - one(kind, X[:10_000]))
    assert (left[[3, 5]] == 0.0).all()
    np.testing.assert_allclose(np.delete(left, [3, 5]), np.delete(X[10_000:].var(axis=0), [3, 5]), rtol=1e-11)


@pytest.mark.parametrize("kind", [Moments, FullMoments])
def test_a_file_from_before_noise_was_kept_is_read(kind: Any) -> None:
    """Without the entry of the last field, and without its array, which is the last of the file."""
    kept = one(kind, np.random.default_rng(4).normal(size=(5, 2)))
    data = to_bytes(kept)
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    tree = json.loads(header["__metadata__"]["tree"])
    (name,) = {"noise"} & tree[kind.__name__].keys()
    del tree[kind.__name__][name]
    (gone,) = [key for key in header if key.endswith("noise")]
    body = body[: header.pop(gone)["data_offsets"][0]]
    header["__metadata__"]["tree"] = json.dumps(tree, separators=(",", ":"))
    older = from_bytes(framed(json.dumps(header, separators=(",", ":")).encode(), body))
    assert identical(older, kept)
    assert older.noise.tolist() == [[0.0, 0.0]]
