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
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import suffice as S
from suffice.app.main import run
from suffice.core.errors import BadInput, NegativeCounts
from suffice.evaluation import cross_validate
from suffice.sources import open_engine
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
MANY = ("NaiveBayes", "Ridge")  # from 1 and 64 partitions too


def session(master: str):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    path = os.pathsep.join(filter(None, sys.path))
    built = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    built = built.config("spark.ui.showConsoleProgress", "false").config("spark.executorEnv.PYTHONPATH", path)
    built = built.config("spark.default.parallelism", "2").config("spark.sql.shuffle.partitions", "2")
    found = built.config("spark.executor.memory", "1g").getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    return found


@pytest.fixture(scope="module")
def spark():
    """Two executors, processes of their own."""
    found = session("local-cluster[2,1,1024]")
    yield found
    found.stop()


def frame(spark, rows: pd.DataFrame, k: int):
    """A data frame of k partitions, some of them empty."""
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
    shuffled = rows.sample(frac=1.0, random_state=1)
    found = [
        S.KMeans(3, n_init=2, random_state=0, max_iter=2).fit(frame(spark, some[NUMBERS], k)).cluster_centers_
        for some, k in ((rows, 2), (shuffled, 5))
    ]
    np.testing.assert_allclose(*found, rtol=1e-12)
    losses = [
        cross_validate(S.GaussianNB(), frame(spark, some, k), target="two", cv=2).values("log_loss")
        for some, k in ((rows, 2), (shuffled, 5))
    ]
    np.testing.assert_allclose(*losses, rtol=1e-12)


def test_vector_columns_are_taken_apart(spark):
    from pyspark.ml.feature import VectorAssembler

    rows = frame(spark, ROWS[[*NUMBERS, "two"]], 3)
    rows = VectorAssembler(inputCols=NUMBERS, outputCol="x").transform(rows).select("x", "two")
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


def test_an_executor_that_is_killed_changes_nothing(spark, tmp_path):
    case, mark = CASES["NaiveBayes"], str(tmp_path / "mark")

    def dies_once(batches):
        for batch in batches:
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
                continue
            os.kill(os.getpid(), signal.SIGKILL)

    rows = frame(spark, ROWS[columns(case)], 3)
    assert_same(case, on_engine(case, rows.mapInArrow(dies_once, rows.schema)), in_memory(case))
    assert Path(mark).exists()


def test_an_interrupted_fit_leaves_no_job(spark):
    def slow(batches):
        for batch in batches:
            time.sleep(1.0)
            yield batch

    rows = frame(spark, ROWS[[*NUMBERS, "two"]], 40)
    model, told = S.GaussianNB(), []
    opened = open_engine(rows.mapInArrow(slow, rows.schema), target="two", progress=lambda *done: told.append(done))
    threading.Timer(2.0, signal.raise_signal, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(opened)
    end = time.monotonic() + 20
    tracker = spark.sparkContext.statusTracker()
    while tracker.getActiveJobsIds() and time.monotonic() < end:
        time.sleep(0.1)
    assert not tracker.getActiveJobsIds()
    assert not hasattr(model, "fitted_")


def test_threads_do_as_processes_do(spark):
    spark.stop()
    threads = session("local[2]")
    try:
        for name in ("NaiveBayes", "KMeans"):
            case = CASES[name]
            told: list[tuple[int, int]] = []
            rows = frame(threads, ROWS[columns(case)], 7)
            rows = open_engine(rows, target=case.target, progress=lambda *done, told=told: told.append(done))
            model = case.make().fit(rows)
            assert_same(case, model, in_memory(case))
            assert told[-1] == (7, 7)
    finally:
        threads.stop()


def test_a_command_reads_parts_on_spark_as_it_does_here(spark, tmp_path, capsys):
    """Comes last: the session of the command ends that of the others."""
    spark.stop()
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
