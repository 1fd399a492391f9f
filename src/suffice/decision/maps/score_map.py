"""ScoreMap: from scores to probabilities, one class or several; what all such maps share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.curves.ranked_scores import read_scores


class ScoreMap(ABC):
    """A map from scores to probabilities. A score that is NaN has no probability: it stays NaN."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of columns of scores: 1 for two classes, else one for each class."""

    @abstractmethod
    def _map(self, s: Array) -> Array:
        """Probabilities (n,) from scores (n, 1), or (n, K) from (n, K)."""

    def __call__(self, scores: Any) -> Array:
        """Probability of the second of two classes (n,) from scores (n,); of each class (n, K) from scores (n, K).

        Parameters
        ----------
        scores : like those the map was learned from
        """
        return self._map(read_scores(type(self).__name__, scores, self.width))

    def proba(self, scores: Any) -> Array:
        """Probability of each class (n, K), with two columns for two classes."""
        p = self(scores)
        return np.column_stack([1.0 - p, p]) if self.width == 1 else p


class OneAgainstRest(ScoreMap):
    """Each class is mapped by its own scores, one against the rest; several classes are then normalised.

        p(class k | s) = m_k(s_k) / sum_c m_c(s_c)

    Where every class is mapped to 0, all are as probable.
    """

    @abstractmethod
    def _column(self, j: int, s: Array) -> Array:
        """Probabilities (n,) of the scores (n,) of column j."""

    def _map(self, s: Array) -> Array:
        columns = [self._column(j, s[:, j]) for j in range(self.width)]
        return columns[0] if self.width == 1 else normalised(np.column_stack(columns))


def normalised(p: Array) -> Array:
    """Rows that sum to 1; equal shares where all are 0."""
    total = p.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(p, total, out=np.full_like(p, 1.0 / p.shape[1]), where=total != 0.0))


def logistic(z: Array) -> Array:
    """1 / (1 + e^-z), to the last digits of the smaller tail, without overflow."""
    small = np.exp(-np.abs(z))
    return np.asarray(np.where(z < 0.0, small, 1.0) / (1.0 + small))
