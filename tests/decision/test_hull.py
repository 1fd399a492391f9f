"""Convex hulls of curves: against brute force in exact numbers, the loop against its twin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.decision.curves.convex_hull import hull_loop, hull_twin, lower_hull, upper_hull
from suffice.decision.maps.pool_adjacent import pool

STEPS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(any), min_size=1, max_size=40)


def curve(steps: list[tuple[int, int]]) -> tuple[Any, Any]:
    x, y = np.cumsum(np.array([(0, 0), *steps], dtype=float), axis=0).T
    return np.ascontiguousarray(x), np.ascontiguousarray(y)


def vertices(x: Any, y: Any, sign: int) -> list[int]:
    """Points that are on or beyond no chord of two others: by trying all."""

    def under(i: int, a: int, b: int) -> bool:
        (ax, ay), (bx, by), (px, py) = ((Fraction(x[k]), Fraction(y[k])) for k in (a, b, i))
        return sign * ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) <= 0

    n = len(x)
    inner = [i for i in range(1, n - 1) if not any(under(i, a, b) for a in range(i) for b in range(i + 1, n))]
    return [0, *inner, n - 1] if n > 1 else [0]


@given(STEPS)
def test_the_vertices_are_those_above_every_chord(steps: list[tuple[int, int]]) -> None:
    x, y = curve(steps)
    assert upper_hull(x, y).tolist() == vertices(x, y, 1)
    assert lower_hull(x, y).tolist() == vertices(x, y, -1)


@given(STEPS)
def test_loop_and_twin_agree(steps: list[tuple[int, int]]) -> None:
    x, y = curve(steps)
    place = np.empty(len(x), dtype=np.intp)
    assert place[: hull_loop.plain(x, y, place)].tolist() == hull_twin(x, y).tolist()


@given(STEPS)
def test_segments_are_the_blocks_of_pooled_neighbours(steps: list[tuple[int, int]]) -> None:
    """G.N38c, G.G063: the hull of the curve, met from its end, and pooling adjacent violators are one thing."""
    x, y = curve(steps)
    dx, dy = np.diff(x)[::-1], np.diff(y)[::-1]
    starts = pool(dy, dx + dy)
    assert sorted(len(x) - 1 - starts) == upper_hull(x, y)[1:].tolist()


def long_curve(seed: int = 0, n: int = 1_000_001) -> tuple[Any, Any]:
    up = np.random.default_rng(seed).random(n) < np.linspace(0.9, 0.1, n)
    return np.cumsum(~up).astype(float), np.cumsum(up).astype(float)


def test_the_compiled_loop_is_used_on_long_curves_and_says_the_same() -> None:
    x, y = long_curve()
    assert upper_hull(x, y).tolist() == hull_twin(x, y).tolist()


def test_an_arc_below_one_far_point_takes_one_round_and_one_walk() -> None:
    n = 20_000  # one vertex a round would take 20 000 rounds
    x, y = np.arange(n, dtype=float), np.sqrt(np.arange(n, dtype=float))
    x, y = np.append(x, float(n)), np.append(y, 1e9)
    assert hull_twin(x, y).tolist() == [0, n]
    assert hull_twin(x[:-1], y[:-1]).tolist() == list(range(n))


@pytest.mark.parametrize("n", [1, 2])
def test_one_point_and_two(n: int) -> None:
    line = np.arange(n, dtype=float)
    assert upper_hull(line, line).tolist() == lower_hull(line, line).tolist() == list(range(n))
