"""Latent semantic indexing: documents and words as places in a space of few topics.

counts ~ U S V',     a document d is at d V,     a word at V S,     both near the topics they belong to
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.projections.components.principal_axes import turned
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer


@saved
@dataclass(frozen=True)
class LatentSemanticIndex:
    """Topics of documents, from counts of an open vocabulary; new documents and questions are folded in.

    Counts are not centred, so that they stay sparse. Words that no document had tell nothing.

    >>> texts = ["cats and dogs", "dogs bark", "cats purr and dogs bark", "stocks and bonds", "bonds pay", "stocks pay"]
    >>> index = LatentSemanticIndex.of(texts, 2, analyzer=Analyzer(stop_words=("and",)))
    >>> [where for where, _ in index.nearest_documents("bonds", 3)]
    [3, 4, 5]
    >>> sorted(word for word, _ in index.nearest_words("barking dogs bark", 4))
    ['bark', 'cats', 'dogs', 'purr']
    """

    words: tuple[str, ...]  # (V,)
    weights: Array  # (V,) what a count of each word is multiplied by
    values: Array  # (k,) singular values
    axes: Array  # (k, V) topics
    places: Array  # (n, k) of the documents
    analyzer: Analyzer = PLAIN_WORDS

    @classmethod
    def of(
        cls, documents: Sequence[str], topics: int, *, tf_idf: bool = True, analyzer: Analyzer | None = None
    ) -> LatentSemanticIndex:
        """Learn topics from documents.

        Parameters
        ----------
        documents : texts
        topics : how many
        tf_idf : whether counts are weighted by log((1 + n) / (1 + documents with the word)) + 1
        analyzer : how a text becomes words
        """
        analyzer = analyzer or PLAIN_WORDS
        if isinstance(documents, str) or not all(isinstance(text, str) for text in documents):
            raise bad(cls.__name__, "documents", "a list of texts", documents, "Give one text a document.")
        bags = [Counter(analyzer(text)) for text in documents]
        words = tuple(sorted({word for bag in bags for word in bag}))
        if not 1 <= topics <= min(len(bags), len(words)):
            rule = f"from 1 to {min(len(bags), len(words))}, as there are documents and words"
            raise bad(cls.__name__, "topics", rule, topics, "Ask for fewer.")
        counts = _matrix(bags, words)
        met = np.asarray((counts > 0).sum(axis=0)).ravel()
        weights = np.log((1.0 + len(bags)) / (1.0 + met)) + 1.0 if tf_idf else np.ones(len(words))
        weighted = csr_array(counts.multiply(weights))
        values, axes = _decomposed(weighted, topics)
        return cls(words, weights, values, axes, np.asarray(weighted @ axes.T), analyzer)

    def fold(self, texts: Sequence[str]) -> Array:
        """Places of new documents or questions among the topics (n, k); the topics stay as they are."""
        if isinstance(texts, str):
            raise bad(self, "texts", "a list of texts", texts, "Put it in a list.")
        counts = _matrix([Counter(self.analyzer(text)) for text in texts], self.words)
        return np.asarray(counts.multiply(self.weights) @ self.axes.T)

    @property
    def word_places(self) -> Array:
        """Places of the words among the topics (V, k)."""
        return np.asarray((self.axes * self.values[:, None]).T)

    def nearest_documents(self, question: str | int, k: int = 5) -> list[tuple[int, float]]:
        """Numbers of the documents nearest to a text, or to a topic by its number, with their cosine."""
        return [(int(i), c) for i, c in self._nearest(self.places, question, k)]

    def nearest_words(self, question: str | int, k: int = 5) -> list[tuple[str, float]]:
        """Words nearest to a text, or to a topic by its number, with their cosine."""
        return [(self.words[i], c) for i, c in self._nearest(self.word_places, question, k)]

    def _nearest(self, places: Array, question: str | int, k: int) -> list[tuple[int, float]]:
        if isinstance(question, str):
            where = self.fold([question])[0]
        elif 0 <= question < len(self.values):
            where = np.eye(len(self.values))[question]
        else:
            rule = f"a text, or a topic from 0 to {len(self.values) - 1}"
            raise bad(self, "the question", rule, question, "Count from 0.")
        size = np.linalg.norm(places, axis=1) * np.linalg.norm(where)
        cosine = np.divide(places @ where, size, out=np.zeros(len(places)), where=size > 0)
        return [(int(i), float(cosine[i])) for i in np.argsort(-cosine, kind="stable")[:k]]


def _matrix(bags: Sequence[Counter[str]], words: tuple[str, ...]) -> Any:
    """Counts (n, V); words that are not known are left out."""
    at = {word: j for j, word in enumerate(words)}
    cells = [(i, at[word], n) for i, bag in enumerate(bags) for word, n in bag.items() if word in at]
    rows, columns, counts = (np.array([cell[c] for cell in cells], dtype=np.int64) for c in range(3))
    return csr_array((counts.astype(np.float64), (rows, columns)), shape=(len(bags), len(words)))


def _decomposed(X: Any, k: int) -> tuple[Array, Array]:
    if min(X.shape) <= max(64, k + 1):
        _, values, axes = np.linalg.svd(X.toarray(), full_matrices=False)
    else:
        _, values, axes = svds(X, k=k, v0=np.ones(min(X.shape)))
        values, axes = values[::-1], axes[::-1]
    return np.array(values[:k]), turned(np.ascontiguousarray(axes[:k]))
