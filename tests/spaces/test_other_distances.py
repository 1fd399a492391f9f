"""Strings, boards and mixed kinds."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.persistence import load, save
from suffice.spaces import (
    Axioms,
    BoardDistance,
    BruteSearch,
    Chebyshev,
    EditDistance,
    Hamming,
    Manhattan,
    MixedDistance,
    check_metric,
    neighbour_search,
)
from suffice.summaries.rankings import Rankings

RNG = np.random.default_rng(0)
WORDS = ["", "a", "ab", "ba", "abc", "acb", "kitten", "sitting", "0101", "1010", "aaaa"]


def by_recursion(a: str, b: str, insert: float, delete: float, substitute: float) -> float:
    @cache
    def cost(i: int, j: int) -> float:
        if i == 0 or j == 0:
            return i * delete + j * insert
        same = 0.0 if a[i - 1] == b[j - 1] else substitute
        return min(cost(i - 1, j) + delete, cost(i, j - 1) + insert, cost(i - 1, j - 1) + same)

    return cost(len(a), len(b))


@pytest.mark.parametrize("costs", [(1.0, 1.0, 1.0), (1.0, 1.0, 2.0), (2.0, 0.5, 1.5), (1.0, 3.0, 10.0)])
def test_edits_against_the_recursion(costs: tuple[float, float, float]) -> None:
    found = EditDistance(*costs).between(WORDS)
    expected = [[by_recursion(a, b, *costs) for b in WORDS] for a in WORDS]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(EditDistance(*costs).between(WORDS, WORDS), expected, rtol=0, atol=1e-12)


def test_edits_of_the_sources() -> None:
    """G.N44d, C.R51, C.M19.04, G.G081: edit distance is no extension of Hamming in the strict sense."""
    assert EditDistance().pair("0101", "1010") == 2.0
    assert Hamming().pair("0101", "1010") == 4.0
    assert EditDistance().pair("kitten", "sitting") == 3.0
    assert check_metric(EditDistance(), WORDS).holds
    assert EditDistance(2.0, 1.0).axioms is Axioms.DISSIMILARITY
    assert len(check_metric(EditDistance(2.0, 1.0), WORDS).symmetric)


SQUARES = np.array([[i, j] for i in range(8) for j in range(8)])


def test_boards_of_the_sources() -> None:
    """G.N43, G.G079, G.G082: every distance in moves, from all 64 squares, against its formula."""
    apart = np.abs(SQUARES[:, None] - SQUARES[None])
    same = apart.sum(axis=2) % 2 == 0
    king, krook = Chebyshev().between(SQUARES), Manhattan().between(SQUARES)
    assert (BoardDistance("king").between(SQUARES) == king).all()
    assert (BoardDistance("krook").between(SQUARES) == krook).all()
    assert (BoardDistance("rook").between(SQUARES) == Hamming().between(SQUARES)).all()
    assert (BoardDistance("bing").between(SQUARES) == np.where(same, king, np.inf)).all()
    steps = np.where(apart[..., 0] == apart[..., 1], 1.0, 2.0)
    bishop = np.where(same, np.where(king == 0, 0.0, steps), np.inf)
    assert (BoardDistance("bishop").between(SQUARES) == bishop).all()
    knight = BoardDistance("knight").between(SQUARES)
    assert (knight[krook == 1] == 3.0).all()
    diagonal = knight[(king == 1) & (krook == 2)]
    assert set(diagonal.tolist()) == {2.0, 4.0}
    assert (diagonal == 4.0).sum() == 8  # beside each corner, both ways
    assert check_metric(BoardDistance("knight"), SQUARES[::3]).holds
    assert check_metric(BoardDistance("bishop"), SQUARES[::3]).holds


ROWS = np.array([[20.0, "red", 1], [60.0, "blue", 1], [30.0, None, 1], [np.nan, "red", 1]], dtype=object)


def test_mixed_kinds_over_present_cells() -> None:
    d = MixedDistance.of(ROWS)
    assert np.isnan(d.ranges).tolist() == [False, True, False]
    D = d.between(ROWS)
    assert D[0, 1] == pytest.approx(2.0 / 3.0)
    assert D[0, 2] == pytest.approx(0.25 / 2.0)
    assert D[0, 3] == 0.0
    assert (D == D.T).all()
    assert np.isnan(MixedDistance(np.array([1.0])).between([[None]], [[3.0]])).all()
    heavy = MixedDistance.of(ROWS, [0.0, 1.0, 0.0])
    assert heavy.between(ROWS[:2])[0, 1] == 1.0


def test_ranges_of_mixed_kinds_add() -> None:
    X = RNG.normal(size=(20, 2))
    parts = [Rankings.of(x, Shares.hard(np.zeros(10, dtype=np.int32), 1)) for x in (X[:10], X[10:])]
    a = MixedDistance.of_rankings(parts[0] + parts[1], [True, True])
    np.testing.assert_array_equal(a.ranges, np.ptp(X, axis=0))
    np.testing.assert_allclose(a.between(X), Manhattan().between(X / np.ptp(X, axis=0)) / 2.0, rtol=1e-12)
    assert check_metric(a, X.astype(object)).axioms is not Axioms.DISSIMILARITY


def test_mixed_rows_are_searched_by_brute_force() -> None:
    rows = np.array([[float(i % 7), "abc"[i % 3], None if i % 5 == 0 else i / 10.0] for i in range(150)], dtype=object)
    d = MixedDistance.of(rows)
    search = neighbour_search(rows, d)
    found = search.nearest(rows[:9], 4)
    assert type(search) is BruteSearch
    assert (found.distance == np.sort(np.nan_to_num(d.between(rows[:9], rows), nan=np.inf), axis=1)[:, :4]).all()


@pytest.mark.parametrize("distance", [EditDistance(1.0, 1.0, 1.5), BoardDistance("rook"), MixedDistance.of(ROWS)])
def test_saved_and_loaded(distance: Any, tmp_path: Any) -> None:
    save(distance, tmp_path / "d.suffice")
    assert repr(load(tmp_path / "d.suffice")) == repr(distance)


BAD: list[tuple[Any, str]] = [
    (lambda: EditDistance(insert=-1.0), "insert must be a cost of at least 0"),
    (lambda: EditDistance(substitute="1"), "substitute must be a cost"),
    (lambda: EditDistance().between([1, 2]), "X must be strings, got int"),
    (lambda: BoardDistance("queen"), "piece must be one of king"),
    (lambda: BoardDistance("king", 0), "size must be a whole number from 1 to 64"),
    (lambda: BoardDistance("king").between([[0, 8]]), "squares from 0 to 7"),
    (lambda: BoardDistance("king").between([[0.5, 1]]), "squares (row, column)"),
    (lambda: MixedDistance([-1.0]), "ranges must be numbers of at least 0"),
    (lambda: MixedDistance.of(ROWS).between(ROWS[:, :2]), "of 3 columns"),
    (lambda: MixedDistance.of(ROWS).between([["x", "red", 1]]), "numbers where training had numbers"),
    (lambda: MixedDistance.of(ROWS[0]), "rows of cells"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_gets_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert words in str(caught.value)
