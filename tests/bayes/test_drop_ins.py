"""The drop-ins beyond scikit-learn: classes that are declared, come and go; attributes that follow the summary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import suffice
from suffice.core.errors import BadInput

NAMES = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"]
RNG = np.random.default_rng(0)
X, Y = RNG.poisson(2.0, size=(90, 3)), np.arange(90) % 3


def make(name: str, **parameters: Any) -> Any:
    return getattr(suffice, name)(**parameters)


def assert_same(a: Any, b: Any) -> None:
    assert a.classes_.tolist() == b.classes_.tolist()
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(a.class_count_, b.class_count_)


@pytest.mark.parametrize("name", NAMES)
def test_chunks_merges_and_forgetting_give_the_model_of_the_rows(name: str) -> None:
    whole = make(name).fit(X, Y)
    chunked = make(name)
    for rows in np.array_split(np.arange(90), 7):
        chunked.partial_fit(X[rows], Y[rows], classes=[0, 1, 2])
    assert_same(chunked, whole)
    halves = make(name).fit(X[:40], Y[:40]) + make(name).fit(X[40:], Y[40:])
    assert_same(halves, whole)
    assert_same(halves.forget(X[40:], Y[40:]), make(name).fit(X[:40], Y[:40]))


@pytest.mark.parametrize("name", NAMES)
def test_a_class_leaves_with_its_last_row_unless_it_was_declared(name: str) -> None:
    gone = Y == 2
    assert_same(make(name).fit(X, Y).forget(X[gone], Y[gone]), make(name).fit(X[~gone], Y[~gone]))
    declared = make(name).partial_fit(X, Y, classes=[0, 1, 2]).forget(X[gone], Y[gone])
    assert declared.classes_.tolist() == [0, 1, 2]
    assert declared.class_count_.tolist() == [30.0, 30.0, 0.0]
    assert declared.partial_fit(X[gone], Y[gone]).class_count_.tolist() == [30.0, 30.0, 30.0]


@pytest.mark.parametrize("name", NAMES)
def test_classes_of_merged_models_are_those_of_both_in_any_order(name: str) -> None:
    a = make(name).partial_fit(X[Y < 2], Y[Y < 2], classes=[0, 1, 5])
    b = make(name).partial_fit(X[Y > 0], Y[Y > 0], classes=[1, 2, 7])
    assert (a + b).classes_.tolist() == (b + a).classes_.tolist() == [0, 1, 2, 5, 7]
    with pytest.raises(BadInput, match="do not exist in the initial classes"):
        (a + b).partial_fit(X, Y + 10)
    open_ended = a + make(name).fit(X, Y)
    assert open_ended.partial_fit(X, Y + 10).classes_.tolist() == [0, 1, 2, 5, 10, 11, 12]
    weightless = make(name).fit(X, Y, (Y != 1).astype(float))
    assert weightless.classes_.tolist() == [0, 1, 2]
    assert (make(name).fit(X[Y == 0], Y[Y == 0]) + weightless).classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", NAMES)
def test_classes_are_asked_for_once(name: str) -> None:
    model = make(name)
    with pytest.raises(BadInput, match=f"{name}: classes must be passed on the first call to partial_fit"):
        model.partial_fit(X, Y)
    model.partial_fit(X, Y, classes=[2, 1, 0]).partial_fit(X, Y).partial_fit(X, Y, classes=[0, 1, 2])
    assert model.class_count_.tolist() == [90.0, 90.0, 90.0]
    with pytest.raises(BadInput, match="is not the same as on last call to partial_fit"):
        model.partial_fit(X, Y, classes=[0, 1])
    assert model.class_count_.tolist() == [90.0, 90.0, 90.0]


def test_shares_in_class_order_follow_the_classes() -> None:
    model = suffice.MultinomialNB(class_prior=[0.2, 0.3, 0.5]).fit(X, Y)
    with pytest.raises(BadInput, match=r"one for each of the 2 classes .* got 3. The classes are \[0, 1\]"):
        model.forget(X[Y == 2], Y[Y == 2])
    assert model.class_count_.tolist() == [30.0, 30.0, 30.0]
    with pytest.raises(BadInput, match="Number of priors must match number of classes"):
        model.set_params(class_prior=[0.5, 0.5])
    assert model.class_prior == [0.2, 0.3, 0.5]


def test_attributes_follow_the_summary() -> None:
    model = suffice.GaussianNB().fit(X, Y)
    theta = model.theta_
    model.forget(X[:3], Y[:3])
    assert not np.array_equal(model.theta_, theta)
    np.testing.assert_allclose(model.theta_, suffice.GaussianNB().fit(X[3:], Y[3:]).theta_, rtol=1e-13)
    codes = suffice.CategoricalNB().fit([[0], [7]], [0, 1]).forget([[7]], [1])
    assert codes.n_categories_.tolist() == [1]


def test_parameters_that_decide_what_is_kept_wait_for_the_next_fit() -> None:
    model = suffice.BernoulliNB().fit(X, Y)
    before = model.predict_proba(X)
    model.set_params(binarize=2.0, alpha=5.0)
    np.testing.assert_array_equal(model.predict_proba(X), before)
    for verb in ("partial_fit", "forget"):
        with pytest.raises(TypeError, match="keep the same of their rows"):
            getattr(model, verb)(X, Y)
    assert_same(model.fit(X, Y), suffice.BernoulliNB(binarize=2.0, alpha=5.0).fit(X, Y))
    np.testing.assert_array_equal(
        model.set_params(alpha=1.0).predict_proba(X), suffice.BernoulliNB(binarize=2.0).fit(X, Y).predict_proba(X)
    )


def test_what_complement_takes_from_the_other_classes() -> None:
    """A class that comes later changes the weights of all: they are read from the sum, not from the shards."""
    a, b = suffice.ComplementNB().fit(X[Y < 2], Y[Y < 2]), suffice.ComplementNB().fit(X[Y == 2], Y[Y == 2])
    assert_same(a + b, suffice.ComplementNB().fit(X, Y))


def test_float32_is_kept_through_merges() -> None:
    single = X.astype(np.float32)
    a, b = suffice.GaussianNB().fit(single[:40], Y[:40]), suffice.GaussianNB().fit(single[40:], Y[40:])
    merged = a + b
    assert merged.theta_.dtype == merged.var_.dtype == merged.class_prior_.dtype == np.float32
    np.testing.assert_allclose(merged.theta_, suffice.GaussianNB().fit(single, Y).theta_, rtol=1e-6)


@pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("rows", [90, 9000])
def test_normals_take_no_cell_that_is_no_number(cell: float, rows: int) -> None:
    """Neither in training, where cells are counted in the pass, nor in prediction, block by block."""
    A, y = np.tile(X, (rows // 90, 1)).astype(float), np.arange(rows) % 3
    model = suffice.GaussianNB().fit(A, y)
    A[rows - 1, 1] = cell
    for call in (lambda: suffice.GaussianNB().fit(A, y), lambda: model.predict(A), lambda: model.predict_proba(A)):
        with pytest.raises(BadInput, match=r"must be present|must be finite"):
            call()


@pytest.mark.parametrize("name", ["BernoulliNB", "ComplementNB", "MultinomialNB"])
def test_a_pseudo_count_for_each_column(name: str) -> None:
    """Alike for all columns they are one number, those below 1 too; none may be below 0."""
    make = getattr(suffice, name)
    one, each = make(alpha=0.25).fit(X, Y), make(alpha=[0.25] * 3).fit(X, Y)
    np.testing.assert_allclose(each.feature_log_prob_, one.feature_log_prob_, rtol=1e-13)
    with pytest.raises(BadInput, match="finite and at least 0"):
        make(alpha=[0.25, -0.1, 0.25]).fit(X, Y)
