"""Progress: a line on a terminal, silence elsewhere."""

from __future__ import annotations

import io

import pytest

from suffice.app.terminal import progress
from suffice.app.terminal.progress import CLEAR, watched


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(ticks)))


def test_a_terminal_sees_rows_and_rows_a_second(clock: None) -> None:
    out = Terminal()
    assert list(watched([1000, 2000], int, "learning", out)) == [1000, 2000]
    assert out.getvalue() == (
        f"{CLEAR}learning: 1,000 rows, 1,000 a second{CLEAR}learning: 3,000 rows, 1,500 a second{CLEAR}"
    )


def test_elsewhere_there_is_silence() -> None:
    out = io.StringIO()
    assert list(watched([1, 2], int, "learning", out)) == [1, 2]
    assert out.getvalue() == ""


def test_the_line_goes_when_something_fails(clock: None) -> None:
    out = Terminal()

    def chunks() -> object:
        yield 10
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        list(watched(chunks(), int, "learning", out))  # type: ignore[arg-type]
    assert out.getvalue().endswith(CLEAR)
