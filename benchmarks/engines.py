"""Rows on Dask and Spark: speed against Spark ML, dask-ml and our own threads; what travels; workers that are killed.

    python -m benchmarks engines                      the speed bars (SUFFICE_ENGINE_ROWS rows in SUFFICE_ENGINE_PARTS)
    python -m benchmarks.engines --race spark         some of them: threads, spark, dask-ml
    python -m benchmarks.engines --travels            bytes a partition sends, and the tree of 10,000 partitions
    python -m benchmarks.engines --kill 20            kill -9 of a worker at random moments of a fit
    python -m benchmarks.engines --equal [ENGINE]     all models of the tests from 1, 7 and 64 partitions on an engine

dask-ml is raced where it is installed. Both sides have the same two processes and the same Parquet files, and take
turns; the better of two counts. Processor seconds are those of all processes, of Java and of workers.

Against Spark ML 4.3 (two executors of one core, OpenBLAS), alone on the machine, by the clock and in brackets by
processor seconds, which come last, ours and theirs. 20,000,000 x 20 numbers in 16 files (a mixture: 2,000,000):

                        parts                     data frame of files       data frame with a filter
    GaussianNB          7.6x (7.9x)  3.6, 28      4.1x (4.3x)  6.0, 25      1.2x (1.2x)  22, 26
    LinearRegression    13x (13x)    3.3, 43      9.6x (10x)   4.3, 43      2.2x (2.2x)  20, 45
    LogisticRegression  4.4x (4.5x)  17, 75       3.0x (3.7x)  22, 81       1.8x (2.3x)  34, 78
    KMeans              16x (17x)    13, 208      4.6x (5.7x)  36, 205      3.0x (4.4x)  47, 210
    GaussianMixture     11x (12x)    2.3, 28      7.4x (8.1x)  3.3, 26      4.1x (4.2x)  6.1, 26

2,000,000 rows (a mixture: 200,000), after partitions of data frames of files share tasks as files do (k-means of such a
data frame 3.4x before, logistic regression 2.0x):

    GaussianNB          5.6x (6.6x)  1.1, 7.0     6.4x (6.6x)  0.8, 5.5     1.6x (1.6x)  3.9, 6.3
    LinearRegression    10x (9.9x)   0.9, 8.8     13x (13x)    0.7, 8.3     2.8x (2.8x)  3.4, 9.7
    LogisticRegression  4.6x (5.3x)  2.0, 11      3.1x (3.4x)  3.0, 10      1.7x (2.0x)  5.6, 11
    KMeans              8.6x (9.2x)  2.3, 21      5.5x (5.7x)  3.3, 19      2.5x (3.2x)  6.8, 22
    GaussianMixture     3.8x (4.4x)  1.0, 4.6     3.1x (3.8x)  0.9, 3.5     1.9x (2.3x)  1.8, 4.1

Data frames of files against our threads, times as fast: 1.0x, 1.2x, 1.7x, 1.8x, 0.84x (a quarter is asked for). The one
line below its bar is a data frame with a filter that one pass is made over: its rows are handed over by Java.

Where the seconds go. Rows that Java hands over cost 4.2 for 2,000,000 of 21 columns: 2.2 are Java's own reading of the
files, the rest rows, columns of Arrow of these, and their way to Python, whose own part is 0.6. Nothing that can be set
made it less: 2,000 or 50,000 rows a batch instead of 10,000, one task an executor, plans that are not compiled. So a
data frame that is nothing but files is read by the workers. A job of 16 tasks costs 1.0 before a row is looked at, one
of two tasks 0.1: so files share tasks, and light answers are added by the driver. A worker of Python costs 2 to start.
A pass over kept rows takes 0.4 for logistic regression, 0.3 for k-means and 0.8 for a mixture of four. Of the seven
jobs of a mixture one counts rows, one draws some to start from, five are passes; the driver itself takes 0.04 a job.

Memory, of 24 GB: workers of 20,000,000 rows with a filter had grown to 6 GB each, and the system ended three of them
(Spark began others, and the fits went on). Of rows that are known by what they hold, kept blocks had had all cells
twice.

Dask, the same 2,000,000 rows. Parts against our own threads, times as fast (two thirds are asked for): GaussianNB 1.2x
(1.3x), LinearRegression 1.0x (1.1x), LogisticRegression 1.3x (1.2x), KMeans 1.4x (1.4x), as workers keep what they have
read; a mixture 1.1x (0.9x), of 200,000 rows, half a second in all, 0.46x. Against dask-ml 2025.1: GaussianNB 4.7x,
KMeans 3.8x, LogisticRegression 8.1x. Killing a worker in the middle of a fit, in one run: 20 of 20 gave the same model,
and nothing was left.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.engine_equality import EQUAL, equal
from benchmarks.engine_kills import kill
from benchmarks.engine_rows import NAMES, ROWS, models, only, rows, write
from benchmarks.engine_travels import travels
from benchmarks.measure import HEAD, Line
from benchmarks.process_seconds import seconds_of
from suffice.sources import open_rows


def lines() -> Iterator[Line]:
    """The speed bars."""
    for race in RACES:
        yield from raced(race)


def raced(name: str) -> Iterator[Line]:
    """The bars of one race, where its peer is installed."""
    there, run = RACES[name]
    if there():
        with tempfile.TemporaryDirectory() as folder:
            for part, n in (("all", ROWS), ("few", ROWS // 10)):
                (Path(folder) / part).mkdir()
                write(Path(folder) / part, n)
            yield from run(folder)


def _raced(case: str, ours: Callable[[], Any], peer: Callable[[], Any], least: float, words: str) -> Line:
    """Taking turns, the better of two each; `least` is how many times as fast ours has to be.

    By the clock; on a busy machine the processor seconds of all processes, which are told beside, say more.
    """
    times = [(seconds_of(ours), seconds_of(peer)) for _ in range(2)]
    (a, cpu), (b, theirs) = ([min(some) for some in zip(*one, strict=True)] for one in zip(*times, strict=True))
    told = f"{words}; processor {cpu:.1f} s, {theirs:.1f} s, {theirs / cpu:.2f}x, load {os.getloadavg()[0]:.0f}"
    return Line(case, a, b, told, b / a >= least)


def _against_threads(folder: str) -> Iterator[Line]:
    """The same files: two processes of Dask against this process's own threads."""
    from distributed import Client, LocalCluster

    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        for name, (make, target) in models().items():
            some = f"{folder}/{'few' if name == 'GaussianMixture' else 'all'}"
            ours = lambda make=make, target=target, some=some: make().fit(rows(some, "dask", target))  # noqa: E731
            own = lambda make=make, target=target, some=some: make().fit(open_rows(some, only(target)))  # noqa: E731
            yield _raced(f"{name}, Dask and parts, against our threads", ours, own, 1 / 1.5, "at most 1.5x slower")


