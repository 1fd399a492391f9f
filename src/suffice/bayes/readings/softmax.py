"""A naive Bayes posterior as a softmax of linear functions.

    p(c | x) = exp(b_c . x') / sum_d exp(b_d . x'),     x' = [1, indicators and powers of the columns]

A categorical column gives one indicator per label, a normal column its presence, x and x^2 about a centre, words their
counts or indicators. With two classes p = 1 / (1 + exp(-w . x')) with w = b_1 - b_2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block, Coded, Words
from suffice.core.errors import bad
from suffice.estimators.state.fitted import FittedModel
from suffice.families.counts.bag import Bags
from suffice.families.counts.categorical import Categories
from suffice.families.normals.normal import Normals
from suffice.families.places import table_columns
from suffice.families.product import Group, part_columns
from suffice.numerics.log_space import normalize


class SoftmaxPiece(NamedTuple):
    """What one group of columns adds to the linear functions."""

    names: list[Any]  # F features: (column, what of it)
    base: Array  # (K,)
    gain: Array  # (K, F)
    encode: Callable[[Any], Array]  # its part of a block as features (n, F)


@dataclass(frozen=True)
class Softmax:
    """Linear functions of each class, whose softmax is the posterior."""

    classes: tuple[Any, ...]
    features: tuple[Any, ...]  # F pairs (column, what of it)
    intercept: Array  # (K,)
    coefficients: Array  # (K, F); -inf for what a class excludes
    design: Callable[[Any], Array] = field(repr=False)  # a table as features (n, F)

    def scores(self, X: Any) -> Array:
        """b_c . x' of each row and class (n, K): log p(class, x), but for terms that all classes share."""
        rows, barred = self.design(X), np.isneginf(self.coefficients)
        out = rows @ np.where(barred, 0.0, self.coefficients).T + self.intercept
        return np.where((rows != 0.0).astype(np.float64) @ barred.T > 0, -np.inf, out)

    def predict_proba(self, X: Any) -> Array:
        """Their softmax (n, K)."""
        return np.exp(normalize(self.scores(X)))

    def weights(self, target: Any, versus: Any) -> tuple[float, Array]:
        """Intercept and coefficients (F,) of the log odds of one class against another."""
        for name, label in (("target", target), ("versus", versus)):
            if label not in self.classes:
                raise bad(self, name, f"one of the classes {list(self.classes)}", label, "Correct the label.")
        a, b = self.classes.index(target), self.classes.index(versus)
        with np.errstate(invalid="ignore"):  # what excludes both classes speaks for neither
            difference = self.coefficients[a] - self.coefficients[b]
        return float(self.intercept[a] - self.intercept[b]), np.where(np.isnan(difference), 0.0, difference)


def softmax_of(owner: str, state: FittedModel, words: Sequence[Any]) -> Softmax:
    """Read the coefficients off a fitted model; `words` names the columns of a matrix of words."""
    factors = state.model.factors
    pieces: list[tuple[Group, SoftmaxPiece]] = []
    for group, distribution in zip(factors.groups, factors.distributions, strict=True):
        if type(distribution) not in _READERS:
            rule = "normal, categorical or words, whose log densities are linear"
            raise bad(owner, "the family of every column", rule, type(distribution).__name__, "Choose another family.")
        names = [column.name for column in table_columns(state.schema, group)]
        pieces.append((group, _READERS[type(distribution)](distribution, names, words)))

    def encode(block: Block) -> Array:
        return np.concatenate([piece.encode(part_columns(block.parts[g.part], g)) for g, piece in pieces], axis=1)

    return Softmax(
        state.model.classes,
        tuple(name for _, piece in pieces for name in piece.names),
        state.model.log_prior + np.sum([piece.base for _, piece in pieces], axis=0),
        np.concatenate([piece.gain for _, piece in pieces], axis=1),
        lambda X: state.map(X, encode, None),
    )


def _categories(d: Categories, columns: list[Any], words: Sequence[Any]) -> SoftmaxPiece:
    names = [(c, label) for c, labels in zip(columns, d.labels, strict=True) for label in (*labels, "any other")]

    def encode(part: Coded) -> Array:
        lines = d.lines(part)
        out = np.zeros((len(lines), d.log_theta.shape[1] + 1))  # the last column takes missing cells
        np.put_along_axis(out, lines, 1.0, axis=1)
        return out[:, :-1]

    return SoftmaxPiece(names, np.zeros(len(d.log_theta)), d.evidence, encode)


def _normals(d: Normals, columns: list[Any], words: Sequence[Any]) -> SoftmaxPiece:
    height, half = d.terms
    centre = d.mean.high.mean(axis=0)
    away = (d.mean.high - centre) + d.mean.low
    gain = np.stack([height - half * away * away, 2.0 * half * away, -half], axis=2)

    def encode(part: Array) -> Array:
        present = np.isfinite(part)
        z = np.where(present, part - centre, 0.0)
        return np.stack([present, z, z * z], axis=2).reshape(len(part), -1)

    names = [(c, power) for c in columns for power in ("present", "x - centre", "(x - centre)^2")]
    return SoftmaxPiece(names, np.zeros(len(height)), gain.reshape(len(height), -1), encode)


def _bags(d: Bags, columns: list[Any], words: Sequence[Any]) -> SoftmaxPiece:
    if d.bars is not None:
        rule = "possible at every level of every word, for the log densities to be linear"
        raise bad("coefficients", "documents", rule, "probabilities of 0", "Choose a prior above 0.")
    matrix = isinstance(d.labels, range)
    labels = d.encoding.labels(tuple(words)) if matrix else ("present", *d.encoding.labels(d.labels), "any other")
    gain = d.evidence[:, :-1] if matrix else np.column_stack([d.empty, d.evidence])

    def encode(part: Words) -> Array:
        counts: Array = d.encoded(part).toarray()
        if matrix:
            return counts
        present = np.ones(len(counts)) if part.missing is None else ~part.missing
        return np.column_stack([present, counts])

    base = d.empty if matrix else np.zeros(len(gain))
    return SoftmaxPiece([(columns[0], label) for label in labels], base, gain, encode)


_READERS: dict[type, Callable[[Any, list[Any], Sequence[Any]], SoftmaxPiece]] = {
    Bags: _bags,
    Categories: _categories,
    Normals: _normals,
}
