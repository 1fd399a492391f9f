"""Members that vote, are averaged, or are handed to one more: as values. They predict on NumPy alone if members do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.compose.around_plan import table_of
from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.sources.tables.numbers import number_columns
from suffice.sources.tables.table import Table


@saved
@dataclass(frozen=True)
class MembersModel(FromProba):
    """Answers of members, put together in one of several ways; members know classes by their numbers."""

    owner: str
    helds: tuple[Held, ...]
    way: str  # one of WAYS
    weights: Array  # (T,)
    classes: tuple[Any, ...] = ()  # none: numbers
    columns: tuple[Array, ...] = ()  # which columns each member sees; none: the table as it is

    def tables(self, block: Block) -> list[Any]:
        """What each member is asked about."""
        X = table_of(block)
        if not self.columns:
            return [X] * len(self.helds)
        rows = as_rows(X)
        return [rows[:, columns] for columns in self.columns]

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return np.asarray(WAYS[self.way](self, self.tables(block)))

    def predict(self, block: Block) -> Array:
        """Numbers (n, q)."""
        found = np.asarray(WAYS[self.way](self, self.tables(block)))
        return found if found.ndim == 2 else found[:, None]

    sides = FromProba.likeliest

    @property
    def prior(self) -> Array:
        """Nobody knows: each member assumes its own."""
        remedy = "Put the classifier into Decide, with learned_prior."
        raise bad(self.owner, "prior", "None where no class prior is known", Said("another"), remedy)

    def holding(self, change: Callable[[Held], Held]) -> MembersModel:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))


def as_rows(X: Any) -> Array:
    """Rows as an array (n, d): a chunk of a file column by column, all else as NumPy reads it."""
    if hasattr(X, "tocsr"):
        return np.asarray(X.toarray())
    if isinstance(X, Mapping):
        return np.column_stack([np.asarray(column) for column in X.values()])
    if not isinstance(X, Table):
        return np.asarray(X)
    return number_columns("X", X, X.infer(), dates=True)[1]


def _votes(model: MembersModel, tables: list[Any]) -> Array:
    """Shares of votes (n, K)."""
    K = len(model.classes)
    total: Any = 0.0
    for held, X, w in zip(model.helds, tables, model.weights.tolist(), strict=True):
        total = total + w * (np.asarray(held.live.predict(X)).astype(np.int64)[:, None] == np.arange(K))
    return np.asarray(total / model.weights.sum())


def _mean_shares(model: MembersModel, tables: list[Any]) -> Array:
    """The mean of class shares; a member that knows fewer classes says 0 of the others."""
    K = len(model.classes)
    total: Any = 0.0
    for held, X, w in zip(model.helds, tables, model.weights.tolist(), strict=True):
        live = held.live
        if not hasattr(live, "predict_proba"):
            said = (np.asarray(live.predict(X)).astype(np.int64)[:, None] == np.arange(K)).astype(np.float64)
        else:
            said = np.asarray(live.predict_proba(X), dtype=np.float64)
            if said.shape[1] != K:
                wide = np.zeros((len(said), K))
                wide[:, np.asarray(live.classes_).astype(np.int64)] = said
                said = wide
        total = total + w * said
    return np.asarray(total / model.weights.sum())


def _numbers(model: MembersModel, tables: list[Any]) -> Array:
    return np.array([held.live.predict(X) for held, X in zip(model.helds, tables, strict=True)], dtype=np.float64)


def _mean(model: MembersModel, tables: list[Any]) -> Array:
    return np.asarray(np.average(_numbers(model, tables), axis=0, weights=model.weights))


def _median(model: MembersModel, tables: list[Any]) -> Array:
    return np.asarray(np.median(_numbers(model, tables), axis=0))


def _stacked(model: MembersModel, tables: list[Any]) -> Array:
    """What the last member says of the answers of the others."""
    *members, last = model.helds
    columns = []
    for held, X in zip(members, tables[:-1], strict=True):
        live = held.live
        if not model.classes:
            said = np.asarray(live.predict(X))[:, None]
        elif hasattr(live, "predict_proba"):
            said = np.asarray(live.predict_proba(X))
            said = said[:, 1:] if len(model.classes) == 2 else said
        elif hasattr(live, "decision_function"):
            said = np.asarray(live.decision_function(X))
            said = said[:, None] if said.ndim == 1 else said
        else:
            said = np.asarray(live.predict(X))[:, None]
        columns.append(said)
    if model.weights[-1] == 0.0:  # the rows themselves are handed on too
        columns.append(as_rows(tables[-1]))
    Z = np.hstack(columns)
    return np.asarray(last.live.predict_proba(Z) if model.classes else last.live.predict(Z))


WAYS: Mapping[str, Callable[[MembersModel, list[Any]], Array]] = {
    "votes": _votes,
    "mean_shares": _mean_shares,
    "mean": _mean,
    "median": _median,
    "stacked": _stacked,
}
