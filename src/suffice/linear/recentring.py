"""Powers about another centre: what is kept of products of columns, moved without their rows.

    u' = u + d,     u'^k = sum_j (k over j) d^(k - j) u^j

Powers of a column that is far from 0 for its spread are nearly multiples of one another. About a centre of its own they
are not; the centre is carried, so that what was kept of rows about different centres adds. All in pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import comb
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, stack, two_sum
from suffice.estimators.design.factors import Factor

Term = tuple[Factor, ...]
FAR = 3.0  # standard deviations from its centre within which a column stays where it is
SPAN = 4.0  # standard deviations that the grid of centres is wide, at least


class Recentring:
    """The map of terms about old centres to the same terms about new ones; more columns beside them stay.

    >>> x = Factor("x")
    >>> moved = Recentring([(x,), (x, x)], {"x": 1.0}, {})
    >>> moved.shift(np.array([2.0, 4.0])).value.tolist()
    [3.0, 9.0]
    """

    def __init__(
        self, terms: Sequence[Term], old: Mapping[Any, float], new: Mapping[Any, float], beside: int = 0
    ) -> None:
        """Expand each term."""
        columns = {factor.column for term in terms for factor in term if not factor.symbol}
        apart = {c: two_sum(np.asarray(old.get(c, 0.0)), -new.get(c, 0.0)) for c in columns}
        place = {_key(term): i for i, term in enumerate(terms)}
        self.lines: list[list[tuple[int, Pair]]] = []  # of each new term, the old ones but itself with their factors
        constant: list[Pair] = []
        for term in terms:
            line, rest = [], exact(0.0)
            for sub, factor in _expanded(term, apart):
                if not sub:
                    rest = factor
                elif _key(sub) != _key(term):
                    line.append((place[_key(sub)], factor))
            self.lines.append(line)
            constant.append(rest)
        self.lines += [[] for _ in range(beside)]
        self.constant = stack([*constant, *(exact(0.0) for _ in range(beside))])

    def shift(self, c: Array) -> Pair:
        """Where a shift goes."""
        return self.sums(exact(c)) + self.constant

    def sums(self, S: Pair) -> Pair:
        """Sums of columns (..., m), of rows about a point, mapped."""
        out = []
        for j, line in enumerate(self.lines):
            total = Pair(S.high[..., j], S.low[..., j])
            for i, factor in line:
                total = total + Pair(S.high[..., i], S.low[..., i]) * factor
            out.append(total)
        return Pair(*(np.stack(half, axis=-1) for half in zip(*out, strict=True)))

    def products(self, Q: Pair) -> Pair:
        """Products of pairs of columns (..., m, m), of rows about a point, mapped."""
        half = self.sums(Q)
        return self.sums(Pair(*(part.swapaxes(-1, -2) for part in half)))

    def squares(self, most: Array) -> Array:
        """What squares of columns (..., m) may be at most, of rows about a point, once these are mapped."""
        return np.asarray((np.sqrt(most) @ np.abs(self._matrix)) ** 2)

    def triangles(self, T: Array) -> Array:
        """Triangles (K, m + 1, m + 1), whose first column is that of ones, mapped: not triangular."""
        return np.concatenate([T[:, :, :1], T[:, :, 1:] @ self._matrix], axis=2)

    def coefficients(self, coef: Pair, level: Pair) -> tuple[Pair, Pair]:
        """Coefficients (p, t) and value at 0 (t,) of a function of the new terms, for the old ones."""
        columns = [Pair(coef.high[j], coef.low[j]) for j in range(len(self.lines))]
        for j, line in enumerate(self.lines):
            mine = Pair(coef.high[j], coef.low[j])
            level = level + mine * Pair(self.constant.high[j], self.constant.low[j])
            for i, factor in line:
                columns[i] = columns[i] + mine * factor
        return stack(columns), level

    @property
    def _matrix(self) -> Array:
        matrix = np.eye(len(self.lines))
        for j, line in enumerate(self.lines):
            for i, factor in line:
                matrix[i, j] = factor.high
        return matrix


def _key(term: Sequence[Factor]) -> frozenset[tuple[Factor, int]]:
    """A product, whatever the order of its factors."""
    return frozenset(Counter(term).items())


def _expanded(term: Term, apart: Mapping[Any, Pair]) -> list[tuple[Term, Pair]]:
    """The terms that a product of moved columns is a sum of, each with its factor."""
    counts = Counter(term)
    still = tuple(f for f in term if f.symbol or not apart[f.column].high)
    moved = [(f, k) for f, k in counts.items() if not f.symbol and apart[f.column].high]
    choices = [[(f, j, k, _power(apart[f.column], k - j)) for j in range(k + 1)] for f, k in moved]
    out = []
    for chosen in product(*choices):
        factor = exact(1.0)
        for _, j, k, power in chosen:
            factor = factor * exact(float(comb(k, j))) * power
        out.append((still + tuple(f for f, j, _, _ in chosen for _ in range(j)), factor))
    return out


def _power(base: Pair, k: int) -> Pair:
    out = exact(1.0)
    for _ in range(k):
        out = out * base
    return out


def centre_for(mean: float, deviation: float, now: float = 0.0) -> float:
    """The centre of a column: where it is, if that is near for its spread, else one on a grid as wide as the column."""
    if abs(mean - now) <= FAR * deviation:
        return now
    if not deviation > 0.0:
        return mean
    step = float(np.exp2(np.ceil(np.log2(SPAN * deviation))))
    return float(np.round(mean / step) * step)
