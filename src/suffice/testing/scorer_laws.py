"""The laws of one-pass classifiers by scores. Each takes a class and a table, and raises AssertionError if broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from hypothesis import strategies as st

from suffice.core.block import Array
from suffice.testing.adding import assert_refused, fitted, spoilt, weighted
from suffice.testing.estimator_laws import reloaded
from suffice.testing.law import law, laws_of
from suffice.testing.learning import ModelTable, take
from suffice.testing.model_tables import labelled
from suffice.testing.tables import NUMBERS, Rng, seeds

Law = Callable[[type[Any], ModelTable], None]
CLOSE = 1e-9  # of the sizes that a score is added up from; nasty columns cost six digits


@st.composite
def scorer_tables(draw: st.DrawFn) -> ModelTable:
    """Numbers and levels, complete, with labels and weights."""
    return labelled(_fill, False, *draw(seeds()))


def _fill(rng: Rng, k: Array, new: Array, width: int) -> tuple[Any, Any, dict[str, Any]]:
    chosen = ["plain", *rng.choice(["plain", "grid", "constant", "offset", "word"], width - 1).tolist()]

    def fill(k: Array) -> dict[str, list[Any]]:
        return {f"{i} {name}": _cells(name, rng, k) for i, name in enumerate(chosen)}

    return fill(k), fill(new), {"threads": 1}


def _cells(name: str, rng: Rng, k: Array) -> list[Any]:
    if name == "word":
        return [("a", "b", "c")[i] for i in rng.integers(0, 3, len(k))]
    return list(NUMBERS[name](rng, k).tolist())


def assert_same(a: Any, b: Any, table: ModelTable) -> None:
    """The same classes, and the same scores of the rows learned from."""
    assert a.classes_.tolist() == b.classes_.tolist(), f"classes {a.classes_} and {b.classes_}"
    assert set(a.get_feature_names_out()) == set(b.get_feature_names_out())
    live = table.at(np.flatnonzero(table.weights > 0))
    mine, theirs = a.decision_function(live.X), b.decision_function(live.X)
    state = b._state()[0]
    block = state.block(live.X)
    X = state.model.design.matrix(block.parts, state.model.terms, state.model.means)
    size = (
        1.0
        + np.abs(state.model.at).max()
        + (np.abs(X - state.model.centre) @ np.abs(state.model.coef).T).max(initial=0)
    )
    assert (np.abs(mine - theirs) <= CLOSE * size).all(), f"scores {mine} and {theirs}"


@law
def merged(cls: type[Any], table: ModelTable) -> None:
    """Models of shards, chunk by chunk, merged in any order or added one by one, are the model of the whole."""
    shards = [shard for shard in table.shards() if shard.live]
    models, whole = [fitted(cls, shard) for shard in shards], fitted(cls, table)
    assert_same(reduce(add, models), whole, table)
    for shard in shards[1:]:
        models[0].partial_fit(shard.X, shard.y, **weighted(shard))
    assert_same(models[0], whole, table)


@law
def forgotten(cls: type[Any], table: ModelTable) -> None:
    """`forget` gives back the model from before the rows came; classes and levels that only they had are gone."""
    kept, gone = table.halves()
    model = fitted(cls, kept).partial_fit(gone.X, gone.y, **weighted(gone)).forget(gone.X, gone.y, **weighted(gone))
    assert model.classes_.tolist() == fitted(cls, kept).classes_.tolist()
    assert set(model.get_feature_names_out()) == set(fitted(cls, kept).get_feature_names_out())


@law
def copies(cls: type[Any], table: ModelTable) -> None:
    """A row of weight w counts as w rows."""
    w = np.ceil(np.maximum(table.weights, 1.0))
    copied = table.at(np.repeat(np.arange(table.n), w.astype(int)))
    heavy = ModelTable(table.X, table.y, w, table.order, table.cuts, table.query, table.parameters)
    assert_same(
        fitted(cls, ModelTable(copied.X, copied.y, None, copied.order, (), None, table.parameters)),
        fitted(cls, heavy),
        heavy,
    )


@law
def saved(cls: type[Any], table: ModelTable) -> None:
    """A model from a file scores to the last bit, and still learns and merges."""
    a, b = table.halves()
    model = fitted(cls, table)
    for other in (reloaded(model), reloaded(model).estimator()):
        assert np.array_equal(other.decision_function(table.query), model.decision_function(table.query))
        assert other.predict(table.X).tolist() == model.predict(table.X).tolist()
    assert_same(reloaded(fitted(cls, a)) + reloaded(fitted(cls, b)), model, table)
    assert_same(reloaded(fitted(cls, a)).partial_fit(b.X, b.y, **weighted(b)), model, table)


@law
def failing(cls: type[Any], table: ModelTable) -> None:
    """A call that fails leaves the model as it was, to the last attribute."""
    model = fitted(cls, table)
    X, y, n = table.X, table.y, table.n
    calls: dict[str, Callable[[], Any]] = {
        "y too short": lambda: model.partial_fit(X, y[1:]),
        "y missing": lambda: model.partial_fit(X, None),
        "X of another shape": lambda: model.partial_fit(np.zeros((n, 99)), y),
        "X infinite": lambda: model.partial_fit(spoilt(X), y),
        "weights below 0": lambda: model.partial_fit(X, y, sample_weight=np.full(n, -1.0)),
        "more rows than learned": lambda: model.forget(take(X, np.repeat(np.arange(n), 3)), np.repeat(y, 3)),
        "a class never learned": lambda: model.forget(X, np.full(n, "never learned")),
        "not a model": lambda: model.merge(object()),
        "a model of nothing": lambda: model.merge(cls()),
        "a rule that is none": lambda: model.set_params(ties="nonsense"),
        "everything": lambda: model.forget(X, y, **weighted(table)),
    }
    assert_refused(model, calls)


LAWS: Sequence[Law] = laws_of(__name__)
