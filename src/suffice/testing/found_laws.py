"""The laws of models that are found, in passes, from rows in memory or row after row: their state does not add.

Each takes a way to make an unfitted model and rows, and raises AssertionError where it is broken. Starts are given, so
that the order of the rows and copies in place of weights can change nothing; models that learn row after row are exempt
from these two.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

import suffice
from suffice.core.block import Array
from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.state.loaded import model_of
from suffice.persistence import from_bytes, to_bytes
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.testing.adding import assert_refused, raises
from suffice.testing.law import law, laws_of

Make = Callable[[int], Any]  # number of columns -> an unfitted model
Law = Callable[[Make, "Case"], None]
NUMBERS = (
    "decision_function",
    "predict_proba",
    "score_samples",
    "transform",
    "place",
)  # what is compared; else the numbers predicted


@dataclass(frozen=True)
class Case:
    """Rows of two groups of numbers, with a label, a number to predict and a weight each."""

    X: Array  # (n, d)
    y: Array  # (n,) labels
    t: Array  # (n,) numbers to predict
    w: Array  # (n,) whole numbers

    def at(self, rows: Array) -> Case:
        """Some of the rows."""
        return Case(self.X[rows], self.y[rows], self.t[rows], self.w[rows])

    @property
    def frame(self) -> dict[str, list[Any]]:
        """As columns."""
        columns = {f"c{j}": self.X[:, j].tolist() for j in range(self.X.shape[1])}
        return {**columns, "label": self.y.tolist(), "number": self.t.tolist(), "w": self.w.tolist()}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Some rows; every label has a row that weighs something."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(8, 24)), draw(st.integers(1, 3))
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d)) + 1.5 * y[:, None]
    w = rng.integers(0, 4, n).astype(float)
    w[:4] = 2.0
    return Case(X, np.array(["a", "b"])[y], X.sum(axis=1) + rng.normal(size=n), w)


def found_models() -> dict[str, type[Any]]:
    """Every public estimator whose state does not add, by name; those that choose from folds first have other tests."""
    public = {name: getattr(suffice, name) for name in suffice.__all__}
    return {
        name: cls
        for name, cls in public.items()
        if isinstance(cls, type) and issubclass(cls, (InPasses, InMemory, Sequential)) and hasattr(cls, "fit")
        if "cv" not in inspect.signature(cls).parameters
        if not issubclass(cls, (Clusterer, Transformer))  # clusterers have laws of their own: `cluster_laws`
    }


@law
def order(make: Make, case: Case) -> None:
    """Rows may come in any order."""
    shuffled = case.at(np.random.default_rng(case.X.shape[0]).permutation(len(case.X)))
    assert_alike(fitted(make, shuffled), fitted(make, case), case)


@law
def copies(make: Make, case: Case) -> None:
    """A row of weight w counts as w rows, a row of weight 0 as none."""
    copied = case.at(np.repeat(np.arange(len(case.X)), case.w.astype(int)))
    assert_alike(fitted(make, replace(copied, w=np.ones(len(copied.X)))), fitted(make, case), case)


@law
def saved(make: Make, case: Case) -> None:
    """A model from a file answers to the last bit, is the estimator again, and is saved again as it was."""
    model = fitted(make, case)
    data = to_bytes(model._saved())
    loaded = model_of(from_bytes(data))
    for verb in (*verbs(model), "predict"):
        if hasattr(model, verb):
            expected = getattr(model, verb)(case.X)
            for other in (loaded, loaded.estimator()):
                assert np.array_equal(getattr(other, verb)(case.X), expected), f"{verb} of a loaded model differs"
    assert to_bytes(loaded._saved()) == data, "a loaded model is saved as something else"


@law
def failing(make: Make, case: Case) -> None:
    """A call that fails leaves the model as it was, to the last attribute."""
    model, y = fitted(make, case), target_of(make(1), case)
    n = len(case.X)
    calls: dict[str, Callable[[], Any]] = {
        "X infinite": lambda: model.fit(np.where(np.arange(n)[:, None] == 0, np.inf, case.X), y),
        "X of one dimension": lambda: model.fit(case.X[:, 0], y),
        "no rows": lambda: model.fit(case.X[:0], None if y is None else y[:0]),
        "other columns to predict": lambda: getattr(model, verbs(model)[0])(np.zeros((2, 99))),
    }
    if weights_for(model, case.w):
        calls["weights below 0"] = lambda: model.fit(case.X, y, sample_weight=np.full(n, -1.0))
        calls["weights too many"] = lambda: model.fit(case.X, y, sample_weight=np.ones(n + 1))
    if y is not None:
        calls["y too short"] = lambda: model.fit(case.X, y[1:])
        calls["y missing"] = lambda: model.fit(case.X, None)
    assert_refused(model, calls)


@law
def from_files(make: Make, case: Case) -> None:
    """Rows in three chunks give the model of the table in memory; what needs them whole asks first."""
    import pandas as pd

    model = make(case.X.shape[1])
    target = {"label": "label", "number": "number"}.get(what_of(model))
    others = [name for name in ("label", "number") if name != target]
    columns = {name: cells for name, cells in case.frame.items() if name not in others}
    chunks = [{name: cells[i::3] for name, cells in columns.items()} for i in range(3)]
    weight = "w" if weights_for(model, case.w) else None
    if weight is None:
        chunks = [{name: cells for name, cells in chunk.items() if name != "w"} for chunk in chunks]
    rows = open_rows(chunks, Roles(target=target, weight=weight))
    whole = pd.concat([pd.DataFrame(chunk) for chunk in chunks])
    X = whole.drop(columns=[*([weight] if weight else []), *([target] if target else [])])
    there, here = make(X.shape[1]), make(X.shape[1])
    passes = isinstance(there, InPasses) or getattr(there, "_epochs_read_files", False)
    with quiet():
        given = {} if weight is None else {"sample_weight": whole[weight].to_numpy()}
        here.fit(X, None if target is None else whole[target].to_numpy(), **given)
        if passes:
            there.fit(rows)
        else:
            assert raises(lambda: there.fit(rows)), "rows of files were read whole unasked"
            there.fit(rows, in_memory=True)
    for verb in verbs(here):
        assert_near(getattr(there, verb)(X), getattr(here, verb)(X), 1e-9, verb)


LAWS: Sequence[Law] = laws_of(__name__)
EXACT: Sequence[Law] = (order, copies)  # not for those that learn row after row
ANY: Sequence[Law] = tuple(law for law in LAWS if law not in EXACT)  # for every model


def fitted(make: Make, case: Case) -> Any:
    """A model of these rows alone."""
    model = make(case.X.shape[1])
    with quiet():
        return model.fit(case.X, target_of(model, case), **weights_for(model, case.w))


def weights_for(model: Any, w: Array) -> dict[str, Any]:
    """Weights, where a model takes some."""
    return {"sample_weight": w} if "sample_weight" in inspect.signature(model.fit).parameters else {}


def what_of(model: Any) -> str:
    """What y is to a model."""
    if not model._target.needed:
        return "nothing"
    return "number" if model._target.numbers else "label"


def target_of(model: Any, case: Case) -> Any:
    """The y that a model takes."""
    return {"nothing": None, "number": case.t, "label": case.y}[what_of(model)]


def verbs(model: Any) -> list[str]:
    """The verbs whose answers are numbers."""
    return [verb for verb in NUMBERS if hasattr(model, verb)] or [
        "predict" if hasattr(model, "predict") else "transform"
    ]


def assert_alike(one: Any, other: Any, case: Case) -> None:
    """Two models answer alike."""
    for verb in verbs(one):
        assert_near(
            getattr(one, verb)(case.X), getattr(other, verb)(case.X), TOLERANCE.get(type(one).__name__, 1e-8), verb
        )


TOLERANCE = {"SVC": 1e-5}  # the root of how far its conditions may be missed, 1e-10


def assert_near(a: Array, b: Array, tolerance: float, what: str) -> None:
    """Equal up to rounding."""
    far = np.abs(np.asarray(a) - np.asarray(b)).max(initial=0.0)
    assert far <= tolerance * (1.0 + np.abs(b).max(initial=0.0)), f"{what} differs by {far}"


@contextmanager
def quiet() -> Iterator[None]:
    """Passes and sweeps may run out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
