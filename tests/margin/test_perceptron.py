"""Perceptron: scikit-learn's model sweep for sweep, and what the classical algorithm adds."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Theirs
from sklearn.utils._seq_dataset import ArrayDataset64

from suffice import Perceptron
from suffice.margin import mistake_bound
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.margin.perceptron.perceptron_options import PENALTIES
from suffice.margin.perceptron.perceptron_order import shuffled
from suffice.margin.perceptron.perceptron_stop import by_held_out
from suffice.margin.perceptron.perceptron_sweep import (
    PerceptronStep,
    PerceptronSweep,
    Weights,
    _dense_twin,
    _twin,
    sweep,
)
from suffice.numerics import loop

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 5)) + np.array([0.0, 3.0, -1.0, 0.5, 0.0])
X[:, 4] = 7.0  # constant
W = RNG.integers(0, 3, 90).astype(float)  # some rows weigh nothing
HOLED = sp.csr_array(X * (RNG.random(X.shape) < 0.5))
LABELS = {
    K: ((X - X.mean(axis=0)) @ RNG.normal(size=(5, K)) + 3.0 * RNG.normal(size=(90, K))).argmax(axis=1) for K in (2, 3)
}
SEPARABLE = np.where(X @ [1.0, 0.5, -1.0, 2.0, 0.0] > 2.0, "up", "down")


def both(rows: Any, y: Any, w: Any = None, **options: Any) -> tuple[Any, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Perceptron(**options).fit(rows, y, sample_weight=w), Theirs(**options).fit(rows, y, sample_weight=w)


def assert_same(ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-12, atol=1e-12)
    assert (ours.n_iter_, ours.t_) == (theirs.n_iter_, theirs.t_)
    assert ours.coef_.dtype == theirs.coef_.dtype
    assert ours.intercept_.shape == theirs.intercept_.shape


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("penalty", [None, "l2", "l1", "elasticnet"])
@pytest.mark.parametrize("K", [2, 3])
def test_scikit_learns_numbers(K: int, penalty: str | None, shuffle: bool) -> None:
    options: dict[str, Any] = {"penalty": penalty, "shuffle": shuffle, "alpha": 3e-3, "eta0": 0.7, "random_state": 4}
    for tol, class_weight in itertools.product((1e-3, None), (None, "balanced", {0: 2.0, 1: 0.5, 2: 1.0})):
        weights = class_weight if not isinstance(class_weight, dict) else {k: class_weight[k] for k in range(K)}
        assert_same(*both(X, LABELS[K], W, tol=tol, class_weight=weights, max_iter=8, **options))


@pytest.mark.parametrize("penalty", [None, "l2", "l1", "elasticnet"])
def test_sparse_rows(penalty: str | None) -> None:
    options: dict[str, Any] = {"penalty": penalty, "alpha": 3e-3, "max_iter": 8, "tol": None}
    assert_same(*both(HOLED, LABELS[3], W, **options))
    assert_same(*both(sp.csr_matrix(HOLED), LABELS[2], shuffle=False, **options))


@pytest.mark.parametrize("penalty", [None, "l2"])
@pytest.mark.parametrize("tol", [None, 1e-3])
def test_sparse_and_dense_rows_give_one_model(penalty: str | None, tol: float | None) -> None:
    """Where the intercept moves as far in both. (An l1 penalty is taken from a column when a row has it.)"""
    options: dict[str, Any] = {"penalty": penalty, "alpha": 1e-4, "intercept_share": 1.0, "tol": tol}
    sparse, dense = (Perceptron(**options, max_iter=40).fit(rows, LABELS[3]) for rows in (HOLED, HOLED.toarray()))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(sparse.intercept_, dense.intercept_, rtol=1e-12)
    assert sparse.n_iter_ == dense.n_iter_


def test_cells_of_a_sparse_row_that_come_in_parts_are_added_up() -> None:
    whole = sp.csr_matrix(X)
    halves = sp.csr_matrix(
        (np.repeat(whole.data / 2, 2), np.repeat(whole.indices, 2), whole.indptr * 2), shape=whole.shape
    )
    before = halves.data.copy()
    options: dict[str, Any] = {"penalty": "l1", "max_iter": 5, "tol": None}
    one, other = (Perceptron(**options).fit(rows, LABELS[2]) for rows in (whole, halves))
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-12)
    assert np.array_equal(halves.data, before)


def test_stopping_by_gain_is_that_of_scikit_learn() -> None:
    for K, penalty in itertools.product((2, 3), (None, "l2", "l1")):
        assert_same(*both(X, LABELS[K], penalty=penalty, alpha=1e-2, n_iter_no_change=2, max_iter=60))
    assert_same(*both(HOLED, LABELS[3], n_iter_no_change=3, max_iter=60))


@pytest.mark.parametrize("penalty", [None, "l1"])
def test_rows_held_out(penalty: str | None) -> None:
    for K in (2, 3):
        options: dict[str, Any] = {"early_stopping": True, "n_iter_no_change": 2, "max_iter": 40, "penalty": penalty}
        assert_same(*both(X, LABELS[K], np.where(W > 0, W, 0.5), random_state=1, **options))


def test_rows_held_out_are_scored_by_the_weights_as_they_are() -> None:
    """scikit-learn forgets the factor by which an l2 penalty has shrunk them, and so scores those of another model."""
    signs = np.where(LABELS[2] == 1, 1.0, -1.0)
    weights = Weights(np.array([2.0, 0.0, 0.0, 0.0, 0.0]), np.zeros(5), np.array([0.5, -0.5, 0.0, 4.0, 2.0]))
    right = (X[:, 0] - 0.5 > 0) == (signs > 0)
    gain = by_held_out(X, signs, W)(PerceptronSweep(0, 0.0), weights)
    assert -gain == pytest.approx(W[right].sum() / W.sum(), rel=1e-14)
    assert right.sum() != ((2 * X[:, 0] - 0.5 > 0) == (signs > 0)).sum()  # theirs


def test_floats_of_32_bits_stay_so() -> None:
    ours, theirs = both(X.astype(np.float32), LABELS[3], max_iter=5, tol=None)
    assert ours.coef_.dtype == ours.intercept_.dtype == theirs.coef_.dtype == np.float32
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", [X, X.astype(np.float32), HOLED], ids=["dense", "single", "sparse"])
@pytest.mark.parametrize("penalty", [None, "l2", "l1", "elasticnet"])
@pytest.mark.parametrize("boundary", [0.0, 1.0])
def test_the_loop_and_its_twin_agree(rows: Any, penalty: str | None, boundary: float) -> None:
    flat, signs = FlatRows.of(rows), np.where(LABELS[2] == 1, 1.0, -1.0)
    step = PENALTIES[penalty].step(0.7, 0.3, 0.4, 0.5, boundary)  # shrinks fast: the common factor is used up
    found = []
    for compiled in (False, True):
        weights = Weights.of(np.zeros(5), 0.0)
        sweeps = [sweep(flat, np.arange(90), signs, W, weights, step, compiled) for _ in range(3)]
        found.append((weights, sweeps))
    (one, of_one), (other, of_other) = found
    np.testing.assert_array_equal(one.coef, other.coef)  # to the last bit: they add in one order
    np.testing.assert_array_equal(one.state, other.state)
    assert of_one == of_other


def test_a_whole_fit_in_loops() -> None:
    plain = Perceptron(max_iter=5, tol=None).fit(X, LABELS[3])
    with loop.whole(loop.WORTH):
        compiled = Perceptron(max_iter=5, tol=None).fit(X, LABELS[3])
    np.testing.assert_array_equal(plain.coef_, compiled.coef_)


@pytest.mark.parametrize("d", [1, 3, 4, 5, 8, 30, 67])
def test_rows_on_the_boundary_fall_to_one_side_in_loop_and_twin(d: int) -> None:
    rng = np.random.default_rng(d)
    rows = rng.integers(-2, 3, size=(80, d)) / 10.0  # sums that are 0 but for rounding are many
    signs, gains, order = rng.choice([-1.0, 1.0], 80), np.ones(80), rng.permutation(80)
    for table in (rows, sp.csr_array(rows)):
        found = []
        for compiled in (False, True):
            weights, step = Weights.of(np.zeros(d), 0.0), PerceptronStep(rate=0.1)
            told = [sweep(FlatRows.of(table), order, signs, gains, weights, step, compiled) for _ in range(4)]
            found.append((told, weights.stored.tolist(), weights.state.tolist()))
        assert found[0] == found[1]


def test_sweeps_that_can_change_nothing_are_counted_not_made() -> None:
    model = Perceptron(tol=None, max_iter=10**6).fit([[0.0], [1.0]], [0, 1])  # hours, if they were made
    assert model.n_iter_ == 10**6
    assert model.converged_
    ours, theirs = both(X, SEPARABLE, tol=None, max_iter=300)
    assert_same(ours, theirs)


def test_partial_fit() -> None:
    ours, theirs = Perceptron(), Theirs()
    for part in (slice(0, 30), slice(30, 31), slice(31, 90)):
        ours.partial_fit(X[part], LABELS[3][part], classes=[2, 0, 1], sample_weight=W[part] + 1.0)
        theirs.partial_fit(X[part], LABELS[3][part], classes=[0, 1, 2], sample_weight=W[part] + 1.0)
        assert_same(ours, theirs)
    assert ours.partial_fit(X[:1], LABELS[3][:1]).t_ == 92.0  # classes are known by now


def test_row_after_row_is_one_sweep() -> None:
    """The online form: each row by itself, in order."""
    whole = Perceptron(shuffle=False, max_iter=1, tol=None).fit(X, LABELS[2])
    online = Perceptron()
    for x, label in zip(X, LABELS[2], strict=True):
        online.partial_fit(x[None], [label], classes=[0, 1])
    np.testing.assert_allclose(online.coef_, whole.coef_, rtol=1e-14)
    assert online.mistakes_.tolist() == whole.mistakes_.tolist()


def test_warm_start() -> None:
    options: dict[str, Any] = {"max_iter": 2, "tol": None, "warm_start": True}
    ours, theirs = Perceptron(**options), Theirs(**options)
    for _ in range(3):
        assert_same(ours.fit(X, LABELS[3]), theirs.fit(X, LABELS[3]))
    before = ours.coef_.copy()
    again = clone(ours).fit(X, LABELS[3], coef_init=before, intercept_init=ours.intercept_)
    ours.fit(X, LABELS[3])
    np.testing.assert_array_equal(ours.coef_, again.coef_)
    assert not np.array_equal(ours.coef_, before)


def test_given_weights_are_not_written_to() -> None:
    coef, intercept = np.ones((1, 5)), np.zeros(1)
    Perceptron(max_iter=3, tol=None).fit(X, LABELS[2], coef_init=coef, intercept_init=intercept)
    assert coef.tolist() == [[1.0] * 5]
    assert intercept.tolist() == [0.0]


def oracle(
    rows: list[list[int]], signs: list[int], w: list[Fraction], *, rate: Fraction, most: int
) -> tuple[list[Fraction], int, int]:
    """The algorithm in exact rationals, on rows that begin with 1."""
    mistakes = 0
    for sweeps in range(1, most + 1):
        clean = True
        for row, sign in zip(rows, signs, strict=True):
            if sign * sum(a * b for a, b in zip(w, row, strict=True)) <= 0:
                w = [a + rate * sign * b for a, b in zip(w, row, strict=True)]
                clean, mistakes = False, mistakes + 1
        if clean:
            return w, mistakes, sweeps
    return w, mistakes, most


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.booleans()), min_size=2, max_size=8),
    st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3)]),
)
def test_the_classical_algorithm_in_exact_rationals(table: list[tuple[int, int, bool]], rate: Fraction) -> None:
    rows, signs = [[1, a, b] for a, b, _ in table], [1 if up else -1 for *_, up in table]
    if len(set(signs)) < 2:
        signs[0] = -signs[0]
    w, mistakes, sweeps = oracle(rows, signs, [Fraction(0)] * 3, rate=rate, most=40)
    model = Perceptron(eta0=float(rate), stop="mistakes", shuffle=False, max_iter=40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(np.array(rows)[:, 1:], signs)
    assert [*model.intercept_, *model.coef_[0]] == [float(a) for a in w]  # small integers and halves: exact
    assert (model.mistakes_.tolist(), model.n_iter_) == ([mistakes], sweeps)


def test_the_start_at_the_means() -> None:
    model = Perceptron(start="means", stop="mistakes", shuffle=False, eta0=0.2)
    model.fit(X, SEPARABLE)
    up, down = X[SEPARABLE == "up"].mean(axis=0), X[SEPARABLE == "down"].mean(axis=0)
    coef, b = up - down, -(up - down) @ (up + down) / 2
    same = Perceptron(stop="mistakes", shuffle=False, eta0=0.2).fit(X, SEPARABLE, coef_init=coef, intercept_init=b)
    np.testing.assert_allclose(model.coef_, same.coef_, rtol=1e-12)
    assert model.mistakes_.tolist() == same.mistakes_.tolist()
    one_side = Perceptron(start="means").partial_fit(X[:1], ["up"], classes=["down", "up"])  # no means to start from
    assert one_side.mistakes_.tolist() == [1]


def test_without_an_intercept_the_start_at_the_means_has_none() -> None:
    model = Perceptron(start="means", fit_intercept=False, max_iter=1, tol=None).fit(X, SEPARABLE)
    assert model.intercept_.tolist() == [0.0]


def test_it_says_once_that_sweeps_ran_out() -> None:
    with pytest.warns(ConvergenceWarning, match="the last of 7 sweeps still made mistakes") as told:
        model = Perceptron(stop="mistakes", max_iter=7).fit(X, LABELS[3])
    assert len(told) == 1
    assert not model.converged_
    with pytest.warns(ConvergenceWarning, match="3 sweeps passed before the loss settled") as told:
        Perceptron(max_iter=3).fit(X, LABELS[3])
    assert len(told) == 1


def test_rows_that_weigh_nothing_do_not_keep_it_sweeping() -> None:
    rows, y = [[0.0], [-1.0], [1.0], [2.0]], [0, 1, 1, 1]  # the second is on no side a line could give it
    model = Perceptron(stop="mistakes", shuffle=False).fit(rows, y, sample_weight=[1.0, 0.0, 1.0, 1.0])
    alone = Perceptron(stop="mistakes", shuffle=False).fit(rows[:1] + rows[2:], y[:1] + y[2:])
    assert model.converged_
    assert (model.coef_.tolist(), model.intercept_.tolist()) == (alone.coef_.tolist(), alone.intercept_.tolist())
    assert (model.mistakes_, model.n_iter_) == (alone.mistakes_, alone.n_iter_)


def test_mistakes_stay_under_the_bound() -> None:
    y = np.where(X[:, :2] @ [1.0, -1.0] + 2.5 > 0, 1, 0)
    margin = np.abs(X[:, :2] @ [1.0, -1.0] + 2.5) > 0.3
    rows, y = X[margin, :2], y[margin]
    bound = mistake_bound(rows, y, [1.0, -1.0], 2.5)
    for seed, rate in itertools.product(range(5), (0.1, 1.0, 9.0)):
        model = Perceptron(stop="mistakes", random_state=seed, eta0=rate).fit(rows, y)
        assert 0 < model.mistakes_[0] <= bound
        assert (model.predict(rows) == y).all()
        assert model.mistakes_[0] <= mistake_bound(rows, y, model.coef_, model.intercept_[0])
    assert mistake_bound(rows, y, [-1.0, 1.0], -2.5) == np.inf
    assert mistake_bound([[1.0], [-2.0]], ["a", "b"], [-1.0]) == 4.0


def test_labels_of_any_kind() -> None:
    for y in (np.array(["b", "a", "c"], dtype=object), [True, False, True], np.array([2.0, 1.0, 1.0])):
        model = Perceptron(max_iter=20, tol=None).fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], y)
        theirs = Theirs(max_iter=20, tol=None).fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], y)
        assert model.classes_.tolist() == theirs.classes_.tolist()
        assert model.predict([[0.0, 1.0]]).tolist() == theirs.predict([[0.0, 1.0]]).tolist()


def test_sparse_coefficients() -> None:
    model = Perceptron(penalty="l1", alpha=1e-2, max_iter=5, tol=None).fit(X, LABELS[3])
    before = model.decision_function(X)
    np.testing.assert_allclose(model.sparsify().decision_function(X), before, rtol=1e-12)
    model.partial_fit(X, LABELS[3])
    assert isinstance(model.coef_, np.ndarray)
    assert not hasattr(model, "predict_proba")


def test_threads_change_nothing() -> None:
    one, two = (Perceptron(n_jobs=jobs, max_iter=4, tol=None).fit(X, LABELS[3]) for jobs in (None, 2))
    np.testing.assert_array_equal(one.coef_, two.coef_)


def test_a_failed_call_changes_nothing() -> None:
    model = Perceptron(max_iter=5, tol=None).fit(X, LABELS[2])
    before = dict(vars(model))
    for call in (
        lambda: model.fit(np.full((2, 5), np.nan), [0, 1]),
        lambda: model.partial_fit(X[:2], [0, 7]),
        lambda: model.set_params(eta0=1e308).fit(1e300 * X, LABELS[2]),
    ):
        with pytest.raises(ValueError, match="Perceptron"):
            call()
        assert {k: v for k, v in vars(model).items() if k != "eta0"} == {k: v for k, v in before.items() if k != "eta0"}


@pytest.mark.parametrize(("n", "seed"), [(1, 3), (2, 0), (50, 12345), (333, 2**31 - 2)])
def test_orders_are_those_of_scikit_learn(n: int, seed: int) -> None:
    theirs = ArrayDataset64(np.arange(n, dtype=float)[:, None], np.zeros(n), np.ones(n), seed=1)
    with loop.whole(loop.WORTH):
        compiled = shuffled(n, seed)
        first = next(compiled)
    for order in itertools.islice(shuffled(n, seed), 3):
        theirs._shuffle_py(seed)
        assert order.tolist() == [theirs._next_py()[3] for _ in range(n)]
    assert first.tolist() == next(shuffled(n, seed)).tolist()


@pytest.mark.parametrize("boundary", [0.0, 1.0])
def test_dense_rows_are_swept_over_as_all_rows_are_to_the_last_bit(boundary: float) -> None:
    rng = np.random.default_rng(3)
    rows, signs = FlatRows.of(rng.integers(-2, 3, size=(60, 3)) / 10.0), rng.choice([-1.0, 1.0], 60)
    gains, order = rng.choice([0.0, 1.0, 0.3], 60), rng.permutation(60)
    step = PerceptronStep(rate=0.7, share=0.5, boundary=boundary)
    one, other = Weights.of(np.array([0.1, 0.0, 0.0]), 0.2), Weights.of(np.array([0.1, 0.0, 0.0]), 0.2)
    for _ in range(3):
        quick = _dense_twin(rows.table, order, signs, gains, one.stored, one.state, step)
        slow = _twin(rows, order, signs, gains, other.stored, other.taken, other.state, step)
        assert quick == slow
        np.testing.assert_array_equal(one.stored, other.stored)
        assert one.state[1] == other.state[1]
