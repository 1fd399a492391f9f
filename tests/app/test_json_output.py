"""`--format json` is data: every key that a command writes is on the page of keys, command by command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from suffice.app.main import NAMES
from tests.app.conftest import Cli
from tests.app.tables import clinic_rows, write_rows

PAGE = Path(__file__).resolve().parents[2] / "docs" / "json_output.md"
READ = ("--kinds", "notes=text", "--identifier", "patient")
FEW = ("--ignore", "notes,patient")
LINES: dict[str, list[tuple[str, ...]]] = {
    "describe": [("rows.csv", *READ)],
    "train": [
        ("rows.csv", "--target", "diagnosis", *READ, "--ledger", "--out", "m"),
        ("rows.csv", "--target", "temperature", *FEW, "--out", "r"),
        ("rows.csv", "--target", "diagnosis", *FEW, "--model", "Tree", "--out", "t"),
    ],
    "predict": [("m", "rows.csv", "--explain"), ("r", "rows.csv"), ("t", "rows.csv")],
    "evaluate": [
        ("m", "rows.csv"),
        ("r", "rows.csv"),
        ("m", "rows.csv", "--folds", "3"),
        ("m", "rows.csv", "--reject", ".3"),
    ],
    "compare": [
        ("rows.csv", "--target", "diagnosis", *FEW, "--model", "NaiveBayes", "--model", "Tree", "--folds", "2"),
    ],
    "cluster": [("rows.csv", "--ignore", "notes,diagnosis", "--identifier", "patient", "--clusters", "2")],
    "transform": [("rows.csv", "--model", "TableEncoder", "--ignore", "notes", "--identifier", "patient")],
    "sample": [("m", "--rows", "2")],
    "merge": [("m", "m", "--out", "n")],
    "forget": [("n", "rows.csv", "--out", "n", "--receipt", "w.json")],
    "verify": [("n", "w.json")],
    "info": [("m", "--tables"), ("r",), ("t",)],
}  # fmt: skip


def keys(value: Any, at: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from keys(inner, f"{at}.{name}" if at else name)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, f"{at}[]")
    else:
        yield at


def documented() -> dict[str, list[re.Pattern[str]]]:
    """Patterns of keys by command."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## `")[1:]:
        name, _, body = section.partition("`")
        lines = [line.split("|")[1] for line in body.splitlines() if line.startswith("| `")]
        names = [key for line in lines for key in re.findall(r"`([^`]+)`", line)]
        found[name] = [re.compile(re.escape(key).replace(r"\*", ".+")) for key in (*names, "notes[]")]
    return found


def refuse(text: str) -> Any:
    raise AssertionError(f"{text} is not JSON")


@pytest.mark.filterwarnings("ignore")
def test_every_key_is_on_the_page(cli: Cli, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.csv", *clinic_rows(60, 0))
    known = documented()
    used: dict[str, set[str]] = {}
    for name, lines in LINES.items():
        for line in lines:
            result = cli(name, *line, "--format", "json")
            assert result.code == 0, (line, result.err)
            told = set(keys(json.loads(result.out, parse_constant=refuse)))
            strange = {key for key in told if not any(one.fullmatch(key) for one in known[name])}
            assert not strange, (name, line)
            used.setdefault(name, set()).update(told)
    for name in ("train", "evaluate", "compare", "forget", "verify"):
        silent = {one.pattern for one in known[name] if not any(map(one.fullmatch, used[name]))}
        assert all(key.startswith(("mistakes", "plot", "notes")) for key in silent), (name, silent)


def test_every_command_is_tried_and_documented() -> None:
    assert set(LINES) == set(documented()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_the_option(cli: Cli, name: str) -> None:
    assert "--format" in cli(name, "--help").out
