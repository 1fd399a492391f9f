"""NaiveBayes learns on, merges and forgets in place, re-reads its summary, and survives what fails."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice
from suffice import NaiveBayes
from suffice.core.errors import NeverAdded, NotASummary
from suffice.datasets import make_clinic
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Dirichlet
from suffice.sources.engines.memory import MemorySource

KINDS = {"patient": "identifier", "notes": "text"}
CLINIC = make_clinic(300, random_state=1)
TABLE = CLINIC.frame("pandas")
Y = CLINIC.target
OURS = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "NaiveBayes"]


def fitted(rows: Any = slice(None), **parameters: Any) -> NaiveBayes:
    return NaiveBayes(kinds=KINDS, **parameters).fit(TABLE[rows], Y[rows])


def assert_same(a: Any, b: Any) -> None:
    assert a.classes_.tolist() == b.classes_.tolist()
    np.testing.assert_allclose(a.predict_proba(TABLE), b.predict_proba(TABLE), rtol=0, atol=1e-12)


def test_merge_and_forget_work_in_place_and_plus_makes_a_new_model() -> None:
    a, b, whole = fitted(slice(0, 100)), fitted(slice(100, 300)), fitted()
    both = a + b
    assert both is not a
    assert both.summary_.tally.rows.sum() == 300
    assert a.summary_.tally.rows.sum() == 100
    assert_same(both, whole)
    assert a.merge(b) is a
    assert_same(a, whole)
    assert a.forget(TABLE[100:300], Y[100:300]) is a
    assert_same(a, fitted(slice(0, 100)))
    assert a.partial_fit(TABLE[100:300], Y[100:300]) is a
    assert_same(a, whole)


def test_merge_takes_many_and_none() -> None:
    parts = [fitted(slice(i, i + 60)) for i in range(0, 300, 60)]
    assert_same(parts[0].merge(*parts[1:]), fitted())
    assert_same(fitted().merge(), fitted())


@settings(max_examples=25)
@given(st.permutations(range(6)), st.lists(st.integers(0, 300), min_size=5, max_size=5))
def test_any_split_in_any_order(order: list[int], cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), 300]
    shards = [slice(edges[i], edges[i + 1]) for i in order]
    model: NaiveBayes | None = None
    for rows in shards:
        if rows.start < rows.stop:
            model = fitted(rows) if model is None else model.partial_fit(TABLE[rows], Y[rows])
    assert model is not None
    assert_same(model, fitted())


def test_shards_that_show_different_kinds() -> None:
    """A column that is whole and positive on one shard only, empty on another, and all there on none."""
    shards: list[dict[str, list[Any]]] = [
        {"a": [1, 2], "b": [None, None], "c": ["p", None], "d": [None, None]},
        {"a": [-1.5, None], "b": [True, False], "c": [None, None], "d": [0.5, 1.5]},
        {"a": [None, None], "b": [None, True], "c": ["q", "r"], "d": [None, None]},
    ]
    y = [["u", "v"], ["u", "u"], ["w", "v"]]
    whole = NaiveBayes().fit(
        {name: [x for shard in shards for x in shard[name]] for name in "abcd"},
        [label for labels in y for label in labels],
    )
    models = [NaiveBayes().fit(shard, labels) for shard, labels in zip(shards, y, strict=True)]
    asked: dict[str, list[Any]] = {"a": [0, None], "b": [True, None], "c": ["q", "never"], "d": [None, 1.0]}
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        first, *others = (copy.copy(models[i]) for i in order)
        merged = first.merge(*others)
        np.testing.assert_allclose(merged.predict_proba(asked), whole.predict_proba(asked), rtol=1e-12)
        assert merged.schema_ == whole.schema_


def test_a_class_leaves_with_its_last_row() -> None:
    model = fitted()
    rows = Y == "flu"
    model.forget(TABLE[rows], Y[rows])
    assert model.classes_.tolist() == ["cold", "pneumonia"]
    assert_same(model, fitted(~rows))


def test_forgetting_what_was_never_learned_changes_nothing() -> None:
    model = fitted(slice(0, 100))
    before = vars(model).copy()
    with pytest.raises(NeverAdded, match="forget only rows this model has learned from"):
        model.forget(TABLE, Y)
    with pytest.raises(NeverAdded, match="'dragon pox', which was never seen"):
        model.forget(TABLE[:1], ["dragon pox"])
    assert vars(model) == before
    empty = NaiveBayes().fit({"a": [1.0, 2.0], "b": [None, None]}, [0, 1])
    with pytest.raises(NeverAdded, match="column 'b', which was always empty"):
        empty.forget({"a": [1.0], "b": [3.0]}, [0])


def test_models_of_other_kinds_are_not_merged() -> None:
    X = np.random.default_rng(0).poisson(2.0, size=(20, 3))
    y = np.arange(20) % 2
    models = [getattr(suffice, name)().fit(X, y) for name in OURS]
    for a in models:
        for b in models:
            if type(a) is not type(b):
                with pytest.raises(
                    NotASummary, match=rf"{type(a).__name__}: models to merge .* got {type(b).__name__}"
                ):
                    a.merge(b)
        with pytest.raises(ValueError, match="columns of all models must be 3 in number, got 2"):
            a.merge(type(a)().fit(X[:, :2], y))
    with pytest.raises(NotASummary, match="keep the same of their rows"):
        suffice.BernoulliNB().fit(X, y).merge(suffice.BernoulliNB(binarize=1.0).fit(X, y))


def test_set_params_reads_the_summary_anew() -> None:
    model = fitted()
    for parameters in (
        {"prior": "uniform"},
        {"prior": Dirichlet(5.0)},
        {"feature_weights": {"age": 0.0, "notes": 2.0}},
        {"by_kind": {"count": Poisson()}},
        {"families": {"visits": Poisson()}, "by_kind": None},
        {"kinds": {**KINDS, "age": "ratio"}},
    ):
        model.set_params(**parameters)
        anew = NaiveBayes(**model.get_params(deep=False)).fit(TABLE, Y)
        np.testing.assert_allclose(model.predict_proba(TABLE), anew.predict_proba(TABLE), rtol=0, atol=1e-12)
        assert model.schema_ == anew.schema_
    assert model.schema_.columns[2].kind.value == "ratio"


def test_kinds_that_the_summary_cannot_answer_wait_for_the_next_fit() -> None:
    cells = {"grade": [1, 2, 3, 1], "x": [0.5, 1.0, 1.5, 2.0]}
    model = NaiveBayes().fit(cells, [0, 0, 1, 1])
    before = model.predict_proba(cells)
    model.set_params(kinds={"grade": "categorical"}, prior={0: 0.9, 1: 0.1})
    np.testing.assert_array_equal(model.predict_proba(cells), before)
    with pytest.raises(ValueError, match="column 'grade' must be one in all tables"):
        model.partial_fit(cells, [0, 0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(cells), before)
    anew = NaiveBayes(kinds={"grade": "categorical"}, prior={0: 0.9, 1: 0.1}).fit(cells, [0, 0, 1, 1])
    np.testing.assert_array_equal(model.fit(cells, [0, 0, 1, 1]).predict_proba(cells), anew.predict_proba(cells))


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50_000, 4)), rng.integers(0, 3, size=50_000)
    one, two = NaiveBayes(threads=1).fit(X, y), NaiveBayes(threads=2).fit(X, y)
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(two.predict_proba(X), two.set_params(threads=1).predict_proba(X))


@pytest.mark.parametrize("verb", ["fit", "partial_fit", "forget"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_the_model_as_it_was(verb: str, error: type[BaseException], monkeypatch: Any) -> None:
    model = fitted(slice(0, 200))
    before, answers = vars(model).copy(), model.predict_proba(TABLE)

    def interrupted(self: Any, open: Any, lift: Any) -> Any:
        open(self.schema)(self.block(slice(0, 10)))
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(MemorySource, "reduce", interrupted)
        with pytest.raises(error):
            getattr(model, verb)(TABLE[100:200], Y[100:200])
    assert vars(model) == before
    np.testing.assert_array_equal(model.predict_proba(TABLE), answers)
    assert_same(model.partial_fit(TABLE[200:], Y[200:]), fitted())


def test_an_interrupted_first_fit_leaves_nothing(monkeypatch: Any) -> None:
    def interrupted(self: Any, open: Any, lift: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(MemorySource, "reduce", interrupted)
    model = NaiveBayes(kinds=KINDS)
    before = vars(model).copy()
    with pytest.raises(KeyboardInterrupt):
        model.fit(TABLE, Y)
    assert vars(model) == before


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_and_pickles(clone: Any) -> None:
    model = fitted()
    twin = clone(model)
    np.testing.assert_array_equal(twin.predict_proba(TABLE), model.predict_proba(TABLE))
    twin.forget(TABLE[:10], Y[:10])
    assert model.summary_.tally.rows.sum() == 300
    assert twin.summary_.tally.rows.sum() == 290


def test_labels_of_changing_types() -> None:
    model = NaiveBayes().fit({"x": [1.0, 2.0]}, np.array([0, 1], dtype=np.int8))
    assert model.classes_.dtype == np.int8
    model.partial_fit({"x": [3.0]}, np.array([1000], dtype=np.int16))
    assert model.classes_.tolist() == [0, 1, 1000]
    assert model.classes_.dtype == np.int16
    model.partial_fit({"x": [4.0]}, ["text"])
    assert model.classes_.tolist() == [0, 1, 1000, "text"]
    assert model.classes_.dtype == object
    assert model.predict({"x": [4.0]}).dtype == object


def test_weights_are_copies_and_weight_0_is_nothing() -> None:
    rng = np.random.default_rng(0)
    w = rng.integers(0, 4, size=300)
    weighted = NaiveBayes(kinds=KINDS).fit(TABLE, Y, w)
    copied = NaiveBayes(kinds=KINDS).fit(TABLE.iloc[np.repeat(np.arange(300), w)], np.repeat(Y, w))
    assert_same(weighted, copied)
    only = NaiveBayes().fit({"x": ["a", "b"]}, ["in", "out"], [1.0, 0.0])
    assert only.classes_.tolist() == ["in"]
    assert only.fitted_.model.factors.distributions[0].labels == (("a",),)
