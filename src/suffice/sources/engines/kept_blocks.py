"""Blocks that a worker has read, kept between passes where they fit a budget.

A model in passes asks for the same rows again and again, and to decode them often takes longer than what a pass does
with them. Nothing relies on what is kept: a partition that is not here, because another worker read it, a worker was
lost or there was no room, is read again, and its blocks are the same to the bit.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from threading import Lock, Timer
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block, Coded, LateNumbers, Uncounted, Words
from suffice.core.schema import Schema
from suffice.numerics.memory import memory
from suffice.numerics.threads import processors
from suffice.sources.files.rows import Rows

SHARE = 0.25  # of a worker's memory that blocks may take
IDLE = 300.0  # seconds after which blocks are let go that nobody has asked for

ReadChunk = tuple[Schema, int, Sequence[Block]]  # a schema, the cells that the table has at least, blocks


class Keep(NamedTuple):
    """That blocks are to be kept: how rows are read, as a digest, and bytes that a worker may take for them."""

    reading: str
    budget: int | None = None  # None: the worker's own limit


class NotKept(Exception):
    """Raised where there is nothing but what was kept, and nothing was."""


class PartKey(NamedTuple):
    """A partition of files as it is now, or one that its engine has a name for, read in one way."""

    reading: str
    files: tuple[tuple[str, int, int, int], ...]  # path, time of the last change, bytes, number on its disk

    @classmethod
    def of(cls, keep: Keep, paths: Sequence[str]) -> PartKey | None:
        """The key of files; None where they cannot be looked at."""
        try:
            stats = [os.stat(path) for path in paths]
        except OSError:
            return None
        stamps = [(path, s.st_mtime_ns, s.st_size, s.st_ino) for path, s in zip(paths, stats, strict=True)]
        return cls(keep.reading, tuple(stamps))

    @classmethod
    def named(cls, keep: Keep, name: str) -> PartKey:
        """The key of a partition whose rows stay the same as long as it has its name."""
        return cls(keep.reading, ((name, 0, 0, 0),))


class PartBlocks(NamedTuple):
    """What was read of a partition."""

    chunks: tuple[ReadChunk, ...]
    rows: Rows  # which know what reading met
    known: Schema | None  # the schema that they were read with
    first: int | None  # number of the first row
    typed: bool  # whether columns mean what their types say, however much of them was read
    size: int  # bytes

    def read_as(self, known: Schema | None, first: int | None) -> PartBlocks | None:
        """As if it was read with a schema and a number of the first row; None where that may give other blocks."""
        if known != self.known:
            alike = self.known is None and self.typed and all(schema == known for schema, _, _ in self.chunks)
            if not alike:
                return None
        if first == self.first:
            return self._replace(rows=copy(self.rows))
        if any(block.apart is not None for _, _, blocks in self.chunks for block in blocks):
            return None
        chunks = tuple((schema, cells, [self._from(first, b) for b in blocks]) for schema, cells, blocks in self.chunks)
        return self._replace(chunks=chunks, rows=copy(self.rows), first=first)

    def numbered_by(self, make: Callable[[Block], Array]) -> PartBlocks:
        """With numbers of rows made of what they hold, if somebody asks: they were read before that could be."""
        chunks = tuple(
            (schema, cells, [_numbered(make, block) for block in some]) for schema, cells, some in self.chunks
        )
        return self._replace(chunks=chunks)

    def _from(self, first: int | None, block: Block) -> Block:
        begin = Uncounted(0) if first is None else first
        return block._replace(start=begin + (int(block.start) - (self.first or 0)))


@dataclass
class BlockCache:
    """Blocks of partitions in this process, up to a limit of bytes.

    Where there is no room for another partition, those that were read in another way go, the longest unused first; of
    those that were read in the same way none does, as the next pass will ask for each of them.
    """

    limit: int = 0
    idle: float = IDLE
    held: dict[PartKey, PartBlocks] = field(default_factory=dict)  # the longest unused first
    used: dict[PartKey, float] = field(default_factory=dict)
    size: int = 0
    lock: Any = field(default_factory=Lock, repr=False)
    timer: Timer | None = None

    def get(self, key: PartKey) -> PartBlocks | None:
        """What is kept under a key."""
        with self.lock:
            found = self.held.pop(key, None)
            if found is not None:
                self.held[key], self.used[key] = found, time.monotonic()
            return found

    def put(self, key: PartKey, blocks: PartBlocks, limit: int) -> None:
        """Keep blocks if there is room, or room can be made."""
        with self.lock:
            self._drop(key)
            others = [one for one in self.held if one.reading != key.reading]
            if blocks.size + sum(b.size for one, b in self.held.items() if one.reading == key.reading) > limit:
                return
            for one in others:
                if self.size + blocks.size > limit:
                    self._drop(one)
            self.held[key], self.used[key] = blocks, time.monotonic()
            self.size += blocks.size
            self._watch()

    def clear(self) -> None:
        """Let all go."""
        with self.lock:
            for key in list(self.held):
                self._drop(key)

    def _drop(self, key: PartKey) -> None:
        found = self.held.pop(key, None)
        if found is not None:
            self.size -= found.size
            del self.used[key]

    def _watch(self) -> None:
        """Look again when what is used now may be idle."""
        if self.timer is None and self.held:
            self.timer = Timer(self.idle, self._tidy)
            self.timer.daemon = True
            self.timer.start()

    def _tidy(self) -> None:
        with self.lock:
            self.timer = None
            now = time.monotonic()
            for key in [key for key, last in self.used.items() if now - last >= self.idle]:
                self._drop(key)
            self._watch()


CACHE = BlockCache(int(SHARE * memory() / processors()))


def limit_cache(memory_of_worker: int) -> None:
    """Say how much memory this worker has, where that is less than its share of the machine's."""
    CACHE.limit = min(CACHE.limit, int(SHARE * memory_of_worker))


