"""The ledger: which rows a model has learned, as keyed digests: strangers are known before they are forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile, NeverAdded, NotASummary, Said, refusal
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class RowLedger:
    """A bag of digests: learning adds to it, forgetting takes out of it what is there and refuses what is not.

    Who has the key can ask of any row whether it was learned. A key that the user holds is not in the file; one that
    was drawn is, and then the file tells it to whoever reads it.
    """

    digests: Array  # (2, n) uint64, in any order
    mark: str  # tells keys apart without telling them
    key: str | None = None  # the key, where it was drawn and not given
    names: tuple[Any, ...] = ()  # of the columns, as they were when rows were learned
    numbers: Array | None = field(default=None, metadata={"saved": False}, compare=False)  # of the rows in their source

    def __post_init__(self) -> None:
        """Refuse pieces of a file that are none of a ledger."""
        array = self.digests
        if not (isinstance(array, np.ndarray) and array.dtype == np.uint64 and array.ndim == 2 and array.shape[0] == 2):
            raise BadFile("its ledger holds no digests of 128 bits")
        if not (isinstance(self.mark, str) and isinstance(self.names, tuple)):
            raise BadFile("its ledger has no mark or no names")
        if self.key is not None and mark_of(_secret(self.key)) != self.mark:
            raise BadFile("its ledger was not kept under its key")

    def __len__(self) -> int:
        """Number of rows."""
        return int(self.digests.shape[1])

    @property
    def total(self) -> str:
        """One digest of all rows, whatever their order: their sum, which learning and forgetting change by theirs."""
        low, high = self.digests.sum(axis=1, dtype=np.uint64).tolist()
        return f"{high:016x}{low:016x}"

    @cached_property
    def secret(self) -> bytes | None:
        """The key, where it is known."""
        return None if self.key is None else _secret(self.key)

    @classmethod
    def sum(cls, parts: Sequence[RowLedger | None]) -> RowLedger | None:
        """The rows of all; models that keep a ledger merge only with their like."""
        kept = [part for part in parts if part is not None]
        if not kept:
            return None
        if len(kept) < len(parts):
            raise _unlike("kept by all models or by none", "one that keeps none", "Fit all of them with one.")
        if len({part.mark for part in kept}) > 1:
            raise _unlike("kept under one key", "several", "Give all models the same: ledger='...'.")
        if len({part.names for part in kept}) > 1:
            raise _unlike("of the same columns", "others", "Give every table the same columns.")
        digests = np.concatenate([part.digests for part in kept], axis=1)
        return cls(digests, kept[0].mark, next((part.key for part in kept if part.key), None), kept[0].names)

    def but(self, rows: Array) -> RowLedger:
        """Without the rows of these numbers."""
        assert self.numbers is not None
        kept = ~np.isin(self.numbers, rows)
        return RowLedger(self.digests[:, kept], self.mark, self.key, self.names)

    def without(self, other: RowLedger) -> RowLedger:
        """After rows are forgotten; refuses the first that is not there, or not any more, by its number."""
        if self.mark != other.mark:
            raise _unlike("kept under one key", "several", "Give the key of the fit: ledger='...'.")
        mine = np.flatnonzero(np.isin(self.digests[0], other.digests[0]))
        found, strangers = _matched(self.digests[:, mine], other.digests)
        if len(strangers):
            rows = strangers if other.numbers is None else other.numbers[strangers]
            raise refusal(
                NeverAdded,
                "forget",
                "every row",
                "in the ledger, with its weight",
                Said(f"row {int(rows.min())}, which was not learned or is forgotten already{_more(len(rows))}"),
                "Nothing was changed.",
            )
        return RowLedger(np.delete(self.digests, mine[found], axis=1), self.mark, self.key, self.names)


def _matched(mine: Array, theirs: Array) -> tuple[Array, Array]:
    """Places in `mine` that are used up, one for each of `theirs`; and the places in `theirs` that find none."""
    both = np.concatenate([mine, theirs], axis=1)
    n = mine.shape[1]
    whose = np.repeat([0, 1], [n, theirs.shape[1]])
    order = np.lexsort((whose, both[1], both[0]))
    ordered, whose = both[:, order], whose[order]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    run = np.cumsum(begins) - 1
    runs = int(run[-1]) + 1 if len(run) else 0
    have, want = (np.bincount(run[whose == k], minlength=runs) for k in (0, 1))
    first = np.flatnonzero(begins)
    place = np.arange(len(order)) - first[run] - np.where(whose == 1, have[run], 0)  # among its like of the same bag
    used = order[(whose == 0) & (place < want[run])]
    lacking = order[(whose == 1) & (place >= have[run])] - n
    return used, np.sort(lacking)


def secret_of(key: str | bytes) -> bytes:
    """A key of any length as one of 32 bytes."""
    data = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else bytes(key)
    return blake2b(data, digest_size=32, person=b"suffice ledger").digest()


def mark_of(secret: bytes) -> str:
    """What tells a secret from others without telling it."""
    return blake2b(b"mark", digest_size=16, key=secret).hexdigest()


def _secret(key: str) -> bytes:
    try:
        secret = bytes.fromhex(key)
    except (TypeError, ValueError):
        secret = b""
    if len(secret) != 32:
        raise BadFile("the key of its ledger is none")
    return secret


def _more(n: int) -> str:
    return "" if n == 1 else f", the first of {n} such"


def _unlike(rule: str, got: str, remedy: str) -> NotASummary:
    return refusal(NotASummary, "merge", "the ledgers", rule, Said(got), remedy)
