"""KernelPerceptron: the dual form makes the mistakes of the primal one; kernels replace the product of rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from suffice import KernelPerceptron, Perceptron
from suffice.margin.perceptron import dual_perceptron
from suffice.margin.svc import kernel_rows
from suffice.spaces import LinearKernel, PolynomialKernel, RbfKernel

RNG = np.random.default_rng(3)
X = RNG.normal(size=(150, 3))
APART = np.abs(X @ [1.0, -2.0, 0.5] - 0.3) > 0.2
X = X[APART]
Y = np.where(X @ [1.0, -2.0, 0.5] > 0.3, "yes", "no")
THREE = np.array(["a", "b", "c"])[(X @ RNG.normal(size=(3, 3))).argmax(axis=1)]
RING = (X**2).sum(axis=1)


def plain_count(K: Any, signs: Any, most: int) -> tuple[Any, int | None]:
    """The algorithm as it is written: row by row, with the whole kernel matrix."""
    alpha = np.zeros(len(signs))
    for sweeps in range(1, most + 1):
        clean = True
        for i, sign in enumerate(signs):
            if sign * np.sum(alpha * signs * K[i]) <= 0:
                alpha[i] += 1
                clean = False
        if clean:
            return alpha, sweeps
    return alpha, None


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("y", [Y, THREE], ids=["two", "three"])
def test_the_dual_form_equals_the_primal_one(y: Any, intercept: bool, shuffle: bool) -> None:
    options: dict[str, Any] = {"fit_intercept": intercept, "shuffle": shuffle, "max_iter": 40}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        dual = KernelPerceptron("linear", **options).fit(X, y)
        primal = Perceptron(stop="mistakes", **options).fit(X, y)
    np.testing.assert_allclose(dual.coef_, primal.coef_, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(dual.intercept_, primal.intercept_, rtol=1e-12)
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    assert (dual.n_iter_, dual.converged_) == (primal.n_iter_, primal.converged_)
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), rtol=1e-9, atol=1e-9)
    assert dual.predict(X).tolist() == primal.predict(X).tolist()


@pytest.mark.parametrize("y", [Y, THREE], ids=["two", "three"])
@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear", "precomputed"])
def test_a_row_of_weight_0_changes_nothing(kernel: str, y: Any) -> None:
    w = np.where(np.arange(len(X)) % 3 == 0, 0.0, 1.0)
    kept, far = w > 0, np.where((w > 0)[:, None], X, 50.0 * X)
    given = far @ far.T if kernel == "precomputed" else far
    rest = given[np.ix_(kept, kept)] if kernel == "precomputed" else X[kept]
    labels = np.where(kept, y, "never")  # a class of weight 0 is no class
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KernelPerceptron(kernel, max_iter=40).fit(given, labels, sample_weight=w)
        alone = KernelPerceptron(kernel, max_iter=40).fit(rest, y[kept])
    assert model.classes_.tolist() == alone.classes_.tolist()
    assert model.alpha_[:, kept].tolist() == alone.alpha_.tolist()
    assert not model.alpha_[:, ~kept].any()
    assert model.support_.tolist() == np.flatnonzero(kept)[alone.support_].tolist()
    asked = given[:, kept] if kernel == "precomputed" else given
    np.testing.assert_allclose(model.decision_function(given), alone.decision_function(asked), rtol=1e-10)


def test_the_scale_of_gamma_takes_weights_as_copies() -> None:
    w = np.random.default_rng(0).integers(0, 4, len(X))
    model, copied = KernelPerceptron().fit(X, Y, w), KernelPerceptron().fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    assert model.kernel_.gamma == pytest.approx(copied.kernel_.gamma, rel=1e-13)


def test_weights_of_rows_lengthen_their_steps_in_both_forms() -> None:
    w = RNG.integers(0, 4, len(X)).astype(float)
    dual = KernelPerceptron("linear").fit(X, Y, sample_weight=w)
    primal = Perceptron(stop="mistakes").fit(X, Y, sample_weight=w)
    np.testing.assert_allclose(dual.coef_, primal.coef_, rtol=1e-10)
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    assert not dual.alpha_[:, w == 0].any()


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.booleans()), min_size=2, max_size=9),
    st.sampled_from([(1, 0.0), (2, 0.0), (2, 1.0), (3, 1.0)]),
    st.booleans(),
    st.integers(1, 4),
)
def test_the_counts_are_those_of_the_algorithm_as_written(
    table: list[tuple[int, int, bool]], shape: tuple[int, float], intercept: bool, at_once: int
) -> None:
    rows = np.array([[a, b] for a, b, _ in table], dtype=float)
    signs = np.array([1 if up else -1 for *_, up in table])
    if len(set(signs.tolist())) < 2:
        signs[0] = -signs[0]
    kernel = PolynomialKernel(shape[0], 1.0, shape[1])
    alpha, sweeps = plain_count(kernel.between(rows) + intercept, signs, 25)  # integers: exact
    model = KernelPerceptron(kernel, fit_intercept=intercept, shuffle=False, max_iter=25)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        patch.setattr(dual_perceptron, "AT_ONCE", at_once)
        model.fit(rows, signs)
    assert model.alpha_[0].tolist() == alpha.tolist()
    assert (model.n_iter_, model.converged_) == (sweeps or 25, sweeps is not None)


def test_a_ring_around_a_disc() -> None:
    inside = (RING < 1.0) | (RING > 2.5)
    rows, y = X[(RING < 1.0) | (RING > 2.5)], (RING > 2.5)[inside]
    for kernel in (PolynomialKernel(2), RbfKernel(1.0), "rbf", lambda A, B: (A @ B.T + 1.0) ** 2):
        model = KernelPerceptron(kernel).fit(rows, y)
        assert model.converged_
        assert (model.predict(rows) == y).all()
        assert not hasattr(model, "coef_")
    with pytest.warns(ConvergenceWarning, match="the last of 50 sweeps still made mistakes"):
        assert not KernelPerceptron("linear", max_iter=50).fit(rows, y).converged_


def test_an_explicit_map_and_its_kernel_make_the_same_mistakes() -> None:
    inside = (RING < 1.0) | (RING > 2.5)
    rows, y = X[inside][:, :2], (RING > 2.5)[inside]
    written = np.column_stack([rows**2, np.sqrt(2.0) * rows[:, 0] * rows[:, 1]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mapped = Perceptron(stop="mistakes", max_iter=30).fit(written, y)
        kernel = KernelPerceptron(PolynomialKernel(2, 1.0, 0.0), max_iter=30).fit(rows, y)
    assert kernel.mistakes_.tolist() == mapped.mistakes_.tolist()
    np.testing.assert_allclose(kernel.decision_function(rows), mapped.decision_function(written), rtol=1e-8, atol=1e-8)


def test_rows_that_were_never_wrong_can_be_deleted() -> None:
    model = KernelPerceptron(RbfKernel(0.5), shuffle=False).fit(X, Y)
    assert 0 < len(model.support_) < len(X)
    assert np.array_equal(np.flatnonzero(model.alpha_[0]), model.support_)
    again = KernelPerceptron(RbfKernel(0.5), shuffle=False).fit(X[model.support_], Y[model.support_])
    np.testing.assert_array_equal(again.alpha_, model.alpha_[:, model.support_])


@pytest.mark.parametrize("kernel", [RbfKernel(0.7), PolynomialKernel(3)])
def test_a_cache_too_small_for_the_matrix_changes_nothing(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = KernelPerceptron(kernel).fit(X, THREE)
    monkeypatch.setattr(kernel_rows, "FEW", 10)
    cached = KernelPerceptron(kernel, cache_size=1e-3).fit(X, THREE)
    assert cached.alpha_.tolist() == whole.alpha_.tolist()


def test_kernel_values_in_place_of_rows() -> None:
    kernel = RbfKernel(0.7)
    rows = KernelPerceptron(kernel).fit(X[:80], Y[:80])
    given_values = KernelPerceptron("precomputed").fit(kernel.between(X[:80]), Y[:80])
    assert given_values.alpha_.tolist() == rows.alpha_.tolist()
    asked = kernel.between(X[80:], X[:80])
    np.testing.assert_allclose(given_values.decision_function(asked), rows.decision_function(X[80:]), rtol=1e-9)


def test_names_of_kernels_and_their_parameters() -> None:
    model = KernelPerceptron("poly", degree=2, gamma=0.5, coef0=1.0, max_iter=200).fit(X, Y)
    assert model.kernel_ == PolynomialKernel(2, 0.5, 1.0)
    assert KernelPerceptron("linear").fit(X, Y).kernel_ == LinearKernel()
    auto = KernelPerceptron("rbf", gamma="auto").fit(X, Y)
    assert auto.kernel_ == RbfKernel(1 / 3)


def test_nasty_rows() -> None:
    twins = np.array([[1e8, 0.0, 1.0], [1e8, 0.0, 1.0], [1e8 + 1, 0.0, 1.0]])  # two rows alike, a constant, an offset
    model = KernelPerceptron(RbfKernel(1.0)).fit(twins, ["a", "a", "b"])
    assert model.predict(twins).tolist() == ["a", "a", "b"]
    with pytest.warns(ConvergenceWarning):
        KernelPerceptron(RbfKernel(1.0), max_iter=20).fit(twins, ["a", "b", "b"])  # alike, but of two classes
