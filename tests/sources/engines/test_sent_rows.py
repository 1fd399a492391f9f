"""Rows of Spark data frames, which workers keep: sent once where they can, again where they are gone; no Java here."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as S
from suffice.core.block import Block, NotCounted
from suffice.core.saving import bytes_value, value_bytes
from suffice.sources import Roles
from suffice.sources.engines import kept_blocks, sent_rows, spark_jobs
from suffice.sources.engines.kept_blocks import BlockCache
from suffice.sources.engines.partition_tasks import EMPTY, REFUSED, SUM, UNKEPT, add_answers
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.engines.read_partition import ReadPartition
from suffice.sources.engines.row_hashes import row_hashes
from suffice.sources.engines.sent_rows import SentRows
from suffice.sources.engines.spark import SparkFrame

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(90, 3)) + 1e3, columns=["a", "b", "c"])
TABLE["y"] = np.where(TABLE.a + RNG.normal(size=90) > 1e3, "yes", "no")
PARTS = [TABLE.iloc[:30], TABLE.iloc[30:30], TABLE.iloc[30:]]  # one has no rows


@pytest.fixture(autouse=True)
def nothing_frozen():
    """What workers do in this process takes its objects out of what garbage is looked for among: undone again."""
    gc.unfreeze()
    yield
    gc.unfreeze()


class Rows:
    """A data frame as far as passes ask for one, whose only worker is this process; it knows what was asked for."""

    def __init__(self, parts: Any, noted: list[str], made: Any = None) -> None:
        self.parts, self.noted, self.made, self.kept = parts, noted, made, False
        self.schema: list[Any] = []  # no vectors
        self.sparkSession = SimpleNamespace(sparkContext=None)

    @property
    def rdd(self) -> Rows:
        return self

    def getNumPartitions(self) -> int:
        return len(self.parts)

    def mapInArrow(self, work: Any, fields: str) -> Rows:
        return Rows(self.parts, self.noted, (self, work))

    def persist(self) -> Rows:
        self.kept = True
        return self

    def unpersist(self) -> None:
        self.kept = False
        self.noted.append("let go")

    def select(self, *names: str) -> Rows:
        return Rows([[batch.select(list(names)) for batch in part] for part in self.batches()], self.noted)

    def batches(self) -> list[list[Any]]:
        if self.made is not None:
            before, work = self.made
            self.noted.append(getattr(work, "func", work).__name__.strip("_"))
            parts, self.parts = before.batches(), []
            for WHERE.partition, part in enumerate(parts):
                rows = iter(part)
                self.parts.append(list(work(rows)))
                assert next(rows, None) is None  # a worker that leaves rows behind is not used again
            self.made = None if self.kept else self.made
        return self.parts

    def collect(self) -> list[tuple[Any, ...]]:
        return [
            row
            for part in self.batches()
            for batch in part
            for row in zip(*map(pa.Array.to_pylist, batch.columns), strict=True)
        ]


@contextmanager
def job(*_: Any) -> Iterator[None]:
    yield


WHERE, WORKERS = SimpleNamespace(partition=0), SimpleNamespace(one=True)
HASHED: list[int] = []  # rows of blocks whose numbers somebody asked for


def hashed(block: Block) -> Any:
    HASHED.append(block.n)
    return row_hashes(block)


@pytest.fixture(autouse=True)
def cache(monkeypatch):
    monkeypatch.setattr(sent_rows, "ENOUGH", 10)  # several tables a partition
    found = BlockCache(1 << 20)
    monkeypatch.setattr(kept_blocks, "CACHE", found)
    monkeypatch.setattr("suffice.sources.engines.read_partition.CACHE", found)
    where = SimpleNamespace(partitionId=lambda: WHERE.partition)
    monkeypatch.setattr("pyspark.TaskContext", SimpleNamespace(get=lambda: where))
    monkeypatch.setattr("suffice.sources.engines.spark.one_worker_each", lambda context: WORKERS.one)
    for module in ("spark", "spark_frames"):
        monkeypatch.setattr(f"suffice.sources.engines.{module}.spark_job", job)
    HASHED.clear()
    monkeypatch.setattr("suffice.sources.engines.read_partition.row_hashes", hashed)
    yield found
    found.clear()


def opened(parts: list[Any], target: str | None, keep: int | None = None) -> tuple[PartitionedRows, list[str]]:
    columns, noted = [*"abc", *([target] if target else [])], []
    tables = [pa.Table.from_pandas(part[columns], preserve_index=False) for part in parts]
    frame = Rows([table.to_batches(max_chunksize=10) for table in tables], noted)
    return PartitionedRows(SparkFrame(frame), Roles(target), keep=keep), noted


def fitted(model: Any, target: str | None = "y", keep: int | None = None) -> tuple[Any, list[str]]:
    rows, noted = opened(PARTS, target, keep)
    model.fit(rows)
    gc.collect()
    return model, noted


SENT, ASKED, PACKED = "of_batches", "of_kept", "packed"


def test_rows_are_sent_once_to_a_worker_that_keeps_them(cache):
    model, noted = fitted(S.LogisticRegression())
    assert noted == [SENT, *[ASKED] * (len(noted) - 2), "let go"]
    assert len(noted) > 5
    assert len(cache.held) == 2  # nothing is kept of no rows
    assert not HASHED  # nobody asked for numbers of rows
    each, noted = fitted(S.LogisticRegression(), keep=0)
    assert set(noted) == {SENT}
    expected = S.LogisticRegression().fit(TABLE[[*"abc"]], TABLE.y)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.coef_, each.coef_, rtol=1e-12)


def test_rows_are_packed_and_sent_again_where_they_are_gone(cache, monkeypatch):
    expected, _ = fitted(S.LogisticRegression())
    cache.clear()
    asked, get = [], cache.get

    def forgets(key):
        asked.append(key)
        return None if len(asked) in (4, 12) else get(key)  # in the second pass, and when it is next tried

    monkeypatch.setattr(cache, "get", forgets)
    model, noted = fitted(S.LogisticRegression())
    passes = [one for one in noted if one != "let go"]
    assert passes[:7] == [SENT, ASKED, SENT, PACKED, SENT, ASKED, SENT]
    assert noted.count(PACKED) == 1
    assert noted.count("let go") == 1 + noted.count(SENT)
    assert np.array_equal(model.coef_, expected.coef_)


def test_rows_are_packed_at_once_where_workers_take_turns(cache, monkeypatch):
    monkeypatch.setattr(WORKERS, "one", False)
    model, noted = fitted(S.LogisticRegression())
    assert noted[:3] == [SENT, PACKED, ASKED]
    assert noted.count(PACKED) == noted.count(SENT) == 1
    assert noted.count("let go") == 2
    expected = S.LogisticRegression().fit(TABLE[[*"abc"]], TABLE.y)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-9)


@pytest.mark.parametrize(
    ("master", "cores", "one"),
    [
        ("local", None, True),
        ("local[1]", None, True),
        ("local[2]", None, False),
        ("local[*]", None, False),
        ("local-cluster[2,1,1024]", None, True),
        ("local-cluster[2, 4, 1024]", None, False),
        ("yarn", None, True),
        ("yarn", "4", False),
        ("k8s://https://host:443", None, True),
        ("spark://host:7077", None, False),
        ("spark://host:7077", "1", True),
    ],
)
def test_executors_of_one_core_have_one_worker(master, cores, one):
    said = {} if cores is None else {"spark.executor.cores": cores}
    context = SimpleNamespace(master=master, getConf=lambda: said)
    assert spark_jobs.one_worker_each(context) is one


def test_files_of_a_task_are_neighbours():
    for n in range(1, 70):
        for slots in (1, 2, 3, 8, 100):
            runs = spark_jobs.runs_of([str(i) for i in range(n)], slots)
            assert [one for run in runs for one in run] == [(i, str(i)) for i in range(n)]
            assert min(slots, n, -(-n // 8)) <= len(runs) <= max(slots, -(-n // 8))
            assert max(map(len, runs)) <= 8
    context = SimpleNamespace(defaultParallelism=2, getConf=dict)
    assert [spark_jobs.slots(context, n) for n in (1, 2, 9)] == [1, 2, 2]
    context.getConf = lambda: {"spark.dynamicAllocation.enabled": "true"}  # who waits for tasks gets them
    assert spark_jobs.slots(context, 9) == 9


def test_the_tree_is_the_same_whoever_adds():
    added: list[list[int]] = []

    def add(task, answers):
        added.append([*map(int, answers)])
        return str(min(map(int, answers))).encode()

    sums, found = spark_jobs.AnswerTree(), {}
    for light in (False, True):
        sums.light, added[:] = light, []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spark_jobs, "add_answers", add)
            answers = Pairs([(i, str(i).encode()) for i in reversed(range(20))])
            assert sums.sum(b"", answers, 20) == b"0"
        assert sums.light
        found[light] = (sorted(map(sorted, added)), answers.shuffles)
    assert found[False] == (found[True][0], [3])
    assert found[True][1] == []


class Pairs:
    """An RDD of pairs in one process."""

    def __init__(self, pairs: Any, shuffles: list[int] | None = None) -> None:
        self.parts, self.shuffles = [pairs], [] if shuffles is None else shuffles

    def cache(self) -> Pairs:
        return self

    def flatMap(self, work: Any) -> Pairs:
        found = Pairs([])
        found.parts = [[one for run in part for one in work(run)] for part in self.parts]
        return found

    def mapPartitions(self, work: Any) -> Pairs:
        self.parts = [list(work(iter(part))) for part in self.parts]
        return self

    def partitionBy(self, n: int, where: Any) -> Pairs:
        self.shuffles.append(n)
        self.parts = [[one for part in self.parts for one in part if where(one[0]) % n == i] for i in range(n)]
        return self

    def collect(self) -> Any:
        return [one for part in self.parts for one in part]


@pytest.mark.parametrize(("n", "tasks", "whole"), [(3, 2, False), (9, 2, False), (32, 4, True), (20, 3, True)])
def test_partitions_that_share_tasks_are_added_in_the_same_tree(n, tasks, whole, monkeypatch):
    monkeypatch.setattr(spark_jobs, "add_answers", lambda task, answers: b"(" + b" ".join(answers) + b")")
    for name in ("limit_to_share", "keep_loaded"):  # this process is no worker
        monkeypatch.setattr(spark_jobs, name, lambda: None)
    made: list[int] = []

    def parallelize(runs, slices):
        made.append(slices)
        return Pairs(runs)

    context = SimpleNamespace(defaultParallelism=2, getConf=dict, parallelize=parallelize)
    context.setJobGroup = context.setLocalProperty = lambda *named, **more: None
    runs = spark_jobs.PlacedRuns.of(context, "abcdefghijklmnopqrstuvwxyzABCDEF"[:n])

    def say(run):
        return ((number, part.encode()) for number, part in run)

    assert made == [tasks]
    assert (runs.tasks, runs.parts, runs.whole) == (tasks, n, whole)
    assert runs.each(say) == [part.encode() for part in "abcdefghijklmnopqrstuvwxyzABCDEF"[:n]]
    alone = Pairs([(i, one) for i, one in enumerate(runs.each(say))])
    assert runs.tree(say, b"", spark_jobs.AnswerTree(), None) == spark_jobs.AnswerTree().sum(b"", alone, n)


def test_nothing_is_kept_without_room(cache, monkeypatch):
    expected, _ = fitted(S.LogisticRegression())
    monkeypatch.setattr(cache, "limit", 8)
    cache.clear()
    model, noted = fitted(S.LogisticRegression())
    assert not cache.held
    assert noted.count(ASKED) <= 3  # tried in the second pass, the fourth, the eighth
    assert np.array_equal(model.coef_, expected.coef_)


def test_random_starts_hash_the_rows(cache):
    found, noted = fitted(S.KMeans(3, n_init=1, random_state=0), target=None)
    assert HASHED == [10] * 9  # once, however many passes
    assert set(noted) == {SENT, ASKED, "let go"}
    assert noted.count(SENT) == 1
    again, _ = fitted(S.KMeans(3, n_init=1, random_state=0), target=None, keep=0)
    assert np.array_equal(found.cluster_centers_, again.cluster_centers_)


def test_rows_with_symbols_are_hashed_once_their_columns_are_known(cache):
    table = TABLE.assign(c=np.where(TABLE.c > 1e3, "p", "q"))
    rows, _ = opened([table.iloc[:30], table.iloc[30:30], table.iloc[30:]], "y")
    found = S.Tree(max_depth=2).fit(rows)
    assert HASHED
    expected = S.Tree(max_depth=2).fit(table[[*"abc"]], table.y)
    assert np.array_equal(found.predict(table[[*"abc"]]), expected.predict(table[[*"abc"]]))


def test_rows_are_not_hashed_before_all_columns_are_known(cache):
    read = ReadPartition(plan=S.NaiveBayes()._plan(), hashed=True)
    lacking = TABLE[[*"abc"]].assign(c=np.nan)
    for table, known in ((TABLE[[*"abc"]], True), (lacking, False), (TABLE, False)):
        ((_, _, blocks),) = read.source(table, 0, None)._chunks()
        (block,) = blocks
        if known:
            assert np.array_equal(block.numbers, row_hashes(block))
        else:  # another partition may have the column, or take it for something else
            with pytest.raises(NotCounted):
                _ = block.numbers


def test_trials_become_rare():
    rows, tried = SentRows("rows"), []
    for number in range(1, 16):
        if rows.may_be_kept:
            tried.append(number)
            assert not rows.were_kept(False)
        rows.were_sent(True)
    assert tried == [2, 4, 8]
    rows = SentRows("rows")
    rows.were_sent(False)  # somebody asked for something else first
    assert not rows.may_be_kept
    rows.were_sent(True)
    assert rows.may_be_kept
    assert rows.were_kept(True)
    assert rows.may_be_kept


def test_what_is_gone_decides_before_refusals():
    answers = [value_bytes(one) for one in ((REFUSED, 0, "a", "b", ("c",)), (SUM, 1), (UNKEPT, 2), (EMPTY, 3))]
    assert bytes_value(add_answers(b"", answers))[0] == UNKEPT


def test_what_is_kept_is_a_share_of_what_spark_lets_python_have(cache, monkeypatch):
    spark_jobs.limit_to_share.cache_clear()
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "2")
    cache.limit = 1 << 30
    try:
        spark_jobs.limit_to_share()
        assert cache.limit == 1 << 19
    finally:
        spark_jobs.limit_to_share.cache_clear()


def test_modules_are_taken_out_of_what_garbage_is_looked_for_in(monkeypatch):
    monkeypatch.setattr(spark_jobs, "LOOKED_AT", 1 << 60)
    spark_jobs.keep_loaded()
    assert gc.get_freeze_count() == 0
    monkeypatch.setattr(spark_jobs, "LOOKED_AT", 0)
    spark_jobs.keep_loaded()
    assert gc.get_freeze_count() > 1000
