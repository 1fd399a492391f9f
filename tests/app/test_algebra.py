"""`suffice merge` and `suffice forget`: what the library promises, with files."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from suffice import load
from suffice.testing.sameness import Limits, assert_same
from tests.app.conftest import Cli
from tests.app.tables import PLAY, clinic_rows, write, write_rows

NAMES = [*(f"n{j}" for j in range(12)), *(f"s{j}" for j in range(8)), "y"]


def shard(i: int, rows: int = 30) -> list[list[Any]]:
    """20 columns: numbers of every size, some missing; labels and a class that only this shard has."""
    random = Random(i)
    return [
        [
            *("" if random.random() < 0.05 else repr(random.gauss(10.0**j, 1 + j)) for j in range(12)),
            *(random.choice(["a", "b", "", f"only{i}"]) for _ in range(8)),
            random.choice(["yes", "no", f"class{i % 5}"]),
        ]
        for _ in range(rows)
    ]


def table(rows: list[list[Any]]) -> dict[str, list[Any]]:
    columns = {name: [row[j] or None for row in rows] for j, name in enumerate(NAMES[:-1])}
    return {n: [c if c is None or n[0] == "s" else float(c) for c in cells] for n, cells in columns.items()}


def test_64_files_of_20_columns_merge_to_the_model_of_all_rows(cli: Cli, tmp_path: Path) -> None:
    shards = [shard(i) for i in range(64)]
    for i, rows in enumerate(shards):
        write_rows(tmp_path / f"{i}.csv", NAMES, rows)
        assert cli("train", f"{i}.csv", "--target", "y", "--out", f"{i}.suffice").code == 0
    everything = write_rows(tmp_path / "all.csv", NAMES, [row for rows in shards for row in rows])
    assert cli("train", everything, "--target", "y", "--out", "all.suffice").code == 0
    result = cli("merge", *(f"{i}.suffice" for i in range(64)), "--out", "merged.suffice")
    assert result.code == 0
    assert "rows    1,920" in result.out
    merged, whole = load(tmp_path / "merged.suffice"), load(tmp_path / "all.suffice")
    assert merged.schema_ == whole.schema_
    assert merged.target == "y"
    reach = np.array([200.0 * (1 + j) for j in range(12)])
    assert_same(merged.summary_, whole.summary_, Limits(1920.0, reach))
    X = table([row for rows in shards[:4] for row in rows])
    np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), atol=1e-12)


def test_the_order_of_merging_does_not_matter(cli: Cli, tmp_path: Path) -> None:
    for i in range(3):
        write_rows(tmp_path / f"{i}.csv", NAMES, shard(i))
        assert cli("train", f"{i}.csv", "--target", "y", "--out", f"{i}.suffice").code == 0
    assert cli("merge", "0.suffice", "1.suffice", "2.suffice", "--out", "a.suffice").code == 0
    assert cli("merge", "2.suffice", "0.suffice", "--out", "b.suffice").code == 0
    assert cli("merge", "b.suffice", "1.suffice", "--out", "b.suffice").code == 0  # onto one of its own
    X = table(shard(0) + shard(2))
    a, b = (load(tmp_path / name).predict_proba(X) for name in ("a.suffice", "b.suffice"))
    np.testing.assert_allclose(a, b, atol=1e-12)


def test_a_merged_model_of_one_is_the_model(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    assert cli("train", "play.csv", "--target", "play", "--out", "a.suffice").code == 0
    assert cli("merge", "a.suffice", "--out", "b.suffice").code == 0
    assert (tmp_path / "a.suffice").read_bytes() == (tmp_path / "b.suffice").read_bytes()


def test_forgetting_gives_the_model_that_never_saw_the_rows(cli: Cli, tmp_path: Path) -> None:
    names, rows = clinic_rows(600)
    options = ("--target", "diagnosis", "--kinds", "notes=text", "--identifier", "patient", "--ignore", "ward")
    for name, some in (("all", rows), ("some", rows[:40]), ("rest", rows[40:])):
        write_rows(tmp_path / f"{name}.csv", names, some)
    for name in ("all", "rest"):
        assert cli("train", f"{name}.csv", *options, "--out", f"{name}.suffice").code == 0
    result = cli("forget", "all.suffice", "some.csv", "--out", "left.suffice")
    assert result.code == 0
    assert "rows         560" in result.out
    X = {name: [row[j] for row in rows] for j, name in enumerate(names)}
    left, rest = (load(tmp_path / name).predict_proba(X) for name in ("left.suffice", "rest.suffice"))
    np.testing.assert_allclose(left, rest, atol=1e-12)


def test_forgetting_a_few_rows_reads_them_as_the_model_does(cli: Cli, tmp_path: Path) -> None:
    """One row alone shows other kinds: whole numbers for measures, a yes for a word, 1 for the label '1'."""
    rows = [[f"{i}.5" if i else "3", "maybe" if i == 1 else "yes", "x" if i == 2 else "1"] for i in range(9)]
    write_rows(tmp_path / "all.csv", ["a", "b", "y"], rows)
    write_rows(tmp_path / "one.csv", ["a", "b", "y"], rows[:1])
    write_rows(tmp_path / "rest.csv", ["a", "b", "y"], rows[1:])
    for name in ("all", "rest"):
        assert cli("train", f"{name}.csv", "--target", "y", "--out", f"{name}.suffice").code == 0
    assert cli("forget", "all.suffice", "one.csv", "--out", "left.suffice").code == 0
    X = {"a": [1.0, 2.0], "b": ["yes", "maybe"]}
    left, rest = (load(tmp_path / name).predict_proba(X) for name in ("left.suffice", "rest.suffice"))
    np.testing.assert_allclose(left, rest, atol=1e-12)


def test_forgetting_with_weights_and_in_place(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "all.csv", "x,w,y\n1,2,a\n2,0.5,b\n4,1,b\n7,3,a\n")
    write(tmp_path / "one.csv", "x,w,y\n7,3,a\n")
    assert cli("train", "all.csv", "--target", "y", "--weights", "w", "--out", "m.suffice").code == 0
    assert cli("forget", "m.suffice", "one.csv", "--weights", "w", "--out", "m.suffice").code == 0
    assert load(tmp_path / "m.suffice").summary_.tally.weight.value.tolist() == [2.0, 1.5]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("x,y\n1,a\n1,a\n", "suffice: forget: the rows must have been added before"),
        ("x,y\n1,zebra\n", "suffice: forget: the classes must have been added before, got 'zebra'"),
        ("x,y\n9,b\n", "suffice: forget: the rows must have been added before, got some that cannot be among them"),
        ("x,y\n3,a\n", "suffice: forget: the rows must have been added before, got some that cannot be among them"),
        ("x,y\n,b\n", "suffice: forget: the rows must have been added before, got more rows that lack a cell"),
    ],
)
def test_rows_never_learned_are_refused(cli: Cli, tmp_path: Path, rows: str, message: str) -> None:
    write(tmp_path / "all.csv", "x,y\n1,a\n2,b\n2.5,b\n3,b\n")
    write(tmp_path / "some.csv", rows)
    assert cli("train", "all.csv", "--target", "y", "--out", "m.suffice").code == 0
    before = (tmp_path / "m.suffice").read_bytes()
    result = cli("forget", "m.suffice", "some.csv", "--out", "m.suffice")
    assert result.code == 1
    assert result.err.startswith(message)
    assert (tmp_path / "m.suffice").read_bytes() == before
