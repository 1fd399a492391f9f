"""Sequential minimal optimisation: two multipliers at a time, in closed form.

    max  sum_i y_i b_i - 1/2 sum_ij b_i b_j K_ij      sum_i b_i fixed,  lo_i <= b_i <= hi_i,      b_i = y_i alpha_i

With g_i = y_i - sum_j K_ij b_j, raising b_i and lowering b_j by the same t gains most at t = (g_i - g_j) / a,
a = K_ii + K_jj - 2 K_ij, and then t^2 a / 2. Of the rows that may rise, i has the largest g; of those that may sink, j
is the one that gains most with it (second-order selection). No row gains when the largest g of those that may rise
is no more than the least of those that may sink.

Reference: R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information (2005).
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop


def take_steps(
    K: Array, g: Array, beta: Array, lo: Array, hi: Array, tol: float, most: int, compiled: bool
) -> tuple[int, float]:
    """Steps until no pair is out of order by more than `tol`, at most so many: how many, and by how much one still is.

    `g` and `beta` are changed in place.
    """
    diagonal = np.ascontiguousarray(np.diagonal(K))
    least = max(float(diagonal.max(initial=0.0)) * 1e-15, 1e-300)  # curvature that is rounding: of equal rows, say
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
    i = -1
    top, bottom = -np.inf, np.inf
    for k in range(n):
        if beta[k] < hi[k] and g[k] > top:
            top = g[k]
            i = k
        if beta[k] > lo[k] and g[k] < bottom:
            bottom = g[k]
    for step in range(most):
        if not top - bottom > tol:
            return step, top - bottom
        Ki, own = K[i], diagonal[i]
        j, best, move = -1, -1.0, 0.0
        for k in range(n):
            if beta[k] > lo[k]:
                ahead = top - g[k]
                if ahead > 0.0:
                    curve = own + diagonal[k] - 2.0 * Ki[k]
                    if curve < least:
                        curve = least
                    gain = ahead * ahead / curve
                    if gain > best:
                        j, best, move = k, gain, ahead / curve
        up, down = hi[i] - beta[i], beta[j] - lo[j]
        t = min(move, up, down)
        beta[i] = hi[i] if t == up else beta[i] + t
        beta[j] = lo[j] if t == down else beta[j] - t
        Kj = K[j]
        top, bottom = -np.inf, np.inf
        for k in range(n):
            value = g[k] - t * (Ki[k] - Kj[k])
            g[k] = value
            if beta[k] < hi[k] and value > top:
                top = value
                i = k
            if beta[k] > lo[k] and value < bottom:
                bottom = value
    return most, top - bottom
