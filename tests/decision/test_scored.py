"""Scores and classes, read once: names, weights, shapes, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.decision import BinnedMap, IsotonicMap, LogisticMap, TemperatureMap, rank_scores, score_moments
from suffice.summaries import Rankings

MAPS = [LogisticMap, IsotonicMap, BinnedMap, TemperatureMap]


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, -0.0, 1.5, -2.0, 1e300, np.inf, -np.inf]), st.integers(0, 2)),
        min_size=1,
        max_size=30,
    )
)
def test_classes_sorted_one_by_one_give_the_rankings_of_all(rows: list[tuple[float, int]]) -> None:
    s, y = (np.array(side) for side in zip(*rows, strict=True))
    wide = np.column_stack([s, s[::-1], np.arange(len(s), dtype=np.float64)])
    ours, plain = rank_scores(wide, y), Rankings.of(wide, Shares.hard(y.astype(np.int32), 3))
    assert [v.tolist() for v in ours.values] == [v.tolist() for v in plain.values]
    for field in ("rows", "weight", "missing_rows", "missing_weight"):
        assert getattr(ours, field).tolist() == getattr(plain, field).tolist()
        assert getattr(ours, field).dtype == getattr(plain, field).dtype


def test_the_scores_are_not_changed() -> None:
    s = np.array([3.0, -0.0, 1.0])
    rank_scores(s, [0, 1, 1])
    assert s.tolist() == [3.0, 0.0, 1.0]
    assert np.signbit(s[1])


def test_classes_by_name_by_number_and_as_truth_values() -> None:
    by_name = IsotonicMap.of([1.0, 2.0, 3.0], ["ham", "spam", "spam"], classes=["ham", "spam"])
    for labels in ([0, 1, 1], [False, True, True], np.array([0.0, 1.0, 1.0]), np.array([0, 1, 1], dtype=np.uint8)):
        assert IsotonicMap.of([1.0, 2.0, 3.0], labels)([1.5]).tolist() == by_name([1.5]).tolist()
    mixed = rank_scores(np.eye(3), ["one", 1, None], classes=[1, "one", None])
    assert mixed.rows.sum(axis=1).tolist() == [3, 3, 3]


def test_a_row_of_weight_zero_brings_nothing_in() -> None:
    for map in MAPS:
        s, y, w = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.5], [9.0, 0.0]], [0, 1, 0, 1], [1.0, 2.0, 1.0, 0.0]
        assert map.of(s, y, w)(s).tolist() == map.of(s[:3], y[:3], w[:3])(s).tolist()


def test_moments_of_scores_add() -> None:
    whole = score_moments([1.0, 2.0, 6.0, 9.0], [0, 1, 1, 0])
    parts = score_moments([1.0, 2.0], [0, 1]) + score_moments([6.0, 9.0], [1, 0])
    assert parts.mean.value.tolist() == whole.mean.value.tolist() == [[5.0], [4.0]]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"scores": ["high", "low"], "labels": [0, 1]}, "scores must be numbers, got ['high', 'low']. Give a score a row"),
    ({"scores": [[[1.0]]], "labels": [0]}, "scores must be of shape (n,) or (n, K), got shape (1, 1, 1)."),
    ({"scores": [], "labels": []}, "scores must be of at least one row, got none."),
    ({"scores": [1.0, 2.0], "labels": [0]}, "labels must be one for each of the 2 rows of scores, got shape (1,)."),
    ({"scores": [1.0, 2.0], "labels": [0, 2]}, "labels must be 0 or 1, False or True, got np.int64(2). Give the names"),
    (
        {"scores": [1.0, 2.0], "labels": ["a", "b"]},
        "labels must be 0 or 1, False or True, got np.str_('a'). Give the na",
    ),
    (
        {"scores": np.eye(3), "labels": [0, 1, 3]},
        "labels must be the numbers of classes, from 0 to 2, got np.int64(3).",
    ),
    (
        {"scores": [1.0, 2.0], "labels": ["a", "c"], "classes": ["a", "b"]},
        "labels must be among the classes, got 'c'. There is no such class.",
    ),
    (
        {"scores": [1.0], "labels": ["a"], "classes": ["a", "a"]},
        "classes must be 2 different labels, in the order of the scores, got ['a', 'a'].",
    ),
    (
        {"scores": [1.0], "labels": ["a"], "classes": "ab"},
        "classes must be 2 different labels, in the order of the scor",
    ),
    (
        {"scores": [1.0, 2.0], "labels": [0, 1], "weights": [1.0]},
        "weights must be one for each of the 2 rows of scores",
    ),
    ({"scores": [1.0, 2.0], "labels": [0, 1], "weights": ["x", 1]}, "weights must be numbers, got ['x', 1]."),
    ({"scores": [1.0, 2.0], "labels": [0, 1], "weights": [-1, 1]}, "weights must be finite and at least 0, got -1.0."),
    (
        {"scores": [1.0, 2.0], "labels": [0, 1], "weights": [np.nan, 1]},
        "weights must be finite and at least 0, got nan.",
    ),
    (
        {"scores": [1.0, 2.0], "labels": [0, 1], "weights": [0, 0]},
        "weights must be above 0 for some row, got only zeros.",
    ),
]


@pytest.mark.parametrize("map", MAPS, ids=lambda map: map.__name__)
@pytest.mark.parametrize(("given", "sentence"), BAD, ids=[sentence[:40] for _, sentence in BAD])
def test_bad_input_gets_one_sentence(map: Any, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=re.escape(f"{map.__name__}: {sentence}")):
        map.of(**given)


@pytest.mark.parametrize("map", [IsotonicMap, BinnedMap, LogisticMap])
def test_a_missing_score_teaches_nothing(map: Any) -> None:
    with pytest.raises(BadInput, match=f"{map.__name__}: scores must be numbers, got NaN in row 1. Leave the row out"):
        map.of([0.0, np.nan, 1.0], [0, 1, 1])


@pytest.mark.parametrize("map", MAPS, ids=lambda map: map.__name__)
def test_scores_to_map_are_like_those_learned_from(map: Any) -> None:
    with pytest.raises(BadInput, match=rf"{map.__name__}: scores must be of shape \(n,\), as those .* shape \(1, 2\)"):
        map.of([0.0, 1.0, 2.0], [0, 1, 0])([[1.0, 2.0]])
    with pytest.raises(BadInput, match=rf"{map.__name__}: scores must be of shape \(n, 2\), as those .* shape \(2,\)"):
        map.of([[0.0, 1.0], [1.0, 0.0]], [0, 1])([1.0, 2.0])


def test_a_summary_of_other_things_is_refused() -> None:
    wide = Rankings.of(np.ones((2, 3)), Shares.hard(np.array([0, 1], dtype=np.int32), 2))
    for map in (IsotonicMap, BinnedMap, LogisticMap):
        rule = "the summary of scores must be of two classes and one column, or of as many classes as columns"
        with pytest.raises(BadInput, match=f"{map.__name__}: {rule}, got 2 classes and 3 columns"):
            map.estimate(wide)
    with pytest.raises(
        BadInput, match="IsotonicMap: scores must be of at least one row that weighs something, got none"
    ):
        IsotonicMap.estimate(rank_scores([1.0], [1]).scale(0.0))
