"""The laws of one-pass models. Each takes a class and a table, and raises AssertionError where it is broken."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from suffice.estimators.state.loaded import model_of
from suffice.persistence import from_bytes, to_bytes
from suffice.testing.adding import assert_add, assert_merge, assert_refused, fitted, spoilt, weighted
from suffice.testing.law import law, laws_of
from suffice.testing.learning import (
    ModelTable,
    assert_same_answers,
    assert_same_model,
    assert_unchanged,
    state_of,
    take,
)

Law = Callable[[type[Any], ModelTable], None]
OTHERS: dict[str, Any] = {  # another value of a parameter that many models have
    "alpha": 0.5,
    "fit_prior": False,
    "norm": True,
    "prior": "uniform",
    "prior_strength": 2.5,
    "var_smoothing": 1e-3,
}


FOUR = [0.25] * 4  # shares of four classes, where there are at most three
WRONG: dict[str, Any] = {"alpha": -1.0, "class_prior": FOUR, "prior": "nonsense", "priors": FOUR, "var_smoothing": -1.0}


def declares(cls: type[Any]) -> bool:
    """Whether the classes must be declared before the first shard, as scikit-learn's models want it."""
    return cls.__name__ in _names_of_scikit_learn()


@cache
def _names_of_scikit_learn() -> frozenset[str]:
    from sklearn.utils.discovery import all_estimators

    return frozenset(name for name, _ in all_estimators())


def learned(cls: type[Any], table: ModelTable, shards: Sequence[ModelTable]) -> Any:
    """A model that met the shards one after the other, empty ones too where it takes them."""
    first = next(i for i, shard in enumerate(shards) if shard.live)
    model, classes = cls(**table.parameters), {"classes": np.unique(table.y)} if declares(cls) else {}
    model.partial_fit(shards[first].X, shards[first].y, **classes, **weighted(shards[first]))
    for i, shard in enumerate(shards):
        if i != first and (shard.n or not declares(cls)):
            model.partial_fit(shard.X, shard.y, **weighted(shard))
    return model


@law
def chunks(cls: type[Any], table: ModelTable) -> None:
    """`fit` and `partial_fit` shard by shard, in any order, give one model."""
    assert_same_model(learned(cls, table, table.shards()), fitted(cls, table), table)


@law
def merged(cls: type[Any], table: ModelTable) -> None:
    """Models of shards, merged in any order or added one by one, are the model of the whole."""
    assert_merge(cls, table, assert_same_model)


@law
def added(cls: type[Any], table: ModelTable) -> None:
    """a + b is a new model and leaves a and b as they were."""
    assert_add(cls, table, assert_same_model)


@law
def forgotten(cls: type[Any], table: ModelTable) -> None:
    """`forget` gives back the model from before the rows came; classes and labels that only they had are gone."""
    kept, gone = table.halves()
    earlier, model = fitted(cls, kept), fitted(cls, kept)
    model.partial_fit(gone.X, gone.y, **weighted(gone)).forget(gone.X, gone.y, **weighted(gone))
    assert_same_model(model, earlier, table, forgot=True)
    whole = fitted(cls, table).forget(gone.X, gone.y, **weighted(gone))
    assert_same_model(whole, earlier, table, forgot=True)


@law
def copies(cls: type[Any], table: ModelTable) -> None:
    """A row of weight w counts as w rows, a row of weight 0 as none."""
    w = np.ceil(table.weights)
    w[1::3] = 0.0
    w[np.unique(table.y.astype(str), return_index=True)[1]] = 2.0  # a class of weight 0 is another matter
    table = replace(table, w=w)
    copied = replace(table.at(np.repeat(np.arange(table.n), w.astype(int))), w=None)
    assert_same_answers(fitted(cls, copied), fitted(cls, table), table)
    assert_same_model(fitted(cls, table.at(np.flatnonzero(w > 0))), fitted(cls, table), table)


