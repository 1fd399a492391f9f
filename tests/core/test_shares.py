"""Shares: labels are weights."""

from __future__ import annotations

import numpy as np

from suffice.core.shares import Shares

CODES = np.array([2, 0, -1, 2], dtype=np.int32)


def test_hard_shares_as_a_matrix() -> None:
    assert Shares.hard(CODES, 3).dense().tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 1]]
    weighed = Shares.hard(CODES, 3, np.array([0.5, 2.0, 7.0, 0.0])).dense()
    assert weighed.tolist() == [[0, 0, 0.5], [2, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_soft_shares_are_their_matrix_and_cost_no_codes() -> None:
    matrix = np.random.default_rng(0).random((5, 3))
    R = Shares.soft(matrix)
    assert R.dense() is matrix
    assert R.codes.strides[0] == 0
    assert R[1:4].dense().tolist() == matrix[1:4].tolist()


def test_codes_that_are_one_for_all_rows_are_not_taken_for_all_components() -> None:
    one = Shares(np.broadcast_to(np.int32(-1), (4, 1)), np.ones((4, 1)), 1)
    assert one.dense().tolist() == [[0.0]] * 4
    swapped = Shares(np.broadcast_to(np.array([1, 0], dtype=np.int32), (2, 2)), np.array([[0.1, 0.9]] * 2), 2)
    assert swapped.dense().tolist() == [[0.9, 0.1]] * 2


def test_a_component_named_twice_gets_both_shares() -> None:
    assert Shares(np.array([[1, 1], [0, 1]]), np.array([[0.5, 0.25], [1.0, 2.0]]), 2).dense().tolist() == [
        [0, 0.75],
        [1, 2],
    ]


def test_no_rows() -> None:
    assert Shares.hard(CODES[:0], 3).dense().shape == (0, 3)
    assert Shares.soft(np.zeros((0, 3))).dense().shape == (0, 3)
    assert not Shares.hard(CODES[:0], 3).alike


def test_alike() -> None:
    assert Shares.hard(CODES, 3).alike
    assert Shares.hard(CODES, 3)[1:].alike
    assert not Shares.hard(CODES, 3, np.ones(4)).alike
    assert not Shares.hard(CODES[:1], 3, np.ones(1)).alike


def test_live_and_claimed() -> None:
    R = Shares(np.array([[0, -1], [1, 0], [-1, 1]]), np.array([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0]]), 2)
    assert R.live.tolist() == [[True, False], [False, True], [False, False]]
    assert R.claimed.tolist() == [True, True, False]
