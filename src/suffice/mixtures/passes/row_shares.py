"""Log densities of some rows become the shares of the components, in place, inside a loop over rows."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.mixtures.assignment import LEAST
from suffice.numerics.exponential import exponentials, sum_of_logs
from suffice.numerics.loop import inner


@inner
def divide_rows(
    share: Array, hard: bool, w: Array | None, start: int, here: int, top: Array, total: Array
) -> tuple[float, int]:
    """Share the first rows of `share` (K, ROWS), which holds log tau_k p(x | k), times their weights from `start` on.

    Returns what they add to the log-likelihood, and how many are impossible, or are no numbers.
    """
    K, odd, height = len(share), 0, 0.0
    if hard:
        first_of_largest(share, top, total)
    else:
        exponentials(share, K, False, top, total)
    for r in range(here):
        odd += not np.isfinite(top[r])
    if w is None:
        height += sum_of_logs(total, here)
    for r in range(here):
        height += top[r] if w is None else w[start + r] * (top[r] + np.log(total[r]))
    for r in range(here):
        total[r] = np.divide(1.0, total[r])  # `/` would ask for 0 and keep vectors from being used
    for k in range(K):
        for r in range(here):
            part = share[k, r] * total[r]
            share[k, r] = 0.0 if part < LEAST else part
    if w is not None:
        for k in range(K):
            for r in range(here):
                share[k, r] *= w[start + r]
    return height, odd


@inner
def first_of_largest(logs: Array, top: Array, total: Array) -> None:
    """1 in the place of the largest of each column, the first of equals, and 0 in all others; their sum is 1."""
    for r in range(len(top)):
        best = 0
        for k in range(1, len(logs)):
            best = k if logs[k, r] > logs[best, r] else best
        top[r], total[r] = logs[best, r], 1.0
        for k in range(len(logs)):
            logs[k, r] = 1.0 if k == best else 0.0
