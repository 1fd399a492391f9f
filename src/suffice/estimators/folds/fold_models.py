"""The models of folds: each has learned from all rows but those of its fold.

The summaries of the folds come from one pass (`learn_folds`); the model that never saw fold k is what the sum of all
others says. Sums from both ends give all of them with three additions a fold, and nothing is subtracted.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.core.folds import FoldOf, without_each
from suffice.core.learner import Source, learn_folds
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.state.declared import Declared
from suffice.estimators.state.fitted import FittedModel


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
    from suffice.estimators.folds.splits import some_rows

    w = {} if sample_weight is None else {"sample_weight": some_rows(np.asarray(sample_weight), rows)}
    return clone(estimator).fit(some_rows(X, rows), some_rows(y, rows), **w)
