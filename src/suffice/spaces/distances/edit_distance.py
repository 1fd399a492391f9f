"""Edit distance of strings: the least cost of insertions, deletions and substitutions that turn one into the other.

On strings of one length it is at most the Hamming distance, and may be less: "0101" becomes "1010" by 2 edits, 4 flips.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Distance


@saved
@dataclass(frozen=True)
class EditDistance(Distance):
    """Levenshtein's distance, with costs: a metric where inserting costs what deleting does, and nothing is free.

    Parameters
    ----------
    insert, delete, substitute : what one letter costs, at least 0

    >>> EditDistance().pair("kitten", "sitting")
    3.0
    >>> EditDistance(substitute=2.0).pair("kitten", "sitting")
    5.0
    """

    insert: float = 1.0
    delete: float = 1.0
    substitute: float = 1.0

    def __post_init__(self) -> None:
        """Check the costs."""
        for name in ("insert", "delete", "substitute"):
            cost = getattr(self, name)
            if not isinstance(cost, Real) or isinstance(cost, bool) or not isfinite(cost) or cost < 0:
                raise bad(self, name, "a cost of at least 0", cost, "Give 1.")

    @property
    def axioms(self) -> Axioms:
        """A metric where it is symmetric and every edit costs something."""
        if self.insert != self.delete:
            return Axioms.DISSIMILARITY
        return Axioms.METRIC if self.insert > 0 and self.substitute > 0 else Axioms.PSEUDO

    def between(self, X: Any, Y: Any = None) -> Array:
        """Each string of X with all of Y at once."""
        A = _letters(self, X)
        B = A if Y is None else _letters(self, Y)
        if Y is None and self.insert == self.delete:
            return self._symmetric(A)
        return np.array([self._to_all(a, B) for a in A], dtype=np.float64).reshape(len(A), len(B))

    def _symmetric(self, A: list[Array]) -> Array:
        found = np.zeros((len(A), len(A)))
        for i, a in enumerate(A[:-1]):
            found[i, i + 1 :] = found[i + 1 :, i] = self._to_all(a, A[i + 1 :])
        return found

    def _to_all(self, a: Array, B: list[Array]) -> Array:
        """Costs from one string to many: one table for all, padded to the longest, one column of a after another."""
        lengths = np.array([len(b) for b in B], dtype=np.intp)
        if not len(B):
            return np.empty(0)
        letters = np.full((len(B), int(lengths.max())), -1, dtype=np.int64)
        for place, b in zip(letters, B, strict=True):
            place[: len(b)] = b
        along = self.insert * np.arange(letters.shape[1] + 1)
        row: Array = np.broadcast_to(along, (len(B), len(along))).astype(np.float64)
        for letter in a:
            changed = row[:, :-1] + np.where(letters == letter, 0.0, self.substitute)
            row += self.delete
            np.minimum(row[:, 1:], changed, out=row[:, 1:])
            row = np.minimum.accumulate(row - along, axis=1) + along  # insertions, however many in a row
        return np.asarray(row[np.arange(len(B)), lengths])


def _letters(owner: object, X: Any) -> list[Array]:
    """Strings as numbers of their letters."""
    rows = list(np.asarray(X, dtype=object).ravel())
    for row in rows:
        if not isinstance(row, str):
            raise bad(owner, "X", "strings", Said(type(row).__name__), "Give a list of strings.")
    return [np.array([ord(letter) for letter in row], dtype=np.int64) for row in rows]
