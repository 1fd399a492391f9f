"""Which products of factors are the terms of a polynomial: none that is always 0, or equal to a shorter one.

Two levels of a column never meet in a row, and the indicator of a level is its own square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

from suffice.linear.terms import Factor


def count_products(factors: Sequence[Factor], degree: int, interactions: bool = False) -> int:
    """How many there are, without making any.

    Of q numbers M(k) = C(q + k, k) products have at most k factors, the empty one included, or sum_j<=k C(q, j) where
    none may come twice; with e_s ways to choose levels of s columns, there are sum_s e_s M(degree - s) - 1 in all.

    >>> count_products([Factor("x"), Factor("site", "north", True), Factor("site", "east", True)], 2)
    6
    """
    levels = Counter(factor.column for factor in factors if factor.symbol)
    q = len(factors) - levels.total()
    ways = [1]  # e_s
    for many in levels.values():
        ways = [own + many * before for own, before in zip([*ways, 0], [0, *ways], strict=True)][: degree + 1]
    return sum(of_levels * _products(q, degree - s, interactions) for s, of_levels in enumerate(ways)) - 1


def _products(q: int, most: int, interactions: bool) -> int:
    """Of q numbers, with at most so many factors."""
    return sum(comb(q, j) for j in range(min(q, most) + 1)) if interactions else comb(q + most, q)


def products_of_factors(factors: Sequence[Factor], degree: int, interactions: bool = False) -> list[tuple[int, ...]]:
    """The places of the factors of each, shorter ones first; levels of a column lie side by side.

    >>> products_of_factors([Factor("x"), Factor("site", "north", True), Factor("site", "east", True)], 2)
    [(0,), (1,), (2,), (0, 0), (0, 1), (0, 2)]
    """
    follow = _followers(factors, interactions)
    last: list[tuple[int, ...]] = [()]
    chosen: list[tuple[int, ...]] = []
    for _ in range(degree):
        last = [(*places, i) for places in last for i in range(follow[places[-1]] if places else 0, len(factors))]
        if not last:
            break
        chosen += last
    return chosen


def _followers(factors: Sequence[Factor], interactions: bool) -> list[int]:
    """From which place on a factor may come after each."""
    out: list[int] = []
    for i in reversed(range(len(factors))):
        another = i + 1 if interactions else i
        beside = i + 1 < len(factors) and factors[i + 1].column == factors[i].column
        out.append((out[-1] if beside else i + 1) if factors[i].symbol else another)
    return out[::-1]
