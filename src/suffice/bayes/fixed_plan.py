"""One learner whatever the table: the plan of the drop-ins, whose columns are all of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.learner import Bayes
from suffice.bayes.loaded import LoadedBayes, LoadedScores
from suffice.bayes.plan import encoding_of
from suffice.core.block import Array
from suffice.core.by_class import ByClass
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.families.complement import Complement
from suffice.sources.codes import Codes
from suffice.sources.grid import FiniteGrid, Grid, as_array
from suffice.sources.matrix import Matrix, as_rows
from suffice.sources.parts import WORDS
from suffice.sources.table import Table


@saved
@dataclass(frozen=True)
class FixedPlan:
    """A learner of one part, and how an array becomes that part."""

    bayes: Bayes
    owner: str  # the estimator
    names: tuple[Any, ...] | None = None  # of the columns, where the table had some

    @property
    def _family(self) -> Any:
        return self.bayes.product.groups[0].family

    def open(self, X: Any) -> Table:
        """An array, a sparse matrix, or a table of numbers."""
        return X if isinstance(X, (Grid, Codes, Matrix)) else _DOORS[self._family.storage](X, self)

    def schema(self, table: Table) -> Schema:
        """What the array shows, under the names of its columns."""
        schema = table.infer()
        words = schema == WORDS  # one column, whatever its words are called
        if words or self.names is None or len(self.names) != len(schema.columns):
            return schema
        return Schema(tuple(Column(name, c.kind) for name, c in zip(self.names, schema.columns, strict=True)))

    def declare(self, schema: Schema) -> Schema:
        """Nothing is declared."""
        return schema

    def keeps(self, schema: Schema) -> Any:
        """How words become counts; all else is kept alike whatever the parameters."""
        return encoding_of(self._family)

    def learner(self, schema: Schema) -> Bayes:
        """The learner."""
        return self.bayes

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """Nothing to do: there is one part."""
        return summary

    def loaded(self, value: Any) -> LoadedScores:
        """The model of a file; complement weights are scores, not densities."""
        return (LoadedScores if isinstance(self._family, Complement) else LoadedBayes)(value)


def _array(X: Any, names: Sequence[Any] | None) -> Array:
    """An array; of a table, the columns with these names, in this order."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return as_array(X)
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return as_array(X)
    absent = [name for name in names or () if name not in frame.columns]
    if absent:
        raise bad("X", "the columns", f"those of the training table, {absent[0]!r} among them", list(frame.columns))
    return as_array((frame.select(list(names)) if names else frame).to_numpy())


def _numbers(X: Any, plan: FixedPlan) -> FiniteGrid:
    return FiniteGrid(_typed(_array(X, plan.names), "f", np.float64), plan.owner)


def _codes(X: Any, plan: FixedPlan) -> Codes:
    codes = _typed(_array(X, plan.names), "iu", np.float64)
    if codes.dtype.kind == "f" and not np.isfinite(codes).all():
        raise missing_cell(plan.owner)
    return Codes(codes.astype(np.int64, copy=False), plan.owner)


def _words(X: Any, plan: FixedPlan) -> Matrix:
    return Matrix(as_rows(X) if hasattr(X, "tocsr") else _typed(_array(X, plan.names), "biuf", np.float64))


def missing_cell(owner: str) -> BadInput:
    """What a model says that cannot do without a cell."""
    remedy = "Use NaiveBayes, which leaves missing cells out."
    return bad(owner, "every cell", "present (Input X contains NaN)", Said("a missing one"), remedy)


def _typed(X: Array, kinds: str, otherwise: type[Any]) -> Array:
    if X.dtype.kind in kinds:
        return X
    try:
        return X.astype(otherwise)
    except (TypeError, ValueError):
        raise bad("X", "cells", "numbers", X.dtype, "Use NaiveBayes for symbols and texts.") from None


_DOORS: Mapping[Storage, Callable[[Any, FixedPlan], Table]] = {
    Storage.NUMBERS: _numbers,
    Storage.SYMBOLS: _codes,
    Storage.WORDS: _words,
}
