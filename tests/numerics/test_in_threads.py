"""Work in threads: order, errors, and what a system without threads leaves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from suffice.numerics.threads import in_threads


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
@pytest.mark.parametrize("n", [0, 1, 2, 20])
def test_results_are_in_order(threads: int, n: int) -> None:
    assert in_threads(lambda item, go_on: (time.sleep(0.001 * (item % 3)), item**2)[1], range(n), threads) == [
        item**2 for item in range(n)
    ]


def test_the_caller_is_one_of_the_threads() -> None:
    together = threading.Barrier(2)

    def who(item: int, go_on: Callable[[], bool]) -> str:
        together.wait(60)
        return threading.current_thread().name

    names = in_threads(who, range(2), 2)
    assert len(set(names)) == 2
    assert threading.current_thread().name in names


def test_an_error_stops_later_items_and_no_earlier_one() -> None:
    """Item 1 fails at once; item 0 goes on and fails too; item 2 is told to stop, or never begins."""
    seen: dict[int, bool] = {}

    def work(item: int, go_on: Callable[[], bool]) -> None:
        if item == 1:
            raise ValueError("one")
        time.sleep(0.2)
        seen[item] = go_on()
        if item == 0:
            raise ValueError("nought")

    with pytest.raises(ValueError, match="nought"):
        in_threads(work, range(9), 3)
    assert seen.pop(0)
    assert not any(seen.values())
    assert len(seen) <= 1


def test_a_system_that_has_no_thread_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert in_threads(lambda item, go_on: -item, [1, 2, 3], 2) == [-1, -2, -3]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interruption_anywhere_is_raised_and_ends_the_others(error: type[BaseException]) -> None:
    done, before = [], threading.active_count()

    def work(item: int, go_on: Callable[[], bool]) -> None:
        if item == 1:
            raise error
        time.sleep(0.02)
        done.append(item)

    with pytest.raises(error):
        in_threads(work, range(100), 2)
    assert len(done) <= 2
    assert threading.active_count() == before
