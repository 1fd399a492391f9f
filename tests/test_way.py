"""The way of data: no more files than there may be, and just those that ARCHITECTURE.md lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from suffice.testing import way

PAGE = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
LISTS = [
    re.findall(r"^([a-z_/]+\.py) +\S", block, re.M) for block in PAGE.split("## The way of data")[1].split("```")[1:6:2]
]


@pytest.fixture(scope="module")
def ways() -> list[way.WayOfData]:
    return [way.decision(), way.training(), way.folds()]


def test_no_more_files_than_there_may_be(ways: list[way.WayOfData]) -> None:
    assert [one.name for one in ways if len(one.files) > one.most] == []


def test_the_page_lists_the_files_on_the_way(ways: list[way.WayOfData]) -> None:
    shared = set(LISTS[0])
    decision, training, folds = (set(one.files) for one in ways)
    assert set(LISTS[0]) == decision
    assert set(LISTS[1]) == training - shared
    assert set(LISTS[2]) == folds


def test_files_are_told_in_the_order_in_which_they_are_entered() -> None:
    found = way.entered(lambda: way.first_words("core/block.py"))
    assert found == {}  # this room is left out
    assert str(way.WayOfData("a way", {"core/block.py": ["take"]}, 1)).splitlines() == [
        "a way: 1 files (at most 1), 1 functions entered",
        "  core/block.py                              What crosses the boundary: blocks of rows.",
    ]
