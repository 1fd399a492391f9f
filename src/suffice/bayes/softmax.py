"""A naive Bayes posterior as a softmax of linear functions.

    p(c | x) = exp(b_c . x') / sum_d exp(b_d . x'),     x' = [1, indicators and powers of the columns]

A categorical column gives one indicator per label, a normal column its presence, x and x^2 about a centre, words their
counts or indicators. With two classes p = 1 / (1 + exp(-w . x')) with w = b_1 - b_2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.learner import BayesModel
from suffice.core.block import Array, Block, Coded, Words
from suffice.core.errors import bad
from suffice.core.schema import Schema
from suffice.families.bag import Bags
from suffice.families.categorical import Categories
from suffice.families.normal import Normals
from suffice.families.product import part_columns

Piece = tuple[list[Any], Array, Array, Callable[[Any], Array]]  # names, base (K,), gain (K, F), part -> (n, F)


@dataclass(frozen=True)
class Softmax:
    """Coefficients of each class; `design` gives x' without its leading 1."""

    classes: tuple[Any, ...]
    features: tuple[Any, ...]  # F names: a column, or (column, what of it)
    intercept: Array  # (K,)
    coefficients: Array  # (K, F)
    design: Callable[[Block], Array]

    def log_joint(self, block: Block) -> Array:
        """Scores b_c . x' (n, K); their softmax is the posterior."""
        return self.design(block) @ self.coefficients.T + self.intercept


def softmax_coefficients(model: BayesModel, schema: Schema) -> Softmax:
    """Read the coefficients off a fitted model."""
    pieces = []
    for group, distribution in zip(model.factors.groups, model.factors.distributions, strict=True):
        _, places = schema.parts[group.part]
        mine = places if group.columns is None else [places[at] for at in group.columns]
        read = _READERS.get(type(distribution))
        if read is None:
            name = type(distribution).__name__
            raise bad(
                "coefficients", "every family", "linear in the log (normal, categorical, words)", name, "Choose one."
            )
        pieces.append((group, read(distribution, [schema.columns[i].name for i in mine])))

    def design(block: Block) -> Array:
        return np.concatenate([encode(part_columns(block.parts[g.part], g)) for g, (*_, encode) in pieces], axis=1)

    return Softmax(
        model.classes,
        tuple(name for _, (names, *_) in pieces for name in names),
        model.log_prior + np.sum([base for _, (_, base, _, _) in pieces], axis=0),
        np.concatenate([gain for _, (_, _, gain, _) in pieces], axis=1),
        design,
    )


def _categories(d: Categories, columns: list[Any]) -> Piece:
    names = [(c, label) for c, labels in zip(columns, d.labels, strict=True) for label in (*labels, "any other")]

    def encode(part: Coded) -> Array:
        lines = d.lines(part)
        out = np.zeros((len(lines), d.log_theta.shape[1] + 1))
        np.put_along_axis(out, lines, 1.0, axis=1)
        return out[:, :-1]

    return names, np.zeros(len(d.log_theta)), d.evidence, encode


def _normals(d: Normals, columns: list[Any]) -> Piece:
    height, half = d.terms
    centre = d.mean.high.mean(axis=0)
    away = (d.mean.high - centre) + d.mean.low
    gain = np.stack([height - half * away * away, 2.0 * half * away, -half], axis=2)

    def encode(part: Array) -> Array:
        present = ~np.isnan(part)
        z = np.where(present, part - centre, 0.0)
        return np.stack([present, z, z * z], axis=2).reshape(len(part), -1)

    names = [(c, power) for c in columns for power in ("present", "x - centre", "(x - centre)^2")]
    return names, np.zeros(len(height)), gain.reshape(len(height), -1), encode


def _bags(d: Bags, columns: list[Any]) -> Piece:
    names = [(columns[0], word) for word in d.encoding.labels(d.labels)] + [(columns[0], "unknown word")]

    def encode(part: Words) -> Array:
        dense: Array = d.encoded(part).toarray()
        return dense if dense.shape[1] == len(names) else np.concatenate([dense, np.zeros((len(dense), 1))], axis=1)

    return names, d.empty, d.evidence, encode


_READERS: dict[type, Callable[[Any, list[Any]], Piece]] = {Categories: _categories, Normals: _normals, Bags: _bags}
