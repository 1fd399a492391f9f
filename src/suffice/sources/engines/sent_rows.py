"""Rows of Spark data frames on their way to workers: packed once for all passes, sent where they are lacking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

TABLE = "table"  # the name of the column of packed rows
ENOUGH, HEAVY = 50_000, 32 * 2**20  # rows, or bytes, that are summarized at once


@dataclass
class SentRows:
    """Rows that were sent to workers under a name: whether to ask for answers without sending them again.

    Workers with little memory, or several of them on one executor, may miss some, and all are sent. Then it is tried
    again two passes later, four, ...
    """

    name: str
    passes: int = 0  # that had the rows sent, and a sum for an answer, since it was last tried
    wait: int = 1  # such passes before it is tried

    @property
    def may_be_kept(self) -> bool:
        """Whether this pass may find what passes before have kept."""
        return self.passes >= self.wait

    def were_kept(self, all_of_them: bool) -> bool:
        """Note how it went without the rows."""
        if not all_of_them:
            self.passes, self.wait = 0, 2 * self.wait
        return all_of_them

    def were_sent(self, summed: bool) -> None:
        """Note a pass with the rows; where it had no sum they were not read to their end, and nothing is kept."""
        self.passes += summed


def joined(batches: Iterator[Any]) -> Iterator[Any]:
    """Tables of many rows: Spark sends ten thousand at a time, of which each has its price."""
    import pyarrow as pa

    waiting: list[Any] = []
    for batch in batches:
        waiting += [batch] if batch.num_rows else []
        if sum(one.num_rows for one in waiting) >= ENOUGH or sum(one.nbytes for one in waiting) >= HEAVY:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def packed(batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: tables of many rows, each as bytes."""
    import pyarrow as pa

    for table in joined(batches):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table.combine_chunks())
        data = sink.getvalue()
        ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int32))
        whole = pa.Array.from_buffers(pa.binary(), 1, [None, ends, data])
        yield pa.RecordBatch.from_arrays([whole], names=[TABLE])


def unpacked(batches: Iterator[Any]) -> Iterator[Any]:
    """The tables that were packed, nothing copied."""
    import pyarrow as pa

    for batch in batches:
        for one in batch.column(0):
            yield pa.ipc.open_stream(one.as_buffer()).read_all()
