"""Rows of Spark data frames, which workers keep: sent once where they can, again where they are gone; no Java here."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as S
from suffice.core.saving import bytes_value, value_bytes
from suffice.sources import Roles
from suffice.sources.engines import kept_blocks, sent_rows, spark
from suffice.sources.engines.kept_blocks import BlockCache
from suffice.sources.engines.partition_tasks import EMPTY, REFUSED, SUM, UNKEPT, add_answers
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.engines.sent_rows import SIZE, SentRows, packed
from suffice.sources.engines.spark import SparkPartitions

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(90, 3)) + 1e3, columns=["a", "b", "c"])
TABLE["y"] = np.where(TABLE.a + RNG.normal(size=90) > 1e3, "yes", "no")
PARTS = [TABLE.iloc[:30], TABLE.iloc[30:30], TABLE.iloc[30:]]  # one has no rows


@dataclass(frozen=True)
class OneWorker(SparkPartitions):
    """Partitions as Spark has them, whose only worker is this process."""

    noted: list[bool] = field(default_factory=list)  # whether the rows were sent, pass by pass

    def for_passes(self) -> OneWorker:
        return OneWorker([list(packed(iter(b))) for b in self.frame], sent=SentRows("rows"), noted=self.noted)

    def each(self, work: Any, task: bytes, firsts: Any = None) -> list[bytes]:
        return self._answers(work, task, firsts)

    def _answers(self, work: Any, task: bytes, firsts: Any, send: bool = True) -> Any:
        self.noted.append(send)
        name, found = None if self.sent is None else self.sent.name, []
        for number, batches in enumerate(self.frame):
            WHERE.partition = number
            rows = iter(batches if send else [batch.select([SIZE]) for batch in batches])
            found += [batch.column(0)[0].as_py() for batch in spark._of_batches(work, task, name, send, rows)]
            assert next(rows, None) is None  # a worker that leaves rows behind is not used again
        return found

    def _tree(self, answers: Any, task: bytes, progress: Any) -> bytes:
        return add_answers(task, answers)


WHERE = SimpleNamespace(partition=0)


@pytest.fixture(autouse=True)
def cache(monkeypatch):
    monkeypatch.setattr(sent_rows, "ENOUGH", 10)  # several tables a partition
    found = BlockCache(1 << 20)
    monkeypatch.setattr(kept_blocks, "CACHE", found)
    monkeypatch.setattr("suffice.sources.engines.read_partition.CACHE", found)
    where = SimpleNamespace(partitionId=lambda: WHERE.partition)
    monkeypatch.setattr("pyspark.TaskContext", SimpleNamespace(get=lambda: where))
    yield found
    found.clear()


def fitted(model: Any, target: str | None = "y", keep: int | None = None) -> tuple[Any, PartitionedRows, list[bool]]:
    columns = [*"abc", *([target] if target else [])]
    tables = [pa.Table.from_pandas(part[columns], preserve_index=False) for part in PARTS]
    engine = OneWorker([table.to_batches(max_chunksize=10) for table in tables])
    rows = PartitionedRows(engine, Roles(target), keep=keep)
    return model.fit(rows), rows, engine.noted


def test_rows_are_sent_once_to_a_worker_that_keeps_them(cache):
    model, rows, noted = fitted(S.LogisticRegression())
    assert noted == [True, *[False] * (len(noted) - 1)]
    assert len(noted) > 4
    assert len(cache.held) == 2  # nothing is kept of no rows
    assert not rows.facts.hashed  # nobody asked for numbers of rows
    each, _, noted = fitted(S.LogisticRegression(), keep=0)
    assert all(noted)
    expected = S.LogisticRegression().fit(TABLE[[*"abc"]], TABLE.y)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.coef_, each.coef_, rtol=1e-12)


def test_rows_are_sent_again_where_they_are_gone(cache, monkeypatch):
    expected, _, _ = fitted(S.LogisticRegression())
    cache.clear()
    asked, get = [], cache.get

    def forgets(key):
        asked.append(key)
        return None if len(asked) in (4, 12) else get(key)  # in the second pass, and when it is next tried

    monkeypatch.setattr(cache, "get", forgets)
    model, _, noted = fitted(S.LogisticRegression())
    passes = [True, False, True, True, False, True]
    assert noted[: len(passes)] == passes
    assert np.array_equal(model.coef_, expected.coef_)


def test_nothing_is_kept_without_room(cache, monkeypatch):
    expected, _, _ = fitted(S.LogisticRegression())
    monkeypatch.setattr(cache, "limit", 8)
    cache.clear()
    model, _, noted = fitted(S.LogisticRegression())
    assert not cache.held
    assert noted.count(False) <= 3  # tried in the second pass, the fourth, the eighth
    assert np.array_equal(model.coef_, expected.coef_)


def test_random_starts_hash_the_rows(cache):
    found, rows, noted = fitted(S.KMeans(3, n_init=1, random_state=0), target=None)
    assert rows.facts.hashed
    assert noted[:5] == [True, True, True, False, False]  # numbers are asked for, columns looked at; then it begins
    again, _, _ = fitted(S.KMeans(3, n_init=1, random_state=0), target=None, keep=0)
    assert np.array_equal(found.cluster_centers_, again.cluster_centers_)


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
    spark._limit_cache.cache_clear()
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "2")
    cache.limit = 1 << 30
    try:
        spark._limit_cache()
        assert cache.limit == 1 << 19
    finally:
        spark._limit_cache.cache_clear()


def test_modules_are_taken_out_of_what_garbage_is_looked_for_in(monkeypatch):
    frozen = gc.get_freeze_count()
    monkeypatch.setattr(spark, "LOOKED_AT", 1 << 60)
    spark._keep_loaded()
    assert gc.get_freeze_count() == frozen
    monkeypatch.setattr(spark, "LOOKED_AT", 0)
    try:
        spark._keep_loaded()
        assert gc.get_freeze_count() > frozen + 1000
    finally:
        gc.unfreeze()
