"""The memory source: blocks and threads change nothing but the time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from suffice.core.block import Coded
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.numerics.loop import pays
from suffice.numerics.threads import processors
from suffice.sources import Codes, Matrix, MemorySource, open_table
from suffice.sources.engines import memory as memory_module
from suffice.sources.engines.memory import cut
from suffice.sources.tables import parts as parts_module
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments


def everybody(block):
    """All rows of a block in one component."""
    return Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w)


def count_rows(block):
    return Tally.of(everybody(block))


def summarize(block):
    numbers, symbols = block.parts
    R = everybody(block)
    return Together((Tally.of(R), Moments.of(numbers, R), Counts.of(symbols, R)))


def told(summary):
    """What a summary says, however its labels are ordered."""
    tally, moments, counts = summary.parts
    weights = dict(zip(counts.labels[0], counts.weight[0].tolist(), strict=True))
    return tally.rows.tolist(), moments.rows.tolist(), weights, moments.mean.value, moments.variance


@pytest.fixture
def small_blocks(monkeypatch):
    """Tables of a few rows are divided like large ones."""
    monkeypatch.setattr(memory_module, "ALONE", 1)
    monkeypatch.setattr(memory_module, "PREDICTED", 3)
    monkeypatch.setattr(parts_module, "CONVERTED", 1)
    monkeypatch.setattr(parts_module, "LEAST", 4)


def mixed(n):
    rng = np.random.default_rng(n)
    x = np.where(rng.random(n) < 0.1, np.nan, rng.normal(1e8, 1.0, n))
    return {"x": x.tolist(), "s": [None if u < 0.1 else f"v{int(9 * u)}" for u in rng.random(n)]}


MAKES = {"lists": dict, "pandas": pd.DataFrame, "polars": pl.DataFrame, "Arrow": lambda c: pl.DataFrame(c).to_arrow()}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("n", [1, 4, 5, 97])
def test_reduce_is_a_serial_fold_for_any_threads_and_blocks(make, n, monkeypatch):
    table = open_table(MAKES[make](mixed(n)))
    w = np.arange(n) % 3 + 0.5
    schema = open_table(mixed(97)).infer()
    whole = MemorySource(table, schema, w=w).block(slice(0, n))
    rows, present, weights, mean, variance = told(summarize(whole))
    for threads in (1, 2, 3, 8, 200):
        for least in (1, 4, 50):
            monkeypatch.setattr(parts_module, "LEAST", least)
            found = told(MemorySource(table, schema, w=w, threads=threads).reduce(lambda schema: summarize)[1])
            assert found[:3] == (rows, present, weights)  # exactly: halves and whole numbers
            assert np.allclose(found[3], mean, rtol=1e-15, atol=0)
            assert np.allclose(found[4], variance, rtol=1e-12, atol=0)


@pytest.mark.usefixtures("small_blocks")
def test_the_same_threads_give_the_same_bits():
    table = open_table(mixed(500))
    answers = {
        told(MemorySource(table, table.infer(), threads=3).reduce(lambda schema: summarize)[1])[4].tobytes()
        for _ in range(5)
    }
    assert len(answers) == 1


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("make", [*MAKES, "array", "whole numbers", "sparse", "codes"])
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_map_keeps_the_order_of_the_rows(make, threads):
    X = np.arange(101.0)[:, None] % 17
    special = {"array": X, "whole numbers": X.astype(int), "sparse": sparse.csr_array(X), "codes": Codes(X.astype(int))}
    table = open_table(special[make] if make in special else MAKES[make]({"x": X[:, 0]}))

    def first_column(block):
        (part,) = block.parts
        if make == "sparse":
            return part.counts.toarray()[:, 0]
        if make == "codes":
            return part.codes[:, 0].astype(float)
        time.sleep(0.001 * (block.start % 2))  # blocks do not end in the order they began
        return part[:, 0]

    assert MemorySource(table, table.infer(), threads=threads).map(first_column).tolist() == X[:, 0].tolist()


@pytest.mark.usefixtures("small_blocks")
def test_every_block_knows_its_first_row_its_labels_and_its_weights():
    n = 50
    y, w = Coded(np.arange(n, dtype=np.int32)[:, None], (range(n),)), np.arange(n) / 7
    table = open_table({"x": list(range(n))})
    source = MemorySource(table, table.infer(), y, w, threads=3)

    def agree(block):
        rows = np.arange(block.start, block.start + block.n)
        assert block.parts[0][:, 0].tolist() == block.y.codes[:, 0].tolist() == rows.tolist()
        assert block.w.tolist() == w[rows].tolist()
        return rows

    assert source.map(agree).tolist() == list(range(n))
    assert source.reduce(lambda schema: lambda block: (agree(block), count_rows(block))[1])[1].rows.tolist() == [
        n - 1
    ]  # one weighs 0


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("table", [np.zeros((0, 2)), np.zeros((0, 2), dtype=int), sparse.csr_array((0, 2)), {"x": []}])
def test_no_rows(table, threads):
    opened = open_table(table)
    schema = opened.infer() if not isinstance(table, dict) else opened.infer().declare("test", {"x": "count"})
    source = MemorySource(opened, schema, threads=threads)
    assert source.reduce(lambda schema: count_rows)[1].rows.tolist() == [0]
    assert source.map(lambda block: np.ones((block.n, 3))).shape == (0, 3)


def failing(at):
    def work(block):
        if block.start >= at:
            raise ZeroDivisionError(f"at {block.start}")
        return count_rows(block)

    return work


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_earliest_error_surfaces_as_it_is_and_no_thread_stays(threads):
    table = open_table({"x": list(range(200))})
    source = MemorySource(table, table.infer(), threads=threads)
    before = threading.active_count()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError, match=r"^at 100$"):
            source.reduce(lambda schema: failing(97))
        with pytest.raises(ZeroDivisionError, match=r"^at 100$"):
            source.map(lambda block: (failing(97)(block), np.zeros(block.n))[1])
    assert threading.active_count() == before


@pytest.mark.usefixtures("small_blocks")
def test_after_an_error_the_rest_is_left_undone():
    table, done = open_table({"x": list(range(2000))}), []

    def work(block):
        done.append(block.start)
        if block.start == 0:
            raise ZeroDivisionError
        time.sleep(0.005)
        return np.zeros(block.n)

    with pytest.raises(ZeroDivisionError):
        MemorySource(table, table.infer(), threads=2).map(work)
    assert len(done) < 250  # of 500


INTERRUPTED = """
import signal, sys, threading, time
import numpy as np
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.sources import MemorySource, open_table
from suffice.sources.engines import memory
from suffice.sources.tables import parts

