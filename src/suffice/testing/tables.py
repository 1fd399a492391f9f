"""Nasty tables: strategies for hypothesis.

A table is a size that hypothesis can make smaller, and a seed from which all else is drawn: recipes of columns, labels,
weights, shards and cells. Fifty seeds are fifty different tables, which fifty choices by hypothesis are not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from suffice.core.block import Array, Coded, Words
from suffice.testing.rows import LawRows

Rng = np.random.Generator
Column = Callable[[Rng, Array], Array]  # generator and components of the rows -> cells
Fill = Callable[[Rng, Array, int], tuple[Any, Any]]  # generator, components, columns -> a part, and one to predict
Labels = tuple[Any, ...]
T = TypeVar("T")


def _outlier(rng: Rng, k: Array) -> Array:
    x = rng.normal(size=len(k))
    x[len(k) // 3 : len(k) // 3 + 1] = 1e8
    return x


def _but_one(usual: float, other: float) -> Column:
    """Constant but for one row: where that is forgotten, constant."""

    def column(rng: Rng, k: Array) -> Array:
        x = np.full(len(k), usual)
        x[: len(k) > 0] = other
        return rng.permutation(x)

    return column


NUMBERS: dict[str, Column] = {
    "plain": lambda rng, k: rng.normal(size=len(k)) + k,
    "grid": lambda rng, k: rng.integers(-3, 4, len(k)).astype(float),
    "constant": lambda rng, k: np.full(len(k), 7.25),
    "constant by class": lambda rng, k: 1e8 * k + 0.1,
    "offset": lambda rng, k: 1e8 + rng.normal(size=len(k)) + k,
    "apart": lambda rng, k: 1e8 * k + rng.normal(size=len(k)),
    "outlier": _outlier,
    "rare flag": _but_one(0.0, 1.0),
    "common flag": _but_one(1.0, 0.0),
    "constant but one": _but_one(3.3, -17.1),
    "huge": lambda rng, k: 1e100 * rng.normal(size=len(k)),
    "tiny": lambda rng, k: 1e-100 * rng.normal(size=len(k)),
    "missing": lambda rng, k: np.full(len(k), np.nan),
}
FINITE = {name: NUMBERS[name] for name in NUMBERS if name != "missing"}
BENIGN = {name: NUMBERS[name] for name in ("plain", "grid", "constant")}
LEAVING = ("rare flag", "common flag", "constant but one")  # columns that become constant when a row is forgotten
EVENTS: dict[str, Column] = {
    "few": lambda rng, k: rng.poisson(0.5 + np.maximum(k, 0)).astype(float),
    "many": lambda rng, k: rng.poisson(40.0, len(k)).astype(float),
    "none": lambda rng, k: np.zeros(len(k)),
    "by class": lambda rng, k: 5.0 * (k == 1),
    "missing": NUMBERS["missing"],
}
TRIALS = 4
SUCCESSES: dict[str, Column] = {
    "some": lambda rng, k: rng.integers(0, TRIALS + 1, len(k)).astype(float),
    "none": EVENTS["none"],
    "all": lambda rng, k: np.full(len(k), float(TRIALS)),
    "by class": lambda rng, k: TRIALS * (k == 1).astype(float),
    "missing": NUMBERS["missing"],
}
WAITS: dict[str, Column] = {
    "some": lambda rng, k: rng.geometric(0.4, len(k)).astype(float),
    "at once": lambda rng, k: np.ones(len(k)),
    "by class": lambda rng, k: 1.0 + 6.0 * (k == 1),
    "missing": NUMBERS["missing"],
}
LABELS: dict[str, Labels] = {
    "plain": ("a", "b", "c"),
    "one": ("only",),
    "odd": ("", " ", "\n", "\x00", "é", "e\u0301", "A", "a", "nan", "None", "\U0001f642", "'\"\\", "\u202e<b>"),
    "mixed": (1, "1", 2.5, date(2024, 2, 29), -7, "class 0"),
    "late": ("common", "common", "common", "common", "common", "common", "rare"),
}
YES_NO: dict[str, Labels] = {"both": (False, True), "yes": (True,)}


WEIGHTS: dict[str, Callable[[Rng, int], Array | None]] = {
    "none": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "zero": lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, 2.0),
    "float": lambda rng, n: rng.uniform(0.5, 4.0, n),
}
GROUPS: dict[str, Callable[[Rng, int, int], Array]] = {
    "mixed": lambda rng, n, K: rng.integers(0, K, n),
    "sorted": lambda rng, n, K: np.sort(rng.integers(0, K, n)),  # a component on one shard only
    "one": lambda rng, n, K: np.full(n, rng.integers(0, K)),
    "some in none": lambda rng, n, K: rng.integers(-1, K, n),
}


def pick(rng: Rng, recipes: Mapping[str, T]) -> T:
    """One of the recipes."""
    return recipes[sorted(recipes)[rng.integers(len(recipes))]]


def shards(rng: Rng, n: int) -> tuple[Array, tuple[int, ...]]:
    """An order of n rows, and cuts that make 1 to 64 shards of it, some of them empty."""
    order = rng.permutation(n) if rng.random() < 0.7 else np.arange(n)
    pieces = rng.choice([1, 2, 3, 5, 64])
    return order, tuple(np.sort(rng.integers(0, n + 1, pieces - 1)).tolist())


@st.composite
def seeds(draw: st.DrawFn) -> tuple[Rng, int, int]:
    """A generator, the most rows and the most columns: the two that hypothesis makes smaller."""
    most = draw(st.sampled_from([5, 12, 24, 40])), draw(st.sampled_from([1, 3, 6]))
    return np.random.default_rng(draw(st.integers(0, 2**32 - 1))), *most


@st.composite
def rows(draw: st.DrawFn, *fills: Fill, reach: Array | None = None) -> LawRows:
    """Rows of parts that are filled in these ways; `reach` where the cells do not show how large numbers are kept."""
    return replace(_rows(fills, *draw(seeds())), reach=reach)


def _rows(fills: Sequence[Fill], rng: Rng, most: int, width: int) -> LawRows:
    n, K = int(rng.integers(0, most + 1)), int(rng.integers(1, 5))
    codes = pick(rng, GROUPS)(rng, n, K).astype(np.int32)
    w = pick(rng, WEIGHTS)(rng, n)
    order, cuts = shards(rng, n)
    filled = [fill(rng, codes, int(rng.integers(1, width + 1))) for fill in fills]
    return LawRows(tuple(part for part, _ in filled), codes, K, w, order, cuts, tuple(query for _, query in filled))


def numbers(recipes: Mapping[str, Column] = NUMBERS, missing: bool = True) -> Fill:
    """Columns of numbers, NaN where missing."""
    return partial(_numbers, recipes, missing)


def _numbers(recipes: Mapping[str, Column], missing: bool, rng: Rng, k: Array, width: int) -> tuple[Array, Array]:
    columns, rate = [pick(rng, recipes) for _ in range(width)], 0.3 * (missing and rng.random() < 0.5)

    def fill(k: Array) -> Array:
        X = np.stack([column(rng, k) for column in columns], axis=1)
        X[rng.random(X.shape) < rate] = np.nan
        return X

    return fill(k), fill(rng.integers(0, 3, 6))


def symbols(vocabularies: Mapping[str, Labels] = LABELS, unseen: bool = True) -> Fill:
    """Columns of symbols, code -1 where missing; some labels to predict were never seen."""
    return partial(_symbols, vocabularies, unseen)


def _symbols(vocabularies: Mapping[str, Labels], unseen: bool, rng: Rng, k: Array, width: int) -> tuple[Coded, Coded]:
    drawn, rate = [pick(rng, vocabularies) for _ in range(width)], rng.choice([0.0, 0.3, 1.0], p=[0.5, 0.4, 0.1])

    def fill(n: int, drawn: Sequence[Labels]) -> Coded:
        labels = tuple(tuple(dict.fromkeys(v)) for v in drawn)  # what stands there twice is drawn twice as often
        places = [np.array([known.index(label) for label in v]) for v, known in zip(drawn, labels, strict=True)]
        codes = np.stack([place[rng.integers(0, len(place), n)] for place in places], axis=1)
        return Coded(np.where(rng.random(codes.shape) < rate, -1, codes).astype(np.int32), labels)

    return fill(len(k), drawn), fill(6, [(*v, "never seen") if unseen else v for v in drawn])


def words(matrix: bool | None = None) -> Fill:
    """Documents as counts of words: an open vocabulary, or the columns of a matrix, sparse or dense."""
    return partial(_words, matrix)


def _words(matrix: bool | None, rng: Rng, k: Array, width: int) -> tuple[Words, Words]:
    fixed = bool(rng.random() < 0.5) if matrix is None else matrix
    keep = csr_array if rng.random() < 0.5 else np.asarray
    names = LABELS["odd"][:width]

    def fill(n: int, known: Sequence[Any]) -> Words:
        counts = rng.poisson(0.7, (n, len(known))).astype(float)
        missing = None if fixed else rng.random(n) < 0.2
        if missing is not None:
            counts[missing] = 0.0
        return Words(keep(counts), known, missing)

    return fill(len(k), range(width) if fixed else names), fill(6, range(width) if fixed else (*names, "never seen"))


def codes(rng: Rng, k: Array, width: int) -> tuple[Coded, Coded]:
    """Columns of whole numbers from 0 that are symbols already; some to predict lie beyond the last."""
    tops = rng.integers(1, 6, width)

    def fill(n: int, beyond: int) -> Coded:
        cells = rng.integers(0, tops + beyond, (n, width)).astype(np.int32)
        return Coded(cells, tuple(range(int(top) + 1) for top in cells.max(axis=0, initial=-1)))

    return fill(len(k), 0), fill(6, 2)
