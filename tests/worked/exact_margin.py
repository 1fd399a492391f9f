"""The soft-margin dual in exact rationals, by trying which multipliers are 0, free, or at their bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

Row = list[Fraction]


class Exact(NamedTuple):
    """The optimum."""

    alpha: Row
    w: Row
    thresholds: tuple[Fraction, Fraction]  # ends of the interval of optimal t
    slack: Row  # at the middle of the interval


def exact_margin(X: list[list[int]], y: list[int], C: Fraction | None) -> Exact:
    """The multipliers for the linear kernel, each at most C; None is the hard margin."""
    rows = [[Fraction(v) for v in row] for row in X]
    states = (0, 1) if C is None else (0, 1, 2)
    for kinds in product(states, repeat=len(y)):
        alpha = _alpha(rows, y, C, kinds)
        found = None if alpha is None else _optimum(rows, y, C, alpha)
        if found is not None:
            return found
    raise AssertionError("no optimum")


def _alpha(rows: list[Row], y: list[int], C: Fraction | None, kinds: tuple[int, ...]) -> Row | None:
    """Multipliers of one choice: the equations of the free rows, with sum alpha y = 0."""
    n, free = len(y), [i for i, kind in enumerate(kinds) if kind == 1]
    alpha = [C if kind == 2 and C is not None else Fraction(0) for kind in kinds]
    Q = [[y[i] * y[j] * _dot(rows[i], rows[j]) for j in range(n)] for i in range(n)]
    system = [[*(Q[i][j] for j in free), Fraction(-y[i]), 1 - sum(Q[i][j] * alpha[j] for j in range(n))] for i in free]
    system.append(
        [*(Fraction(y[j]) for j in free), Fraction(0), -sum((alpha[j] * y[j] for j in range(n)), Fraction(0))]
    )
    if not free:
        return alpha if system[0][-1] == 0 else None
    solved = _solve(system)
    if solved is None:
        return None
    for j, value in zip(free, solved, strict=False):
        alpha[j] = value
    return alpha


def _optimum(rows: list[Row], y: list[int], C: Fraction | None, alpha: Row) -> Exact | None:
    """The optimum that multipliers are, if they meet every condition of one."""
    if any(a < 0 or (C is not None and a > C) for a in alpha):
        return None
    w = [
        sum((a * s * row[k] for a, s, row in zip(alpha, y, rows, strict=True)), Fraction(0))
        for k in range(len(rows[0]))
    ]
    low, high = Fraction(-(10**9)), Fraction(10**9)
    for a, sign, row in zip(alpha, y, rows, strict=True):
        at = _dot(w, row) - sign  # the t for which the row lies on the margin
        outside, inside = a == 0 or (C is None or a < C), a > 0
        if (outside and sign > 0) or (inside and sign < 0):
            high = min(high, at)
        if (outside and sign < 0) or (inside and sign > 0):
            low = max(low, at)
    if low > high:
        return None
    t = (low + high) / 2
    slack = [max(Fraction(0), 1 - s * (_dot(w, row) - t)) for s, row in zip(y, rows, strict=True)]
    return Exact(alpha, w, (low, high), slack)


def _dot(u: Row, v: Row) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def _solve(system: list[Row]) -> Row | None:
    """Gauss and Jordan; None where the equations are not independent."""
    n, table = len(system), [row[:] for row in system]
    for k in range(n):
        pivot = next((i for i in range(k, n) if table[i][k] != 0), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [v / table[k][k] for v in table[k]]
        for i in range(n):
            if i != k:
                table[i] = [a - table[i][k] * b for a, b in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]