verb, threads = sys.argv[1], int(sys.argv[2])
memory.ALONE, parts.CONVERTED, parts.LEAST = 1, 1, 4
table = open_table({"x": list(range(8000))})

def work(block):
    time.sleep(0.01)
    return Tally.of(Shares.hard(np.zeros(block.n, dtype=np.int32), 1)) if verb == "reduce" else np.zeros(block.n)

signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.4)
started = time.monotonic()
try:
    handed = (lambda schema: work) if verb == "reduce" else work
    getattr(MemorySource(table, table.infer(), threads=threads), verb)(handed)
except KeyboardInterrupt:
    print(time.monotonic() - started < 6.0, threading.active_count())  # all of it would take 10 to 20 seconds
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("verb", ["reduce", "map"])
def test_an_interruption_ends_the_work_and_its_threads(threads, verb):
    command = [sys.executable, "-c", INTERRUPTED, verb, str(threads)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["True", "1"]


def test_threads_are_as_many_as_asked_for_or_as_the_process_may_use(monkeypatch):
    table = open_table(np.zeros((100_000, 1)))
    for threads in (1, 2, 3):
        names, together = set(), threading.Barrier(threads)

        def who(block, names=names, together=together):
            names.add(threading.current_thread().name)
            together.wait(60)
            return count_rows(block)

        MemorySource(table, table.infer(), threads=threads).reduce(lambda schema: who)
        assert len(names) == threads
    assert processors() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert processors() == os.cpu_count()
    assert MemorySource(table, table.infer(), threads=3)._threads == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors() == 1


def test_small_tables_are_not_divided():
    table, blocks = open_table(np.zeros((1000, 2))), []
    MemorySource(table, table.infer(), threads=4).reduce(
        lambda schema: lambda block: (blocks.append(block.n), count_rows(block))[1]
    )
    assert blocks == [1000]


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_threads_that_are_none(threads):
    table = open_table([[1.0]])
    with pytest.raises(BadInput, match="MemorySource: threads must be a whole number of at least 1, or None, got"):
        MemorySource(table, table.infer(), threads=threads)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 60))
