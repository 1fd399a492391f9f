"""Reading ahead changes nothing but the time it takes, and leaves no thread behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from suffice.core.errors import BadInput
from suffice.sources.files.read_ahead import DEPTH, read_ahead
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "suffice-read-ahead"]


def test_order_is_kept() -> None:
    assert list(read_ahead(iter(range(1000)))) == list(range(1000))
    assert list(read_ahead(iter(()))) == []
    assert not readers()


def test_items_are_made_elsewhere_and_not_too_far_ahead() -> None:
    made: list[int] = []
    where: set[str] = set()

    def items() -> Iterator[int]:
        for i in range(50):
            made.append(i)
            where.add(threading.current_thread().name)
            yield i

    for i in read_ahead(items()):
        time.sleep(0.002)
        assert len(made) <= i + 1 + DEPTH + 2  # those that wait, the one at the door, and the one being worked on
    assert where == {"suffice-read-ahead"}


def test_an_error_comes_where_its_item_would_have_come() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise BadInput("three is missing")

    seen = []
    ahead = read_ahead(items())
    seen += [next(ahead), next(ahead)]
    with pytest.raises(BadInput, match="three is missing"):
        next(ahead)
    assert seen == [1, 2]
    assert not readers()


@pytest.mark.parametrize("taken", [0, 1, 5])
def test_stopping_early_leaves_no_thread(taken: int) -> None:
    closed = []

    def items() -> Iterator[int]:
        try:
            yield from range(10_000)
        finally:
            closed.append(True)

    ahead = read_ahead(items())
    for _ in range(taken):
        next(ahead)
    ahead.close()  # type: ignore[attr-defined]
    assert not readers()
    assert closed == ([True] if taken else [])  # what was never begun need not be closed


def test_an_error_of_the_consumer_leaves_no_thread(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "1,2\n" * 50_000)

    def consume() -> None:
        for chunk in open_rows(path, format=Format(block=10_000)).chunks():
            raise KeyError(chunk.start)

    with pytest.raises(KeyError):
        consume()
    assert not readers()


def test_a_break_leaves_no_thread_and_no_open_file(tmp_path: Path) -> None:
    """An open file that nobody closes is a warning, and warnings are errors here."""
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "1,2\n" * 50_000)
    for _ in open_rows(path, format=Format(block=10_000)).chunks():
        break
    assert not readers()


def test_two_readers_at_once(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(f"{name}\n" + "1\n" * 5_000)
    both = [open_rows(tmp_path / f"{name}.csv", format=Format(block=100)) for name in "ab"]
    for one, other in zip(*(rows.chunks() for rows in both), strict=True):
        assert one.start == other.start
    assert [rows.schema.names for rows in both] == [("a",), ("b",)]
    assert not readers()


def test_tables_of_a_user_stay_in_the_user_s_thread() -> None:
    def tables() -> Iterator[dict[str, list[int]]]:
        assert threading.current_thread() is threading.main_thread()
        yield {"x": [1]}

    assert len(list(open_rows(tables()).chunks())) == 1
