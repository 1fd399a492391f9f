"""`describe`, `evaluate`, `info`, and the three styles of reports."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from suffice import load
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.selection.hold_out import held_out
from tests.app.conftest import Cli
from tests.app.tables import PLAY, clinic_rows, write, write_rows

MIXED = """when,age,height,smokes,ward,note,empty,id
2024-01-01,30,1.5,yes,north,dry cough,,a1
2024-01-03,40,1.75,no,south,a dry throat,NA,a2
,50,2,yes,north,,,a3
2024-01-02,,?,,,cough,-,a4
"""


def test_describe_says_what_each_kind_permits(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "t.csv", MIXED)
    told = json.loads(cli("describe", "t.csv", "--kinds", "note=text", "--identifier", "id", "--format", "json").out)
    assert told["rows"] == 4
    found = {line["column"]: {k: v for k, v in line.items() if v is not None} for line in told["columns"]}
    assert found["when"] == {
        "column": "when", "kind": "date", "cells": 3, "missing": 1, "bad": 0,
        "mean": "2024-01-02", "sd": 1.0, "min": "2024-01-01", "max": "2024-01-03",
    }  # fmt: skip
    assert found["age"] == {
        "column": "age", "kind": "count", "cells": 3, "missing": 1, "bad": 0,
        "mean": 40.0, "sd": 10.0, "min": 30.0, "max": 50.0,
    }  # fmt: skip
    assert found["height"]["kind"] == "quantitative"
    assert found["height"]["mean"] == 1.75
    assert found["smokes"]["kind"] == "boolean"
    assert found["smokes"]["most frequent"] == "True 67%, False 33%"
    assert found["ward"]["different"] == 2
    assert found["note"] == {
        "column": "note", "kind": "text", "cells": 3, "missing": 1, "bad": 0,
        "words": 5.0, "different": 3, "most frequent": "cough, dry, throat",
    }  # fmt: skip
    assert found["empty"] == {"column": "empty", "kind": "unknown", "cells": 0, "missing": 4, "bad": 0}
    assert found["id"] == {"column": "id", "kind": "identifier", "cells": 4, "missing": 0, "bad": 0}


def test_describe_agrees_with_numpy_over_chunks(cli: Cli, tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(1e6, 3, size=60_000)
    path = write_rows(tmp_path / "x.csv", ["x"], [[repr(float(v))] for v in x] * 5)
    (line,) = json.loads(cli("describe", path, "--format", "json").out)["columns"]
    assert line["cells"] == 300_000
    whole = np.tile(x, 5)
    assert line["mean"] == pytest.approx(whole.mean(), rel=1e-14)
    assert line["sd"] == pytest.approx(whole.std(ddof=1), rel=1e-12)
    assert (line["min"], line["max"]) == (x.min(), x.max())


def test_describe_a_table_without_a_single_cell(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "t.csv", "a,b\n,\nNA,?\n")
    told = json.loads(cli("describe", "t.csv", "--format", "json").out)
    assert [line["kind"] for line in told["columns"]] == ["unknown", "unknown"]


def test_describe_counts_bad_cells(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "t.csv", "a\n" + "1\n" * 99 + "xyz\n")
    result = cli("describe", "t.csv")
    assert "Bad cells in column 'a', taken as missing: 1, the first 'xyz' in row 99." in result.out


def test_evaluate_gives_the_scores_of_the_library(cli: Cli, tmp_path: Path) -> None:
    names, rows = clinic_rows(700)
    write_rows(tmp_path / "a.csv", names, rows[:400])
    write_rows(tmp_path / "b.csv", names, rows[400:])
    options = ("--target", "diagnosis", "--kinds", "notes=text", "--identifier", "patient")
    assert cli("train", "a.csv", *options, "--out", "m.suffice").code == 0
    told = json.loads(cli("evaluate", "m.suffice", "b.csv", "--format", "json").out)
    model = load(tmp_path / "m.suffice")
    X = {name: [row[j] for row in rows[400:]] for j, name in enumerate(names)}
    scores = Scores.of(X["diagnosis"], model.predict_proba(X), model.classes_)
    found = {line["score"]: [line["value"], line["low"], line["high"]] for line in told["scores"]}
    assert found["accuracy"] == pytest.approx(list(scores.accuracy[:3]), rel=1e-12)
    assert found["log loss"] == pytest.approx(list(scores.log_loss[:3]), rel=1e-9)
    assert (told["rows"], told["scored"]) == (300, 300)
    again = cli("evaluate", "m.suffice", "b.csv", "--target", "diagnosis", "--format", "json").out
    assert json.loads(again) == told


def test_evaluate_reads_labels_as_the_model_knows_them(cli: Cli, tmp_path: Path) -> None:
    write_rows(tmp_path / "a.csv", ["x", "y"], [[i % 9, "x" if i == 8 else str(i % 2)] for i in range(30)])
    write_rows(tmp_path / "b.csv", ["x", "y"], [[i % 9, str(i % 2)] for i in range(8)])  # now all labels are digits
    assert cli("train", "a.csv", "--target", "y", "--out", "m.suffice").code == 0
    told = json.loads(cli("evaluate", "m.suffice", "b.csv", "--format", "json").out)
    assert [line["true"] for line in told["confusion"]] == ["0", "1"]
    assert next(line["value"] for line in told["scores"] if line["score"] == "accuracy") > 0


def test_info_tells_rows_classes_columns(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    options = ("--target", "play", "--kinds", "outlook=rainy<overcast<sunny", "--out", "m.suffice")
    assert cli("train", "play.csv", *options).code == 0
    told = json.loads(cli("info", "m.suffice", "--format", "json").out)
    assert (told["kind"], told["target"], told["rows"], told["weight"]) == ("NaiveBayes", "play", 14, 14.0)
    assert told["classes"] == [
        {"class": "no", "rows": 5, "share": pytest.approx(5 / 14)},
        {"class": "yes", "rows": 9, "share": pytest.approx(9 / 14)},
    ]
    assert told["columns"][0] == {"column": "outlook", "kind": "ordinal", "order": "rainy < overcast < sunny"}
    assert "temperature (quantitative)" in cli("info", "m.suffice", "--tables").out


def test_reports_as_csv(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    (first, *_) = csv.DictReader(io.StringIO(cli("describe", "play.csv", "--format", "csv").out))
    assert (first["column"], first["kind"], first["cells"]) == ("outlook", "categorical", "14")
    out = cli("train", "play.csv", "--target", "play", "--out", "m.suffice", "--format", "csv").out
    long = [tuple(row) for row in csv.reader(io.StringIO(out))]
    assert long[0] == ("section", "row", "column", "value")
    assert ("facts", "rows", "value", "14") in long
    assert ("columns", "outlook", "kind", "categorical") in long
    assert ("classes", "yes", "rows", "9") in long
    assert all(len(row) == 4 for row in long)


def test_long_tables_are_cut_for_people_only(cli: Cli, tmp_path: Path) -> None:
    names = [f"c{j}" for j in range(80)]
    write_rows(tmp_path / "wide.csv", names, [list(range(80)), list(range(80))])
    assert "(20 more; --format csv or json has them all)" in cli("describe", "wide.csv").out
    assert len(json.loads(cli("describe", "wide.csv", "--format", "json").out)["columns"]) == 80


def test_many_classes_show_their_mistakes_only(cli: Cli, tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", ["x", "y"], [[i % 50, f"class {i % 25}"] for i in range(500)])
    told = json.loads(cli("train", "t.csv", "--target", "y", "--format", "json").out)
    assert "confusion" not in told
    assert len(told["mistakes"]) <= 20


def test_nothing_in_a_file_drives_the_terminal(cli: Cli, tmp_path: Path) -> None:
    nasty = "\x1b[31mred\x07"
    write_rows(tmp_path / "t.csv", ["x", f"n{nasty}", "y"], [[i % 4, nasty, "ab"[i % 2] + nasty] for i in range(40)])
    for arguments in (
        ("describe", "t.csv"),
        ("train", "t.csv", "--target", "y", "--out", "m.suffice"),
        ("info", "m.suffice", "--tables"),
        ("evaluate", "m.suffice", "t.csv"),
        ("predict", "m.suffice", "t.csv", "--format", "table", "--explain"),
        ("predict", "m.suffice", "t.csv", "--prior", f"{nasty}=1"),
        ("train", "t.csv", "--target", nasty),
    ):
        result = cli(*arguments)
        assert "\x1b" not in result.out + result.err
        assert "\x07" not in result.out + result.err


def test_json_is_strict(cli: Cli, tmp_path: Path) -> None:
    held = int(np.flatnonzero(held_out(0, 40, 0.2, 0))[0])  # a class of its own: its log loss is infinite
    write_rows(tmp_path / "t.csv", ["x", "y"], [[i, "rare" if i == held else "ab"[i % 2]] for i in range(40)])
    for arguments in (("describe", "t.csv"), ("train", "t.csv", "--target", "y")):
        result = cli(*arguments, "--format", "json")
        assert result.code == 0
        json.loads(result.out, parse_constant=pytest.fail)


def test_info_gives_its_tables_as_data(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    assert cli("train", "play.csv", "--target", "play", "--out", "m.suffice").code == 0
    told = json.loads(cli("info", "m.suffice", "--tables", "--format", "json").out)
    assert told["notes"] == []
    assert list(told["tables"]) == ["(prior)", "outlook", "temperature", "windy"]
    model = load(tmp_path / "m.suffice")
    for name, rows in {table.name: table.rows for table in model.tables()}.items():
        assert told["tables"][name] == [{"parameter": of, "no": no, "yes": yes} for of, (no, yes) in rows]
    assert told["tables"]["outlook"][2] == {
        "parameter": "sunny",
        "no": pytest.approx(4 / 9),
        "yes": pytest.approx(3 / 13),
    }
    assert [row["parameter"] for row in told["tables"]["temperature"]] == ["mean", "sd"]
    long = list(csv.reader(io.StringIO(cli("info", "m.suffice", "--tables", "--format", "csv").out)))
    assert all(len(row) == 4 for row in long)
    cells = {tuple(row[:3]): row[3] for row in long}
    assert float(cells["tables: outlook", "sunny", "no"]) == told["tables"]["outlook"][2]["no"]
    assert "p(class)" not in cli("info", "m.suffice", "--format", "json").out


def test_tables_as_data_are_whole(cli: Cli, tmp_path: Path) -> None:
    rows = [[f"w{i} w{i + 1} both", i % 100, "ab"[i % 2]] for i in range(200)]
    write_rows(tmp_path / "t.csv", ["note", "(prior)", "y"], rows)
    kinds = ("--kinds", "note=text,(prior)=categorical")
    assert cli("train", "t.csv", "--target", "y", *kinds, "--out", "m.suffice").code == 0
    told = json.loads(cli("info", "m.suffice", "--tables", "--format", "json").out)
    assert list(told["tables"]) == ["(prior)", "note", "(prior)_2"]
    assert len(told["tables"]["note"]) == 202
    assert len(told["tables"]["(prior)_2"]) == 101  # each label, and any other
    assert "more; --format csv or json has them all" in cli("info", "m.suffice", "--tables").out
    assert str(load(tmp_path / "m.suffice")).count("more)") == 2  # for people at a prompt, twelve suffice


def test_classes_called_like_columns_of_a_report_are_all_told(cli: Cli, tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", ["x", "y"], [[i % 9, ("true", "parameter", "maybe")[i % 3]] for i in range(90)])
    told = json.loads(cli("train", "t.csv", "--target", "y", "--out", "m.suffice", "--format", "json").out)
    assert all(len(line) == 4 for line in told["confusion"])
    tables = json.loads(cli("info", "m.suffice", "--tables", "--format", "json").out)["tables"]
    assert all(len(line) == 4 for rows in tables.values() for line in rows)


def test_identifiers_called_like_columns_of_answers_give_way(cli: Cli, tmp_path: Path) -> None:
    names = ["row", "prediction", "p(a)", "x", "y"]
    write_rows(tmp_path / "t.csv", names, [[f"r{i}", f"q{i}", f"s{i}", i % 7, "ab"[i % 2]] for i in range(30)])
    train = ("train", "t.csv", "--target", "y", "--identifier", "row,prediction,p(a)", "--out", "m.suffice")
    assert cli(*train).code == 0
    first, *_ = json.loads(cli("predict", "m.suffice", "t.csv", "--format", "json").out)
    assert list(first) == ["row", "row_2", "prediction_2", "p(a)_2", "prediction", "p(a)", "p(b)"]
    assert [first[name] for name in ("row", "row_2", "prediction_2", "p(a)_2")] == [0, "r0", "q0", "s0"]
    assert first["prediction"] in ("a", "b")
    assert cli("predict", "m.suffice", "t.csv").out.splitlines()[0] == ",".join(first)