@dataclass
class KeepChunks:
    """Hands read chunks on and keeps them for the next pass, if all of them come and fit."""

    budget: int
    rows: Rows
    first: int | None
    typed: bool
    put: Callable[[PartBlocks], None]

    def __call__(self, chunks: Iterator[tuple[Schema, int, Iterator[Block]]], known: Schema | None) -> Iterator[Any]:
        """The same chunks, whose cells lie row by row whether they are kept or not: sums may round by how cells lie."""
        kept: list[ReadChunk] | None = []
        size = 0
        for schema, cells, blocks in chunks:
            if kept is None:
                yield schema, cells, map(by_rows, blocks)
                continue
            here = list(map(by_rows, blocks))
            size += sum(map(block_bytes, here))
            if size <= self.budget:
                kept.append((schema, cells, here))
            else:
                kept = None
            yield schema, cells, here
        if kept and not self.rows.mistaken:
            self.put(PartBlocks(tuple(kept), self.rows, known, self.first, self.typed, size))


@dataclass
class KeptBetweenPasses:
    """Rows of files as the passes of one fit keep them in this process: all of them, or none."""

    budget: int
    rows: Rows
    typed: bool
    held: PartBlocks | None = None

    def __call__(self, chunks: Iterator[tuple[Schema, int, Iterator[Block]]], known: Schema | None) -> Iterator[Any]:
        """What a pass before has kept, where it was read alike; else the chunks, which are kept for the next one."""
        found = None if self.held is None else self.held.read_as(known, 0)
        if found is not None:
            return iter(found.chunks)
        self.held = None
        return KeepChunks(self.budget, self.rows, 0, self.typed, self._hold)(chunks, known)

    def _hold(self, blocks: PartBlocks) -> None:
        self.held = blocks


def are_typed(paths: Iterable[Any]) -> bool:
    """Whether columns of all these files mean what their types say: Parquet."""
    return all(str(path).endswith((".parquet", ".pq")) for path in paths)


def _numbered(make: Callable[[Block], Array], block: Block) -> Block:
    return block if block.apart is not None else block._replace(apart=LateNumbers(make, block))


def by_rows(block: Block) -> Block:
    """The same block, the cells of whose numbers lie row by row, as loops over rows want them pass after pass."""
    parts = [np.ascontiguousarray(part) if isinstance(part, np.ndarray) else part for part in block.parts]
    found = block._replace(parts=tuple(parts))
    if isinstance(block.apart, LateNumbers):  # whose block has the cells as they lay before
        found = found._replace(apart=block.apart.of(found._replace(apart=None)))
    return found


def block_bytes(block: Block) -> int:
    """Bytes of the arrays of a block; more than any budget where a part is no array."""
    held = [*block.parts, *(one for one in (block.y, block.w, block.apart) if one is not None)]
    return sum(8 * block.n if isinstance(one, LateNumbers) else _bytes(one) for one in held)


def _bytes(part: Any) -> int:
    if isinstance(part, Coded):
        return int(part.codes.nbytes) + sum(64 * len(labels) for labels in part.labels)
    if isinstance(part, Words):
        words = 0 if isinstance(part.labels, range) else 64 * len(part.labels)
        return _bytes(part.counts) + words
    if hasattr(part, "indptr"):
        return int(part.data.nbytes + part.indices.nbytes + part.indptr.nbytes)
    return int(part.nbytes) if isinstance(part, np.ndarray) else 1 << 62
