"""Pooling adjacent violators: the loop, its twin, the definition, and the convex hull of the ROC curve."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from suffice.decision.maps.pool_adjacent import pool, pool_loop, pool_twin
from suffice.numerics import loop

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(any), min_size=1, max_size=60)


def looped(positive: Any, weight: Any) -> list[int]:
    n = len(weight)
    start = np.empty(n, dtype=np.intp)
    return start[: pool_loop(positive, weight, start, np.empty(n), np.empty(n))].tolist()


def hull(positive: Any, negative: Any) -> list[int]:
    """Where the segments of the upper hull of the ROC curve start, met from its end, in whole numbers."""
    points = [(0, 0)]
    for up, right in zip(positive, negative, strict=True):
        points.append((points[-1][0] + right, points[-1][1] + up))
    kept: list[int] = []
    for i, (x, y) in enumerate(points):  # walking from the low scores the hull lies below
        while len(kept) >= 2:
            (x0, y0), (x1, y1) = points[kept[-2]], points[kept[-1]]
            if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0:
                break
            kept.pop()
        kept.append(i)
    return kept[:-1]


@given(ROWS)
def test_the_loop_its_twin_and_the_hull_agree(rows: list[tuple[int, int]]) -> None:
    positive, negative = (np.array(side, dtype=np.float64) for side in zip(*rows, strict=True))
    blocks = pool_twin(positive, positive + negative).tolist()
    assert looped(positive, positive + negative) == blocks
    assert hull(*(side.astype(int).tolist() for side in (positive, negative))) == blocks


@given(ROWS)
def test_blocks_rise_strictly_and_cannot_be_parted(rows: list[tuple[int, int]]) -> None:
    start = [*pool(*_sides(rows)).tolist(), len(rows)]
    blocks = [rows[a:b] for a, b in pairwise(start)]
    levels = [_level(block) for block in blocks]
    assert all(a < b for a, b in pairwise(levels))
    for block, level in zip(blocks, levels, strict=True):
        assert all(_level(block[:i]) >= level for i in range(1, len(block)))


def _sides(rows: list[tuple[int, int]]) -> tuple[Any, Any]:
    positive, negative = (np.array(side, dtype=np.float64) for side in zip(*rows, strict=True))
    return positive, positive + negative


def _level(block: list[tuple[int, int]]) -> Fraction:
    return Fraction(sum(p for p, _ in block), sum(p + q for p, q in block))


def test_fractions_as_weights_agree_with_scipy() -> None:
    rng = np.random.default_rng(0)
    weight = rng.exponential(size=5000)
    positive = weight * rng.random(5000)
    start = pool(positive, weight)
    level = np.add.reduceat(positive, start) / np.add.reduceat(weight, start)
    ours = np.repeat(level, np.diff(start, append=5000))
    np.testing.assert_allclose(ours, isotonic_regression(positive / weight, weights=weight).x, rtol=1e-12, atol=0)
    assert looped(positive, weight) == start.tolist()


@pytest.mark.parametrize("n", [10, 3000])
def test_a_ramp_that_falls_at_its_end_takes_no_pass_for_each_block(n: int) -> None:
    positive = np.arange(n, dtype=np.float64)
    positive[-1] = -(float(n) ** 2)
    assert pool_twin(positive, np.full(n, float(n))).tolist() == looped(positive, np.full(n, float(n))) == [0]


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**-500, 1.0, 2.0**600, 2.0**1000])
def test_the_unit_of_the_weights_does_not_matter(unit: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", 1)
    rng = np.random.default_rng(1)
    positive = rng.integers(0, 2, 400).astype(np.float64)
    assert pool(positive * unit, np.full(400, unit)).tolist() == pool(positive, np.ones(400)).tolist()
