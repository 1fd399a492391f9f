"""What is written is never what is read, under whatever name; and what cannot be written is refused before the work."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.app.conftest import Cli
from tests.app.tables import PLAY, write
from tests.app.test_guarding import PYTHON

COSTS = "true,no,yes\nno,0,1\nyes,1,0\n"
REFUSED = "must be another file than those read"


@pytest.fixture
def room(cli: Cli, tmp_path: Path) -> Path:
    """A table, a model of it, costs, a folder of tables, and links to all of them."""
    write(tmp_path / "x.csv", PLAY)
    write(tmp_path / "costs.csv", COSTS)
    assert cli("train", "x.csv", "--target", "play", "--out", "m").code == 0
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder" / "part.csv", PLAY)
    for name in ("x.csv", "costs.csv", "m"):
        (tmp_path / f"soft-{name}").symlink_to(name)
        os.link(tmp_path / name, tmp_path / f"hard-{name}")
    (tmp_path / "soft-folder").symlink_to("folder")
    return tmp_path


def held(room: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(room.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    "line",
    [
        "predict m x.csv --out m",
        "predict m x.csv --out ./m",
        "predict m x.csv --out soft-m",
        "predict m x.csv --out hard-m",
        "predict soft-m x.csv --out m",
        "predict m soft-x.csv --out hard-x.csv",
        "predict m x.csv --costs costs.csv --out costs.csv",
        "predict m x.csv --costs soft-costs.csv --out hard-costs.csv",
        "predict m folder --out folder/part.csv",
        "predict m folder --out soft-folder/part.csv",
        "predict m folder/p*.csv --out folder/part.csv",
        "train x.csv --target play --out hard-x.csv",
        "train folder --target play --out folder/part.csv",
        "train x.csv folder --target play --out soft-x.csv",
        "forget m x.csv --out x.csv",
        "forget m x.csv --out hard-x.csv",
    ],
)
def test_an_output_that_is_read_is_refused(cli: Cli, room: Path, line: str) -> None:
    before = held(room)
    result = cli(*line.split())
    assert result.code == 2
    assert result.err.startswith(f"suffice: --out {REFUSED}, got ")
    assert result.err.count("\n") == 1
    assert result.out == ""
    assert held(room) == before


@pytest.mark.parametrize("name", ["m", "soft-m", "hard-m"])
def test_a_model_may_be_replaced_by_what_becomes_of_it(cli: Cli, room: Path, name: str) -> None:
    write(room / "two.csv", "".join(PLAY.splitlines(keepends=True)[:3]))
    assert cli("forget", "m", "two.csv", "--out", name).code == 0
    assert "rows    12" in cli("info", name).out
    assert cli("merge", name, name, "--out", name).code == 0
    assert "rows    24" in cli("info", name).out


def run_in(room: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A command line of a shell, `suffice` being this one."""
    command = f'suffice() {{ {" ".join(PYTHON)} "$@"; }}; {line}'
    return subprocess.run(["sh", "-c", command], cwd=room, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "line",
    [
        "predict m x.csv >> x.csv",
        "predict m x.csv >> hard-x.csv",
        "predict m - < x.csv >> x.csv",
        "predict m - --out x.csv < soft-x.csv",
        "describe x.csv >> soft-x.csv",
        "describe folder >> folder/part.csv",
        "evaluate m x.csv >> m",
        "train x.csv --target play >> x.csv",
        "info m 1<> m",
        "merge m m --out new >> m",
        "forget m x.csv --out new >> m",
    ],
)
def test_standard_output_that_is_read_is_refused(room: Path, line: str) -> None:
    before = held(room)
    done = run_in(room, f"suffice {line}")
    what = "--out" if "--out x" in line else "standard output"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"suffice: {what} {REFUSED}, got ")
    assert held(room) == before


def test_standard_output_beside_what_is_read_is_not(room: Path) -> None:
    done = run_in(room, "suffice predict m x.csv > answers.csv && suffice info m > told && suffice predict m - < x.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (room / "answers.csv").read_text()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("train x.csv --target play --out -", "--out must be the name of a file, got '-'. Write ./- for"),
        ("predict m x.csv --out -", "--out must be the name of a file, got '-'."),
        ("train x.csv --target play --out /dev/full", "--out must be the name of a file, got the device '/dev/full'."),
        ("predict m x.csv --out /dev/full", "--out must be a file that can be written, got '/dev/full', of which"),
        (
            "train x.csv --target play --out turning",
            "--out must be a file that may be written, got 'turning', of which",
        ),
        (f"train x.csv --target play --out {'long' * 70}", "--out must be a file that may be written, got 'longlong"),
    ],
)
def test_what_cannot_be_written_is_refused(cli: Cli, room: Path, line: str, sentence: str) -> None:
    (room / "turning").symlink_to("turning")
    before = held(room)
    result = cli(*line.split())
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"suffice: {sentence}")
    assert held(room) == before


def test_what_cannot_be_written_is_refused_before_the_rows_are_read(cli: Cli, room: Path) -> None:
    for out in ("-", "/dev/full", "turning", "long" * 70, "no/m"):
        if not (room / "turning").is_symlink():
            (room / "turning").symlink_to("turning")
        result = cli("train", "missing.csv", "--target", "play", "--out", out)
        assert result.err.startswith("suffice: --out must be ")


def test_an_empty_name_is_not_the_folder_one_is_in(cli: Cli, room: Path) -> None:
    for line in (
        ["describe", ""],
        ["predict", "m", ""],
        ["info", ""],
        ["train", "x.csv", "--target", "play", "--out", ""],
    ):
        result = cli(*line)
        assert result.code == 2
        assert "'' is not the name of a file" in result.err
    assert cli("describe", "a\0b").code == 2
