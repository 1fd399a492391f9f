"""Bad input gets one sentence that says what must hold, what came, and what to do."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from suffice import GaussianNB, NaiveBayes
from suffice.core.errors import BadInput
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format
from suffice.sources.tables.analyzer import Analyzer

SENTENCE = r"^[^\n]+: [^\n]+ must [^\n]+, got [^\n]+\. [^\n]+\.?$"


def read(what: Any, *arguments: Any, **options: Any) -> None:
    for _ in open_rows(what, *arguments, **options).chunks():
        pass


def csv(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def weights(*cells: str) -> io.BytesIO:
    return csv("x,y,w\n" + "".join(f"{i},a,{cell}\n" for i, cell in enumerate(cells)))


def zip_of(folder: Path, *names: str) -> Path:
    with zipfile.ZipFile(folder / "many.zip", "w") as archive:
        for name in names:
            archive.writestr(name, "a,b\n1,2\n")
    return folder / "many.zip"


def locked_zip(folder: Path) -> Path:
    """An archive that says it has a password."""
    path = zip_of(folder, "a.csv")
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag of the member
    data[data.index(b"PK\x01\x02") + 8] |= 1  # and in the list of members
    path.write_bytes(data)
    return path


def folder_with(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("a,b\n1,2\n")
    return folder


def file_of(folder: Path, data: bytes, name: str = "t.csv") -> Path:
    (folder / name).write_bytes(data)
    return folder / name


def damaged_parquet(folder: Path) -> Path:
    path = folder / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"a": list(range(1000))}), path)
    return file_of(folder, path.read_bytes()[:-100], "cut.parquet")


def unreadable(folder: Path) -> Path:
    """A name that exists but cannot be opened: a link to itself."""
    os.symlink(folder / "self.csv", folder / "self.csv")
    return folder / "self.csv"


BIG = "x\n" + "1\n" * 20_000
MESSAGES: dict[str, tuple[Callable[[Path], Any], str]] = {
    # what
    "no such file": (lambda f: read(f / "nowhere.csv"), r"the path must be of a file, .*nowhere\.csv"),
    "a file of nearly that name": (lambda f: (file_of(f, b"a\n1\n"), read(f / "tt.csv")), r"Near it: 't\.csv'\."),
    "a pattern without files": (lambda f: read(str(f / "*.csv")), "the pattern must be of files that exist"),
    "an empty folder": (lambda f: read(f), "the folder must be of at least one file"),
    "columns in folder names": (
        lambda f: read(folder_with(f, "year=2020/a.csv")),
        r"got 'year=2020'\. Write the column",
    ),
    "an empty list": (lambda f: read([]), "what must be at least one file or table"),
    "paths and tables": (lambda f: read(["a.csv", {"x": [1]}]), "a list of paths or a list of tables"),
    "a number": (lambda f: read(5), "what must be a path, a folder, a pattern, an open file, a table"),
    "bytes": (lambda f: read(b"a,b"), "what must be a path"),
    "unreadable": (lambda f: read([unreadable(f)]), r"the path must be of a file|the file must be readable"),
    "a closed file": (
        lambda f: (file := csv("a\n1\n"), file.close(), read(file)),
        "the file must be open, got 'a closed one'",
    ),
    "a lazy table": (lambda f: read(iter([object()])), "the table must be an array"),
    # options
    "roles that are none": (lambda f: read(csv("a\n"), {"target": "a"}), "roles must be a Roles"),
    "kinds that are none": (lambda f: read(csv("a\n"), None, ["count"]), "kinds must be a Mapping"),
    "a format that is none": (lambda f: read(csv("a\n"), format="csv"), "format must be a Format"),
    "an unknown engine": (
        lambda f: read(csv("a\n"), engine="duckdb"),
        r"engine must be one of \['csv', 'pyarrow'\] or None",
    ),
    "an unknown encoding": (
        lambda f: Format(encoding="utf-9"),
        "encoding must be the name of a text encoding, got 'utf-9'",
    ),
    "a codec of bytes": (lambda f: Format(encoding="hex"), "encoding must be the name of a text encoding, got 'hex'"),
    "no encoding": (
        lambda f: Format(encoding=None),  # type: ignore[arg-type]
        "encoding must be the name of a text encoding",
    ),
    "two separators": (lambda f: Format(separator=";;"), "separator must be one ASCII character or None"),
    "a strange separator": (lambda f: Format(separator="→"), "separator must be one ASCII character or None"),
    "a line end as separator": (lambda f: Format(separator="\n"), "separator must be one ASCII character or None"),
    "two quotes": (lambda f: Format(quote="''"), "quote must be one ASCII character or None"),
    "a strange decimal": (lambda f: Format(decimal="·"), 'decimal must be one of "." and ","'),
    "separator and decimal": (lambda f: Format(separator=",", decimal=","), "separator must be another character than"),
    "missing as one text": (
        lambda f: Format(missing="NA"),  # type: ignore[arg-type]
        "missing must be a tuple of texts",
    ),
    "a limit above 1": (lambda f: Format(limit=5), "limit must be a share from 0 to 1, got 5"),
    "no limit": (lambda f: Format(limit=float("nan")), "limit must be a share from 0 to 1"),
    "a block of nothing": (lambda f: Format(block=0), "block must be a whole number of bytes, at least 1"),
    # columns
    "no such target": (
        lambda f: read(csv("Age,Ill\n1,a\n"), Roles(target="ill_")),
        r"the target column must be one .* Did you mean 'Ill'\?",
    ),
    "no such weight": (
        lambda f: read(csv("a,b\n1,2\n"), Roles(weight="w")),
        r"the weight column must be one of the columns \('a', 'b'\), got 'w'",
    ),
    "no such group": (
        lambda f: read(csv("a,b\n1,2\n"), Roles(group="zzz")),
        "the group column must be one of the columns",
    ),
    "nothing to ignore": (
        lambda f: read(csv("a,b\n1,2\n"), Roles(ignore="c")),
        "the ignore column must be one of the columns",
    ),
    "no such identifier": (
        lambda f: read(csv("a,b\n1,2\n"), Roles(identifier=("id",))),
        "the identifier column must be one of",
    ),
    "one column, two roles": (
        lambda f: Roles(target="a", weight="a"),
        "every column must be named in one role, got \"'a' in two\"",
    ),
    "ignore is no list": (
        lambda f: Roles(ignore=5),  # type: ignore[arg-type]
        "ignore must be a tuple of column names",
    ),
    "nothing left": (
        lambda f: read(csv("a,b\n1,2\n"), Roles(target="a", ignore="b")),
        "the table must be left with a column",
    ),
    "kinds of no column": (
        lambda f: read(csv("a,b\n1,2\n"), None, {"c": "count"}),
        r"kinds must be about columns of the table",
    ),
    "a kind of nothing": (
        lambda f: read(csv("a,b\n1,2\n"), None, {"a": "number"}),
        "the kind of column 'a' must be one of boolean",
    ),
    "an unknown kind": (
        lambda f: read(csv("a,b\n1,2\n"), None, {"a": "unknown"}),
        "the kind of column 'a' must be one of boolean",
    ),
    "other columns": (
        lambda f: read([file_of(f, b"a,b\n1,2\n"), file_of(f, b"a,c\n1,2\n", "u.csv")]),
        r"u\.csv: the table must be of the same columns .* got \"'b' in one",
    ),
    "empty names only": (lambda f: read(csv(",,\n1,2,3\n")), "the header must name the columns, got empty names only"),
    # contents
    "an empty file": (
        lambda f: read(file_of(f, b"")),
        r"t\.csv: the file must hold a header and rows, got an empty one",
    ),
    "blank lines only": (lambda f: read(csv("\n\n  \n")), "the file must hold a header and rows, got an empty one"),
    "a header only": (lambda f: read(csv("a,b\n")), "the table must hold rows, got none below the names"),
    "no tables": (lambda f: read(iter([])), "the table must hold rows"),
    "tables without rows": (lambda f: read([pd.DataFrame({"a": []})]), "the table must hold rows"),
    "a wrong encoding": (
        lambda f: read(io.BytesIO("ä\n1\n".encode("cp1252"))),
        "must be utf-8, got byte 0xe4 at position 0",
    ),
    "half a UTF-16 character": (
        lambda f: read(io.BytesIO("a\n1".encode("utf-16")[:-1])),
        "must be utf-16, got byte 0x31 at position 6",
    ),
    "cut gzip": (lambda f: read(file_of(f, gzip.compress(b"a,b\n" * 9999)[:-9])), "the packed file must be whole"),
    "damaged gzip": (lambda f: read(io.BytesIO(b"\x1f\x8b\x08\x00junkjunkjunkjunk")), "the packed file must be whole"),
    "damaged bzip2": (lambda f: read(io.BytesIO(b"BZh9junkjunkjunkjunkjunk")), "the packed file must be whole"),
    "damaged xz": (lambda f: read(io.BytesIO(b"\xfd7zXZ\x00junkjunkjunkjunkjunk")), "the packed file must be whole"),
    "damaged zip": (lambda f: read(io.BytesIO(b"PK\x03\x04junkjunkjunkjunkjunkjunk")), "the packed file must be whole"),
    "a zip of two files": (
        lambda f: read(zip_of(f, "a.csv", "b.csv")),
        r"an archive of one file, got \['a\.csv', 'b\.csv'\]",
    ),
    "a zip of nothing": (lambda f: read(zip_of(f)), r"an archive of one file, got \[\]"),
    "a zip with a password": (lambda f: read(locked_zip(f)), "the archive must be without a password"),
    "zstd": (lambda f: read(io.BytesIO(b"\x28\xb5\x2f\xfd" + b"x" * 20)), r"the file must be CSV .*, got zstd"),
    "PDF": (lambda f: read(io.BytesIO(b"%PDF-1.7 and more of it")), "got PDF"),
    "an old Excel file": (lambda f: read(io.BytesIO(b"\xd0\xcf\x11\xe0" + b"x" * 20)), "got an old Excel workbook"),
    "damaged Parquet": (lambda f: read(damaged_parquet(f)), "the parquet file must be whole"),
    "damaged Arrow": (lambda f: read(io.BytesIO(b"ARROW1\x00\x00" + b"x" * 50)), "the arrow file must be whole"),
    "Feather of old": (lambda f: read(io.BytesIO(b"FEA1" + b"x" * 50)), "the file must be Parquet or Arrow of today"),
    "an open quote": (
        lambda f: read(csv('a,b\n1,"x\n2,y\n3,z\n')),
        "every quote must be closed, got an open one at position 6",
    ),
    "too many bad cells": (
        lambda f: read(csv(BIG + "word\n" * 250), None, {"x": "count"}, format=Format(block=1 << 14)),
        r"the cells of column 'x' must be numbers, but for a share of 0\.01, got 'word' in row 20000, the first of 250 "
        r"in 20250 cells\. Declare its kind, such as kinds=\{'x': 'categorical'\}",
    ),
    "too many bad dates": (
        lambda f: read(csv("x\n2020-01-01\n2020-02-30\n"), None, {"x": "date"}),
        "must be dates, but for",
    ),
    "too many bad truths": (lambda f: read(csv("x\n1\n2\n"), None, {"x": "boolean"}), "must be Booleans, but for"),
    "too many out of order": (
        lambda f: read(csv("x\nlow\nmid\n"), None, {"x": ["low", "high"]}),
        "must be values of its order",
    ),
    "too many long rows": (
        lambda f: read(csv("a,b\n" + "1,2\n" * 9 + "1,2,3\n")),
        "rows must have as many cells as the header",
    ),
    # target and weight
    "numbers as target": (
        lambda f: read(csv("x,y\n1,2\n2,2.5\n"), Roles(target="y")),
        r"the labels of target 'y' must be classes, got 2\.5 in row 1",
    ),
    "text as target": (
        lambda f: read(csv("x,y\n1,2\n"), Roles(target="y"), {"y": "text"}),
        "the kind of target 'y' must be one whose values are classes",
    ),
    "labels that are no dates": (
        lambda f: read(csv("x,y\n1,yes\n2,2020-01-02\n"), Roles(target="y"), {"y": "date"}),
        "the cells of column 'y' must be dates, but for a share of 0.01, got 'yes' in row 0",
    ),
    "typed numbers as target": (
        lambda f: read({"x": [1, 2], "y": [0.5, 1.0]}, Roles(target="y")),
        "labels must be classes",
    ),
    "a negative weight": (
        lambda f: read(weights("1", "-2"), Roles("y", "w")),
        "the weights of column 'w' must be numbers of at least 0 in every row, got -2 in row 1",
    ),
    "a weight that is none": (lambda f: read(weights("1", "1", "heavy"), Roles("y", "w")), "got 'heavy' in row 2"),
    "a missing weight": (lambda f: read(weights("1", ""), Roles("y", "w")), "got nothing in row 1"),
    "an infinite weight": (lambda f: read(weights("1", "inf"), Roles("y", "w")), "got 'inf' in row 1"),
    "a negative typed weight": (
        lambda f: read([{"x": [1], "w": [1]}, {"x": [1], "w": [-1]}], Roles(weight="w")),
        "got -1 in row 1",
    ),
    "typed weights of text": (
        lambda f: read({"x": [1], "w": ["a"]}, Roles(weight="w")),
        "the cells of column 'w' must be real numbers",
    ),
    # learning
    "a path of no file": (lambda f: NaiveBayes().learn("t.csv"), "the path must be of a file, a folder or a pattern"),
    "rows without a target": (lambda f: NaiveBayes().learn(open_rows(csv("a\n1\n"))), "the rows must be with a target"),
    "a drop-in": (
        lambda f: GaussianNB().learn(open_rows(csv("a,y\nx,b\n"), Roles("y"))),
        "the features must be columns of numbers, got 'a', which is categorical",
    ),
    "another analyzer": (
        lambda f: NaiveBayes().learn(open_rows(csv("a,y\n1,b\n"), Roles("y"), analyzer=Analyzer(ngrams=(1, 2)))),
        "the analyzer of the rows must be that of the model",
    ),
    "no label anywhere": (
        lambda f: NaiveBayes().learn(open_rows(csv("a,y\n1,\n2,NA\n"), Roles("y"))),
        "the target 'y' must be present in a row",
    ),
    "no weight anywhere": (
        lambda f: NaiveBayes().learn(open_rows(weights("0", "0"), Roles("y", "w"))),
        "present in a row that weighs more than 0",
    ),
    "no features": (
        lambda f: NaiveBayes().learn(open_rows(csv("a,y\nNA,b\n,c\n"), Roles("y"))),
        "column that a model can learn from",
    ),
    "kinds that do not join": (
        lambda f: read([{"x": [1]}, {"x": ["a"]}]),
        "the kind of column 'x' must be one in all tables",
    ),
    "an order of other values": (
        lambda f: NaiveBayes(kinds={"x": ["low", "high"]}).learn(
            open_rows([{"x": ["low"], "y": [1]}, {"x": ["mid"], "y": [2]}], Roles("y"))
        ),
        "the cells of column 'x' must be among .*, got 'mid' in row 1",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_message(case: str, tmp_path: Path) -> None:
    act, message = MESSAGES[case]
    with pytest.raises(BadInput, match=message) as caught:
        act(tmp_path)
    text = str(caught.value)
    assert "\n" not in text
    assert " must " in text
    assert ", got " in text


def test_the_limit_fails_before_the_end() -> None:
    """After enough rows, nobody waits for the rest of a large file."""
    rows = open_rows(csv(BIG + "word\n" * 2_000_000), kinds={"x": "count"}, format=Format(block=1 << 14))
    with pytest.raises(BadInput, match="the cells of column 'x'"):
        list(rows.chunks())
    assert rows.report.rows < 50_000


def test_an_iterator_is_read_once() -> None:
    def tables() -> Iterator[Any]:
        yield {"x": [1.0, 2.0]}
        yield {"x": np.array([3.0])}

    rows = open_rows(tables())
    assert [chunk.start for chunk in rows.chunks()] == [0, 2]
    with pytest.raises(BadInput, match="an iterator of tables must be read once, got a second pass"):
        list(rows.chunks())


def test_nothing_is_half_learned(tmp_path: Path) -> None:
    """A model that fails to learn is as it was before."""
    path = file_of(tmp_path, ("x,y\n" + "1,a\n2,b\n" * 9000 + "word,a\n" * 999).encode())
    model = NaiveBayes().fit({"x": [1.0, 2.0]}, ["a", "b"])
    before = dict(vars(model))
    with pytest.raises(BadInput, match="the cells of column 'x'"):
        model.learn(open_rows(path, Roles("y"), kinds={"x": "count"}, format=Format(block=1000)))
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())


def test_an_error_of_a_stream_comes_as_it_is() -> None:
    def tables() -> Iterator[Any]:
        yield {"x": [1.0]}
        raise RuntimeError("the line is dead")

    with pytest.raises(RuntimeError, match="the line is dead"):
        list(open_rows(tables()).chunks())
