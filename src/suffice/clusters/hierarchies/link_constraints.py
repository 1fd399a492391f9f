"""Pairs of rows that must, or must not, be in one cluster; and a certificate where both cannot be."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad, refusal


class InfeasibleLinks(BadInput):
    """Pairs that must and must not be together contradict each other: `path` leads from one to the other."""

    path: tuple[int, ...] = ()  # rows that must be together, one after the other; the first and last must not


@dataclass(frozen=True)
class LinkConstraints:
    """Pairs (m, 2) that must, and pairs that must not, be in one cluster.

    >>> LinkConstraints.of(3, [(0, 1)], [(1, 2)]).groups().tolist()
    [0, 0, 1]
    """

    n: int
    must: Array  # (m, 2)
    cannot: Array  # (m, 2)

    @classmethod
    def of(cls, n: int, must: Any = None, cannot: Any = None, owner: str = "LinkConstraints") -> LinkConstraints:
        """Read, and refuse pairs that contradict each other."""
        made = cls(n, _pairs(owner, "must_link", must, n), _pairs(owner, "cannot_link", cannot, n))
        label = made.groups()
        for a, b in made.cannot.tolist():
            if label[a] == label[b]:
                raise made._contradiction(owner, a, b)
        return made

    def groups(self) -> Array:
        """The group of each row (n,): rows that must be together, by way of others too."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        ones = np.ones(len(self.must))
        graph = coo_array((ones, (self.must[:, 0], self.must[:, 1])), shape=(self.n, self.n))
        return np.asarray(connected_components(graph, directed=False)[1])

    def forbid(self, D: Array) -> Array:
        """Distances, infinite between rows that must not be together, by way of those they must be with too."""
        label = self.groups()
        for a, b in self.cannot.tolist():
            left, right = label == label[a], label == label[b]
            D[np.ix_(left, right)] = D[np.ix_(right, left)] = np.inf
        return D

    def joined(self) -> list[tuple[int, int]]:
        """Pairs that join each group, as many as it takes."""
        found: list[tuple[int, int]] = []
        first: dict[int, int] = {}
        for row, group in enumerate(self.groups().tolist()):
            if group in first:
                found.append((first[group], row))
            else:
                first[group] = row
        return found

    def _contradiction(self, owner: str, a: int, b: int) -> InfeasibleLinks:
        path = self._path(a, b)
        told = " - ".join(map(str, path))
        came = Said(f"{(a, b)}, which must be by way of {told}")
        rule = "free of pairs that must be together"
        error: InfeasibleLinks = refusal(InfeasibleLinks, owner, "cannot_link", rule, came, "Leave one out.")
        error.path = path
        return error

    def _path(self, a: int, b: int) -> tuple[int, ...]:
        near: dict[int, list[int]] = {}
        for x, y in self.must.tolist():
            near.setdefault(x, []).append(y)
            near.setdefault(y, []).append(x)
        came, waiting = {a: a}, deque([a])
        while waiting and b not in came:
            x = waiting.popleft()
            for y in near.get(x, []):
                if y not in came:
                    came[y] = x
                    waiting.append(y)
        path = [b]
        while path[-1] != a:
            path.append(came[path[-1]])
        return tuple(path[::-1])


def _pairs(owner: str, name: str, pairs: Any, n: int) -> Array:
    found = np.asarray([] if pairs is None else pairs)
    if not found.size:
        return np.empty((0, 2), dtype=np.int64)
    if found.ndim != 2 or found.shape[1] != 2 or found.dtype.kind not in "iu":
        raise bad(owner, name, "pairs of row numbers", pairs, "Give a list such as [(0, 4), (1, 2)].")
    if found.min() < 0 or found.max() >= n:
        raise bad(owner, name, f"numbers of the {n} rows", Said(str(int(found.max()))), "Count rows from 0.")
    if (found[:, 0] == found[:, 1]).any():
        if name == "cannot_link":
            raise bad(owner, name, "pairs of different rows", Said("a row and itself"), "Leave the pair out.")
        found = found[found[:, 0] != found[:, 1]]
    return found.astype(np.int64)
