"""Numbers of rows that have no place: a hash of what they hold, so that nobody's order decides anything.

Equal rows share a number: they share a fold, and are drawn together or not at all.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded, Words
from suffice.core.folds import GOLDEN, scrambled

SEED = 0x5F


def row_hashes(block: Block) -> Array:
    """A number for each row (n,), from 0 to 2^62 - 1, that depends on its features and its target alone.

    >>> block = Block((np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]]),))
    >>> a, b, c = row_hashes(block).tolist()
    >>> a == b, a == c
    (True, False)
    """
    state = np.zeros(block.n, dtype=np.uint64)
    parts = (*block.parts, *(() if block.y is None else (block.y,)))
    for part in parts:
        for cells in _columns(part):
            state = scrambled((state ^ cells) * GOLDEN, SEED)
    return np.asarray((state >> np.uint64(2)).astype(np.int64))


def _columns(part: Any) -> list[Array]:
    if isinstance(part, Coded):
        keys = [np.array([*map(_key, labels), 0], dtype=np.uint64) for labels in part.labels]  # -1 is the last
        return [key[part.codes[:, j]] for j, key in enumerate(keys)]
    if isinstance(part, Words):
        return [_of_words(part)]
    X = np.asarray(part, dtype=np.float64)
    X = np.where(X == 0.0, 0.0, np.where(np.isnan(X), np.nan, X))  # one zero, one way to be missing
    bits = np.ascontiguousarray(X.T).view(np.uint64)
    return list(bits)


def _of_words(part: Words) -> Array:
    """The sum of the hashes of a row's words, as often as they occur: in no order, like the bag itself."""
    from scipy.sparse import csr_array

    counts = csr_array(part.counts)
    keys = np.array([_key(label) for label in part.labels], dtype=np.uint64)
    terms = scrambled(keys[counts.indices] * GOLDEN, SEED) * counts.data.astype(np.uint64)
    ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(terms, dtype=np.uint64)])
    return np.asarray(ends[counts.indptr[1:]] - ends[counts.indptr[:-1]])


def _key(label: Any) -> int:
    return int.from_bytes(blake2b(repr(label).encode(), digest_size=8).digest(), "little")
