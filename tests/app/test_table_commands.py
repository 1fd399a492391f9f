"""The command lines that `python -m benchmarks.table_commands` tries on ten tables of packages work on any table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.real_tables import TABLES
from benchmarks.table_commands import codes_of, commands
from suffice.app.main import NAMES


def rows() -> pd.DataFrame:
    """Numbers, symbols, missing cells, a constant column and one with a name for each row."""
    rng, n = np.random.default_rng(0), 40
    table = pd.DataFrame({"age": rng.normal(40, 9, n).round(1), "site": rng.choice(["A", "B"], n), "one": 1})
    table["dose"] = np.where(rng.random(n) < 0.2, np.nan, 2 * table.age + rng.normal(size=n))
    table["id"] = [f"case {i}" for i in range(n)]
    table["ill"] = np.where(table.age + rng.normal(size=n) > 40, "yes", "no")
    return table


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("target", "classes"), [("ill", True), ("age", False)])
def test_every_command_answers(target, classes):
    codes = codes_of("rows", rows(), target, ("id",), classes)
    assert {line: code for line, code in codes.items() if code} == {}
    assert len(codes) >= 14


def test_all_commands_are_tried_on_ten_tables():
    assert {line.partition(" ")[0] for line in commands("y", (), classes=True)} == set(NAMES)
    assert len(TABLES) == 10
