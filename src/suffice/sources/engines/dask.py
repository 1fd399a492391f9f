"""Dask: partitions of data frames, bags, arrays, delayed tables and files, worked on by its scheduler.

With a `distributed.Client` the work runs on its workers; without one on Dask's own threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from suffice.core.errors import Said, bad
from suffice.sources.engines.kept_blocks import limit_cache
from suffice.sources.engines.partition_tasks import add_answers
from suffice.sources.engines.partitioned_source import Progress, Worker
from suffice.sources.engines.read_partition import PartFiles, WithTarget, columns_of

TOGETHER = 8  # answers that one task adds


@dataclass(frozen=True)
class DaskPartitions:
    """Partitions of a Dask collection, in their order."""

    parts: tuple[Any, ...]  # delayed tables, or `PartFiles`
    collection: Any = None  # what they are parts of, where predictions are to be one like it

    engine: ClassVar[str] = "Dask"
    ordered: ClassVar[bool] = True

    @property
    def records(self) -> bool:
        """Whether rows are mappings."""
        return is_bag(self.collection)

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What workers say of each partition."""
        return _computed(self._said(work, task, firsts))

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """Eight answers at a time become one, on the workers."""
        from dask.delayed import delayed

        leaves = level = self._said(work, task, firsts)
        shared = delayed(task, pure=True)
        while len(level) > 1:
            groups = [level[a : a + TOGETHER] for a in range(0, len(level), TOGETHER)]
            level = [delayed(add_answers, pure=False)(shared, group) for group in groups]
        return bytes(_computed(level, leaves, progress)[0])

    def _said(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None) -> list[Any]:
        """An answer a partition, wherever Dask wants: named workers, even if others are allowed, are waited for by Dask
        for ever where all workers are lost at once and new ones come under other addresses.
        """
        from dask.delayed import delayed

        shared = delayed(task, pure=True)
        firsts = [None] * len(self.parts) if firsts is None else firsts
        ask = delayed(_on_worker, pure=False)
        return [
            ask(work, shared, part, i, first) for i, (part, first) in enumerate(zip(self.parts, firsts, strict=True))
        ]

    def answers(self, answer: Callable[[Any], Any], like: Callable[[Any], Any]) -> Any:
        """A frame for a frame and for files, a bag of records for a bag, delayed tables for delayed ones."""
        from dask.delayed import delayed

        if is_bag(self.collection):
            return self.collection.map_partitions(_records, answer)
        if is_frame(self.collection):
            meta = like(self.collection._meta_nonempty).iloc[:0]
            return self.collection.map_partitions(answer, meta=meta)
        ask = delayed(answer, pure=False)
        found = [ask(part) for part in self.parts]
        if not isinstance(self.parts[0], PartFiles) and not is_array(self.collection):
            return found
        from dask.dataframe import from_delayed

        first = self.parts[0] if isinstance(self.parts[0], PartFiles) else self.collection._meta
        return from_delayed(found, meta=like(first).iloc[:0], verify_meta=False)