def test_blocks_cover_a_run_once_and_in_order(start, length, step):
    blocks = cut(slice(start, start + length), step)
    rows = [row for block in blocks for row in range(block.start, block.stop)]
    assert rows == list(range(start, start + length))
    assert all(block.stop - block.start <= step for block in blocks)
    assert len(blocks) == max(-(-length // step), 1)


@pytest.mark.usefixtures("small_blocks")
def test_loops_are_told_how_large_the_whole_table_is():
    table, answers = open_table(np.zeros((3_000_000, 1))), []
    source = MemorySource(table, table.infer(), threads=2)
    source.reduce(lambda schema: lambda block: (answers.append(pays(1)), count_rows(block))[1])
    assert answers == [True, True]
    thin = Matrix(sparse.csr_array((3_000_000, 50)))  # no cell is stored
    MemorySource(thin, thin.infer(), threads=1).reduce(
        lambda schema: lambda block: (answers.append(pays(1)), count_rows(block))[1]
    )
    assert answers[-1] is False
    assert not pays(1)


ORDER = {"pain": ["none", "mild"]}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("make", MAKES)
def test_a_value_outside_a_declared_order_is_refused_in_training_and_says_nothing_in_prediction(make):
    cells = ["none", "mild", None] * 10 + ["awful", "none"]
    table = open_table(MAKES[make]({"pain": cells}))
    schema = table.infer().declare("test", ORDER)
    for threads in (1, 3):
        with pytest.raises(BadInput) as error:
            MemorySource(table, schema, threads=threads).reduce(lambda schema: count_rows)[1]
        assert str(error.value) == (
            "X: the cells of column 'pain' must be among ['none', 'mild'], got 'awful' in row 30. "
            "Correct the cell or declare another kind."
        )
    assert MemorySource(table, schema).map(lambda block: block.parts[0].codes[:, 0] >= 0).sum() == 22


def test_an_unused_category_outside_a_declared_order_is_no_cell():
    cells = pd.DataFrame({"pain": pd.Categorical(["none", None], categories=["none", "awful"])})
    for table in (open_table(cells), open_table(pl.from_pandas(cells).to_arrow())):
        source = MemorySource(table, table.infer().declare("test", ORDER))
        assert source.reduce(lambda schema: count_rows)[1].rows.tolist() == [2]


@pytest.mark.parametrize(
    ("cells", "came"), [(["yes", "no"], "'yes' in row 0"), ([0, 2], "2 in row 1"), ([True, 0.5], "0.5 in row 1")]
)
def test_booleans_are_true_and_false_or_1_and_0(cells, came):
    for make in (dict, lambda c: pd.DataFrame(c, dtype=object)):
        table = open_table(make({"ill": cells}))
        with pytest.raises(BadInput, match=rf"column 'ill' must be among \[False, True\], got {came}\. Correct"):
            MemorySource(table, table.infer().declare("test", {"ill": "boolean"})).reduce(lambda schema: count_rows)[1]


N = 200_000


def large(name):
    rng = np.random.default_rng(0)
    columns = {f"x{j}": rng.normal(size=N) for j in range(6)} | {f"b{j}": rng.random(N) < 0.5 for j in range(2)}
    columns["s"] = np.array(["north", "south", "east"], dtype=object)[rng.integers(0, 3, N)]
    if name == "lists":
        return {key: cells.tolist() for key, cells in columns.items()}
    if name in ("C", "F"):
        return np.array(rng.integers(0, 9, (N, 9)), order=name)
    frame = pl.DataFrame(columns)
    return {"pandas": pd.DataFrame(columns), "nullable": pd.DataFrame(columns).convert_dtypes(), "polars": frame,
            "Arrow": frame.to_arrow(), "objects": np.array(list(columns.values()), dtype=object).T}[name]  # fmt: skip


@pytest.mark.parametrize("name", ["lists", "C", "F", "pandas", "nullable", "polars", "Arrow", "objects"])
def test_no_table_is_copied_whole(name, monkeypatch):
    """What NumPy and Python allocate while a table is read stays far below its size."""
    monkeypatch.setattr(parts_module, "MOST", 10_000)
    table = open_table(large(name))
    schema = table.infer()
    sizes = []
    tracemalloc.start()
    try:
        MemorySource(table, schema, threads=1).reduce(
            lambda schema: lambda block: (sizes.append(block.n), count_rows(block))[1]
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(sizes) == N
    assert max(sizes) <= 10_000
    assert peak < 0.35 * N * 9 * 8


def test_views_are_read_at_once():
    for X in (
        np.zeros((N, 3)),
        np.zeros((N, 3), dtype=np.float32),
        sparse.csr_array((N, 3)),
        Codes(np.zeros((N, 3), int)),
    ):
        table = open_table(X)
        tracemalloc.start()
        try:
            parts = table.parts(table.infer(), slice(0, table.at_once(table.infer())))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert len(parts) == 1
        assert peak < 3e6 if hasattr(X, "tocsr") else peak < 1e5  # a sparse matrix has its row ends shifted
