"""What the laws of one-pass models share: they fit, merge, add and refuse; a law says which models are the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from suffice.core.errors import SufficeError
from suffice.testing.learning import ModelTable, assert_same_attributes, assert_unchanged, state_of

Same = Callable[[Any, Any, ModelTable], None]  # raises AssertionError where two models differ


def weighted(table: ModelTable) -> dict[str, Any]:
    """The weights, if there are any, by name."""
    return {} if table.w is None else {"sample_weight": table.w}


def fitted(cls: type[Any], table: ModelTable, **parameters: Any) -> Any:
    """A model of these rows alone; parameters that are given go before those of the table."""
    return cls(**{**table.parameters, **parameters}).fit(table.X, table.y, **weighted(table))


def assert_merge(cls: type[Any], table: ModelTable, same: Same) -> None:
    """Models of shards, merged in any order or added one by one, are the model of the whole."""
    models = [fitted(cls, shard) for shard in table.shards() if shard.live]
    whole = fitted(cls, table)
    same(reduce(add, models), whole, table)
    same(models[0].merge(*models[1:]), whole, table)


def assert_add(cls: type[Any], table: ModelTable, same: Same) -> None:
    """a + b is a new model and leaves a and b as they were."""
    a, b = (fitted(cls, half) for half in table.halves())
    before = state_of(a), state_of(b)
    both = a + b
    assert both is not a, "a + b is a itself"
    same(both, b + a, table)
    both.partial_fit(table.X, table.y, **weighted(table))
    assert_unchanged(a, before[0])
    assert_unchanged(b, before[1])


def assert_refused(model: Any, calls: dict[str, Callable[[], Any]]) -> None:
    """Calls that must fail do, and leave the model as it was, to the last attribute."""
    before = state_of(model)
    for what, call in calls.items():
        assert raises(call), f"{what} was accepted"
        assert_same_attributes(model, before[1])
    assert_unchanged(model, before)  # to the bytes: once, as writing a file takes longer than most calls


def raises(call: Callable[[], Any]) -> bool:
    """Whether a call is refused with one of the errors that users may catch."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of other names before it refuses
        try:
            call()
        except (SufficeError, ValueError):
            return True
    return False


def spoilt(X: Any) -> Any:
    """The table with an infinite first cell."""
    if isinstance(X, Mapping):
        first, *_ = X
        return {**X, first: [np.inf, *X[first][1:]]}
    cells = (X.toarray() if hasattr(X, "toarray") else X).astype(float)
    cells[0, 0] = np.inf
    return cells
