"""Holding out: the same rows whatever the chunks, and by chance otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.evaluation.selection.hold_out import held_out, scrambled

MASK = 2**64 - 1


def splitmix64(state: int) -> list[int]:
    """Five outputs, with Python's whole numbers."""
    out = []
    for _ in range(5):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        out.append(z ^ (z >> 31))
    return out


@pytest.mark.parametrize("seed", [0, 1, 1234567, MASK])
def test_the_generator_is_splitmix64(seed: int) -> None:
    assert scrambled(np.arange(5, dtype=np.uint64), seed).tolist() == splitmix64(seed)


def test_published_outputs() -> None:
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert scrambled(np.arange(4, dtype=np.uint64), 1234567).tolist() == published


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=12),
    st.floats(0, 1),
    st.integers(0, MASK),
    st.integers(0, 2**40),
)
def test_any_chunking_holds_out_the_same_rows(sizes: list[int], share: float, seed: int, first: int) -> None:
    whole = held_out(first, sum(sizes), share, seed)
    starts = first + np.cumsum([0, *sizes[:-1]])
    parts = [held_out(int(start), size, share, seed) for start, size in zip(starts, sizes, strict=True)]
    assert np.concatenate(parts).tolist() == whole.tolist()


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, MASK))
def test_a_larger_share_holds_out_more_of_the_same(a: float, b: float, seed: int) -> None:
    small, large = (held_out(0, 500, share, seed) for share in sorted((a, b)))
    assert not (small & ~large).any()


def test_the_share_is_kept_and_neighbours_do_not_matter() -> None:
    n, share = 1_000_000, 0.2
    for seed in (0, 1):
        held = held_out(0, n, share, seed)
        sd = np.sqrt(n * share * (1 - share))
        assert abs(held.sum() - n * share) < 5 * sd
        pairs = (held[1:] & held[:-1]).sum()
        assert abs(pairs - n * share**2) < 5 * np.sqrt(n * share**2)
    assert abs((held_out(0, n, share, 0) & held_out(0, n, share, 1)).sum() - n * share**2) < 5 * np.sqrt(n * share**2)


def test_none_and_all() -> None:
    assert not held_out(0, 1000, 0.0).any()
    assert held_out(0, 1000, 1.0).all()
    assert held_out(5, 0, 0.5).shape == (0,)


@pytest.mark.parametrize(("share", "seed"), [(-0.1, 0), (1.1, 0), (float("nan"), 0), (True, 0), ("a", 0)])
def test_shares_that_are_none(share: object, seed: int) -> None:
    with pytest.raises(BadInput, match="held_out: share must be a number from 0 to 1"):
        held_out(0, 1, share, seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, MASK + 1, 1.5, True, "a"])
def test_seeds_that_are_none(seed: object) -> None:
    with pytest.raises(BadInput, match="held_out: seed must be a whole number from 0 to 2\\^64 - 1"):
        held_out(0, 1, 0.5, seed)  # type: ignore[arg-type]
