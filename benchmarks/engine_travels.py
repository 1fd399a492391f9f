"""What travels between an engine's workers: bytes and seconds of each partition, and the tree of ten thousand."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import suffice as S
from benchmarks.engine_rows import COLUMNS, NAMES
from suffice.sources import Roles
from suffice.sources.engines.partition_tasks import add_answers
from suffice.sources.engines.partitioned_source import PartitionedRows


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
