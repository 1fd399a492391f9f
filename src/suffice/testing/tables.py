"""Nasty tables: strategies for hypothesis.

A table is a few choices that hypothesis can make smaller (rows, recipes of columns, cuts) and a seed that fills the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from suffice.core.block import Array, Coded, Words
from suffice.testing.rows import Rows

Rng = np.random.Generator
Column = Callable[[Rng, Array], Array]  # generator and components of the rows -> cells


def _outlier(rng: Rng, k: Array) -> Array:
    x = rng.normal(size=len(k))
    x[rng.integers(len(k), size=min(1, len(k)))] = 1e8
    return x


NUMBERS: dict[str, Column] = {
    "plain": lambda rng, k: rng.normal(size=len(k)) + k,
    "grid": lambda rng, k: rng.integers(-3, 4, len(k)).astype(float),
    "constant": lambda rng, k: np.full(len(k), 7.25),
    "constant by class": lambda rng, k: 1e8 * k + 0.1,
    "offset": lambda rng, k: 1e8 + rng.normal(size=len(k)) + k,
    "apart": lambda rng, k: 1e8 * k + rng.normal(size=len(k)),
    "outlier": _outlier,
    "huge": lambda rng, k: 1e100 * rng.normal(size=len(k)),
    "tiny": lambda rng, k: 1e-100 * rng.normal(size=len(k)),
    "missing": lambda rng, k: np.full(len(k), np.nan),
}
FINITE = {name: NUMBERS[name] for name in NUMBERS if name != "missing"}
BENIGN = {name: NUMBERS[name] for name in ("plain", "grid", "constant")}
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
LABELS: dict[str, tuple[Any, ...]] = {
    "plain": ("a", "b", "c"),
    "one": ("only",),
    "odd": ("", " ", "\n", "\x00", "é", "e\u0301", "A", "a", "nan", "None", "\U0001f642", "'\"\\", "\u202e<b>"),
    "mixed": (1, "1", 2.5, date(2024, 2, 29), -7, "class 0"),
    "late": ("common", "common", "common", "common", "common", "common", "rare"),
}
YES_NO: dict[str, tuple[Any, ...]] = {"both": (False, True), "yes": (True,)}


@st.composite
def shards(draw: st.DrawFn, n: int) -> tuple[Array, tuple[int, ...]]:
    """An order of n rows, and cuts that make 1 to 64 shards of it, some of them empty."""
    order = np.random.default_rng(draw(st.integers(0, 2**16))).permutation(n) if draw(st.booleans()) else np.arange(n)
    pieces = draw(st.sampled_from([1, 2, 3, 5, 64]))
    seed = draw(st.integers(0, 2**16))
    return order, tuple(sorted(np.random.default_rng(seed).integers(0, n + 1, pieces - 1).tolist()))


def components(rng: Rng, n: int, how: str, K: int) -> Array:
    """The component of each row."""
    k = rng.integers(0, K, n)
    codes = {"mixed": k, "sorted": np.sort(k), "one": np.zeros(n), "some in none": rng.integers(-1, K, n)}[how]
    return codes.astype(np.int32)


WEIGHTS: dict[str, Callable[[Rng, int], Array | None]] = {
    "none": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "zero": lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, 2.0),
    "float": lambda rng, n: rng.uniform(0.5, 4.0, n),
}
Fill = Callable[[Rng, Array], tuple[Any, Any]]  # generator, components -> a part and a part to predict


@st.composite
def rows(
    draw: st.DrawFn,
    *fills: st.SearchStrategy[Fill],
    weights: Sequence[str] = tuple(WEIGHTS),
    groups: Sequence[str] = ("mixed", "sorted", "one", "some in none"),
    most: int = 24,
) -> Rows:
    """Rows of parts that are filled in these ways."""
    n, K = draw(st.integers(0, most)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = components(rng, n, draw(st.sampled_from(groups)), K)
    w = WEIGHTS[draw(st.sampled_from(weights))](rng, n)
    order, cuts = draw(shards(n))
    filled = [draw(fill)(rng, codes) for fill in fills]
    return Rows(tuple(part for part, _ in filled), codes, K, w, order, cuts, tuple(query for _, query in filled))


def numbers(recipes: dict[str, Column] = NUMBERS, missing: bool = True) -> st.SearchStrategy[Fill]:
    """Columns of numbers, NaN where missing."""
    columns = st.lists(st.sampled_from(sorted(recipes)), min_size=1, max_size=4)
    return st.builds(lambda names, rate: lambda rng, k: _numbers(rng, k, [recipes[name] for name in names], rate),
                     columns, st.sampled_from([0.0, 0.3] if missing else [0.0]))  # fmt: skip


def _numbers(rng: Rng, k: Array, columns: Sequence[Column], rate: float) -> tuple[Array, Array]:
    def fill(k: Array) -> Array:
        X = np.stack([column(rng, k) for column in columns], axis=1)
        X[rng.random(X.shape) < rate] = np.nan
        return X

    return fill(k), fill(rng.integers(0, 3, 6))


def symbols(vocabularies: dict[str, tuple[Any, ...]] = LABELS, unseen: bool = True) -> st.SearchStrategy[Fill]:
    """Columns of symbols, code -1 where missing; some labels to predict were never seen."""
    columns = st.lists(st.sampled_from(sorted(vocabularies)), min_size=1, max_size=4)
    rates = st.sampled_from([0.0, 0.3, 1.0])
    return st.builds(lambda names, rate: lambda rng, k: _symbols(rng, k, [vocabularies[v] for v in names], rate, unseen),
                     columns, rates)  # fmt: skip


def _symbols(rng: Rng, k: Array, vocabularies: Sequence[tuple[Any, ...]], rate: float, unseen: bool) -> Any:
    labels = tuple(tuple(dict.fromkeys(v)) for v in vocabularies)
    more = tuple((*v, "never seen") if unseen else v for v in labels)

    def fill(n: int, known: Sequence[tuple[Any, ...]]) -> Array:
        codes = np.stack([rng.integers(0, len(v), n) for v in known], axis=1)
        return np.where(rng.random(codes.shape) < rate, -1, codes).astype(np.int32)

    return Coded(fill(len(k), labels), labels), Coded(fill(6, more), more)


def words(columns: bool | None = None) -> st.SearchStrategy[Fill]:
    """Documents as counts of words: an open vocabulary, or the columns of a matrix, sparse or dense."""
    matrix = st.booleans() if columns is None else st.just(columns)
    return st.builds(lambda matrix, sparse, V: lambda rng, k: _words(rng, len(k), V, matrix, sparse),
                     matrix, st.booleans(), st.integers(1, 6))  # fmt: skip


def _words(rng: Rng, n: int, V: int, matrix: bool, sparse: bool) -> tuple[Words, Words]:
    keep = csr_array if sparse else np.asarray
    names = LABELS["odd"][:V]

    def fill(n: int, known: Sequence[Any]) -> Words:
        counts = rng.poisson(0.7, (n, len(known))).astype(float)
        missing = None if matrix else rng.random(n) < 0.2
        if missing is not None:
            counts[missing] = 0.0
        return Words(keep(counts), known, missing)

    return fill(n, range(V) if matrix else names), fill(6, range(V) if matrix else (*names, "never seen"))


def codes() -> st.SearchStrategy[Fill]:
    """Columns of whole numbers from 0 that are symbols already; some to predict lie beyond the last."""
    sizes = st.lists(st.integers(1, 5), min_size=1, max_size=4)
    return st.builds(lambda tops: lambda rng, k: (_codes(rng, len(k), tops), _codes(rng, 6, [t + 2 for t in tops])), sizes)


def _codes(rng: Rng, n: int, tops: Sequence[int]) -> Coded:
    cells = np.stack([rng.integers(0, top, n) for top in tops], axis=1).astype(np.int32)
    return Coded(cells, tuple(range(int(top) + 1) for top in cells.max(axis=0, initial=-1)))
