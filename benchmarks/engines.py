"""Rows on Dask and Spark: speed against Spark ML, dask-ml and our own threads; what travels; workers that are killed.

    python -m benchmarks engines                      the speed bars (SUFFICE_ENGINE_ROWS rows in SUFFICE_ENGINE_PARTS)
    python -m benchmarks.engines --race spark         some of them: threads, spark, dask-ml
    python -m benchmarks.engines --travels            bytes a partition sends, and the tree of 10,000 partitions
    python -m benchmarks.engines --kill 20            kill -9 of a worker at random moments of a fit
    python -m benchmarks.engines --equal [ENGINE]     all models of the tests from 1, 7 and 64 partitions on an engine

dask-ml is raced where it is installed. Both sides have the same two processes and the same Parquet files.

Measured on two cores that six others shared (load 12 to 16), taking turns, 2,000,000 x 20 numbers in 16 parts, wall
clock, and processor seconds of all processes in brackets:

    against dask-ml 2025.1: GaussianNB 5.0x (4.5x), KMeans 4.4x (4.3x), LogisticRegression 10x (10x)
    Dask and parts against our threads, less is better: GaussianNB 0.6x, LinearRegression 0.4x, LogisticRegression 0.4x;
    GaussianNB of 20,000, 100,000, 200,000 and 500,000 rows: 1.4x, 1.8x, 0.8x, 1.0x, so that 1.5x holds from 200,000 on
    LogisticRegression on Dask, workers that keep what they read against workers that do not: 3.2x (3.1x)

Against Spark ML 4.3, session of two executors of one core, 2,000,000 rows, 16 files, taking turns, the better of two,
ratios by the clock and, in brackets, by processor seconds of all processes (load 10 to 15):

    GaussianNB          parts 5.5x (5.6x), data frame 1.8x (1.6x); processor seconds 2.0, 7.2
    LinearRegression    parts 9.5x (9.5x), data frame 3.3x (2.6x); 1.9, 7.0
    KMeans              parts 4.1x (3.4x), data frame 4.6x (3.1x); 14, 15
    GaussianMixture     parts 2.7x (3.3x), data frame 2.6x (2.7x); 20, 25
    LogisticRegression  parts (3.5x), data frame (1.2x, below the bar); 6.8, 20; not in turns: Spark ML's 24 at tol=0
    ten rounds of it at tol=0, of which it needs three and Spark ML six: 1.4x (1.9x), data frame 0.9x (1.1x)

Alone on the machine, one run, the same rows (a mixture of 200,000), by the clock and by processor seconds:

    GaussianNB          parts 7.2x (6.9x), data frame 1.49x (1.46x)
    LinearRegression    parts 9.6x (9.9x), data frame 2.7x (2.7x)
    KMeans              parts 5.7x (6.3x), data frame 2.6x (2.7x)
    GaussianMixture     parts 2.99x (3.6x), data frame 3.2x (3.5x)
    LogisticRegression  parts 4.4x (4.8x), data frame 1.45x (1.48x)
    data frames against our threads, less is better: 2.1x, 2.3x, 0.35x, 1.2x, 0.41x

Before, data frames against our threads by the clock: GaussianNB 2.0x, LinearRegression 2.9x,
LogisticRegression 0.4x. Peers that took longer than a minute made Spark end our idle workers of Python, so that turns
of KMeans, GaussianMixture and the ten rounds include new ones: LogisticRegression of parts takes 11.3 with new workers,
6.8 with those of the fit before.

Where the seconds go. A job of 16 tasks and a second stage of two costs 0.6 to 0.8 processor seconds before a row is
looked at, one of two tasks 0.1: so files share tasks, and light answers are added by the driver. Functions of RDDs and
of Arrow have workers of Python of their own: what one has kept the other has not. A worker costs 2 seconds to start:
0.4 are imports of ours, the rest is pandas, Arrow, numba and what it has compiled before. Rows of a data frame as Arrow
cost 5 to 8 for 2,000,000 rows, all of it Java's, and that is most of what GaussianNB and LinearRegression take; packing
them took 3 more, and is done only where a worker has lost what it kept. A pass over kept rows takes 0.4 for logistic
regression, 0.3 for k-means and 0.8 for a mixture of four.

20,000,000 rows, once, processor seconds, all of them first fits of a session (load 12 to 17):

    GaussianNB parts 32, data frame 100, Spark ML 96: 3.1x, 0.96x; LinearRegression parts 25, data frame 69

Killing a worker of Dask at random moments: 16 of 16 fits gave the same model, nothing left; then time was up.
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
