"""Classes are an open axis of every summary."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import NeverAdded, NotASummary
from suffice.core.shares import Shares
from suffice.core.summary import Together, spread
from suffice.core.tally import Tally


def by_class(labels: tuple, codes: list[int], w: list[float] | None = None) -> ByClass:
    tally = Tally.of(Shares.hard(np.array(codes, dtype=np.int32), len(labels), None if w is None else np.array(w)))
    return ByClass.of(labels, tally, Together((tally,)))


def rows(summary: ByClass) -> dict:
    return dict(zip(summary.labels, summary.tally.rows.tolist(), strict=True))


def test_classes_are_sorted_and_those_without_rows_left_out() -> None:
    assert rows(by_class(("b", "c", "a"), [0, 0, 2])) == {"a": 1, "b": 2}
    assert by_class(("b", "c", "a"), [0, 0, 2]).labels == ("a", "b")
    assert by_class(("a",), []).labels == ()
    assert by_class(("a", "b"), [0, 1], [0.0, 1.0]).labels == ("b",)


def test_a_class_may_be_on_one_shard_only() -> None:
    shards = [by_class(("a", "b"), [0, 1]), by_class(("c",), [0]), by_class((), []), by_class(("b",), [0, 0])]
    assert rows(ByClass.sum(shards)) == {"a": 1, "b": 3, "c": 1}
    assert rows(shards[2] + shards[2]) == {}


def test_a_class_leaves_with_its_last_row() -> None:
    left = by_class(("a", "b"), [0, 1, 1], [0.1, 0.2, 0.3]) - by_class(("a",), [0], [0.1])
    assert rows(left) == {"b": 2}
    assert left.summary.parts[0].rows.tolist() == [2]


def test_an_unknown_class_cannot_be_forgotten() -> None:
    with pytest.raises(NeverAdded, match=r"classes must have been added before, got 'z', which was never seen"):
        by_class(("a",), [0]) - by_class(("z",), [0])
    with pytest.raises(NeverAdded, match="got 1 more than there were"):
        by_class(("a",), [0]) - by_class(("a",), [0, 0])


def test_classes_have_labels_not_numbers() -> None:
    with pytest.raises(TypeError, match="placed by label"):
        by_class(("a",), [0]).spread([0], 1)


def test_other_kinds_do_not_add() -> None:
    summary = by_class(("a",), [0])
    with pytest.raises(NotASummary, match="ByClass: can only be added to its own kind, got Tally"):
        summary + summary.tally


def test_aligning_drops_what_is_not_listed() -> None:
    aligned = by_class(("a", "b"), [0, 1, 1]).align(("b", "z"))
    assert aligned.tally.rows.tolist() == [2, 0]
    assert aligned.align(("b",)).labels == ("b",)


def test_the_order_of_labels_does_not_depend_on_how_they_came() -> None:
    assert canonical([3, 1, 2, 1]) == (1, 2, 3)
    assert canonical(["b", 2, "a", 1, None]) == canonical([None, 1, "a", 2, "b"]) == (None, 1, 2, "a", "b")
    assert canonical([1j, "b", 1 + 0j]) == canonical([1 + 0j, 1j, "b"])  # of one type, and yet without an order


def test_spread_keeps_types() -> None:
    moved = spread(np.array([[1, 2]]), [1], 3)
    assert (moved.dtype, moved.tolist()) == (np.int64, [[0, 0], [1, 2], [0, 0]])
    assert spread(np.zeros((0, 2)), [], 2).shape == (2, 2)
