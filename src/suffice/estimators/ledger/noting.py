"""Noting rows as they pass: what a source hands its blocks to where a ledger is kept. No scikit-learn."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.schema import Schema
from suffice.estimators.ledger.ledger import RowLedger, mark_of, secret_of
from suffice.estimators.ledger.row_digests import RowDigests


@dataclass
class Note:
    """The digests of the rows of one pass; a pass that begins anew begins it anew."""

    secret: bytes
    drawn: bool = False  # whether the key lies in the file
    names: tuple[Any, ...] | None = None  # of the columns, where rows were learned before
    numbered: bool = False  # whether rows are told by number: those that may be refused, or left out
    _met: tuple[Any, ...] = ()
    _noted: list[tuple[Array, Array | None]] = field(default_factory=list)
    _taken: RowLedger | None = None  # what workers have noted

    def __post_init__(self) -> None:
        """Nothing is noted yet."""
        self._rows = RowDigests(self.secret)

    def begin(self) -> None:
        """Another pass over the rows."""
        self._noted, self._taken = [], None

    def add(self, schema: Schema, block: Block) -> None:
        """Note the rows of a block that weigh more than nothing; threads may note at the same time."""
        self._met = self._names(schema)
        digests = self._rows.of(schema, block, self._met)
        numbers = block.numbers if self.numbered else None
        if block.w is not None and not np.all(block.w):
            some = np.asarray(block.w) != 0
            digests, numbers = digests[:, some], None if numbers is None else numbers[some]
        self._noted.append((digests, numbers))

    def _names(self, schema: Schema) -> tuple[Any, ...]:
        """The names that columns had when rows were first learned; arrays have none of their own."""
        known = self.names
        if known is None or len(known) != len(schema.names) or set(known) == set(schema.names):
            return schema.names
        return known

    def of_block(self, schema: Schema, block: Block) -> RowLedger:
        """The ledger of a block alone, which adds: what workers send. The key has come to them with the note."""
        alone = Note(self.secret, self.drawn, self.names)
        alone.add(schema, block)
        return alone.ledger()

    def take(self, ledger: RowLedger) -> None:
        """What workers have noted of all rows."""
        self._taken = ledger

    def ledger(self) -> RowLedger:
        """What was noted in the last pass."""
        if self._taken is not None:
            return self._taken
        digests = np.concatenate([np.zeros((2, 0), dtype=np.uint64), *(digests for digests, _ in self._noted)], axis=1)
        known = [numbers for _, numbers in self._noted if numbers is not None]
        numbers = np.concatenate([np.zeros(0, dtype=np.int64), *known]) if self.numbered else None
        key = self.secret.hex() if self.drawn else None
        return RowLedger(digests, mark_of(self.secret), key, self._met if self.names is None else self.names, numbers)


def note_for(owner: str, given: Any, before: Any) -> Note | None:
    """What notes the rows of an estimator; None where it keeps no ledger.

    Parameters
    ----------
    owner : who asks
    given : its parameter `ledger`
    before : the fitted value that the rows are added to or taken from
    """
    if (given is not None and not isinstance(given, (bool, np.bool_, str, bytes))) or given in ("", b""):
        raise bad(owner, "ledger", "True, a key (a text or bytes), or None", type(given).__name__, "True draws a key.")
    key = given if isinstance(given, (str, bytes)) else None
    kept = None if before is None else before.ledger
    if before is not None and kept is None:
        if given:
            remedy = "Fit all rows with a ledger, or none."
            raise bad(owner, "ledger", "None for a model that was fitted without one", type(given).__name__, remedy)
        return None
    if kept is None:
        return Note(secrets.token_bytes(32) if key is None else secret_of(key), key is None) if given else None
    return Note(_known(owner, key, kept), kept.key is not None, kept.names, numbered=True)


def _known(owner: str, key: str | bytes | None, kept: RowLedger) -> bytes:
    """The secret of a ledger: the one in its file, or that of the key given."""
    secret = kept.secret if key is None else secret_of(key)
    if secret is None:
        raise bad(owner, "ledger", "the key that the model was fitted with", None, "Set model.ledger = key.")
    if mark_of(secret) != kept.mark:
        raise bad(owner, "ledger", "the key that the model was fitted with", "another", "Give that key.")
    return secret
