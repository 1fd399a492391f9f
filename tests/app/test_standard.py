"""Standard input, output and error: closed, full, left, and terminated while rows come."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.conftest import Cli
from tests.app.tables import PLAY, write, write_rows
from tests.app.test_guarding import PYTHON, large
from tests.app.test_outputs import run_in

PLAYED = ["--target", "play", "--out", "m"]


@pytest.fixture
def room(cli: Cli, tmp_path: Path) -> Path:
    """A table and a model of it."""
    write(tmp_path / "x.csv", PLAY)
    assert cli("train", "x.csv", *PLAYED).code == 0
    return tmp_path


@pytest.fixture(autouse=True)
def _hangups_are_heard() -> Iterator[None]:
    """A process inherits what is ignored, as under nohup, and would then ignore it too."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    "line",
    [
        "describe x.csv",
        "predict m x.csv",
        "info m",
        "train x.csv --target play --out new",
        "merge m m --out new",
        "--version",
    ],
)
def test_a_closed_output_is_told_before_anything_is_written(room: Path, line: str) -> None:
    done = run_in(room, f"suffice {line} >&-")
    assert done.returncode == 1
    assert done.stderr == (
        "suffice: standard output must be open, got a closed one. Redirect it, to /dev/null if to nowhere.\n"
    )
    assert not (room / "new").exists()


def test_a_closed_output_does_not_matter_to_who_does_not_need_it(room: Path) -> None:
    done = run_in(room, "suffice predict m x.csv --out new >&- && suffice predict m x.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert (room / "new").read_text() == done.stdout


def test_a_closed_input_is_told(room: Path) -> None:
    done = run_in(room, "suffice describe - <&-")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("suffice: standard input must be open, got a closed one.")
    assert run_in(room, "suffice describe x.csv <&-").returncode == 0


def test_without_standard_error_nothing_is_said_there(room: Path) -> None:
    done = run_in(room, "suffice describe x.csv 2>&-; suffice describe none.csv 2>&-")
    assert done.returncode == 1
    assert done.stdout.startswith("rows  14\n")
    assert run_in(room, "suffice describe x.csv <&- >&- 2>&-").returncode == 1


def test_no_file_is_taken_for_a_closed_stream(room: Path) -> None:
    """With 1 and 2 free, the model would be opened as one of them, and get what is said there."""
    assert run_in(room, "suffice train x.csv --target play --out new <&- 2>&- > told").returncode == 0
    assert (room / "new").read_bytes() == (room / "m").read_bytes()


@pytest.mark.parametrize("line", ["describe wide.csv", "predict m many.csv"])
def test_who_leaves_early_is_left_in_silence(room: Path, line: str) -> None:
    names = [f"c{j}" for j in range(3000)]
    write_rows(room / "wide.csv", names, [[i] * 3000 for i in (1, 2)])
    write(room / "many.csv", PLAY + "".join(PLAY.splitlines(keepends=True)[1:]) * 200)
    done = run_in(room, f"{{ suffice {line}; echo $? >&2; }} | true")
    assert (done.stdout, done.stderr) == ("", "141\n")


def test_help_that_nobody_reads_is_left_in_silence(room: Path) -> None:
    done = run_in(room, "{ sleep 0.5; suffice --help; echo $? >&2; } | true")
    assert done.stderr == "141\n"
    done = run_in(room, "{ sleep 0.5; _SUFFICE_COMPLETE=fish_source suffice; echo $? >&2; } | true")
    assert done.stderr == "141\n"


def test_a_full_device_is_told(room: Path) -> None:
    for line in ("describe x.csv", "predict m x.csv"):
        done = run_in(room, f"suffice {line} > /dev/full")
        assert (done.returncode, done.stderr) == (1, "suffice: the system refuses: No space left on device.\n")


def test_people_at_a_terminal_end_their_rows_once(room: Path) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen([*PYTHON, "describe", "-"], cwd=room, stdin=theirs, stdout=subprocess.PIPE) as process:
        os.write(ours, b"x,y\n1,a\n2,b\n\x04")
        told, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0
    assert told.startswith(b"rows  2\n")


@pytest.mark.parametrize("asked", ["bash_complete", "nonsense", "bash_nonsense"])
def test_completion_that_no_shell_asks_for_is_refused(room: Path, asked: str) -> None:
    done = run_in(room, f"_SUFFICE_COMPLETE={asked} suffice")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"suffice: _SUFFICE_COMPLETE must be set by a shell that completes, got '{asked}'.")


def test_standard_input_is_named_once(cli: Cli) -> None:
    result = cli("describe", "-", "-", stdin=PLAY)
    assert result.code == 2
    assert result.err.startswith("suffice: standard input must be named once, got '-' more often.")


def test_messages_about_rows_from_a_pipe_name_it(cli: Cli, tmp_path: Path) -> None:
    assert cli("describe", "-", stdin="").err.startswith("suffice: standard input: the file must hold a header")
    os.mkfifo(tmp_path / "pipe")
    done = run_in(tmp_path, "printf '' > pipe & suffice describe pipe")
    assert done.stderr.startswith("suffice: pipe: the file must hold a header")


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_rows_from_a_pipe_go_with_the_process(room: Path, number: signal.Signals, code: int) -> None:
    spool = room / "spool"
    spool.mkdir()
    environment = {**os.environ, "TMPDIR": str(spool)}
    arguments = [*PYTHON, "predict", "m", "-", "--out", "new"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(arguments, cwd=room, env=environment, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(PLAY.encode() * 3000)  # more than a pipe holds: when it is written, rows were stored
        process.stdin.flush()
        process.send_signal(number)
        told, err = process.communicate(timeout=60)
    assert (process.returncode, told) == (code, b"")
    assert err in (
        b"",
        b"suffice: interrupted; no file was changed.\n",
        b"suffice: told to end; no file was changed.\n",
    )
    assert (err == b"") == (number is signal.SIGKILL)
    assert list(spool.iterdir()) == []
    assert sorted(path.name for path in room.iterdir()) == ["m", "spool", "x.csv"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_while_writing_leaves_the_old_file_alone(room: Path, number: signal.Signals, code: int) -> None:
    large(room / "large.csv")
    out = write(room / "out", "the old one")
    arguments = [*PYTHON, "predict", "m", "large.csv", "--out", "out"]
    with subprocess.Popen(arguments, cwd=room, stderr=subprocess.PIPE) as process:
        while not list(room.glob(".suffice-*")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (code, b"suffice: told to end; no file was changed.\n")
    assert out.read_text() == "the old one"
    assert sorted(path.name for path in room.iterdir()) == ["large.csv", "m", "out", "x.csv"]


def test_an_ignored_hangup_stays_ignored(room: Path) -> None:
    arguments = ["nohup", *PYTHON, "describe", "-"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(arguments, cwd=room, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(PLAY.encode() * 3000)
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert told.startswith(b"rows  ")
