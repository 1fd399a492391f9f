"""Stratified hold-out: every class gives its share, whatever the chunks."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.block import Coded
from suffice.core.errors import BadInput
from suffice.evaluation.selection.hold_out import StratifiedHoldOut, stratified_hold_out

shares = st.one_of(st.sampled_from([0.0, 0.1, 0.2, 1 / 3, 0.29, 0.5, 0.9, 1.0]), st.floats(0.0, 1.0))


@given(st.lists(st.sampled_from("abc"), max_size=200), shares, st.integers(0, 2**64 - 1))
def test_every_class_gives_its_share_to_within_one_row(y: list[str], share: float, seed: int) -> None:
    """C.M07.12, C.M05.12: the same fraction of each class."""
    held = stratified_hold_out(y, share, seed)
    taken = Counter(label for label, out in zip(y, held, strict=True) if out)
    for label, n in Counter(y).items():
        assert abs(taken[label] - share * n) < 1 + 1e-3


def coded(y: list[Any]) -> Coded:
    """Labels in the order they come, None as missing."""
    labels = list(dict.fromkeys(label for label in y if label is not None))
    codes = [-1 if label is None else labels.index(label) for label in y]
    return Coded(np.array(codes, dtype=np.int32).reshape(-1, 1), (tuple(labels),))


@given(
    st.lists(st.sampled_from(["a", "b", None]), max_size=60),
    st.lists(st.integers(0, 60), max_size=5),
    shares,
    st.integers(0, 9),
)
def test_any_chunks_hold_out_the_same_rows(y: list[Any], edges: list[int], share: float, seed: int) -> None:
    hold_out, cuts = StratifiedHoldOut(share, seed), sorted([0, *(min(edge, len(y)) for edge in edges), len(y)])
    chunks = [coded(y[a:b]) for a, b in pairwise(cuts)]
    held = np.concatenate([hold_out.held(chunk) for chunk in chunks])
    np.testing.assert_array_equal(held, StratifiedHoldOut(share, seed).held(coded(y)))
    present = np.array([label is not None for label in y], dtype=bool)
    np.testing.assert_array_equal(held[present], stratified_hold_out([a for a in y if a is not None], share, seed))
    assert not held[~present].any()


def test_half_of_complete_runs_is_the_integer_part() -> None:
    """C.M07.12: of two classes with 4208 and 3916 rows, a half is 2104 and 1958 rows."""
    held = stratified_hold_out(["e"] * 4208 + ["p"] * 3916, 0.5, seed=3)
    assert (held[:4208].sum(), held[4208:].sum()) == (2104, 1958)


def test_the_seed_and_the_class_decide_which() -> None:
    y = ["a", "b"] * 500
    one, other = stratified_hold_out(y, 0.2, 0), stratified_hold_out(y, 0.2, 1)
    assert (one != other).any()
    assert (one[::2] != one[1::2]).any()


def test_bad_shares_are_refused() -> None:
    with pytest.raises(BadInput, match=r"share must be a number from 0 to 1, got 1\.5"):
        stratified_hold_out(["a"], 1.5)
