"""One epoch of online training: after each row all weights move, in a compiled loop. float64 and dense rows.

The loop repeats `backpropagate` for one row and `Momentum.step`, which are its twin and its oracle.
"""

from __future__ import annotations

from math import exp, log, tanh

import numpy as np

from suffice.core.block import Array
from suffice.neural.flat_weights import FlatWeights
from suffice.neural.optimizers import Momentum
from suffice.numerics.loop import available, inner, loop

WORTH = 5_000  # rows from which loading numba pays: a row costs the twin some 50 microseconds


def pays(parameters: FlatWeights, X: object, rows: int) -> bool:
    """Whether so many visits of rows are worth compiling, and can be."""
    dense = isinstance(X, np.ndarray) and X.dtype == np.float64
    return dense and rows >= WORTH and parameters.flat.dtype == np.float64 and available()


def online_epoch(
    parameters: FlatWeights,
    X: Array,
    T: Array,
    w: Array | None,
    order: Array,
    alpha: float,
    optimizer: Momentum,
    summed: bool = False,
) -> float:
    """The sum of the errors of the rows, each before its own step; a step is `summed` where weights lengthen it."""
    units = sum(parameters.sizes)
    options = optimizer.options
    optimizer.steps += len(order)
    return float(
        _online(
            np.array(parameters.sizes, dtype=np.int64),
            parameters.flat,
            optimizer.velocity,
            np.ascontiguousarray(X),
            np.ascontiguousarray(T, dtype=np.float64),
            np.ones(len(X)) if w is None else np.ascontiguousarray(w, dtype=np.float64),
            order.astype(np.int64),
            np.array([optimizer.rate, options.momentum, float(options.nesterov), alpha, float(summed)]),
            np.array([parameters.activation.code, parameters.layer.code], dtype=np.int64),
            np.empty(units),
            np.empty(units),
        )
    )


@inner
def bent(code: int, z: float) -> float:
    """The activation of a hidden unit."""
    if code == 1:
        return squashed(z)
    if code == 2:
        return tanh(z)
    if code == 3:
        return max(z, 0.0)
    return z


@inner
def slope(code: int, s: float) -> float:
    """Its derivative, by its value."""
    if code == 1:
        return s * (1.0 - s)
    if code == 2:
        return 1.0 - s * s
    if code == 3:
        return 1.0 if s > 0.0 else 0.0
    return 1.0


@inner
def squashed(z: float) -> float:
    """1 / (1 + exp(-z)), for large |z| too."""
    if z >= 0.0:
        return 1.0 / (1.0 + exp(-z))
    tail = exp(z)
    return tail / (1.0 + tail)


@loop
def _online(
    sizes: Array,
    flat: Array,
    velocity: Array,
    X: Array,
    T: Array,
    w: Array,
    order: Array,
    numbers: Array,
    codes: Array,
    s: Array,
    delta: Array,
) -> float:
    rate, momentum, nesterov, alpha = numbers[0], numbers[1], numbers[2], numbers[3]
    hidden, output = codes[0], codes[1]
    last = len(sizes) - 1
    weights = 0
    for level in range(last):
        weights += sizes[level] * sizes[level + 1]
    eps, error = 2.220446049250313e-16, 0.0
    for i in order:
        if w[i] == 0.0:
            continue
        for j in range(sizes[0]):
            s[j] = X[i, j]
        start, at, b = 0, 0, weights
        for level in range(last):  # forward
            m, n = sizes[level], sizes[level + 1]
            for q in range(n):
                z = flat[b + q]
                for p in range(m):
                    z += s[start + p] * flat[at + p * n + q]
                s[start + m + q] = bent(hidden, z) if level < last - 1 else z
            start += m
            at += m * n
            b += n
        t = sizes[last]
        if output == 2 or output == 5:
            top, total = s[start], 0.0
            for q in range(1, t):
                top = max(top, s[start + q])
            for q in range(t):
                s[start + q] = exp(s[start + q] - top)
                total += s[start + q]
            for q in range(t):
                s[start + q] /= total
        common = 0.0
        for q in range(t):  # outputs, errors, deltas
            if output == 1 or output == 4:
                s[start + q] = squashed(s[start + q])
            elif output == 3:
                s[start + q] = exp(s[start + q])
            a, y = s[start + q], T[i, q]
            gap = a - y
            if output == 0 or output >= 4:
                error += w[i] * 0.5 * gap * gap
            elif output == 1:
                inside = min(max(a, eps), 1.0 - eps)
                error -= w[i] * (y * log(inside) + (1.0 - y) * log(1.0 - inside))
            elif output == 2:
                error -= w[i] * y * log(min(max(a, eps), 1.0 - eps))
            else:
                error += w[i] * (a - y + (y * log(y / a) if y > 0.0 else 0.0))
            delta[start + q] = gap * a * (1.0 - a) if output == 4 else gap
            common += gap * a
        if output == 5:
            for q in range(t):
                delta[start + q] = s[start + q] * (delta[start + q] - common)
        for level in range(last - 1, 0, -1):  # backward
            m, n = sizes[level], sizes[level + 1]
            at -= m * n
            for p in range(m):
                charge = 0.0
                for q in range(n):
                    charge += delta[start + q] * flat[at + p * n + q]
                delta[start - m + p] = charge * slope(hidden, s[start - m + p])
            start -= m
        start, at, b = 0, 0, weights
        pace = rate * w[i] if numbers[4] > 0.0 else rate
        for level in range(last):  # all weights move at once, by the deltas of one pass
            m, n = sizes[level], sizes[level + 1]
            for q in range(n):
                d = delta[start + m + q]
                for p in range(m):
                    k = at + p * n + q
                    g = pace * (s[start + p] * d + alpha / w[i] * flat[k])
                    velocity[k] = momentum * velocity[k] - g
                    flat[k] += momentum * velocity[k] - g if nesterov > 0.0 else velocity[k]
                g = pace * d
                velocity[b + q] = momentum * velocity[b + q] - g
                flat[b + q] += momentum * velocity[b + q] - g if nesterov > 0.0 else velocity[b + q]
            start += m
            at += m * n
            b += n
    return error
