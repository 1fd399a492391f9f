"""The models of folds: each has learned from all rows but those of its fold; and how splits and folds are asked for.

The summaries of the folds come from one pass (`learn_folds`); the model that never saw fold k is what the sum of all
others says. Sums from both ends give all of them with three additions a fold, and nothing is subtracted.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput, Said, bad
from suffice.core.folds import DrawnFolds, FoldOf, without_each
from suffice.core.learner import Source, learn_folds
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.table_rows import take_rows
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel
from suffice.sources.tables.labels import code_labels

FOLDS = 5  # where nobody says how many
RULE = "a number of folds from 2 up to the number of rows, a splitter, or pairs of row numbers"


class Splits(NamedTuple):
    """Rows to learn from and rows to test with, split by split."""

    pairs: tuple[tuple[Array, Array], ...]  # (train, test), row numbers
    folds: Array | None  # (n,) the split that tests each row, where each row is tested once and else learned from


def read_splits(owner: str, cv: Any, y: Any, n: int, groups: Any = None, *, classes: bool) -> Splits:
    """The splits that a number of folds, a splitter or an iterable of pairs of row numbers gives for n rows.

    Parameters
    ----------
    cv : None is 5 folds
    y : one label or number a row, as users have them, or labels as codes
    n : number of rows
    groups : for splitters that keep groups together
    classes : whether y are classes, of which every fold should have its share
    """
    if cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool)):
        return _drawn(n, _coded(y) if classes else None, read_folds(owner, cv, n))
    labels = y if not isinstance(y, Coded) else y.codes[:, 0]
    try:
        splitter = check_cv(cv, labels, classifier=classes)
        pairs = tuple((_numbers(a), _numbers(b)) for a, b in splitter.split(np.zeros(n), labels, groups))
    except (TypeError, ValueError) as error:
        raise bad(owner, "cv", f"{RULE} that fit these rows ({error})", cv, "Correct it.") from None
    if not pairs:
        raise bad(owner, "cv", "of at least one split", cv, "Give it splits.")
    return Splits(pairs, _folds(pairs, n))


def read_folds(owner: str, cv: Any, n: int | None = None) -> int:
    """A number of folds; None is 5. Where rows come from files it is all there can be."""
    K = FOLDS if cv is None else cv
    if isinstance(K, bool) or not isinstance(K, Integral) or int(K) < 2 or (n is not None and n < int(K)):
        rule = RULE if n is not None else "a number of folds from 2 where rows come from files"
        rows = (
            ""
            if n is None
            else f" (Cannot have number of splits n_splits={K} greater than the number of samples: n_samples={n})"
        )
        raise bad(owner, "cv", rule + rows, cv, "Correct it.")
    return int(K)


def _drawn(n: int, y: Coded | None, K: int) -> Splits:
    """Folds by the hash of ranks; one that few rows left empty is left out."""
    codes = Coded(np.zeros((n, 1), dtype=np.int32), ((None,),)) if y is None else y
    kept, folds = np.unique(DrawnFolds(K).of_labels(codes), return_inverse=True)
    numbers = np.arange(n)
    pairs = tuple((numbers[folds != k], numbers[folds == k]) for k in range(len(kept)))
    return Splits(pairs, folds)


def _coded(y: Any) -> Coded:
    """Labels as codes; several columns of them are one class each combination."""
    if isinstance(y, Coded):
        return y
    if np.ndim(y) == 2 and np.shape(y)[1] != 1:
        y = list(map(str, np.asarray(y).tolist()))
    try:
        return code_labels(np.ravel(y) if np.ndim(y) == 2 else y)
    except BadInput:
        return code_labels([str(label) for label in np.asarray(y, dtype=object).tolist()])


def _numbers(rows: Any) -> Array:
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)


def _folds(pairs: tuple[tuple[Array, Array], ...], n: int) -> Array | None:
    """The fold of each row; None where rows are tested twice or never, or left out of both parts."""
    folds = np.full(n, -1, dtype=np.int64)
    for k, (train, test) in enumerate(pairs):
        here = np.zeros(n, dtype=np.int64)
        np.add.at(here, np.concatenate([train, test]), 1)
        if (here != 1).any() or (folds[test] >= 0).any():
            return None
        folds[test] = k
    return folds if (folds >= 0).all() else None


def some_rows(X: Any, rows: Array) -> Any:
    """Some rows of any table, by their numbers; of nothing, nothing."""
    return None if X is None else take_rows(X, rows)


def adds(estimator: Any) -> bool:
    """Whether the folds of an estimator can be added: not where `fit` chooses a parameter from the rows first."""
    return isinstance(estimator, OnePass) and estimator._folds_add()


@dataclass(frozen=True)
class FoldModels:
    """Estimators that have learned from all folds but one each, and can be read by other parameters."""

    estimators: tuple[Any, ...]  # K, each fitted without its fold
    first: FittedModel  # what was kept of the first fold
    source: Source  # the rows, read with the schema of all of them

    @classmethod
    def of(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        draw: Callable[[], FoldOf],
        target: Any = None,
    ) -> FoldModels:
        """One pass over the rows.

        Parameters
        ----------
        estimator : a one-pass estimator; it is not changed
        X, y, sample_weight, target : the rows, as for its `fit`
        draw : begins to say of rows which fold they belong to, anew with each pass
        """
        like = clone(estimator)
        like._begin()
        opened, known = like._open(X, y, sample_weight, target)
        schema, parts = learn_folds(opened.plan, opened.source, draw())
        for part in parts:
            like._check_kept(part)
        origin = opened.origin(schema)
        closed = known if known.closed else Declared()  # otherwise a class is there where it has rows
        kept = [FittedModel(opened.plan, schema, part, closed) for part in parts]
        rest = without_each(kept, lambda a, b: a.merge([b])) if len(kept) > 1 else kept
        if any(fitted.empty for fitted in rest):
            rule = "enough for every fold to leave some to learn from"
            raise bad(like._owner, "the rows", rule, Said("fewer"), "Give more rows, or take fewer folds.")
        found = tuple(copy.copy(like)._adopt(fitted, origin) for fitted in rest)
        return cls(found, kept[0], opened.source.read_as(schema))

    def read_by(self, parameters: Mapping[str, Any]) -> FoldModels | None:
        """The same rows by other parameters; None where the summaries cannot say what they ask for."""
        plan = copy.copy(self.estimators[0]).set_params(**parameters)._plan()
        if any(one.fitted_.replan(plan) is one.fitted_ for one in self.estimators):
            return None
        read = tuple(copy.copy(one).set_params(**parameters) for one in self.estimators)
        return FoldModels(read, self.first, self.source)

    def whole(self) -> Any:
        """An estimator that has learned from all rows."""
        one = self.estimators[0]
        return copy.copy(one)._adopt(one.fitted_.merge([self.first]), one._origin)


def part_of_rows(estimator: Any, X: Any, y: Any, sample_weight: Any, rows: Any) -> Any:
    """A fresh copy of any estimator, fitted to some of the rows."""
    w = {} if sample_weight is None else {"sample_weight": some_rows(np.asarray(sample_weight), rows)}
    return clone(estimator).fit(some_rows(X, rows), some_rows(y, rows), **w)


def parts_of_rows(estimator: Any, X: Any, y: Any, sample_weight: Any, splits: Splits) -> list[Any]:
    """Fresh copies of any estimator, one a split, each fitted to its rows."""
    return [part_of_rows(estimator, X, y, sample_weight, train) for train, _ in splits.pairs]
