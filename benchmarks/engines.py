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
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import suffice as S
from benchmarks.measure import HEAD, Line
from benchmarks.process_seconds import seconds_of
from suffice.sources import Roles, open_engine, open_rows
from suffice.sources.engines.partition_tasks import add_answers
from suffice.sources.engines.partitioned_source import PartitionedRows

ROWS = int(os.environ.get("SUFFICE_ENGINE_ROWS", 20_000_000))
COLUMNS, PARTS = 20, int(os.environ.get("SUFFICE_ENGINE_PARTS", 16))
NAMES = [f"x{j}" for j in range(COLUMNS)]


def lines() -> Iterator[Line]:
    """The speed bars."""
    for race in RACES:
        yield from raced(race)


def raced(name: str) -> Iterator[Line]:
    """The bars of one race, where its peer is installed."""
    there, run = RACES[name]
    if there():
        with tempfile.TemporaryDirectory() as folder:
            for part, rows in (("all", ROWS), ("few", ROWS // 10)):
                (Path(folder) / part).mkdir()
                _write(Path(folder) / part, rows)
            yield from run(folder)


def _write(folder: Path, rows: int) -> None:
    """Parquet files of numbers that are not negative, as Spark's naive Bayes wants them, and two targets."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for number in range(PARTS):
        rng = np.random.default_rng(number)
        n = rows // PARTS
        y = rng.integers(0, 2, n)
        X = np.abs(rng.normal(size=(n, COLUMNS)) + y[:, None] * np.linspace(0, 1, COLUMNS))
        cells = {name: X[:, j] for j, name in enumerate(NAMES)}
        t = X @ np.linspace(-1, 1, COLUMNS) + rng.normal(size=n)
        pq.write_table(pa.table({**cells, "y": y.astype(float), "t": t}), folder / f"{number:03}.parquet")


def _raced(case: str, ours: Callable[[], Any], peer: Callable[[], Any], least: float, words: str) -> Line:
    """Taking turns, the better of two each; `least` is how many times as fast ours has to be.

    By the clock; on a busy machine the processor seconds of all processes, which are told beside, say more.
    """
    times = [(seconds_of(ours), seconds_of(peer)) for _ in range(2)]
    (a, cpu), (b, theirs) = ([min(some) for some in zip(*one, strict=True)] for one in zip(*times, strict=True))
    told = f"{words}; processor {cpu:.1f} s, {theirs:.1f} s, {theirs / cpu:.2f}x, load {os.getloadavg()[0]:.0f}"
    return Line(case, a, b, told, b / a >= least)


def _models() -> dict[str, tuple[Callable[[], Any], str | None]]:
    start = np.abs(np.random.default_rng(0).normal(size=(8, COLUMNS)))
    return {
        "GaussianNB": (S.GaussianNB, "y"),
        "LinearRegression": (S.LinearRegression, "t"),
        "LogisticRegression": (lambda: S.LogisticRegression(penalty=None), "y"),
        "KMeans": (lambda: S.KMeans(8, init=start, n_init=1, max_iter=10, tol=0.0), None),
        "GaussianMixture": (lambda: S.GaussianMixture(4, max_iter=5, tol=0.0, random_state=0), None),
    }


def _rows(folder: str, engine: str, target: str | None) -> PartitionedRows:
    """Files that seem to have changed: no fit finds what workers have kept of the last one."""
    for file in Path(folder).iterdir():
        os.utime(file)
    return open_engine(folder, engine, roles=_only(target))


def _only(target: str | None) -> Roles:
    return Roles(target=target, ignore=tuple(name for name in ("y", "t") if name != target))


def _against_threads(folder: str) -> Iterator[Line]:
    """The same files: two processes of Dask against this process's own threads."""
    from distributed import Client, LocalCluster

    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        for name, (make, target) in _models().items():
            some = f"{folder}/{'few' if name == 'GaussianMixture' else 'all'}"
            ours = lambda make=make, target=target, some=some: make().fit(_rows(some, "dask", target))  # noqa: E731
            own = lambda make=make, target=target, some=some: make().fit(open_rows(some, _only(target)))  # noqa: E731
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

    make, target = _models()[name]
    frame = spark.read.parquet(folder)
    vectors = VectorAssembler(inputCols=NAMES, outputCol="features").transform(frame)
    some = frame.select(NAMES if target is None else [*NAMES, target])
    parts = lambda: make().fit(_rows(folder, "spark", target))  # noqa: E731
    whole = lambda: make().fit(some, **({} if target is None else {"target": target}))  # noqa: E731
    yield _raced(f"{name}, parts, against Spark ML", parts, lambda: peer.fit(vectors), 3.0, "3x")
    yield _raced(f"{name}, data frame, against Spark ML", whole, lambda: peer.fit(vectors), 1.5, "1.5x")
    own = lambda: make().fit(open_rows(folder, _only(target)))  # noqa: E731
    yield _raced(f"{name}, data frame, against our threads", whole, own, 0.25, "at most 4x slower")


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
            make, target = _models()[name]
            given = () if target is None else (y,)
            theirs = lambda peer=peer, given=given: compute(vars(peer.fit(X, *given)))  # noqa: E731  (some fit lazily)
            ours = lambda make=make, target=target: make().fit(_rows(folder, "dask", target))  # noqa: E731
            yield _raced(f"{name}, parts, against dask-ml", ours, theirs, 3.0, "3x")


RACES: dict[str, tuple[Callable[[], Any], Callable[[str], Iterator[Line]]]] = {
    "threads": (lambda: True, _against_threads),
    "spark": (lambda: shutil.which("java"), _against_spark),
    "dask-ml": (lambda: importlib.util.find_spec("dask_ml"), _against_dask_ml),
}


@dataclass
class Recording:
    """An engine of one process that notes what travels and how long it takes."""

    parts: Sequence[Any]
    sent: list[int] = field(default_factory=list)  # bytes of each answer
    summarize: list[float] = field(default_factory=list)  # seconds of the processor
    add: list[float] = field(default_factory=list)  # seconds for eight answers

    engine = "one process"
    ordered = True
    records = False

    def each(self, work: Any, task: bytes, firsts: Any = None) -> list[bytes]:
        """One after the other."""
        firsts = firsts or [None] * len(self.parts)
        return [work(task, part, i, firsts[i]) for i, part in enumerate(self.parts)]

    def tree(self, work: Any, task: bytes, firsts: Any, progress: Any) -> bytes:
        """Eight at a time."""
        firsts = firsts or [None] * len(self.parts)
        answers = []
        for i, part in enumerate(self.parts):
            start = time.process_time()
            answers.append(work(task, part, i, firsts[i]))
            self.summarize.append(time.process_time() - start)
        self.sent += map(len, answers)
        start = time.process_time()
        found = add_answers(task, answers)
        self.add.append(time.process_time() - start)
        return found


def travels(rows: int = 100_000, scheduling: float = 1e-3, bandwidth: float = 125e6, workers: int = 100) -> None:
    """Bytes, times, and the tree of 10,000 partitions on 100 workers with one gigabit each, from what is measured here.

    Parameters
    ----------
    rows : of a partition
    scheduling : seconds that the scheduler of Dask takes for a task, as its documentation says
    bandwidth : bytes a second
    workers : how many
    """
    import pandas as pd

    rng = np.random.default_rng(0)
    parts = []
    for _ in range(8):
        y = rng.integers(0, 3, rows)
        table = pd.DataFrame(np.abs(rng.normal(size=(rows, COLUMNS)) + y[:, None]), columns=NAMES)
        table["c"], table["y"] = rng.choice([f"s{i:03}" for i in range(200)], rows), y
        table["t"] = table.x0 - table.x1 + rng.normal(size=rows)
        parts.append(table)
    print(f"{'model':34} {'bytes':>9} {'at most':>9} {'summarize':>10} {'add 8':>8} {'tree':>8} {'rows':>8}")
    for name, (make, columns, target) in _ten().items():
        engine = Recording([part[[*columns, *([target] if target else [])]] for part in parts])
        make().fit(open_engine_parts(engine, target))
        size, adding = max(engine.sent[-8:]), engine.add[-1]
        tree = _tree(10_000, workers, adding + 8 * size / bandwidth)
        a_row = min(engine.summarize[-8:]) / rows
        even = (adding / 8 + size / bandwidth) / a_row  # rows below which adding costs more than summarizing
        told = f"{min(engine.summarize[-8:]) * 1e3:8.1f}ms {adding * 1e3:6.1f}ms {tree:7.2f}s {even:8.0f}"
        print(f"{name:34} {size:9} {max(engine.sent):9} {told}", flush=True)
    print(f"scheduling of 10,000 partitions and {10_000 // 7} additions: {scheduling * (10_000 + 10_000 / 7):.0f} s")


def open_engine_parts(engine: Recording, target: Any) -> PartitionedRows:
    """Rows on an engine of ours."""
    return PartitionedRows(engine, Roles(target=target))


def _tree(parts: int, workers: int, one: float) -> float:
    """Seconds to add in a tree of eights, as many at a time as there are workers."""
    seconds = 0.0
    while parts > 1:
        parts = -(-parts // 8)
        seconds += -(-parts // workers) * one
    return seconds


def _ten() -> dict[str, tuple[Callable[[], Any], list[str], str | None]]:
    start = np.abs(np.random.default_rng(0).normal(size=(8, COLUMNS)))
    return {
        "GaussianNB": (S.GaussianNB, NAMES, "y"),
        "NaiveBayes, a column of 200 values": (S.NaiveBayes, [*NAMES, "c"], "y"),
        "LinearDiscriminantAnalysis": (S.LinearDiscriminantAnalysis, NAMES, "y"),
        "LinearRegression": (S.LinearRegression, NAMES, "t"),
        "LogisticRegression, a pass": (lambda: S.LogisticRegression(max_iter=2, tol=1e9), NAMES, "y"),
        "KMeans(8), a pass": (lambda: S.KMeans(8, init=start, n_init=1, max_iter=1, tol=1e9), NAMES, None),
        "GaussianMixture(4), a pass": (
            lambda: S.GaussianMixture(4, means_init=start[:4], max_iter=1, tol=1e9, random_state=0),
            NAMES,
            None,
        ),
        "PCA": (S.PCA, NAMES, None),
        "Tree(max_depth=3), a level": (lambda: S.Tree(max_depth=3), NAMES, "y"),
        "KBinsDiscretizer": (lambda: S.KBinsDiscretizer(5, encode="ordinal"), NAMES, None),
    }


def kill(times: int) -> int:
    """Kill -9 a worker at random moments of a fit in passes; how often the model differed."""
    from dask.config import set as configured
    from distributed import Client, LocalCluster

    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        _write(Path(name), 160_000)
        make, target = _models()["LogisticRegression"]
        with (
            configured({"distributed.scheduler.allowed-failures": 10}),
            LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            start = time.perf_counter()
            expected = make().fit(_rows(name, "dask", target)).coef_
            took, bad = time.perf_counter() - start, 0
            for number in range(times):
                _two_workers(cluster, client)
                killed: list[int] = []
                timer = threading.Timer(float(rng.random()) * took, _kill_one, (client, killed))
                timer.start()
                same = np.array_equal(make().fit(_rows(name, "dask", target)).coef_, expected)
                timer.join()
                left = sum(map(len, client.processing().values()))
                bad += not same or left > 0
                told = "the same" if same else "ANOTHER"
                print(f"{number + 1:3} killed {killed}: the model is {told}, {left} tasks left", flush=True)
    return bad


def _two_workers(cluster: Any, client: Any) -> None:
    """Wait for both; a worker that was killed while it began is not started again by itself."""
    for patience in (60, 120):
        try:
            client.wait_for_workers(2, timeout=patience)
        except TimeoutError:
            cluster.scale(2)
        else:
            return
    raise SystemExit("Two workers were expected, and one did not come back.")


def _kill_one(client: Any, killed: list[int]) -> None:
    pids = [info["pid"] for info in client.run(lambda: {"pid": os.getpid()}, on_error="ignore").values()]
    victim = random.choice(pids)
    os.kill(victim, signal.SIGKILL)
    killed.append(victim)


def equal(engines: Sequence[str] = ("dask", "spark")) -> int:
    """Every model of the tests, from 1, 7 and 64 partitions, against memory; how many differed."""
    return sum(EQUAL[engine]() for engine in engines)


def _equal_on_dask() -> int:
    from distributed import Client, LocalCluster

    from tests.sources.engines.test_dask import frame

    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        return _differing("Dask", frame)


def _equal_on_spark() -> int:
    from tests.sources.engines.test_spark import frame, session

    spark = session("local-cluster[2,1,1024]")
    try:
        # bootstraps go by the numbers of rows, which rows of Spark have not
        whole = {"Forest": lambda: S.Forest(2, max_depth=1, bootstrap=False)}
        return _differing("Spark", lambda rows, k: frame(spark, rows, k), whole)
    finally:
        spark.stop()


EQUAL = {"dask": _equal_on_dask, "spark": _equal_on_spark}


def _differing(engine: str, frame: Callable[[Any, int], Any], other: Any = None) -> int:
    from tests.sources.engines import engine_models as models

    bad = 0
    for name, case in models.CASES.items():
        case = case._replace(make=(other or {}).get(name, case.make))
        expected = models.in_memory(case)
        for k in (1, 7, 64):
            try:
                models.assert_same(case, models.on_engine(case, frame(models.ROWS[models.columns(case)], k)), expected)
                told = "equal"
            except AssertionError as error:
                bad, told = bad + 1, f"DIFFERS: {error}"
            print(f"{engine:6} {name:26} {k:3} {told}", flush=True)
    print(f"{engine}: {bad} of {3 * len(models.CASES)} differ", flush=True)
    return bad


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
