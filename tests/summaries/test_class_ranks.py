"""Ranking large tables by class: equal to the general way."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from suffice.core.saving import bytes_value, value_bytes
from suffice.core.shares import Shares
from suffice.numerics.loop import WORTH, whole
from suffice.summaries.rankings import Rankings
from suffice.summaries.ranks.class_ranks import deals
from suffice.testing.sameness import identical

NAMES = ("values", "rows", "weight", "missing_rows", "missing_weight")


@pytest.mark.parametrize("K", [2, 3, 5, 31])
@pytest.mark.parametrize("share", [1.0, 0.25])
def test_dealt_cells_are_ranked_as_others_are(K: int, share: float) -> None:
    rng = np.random.default_rng(K)
    X = np.round(rng.normal(size=(900, 9)), 1)
    X[:, 0] = 1e8 + rng.normal(size=900)
    X[::7, 1], X[:, 2], X[:, 3], X[:3, 4] = np.nan, np.nan, 1.0, [-0.0, np.inf, -np.inf]
    codes = rng.integers(-1, K, 900).astype(np.int32)
    codes[codes == 1] = 0  # nobody is of class 1
    R = Shares(codes[:, None], np.broadcast_to(share, (900, 1)), K)
    assert not deals(X, R)
    slow = Rankings.of(X, R)
    with whole(WORTH, idle=1):
        assert deals(X, R)
        for table in (X, np.asfortranarray(X)):
            quick = Rankings.of(table, R)
            for name in NAMES[1:]:
                np.testing.assert_array_equal(getattr(quick, name), getattr(slow, name))
                assert getattr(quick, name).dtype == getattr(slow, name).dtype
            for mine, theirs in zip(quick.values, slow.values, strict=True):
                np.testing.assert_array_equal(mine, theirs)
                assert not np.signbit(mine[mine == 0.0]).any()


def test_rows_that_are_nobodys_leave_nothing() -> None:
    X, codes = np.ones((40, 2)), np.full(40, -1, dtype=np.int32)
    with whole(WORTH):
        empty = Rankings.of(X, Shares.hard(codes, 2))
    assert [len(values) for values in empty.values] == [0, 0]
    assert not empty.missing_rows.any()


def test_rows_and_weights_are_filled_in_when_they_are_asked_for() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 2)).round(1), rng.integers(0, 2, 300).astype(np.int32)
    slow = Rankings.of(X, Shares.hard(y, 2))
    with whole(WORTH):
        quick = Rankings.of(X, Shares.hard(y, 2))
    assert not {"rows", "weight"} & set(vars(quick))
    np.testing.assert_array_equal(quick.weights(1), slow.weights(1))
    assert quick.distinct == slow.distinct == slow.rows.shape[1]
    assert not {"rows", "weight"} & set(vars(quick))
    for other in (pickle.loads(pickle.dumps(quick)), copy.deepcopy(quick), bytes_value(value_bytes(quick)), quick):
        assert identical(other, slow)
        assert identical(other + slow, slow + slow)
        assert "dealt" not in vars(other)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = quick.nonsense
    with pytest.raises(AttributeError, match="rows"):
        _ = Rankings.__new__(Rankings).rows
