"""Options that sentences name can be typed as they stand, whatever columns are called."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest

from tests.app.conftest import Cli
from tests.app.conftest import cli as cli

NAMES = ["id", "name of patient", "dose, mg", "a=b", "it's", 'the "code"', " padded ", "$HOME"]
SAID = re.compile(r"say (?P<names>--identifier .+), if it is prose, (?P<prose>--kinds .+)\.$", re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_a_column_that_names_rows(name: str, cli: Cli, tmp_path: Path) -> None:
    with (tmp_path / "t.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([name, "age", "result"])
        rows.writerows([f"P{i}", i, "good" if i % 2 else "bad"] for i in range(60))
    train = ("train", tmp_path / "t.csv", "--target", "result", "--out", "m")
    said = SAID.search(cli(*train).out)
    assert said
    for way, kind in (("names", "identifier"), ("prose", "text")):
        done = cli(*train, *shlex.split(said[way]))
        assert done.code == 0, done.err
        assert re.search(rf"^{re.escape(name.strip())}\s+{kind}\b", done.out, re.MULTILINE)