def _spark() -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    built = SparkSession.builder.master("local-cluster[2,1,3072]").config("spark.ui.enabled", "false")
    built = built.config("spark.ui.showConsoleProgress", "false")
    built = built.config("spark.executorEnv.PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    built = built.config("spark.executorEnv.OPENBLAS_NUM_THREADS", "1")  # an executor has one core
    return built.config("spark.executor.memory", "3g").config("spark.driver.memory", "3g").getOrCreate()


def _against_spark(folder: str) -> Iterator[Line]:
    """Spark ML on the same two executors, from vector columns that it has in its cache where it wants."""
    spark = _spark()
    spark.sparkContext.setLogLevel("OFF")
    try:
        for name, peer in _spark_peers().items():
            yield from _on_spark(spark, f"{folder}/{'few' if name == 'GaussianMixture' else 'all'}", name, peer)
    finally:
        spark.stop()


def _on_spark(spark: Any, folder: str, name: str, peer: Any) -> Iterator[Line]:
    from pyspark.ml.feature import VectorAssembler

    make, target = models()[name]
    assembled = VectorAssembler(inputCols=NAMES, outputCol="features").transform
    scanned = spark.read.parquet(folder)
    computed = scanned.filter("x0 >= 0")  # keeps all rows, which Java then has to hand over
    named = {} if target is None else {"target": target}
    parts = lambda: make().fit(rows(folder, "spark", target))  # noqa: E731
    whole = lambda frame=scanned: make().fit(frame.select([*NAMES, *named.values()]), **named)  # noqa: E731
    theirs = lambda frame=scanned: peer.fit(assembled(frame))  # noqa: E731
    yield _raced(f"{name}, parts, against Spark ML", parts, theirs, 3.0, "3x")
    yield _raced(f"{name}, data frame of files, against Spark ML", whole, theirs, 1.5, "1.5x")
    handed, same = (partial(one, computed) for one in (whole, theirs))
    yield _raced(f"{name}, data frame with a filter, against Spark ML", handed, same, 1.5, "1.5x")
    own = lambda: make().fit(open_rows(folder, only(target)))  # noqa: E731
    yield _raced(f"{name}, data frame of files, against our threads", whole, own, 0.25, "at most 4x slower")


def _spark_peers() -> dict[str, Any]:
    from pyspark.ml.classification import LogisticRegression, NaiveBayes
    from pyspark.ml.clustering import GaussianMixture, KMeans
    from pyspark.ml.regression import LinearRegression

    return {
        "GaussianNB": NaiveBayes(labelCol="y", modelType="gaussian"),
        "LinearRegression": LinearRegression(labelCol="t"),
        "LogisticRegression": LogisticRegression(labelCol="y"),  # to the end, as ours: the same loss in 12 digits
        "KMeans": KMeans(k=8, maxIter=10, tol=0.0, initMode="random"),
        "GaussianMixture": GaussianMixture(k=4, maxIter=5, tol=0.0),
    }


def _against_dask_ml(folder: str) -> Iterator[Line]:
    import dask.dataframe as dd
    from dask import compute
    from dask_ml import cluster, linear_model, naive_bayes
    from distributed import Client, LocalCluster

    peers = {
        "GaussianNB": naive_bayes.GaussianNB(),
        "KMeans": cluster.KMeans(n_clusters=8, max_iter=10, init="random"),
        "LogisticRegression": linear_model.LogisticRegression(max_iter=10),
    }
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as workers, Client(workers):
        folder = f"{folder}/all"
        frame = dd.read_parquet(folder)
        X, y = (some.to_dask_array().compute_chunk_sizes() for some in (frame[NAMES], frame.y))
        y = y.rechunk((X.chunks[0],))  # one column is read in larger pieces than twenty
        for name, peer in peers.items():
            make, target = models()[name]
            given = () if target is None else (y,)
            theirs = lambda peer=peer, given=given: compute(vars(peer.fit(X, *given)))  # noqa: E731  (some fit lazily)
            ours = lambda make=make, target=target: make().fit(rows(folder, "dask", target))  # noqa: E731
            yield _raced(f"{name}, parts, against dask-ml", ours, theirs, 3.0, "3x")


RACES: dict[str, tuple[Callable[[], Any], Callable[[str], Iterator[Line]]]] = {
    "threads": (lambda: True, _against_threads),
    "spark": (lambda: shutil.which("java"), _against_spark),
    "dask-ml": (lambda: importlib.util.find_spec("dask_ml"), _against_dask_ml),
}


if __name__ == "__main__":
    asked = sys.argv[1:] or ["--travels"]
    if asked[0] == "--kill":
        sys.exit(kill(int(asked[1]) if len(asked) > 1 else 20))
    if asked[0] == "--race":
        print(HEAD)
        for name in asked[1:] or RACES:
            for line in raced(name):
                print(line, flush=True)
        sys.exit()
    if asked[0] == "--equal":
        sys.exit(equal(asked[1:] or tuple(EQUAL)))
    travels()
