"""Nasty tables for regressors: numbers, levels and truth values, complete, with targets of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from suffice.core.block import Array
from suffice.testing.learning import ModelTable
from suffice.testing.tables import NUMBERS, WEIGHTS, Rng, pick, seeds, shards

COLUMNS: dict[str, Callable[[Rng, int], list[Any]]] = {
    "plain": lambda rng, n: rng.normal(size=n).tolist(),
    "offset": lambda rng, n: (1e8 + rng.normal(size=n)).tolist(),
    "large": lambda rng, n: (1e6 * rng.normal(size=n)).tolist(),
    "small": lambda rng, n: (1e-6 * rng.normal(size=n)).tolist(),
    "constant": lambda rng, n: [7.25] * n,
    "outlier": lambda rng, n: NUMBERS["outlier"](rng, np.zeros(n)).tolist(),
    "rare flag": lambda rng, n: NUMBERS["rare flag"](rng, np.zeros(n)).tolist(),
    "common flag": lambda rng, n: NUMBERS["common flag"](rng, np.zeros(n)).tolist(),
    "constant but one": lambda rng, n: NUMBERS["constant but one"](rng, np.zeros(n)).tolist(),
    "whole": lambda rng, n: rng.integers(0, 9, n).tolist(),
    "yes or no": lambda rng, n: [bool(x) for x in rng.integers(0, 2, n)],
    "word": lambda rng, n: [("a", "b", "c")[i] for i in rng.integers(0, 3, n)],
    "rare word": lambda rng, n: [("common", "rare")[int(i == 0)] for i in rng.integers(0, 7, n)],
}
TARGETS: dict[str, Callable[[Rng, int], Array]] = {
    "plain": lambda rng, n: rng.normal(size=n),
    "offset": lambda rng, n: 1e8 + rng.normal(size=n),
    "constant": lambda rng, n: np.full(n, 3.5),
    "whole": lambda rng, n: rng.integers(0, 5, n).astype(float),
    "two": lambda rng, n: rng.normal(size=(n, 2)) * [1.0, 1e6],
}


@st.composite
def regression_tables(draw: st.DrawFn, widest: int = 6) -> ModelTable:
    """A mapping, an array or a sparse matrix of complete columns, at most so many, with targets and weights."""
    rng, most, width = draw(seeds())
    width = min(width, widest)
    n = int(rng.integers(2, most + 1))
    w = pick(rng, WEIGHTS)(rng, n)
    if w is not None:  # two rows must weigh something, so that there are two shards to learn from
        w[:2] = np.maximum(w[:2], 1.0)
    fill = (_mapping, _array, _sparse)[rng.integers(3)]
    X, query = fill(rng, n, int(rng.integers(1, width + 1)))
    return ModelTable(X, pick(rng, TARGETS)(rng, n), w, *shards(rng, n), query, {"threads": 1})


@st.composite
def alike_tables(draw: st.DrawFn) -> ModelTable:
    """Columns in the same units, and a target near a plane: for models that depend on units."""
    rng, most, width = draw(seeds())
    n, d = int(rng.integers(2, most + 1)), int(rng.integers(1, width + 1))
    X = rng.normal(size=(n + 4, d)) + rng.choice([0.0, 1e3])
    y = X @ rng.normal(size=d) + 0.1 * rng.normal(size=n + 4)
    w = pick(rng, WEIGHTS)(rng, n)
    if w is not None:
        w[:2] = np.maximum(w[:2], 1.0)
    return ModelTable(X[:n], y[:n], w, *shards(rng, n), X[n:], {"threads": 1})


def _mapping(rng: Rng, n: int, width: int) -> tuple[Any, Any]:
    chosen = ["plain", *rng.choice(sorted(COLUMNS), width - 1).tolist()]

    def fill(n: int) -> dict[str, list[Any]]:
        return {f"{i} {name}": COLUMNS[name](rng, n) for i, name in enumerate(chosen)}

    asked = fill(4)
    for name in asked:
        asked[name][0] = "never seen" if name.endswith("word") else asked[name][0]
    return fill(n), asked


def _array(rng: Rng, n: int, width: int) -> tuple[Any, Any]:
    numbers = [name for name in sorted(COLUMNS) if name not in ("yes or no", "word", "rare word")]
    chosen = rng.choice(numbers, width).tolist()
    known, asked = (np.stack([COLUMNS[name](rng, m) for name in chosen], axis=1).astype(float) for m in (n, 4))
    return known, asked


def _sparse(rng: Rng, n: int, width: int) -> tuple[Any, Any]:
    known, asked = (rng.poisson(0.7, (m, width)).astype(float) for m in (n, 4))
    return csr_array(known), csr_array(asked)
