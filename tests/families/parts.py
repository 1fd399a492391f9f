"""Small parts and shares to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from suffice.core.block import Array, Coded, Words
from suffice.core.shares import Shares


def hard(codes: Sequence[int] | Array, K: int | None = None, w: Sequence[float] | None = None) -> Shares:
    """Shares of rows in one component each."""
    codes = np.asarray(codes, dtype=np.int32)
    return Shares.hard(
        codes, int(codes.max()) + 1 if K is None else K, None if w is None else np.asarray(w, dtype=float)
    )


def column(*cells: float) -> Array:
    """One column of numbers."""
    return np.array(cells, dtype=np.float64)[:, None]


def labels(cells: Sequence[Any], vocabulary: Sequence[Any] | None = None) -> Coded:
    """One column of symbols; None is missing."""
    known = tuple(dict.fromkeys(c for c in cells if c is not None)) if vocabulary is None else tuple(vocabulary)
    codes = [-1 if cell is None else known.index(cell) for cell in cells]
    return Coded(np.array(codes, dtype=np.int32)[:, None], (known,))


def documents(texts: Sequence[str | None], vocabulary: Sequence[str] | None = None, dense: bool = False) -> Words:
    """Texts as counts of their words (those of the vocabulary, if there is one); None is missing."""
    split = [[] if text is None else text.split() for text in texts]
    known = tuple(dict.fromkeys(word for words in split for word in words)) if vocabulary is None else tuple(vocabulary)
    counts = np.array([[words.count(word) for word in known] for words in split], dtype=float).reshape(
        len(texts), len(known)
    )
    missing = np.array([text is None for text in texts])
    return Words(counts if dense else csr_array(counts), known, missing if missing.any() else None)


def learn(family: Any, part: Any, R: Shares) -> Any:
    """Summarize and estimate."""
    return family.estimate(family.summarize(part, R))
