"""Rows that vote for their classes: one label a row, or several (multi-output). One search serves all labels.

A vote is a query, the number of a row that is near to it, and how much that row counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import BadFile
from suffice.core.from_proba import FromProba
from suffice.estimators.boundary.label_tables import label_columns
from suffice.estimators.faces.multi_output import likeliest_by_output, no_prior, output_edges, per_output

Turned = Callable[[Array, int], Array]  # the votes of an output, and its number, to something as wide


class Voters(FromProba):
    """Rows with a class each: `near` the rows, `codes` (n,) the class of each, `classes` the labels."""

    @property
    def prior(self: Any) -> Array:
        """Shares of the classes among the rows (K,)."""
        counts = np.bincount(self.codes, self.near.weight, minlength=len(self.classes))
        return np.asarray(counts / counts.sum())

    def tally(self: Any, n: int, query: Array, numbers: Array, weight: Array) -> Array:
        """Votes of each of n queries by class (n, K)."""
        return tally(self.codes, len(self.classes), n, query, numbers, weight)

    def by_label(self, turned: Turned, counts: Array) -> Array:
        """Votes turned into something else."""
        return turned(counts, 0)

    def best(self, counts: Array) -> Array:
        """The class with most votes (n,), the first of equals."""
        return np.asarray(counts.argmax(axis=1))

    def met(self, shares: Array) -> Array:
        """Whether some class has a share (n,)."""
        return np.asarray(shares.any(axis=1))

    def wrong(self: Any, places: Array) -> Array:
        """Whether the rows themselves are answered wrongly (n,)."""
        return np.asarray(places != self.codes)


class OutputVoters(FromProba):
    """Rows with several labels: `codes` (n, q), `classes` the labels of each output."""

    def __post_init__(self: Any) -> None:
        """Refuse a file whose pieces are not what they should be."""
        made, codes = self.classes, self.codes
        several = isinstance(made, tuple) and bool(made) and all(isinstance(one, tuple) and one for one in made)
        if not several or np.ndim(codes) != 2 or codes.shape[1] != len(made):
            raise BadFile("its classes are not those of several outputs")
        if (codes < 0).any() or (codes >= np.diff(output_edges(made))).any():
            raise BadFile("its rows have classes that it does not name")

    @cached_property
    def edges(self: Any) -> tuple[int, ...]:
        """Where the classes of each output begin, and where the last end (q + 1,)."""
        return output_edges(self.classes)

    @property
    def prior(self: Any) -> NoReturn:
        """There is none: outputs do not exclude one another."""
        raise no_prior(self.near.owner)

    def tally(self: Any, n: int, query: Array, numbers: Array, weight: Array) -> Array:
        """Votes of each of n queries by the classes of every output (n, S)."""
        both = zip(self.codes.T, self.classes, strict=True)
        return np.hstack([tally(codes, len(labels), n, query, numbers, weight) for codes, labels in both])

    def by_label(self, turned: Turned, counts: Array) -> Array:
        """Votes turned into something else, output by output."""
        return np.hstack([turned(counts[:, a:b], t) for t, (a, b) in enumerate(pairwise(self.edges))])

    def best(self, counts: Array) -> Array:
        """The class of each output with most votes (n, q), the first of equals."""
        return likeliest_by_output(counts, self.edges)

    def met(self, shares: Array) -> Array:
        """Whether some class of each output has a share (n, q)."""
        return per_output(lambda some: np.asarray(some.any(axis=1)), shares, self.edges)

    def wrong(self: Any, places: Array) -> Array:
        """Whether any label of the rows themselves is answered wrongly (n,)."""
        return np.asarray((places != self.codes).any(axis=1))


def tally(codes: Array, K: int, n: int, query: Array, numbers: Array, weight: Array) -> Array:
    """Weights of rows by query and class (n, K).

    >>> tally(np.array([0, 1, 1]), 2, 1, np.zeros(3, dtype=int), np.arange(3), np.array([1.0, 2.0, 3.0]))
    array([[1., 5.]])
    """
    with np.errstate(invalid="ignore"):
        cells = codes[numbers] + K * query
    return np.bincount(cells.ravel(), weight.ravel(), minlength=n * K).reshape(n, K)


def voter_classes(y: Coded, w: Array | None) -> tuple[Array, tuple[Any, ...]]:
    """The class of each row that weighs something, and the classes they have, in order; of several labels, of each."""
    if len(y.labels) == 1:
        return _classes(y, w)
    found = [_classes(column, w) for column in label_columns(y)]
    return np.column_stack([codes for codes, _ in found]), tuple(classes for _, classes in found)


def _classes(y: Coded, w: Array | None) -> tuple[Array, tuple[Any, ...]]:
    codes = y.codes[:, 0] if w is None else y.codes[w > 0, 0]
    classes = canonical([y.labels[0][k] for k in np.unique(codes)])
    place = {label: k for k, label in enumerate(classes)}
    order = np.array([place.get(label, -1) for label in y.labels[0]], dtype=np.intp)
    return order[codes], classes
