"""The examples in the help of every command run as they are written."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pyarrow.csv
import pyarrow.parquet
import pytest

from suffice.app.main import NAMES, run, suffice
from tests.app.conftest import Cli
from tests.app.tables import clinic_rows, write, write_rows

COSTS = "true,cold,flu,pneumonia\ncold,0,1,1\nflu,1,0,1\npneumonia,9,9,0\n"


def examples(name: str) -> list[str]:
    """The command lines of a help text."""
    found = suffice.get_command(click.Context(suffice), name)
    assert found is not None
    assert found.help is not None
    lines = [line.strip() for line in found.help.splitlines() if line.strip().startswith("suffice ")]
    return [line for line in lines if "--engine" not in line]  # tests of engines run such


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that examples speak of."""
    here = tmp_path_factory.mktemp("examples")
    for i, name in enumerate(("patients", "later", "new", "north", "south")):
        write_rows(here / f"{name}.csv", *clinic_rows(40, i))
    names, rows = clinic_rows(2, 0)
    write_rows(here / "withdrawn.csv", names, rows)
    (here / "north").mkdir()
    write_rows(here / "north" / "part.csv", *clinic_rows(20, 7))
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(here / "south.csv"), here / "south.parquet")
    write(here / "costs.csv", COSTS)
    write(here / "numbers.csv", "x,y\n" + "".join(f"{i % 7},{i % 5}\n" for i in range(40)))
    for name, table in (("clinic", "patients"), ("north", "north"), ("south", "south")):
        line = ["train", here / f"{table}.csv", "--target", "diagnosis", "--out", here / f"{name}.suffice"]
        assert run([*map(str, line), "--identifier", "patient", "--kinds", "notes=text"]) == 0
    return here


@pytest.mark.parametrize("name", NAMES)
def test_they_run(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(folder)
    lines = examples(name)
    assert any(line.startswith(f"suffice {name} ") for line in lines)
    before = (folder / "clinic.suffice").read_bytes()
    for line in lines:
        result = cli(*shlex.split(line)[1:])
        assert result.code == 0, (line, result.err)
        assert result.out or "--out" in line
    (folder / "clinic.suffice").write_bytes(before)  # some examples forget rows
