"""The laws of clusterers: numbers of clusters are names, so that all is compared up to them.

Each takes a way to make an unfitted model and rows, and raises AssertionError where it is broken. Starts are given, so
that neither the order of the rows nor copies in place of weights can change anything.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import suffice
from suffice.core.block import Array
from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.state.loaded import model_of
from suffice.persistence import from_bytes, to_bytes
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.testing.adding import assert_refused, raises
from suffice.testing.found_laws import Case, quiet
from suffice.testing.law import law, laws_of

Make = Callable[[int], Any]  # number of columns -> an unfitted clusterer
Law = Callable[[Make, Case], None]


def clusterers() -> dict[str, type[Any]]:
    """Every public clusterer, by name."""
    public = {name: getattr(suffice, name) for name in suffice.__all__}
    return {name: cls for name, cls in public.items() if isinstance(cls, type) and issubclass(cls, Clusterer)}


def weighs(model: Any) -> bool:
    """Whether its rows can weigh."""
    return "sample_weight" in inspect.signature(model.fit).parameters


@law
def order(make: Make, case: Case) -> None:
    """Rows may come in any order."""
    shuffled = case.at(np.random.default_rng(len(case.X)).permutation(len(case.X)))
    assert_alike(fitted(make, shuffled), fitted(make, case), case.X)


@law
def copies(make: Make, case: Case) -> None:
    """A row of weight w counts as w rows, a row of weight 0 as none."""
    if weighs(make(1)):
        copied = case.at(np.repeat(np.arange(len(case.X)), case.w.astype(int)))
        assert_alike(fitted(make, replace(copied, w=np.ones(len(copied.X)))), fitted(make, case), case.X)


@law
def translation(make: Make, case: Case) -> None:
    """Adding the same to every row changes no cluster."""
    there = replace(case, X=case.X + 1024.0)
    one, other = fitted(lambda d: _moved(make(d), 1024.0), there), fitted(make, case)
    assert same_partition(one.predict(there.X), other.predict(case.X)), "a shift changes the clusters"


@law
def own_labels(make: Make, case: Case) -> None:
    """Labels count from 0, noise is -1, and rows of training join the clusters they are in, border rows apart."""
    model = fitted(make, case)
    labels, joined = model.labels_, model.predict(case.X)
    assert labels.shape == (len(case.X),), "a row has no label"
    assert labels.min() >= -1, "a label is below -1"
    kinds = getattr(model, "kinds_", np.full(len(labels), "core"))
    assert np.array_equal(labels[kinds != "border"], joined[kinds != "border"]), "predict and labels_ differ"
    assert (model.score_samples(case.X) <= 1e-9).all(), "a row is closer than 0"


@law
def saved(make: Make, case: Case) -> None:
    """A model from a file answers to the last bit, is the estimator again, and is saved again as it was."""
    model = fitted(make, case)
    data = to_bytes(model._saved())
    loaded = model_of(from_bytes(data))
    for other in (loaded, loaded.estimator()):
        assert np.array_equal(other.labels_, model.labels_), "labels of a loaded model differ"
        for verb in ("predict", "score_samples"):
            expected = getattr(model, verb)(case.X)
            assert np.array_equal(getattr(other, verb)(case.X), expected), f"{verb} of a loaded model differs"
    assert to_bytes(loaded._saved()) == data, "a loaded model is saved as something else"


@law
def failing(make: Make, case: Case) -> None:
    """A call that fails leaves the model as it was, to the last attribute."""
    model, n = fitted(make, case), len(case.X)
    calls: dict[str, Callable[[], Any]] = {
        "X infinite": lambda: model.fit(np.where(np.arange(n)[:, None] == 0, np.inf, case.X)),
        "X of one dimension": lambda: model.fit(case.X[:, 0]),
        "no rows": lambda: model.fit(case.X[:0]),
        "other columns to predict": lambda: model.predict(np.zeros((2, 99))),
    }
    if weighs(model):
        calls["weights below 0"] = lambda: model.fit(case.X, sample_weight=np.full(n, -1.0))
        calls["weights too many"] = lambda: model.fit(case.X, sample_weight=np.ones(n + 1))
    assert_refused(model, calls)


@law
def from_files(make: Make, case: Case) -> None:
    """Rows in three chunks give the model of the table in memory; what needs them whole asks first."""
    import pandas as pd

    names = [f"c{j}" for j in range(case.X.shape[1])]
    weighed = weighs(make(1))
    columns = {**dict(zip(names, case.X.T.tolist(), strict=True)), **({"w": case.w.tolist()} if weighed else {})}
    chunks = [{name: cells[i::3] for name, cells in columns.items()} for i in range(3)]
    rows = open_rows(chunks, Roles(weight="w") if weighed else Roles())
    whole = pd.concat([pd.DataFrame(chunk) for chunk in chunks])
    X, given = whole[names], {"sample_weight": whole["w"].to_numpy()} if weighed else {}
    there, here = make(len(names)), make(len(names))
    passes = isinstance(there, InPasses)
    with quiet():
        here.fit(X, **given)
        if passes:
            there.fit(rows)
        else:
            assert raises(lambda: there.fit(rows)), "rows of files were read whole unasked"
            there.fit(rows, in_memory=True)
        assert_alike(there, here, X)


LAWS: Sequence[Law] = laws_of(__name__)
EXACT: Sequence[Law] = (order, copies)  # not for those whose starts go by the numbers of the rows
ANY: Sequence[Law] = tuple(law for law in LAWS if law not in EXACT)


def fitted(make: Make, case: Case) -> Any:
    """A model of these rows alone."""
    model = make(case.X.shape[1])
    with quiet():
        return model.fit(case.X, sample_weight=case.w) if weighs(model) else model.fit(case.X)


def _moved(model: Any, by: float) -> Any:
    """With centres to begin with and landmarks, where it has some, as far away as the rows."""
    given = {name: getattr(model, name, None) for name in ("init", "landmarks")}
    return model.set_params(**{name: rows + by for name, rows in given.items() if isinstance(rows, np.ndarray)})


def same_partition(a: Array, b: Array) -> bool:
    """Whether two labellings part the rows alike; noise is noise."""
    a, b = np.asarray(a), np.asarray(b)
    pairs = {(int(x), int(y)) for x, y in zip(a, b, strict=True)}
    one_to_one = len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})
    return one_to_one and np.array_equal(a == -1, b == -1)


def assert_alike(one: Any, other: Any, X: Any) -> None:
    """Two models part rows alike, and are as close to them."""
    with quiet():
        assert same_partition(one.predict(X), other.predict(X)), "the clusters differ"
        a, b = one.score_samples(X), other.score_samples(X)
    far = np.abs(a - b).max(initial=0.0)
    assert far <= 1e-8 * (1.0 + np.abs(b).max(initial=0.0)), f"score_samples differs by {far}"
