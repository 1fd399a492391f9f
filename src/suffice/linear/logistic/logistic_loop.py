"""Loss, slope and curvature of a pass of logistic regression by loops: 64 rows at a time, in buffers.

Arrays of the size of a block would cost more to get from the system than to fill.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.numerics.exponential import exponentials, sum_of_logs
from suffice.numerics.loop import loop
from suffice.numerics.tile_code import DEEP, HIGH, WIDE
from suffice.numerics.tiles import ROWS, add_square, add_tile, ask_for_row, buffer, mirrored, put_dots, width


def loss_and_slope(
    X: Array, truth: Array, w: Array | None, coef: Array, level: Array, origin: Array
) -> tuple[float, Array, Array]:
    """-sum of w log p(truth | x), and its slopes by the level (L,) and by the coefficients (L, p) about the origin.

    Scores are level + coef . (x - origin); a model with one of them has another class before it, whose score is 0.
    Rows may lie apart from one another in memory, as those of a slice with a step do.
    """
    (L, p), weights = coef.shape, _weights(coef, level)
    rows, gaps, scores = buffer(ROWS, weights.shape[1]), buffer(ROWS, len(weights)), buffer(len(weights), ROWS)
    rows[:, p] = 1.0  # so that the level is a coefficient too
    slope = buffer(*weights.shape)
    loss = _add_rows(_numbers(X), truth, w, L, origin, weights, rows, scores, gaps, slope)
    return float(loss), slope[:L, p], slope[:L, :p]


def curvature(
    X: Array, w: Array | None, coef: Array, level: Array, origin: Array, centre: Array, scale: Array
) -> Array:
    """Second derivatives by level and coefficients (L q, L q), in units of the scale and about the centre.

    Z' diag(w p_k ([k = l] - p_l)) Z for each pair of classes, with Z = (1, (x - centre) / scale).
    """
    (L, p), weights = coef.shape, _weights(coef, level)
    wide = weights.shape[1]
    rows, scores, (Z, A) = buffer(ROWS, wide), buffer(len(weights), ROWS), buffer(2, ROWS, wide)
    rows[:, p] = 1.0
    units = np.zeros((2, wide))
    units[0, :p], units[1, :p], units[1, p] = centre - origin, 1.0 / scale, 1.0
    pairs = [(k, m) for k in range(L) for m in range(k, L)]
    G = buffer(len(pairs), wide, wide)
    _add_curvature(_numbers(X), w, L, origin, weights, units, rows, scores, Z, A, G)
    at = np.append(p, np.arange(p))  # the level first
    out = np.empty((L, p + 1, L, p + 1))
    for (k, m), block in zip(pairs, mirrored(G)[:, at[:, None], at], strict=True):
        out[k, :, m], out[m, :, k] = block, block
    return out.reshape(L * (p + 1), L * (p + 1))


def _weights(coef: Array, level: Array) -> Array:
    """Coefficients and level in a row each, in a buffer with rows of zeros below (-, width)."""
    L, p = coef.shape
    weights = buffer(-(-L // HIGH) * HIGH, width(p + 1))
    weights[:L, :p], weights[:L, p] = coef, level
    return weights


def _numbers(X: Array) -> Array:
    """Rows as the loops want them: each in one piece."""
    fine = X.dtype == np.float64 and X.strides[1] == X.itemsize
    return X if fine else np.ascontiguousarray(X, dtype=np.float64)


@loop
def _add_rows(X, truth, w, L, origin, weights, rows, scores, gaps, slope):  # type: ignore[no-untyped-def]
    """Rows by the dozen: scores, probabilities, and what is apart from the truth times the rows."""
    n, p = X.shape
    first = 1 if L == 1 else 0  # classes before the first that has a score
    top, total = np.zeros(ROWS), np.zeros(ROWS)
    loss = 0.0
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        for r in range(here):
            for j in range(p):
                rows[r, j] = X[start + r, j] - origin[j]
            ask_for_row(X, start + r + ROWS)
        for j in range(0, L, DEEP):
            for i in range(0, ROWS, HIGH):
                put_dots(rows, weights, scores, i, j)
        for r in range(here):
            k = truth[start + r] - first
            if k >= 0:
                loss -= scores[k, r] if w is None else w[start + r] * scores[k, r]
        exponentials(scores, L, first == 1, top, total)
        if w is None:
            loss += sum_of_logs(total, here)
        for r in range(here):
            loss += top[r] if w is None else w[start + r] * (top[r] + np.log(total[r]))
        for r in range(here):
            total[r] = (1.0 if w is None else w[start + r]) / total[r]
        for k in range(L):
            for r in range(here):
                gaps[r, k] = scores[k, r] * total[r]
        for r in range(here):
            k = truth[start + r] - first
            if k >= 0:
                gaps[r, k] -= 1.0 if w is None else w[start + r]
        for i in range(0, slope.shape[0], HIGH):
            for j in range(0, slope.shape[1], WIDE):
                add_tile(gaps, rows, slope, i, j, here)
    return loss


@loop
def _add_curvature(X, w, L, origin, weights, units, rows, scores, Z, A, G):  # type: ignore[no-untyped-def]
    """Rows by the dozen, for one pair of classes after the other."""
    n, p = X.shape
    first = 1 if L == 1 else 0
    top, total = np.zeros(ROWS), np.zeros(ROWS)
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        for r in range(here):
            for j in range(p):
                rows[r, j] = X[start + r, j] - origin[j]
            ask_for_row(X, start + r + ROWS)
            for j in range(p + 1):
                Z[r, j] = (rows[r, j] - units[0, j]) * units[1, j]
        for j in range(0, L, DEEP):
            for i in range(0, ROWS, HIGH):
                put_dots(rows, weights, scores, i, j)
        exponentials(scores, L, first == 1, top, total)
        for k in range(L):
            for r in range(ROWS):
                scores[k, r] /= total[r]
        pair = 0
        for k in range(L):
            for m in range(k, L):
                for r in range(here):
                    bend = scores[k, r] * ((1.0 if k == m else 0.0) - scores[m, r])
                    bend = bend if w is None else bend * w[start + r]
                    for j in range(p + 1):
                        A[r, j] = bend * Z[r, j]
                add_square(A, Z, G[pair], here)
                pair += 1
