"""Nasty tables for models, one strategy for each kind of table that a model says it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from suffice.core.block import Array
from suffice.testing.learning import Table
from suffice.testing.tables import FINITE, LABELS, NUMBERS, WEIGHTS, Rng, shards

CLASSES: dict[str, tuple[Any, ...]] = {
    "words": ("a", "b", "c"),
    "numbers": (0, 1, 2),
    "far numbers": (-7, 3, 300),
    "whole floats": (0.0, 1.0, 2.0),
    "yes or no": (False, True),
    "odd": ("", "a\x00b", "e\u0301 \U0001f642"),
    "nothing": ("", "\x00"),
    "mixed": ("1", 1, "b"),
}
OBJECTS = ("odd", "nothing", "mixed")  # labels that an array of strings would spoil
OWN = sorted(CLASSES)
OTHERS = [name for name in OWN if name not in ("mixed", "nothing")]
Cells = Callable[[Rng, Array], list[Any]]  # generator and class numbers -> cells


def _of(recipe: str) -> Cells:
    return lambda rng, k: NUMBERS[recipe](rng, k).tolist()


def _words(rng: Rng, k: Array, vocabulary: Sequence[Any]) -> list[Any]:
    return [vocabulary[i] for i in rng.integers(0, len(vocabulary), len(k)).tolist()]


TEXTS = ("cat sat", "dog dog ran", "", "ünïcode Tür", "a b c 12 34 34", "\n\t")
MIXED: dict[str, Cells] = {
    "complete": _of("plain"),
    "plain": _of("plain"),
    "offset": _of("offset"),
    "apart": _of("apart"),
    "outlier": _of("outlier"),
    "constant": _of("constant"),
    "huge": _of("huge"),
    "whole": lambda rng, k: (rng.integers(0, 9, len(k)) + k).tolist(),
    "below zero": lambda rng, k: rng.integers(-2, 5, len(k)).tolist(),
    "whole or not": lambda rng, k: [x if x % 2 else x / 4 for x in rng.integers(0, 9, len(k)).tolist()],
    "yes or no": lambda rng, k: [bool(x) for x in rng.integers(0, 2, len(k))],
    "yes, no or word": lambda rng, k: _words(rng, k, (True, False, "maybe")),
    "word": lambda rng, k: _words(rng, k, LABELS["plain"]),
    "odd word": lambda rng, k: _words(rng, k, LABELS["odd"]),
    "rare word": lambda rng, k: _words(rng, k, LABELS["late"]),
    "date": lambda rng, k: [date(2024, 1, 1 + i) for i in rng.integers(0, 28, len(k)).tolist()],
    "missing": lambda rng, k: [None] * len(k),
    "text": lambda rng, k: _words(rng, k, TEXTS),
}
# Kinds that blocks disagree about. A kind does not grow narrow again when rows leave, and rows of weight 0 show theirs.
WIDENING = ("yes, no or word",)
UNSEEN = {"word": "never seen", "odd word": "never seen", "rare word": "never seen", "text": "never seen"}


@st.composite
def labelled(
    draw: st.DrawFn, fill: Callable[..., tuple[Any, Any]], parameters: dict[str, Any], own: bool = False, most: int = 24
) -> Table:
    """Rows filled by `fill(rng, classes of the rows, classes of the rows to predict)`, with labels and weights.

    `own` is for models of our own: labels may be of several types, and a class may come with weight 0 alone. Where
    scikit-learn has the model, its rules hold: labels of one type, and a class that weighs nothing exists all the same.
    """
    n, names = draw(st.integers(2, most)), draw(st.sampled_from(OWN if own else OTHERS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    k = rng.integers(0, draw(st.integers(1, len(CLASSES[names]))), n)
    k = np.sort(k) if draw(st.booleans()) else k  # sorted: a class on one shard only
    w = WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))](rng, n)
    if w is not None:  # two rows must weigh something, so that there are two shards to learn from
        heavy = [0, 1] if own else slice(None)
        w[heavy] = np.maximum(w[heavy], 1.0)
    y = np.array([CLASSES[names][i] for i in k.tolist()], dtype=object if names in OBJECTS else None)
    order, cuts = draw(shards(n))
    X, query = fill(rng, k, rng.integers(0, 3, 5))
    return Table(X, y, w, order, cuts, query, parameters)


@st.composite
def mixed(draw: st.DrawFn, without: Sequence[str] = (), rates: Sequence[float] = (0.0, 0.3)) -> Table:
    """Columns of every kind by name, None where missing."""
    recipes = [name for name in MIXED if name not in without]  # the first is complete: a shard without cells is no table
    chosen = ["complete", *draw(st.lists(st.sampled_from(recipes), min_size=0, max_size=5))]
    rate = draw(st.sampled_from(rates))
    kinds = {f"{i} {name}": "text" for i, name in enumerate(chosen) if name == "text"}

    def fill(rng: Rng, k: Array, new: Array) -> tuple[Any, Any]:
        known, asked = ({f"{i} {name}": MIXED[name](rng, rows) for i, name in enumerate(chosen)} for rows in (k, new))
        for table in (known, asked):
            for cells in list(table.values())[1:]:
                cells[:] = [None if lost else cell for cell, lost in zip(cells, rng.random(len(cells)) < rate, strict=True)]
        for i, name in enumerate(chosen):
            asked[f"{i} {name}"][0] = UNSEEN.get(name)
        return known, asked

    return draw(labelled(fill, {"kinds": kinds} if kinds else {}, own=True))


@st.composite
def numbers(draw: st.DrawFn) -> Table:
    """An array of numbers without missing cells."""
    chosen = draw(st.lists(st.sampled_from(sorted(FINITE)), min_size=1, max_size=4))

    def fill(rng: Rng, k: Array, new: Array) -> tuple[Array, Array]:
        known, asked = (np.stack([NUMBERS[name](rng, rows) for name in chosen], axis=1) for rows in (k, new))
        return known, asked

    return draw(labelled(fill, {}))


@st.composite
def counts(draw: st.DrawFn) -> Table:
    """A matrix of counts, dense or sparse, with empty rows and columns."""
    d, sparse = draw(st.integers(1, 6)), draw(st.booleans())

    def fill(rng: Rng, k: Array, new: Array) -> tuple[Any, Any]:
        rate = rng.choice([0.0, 0.3, 3.0], d)
        known, asked = (rng.poisson(rate + 0.2 * rows[:, None]).astype(float) for rows in (k, new))
        return (csr_array(known), csr_array(asked)) if sparse else (known, asked)

    return draw(labelled(fill, {}))


@st.composite
def codes(draw: st.DrawFn) -> Table:
    """An array of codes from 0; some to predict lie beyond the last."""
    tops = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))

    def fill(rng: Rng, k: Array, new: Array) -> tuple[Array, Array]:
        known, asked = (np.stack([rng.integers(0, top, n) for top in tops], axis=1) for n in (len(k), len(new)))
        return known, asked + rng.integers(0, 3, asked.shape)

    return draw(labelled(fill, {}))


def tables_for(model: type[Any], **options: Any) -> st.SearchStrategy[Table]:
    """Tables that a model says (by scikit-learn's tags) it takes."""
    tags = model().__sklearn_tags__().input_tags
    if tags.string:
        return mixed(**options)
    if tags.categorical:
        return codes()
    return counts() if tags.positive_only or tags.sparse else numbers()