def _on_worker(work: Worker, task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """Work on a partition, within the memory that this worker has."""
    _limit_cache()
    return work(task, part, number, first)


@cache
def _limit_cache() -> None:
    """Once a process: what is kept of files is a share of what Dask lets this worker have."""
    try:
        from distributed import get_worker

        limit = get_worker().memory_manager.memory_limit
    except (ImportError, ValueError):  # threads of Dask, not workers
        return
    if limit:
        limit_cache(int(limit))


def _records(part: Any, answer: Callable[[Any], Any]) -> list[dict[Any, Any]]:
    records = list(part)
    return answer(columns_of(records)).to_dict("records") if records else []


def open_dask(what: Any, y: Any = None, w: Any = None) -> DaskPartitions:
    """The partitions of a collection of Dask, of delayed tables, or of files; y and w are divided as they are."""
    if isinstance(what, PartFiles):
        return DaskPartitions(tuple(PartFiles((path,)) for path in what.paths))
    parts = _delayed(what)
    if y is None and w is None:
        return DaskPartitions(tuple(parts), what)
    from dask.delayed import delayed

    beside = [_beside(name, given, len(parts)) for name, given in (("y", y), ("sample_weight", w))]
    join = delayed(WithTarget, pure=True)
    return DaskPartitions(tuple(join(*one) for one in zip(parts, *beside, strict=True)), what)


def _beside(name: str, given: Any, n: int) -> list[Any]:
    if given is None:
        return [None] * n
    if not is_dask(given):
        remedy = "Give it as a column of the same collection, or name that column."
        raise bad("Dask", name, "divided like X", Said(type(given).__name__), remedy)
    parts = _delayed(given)
    if len(parts) != n:
        raise bad("Dask", name, f"of {n} partitions, as X is", Said(str(len(parts))), "Divide both alike.")
    return parts


def _delayed(what: Any) -> list[Any]:
    if isinstance(what, (list, tuple)):
        return list(what)
    if is_array(what):
        what = what.rechunk({1: -1}) if what.ndim == 2 else what
        return list(what.to_delayed().ravel())
    if hasattr(what, "to_delayed"):
        return list(what.to_delayed())
    return [what]  # one delayed table


def is_dask(what: Any) -> bool:
    """Whether this is a collection of Dask, or a list of delayed tables."""
    if isinstance(what, (list, tuple)):
        return len(what) > 0 and all(is_dask(one) for one in what)
    return hasattr(what, "__dask_graph__") and type(what).__module__.partition(".")[0] in ("dask", "dask_expr")


def is_bag(what: Any) -> bool:
    """Whether this is a bag."""
    return type(what).__module__.startswith("dask.bag")


def is_array(what: Any) -> bool:
    """Whether this is an array."""
    return hasattr(what, "chunks") and hasattr(what, "rechunk")


def is_frame(what: Any) -> bool:
    """Whether this is a data frame."""
    return hasattr(what, "_meta_nonempty") and hasattr(what, "columns")


def _computed(wanted: list[Any], leaves: Sequence[Any] = (), progress: Progress | None = None) -> list[Any]:
    """Compute, where the user's client is if there is one; whatever interrupts it leaves nothing running."""
    from dask.base import compute

    client = _client()
    if client is None:
        return list(compute(*wanted))
    futures = client.compute([*wanted, *leaves] if progress else wanted)
    with _cancelled_at_the_end(client, futures):
        if progress:
            _tell(futures[len(wanted) :], progress)
        return list(client.gather(futures[: len(wanted)]))


def _tell(leaves: Sequence[Any], progress: Progress) -> None:
    from distributed import as_completed

    for done, _ in enumerate(as_completed(leaves, raise_errors=False), 1):
        progress(done, len(leaves))


@contextmanager
def _cancelled_at_the_end(client: Any, futures: Sequence[Any]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        client.cancel(list(futures), force=True)
        raise
    finally:
        for future in futures:
            future.release()


def _client() -> Any:
    """The client that the user has made, if any."""
    try:
        from distributed import default_client
    except ImportError:
        return None
    try:
        return default_client()
    except ValueError:
        return None


@contextmanager
def started_dask(workers: int, scheduler: str | None, patience: float) -> Iterator[None]:
    """Workers of our own, which end with us, or those of a scheduler; collections are computed on them meanwhile.

    Parameters
    ----------
    workers : how many processes to start, where there is no scheduler
    scheduler : its address
    patience : seconds that it may take to answer
    """
    from dask.config import set as configured

    with configured({"distributed.admin.low-level-log-length": 0, "logging.distributed": "critical"}):
        from distributed import Client, LocalCluster  # it reads how loud it is to be when it is imported

        if scheduler is not None:
            with Client(scheduler, timeout=patience):
                yield
            return
        quiet = {"dashboard_address": "127.0.0.1:0", "scheduler_kwargs": {"dashboard": False}}  # None takes port 8787
        with LocalCluster(workers, threads_per_worker=1, **quiet) as cluster, Client(cluster):
            yield
