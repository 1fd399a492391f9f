"""The laws of one-pass regressors. Each takes a class and a table, and raises AssertionError where it is broken."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.linear.regression.least_squares_problem import SAFE
from suffice.persistence import to_bytes
from suffice.testing.adding import assert_add, assert_merge, assert_refused, fitted, spoilt, weighted
from suffice.testing.estimator_laws import reloaded
from suffice.testing.law import law, laws_of
from suffice.testing.learning import ModelTable, assert_unchanged, state_of, take
from suffice.testing.rows import reach
from suffice.testing.sameness import Limits, assert_same

Law = Callable[[type[Any], ModelTable], None]
OTHERS: dict[str, Any] = {"alpha": 0.5, "fit_intercept": False}
CLOSE = 1e-11  # the digits that harmless products keep


@contextmanager
def calm() -> Iterator[None]:
    """Nasty tables are ill-conditioned on purpose; models warn of that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def learned(cls: type[Any], table: ModelTable, shards: Sequence[ModelTable]) -> Any:
    """A model that met the shards one after the other, empty ones too."""
    first = next(i for i, shard in enumerate(shards) if shard.live)
    model = fitted(cls, shards[first])
    for i, shard in enumerate(shards):
        if i != first:
            model.partial_fit(shard.X, shard.y, **weighted(shard))
    return model


def assert_same_model(a: Any, b: Any, table: ModelTable) -> None:
    """The same summary, and the same answers as far as the condition number lets them be known."""
    assert set(a.summary_.terms) == set(b.summary_.terms)
    assert_same(about(a.summary_, b.summary_), b.summary_, limits_of(b, table).after_forgetting())
    assert_same_answers(a, b, table)


def about(summary: Any, other: Any) -> Any:
    """A summary with its powers about the centres of another: which they are about depends on how rows came."""
    return summary.about(other.centres) if hasattr(summary, "centres") else summary


def assert_same_answers(a: Any, b: Any, table: ModelTable) -> None:
    """Answers to the rows learned from: those to others may lie as far away as the columns nearly depend."""
    lost = max(error_of(a), error_of(b))
    if lost > SAFE:
        return
    table = table.at(np.flatnonzero(table.weights > 0))
    mine, theirs = a.predict(table.X), b.predict(table.X)
    assert mine.shape == theirs.shape
    slack = (CLOSE + 100.0 * lost) * size_of(b, table)
    assert (np.abs(mine - theirs) <= slack).all(), f"answers apart by {np.abs(mine - theirs).max()}, allowed {slack}"


def error_of(model: Any) -> float:
    """About how much of the coefficients rounding may have moved."""
    state = model._state()[0]
    own = getattr(state.plan.solver, "error", None)
    return float(own(state.model.problem) if own else state.model.problem.error())


def size_of(model: Any, table: ModelTable) -> float:
    """How large the numbers are that an answer is added up from."""
    inner = model._state()[0].model
    X = inner.matrix(model._state()[0].block(table.X))
    return float(1.0 + np.abs(inner.at).max() + (np.abs(X - inner.centre) @ np.abs(inner.coef).T).max(initial=0.0))


def limits_of(model: Any, table: ModelTable) -> Limits:
    """How large the numbers of a table are."""
    inner = model._state()[0].model
    X = inner.matrix(model._state()[0].block(table.X))
    targets = np.asarray(table.y, dtype=float).reshape(table.n, -1)
    return Limits(float(table.weights.sum()), np.append(reach(X), reach(targets)))


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
    """`forget` gives back the model from before the rows came; levels that only they had are gone."""
    kept, gone = table.halves()
    earlier, model = fitted(cls, kept), fitted(cls, kept)
    model.partial_fit(gone.X, gone.y, **weighted(gone)).forget(gone.X, gone.y, **weighted(gone))
    for left in (model, fitted(cls, table).forget(gone.X, gone.y, **weighted(gone))):
        assert set(left.summary_.terms) == set(earlier.summary_.terms)
        assert_same(
            about(left.summary_, earlier.summary_),
            earlier.summary_,
            limits_of(fitted(cls, table), table).after_forgetting(),
        )
        if not hidden(left, earlier):
            assert_same_answers(left, earlier, kept)


def hidden(left: Any, earlier: Any) -> bool:
    """Whether what was forgotten was so large that its rounding may hide how much some column varies."""
    noise = left.summary_.summary.moments.noise
    scatter = np.diagonal(
        about(earlier.summary_, left.summary_).align(left.summary_.terms).summary.moments.scatter.value,
        axis1=1,
        axis2=2,
    )
    return bool(((scatter > 0) & (noise > 1e-3 * scatter)).any())


