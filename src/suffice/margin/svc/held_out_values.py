"""What machines say of rows that they have not seen: from these, values become probabilities.

Folds are drawn by a hash of the rank of each row within its class, so that the same rows in the same order give the
same probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.folds import DrawnFolds
from suffice.decision.maps.pair_map import PairMap
from suffice.margin.svc.one_versus_one import PairTraining
from suffice.margin.svc.pairs_of_classes import pairs
from suffice.spaces.given_kernels import GivenKernel

FOLDS = 5

Values = Callable[[Array], Array]  # from the numbers of rows (m,), what a machine says of them (m, P)
Machine = Callable[[PairTraining, Array], Values]  # from some rows and their numbers, their machine


def learn_pair_map(training: PairTraining, w: Array | None, classes: tuple[Any, ...], machine: Machine) -> PairMap:
    """The map of a machine, from the values that machines of the other folds give the rows of each."""
    codes, K = training.codes, len(classes)
    values = _held_out(training, _folds(codes, classes), K, machine)
    return PairMap.of(_by_pair(values, codes, w, K), _shares(codes, w, K))


def _folds(codes: Array, classes: tuple[Any, ...]) -> Array:
    """The fold of each row: five, or fewer where a class has fewer rows, but two."""
    few = int(np.bincount(codes).min())
    return DrawnFolds(min(max(few, 2), FOLDS)).of_labels(Coded(codes[:, None], (classes,)))


def _held_out(training: PairTraining, folds: Array, K: int, machine: Machine) -> Array:
    """Values (n, P)."""
    values = np.empty((len(folds), len(pairs(K))))
    for fold in range(int(folds.max()) + 1):
        learned, asked = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        values[asked] = _said(part_of(training, learned), learned, asked, K, machine)
    return values


def _said(training: PairTraining, learned: Array, asked: Array, K: int, machine: Machine) -> Array:
    """Values of the rows asked (m, P); a pair of which one class alone was learned says that one, by a margin of 1."""
    there = np.bincount(training.codes, minlength=K) > 0
    kept = np.flatnonzero(there)
    values = np.empty((len(asked), len(pairs(K))))
    for column, (i, j) in enumerate(pairs(K)):
        values[:, column] = float(there[i]) - float(there[j]) if K > 2 else float(there[j]) - float(there[i])
    if len(kept) > 1:
        own = replace(training, codes=np.searchsorted(kept, training.codes))
        columns = [c for c, (i, j) in enumerate(pairs(K)) if there[i] and there[j]]
        found = machine(own, learned)(asked)
        values[:, columns] = -found if len(kept) == 2 < K else found
    return values


def part_of(training: PairTraining, some: Array) -> PairTraining:
    """The same training of some of its rows."""
    X = training.X[np.ix_(some, some)] if isinstance(training.kernel, GivenKernel) else training.X[some]
    return replace(training, X=X, codes=training.codes[some], C=training.C[some])


def _by_pair(values: Array, codes: Array, w: Array | None, K: int) -> Iterator[tuple[Array, Array, Array | None]]:
    """Values, sides and weights of the rows of each pair."""
    for column, (i, j) in enumerate(pairs(K)):
        rows = np.flatnonzero((codes == i) | (codes == j))
        yield values[rows, column], codes[rows] == (j if K == 2 else i), None if w is None else w[rows]


def _shares(codes: Array, w: Array | None, K: int) -> Array:
    weights = np.bincount(codes, weights=w, minlength=K).astype(np.float64)
    return np.asarray(weights / weights.sum())