@law
def saved(cls: type[Any], table: ModelTable) -> None:
    """A model from a file predicts to the last bit, and still learns, merges and forgets."""
    a, b = table.halves()
    model, first, second = fitted(cls, table), fitted(cls, a), fitted(cls, b)
    loaded, part, other = reloaded(model), reloaded(first), reloaded(second)
    for X in (table.X, table.query):
        assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X)), "a loaded model predicts something else"
        assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert np.array_equal(loaded.estimator().predict_proba(table.X), model.predict_proba(table.X))
    for both in (part + other, part + second, first + other):  # from files, and not
        assert_same_model(both, model, table)
    assert_same_model(part.partial_fit(b.X, b.y, **weighted(b)), model, table)
    assert_same_model(loaded.forget(b.X, b.y, **weighted(b)), first, table, forgot=True)


def reloaded(model: Any) -> Any:
    """The model, by way of its file's bytes."""
    return model_of(from_bytes(to_bytes(model._saved())))


@law
def read_anew(cls: type[Any], table: ModelTable) -> None:
    """Parameters only say how the summary is read: changed after the fit, they give the model fitted with them."""
    known = inspect.signature(cls).parameters
    model = fitted(cls, table)
    for name in sorted(OTHERS.keys() & known.keys()):
        again = fitted(cls, table).set_params(**{name: OTHERS[name]})
        assert to_bytes(again.summary_) == to_bytes(model.summary_), f"{name} entered the summary"
        assert_same_model(again, fitted(cls, table, **{name: OTHERS[name]}), table)


@law
def predicting(cls: type[Any], table: ModelTable) -> None:
    """Predictions change nothing in the model and nothing in the rows, and do not depend on the rows beside them."""
    model = fitted(cls, table)
    before, rows = state_of(model), repr(table.X)
    whole = model.predict_proba(table.X)
    model.predict(table.X), model.predict_log_proba(table.query), model.explain(table.query)
    model.predict(table.X, prior="uniform")
    if hasattr(model, "sample"):  # scores that are no densities offer neither
        model.score_samples(table.query), model.sample(2, 0)
    assert_unchanged(model, before)
    assert repr(table.X) == rows, "predicting changed the rows"
    for i in range(min(table.n, 3)):
        alone = model.predict_proba(take(table.X, np.array([i])))
        assert np.abs(alone - whole[i]).max() <= 1e-12, f"row {i} alone: {alone}, among others: {whole[i]}"


@law
def failing(cls: type[Any], table: ModelTable) -> None:
    """A call that fails leaves the model as it was, to the last attribute."""
    model, known = fitted(cls, table), inspect.signature(cls).parameters
    X, y, n = table.X, table.y, table.n
    too_many = take(X, np.repeat(np.arange(n), 3))
    calls: dict[str, Callable[[], Any]] = {
        "y too short": lambda: model.partial_fit(X, y[1:]),
        "y missing": lambda: model.partial_fit(X, None),
        "y not a number": lambda: model.partial_fit(X, np.full(n, np.nan)),
        "X of another shape": lambda: model.partial_fit(np.zeros((n, 99)), y),
        "X of one dimension": lambda: model.partial_fit(np.zeros(n), y),
        "X infinite": lambda: model.partial_fit(spoilt(X), y),
        "X infinite, from the start": lambda: model.fit(spoilt(X), y),
        "weights below 0": lambda: model.partial_fit(X, y, sample_weight=np.full(n, -1.0)),
        "weights too many": lambda: model.partial_fit(X, y, sample_weight=np.ones(n + 1)),
        "weights not a number": lambda: model.fit(X, y, sample_weight=np.full(n, np.nan)),
        "more rows than learned": lambda: model.forget(too_many, np.repeat(y, 3)),
        "a class never learned": lambda: model.forget(X, np.full(n, "never learned")),
        "not a model": lambda: model.merge(object()),
        "a model of other columns": lambda: model.merge(cls().fit(np.ones((4, 77), dtype=int), [0, 1, 0, 1])),
        "a model of nothing": lambda: model.merge(cls()),
        "other columns to predict": lambda: model.predict_proba(np.zeros((2, 99))),
        "a prior that is none": lambda: model.predict(X, prior=[-1.0, 2.0]),
        "refit of nothing": lambda: model.fit(take(X, np.arange(0)), y[:0]),
        "a parameter that is not there": lambda: model.set_params(nothing=1),
        **{f"{name} out of range": partial(model.set_params, **{name: WRONG[name]}) for name in WRONG if name in known},
        "everything": lambda: model.forget(X, y, **weighted(table)),
    }
    assert_refused(model, calls)


LAWS: Sequence[Law] = laws_of(__name__)
