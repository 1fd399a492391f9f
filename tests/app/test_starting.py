"""What is imported when: help needs no NumPy, small predictions neither scikit-learn nor numba nor a table library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from suffice.app.main import NAMES
from tests.app.conftest import Cli
from tests.app.tables import PLAY, write

HEAVY = ("sklearn", "numba", "pandas", "polars", "pyarrow", "scipy", "narwhals")


def start(*arguments: str, folder: Path) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """Run the command in a process of its own; also the names of all modules that it imported."""
    command = [sys.executable, "-X", "importtime", "-m", "suffice", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=dict(os.environ), check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return done, {line.rsplit("|", 1)[1].strip() for line in lines}


def rooms(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("arguments", [("--help",), ("predict", "--help"), ("--version",), ("nonsense",)])
def test_help_imports_no_numpy(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done, modules = start(*arguments, folder=tmp_path)
    assert done.returncode == (2 if arguments == ("nonsense",) else 0)
    assert "click" in rooms(modules)
    assert not rooms(modules) & {"numpy", *HEAVY}


def test_small_tables_need_nothing_heavy(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY * 1 + "\n".join(PLAY.splitlines()[1:] * 6) + "\n")
    assert cli("train", "play.csv", "--target", "play", "--out", "m.suffice").code == 0
    for arguments in (
        ("predict", "m.suffice", "play.csv", "--prior", "uniform", "--reject", "0.2", "--explain"),
        ("train", "play.csv", "--target", "play", "--out", "m.suffice"),
        ("evaluate", "m.suffice", "play.csv"),
        ("describe", "play.csv"),
        ("merge", "m.suffice", "m.suffice", "--out", "n.suffice"),
        ("forget", "n.suffice", "play.csv", "--out", "n.suffice"),
        ("info", "m.suffice", "--tables"),
    ):
        done, modules = start(*arguments, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "numpy" in rooms(modules)
        assert not rooms(modules) & set(HEAVY), arguments


def test_both_ways_to_start_are_one(tmp_path: Path) -> None:
    done, _ = start("--version", folder=tmp_path)
    assert done.stdout.startswith("suffice 0.")


def test_completion_knows_commands_and_options(tmp_path: Path) -> None:
    def complete(words: str, number: int) -> str:
        env = {**os.environ, "_SUFFICE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
        command = [sys.executable, "-m", "suffice"]
        return subprocess.run(command, capture_output=True, text=True, env=env, check=True, cwd=tmp_path).stdout

    assert complete("suffice ", 1).split() == [f"plain,{name}" for name in NAMES]
    assert "plain,--test-size" in complete("suffice train --te", 2)
    assert complete("suffice train --model naive", 3).split() == ["plain,NaiveBayes"]
    assert complete("suffice train --model TableEncoder+ridgec", 3).split() == [
        "plain,TableEncoder+RidgeCV",
        "plain,TableEncoder+RidgeClassifier",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(tmp_path: Path, shell: str) -> None:
    env = {**os.environ, "_SUFFICE_COMPLETE": f"{shell}_source"}
    done = subprocess.run([sys.executable, "-m", "suffice"], capture_output=True, text=True, env=env, check=False)
    if "Couldn't detect Bash version" not in done.stderr:  # click asks bash itself, which need not be there
        assert "_SUFFICE_COMPLETE" in done.stdout
