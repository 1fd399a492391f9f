"""Jobs of Spark: answers of partitions added as a tree, progress, what is left behind where they are interrupted.

The tree is the same whoever adds: eight neighbours by the numbers of their partitions, then eight of those.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from threading import Event, Thread
from typing import Any, TypeVar
from uuid import uuid4

from suffice.core.saving import value_bytes
from suffice.sources.engines.kept_blocks import limit_cache
from suffice.sources.engines.partition_tasks import EMPTY, add_answers
from suffice.sources.engines.partitioned_source import Progress

T = TypeVar("T")
Run = Sequence[tuple[int, Any]]  # neighbouring partitions and their numbers
SayOfRun = Callable[[Run], Iterable[tuple[int, bytes]]]

TOGETHER = 8  # answers that are added before the next level of the tree
FEW, LIGHT = 64, 1 << 20  # answers that the driver adds by itself, if the last sum had no more bytes
LOOKED_AT = 20_000  # objects of a worker that garbage may be looked for among
LOOKS = 0.1  # seconds between looks at what is done


@dataclass
class AnswerTree:
    """Adds answers on executors, or on the driver where they are few and known to be light.

    Executors add in a stage of its own, which costs more than to add some kilobytes here.
    """

    light: bool = field(default=False, compare=False)  # whether the last sum was

    def sum(self, task: bytes, answers: Any, n: int) -> bytes:
        """One answer from n: an RDD of pairs, the number of a partition and what was said of it."""
        while n > TOGETHER and not (self.light and n <= FEW):
            n = -(-n // TOGETHER)
            # not groupByKey, which takes blocks that a worker has kept for its own and spills to disk
            grouped = answers.mapPartitions(_grouped).partitionBy(n, int)
            answers = grouped.mapPartitions(partial(_add, task))
        level = collected(answers) or [value_bytes((EMPTY, 0))]  # Spark drops partitions without rows
        while len(level) > 1:
            level = [add_answers(task, level[a : a + TOGETHER]) for a in range(0, len(level), TOGETHER)]
        self.light = len(level[0]) <= LIGHT
        return level[0]


def collected(answers: Any) -> list[bytes]:
    """What was said, by the numbers of the partitions."""
    return [bytes(answer) for _, answer, *_ in sorted(answers.collect(), key=itemgetter(0))]


def _grouped(answers: Iterator[Any]) -> Iterator[tuple[int, bytes]]:
    """Neighbours under one number."""
    keep_loaded()
    return ((number // TOGETHER, bytes(answer)) for number, answer, *_ in answers)


def _add(task: bytes, neighbours: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """On an executor: the answers of neighbours as one."""
    found = list(neighbours)
    if found:
        yield found[0][0], add_answers(task, [answer for _, answer in found])


def slots(context: Any, parts: int) -> int:
    """How many tasks can run at a time; as many as there are parts where executors come as tasks wait for them."""
    dynamic = context.getConf().get("spark.dynamicAllocation.enabled", "false") == "true"
    return max(parts if dynamic else min(int(context.defaultParallelism), parts), 1)


def one_worker_each(context: Any) -> bool:
    """Whether each executor has one core, and so one worker of Python, as far as that was said."""
    kind, _, cores = str(context.master).partition("[")
    if kind == "local-cluster":
        return int(cores.rstrip("]").split(",")[1]) == 1
    usual = "1" if kind in ("local", "yarn") or kind.startswith("k8s") else "all"
    return (cores.rstrip("]") or context.getConf().get("spark.executor.cores", usual)) == "1"


def runs_of(parts: Sequence[T], at_a_time: int) -> list[list[tuple[int, T]]]:
    """Neighbouring partitions with their numbers, those of a task together: a task costs more than many a partition.

    There are as many runs as tasks can run at a time; of more partitions than eight times that, eight to a run.

    >>> [[number for number, _ in run] for run in runs_of("abcde", 2)]
    [[0, 1], [2, 3, 4]]
    """
    numbered, n = list(enumerate(parts)), len(parts)
    if n >= TOGETHER * at_a_time:
        return [numbered[a : a + TOGETHER] for a in range(0, n, TOGETHER)]
    tasks = min(n, at_a_time)
    return [numbered[n * i // tasks : n * (i + 1) // tasks] for i in range(tasks)]


@dataclass(frozen=True)
class PlacedRuns:
    """Runs of partitions that executors read by themselves, as a little list of what each of them is.

    Spark keeps it where its parts were first worked on, and sends later passes there, to workers that may have kept
    what they read.
    """

    context: Any  # of Spark
    parts: int
    tasks: int
    whole: bool  # whether each run is what is added first in the tree
    listed: Any  # an RDD of runs

    @classmethod
    def of(cls, context: Any, parts: Sequence[Any]) -> PlacedRuns:
        """The runs of partitions."""
        runs = runs_of(parts, slots(context, len(parts)))
        whole = all(run[0][0] % TOGETHER == 0 and len(run) <= TOGETHER for run in runs)
        return cls(context, len(parts), len(runs), whole, context.parallelize(runs, len(runs)).cache())

    def each(self, say: SayOfRun) -> list[bytes]:
        """What executors say of each partition."""
        with spark_job(self.context):
            return collected(self.listed.flatMap(partial(_said, say, None)))

    def tree(self, say: SayOfRun, task: bytes, sums: AnswerTree, progress: Progress | None) -> bytes:
        """Answers are added in a tree, whose first level is that of the tasks where each has eight neighbours."""
        with spark_job(self.context, progress, self.tasks, self.parts):
            answers = self.listed.flatMap(partial(_said, say, task if self.whole else None))
            return sums.sum(task, answers, self.tasks if self.whole else self.parts)


def _said(say: SayOfRun, task: bytes | None, run: Run) -> list[tuple[int, bytes]]:
    """On an executor: what is to be said of the partitions of a run, or, where a task is named, of them together."""
    limit_to_share()
    found = list(say(run))
    keep_loaded()
    return found if task is None else [(run[0][0] // TOGETHER, add_answers(task, [answer for _, answer in found]))]


@cache
def limit_to_share() -> None:
    """Once a process: what is kept is a share of what Spark lets Python have, where that was said."""
    limit = int(os.environ.get("PYSPARK_EXECUTOR_MEMORY_MB", "-1"))
    if limit > 0:
        limit_cache(limit << 20)


def keep_loaded() -> None:
    """After each task Spark has garbage looked for among all objects; those of modules, which stay, are taken out."""
    if len(gc.get_objects()) > LOOKED_AT:
        gc.collect()
        gc.freeze()


@contextmanager
def spark_job(context: Any, progress: Progress | None = None, tasks: int = 0, parts: int = 0) -> Iterator[None]:
    """A group of jobs, which is cancelled as a whole where it is interrupted.

    Parameters
    ----------
    context : of Spark
    progress : told how many parts are done
    tasks : of the stage that works on the parts
    parts : how many
    """
    group = f"suffice-{uuid4().hex}"
    context.setJobGroup(group, "suffice", interruptOnCancel=True)
    watching = _watch(context, group, progress, tasks, parts) if progress else None
    try:
        yield
    except BaseException:
        context.cancelJobGroup(group)
        raise
    else:
        if watching is not None:
            watching()
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)


def _watch(context: Any, group: str, progress: Progress, tasks: int, parts: int) -> Callable[[], None]:
    """Tell how many partitions are done, from a thread that looks now and then; the function ends it."""
    end, told = Event(), [0]

    def look() -> None:
        tracker = context.statusTracker()
        while not end.wait(LOOKS):
            infos = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
            stages = [tracker.getStageInfo(stage) for info in infos if info for stage in info.stageIds]
            done = max((s.numCompletedTasks for s in stages if s is not None and s.numTasks == tasks), default=0)
            if done * parts // tasks > told[0]:
                told[0] = done * parts // tasks
                progress(told[0], parts)

    thread = Thread(target=look, daemon=True)
    thread.start()

    def stop() -> None:
        end.set()
        thread.join()
        if told[0] < parts:
            progress(parts, parts)

    return stop
