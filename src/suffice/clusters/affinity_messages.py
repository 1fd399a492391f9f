"""Affinity propagation: rows tell one another how well each would serve as the exemplar of the other.

r(i, k) = s(i, k) - max over k' != k of (a(i, k') + s(i, k'))
a(i, k) = min(0, r(k, k) + sum over i' not in {i, k} of max(0, r(i', k)))
a(k, k) = sum over i' != k of max(0, r(i', k))

Both are damped, new = damping old + (1 - damping) said: without it they may flip for ever between two states. The first
responsibilities are similarities less the best rival; availabilities are at most 0 off the diagonal, at least 0 on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.numerics.loop import inner, loop, pays
from suffice.numerics.threads import in_threads, processors
from suffice.spaces.distances.distance import number_rows

RUNS = 4  # of rows that threads take; their number does not depend on that of the threads, so that sums do not either

LANES = 32  # columns whose largest sums are looked for side by side


@dataclass(frozen=True)
class Messages:
    """Where the messages ended."""

    exemplars: Array  # (K,) numbers of rows
    labels: Array  # (n,) -1 where there are no exemplars
    steps: int
    settled: bool
    responsibility: Array  # (n, n)
    availability: Array  # (n, n)


def responsibilities(S: Array, A: Array) -> Array:
    """r(i, k) from similarities and availabilities.

    >>> responsibilities(np.array([[-1.0, -4.0], [-4.0, -1.0]]), np.zeros((2, 2))).tolist()
    [[3.0, -3.0], [-3.0, 3.0]]
    """
    n = len(S)
    told = A + S
    at = np.arange(n)
    best = told.argmax(axis=1)
    first = told[at, best]
    told[at, best] = -np.inf
    second = told.max(axis=1)
    np.subtract(S, first[:, None], out=told)
    told[at, best] = S[at, best] - second
    return told


def availabilities(R: Array) -> Array:
    """a(i, k) from responsibilities."""
    told = np.maximum(R, 0.0)
    diagonal = np.einsum("ii->i", told)
    diagonal[:] = np.einsum("ii->i", R)
    total = told.sum(axis=0)
    np.subtract(total, told, out=told)
    own = np.einsum("ii->i", told).copy()
    np.minimum(told, 0.0, out=told)
    np.einsum("ii->i", told)[:] = own
    return told


def propagate(S: Array, *, damping: float = 0.5, max_iter: int = 200, patience: int = 15) -> Messages:
    """Messages until the exemplars have not changed for `patience` steps.

    Parameters
    ----------
    S : similarities (n, n), preferences on the diagonal
    damping : how much of the old messages stays, in [0, 1); 0 is what is often printed, and may never settle
    max_iter : most steps
    patience : steps without change that settle
    """
    S = number_rows(S, "propagate")
    n = len(S)
    if S.shape != (n, n) or not n or np.isnan(S).any() or np.isposinf(S).any():
        rule, told = "a square of similarities", Said(f"shape {S.shape}, or cells that are none")
        raise bad("propagate", "S", rule, told, "Give the similarity of each row and each row.")
    if not 0.0 <= damping < 1.0:
        raise bad("propagate", "damping", "at least 0 and below 1", damping, "0.5 is usual.")
    table: _Plain = _Looped(S, damping) if pays(S.size) else _Plain(S, damping)
    seen = np.zeros((n, patience), dtype=bool)
    settled, step = False, 0
    for step in range(max_iter):
        chosen = table.send() > 0
        seen[:, step % patience] = chosen
        if step >= patience:
            counts = seen.sum(axis=1)
            steady = bool(((counts == 0) | (counts == patience)).all())
            if steady and chosen.any():
                settled = True
                break
    R, A = table.ended()
    found = np.flatnonzero(np.diagonal(A) + np.diagonal(R) > 0)
    if not len(found):
        return Messages(np.empty(0, dtype=np.int64), np.full(n, -1), step + 1, False, R, A)
    exemplars, labels = _clusters(S, found)
    return Messages(exemplars, labels, step + 1, settled, R, A)


class _Plain:
    """Messages as they stand after some steps, by NumPy."""

    def __init__(self, S: Array, damping: float) -> None:
        """Nothing was said yet."""
        self.S, self.damping = S, damping
        self.R, self.A = np.zeros_like(S), np.zeros_like(S)

    def send(self) -> Array:
        """One step; how well each row serves itself as exemplar (n,)."""
        self._damp(self.R, responsibilities(self.S, self.A))
        self._damp(self.A, availabilities(self.R))
        return np.asarray(np.diagonal(self.A) + np.diagonal(self.R))

    def _damp(self, messages: Array, said: Array) -> None:
        said *= 1.0 - self.damping
        messages *= self.damping
        messages += said

    def ended(self) -> tuple[Array, Array]:
        """Responsibilities and availabilities, both of the last step."""
        return self.R, self.A


class _Looped(_Plain):
    """The same row by row, in threads: availabilities of a step and responsibilities of the next in one go.

    Tables come from memory once a step; of availabilities that are due only the diagonal is known before.
    """

    total = np.empty(0)  # sums of columns, of which availabilities are still to be said

    def send(self) -> Array:
        """One step; availabilities are said with the next."""
        self._pass(respond=True)
        own = np.diagonal(self.A) * self.damping + (self.total - np.diagonal(self.R)) * (1.0 - self.damping)
        return np.asarray(own + np.diagonal(self.R))

    def ended(self) -> tuple[Array, Array]:
        """Both, once availabilities have caught up."""
        self._pass(respond=False)
        return self.R, self.A

    def _pass(self, respond: bool) -> None:
        n, before = len(self.S), self.total
        runs, totals = list(pairwise(np.linspace(0, n, RUNS + 1).astype(int).tolist())), np.zeros((RUNS, n))

        def tell(at: int, go_on: Callable[[], bool]) -> None:
            _tell(self.S, self.R, self.A, self.damping, runs[at], before, respond, totals[at])

        in_threads(tell, range(RUNS), processors())
        self.total = totals.sum(axis=0)


def _clusters(S: Array, found: Array) -> tuple[Array, Array]:
    """Rows to their most similar exemplar; then of each cluster the row most similar to all."""
    group = S[:, found].argmax(axis=1)
    group[found] = np.arange(len(found))
    for k in range(len(found)):
        members = np.flatnonzero(group == k)
        found[k] = members[S[np.ix_(members, members)].sum(axis=0).argmax()]
    group = S[:, found].argmax(axis=1)
    group[found] = np.arange(len(found))
    exemplars = np.unique(found[group])
    return exemplars, np.searchsorted(exemplars, found[group])


@loop
def _tell(S: Any, R: Any, A: Any, damping: Any, run: Any, before: Any, respond: Any, total: Any) -> None:
    """Of some rows the availabilities that are due, then responsibilities and what they add to sums of columns."""
    firsts, seconds, places = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for i in range(run[0], run[1]):
        if len(before):
            _avail(R, A, damping, i, before)
        if respond:
            _find_best(S, A, i, firsts, seconds, places)
            _respond(S, R, damping, i, firsts, seconds, places, total)


@inner
def _avail(R: Any, A: Any, damping: Any, i: Any, total: Any) -> None:
    """Availabilities of a row, damped."""
    n, stays = R.shape[1], 1.0 - damping
    own = A[i, i] * damping + (total[i] - R[i, i]) * stays
    for k in range(n):
        told = total[k] - (R[i, k] if R[i, k] > 0.0 else 0.0)
        A[i, k] = A[i, k] * damping + (told if told < 0.0 else 0.0) * stays
    A[i, i] = own


@inner
def _find_best(S: Any, A: Any, i: Any, firsts: Any, seconds: Any, places: Any) -> None:
    """Of the columns of each lane the largest sum of messages, the second largest, and where the largest is first."""
    n = S.shape[1]
    whole = n - n % LANES
    for r in range(LANES):
        firsts[r] = seconds[r] = -np.inf
        places[r] = r
    for k in range(0, whole, LANES):
        for r in range(LANES):
            told, first = A[i, k + r] + S[i, k + r], firsts[r]
            less = first if told > first else told
            places[r] = k + r if told > first else places[r]
            firsts[r] = told if told > first else first
            seconds[r] = less if less > seconds[r] else seconds[r]
    for k in range(whole, n):
        r, told = k - whole, A[i, k] + S[i, k]
        if told > firsts[r]:
            places[r], firsts[r], seconds[r] = k, told, firsts[r]
        elif told > seconds[r]:
            seconds[r] = told


@inner
def _respond(S: Any, R: Any, damping: Any, i: Any, firsts: Any, seconds: Any, places: Any, total: Any) -> None:
    """Responsibilities of a row, damped; its own and that of the best column are put right afterwards."""
    n, stays, lane = S.shape[1], 1.0 - damping, 0
    for r in range(1, LANES):  # of equals any: the second is as large, so that all columns are told the same
        lane = r if firsts[r] > firsts[lane] else lane
    first, second, best = firsts[lane], seconds[lane], int(places[lane])
    for r in range(LANES):
        second = firsts[r] if r != lane and firsts[r] > second else second
    theirs, so_far = R[i, best], total[best]
    for k in range(n):
        told = R[i, k] * damping + (S[i, k] - first) * stays
        R[i, k] = told
        total[k] += told if told > 0.0 else 0.0
    told = theirs * damping + (S[i, best] - second) * stays
    R[i, best], total[best] = told, so_far + (told if told > 0.0 else 0.0)
    own = R[i, i]
    total[i] += own - (own if own > 0.0 else 0.0)
