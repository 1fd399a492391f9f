"""The same table, however it comes, gives the same model."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

from suffice import NaiveBayes
from suffice.core.summary import Together
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments

N = 3_000
SMALL = Format(block=20_000)  # many blocks
ROLES = Roles(target="ill", weight="w", identifier=("patient",), ignore=("remark",))


def table() -> pd.DataFrame:
    """Every kind, missing cells everywhere, an offset that costs digits, labels with separators, quotes, line ends."""
    rng = np.random.default_rng(7)
    hole = lambda share: rng.random(N) < share  # noqa: E731
    names = np.array(["north", "so,uth", 'we"st', "ea\nst", "  padded ", "Zürich", "日本"], dtype=object)
    frame = pd.DataFrame(
        {
            "patient": np.arange(N),
            "age": pd.array(rng.poisson(40, N), dtype="Int64"),
            "far": rng.normal(1e8, 1.0, N),
            "tiny": rng.normal(0, 1e-6, N),
            "signed": rng.integers(-5, 5, N),
            "smokes": pd.array(rng.random(N) < 0.3, dtype="boolean"),
            "site": pd.Series(names[rng.integers(0, len(names), N)], dtype="str"),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), unit="D"),
            "late": np.where(np.arange(N) < N // 2, np.nan, rng.normal(size=N)),  # unknown in the first half
            "remark": "x",
            "w": rng.integers(0, 4, N) / 2,
        }
    )
    for name in ("age", "far", "tiny", "smokes", "site", "day"):
        frame.loc[hole(0.05), name] = None
    frame["ill"] = pd.Series(np.array(["flu", "cold", "none"], dtype=object)[rng.integers(0, 3, N)], dtype="str")
    return frame


FRAME = table()


def parts(frame: Any, *ends: int) -> Iterator[Any]:
    for a, b in zip((0, *ends), (*ends, len(frame)), strict=True):
        yield frame[a:b]


def csv_text() -> str:
    return FRAME.to_csv(index=False)


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("table.csv", data)
    return out.getvalue()


def parquet(folder: Path, name: str, frame: pd.DataFrame) -> Path:
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), folder / name, row_group_size=700)
    return folder / name


def folder_of_parquet(folder: Path) -> Path:
    inside = folder / "many"
    inside.mkdir()
    for i, part in enumerate(parts(FRAME, 10, 1500, 1501)):
        parquet(inside, f"part-{i}.parquet", part)
    (inside / "_SUCCESS").write_text("")
    (inside / ".hidden").write_text("junk")
    return inside


def csv_shards(folder: Path) -> list[Path]:
    """Columns may stand in another order in each file."""
    out = []
    for i, part in enumerate(parts(FRAME, 1, 2000)):
        part = part[part.columns[::-1]] if i == 1 else part
        part.to_csv(folder / f"shard{i}.csv", index=False)
        out.append(folder / f"shard{i}.csv")
    return out


def feather(folder: Path) -> Path:
    pyarrow.feather.write_feather(
        pa.Table.from_pandas(FRAME, preserve_index=False), folder / "t.feather", chunksize=900
    )
    return folder / "t.feather"


def arrow_stream(folder: Path) -> Path:
    whole = pa.Table.from_pandas(FRAME, preserve_index=False)
    with pa.OSFile(str(folder / "t.arrows"), "wb") as sink, pa.ipc.new_stream(sink, whole.schema) as out:
        out.write_table(whole, max_chunksize=1111)
    return folder / "t.arrows"


FORMS: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda folder: FRAME,
    "polars": lambda folder: pl.from_pandas(FRAME),
    "arrow": lambda folder: pa.Table.from_pandas(FRAME, preserve_index=False),
    "csv": lambda folder: write(folder / "t.csv", csv_text().encode()),
    "csv, semicolons": lambda folder: write(folder / "t.csv", FRAME.to_csv(index=False, sep=";").encode()),
    "csv, Windows": lambda folder: write(folder / "t.csv", FRAME.to_csv(index=False, lineterminator="\r\n").encode()),
    "csv, all quoted": lambda folder: write(folder / "t.csv", FRAME.to_csv(index=False, quoting=1).encode()),
    "csv, marked": lambda folder: write(folder / "t.csv", csv_text().encode("utf-8-sig")),
    "csv, UTF-16": lambda folder: write(folder / "t.csv", csv_text().encode("utf-16")),
    "csv, open text": lambda folder: io.StringIO(csv_text()),
    "csv, open bytes": lambda folder: io.BytesIO(csv_text().encode()),
    "gzip": lambda folder: write(folder / "t.csv.gz", gzip.compress(csv_text().encode())),
    "gzip, open": lambda folder: io.BytesIO(gzip.compress(csv_text().encode())),
    "bzip2": lambda folder: write(folder / "t.csv.bz2", bz2.compress(csv_text().encode())),
    "xz": lambda folder: write(folder / "t.csv.xz", lzma.compress(csv_text().encode())),
    "zip": lambda folder: write(folder / "t.zip", zipped(csv_text().encode())),
    "csv shards": csv_shards,
    "csv pattern": lambda folder: csv_shards(folder) and str(folder / "shard*.csv"),
    "parquet": lambda folder: parquet(folder, "t.parquet", FRAME),
    "parquet, open": lambda folder: io.BytesIO(parquet(folder, "t.parquet", FRAME).read_bytes()),
    "parquet folder": folder_of_parquet,
    "feather": feather,
    "arrow stream": arrow_stream,
    "iterator": lambda folder: parts(FRAME, 1, 1, 2, 1700),
    "iterator of polars": lambda folder: parts(pl.from_pandas(FRAME), 900),
    "batches": lambda folder: pa.Table.from_pandas(FRAME, preserve_index=False).to_reader(max_chunksize=1000),
    "list": lambda folder: list(parts(FRAME, 40, 900)),
    "mapping": lambda folder: {name: FRAME[name].tolist() for name in FRAME},
    "mixed files": lambda folder: [*csv_shards(folder)[:2], parquet(folder, "rest.parquet", FRAME[2000:])],
}


@pytest.fixture(scope="module")
def whole() -> NaiveBayes:
    """What `fit` says of the whole table."""
    X = FRAME.drop(columns=["ill", "w", "remark"])
    return NaiveBayes(kinds={"patient": "identifier"}).fit(X, FRAME["ill"], FRAME["w"])


def assert_equal(a: NaiveBayes, b: NaiveBayes) -> None:
    """Counts bit for bit, moments to 1e-13, predictions to 1e-12."""
    assert a.schema_ == b.schema_
    assert a.summary_.labels == b.summary_.labels
    assert np.array_equal(a.summary_.tally.rows, b.summary_.tally.rows)
    assert np.array_equal(a.summary_.tally.weight.value, b.summary_.tally.weight.value)
    assert isinstance(a.summary_.summary, Together)
    assert isinstance(b.summary_.summary, Together)
    for mine, theirs in zip(a.summary_.summary.parts, b.summary_.summary.parts, strict=True):
        _EQUAL[type(mine)](mine, theirs)
    X = FRAME.drop(columns=["ill", "w", "remark"])
    X = {name: X[name].tolist() for name in X}
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=0, atol=1e-12)


def _equal_moments(a: Moments, b: Moments) -> None:
    assert np.array_equal(a.rows, b.rows)
    for mine, theirs in ((a.mean.value, b.mean.value), (a.variance, b.variance), (a.weight.value, b.weight.value)):
        np.testing.assert_allclose(mine, theirs, rtol=1e-13, atol=0)


def _equal_counts(a: Counts, b: Counts) -> None:
    assert len(a.labels) == len(b.labels)
    for j, labels in enumerate(a.labels):
        assert set(labels) == set(b.labels[j])
        assert {type(label) for label in labels} == {type(label) for label in b.labels[j]}
        order = [b.labels[j].index(label) for label in labels]
        assert np.array_equal(a.columns([j]).rows, b.columns([j]).rows[:, order])
        assert np.array_equal(a.columns([j]).weight, b.columns([j]).weight[:, order])


_EQUAL: dict[type, Callable[[Any, Any], None]] = {Moments: _equal_moments, Counts: _equal_counts}


@pytest.mark.parametrize("form", FORMS)
def test_same_model(form: str, tmp_path: Path, whole: NaiveBayes) -> None:
    rows = open_rows(FORMS[form](tmp_path), ROLES, format=SMALL)
    assert_equal(NaiveBayes().learn(rows), whole)
    report = rows.report
    assert report.rows == N
    assert all(column.bad == 0 for column in report.columns)
    assert report.column("site").missing == int(FRAME["site"].isna().sum())


@pytest.mark.parametrize("engine", ["csv", "pyarrow"])
@pytest.mark.parametrize("block", [300, 3_000, 1 << 22])
def test_any_block_and_engine(engine: str, block: int, tmp_path: Path, whole: NaiveBayes) -> None:
    path = write(tmp_path / "t.csv", csv_text().encode())
    rows = open_rows(path, ROLES, format=Format(block=block), engine=engine)
    assert_equal(NaiveBayes().learn(rows), whole)


def test_files_are_read_again(tmp_path: Path, whole: NaiveBayes) -> None:
    path = write(tmp_path / "t.csv.gz", gzip.compress(csv_text().encode()))
    with path.open("rb") as file:
        for what in (path, file, io.StringIO(csv_text()), [FRAME[:100], FRAME[100:]]):
            rows = open_rows(what, ROLES, format=SMALL)
            for _ in range(2):
                assert_equal(NaiveBayes().learn(rows), whole)


def test_merged_shards_equal_the_whole(tmp_path: Path, whole: NaiveBayes) -> None:
    models = []
    for i, part in enumerate(parts(FRAME, 500, 2000)):
        path = write(tmp_path / f"{i}.csv", part.to_csv(index=False).encode())
        models.append(NaiveBayes().learn(open_rows(path, ROLES, format=SMALL)))
    assert_equal(models[0].merge(*models[1:]), whole)


def test_the_comparison_can_fail(whole: NaiveBayes) -> None:
    less = NaiveBayes().learn(open_rows(FRAME.drop(index=1), ROLES))
    with pytest.raises(AssertionError):
        assert_equal(less, whole)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_chunk_of_rows_is_predicted_as_it_is(tmp_path: Path, ending: str) -> None:
    table = pa.table({"a": [1.5, 2.0, 3.0], "b": ["x", "y", "x"], "y": ["u", "v", "u"]})
    path = tmp_path / f"t{ending}"
    {".csv": pa.csv.write_csv, ".parquet": pa.parquet.write_table}[ending](table, path)
    rows = open_rows(path, roles=Roles(target="y"))
    model = NaiveBayes().learn(rows)
    found = np.concatenate([model.predict_proba(chunk.table) for chunk in rows.chunks()])
    np.testing.assert_allclose(found, model.predict_proba(table.drop_columns("y")), rtol=1e-14)
