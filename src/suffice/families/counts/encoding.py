"""From counts of words to the columns of a model of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.registry import saved
from suffice.summaries.counts import Vocabulary


@saved
@dataclass(frozen=True)
class Encoding:
    """How a count becomes columns: itself (levels 0), or one column for each level but the lowest.

    With L levels a count is cut at L - 1, and the levels 1 .. L - 1 of a word are its columns; level 0 is the base. Two
    levels are absence and presence; there the count must exceed `threshold`.

    >>> Encoding(3).encode(np.array([[0, 1, 5]])).toarray()
    array([[0., 0., 1., 0., 0., 1.]])
    """

    levels: int = 0
    threshold: float = 0.0

    @property
    def per(self) -> int:
        """Columns of a word."""
        return max(self.levels - 1, 1)

    def labels(self, vocabulary: Vocabulary) -> Vocabulary:
        """The columns that a vocabulary gives."""
        if not self.levels:
            return vocabulary
        if isinstance(vocabulary, range):
            return range(len(vocabulary) * self.per)
        return tuple((word, level) for word in vocabulary for level in range(1, self.levels))

    def encode(self, counts: Any) -> Any:
        """Counts (n, V), sparse or dense, over the columns."""
        from scipy.sparse import csr_array

        if getattr(counts, "format", None) != "csr" or counts.dtype != np.float64:  # else a copy is spared
            counts = csr_array(counts, dtype=np.float64)
        if not self.levels:
            return counts
        per = self.per
        level = counts.data > self.threshold if per == 1 else np.floor(np.minimum(counts.data, per))
        keep = level > 0
        if per == 1 and keep.all():  # every word that is stored is present: the places stay as they are
            return csr_array((np.ones(len(keep)), counts.indices, counts.indptr), shape=counts.shape, copy=False)
        columns = counts.indices[keep].astype(np.int64) * per + level[keep].astype(np.int64) - 1
        starts = np.concatenate([[0], np.cumsum(keep)])[counts.indptr]
        return csr_array((np.ones(len(columns)), columns, starts), shape=(counts.shape[0], counts.shape[1] * per))

    def dense(self, part: Words, columns: int) -> Array | None:
        """The same for the columns of a dense matrix, left as they lie; None where only sparse ones will do."""
        counts = part.counts
        if not isinstance(counts, np.ndarray) or self.levels > 2 or not isinstance(part.labels, range):
            return None
        if counts.shape[1] != columns:
            return None
        if self.levels:
            counts = (counts > self.threshold) & (counts != 0)
        return np.asarray(counts, dtype=np.float64)

    def encode_over(self, part: Words, labels: Vocabulary, places: Mapping[Any, int], closed: bool = False) -> Any:
        """Counts over the columns of a model's own vocabulary and, unless both are matrices, one for unknown words.

        Where the vocabulary is closed there are no unknown words: those outside count 0 times.
        """
        from scipy.sparse import csr_array

        counts, C = self.encode(part.counts), len(labels) * self.per
        if isinstance(labels, range) and isinstance(part.labels, range) and counts.shape[1] == C:
            return counts
        words = np.fromiter((places.get(word, -1) for word in part.labels), dtype=np.int64, count=len(part.labels))
        columns = np.where(words[:, None] < 0, C, words[:, None] * self.per + np.arange(self.per)).ravel()
        own = csr_array((counts.data, columns[counts.indices], counts.indptr), shape=(counts.shape[0], C + 1))
        if (words < 0).sum() > 1:  # all unknown words are one word, whose count is theirs together
            own = own.copy()
            own.sum_duplicates()
        if closed and (words < 0).any():
            own.data = np.where(own.indices == C, 0.0, own.data)
        return own
