"""Tallies: the rows decide what exists, whatever rounding leaves of the weights."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.core.errors import NeverAdded
from suffice.core.shares import Shares
from suffice.core.tally import Tally


def tally(codes: list[int], K: int, w: list[float] | None = None) -> Tally:
    return Tally.of(Shares.hard(np.array(codes, dtype=np.int32), K, None if w is None else np.array(w)))


def test_rows_and_weights() -> None:
    counted = tally([0, 2, 2, -1, 0], 4, [1.5, 1.0, 0.0, 9.0, 2.0])
    assert counted.rows.tolist() == [2, 0, 1, 0]  # weight 0 and code -1 are nobody
    assert counted.weight.value.tolist() == [3.5, 0.0, 1.0, 0.0]
    assert counted.rows.dtype == np.int64


def test_no_rows() -> None:
    assert tally([], 3).rows.tolist() == [0, 0, 0]
    assert tally([], 3, []).weight.value.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("share", [1.0, 0.1, 3.0])
def test_one_share_for_all_rows_is_a_product(share: float) -> None:
    codes = np.arange(1000, dtype=np.int32) % 3
    alike = Tally.of(Shares(codes[:, None], np.broadcast_to(np.float64(share), (1000, 1)), 3))
    each = Tally.of(Shares.hard(codes, 3, np.full(1000, share)))
    assert np.array_equal(alike.rows, each.rows)
    assert np.abs((alike.weight - each.weight).value).max() <= 2.0**-95


def test_shared_rows_count_in_every_component() -> None:
    counted = Tally.of(Shares.soft(np.array([[0.25, 0.75], [0.0, 1.0]])))
    assert counted.rows.tolist() == [1, 2]
    assert counted.weight.value.tolist() == [0.25, 1.75]


def test_a_component_without_rows_weighs_exactly_nothing() -> None:
    heavy = [0.1, 0.2, 0.3, 1e17]
    left = tally([0, 0, 0, 1], 2, heavy) - tally([0, 0, 0], 2, heavy[:3])
    assert left.rows.tolist() == [0, 1]
    assert (left.weight.high[0], left.weight.low[0]) == (0.0, 0.0)


def test_a_light_row_outlives_a_heavy_one() -> None:
    left = tally([0, 0], 1, [1e16, 1e-3]) - tally([0], 1, [1e16])
    assert left.weight.value[0] == pytest.approx(1e-3, rel=1e-12)


def test_more_rows_than_there_are() -> None:
    with pytest.raises(
        NeverAdded, match=r"rows must have been added before, got 2 more than there were .* Nothing was"
    ):
        tally([0, 1], 2) - tally([0, 0, 0], 2)


def test_more_weight_than_there_is() -> None:
    with pytest.raises(
        NeverAdded, match=r"weights must have been added before, got more weight .* Nothing was changed"
    ):
        tally([0, 0], 1, [1.0, 1.0]) - tally([0], 1, [5.0])


def test_decay_keeps_the_rows() -> None:
    decayed = tally([0, 0], 1, [1.0, 2.0]).scale(0.5)
    assert (decayed.rows.tolist(), decayed.weight.value.tolist()) == ([2], [1.5])


def test_components_move() -> None:
    moved = tally([0, 1, 1], 2).spread([3, -1], 5)
    assert moved.rows.tolist() == [0, 0, 0, 1, 0]
    assert moved.weight.value.tolist() == [0.0, 0.0, 0.0, 1.0, 0.0]
