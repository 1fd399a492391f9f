"""Spark, with two executor processes and with threads: models and answers are those of rows in memory.

All models come from 7 partitions here, some from 1 and 64; `python -m benchmarks.engines --equal` takes all from 1, 7
and 64.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as S
from suffice.app.main import run
from suffice.core.errors import BadInput, NegativeCounts
from suffice.evaluation import cross_validate
from suffice.sources import Roles, open_engine
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.engines.spark import SparkFrame
from suffice.sources.engines.spark_scans import ScannedFrame, scan_of
from tests.conftest import NO_JAVA
from tests.sources.engines.engine_models import (
    CASES,
    MIXED,
    NUMBERS,
    ROWS,
    assert_same,
    columns,
    in_memory,
    on_engine,
)

pytestmark = [
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore"),  # what other libraries warn of
    pytest.mark.skipif(shutil.which("java") is None, reason=NO_JAVA),
]
MANY = ("NaiveBayes",)  # from 1 and 64 partitions too
PROCESSES, THREADS = "local-cluster[2,1,1024]", "local[2]"


QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"  # Java that starts quickly, for little work
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.executorEnv.PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    "spark.executor.memory": "1g",
    "spark.driver.extraJavaOptions": QUICK,
    "spark.executor.extraJavaOptions": QUICK,
    "spark.default.parallelism": "2",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",  # plans are compiled for many rows
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def session(master: str):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    built = SparkSession.builder.master(master)
    for name, value in SETTINGS.items():
        built = built.config(name, value)
    found = built.getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    return found


running: dict[str, Any] = {}


def started(master: str):
    """The session of a master: there is one at a time."""
    if master not in running or running[master].sparkContext._jsc is None:
        stop()
        running[master] = session(master)
    return running[master]


def stop() -> None:
    for found in running.values():
        found.stop()
    running.clear()
    whole.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def stopped():
    yield
    stop()


@pytest.fixture
def spark():
    """Two threads: their Java is started once."""
    return started(THREADS)


@pytest.fixture
def executors():
    """Two executors, processes of their own."""
    return started(PROCESSES)


def frame(spark, rows: pd.DataFrame, k: int):
    """A data frame of k partitions, some of them empty where rows are few."""
    if rows.index.equals(ROWS.index):
        return whole(spark, k).select(*rows.columns)
    return made(spark, rows, k)


@cache
def whole(spark, k: int):
    """All rows, which Java keeps: no worker of Python makes them again."""
    return made(spark, ROWS, k).cache()


def made(spark, rows: pd.DataFrame, k: int):
    records = [tuple(None if v != v else v for v in row) for row in rows.astype(object).itertuples(index=False)]
    types = ", ".join(f"{name} {'string' if rows[name].dtype.kind in 'OU' else 'double'}" for name in rows.columns)
    types = types.replace("k double", "k long").replace("m double", "m long")
    edges = np.linspace(0, len(records), k + 1).astype(int)
    parts = [records[a:b] for a, b in pairwise(edges)]
    return spark.createDataFrame(spark.sparkContext.parallelize(parts, k).flatMap(list), types)


@pytest.mark.parametrize("name", CASES)
def test_partitions_give_the_model_of_memory(spark, name):
    case = CASES[name]
    if name == "Forest":  # bootstraps go by the numbers of rows, which are others here
        case = case._replace(make=lambda: S.Forest(2, max_depth=1, bootstrap=False))
    expected = in_memory(case)
    for k in (1, 7, 64) if name in MANY else (7,):
        assert_same(case, on_engine(case, frame(spark, ROWS[columns(case)], k)), expected)


def test_answers_are_columns_beside_their_rows(spark):
    case = CASES["NaiveBayes"]
    model, rows = in_memory(case), frame(spark, ROWS[columns(case)], 7)
    found = model.predict_proba(rows).toPandas()
    assert found.columns.tolist() == [*columns(case), *model.classes_]
    expected = model.predict_proba(found[MIXED])
    np.testing.assert_allclose(found[list(model.classes_)], expected, rtol=1e-12)
    assert len(found) == len(ROWS)
    told = model.predict(rows).toPandas()
    assert (told.prediction == model.predict(told[MIXED])).all()
    rows = open_engine(rows, target="ill")
    assert model.score(rows) == model.score(ROWS[MIXED], ROWS.ill)


def test_what_is_drawn_goes_by_the_rows_not_by_their_partitions(spark):
    rows = ROWS[[*NUMBERS, "two"]]
    frames = [frame(spark, rows, 7), made(spark, rows.sample(frac=1.0, random_state=1), 3).cache()]
    found = [S.KMeans(3, n_init=1, random_state=0, max_iter=1).fit(some.select(NUMBERS)) for some in frames]
    np.testing.assert_allclose(*(model.cluster_centers_ for model in found), rtol=1e-12)
    losses = [cross_validate(S.GaussianNB(), some, target="two", cv=2).values("log_loss") for some in frames]
    np.testing.assert_allclose(*losses, rtol=1e-12)


def test_answers_named_as_columns_of_the_rows_are_told_apart(spark):
    rows = frame(spark, ROWS[NUMBERS], 2)
    scaler = S.StandardScaler().fit(ROWS[NUMBERS])
    answers = scaler.transform(rows)
    assert answers.columns == [*NUMBERS, *(f"{name}_answer" for name in NUMBERS)]
    found = answers.toPandas()
    expected = scaler.transform(found[NUMBERS])
    np.testing.assert_allclose(found.iloc[:, len(NUMBERS) :], np.asarray(expected), rtol=1e-12)
    model = S.Ridge().fit(ROWS[NUMBERS], ROWS.t)
    assert model.predict(model.predict(rows)).columns == [*NUMBERS, "prediction", "prediction_answer"]


def test_rows_that_spark_knows_not_to_be_are_refused_as_no_rows(spark):
    nothing = spark.createDataFrame(pd.DataFrame({"a": [1.0, 2.0], "ill": ["x", "y"]})).filter("a > 5")
    for refused in (lambda: S.NaiveBayes().fit(nothing, target="ill"), lambda: S.describe(nothing)):
        with pytest.raises(BadInput, match="X must be a table with rows, got empty partitions"):
            refused()
    with pytest.raises(BadInput, match="X must be a table with rows, got empty partitions"):
        S.LogisticRegression().fit(nothing, target="ill")


def test_vector_columns_are_taken_apart(spark):
    from pyspark.ml.functions import array_to_vector
    from pyspark.sql.functions import array, col

    numbers = array_to_vector(array(*(col(name).cast("double") for name in NUMBERS)))
    for said in ({}, {"ml_attr": {"num_attrs": 3}}):  # as a VectorAssembler says it; else the first row tells
        rows = frame(spark, ROWS[[*NUMBERS, "two"]], 7).select(numbers.alias("x", metadata=said), "two")
        model = S.GaussianNB().fit(rows, target="two")
        np.testing.assert_allclose(model.theta_, S.GaussianNB().fit(ROWS[NUMBERS], ROWS.two).theta_, rtol=1e-12)
        assert model.feature_names_in_.tolist() == ["x_0", "x_1", "x_2"]
    assert model.predict(rows).count() == len(ROWS)


def test_folders_of_files_keep_the_order_of_rows(spark, tmp_path):
    case = CASES["NaiveBayes"]
    rows = ROWS[columns(case)]
    for number in range(3):
        rows.iloc[20 * number : 20 * number + 20].to_parquet(tmp_path / f"{number}.parquet", index=False)
    opened, expected = open_engine(tmp_path, "spark", target="ill"), in_memory(case)
    assert_same(case, S.NaiveBayes().fit(opened), expected)
    np.testing.assert_allclose(expected.predict_proba(opened).toPandas(), expected.predict_proba(rows[MIXED]))
    found = cross_validate(S.NaiveBayes(), opened, cv=3).values("log_loss")
    theirs = cross_validate(S.NaiveBayes(), rows[MIXED], rows.ill, cv=3).values("log_loss")
    np.testing.assert_allclose(found, theirs, rtol=1e-12)


def test_rows_of_models_in_passes_are_asked_for_once_and_let_go(spark, tmp_path):
    mark = str(tmp_path / "mark")

    def noted(batches):
        for batch in batches:
            with open(mark, "a") as file:
                file.write("." * batch.num_rows)
            yield batch

    rows = frame(spark, ROWS[[*NUMBERS, "two"]], 3)
    rows.count()  # Java keeps them from here on

    def held() -> set[int]:  # of which Java may let others go meanwhile
        return set(spark.sparkContext._jsc.getPersistentRDDs().keySet())

    before = held()
    expected = S.LogisticRegression(max_iter=3).fit(ROWS[NUMBERS], ROWS.two)
    for keep, often in ((None, 1), (0, 5)):
        opened = open_engine(rows.mapInArrow(noted, rows.schema), target="two", keep=keep)
        model = S.LogisticRegression(max_iter=3).fit(opened)
        np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-9)
        assert len(Path(mark).read_text()) == often * len(ROWS)
        assert held() <= before
        Path(mark).unlink()


def test_data_frames_of_files_are_read_by_workers(spark, tmp_path):
    for number in range(3):
        rows = ROWS.iloc[20 * number : 20 * number + 20]
        rows.to_parquet(tmp_path / f"{number} +.parquet", index=False, row_group_size=7)
    read = spark.read.parquet(str(tmp_path))
    for name in ("NaiveBayes", "LogisticRegression"):  # one pass, and several
        case = CASES[name]
        for types in (None, ("no type of Arrow",)):  # workers find what they look for, or they do not
            partitions = ScannedFrame(SparkFrame(read.select(columns(case))), read.select(columns(case)))
            if types is None:  # Spark is not asked for rows
                partitions.rows = SimpleNamespace(for_passes=lambda: None)
            else:
                partitions.scan = partitions.scan._replace(types=dict.fromkeys(columns(case), types))
            model = case.make().fit(PartitionedRows(partitions, Roles(case.target)))
            assert_same(case, model, in_memory(case))
            assert partitions.lacking is (name == "NaiveBayes" and types is not None)


def test_data_frames_that_are_more_than_files_are_known(spark, tmp_path):
    from pyspark.sql.functions import col

    ROWS.to_parquet(tmp_path / "rows.parquet", index=False)
    read = spark.read.parquet(str(tmp_path / "rows.parquet"))
    for files in (read, read.select("v", "u"), read.drop("c"), read.alias("other")):
        assert [piece.path for some in scan_of(files).pieces for piece in some] == [str(tmp_path / "rows.parquet")]
    read.select("u", "v").write.partitionBy("v").parquet(str(tmp_path / "by v"))
    more = [
        read.filter("u > 0"),
        read.limit(9),
        read.sample(0.5),
        read.union(read),
        read.repartition(2),
        read.distinct(),
    ]
    more += [read.withColumn("z", col("u") + 1), read.select(col("u").alias("v")), read.select(col("u").cast("float"))]
    more += [read.select("u", "_metadata.file_path"), spark.read.parquet(str(tmp_path / "by v")), spark.range(3)]
    more += [
        spark.read.schema("u date").parquet(str(tmp_path / "rows.parquet")),
        read.join(read, "v"),
        read.select("v", "u").cache(),
    ]
    more += [read.select(), read.select("u", "u")]
    assert [scan_of(frame) for frame in more] == [None] * len(more)


def test_refusals_are_one_sentence(spark):
    rows = frame(spark, ROWS[[*NUMBERS, "two"]], 2)
    with pytest.raises(NegativeCounts, match=r"MultinomialNB \(partition \d\): X must be at least 0"):
        S.MultinomialNB().fit(rows, target="two")
    with pytest.raises(BadInput, match="a table in memory"):
        S.SVC().fit(rows, target="two")
    with pytest.raises(BadInput, match="Pass target='name'"):
        S.GaussianNB().fit(rows, y=["low"])
    with pytest.raises(BadInput, match="Make it one"):
        S.GaussianNB().fit(rows.rdd, target="two")
    with pytest.raises(BadInput, match="empty partitions"):
        S.GaussianNB().fit(rows.filter("u > 1e9"), target="two")


def test_an_interrupted_fit_leaves_no_job(spark):
    def slow(batches):
        for batch in batches:
            time.sleep(1.0)
            yield batch

    rows = frame(spark, ROWS[[*NUMBERS, "two"]], 7)
    model, told = S.GaussianNB(), []
    opened = open_engine(rows.mapInArrow(slow, rows.schema), target="two", progress=lambda *done: told.append(done))
    threading.Timer(1.0, signal.raise_signal, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(opened)
    end = time.monotonic() + 20
    tracker = spark.sparkContext.statusTracker()
    while tracker.getActiveJobsIds() and time.monotonic() < end:
        time.sleep(0.1)
    assert not tracker.getActiveJobsIds()
    assert not hasattr(model, "fitted_")


@pytest.mark.parametrize("name", ["NaiveBayes", "KMeans"])
def test_processes_do_as_threads_do(executors, name):
    case = CASES[name]
    told: list[tuple[int, int]] = []
    rows = frame(executors, ROWS[columns(case)], 7)
    rows = open_engine(rows, target=case.target, progress=lambda *done: told.append(done))
    assert_same(case, case.make().fit(rows), in_memory(case))
    assert told[-1] == (7, 7)


def test_an_executor_that_is_killed_changes_nothing(executors, tmp_path):
    case, mark = CASES["NaiveBayes"], str(tmp_path / "mark")

    def dies_once(batches):
        for batch in batches:
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
                continue
            daemon = Path(f"/proc/{os.getppid()}/stat").read_text()
            executor = int(daemon.rpartition(")")[2].split()[1])
            Path(mark).write_text(Path(f"/proc/{executor}/cmdline").read_text())
            os.kill(executor, signal.SIGKILL)

    rows = frame(executors, ROWS[columns(case)], 7)
    assert_same(case, on_engine(case, rows.mapInArrow(dies_once, rows.schema)), in_memory(case))
    assert "ExecutorBackend" in Path(mark).read_text()


def test_a_command_reads_parts_on_spark_as_it_does_here(tmp_path, capsys):
    stop()  # a command has a session of its own
    (tmp_path / "parts").mkdir()
    for number in range(3):
        ROWS.iloc[20 * number : 20 * number + 20].to_parquet(tmp_path / "parts" / f"{number}.parquet", index=False)
    line = ["train", str(tmp_path / "parts"), "--target", "ill", "--ignore", "two,t", "--out", str(tmp_path / "model")]
    told = []
    for engine in ([], ["--engine", "spark", "--workers", "2"]):
        assert run([*line, *engine]) == 0
        told.append((capsys.readouterr().out, (tmp_path / "model").read_bytes()))
    assert told[0] == told[1]
    line = ["predict", str(tmp_path / "model"), str(tmp_path / "parts"), "--engine", "spark", "--workers", "2"]
    assert run([*line, "--out", str(tmp_path / "answers")]) == 0
    assert len((tmp_path / "answers" / "part-00002.csv").read_text().splitlines()) == 21
