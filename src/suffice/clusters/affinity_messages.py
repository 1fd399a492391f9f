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

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays
from suffice.numerics.threads import in_threads, processors

RUNS = 4  # of rows that threads take; their number does not depend on that of the threads, so that sums do not either


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
    n = len(S)
    A, R = np.zeros_like(S), np.zeros_like(S)
    seen = np.zeros((n, patience), dtype=bool)
    settled, step = False, 0
    send = _send_in_threads if pays(S.size) else _send
    for step in range(max_iter):
        send(S, R, A, damping)
        chosen = np.diagonal(A) + np.diagonal(R) > 0
        seen[:, step % patience] = chosen
        if step >= patience:
            counts = seen.sum(axis=1)
            steady = bool(((counts == 0) | (counts == patience)).all())
            if steady and chosen.any():
                settled = True
                break
    found = np.flatnonzero(np.diagonal(A) + np.diagonal(R) > 0)
    if not len(found):
        return Messages(np.empty(0, dtype=np.int64), np.full(n, -1), step + 1, False, R, A)
    exemplars, labels = _clusters(S, found)
    return Messages(exemplars, labels, step + 1, settled, R, A)


def _send(S: Array, R: Array, A: Array, damping: float) -> None:
    """One step of messages, in place."""
    said = responsibilities(S, A)
    said *= 1.0 - damping
    R *= damping
    R += said
    said = availabilities(R)
    said *= 1.0 - damping
    A *= damping
    A += said


def _send_in_threads(S: Array, R: Array, A: Array, damping: float) -> None:
    """The same, row by row, each read twice: once for responsibilities and once for availabilities."""
    n = len(S)
    runs, totals = list(pairwise(np.linspace(0, n, RUNS + 1).astype(int).tolist())), np.zeros((RUNS, n))

    def respond(at: int, go_on: Callable[[], bool]) -> None:
        _respond(S, R, A, damping, *runs[at], totals[at])

    in_threads(respond, range(RUNS), processors())
    total = totals.sum(axis=0)
    in_threads(lambda run, go_on: _avail(R, A, damping, *run, total), runs, processors())


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
def _respond(S: Array, R: Array, A: Array, damping: float, start: int, stop: int, total: Array) -> None:
    """Responsibilities of some rows, damped, and what they add to the sums of the columns."""
    n = S.shape[1]
    for i in range(start, stop):
        best, first, second = 0, -np.inf, -np.inf
        for k in range(n):
            told = A[i, k] + S[i, k]
            if told > second:
                if told > first:
                    best, first, second = k, told, first
                else:
                    second = told
        theirs, stays = R[i, best], 1.0 - damping
        for k in range(n):
            R[i, k] = R[i, k] * damping + (S[i, k] - first) * stays
        R[i, best] = theirs * damping + (S[i, best] - second) * stays
        for k in range(n):
            total[k] += R[i, k] if R[i, k] > 0.0 else 0.0
        own = R[i, i]
        total[i] += own - (own if own > 0.0 else 0.0)


@loop
def _avail(R: Array, A: Array, damping: float, start: int, stop: int, total: Array) -> None:
    """Availabilities of some rows, damped."""
    n, stays = R.shape[1], 1.0 - damping
    for i in range(start, stop):
        own = A[i, i] * damping + (total[i] - R[i, i]) * stays
        for k in range(n):
            told = total[k] - (R[i, k] if R[i, k] > 0.0 else 0.0)
            A[i, k] = A[i, k] * damping + (told if told < 0.0 else 0.0) * stays
        A[i, i] = own
