"""JSON lines are read like CSV: in chunks, by all cells, packed or not; and text files without a header."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.sources import Format, Roles, open_rows
from tests.app.conftest import Cli
from tests.app.conftest import cli as cli
from tests.sources.read_cells import all_cells

ROWS = [
    {"age": 31, "ill": True, "site": "Nord – Süd"},
    {"age": 44.5, "site": "B", "note": None},
    {"ill": False, "age": "n/a", "site": "line\u2028end"},
]
CELLS = {
    "age": [31.0, 44.5, None],
    "ill": [True, None, False],
    "site": ["Nord – Süd", "B", "line\u2028end"],
    "note": [None, None, None],
}


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz", "a.txt"])
@pytest.mark.parametrize("block", [1, 1 << 21])
def test_files_of_json_lines(name: str, block: int, tmp_path: Path) -> None:
    data = lines(ROWS).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    rows = open_rows(tmp_path / name, format=Format(block=block))
    assert all_cells(rows) == CELLS
    assert [column.kind for column in rows.schema.columns] == [
        Kind.QUANTITATIVE, Kind.BOOLEAN, Kind.CATEGORICAL, Kind.UNKNOWN,
    ]  # fmt: skip


def test_a_key_may_come_late_or_in_one_file_only(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(lines([{"x": 1}] * 3))
    (tmp_path / "b.jsonl").write_text(lines([{"x": 2}, {"x": 3, "z": "late"}]))
    for order in ("ab", "ba"):
        found = all_cells(open_rows([tmp_path / f"{name}.jsonl" for name in order], format=Format(block=8)))
        assert sorted(found["x"]) == [1, 1, 1, 2, 3]
        assert sorted(found["z"], key=str) == [None, None, None, None, "late"]


def test_open_files_and_streams() -> None:
    for file in (
        io.StringIO(lines(ROWS)),
        io.BytesIO(lines(ROWS).encode()),
        io.BytesIO(gzip.compress(lines(ROWS).encode())),
    ):
        rows = open_rows(file, format=Format(block=20))
        assert all_cells(rows) == CELLS
        assert all_cells(rows) == CELLS

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    assert all_cells(open_rows(Pipe(lines(ROWS).encode()))) == CELLS
    with pytest.raises(BadInput, match=r"every key must be among those of the first lines .*, got 'z' in line 2\."):
        all_cells(open_rows(Pipe(lines([{"x": 1}, {"z": 1}]).encode()), format=Format(block=2)))


def test_numbers_keep_their_digits_whatever_the_decimal_sign() -> None:
    text = '{"x": 0.1, "y": 12345678901234567890}\n{"x": NaN, "y": 1e2}\n'
    for decimal in ".,":
        found = all_cells(open_rows(io.StringIO(text), format=Format(decimal=decimal)))
        assert found == {"x": [0.1, None], "y": [12345678901234567890.0, 100.0]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '{"x": 1}\n{"x": [1]}\n',
            "the value of 'x' in line 2 must be a text, a number, true, false or null, got a list.",
        ),
        (
            '{"x": {"y": 1}}\n',
            "the value of 'x' in line 1 must be a text, a number, true, false or null, got an object.",
        ),
        ('{"x": 1}\n\n[1]\n', "line 3 must be one JSON object, got '[1]'."),
        ('{"x": 1}\n{"x": \n', "line 2 must be one JSON object, got"),
        ('{"x": 1}\n' + '{"x":' * 100_000, "line 2 must be one JSON object, got"),
        ("{}\n{}\n", "must hold objects with keys, got none."),
    ],
)
def test_what_is_no_table_is_refused_by_line_and_key(text: str, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        all_cells(open_rows(io.StringIO(text)))
    assert says in str(refused.value)


def test_a_nested_value_that_is_not_read_does_no_harm() -> None:
    assert all_cells(open_rows(io.StringIO('{"x": 1, "raw": {"a": 2}}\n'), Roles(ignore="raw"))) == {"x": [1]}


def test_json_lines_and_csv_give_one_model(tmp_path: Path) -> None:
    rows = [{"x": i / 4, "s": "ab"[i % 3 % 2], "y": "pq"[i % 2]} for i in range(40)]
    (tmp_path / "a.jsonl").write_text(lines(rows))
    (tmp_path / "a.csv").write_text("x,s,y\n" + "".join(f"{r['x']},{r['s']},{r['y']}\n" for r in rows))
    a, b = (NaiveBayes().fit(tmp_path / name, target="y") for name in ("a.jsonl", "a.csv"))
    assert a.fitted_.schema == b.fitted_.schema
    table = {"x": [1.0, 9.0], "s": ["a", "b"]}
    np.testing.assert_array_equal(a.predict_proba(table), b.predict_proba(table))


def test_rows_without_a_header() -> None:
    rows = open_rows(io.StringIO("\n1.5,a\n,b\n3,\n"), format=Format(header=False))
    assert all_cells(rows) == {"x0": [1.5, None, 3.0], "x1": ["a", "b", None]}
    assert rows.report.notes == ()
    with pytest.raises(BadInput, match="header must be True or False"):
        Format(header=None)  # type: ignore[arg-type]


def test_the_command_line_reads_both(cli: Cli, tmp_path: Path) -> None:
    rows = [{"x": i, "y": "pq"[i % 2]} for i in range(40)]
    (tmp_path / "a.jsonl").write_text(lines(rows))
    (tmp_path / "a.csv").write_text("".join(f"{r['x']},{r['y']}\n" for r in rows))
    assert cli("train", tmp_path / "a.jsonl", "--target", "y", "--out", "m").code == 0
    assert cli("predict", "m", tmp_path / "a.jsonl").out.count("\n") == 41
    for command in (("train", "--target", "x1", "--out", "n"), ("describe",)):
        assert cli(command[0], tmp_path / "a.csv", *command[1:], "--no-header").code == 0
    assert cli("predict", "n", tmp_path / "a.csv", "--no-header").out.count("\n") == 41
    assert cli("evaluate", "n", tmp_path / "a.csv", "--no-header").code == 0
    assert cli("forget", "n", tmp_path / "a.csv", "--no-header", "--out", "o").code == 1  # none is left
    assert "at least one" in cli("forget", "n", tmp_path / "a.csv", "--no-header", "--out", "o").err


@pytest.mark.parametrize(
    "text", ['[{"a":1,"b":2}]', '[\n {\n  "a": 1},\n {"a": 2}]\n', '[\n{"row": 0},\n{"row": 1}\n]\n']
)
def test_a_list_of_objects_is_no_csv(cli: Cli, tmp_path: Path, text: str) -> None:
    (tmp_path / "list.json").write_text(text)
    refused = cli("describe", "list.json")
    assert refused.code == 1
    assert "must hold CSV or JSON lines, got a JSON list of objects" in refused.err
    (tmp_path / "odd.csv").write_text("[a],[{b\n1,2\n")
    assert cli("describe", "odd.csv").code == 0
