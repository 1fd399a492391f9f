"""Work in several threads comes back in order, fails in order, and leaves no thread behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.sources.files.read_ahead import in_order


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("suffice-split")]


@given(st.lists(st.integers(0, 3), max_size=12), st.integers(1, 4))
def test_results_are_in_order_whoever_is_first(delays: list[int], threads: int) -> None:
    def work(pair: tuple[int, int]) -> int:
        time.sleep(pair[1] / 2000)
        return pair[0]

    assert list(in_order(work, iter(enumerate(delays)), threads)) == list(range(len(delays)))
    assert not workers()


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_comes_in_its_turn(threads: int) -> None:
    done = in_order(lambda i: 1 / (3 - i), iter(range(10)), threads)
    assert [next(done) for _ in range(3)] == [1 / 3, 1 / 2, 1.0]
    with pytest.raises(ZeroDivisionError):
        next(done)
    assert not workers()


def test_an_error_of_the_items_comes_after_what_was_begun() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyError("no more")

    with pytest.raises(KeyError):
        list(in_order(abs, items(), 4))
    assert not workers()


@pytest.mark.parametrize("taken", [0, 1, 4])
def test_stopping_early_leaves_no_thread(taken: int) -> None:
    done = in_order(abs, iter(range(1000)), 3)
    for _ in range(taken):
        next(done)
    done.close()  # type: ignore[attr-defined]
    assert not workers()


def test_no_more_is_begun_than_there_are_threads() -> None:
    begun: list[int] = []

    def items() -> Iterator[int]:
        for i in range(20):
            begun.append(i)
            yield i

    for i in in_order(abs, items(), 3):
        assert len(begun) <= i + 3
