"""Files as the command line takes them: written in any way, packed, typed, through pipes."""

from __future__ import annotations

import gzip
import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from suffice import load
from suffice.sources.files import csv_files
from tests.app.conftest import Cli
from tests.app.tables import PLAY, clinic_rows, write, write_rows


def kinds(cli: Cli, *arguments: object) -> dict[str, str]:
    told = json.loads(cli("describe", *arguments, "--format", "json").out)
    return {line["column"]: line["kind"] for line in told["columns"]}


@pytest.mark.parametrize(
    ("text", "encoding", "options"),
    [
        (
            "größe\tname\n1,5\tBär\n2,5\tÖl\n",
            "cp1252",
            ["--separator", "tab", "--decimal", ",", "--encoding", "cp1252"],
        ),
        ("größe\tname\n1,5\tBär\n2,5\tÖl\n", "utf-8", ["--separator", "\\t", "--decimal", ","]),
        ("größe|name\n1.5|'a|b'\n2.5|c\n", "utf-8", ["--separator", "|", "--quote", "'"]),
        ('größe;name\n1.5;5" nail\n2.5;x\n', "utf-8", ["--separator", ";", "--quote", "none"]),
        ("größe,name\n1.5,a\n-9,b\nunknown,c\n", "utf-8", ["--missing", "-9,unknown"]),
        ("größe,name\n1.5,a\n2.5,b\nbig,c\n", "utf-8", ["--limit", "0.4", "--kinds", "größe=quantitative"]),
    ],
)
def test_however_it_is_written(cli: Cli, tmp_path: Path, text: str, encoding: str, options: list[str]) -> None:
    (tmp_path / "t.csv").write_bytes(text.encode(encoding))
    assert kinds(cli, "t.csv", *options) == {"größe": "quantitative", "name": "categorical"}


def test_the_same_model_from_csv_gzip_parquet_and_a_folder(cli: Cli, tmp_path: Path) -> None:
    import pyarrow.csv
    import pyarrow.parquet

    names, rows = clinic_rows(300)
    path = write_rows(tmp_path / "t.csv", names, rows)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    (tmp_path / "parts").mkdir()
    for i, half in enumerate((rows[:100], rows[100:])):
        write_rows(tmp_path / "parts" / f"{i}.csv", names, half)
    table = pyarrow.csv.read_csv(path, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    options = ("--target", "diagnosis", "--kinds", "notes=text", "--identifier", "patient")
    X = {name: [row[j] for row in rows] for j, name in enumerate(names)}
    found = []
    for what in ("t.csv", "t.csv.gz", "t.parquet", "parts"):
        assert cli("train", what, *options, "--out", "m.suffice").code == 0
        assert cli("evaluate", "m.suffice", what).code == 0
        found.append(load(tmp_path / "m.suffice").predict_proba(X))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-12)


def test_standard_input_may_be_read_twice(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    a = cli("train", "play.csv", "--target", "play", "--format", "json").out
    b = cli("train", "-", "--target", "play", "--format", "json", stdin=PLAY).out
    assert a == b


def test_a_named_pipe_may_be_read_twice(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(PLAY))
    writer.start()
    b = cli("train", "pipe", "--target", "play", "--format", "json").out
    writer.join()
    assert b == cli("train", "play.csv", "--target", "play", "--format", "json").out


def test_what_came_through_a_pipe_is_not_left_behind(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for text in (PLAY, "", "a\n"):
        cli("describe", "-", stdin=text)
        assert list(tmp_path.iterdir()) == []


def test_predictions_go_to_a_device(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    assert cli("train", "play.csv", "--target", "play", "--out", "m.suffice").code == 0
    assert cli("predict", "m.suffice", "play.csv", "--out", os.devnull).code == 0
    assert Path(os.devnull).is_char_device()


def test_a_list_of_several_lines_is_refused(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "play.csv", PLAY)
    for option in ("--ignore", "--identifier", "--missing", "--kinds"):
        result = cli("describe", "play.csv", option, "a\nb=text")
        assert result.code == 2
        assert result.err.startswith(f"suffice: Invalid value for '{option}': 'a\\nb=text' is no list of one line (")


@pytest.mark.parametrize("command", ["train", "cluster", "transform"])
def test_rows_may_be_kept_between_passes(command: str, cli: Cli, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    rows = [(f"{a:.3f}", f"{b:.3f}", "yes" if a + b > 0 else "no") for a, b in rng.normal(size=(300, 2))]
    path = write_rows(tmp_path / "rows.csv", ["a", "b", "ill"], rows)
    way = {
        "train": ("--target", "ill", "--model", "LogisticRegression", "--out", "m.suffice"),
        "cluster": ("--ignore", "ill", "--clusters", "3", "--save", "m.suffice"),
        "transform": ("--ignore", "ill", "--model", "KBinsDiscretizer+StandardScaler+PCA", "--save", "m.suffice"),
    }[command]
    reads: list[str] = []
    pages = csv_files.text_pages
    watched = lambda name, *rest: (reads.append(name), pages(name, *rest))[1]  # noqa: E731
    monkeypatch.setattr("suffice.sources.files.files.text_pages", watched)
    counts, told = [], []
    for more in ((), ("--keep", "1MB")):
        reads.clear()
        told.append(cli(command, path, *way, *more))
        counts.append(len(reads))
    assert [one.code for one in told] == [0, 0]
    assert told[0].out == told[1].out
    assert counts[1] < counts[0]
