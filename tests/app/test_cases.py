"""Sessions at the command line, written down in tests/app/cases as one would see them.

# a remark
file NAME            the lines below, up to `end`, are written to a file
clinic NAME n seed   n patients of the made-up clinic are written to a file
$ suffice ...        a command; the lines below it are what it writes, standard error last, then [exit n] if n > 0
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.conftest import Cli
from tests.app.tables import clinic_rows, write, write_rows

CASES = sorted(Path(__file__).with_name("cases").glob("*.txt"))


def steps(text: str) -> Iterator[tuple[str, list[str]]]:
    """What to do, and the lines that belong to it."""
    todo, lines = "", list[str]()
    for line in text.splitlines():
        if todo.startswith("file ") and line != "end":
            lines.append(line)
        elif line.startswith(("$ ", "file ", "clinic ", "# ")) or line == "end":
            yield todo, lines
            todo, lines = line, []
        else:
            lines.append(line)
    yield todo, lines


def shown(cli: Cli, command: str) -> str:
    name, *arguments = shlex.split(command.removeprefix("$ "))
    assert name == "suffice"
    result = cli(*arguments)
    code = f"[exit {result.code}]\n" if result.code else ""
    return f"{result.out}{result.err}{code}"


@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
def test_a_session_runs_as_written(cli: Cli, tmp_path: Path, case: Path) -> None:
    commands = 0
    for todo, lines in steps(case.read_text(encoding="utf-8")):
        word, _, rest = todo.partition(" ")
        if word == "file":
            write(tmp_path / rest, "\n".join(lines) + "\n")
        elif word == "clinic":
            name, n, seed = rest.split()
            write_rows(tmp_path / name, *clinic_rows(int(n), int(seed)))
        elif word == "$":
            commands += 1
            assert shown(cli, todo).strip().splitlines() == "\n".join(lines).strip().splitlines(), todo
    assert commands
