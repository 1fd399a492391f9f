"""Whatever happens: one sentence, a code, and no traceback; and no file half-written."""

from __future__ import annotations

import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from suffice.app.cli.answers import AnswerColumns
from suffice.app.report.row_styles import Rows
from suffice.app.terminal import guard
from suffice.app.terminal.guard import guarded
from suffice.core.errors import BadInput
from tests.app.conftest import Cli
from tests.app.tables import PLAY, write

PYTHON = [sys.executable, "-m", "suffice"]


def failing(error: BaseException) -> int:
    def work() -> None:
        raise error

    return guarded(work)


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (BadInput("x must be y, got z."), 1, "suffice: x must be y, got z.\n"),
        (click.UsageError("No such thing"), 2, "suffice: No such thing. See `suffice --help`.\n"),
        (KeyboardInterrupt(), 130, "suffice: interrupted; no file was changed.\n"),
        (click.Abort(), 130, "suffice: interrupted; no file was changed.\n"),
        (MemoryError(), 1, "suffice: there is not enough memory for this.\n"),
        (PermissionError(13, "Not allowed", "a.csv"), 1, "suffice: the system refuses 'a.csv': Not allowed.\n"),
        (OSError(28, "No space left on device"), 1, "suffice: the system refuses: No space left on device.\n"),
        (ZeroDivisionError("two\nlines"), 70, "suffice: this should not have happened (ZeroDivisionError: two lines). "
            "Set SUFFICE_DEBUG=1 to see where, and please report it.\n"),
        (EOFError(), 70, "suffice: this should not have happened (EOFError). Set SUFFICE_DEBUG=1 to see where, and "
            "please report it.\n"),
    ],
)  # fmt: skip
def test_each_error_has_its_sentence(
    error: BaseException, code: int, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(guard.DEBUG, raising=False)
    assert failing(error) == code
    assert capsys.readouterr() == ("", sentence)


def test_debugging_shows_where(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(guard.DEBUG, "1")
    assert failing(ZeroDivisionError("oh")) == 70
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last)")
    assert err.endswith("suffice: this should not have happened (ZeroDivisionError: oh).\n")


def test_warnings_are_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        warnings.simplefilter("always")
        warnings.warn("numba cannot\nbe imported.", RuntimeWarning, stacklevel=1)

    assert guarded(work) == 0
    assert capsys.readouterr().err == "suffice: numba cannot be imported.\n"


def test_an_error_of_ours_in_a_command_is_told(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **given: object) -> None:
        raise RuntimeError("planted")

    write(tmp_path / "t.csv", PLAY)
    monkeypatch.setattr("suffice.app.cli.describe.describe", broken)
    result = cli("describe", "t.csv")
    assert result.code == 70
    assert result.err.startswith("suffice: this should not have happened (RuntimeError: planted).")


def large(path: Path) -> Path:
    """A file that takes a while to read."""
    rows = "\n".join(PLAY.splitlines()[1:])
    with open(path, "w") as file:
        file.write(PLAY)
        for _ in range(40_000):
            file.write(rows + "\n")
    return path


@pytest.mark.parametrize("command", ["train", "predict"])
def test_an_interruption_while_reading_leaves_the_old_file(cli: Cli, tmp_path: Path, command: str) -> None:
    write(tmp_path / "small.csv", PLAY)
    assert cli("train", "small.csv", "--target", "play", "--out", "m.suffice").code == 0
    out = write(tmp_path / "out", "the old one")
    arguments = {"train": ["train", "-", "--target", "play"], "predict": ["predict", "m.suffice", "-"]}[command]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*PYTHON, *arguments, "--out", "out"], cwd=tmp_path, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(PLAY.encode() * 3000)  # more than a pipe holds: when it is written, the command reads
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        told, err = process.communicate(timeout=60)
    assert (process.returncode, told, err) == (130, b"", b"suffice: interrupted; no file was changed.\n")
    assert out.read_text() == "the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.suffice", "out", "small.csv"]


def test_an_interruption_while_writing_leaves_the_old_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "small.csv", PLAY)
    assert cli("train", "small.csv", "--target", "play", "--out", "m.suffice").code == 0
    out = write(tmp_path / "out", "the old one")

    def interrupted(answering: AnswerColumns, chunks: object) -> Iterator[Rows]:
        yield [(0, "yes", 0.5, 0.5)]
        raise KeyboardInterrupt

    monkeypatch.setattr("suffice.app.cli.predict.answered", interrupted)
    result = cli("predict", "m.suffice", "small.csv", "--out", "out")
    assert (result.code, result.err) == (130, "suffice: interrupted; no file was changed.\n")
    assert out.read_text() == "the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.suffice", "out", "small.csv"]


def test_a_pipe_that_nobody_reads_is_left_in_silence(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "small.csv", PLAY)
    assert cli("train", "small.csv", "--target", "play", "--out", "m.suffice").code == 0
    large(tmp_path / "large.csv")
    command = [*PYTHON, "predict", "m.suffice", "large.csv"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("row,prediction")
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == guard.UNHEARD


def test_a_failed_prediction_leaves_the_old_file(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "t.csv", PLAY)
    assert cli("train", "t.csv", "--target", "play", "--out", "m.suffice").code == 0
    write(tmp_path / "bad.csv", "outlook,temperature,windy\n" + "sunny,20,no\n" * 50 + "sunny,hot,no\n" * 50)
    out = write(tmp_path / "out.csv", "the old one")
    assert cli("predict", "m.suffice", "bad.csv", "--out", "out.csv").code == 1
    assert out.read_text() == "the old one"
    assert len(list(tmp_path.iterdir())) == 4
