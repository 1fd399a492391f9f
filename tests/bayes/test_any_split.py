"""Discriminant analysis takes rows as they come: any shards, any order; what rows do not say yet is said at predict."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import suffice as ours
from suffice.core.errors import BadInput

NAMES = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
X, Y = load_iris(return_X_y=True)
X, Y = X[::3], Y[::3]
HOLED = np.where(np.random.default_rng(0).random(X.shape) < 0.15, np.nan, X)
HOLED[7] = HOLED[30] = np.nan  # rows without a cell
PARAMETERS: list[dict[str, Any]] = [{}, {"missing": "marginalise"}, {"solver": "eigen", "shrinkage": 0.2}]


def shards(rng: Any) -> list[Any]:
    """Rows in shards of any size; some of one row, some of one class, some that lack a column."""
    way = rng.integers(4)
    if way == 0:
        order = rng.permutation(len(X))
        return np.split(order, [1, *np.sort(rng.integers(1, len(X), rng.integers(1, 8))).tolist()])
    if way == 1:
        return [rng.permutation(np.flatnonzero(k == Y)) for k in rng.permutation(3)]
    if way == 2:
        gap = np.isnan(HOLED[:, rng.integers(4)])
        return [np.flatnonzero(gap), np.flatnonzero(~gap)]
    return np.split(np.arange(len(X)), np.sort(rng.choice(np.arange(1, len(X)), rng.integers(1, 12), replace=False)))


def partial(name: str, options: dict[str, Any], rows: Any, cells: Any) -> Any:
    return getattr(ours, name)(**options).partial_fit(cells[rows], Y[rows], classes=[0, 1, 2])


@pytest.mark.parametrize(("options", "partitions"), list(zip(PARAMETERS, (70, 10, 70), strict=True)), ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_any_shards_in_any_order_give_the_model_of_all_rows(name: str, options: Any, partitions: int) -> None:
    """300 partitions of a table, merged and learned on, to 1e-9."""
    cells = HOLED if "missing" in options else X
    whole = getattr(ours, name)(**options).fit(cells, Y).predict_proba(cells)
    for seed in range(partitions):
        rng = np.random.default_rng(seed)
        parts = [part for part in shards(rng) if len(part)]
        rng.shuffle(parts)
        models = [partial(name, options, part, cells) for part in parts]
        merged, learned = models[0].merge(*models[1:]), partial(name, options, parts[0], cells)
        for part in parts[1:]:
            learned.partial_fit(cells[part], Y[part])
        for model in (merged, learned):
            np.testing.assert_allclose(model.predict_proba(cells), whole, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_what_rows_do_not_say_yet_is_said_at_predict(name: str, tmp_path: Any) -> None:
    model = getattr(ours, name)().partial_fit(X[:1], Y[:1], classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    rule = "more than the classes" if name.startswith("Linear") else "two or more in each class"
    for verb in ("predict", "predict_proba", "score_samples", "decision_function"):
        with pytest.raises(BadInput, match=f"{name}: the rows must be {rule}"):
            getattr(model, verb)(X)
    with pytest.raises(BadInput, match=f"{name}: the rows must be {rule}"):
        model.means_
    model.save(tmp_path / "shard")
    loaded = ours.load(tmp_path / "shard")
    with pytest.raises(BadInput, match=f"{name}: the rows must be {rule}"):
        loaded.predict(X)
    loaded.partial_fit(X[1:], Y[1:])
    whole = getattr(ours, name)().fit(X, Y)
    np.testing.assert_allclose(loaded.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_forgetting_down_to_too_few_rows_and_back(name: str) -> None:
    model = getattr(ours, name)().partial_fit(X, Y, classes=[0, 1, 2]).forget(X[1:], Y[1:])
    with pytest.raises(BadInput, match=f"{name}: the rows must be"):
        model.predict(X)
    whole = getattr(ours, name)().fit(X, Y)
    model.partial_fit(X[1:], Y[1:])
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_plain_fit_refuses_what_scikit_learn_refuses_and_changes_nothing(name: str) -> None:
    model = getattr(ours, name)().fit(X, Y)
    before = vars(model).copy()
    with pytest.raises(BadInput, match=f"{name}: the (rows|classes) must be"):
        model.fit(X[:1], Y[:1])
    assert vars(model) == before


def test_axes_are_asked_for_where_classes_are_there() -> None:
    model = ours.LinearDiscriminantAnalysis(n_components=2).partial_fit(X[Y == 0], Y[Y == 0], classes=[0, 1, 2])
    model.partial_fit(X[Y > 0], Y[Y > 0])
    whole = ours.LinearDiscriminantAnalysis(n_components=2).fit(X, Y)
    np.testing.assert_allclose(np.abs(model.transform(X)), np.abs(whole.transform(X)), atol=1e-9)
    late = ours.LinearDiscriminantAnalysis(n_components=2).partial_fit(X[Y == 0], Y[Y == 0], classes=[0])
    with pytest.raises(BadInput, match="n_components must be at most 0"):
        late.transform(X)


def test_models_that_wait_are_copied_and_pickled() -> None:
    model = ours.QuadraticDiscriminantAnalysis().partial_fit(X, Y, classes=[0, 1, 2])
    model.classes_
    whole = ours.QuadraticDiscriminantAnalysis().fit(X, Y).predict_proba(X)
    for clone in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        np.testing.assert_array_equal(clone(model).predict_proba(X), whole)
