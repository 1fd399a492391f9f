"""Nasty tables for models, one strategy for each kind of table that a model says it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from suffice.core.block import Array
from suffice.testing.learning import ModelTable
from suffice.testing.tables import FINITE, LABELS, NUMBERS, WEIGHTS, Rng, pick, seeds, shards

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
Filled = tuple[Any, Any, dict[str, Any]]  # a table, one to predict, and parameters of the model
Fill = Callable[[Rng, Array, Array, int], Filled]


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
    "constant but one": _of("constant but one"),
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


def labelled(fill: Fill, own: bool, rng: Rng, most: int, width: int) -> ModelTable:
    """Rows with labels and weights; `fill(rng, classes, classes to predict, columns)` says what is in them.

    `own` is for models of our own: labels may be of several types, and a class may come with weight 0 alone. Where
    scikit-learn has the model, its rules hold: labels of one type, and a class that weighs nothing exists all the same.
    """
    n, names = int(rng.integers(2, most + 1)), str(rng.choice(OWN if own else OTHERS))
    k = rng.integers(0, min(rng.choice([1, 2, 3, 3]), len(CLASSES[names])), n)
    k = np.sort(k) if rng.random() < 0.4 else k  # sorted: a class on one shard only
    w = pick(rng, WEIGHTS)(rng, n)
    if w is not None:  # two rows must weigh something, so that there are two shards to learn from
        heavy = [0, 1] if own else slice(None)
        w[heavy] = np.maximum(w[heavy], 1.0)
    y = np.array([CLASSES[names][i] for i in k.tolist()], dtype=object if names in OBJECTS else None)
    X, query, parameters = fill(rng, k, rng.integers(0, 3, 5), int(rng.integers(1, width + 1)))
    return ModelTable(X, y, w, *shards(rng, n), query, parameters)


def mixed(without: Sequence[str], rng: Rng, k: Array, new: Array, width: int) -> Filled:
    """Columns of every kind by name, None where missing; the first is complete: a shard without cells is no table."""
    recipes = [name for name in MIXED if name not in without]
    chosen = ["complete", *rng.choice(recipes, width - 1).tolist()]
    names = [f"{i} {name}" for i, name in enumerate(chosen)]
    rate = 0.3 * (rng.random() < 0.6)

    def fill(k: Array) -> dict[str, list[Any]]:
        cells = [MIXED[name](rng, k) for name in chosen]
        lost = rng.random((len(chosen), len(k))) < rate
        lost[0] = False
        return {
            name: [None if gone else cell for cell, gone in zip(column, where, strict=True)]
            for name, column, where in zip(names, cells, lost, strict=True)
        }

    known, asked = fill(k), fill(new)
    for name, recipe in zip(names, chosen, strict=True):
        asked[name][0] = UNSEEN.get(recipe)
    kinds = {name: "text" for name, recipe in zip(names, chosen, strict=True) if recipe == "text"}
    return known, asked, {"kinds": kinds} if kinds else {}


def numbers(rng: Rng, k: Array, new: Array, width: int) -> Filled:
    """An array of numbers without missing cells."""
    columns = [pick(rng, FINITE) for _ in range(width)]
    known, asked = (np.stack([column(rng, rows) for column in columns], axis=1) for rows in (k, new))
    return known, asked, {}


def counts(rng: Rng, k: Array, new: Array, width: int) -> Filled:
    """A matrix of counts, dense or sparse, with empty rows and columns."""
    rate = rng.choice([0.0, 0.3, 3.0], width)
    known, asked = (rng.poisson(rate + 0.2 * rows[:, None]).astype(float) for rows in (k, new))
    return (csr_array(known), csr_array(asked), {}) if rng.random() < 0.5 else (known, asked, {})


def codes(rng: Rng, k: Array, new: Array, width: int) -> Filled:
    """An array of codes from 0; some to predict lie beyond the last."""
    tops = rng.integers(1, 6, width)
    known, asked = (rng.integers(0, tops, (len(rows), width)) for rows in (k, new))
    return known, asked + rng.integers(0, 3, asked.shape), {}


@st.composite
def tables_for(draw: st.DrawFn, model: type[Any], without: Sequence[str] = ()) -> ModelTable:
    """Tables that a model says (by scikit-learn's tags) it takes; of mixed columns, `without` some recipes."""
    tags = model().__sklearn_tags__().input_tags
    if tags.string:
        return labelled(partial(mixed, without), True, *draw(seeds()))
    fill = codes if tags.categorical else counts if tags.positive_only or tags.sparse else numbers
    table = labelled(fill, False, *draw(seeds()))
    return replace(table, parameters={**table.parameters, **_any_table(model)})


def _any_table(model: type[Any]) -> dict[str, Any]:
    """Parameters with which a model takes any table: virtual rows, where two classes of one row have no covariance."""
    return {"prior_strength": 1.0} if "prior_strength" in inspect.signature(model).parameters else {}