@law
def copies(cls: type[Any], table: ModelTable) -> None:
    """A row of weight w counts as w rows, a row of weight 0 as none."""
    w = np.ceil(table.weights)
    w[2::3] = 0.0
    table = replace(table, w=w)
    copied = replace(table.at(np.repeat(np.arange(table.n), w.astype(int))), w=None)
    assert_same_answers(fitted(cls, copied), fitted(cls, table), table.at(np.flatnonzero(w > 0)))
    assert_same_model(fitted(cls, table.at(np.flatnonzero(w > 0))), fitted(cls, table), table.at(np.flatnonzero(w > 0)))


@law
def saved(cls: type[Any], table: ModelTable) -> None:
    """A model from a file predicts to the last bit, and still learns, merges and forgets."""
    a, b = table.halves()
    model, first, second = fitted(cls, table), fitted(cls, a), fitted(cls, b)
    loaded, part, other = reloaded(model), reloaded(first), reloaded(second)
    for X in (table.X, table.query):
        assert np.array_equal(loaded.predict(X), model.predict(X)), "a loaded model predicts something else"
    assert np.array_equal(loaded.estimator().predict(table.X), model.predict(table.X))
    for both in (part + other, part + second, first + other):  # from files, and not
        assert_same_model(both, model, table)
    assert_same_model(part.partial_fit(b.X, b.y, **weighted(b)), model, table)
    loaded.forget(b.X, b.y, **weighted(b))
    known = first.summary_
    assert_same(about(loaded.summary_, known), known, limits_of(model, table).after_forgetting())


@law
def read_anew(cls: type[Any], table: ModelTable) -> None:
    """Parameters only say how the summary is read: changed after the fit, they give the model fitted with them."""
    model = fitted(cls, table)
    for name in sorted(OTHERS.keys() & inspect.signature(cls).parameters.keys()):
        again = fitted(cls, table).set_params(**{name: OTHERS[name]})
        assert to_bytes(again.summary_) == to_bytes(model.summary_), f"{name} entered the summary"
        assert_same_model(again, fitted(cls, table, **{name: OTHERS[name]}), table)


@law
def predicting(cls: type[Any], table: ModelTable) -> None:
    """Predictions change nothing in the model and nothing in the rows, and do not depend on the rows beside them."""
    model = fitted(cls, table)
    before, rows = state_of(model), repr(table.X)
    whole, slack = model.predict(table.X), 1e-14 * size_of(model, table)
    model.predict(table.query), model.score(table.X, table.y)
    assert_unchanged(model, before)
    assert repr(table.X) == rows, "predicting changed the rows"
    for i in range(min(table.n, 3)):
        alone = model.predict(take(table.X, np.array([i])))
        assert np.abs(alone - whole[i]).max() <= slack, f"row {i} alone: {alone}, among others: {whole[i]}"


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
        "y of words": lambda: model.partial_fit(X, ["a"] * n),
        "y of another form": lambda: model.partial_fit(X, _other_form(y)),
        "X of another shape": lambda: model.partial_fit(np.zeros((n, 99)), y),
        "X of one dimension": lambda: model.partial_fit(np.zeros(n), y),
        "X infinite": lambda: model.partial_fit(spoilt(X), y),
        "weights below 0": lambda: model.partial_fit(X, y, sample_weight=np.full(n, -1.0)),
        "weights too many": lambda: model.partial_fit(X, y, sample_weight=np.ones(n + 1)),
        "more rows than learned": lambda: model.forget(too_many, np.repeat(y, 3, axis=0)),
        "not a model": lambda: model.merge(object()),
        "a model of other columns": lambda: model.merge(cls().fit(np.ones((4, 7)), [0.0, 1.0, 0.0, 1.0])),
        "a model of nothing": lambda: model.merge(cls()),
        "other columns to predict": lambda: model.predict(np.zeros((2, 99))),
        "refit of nothing": lambda: model.fit(take(X, np.arange(0)), y[:0]),
        "a parameter that is not there": lambda: model.set_params(nothing=1),
        **({"alpha below 0": partial(model.set_params, alpha=-1.0)} if "alpha" in known else {}),
        "everything": lambda: model.forget(X, y, **weighted(table)),
    }
    assert_refused(model, calls)


def _other_form(y: Array) -> Array:
    return y[:, 0] if y.ndim == 2 else y[:, None]


LAWS: Sequence[Law] = laws_of(__name__)
