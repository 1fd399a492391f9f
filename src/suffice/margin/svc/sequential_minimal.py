"""Sequential minimal optimisation: two multipliers at a time, in closed form.

    max  sum_i y_i b_i - 1/2 sum_ij b_i b_j K_ij      sum_i b_i fixed,  lo_i <= b_i <= hi_i,      b_i = y_i alpha_i

With g_i = y_i - sum_j K_ij b_j, raising b_i and lowering b_j by the same t gains most at t = (g_i - g_j) / a,
a = K_ii + K_jj - 2 K_ij, and then t^2 a / 2. Of the rows that may rise, i has the largest g; of those that may sink, j
is the one that gains most with it (second-order selection). No row gains when the largest g of those that may rise
is no more than the least of those that may sink.

Reference: R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information (2005).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop

LANES = 32  # rows that a loop looks at side by side, which compilers turn into vector instructions


def take_steps(
    K: Array, g: Array, beta: Array, lo: Array, hi: Array, tol: float, most: int, compiled: bool
) -> tuple[int, float]:
    """Steps until no pair is out of order by more than `tol`, at most so many: how many, and by how much one still is.

    `g` and `beta` are changed in place.
    """
    diagonal = K.diagonal().copy()
    largest = float(np.maximum.reduce(diagonal, initial=0.0))
    least = max(largest * 1e-15, 1e-300)  # curvature that is rounding: of equal rows, say
    walk = walk_loop if compiled else walk_plain
    steps, gap = walk(K, diagonal, g, beta, lo, hi, float(tol), least, int(most))
    return int(steps), float(gap)


def walk_plain(
    K: Array, diagonal: Array, g: Array, beta: Array, lo: Array, hi: Array, tol: float, least: float, most: int
) -> tuple[int, float]:
    """The twin of the loop, a pass of NumPy where the loop has one."""
    top = bottom = 0.0
    for step in range(most + 1):
        rising = np.where(beta < hi, g, -np.inf)
        sinking = np.where(beta > lo, g, np.inf)
        i = int(rising.argmax())
        top, bottom = float(rising[i]), float(sinking.min())
        if step == most or not top - bottom > tol:
            return step, top - bottom
        ahead = np.maximum(top - sinking, 0.0)
        curve = np.maximum(diagonal[i] + diagonal - 2.0 * K[i], least)
        j = int((ahead * ahead / curve).argmax())
        t = _move(beta, lo, hi, i, j, float(ahead[j] / curve[j]))
        g -= t * (K[i] - K[j])
    return most, top - bottom


def _move(beta: Array, lo: Array, hi: Array, i: int, j: int, t: float) -> float:
    """Raise i and lower j by t, or as far as the nearer bound, which is then met exactly."""
    up, down = float(hi[i] - beta[i]), float(beta[j] - lo[j])
    t = min(t, up, down)
    beta[i] = hi[i] if t == up else beta[i] + t
    beta[j] = lo[j] if t == down else beta[j] - t
    return t


@loop
def walk_loop(  # type: ignore[no-untyped-def]
    K, diagonal, g, beta, lo, hi, tol, least, most
):
    """Two passes a step: one finds j; one moves g and finds the next i."""
    n = len(g)
    rises, sinks = np.empty(n), np.empty(n)  # 0 where a row may, else beyond all numbers
    best, least_of, place = np.empty(LANES), np.empty(LANES), np.empty(LANES, np.int64)
    for k in range(n):
        rises[k] = 0.0 if beta[k] < hi[k] else -np.inf
        sinks[k] = 0.0 if beta[k] > lo[k] else np.inf
    i, top, bottom = _moved(K[0], K[0], 0.0, g, rises, sinks, best, least_of, place)
    for step in range(most):
        if not top - bottom > tol:
            return step, top - bottom
        j = _partner(K[i], diagonal, diagonal[i], top, least, g, sinks, best, place)
        curve = max(diagonal[i] + diagonal[j] - 2.0 * K[i, j], least)
        up, down = hi[i] - beta[i], beta[j] - lo[j]
        t = min((top - g[j]) / curve, up, down)
        beta[i] = hi[i] if t == up else beta[i] + t
        beta[j] = lo[j] if t == down else beta[j] - t
        for k in (i, j):
            rises[k] = 0.0 if beta[k] < hi[k] else -np.inf
            sinks[k] = 0.0 if beta[k] > lo[k] else np.inf
        i, top, bottom = _moved(K[i], K[j], t, g, rises, sinks, best, least_of, place)
    return most, top - bottom


@inner
def _partner(Ki: Any, diagonal: Any, own: float, top: float, least: float, g: Any, sinks: Any, best: Any, place: Any):  # type: ignore[no-untyped-def]
    """Of the rows that may sink, the first that gains most with one whose g is `top`; lanes side by side."""
    n, j, most = len(g), -1, -1.0
    for r in range(LANES):
        best[r], place[r] = -1.0, -1
    for start in range(0, n - n % LANES, LANES):
        for r in range(LANES):
            ahead = top - (g[start + r] + sinks[start + r])
            curve = own + diagonal[start + r] - 2.0 * Ki[start + r]
            gain = np.divide(ahead * ahead, curve if curve > least else least)
            gain = gain if ahead > 0.0 else -1.0
            place[r] = start + r if gain > best[r] else place[r]
            best[r] = gain if gain > best[r] else best[r]
    for r in range(LANES):
        if best[r] > most or (best[r] == most and place[r] < j):
            j, most = place[r], best[r]
    for k in range(n - n % LANES, n):
        ahead = top - (g[k] + sinks[k])
        curve = own + diagonal[k] - 2.0 * Ki[k]
        gain = np.divide(ahead * ahead, curve if curve > least else least)
        if ahead > 0.0 and gain > most:
            j, most = k, gain
    return j


@inner
def _moved(Ki: Any, Kj: Any, t: float, g: Any, rises: Any, sinks: Any, best: Any, least_of: Any, place: Any):  # type: ignore[no-untyped-def]
    """Move g; the first row of the largest g that may rise, that g, and the least one that may sink."""
    n, i, top, bottom = len(g), -1, -np.inf, np.inf
    for r in range(LANES):
        best[r], least_of[r], place[r] = -np.inf, np.inf, -1
    for start in range(0, n - n % LANES, LANES):
        for r in range(LANES):
            value = g[start + r] - t * (Ki[start + r] - Kj[start + r])
            g[start + r] = value
            high, low = value + rises[start + r], value + sinks[start + r]
            place[r] = start + r if high > best[r] else place[r]
            best[r] = high if high > best[r] else best[r]
            least_of[r] = low if low < least_of[r] else least_of[r]
    for r in range(LANES):
        if best[r] > top or (best[r] == top and place[r] < i):
            i, top = place[r], best[r]
        bottom = min(bottom, least_of[r])
    for k in range(n - n % LANES, n):
        g[k] -= t * (Ki[k] - Kj[k])
        if g[k] + rises[k] > top:
            i, top = k, g[k]
        bottom = min(bottom, g[k] + sinks[k])
    return i, top, bottom
