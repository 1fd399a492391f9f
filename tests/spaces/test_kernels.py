"""Kernels: symmetric to the last bit, 1 for equal rows, and not harmed by an offset."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import pairwise

from suffice.core.errors import BadInput
from suffice.persistence import load, save
from suffice.spaces import (
    KERNELS,
    GivenKernel,
    KernelFunction,
    LinearKernel,
    PolynomialKernel,
    RbfKernel,
    SigmoidKernel,
    monomial_map,
    quadratic_map,
    read_gamma,
    read_kernel,
    squared_distances,
)

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(60, 3)), RNG.normal(size=(40, 3))
PEERS: list[tuple[Any, Any]] = [
    (LinearKernel(), pairwise.linear_kernel),
    (PolynomialKernel(3, 0.5, 1.0), lambda A, B: pairwise.polynomial_kernel(A, B, 3, 0.5, 1.0)),
    (PolynomialKernel(0, 0.5, 1.0), lambda A, B: np.ones((len(A), len(B)))),
    (PolynomialKernel(1, 0.5, -1.0), lambda A, B: pairwise.polynomial_kernel(A, B, 1, 0.5, -1.0)),
    (RbfKernel(0.7), lambda A, B: pairwise.rbf_kernel(A, B, 0.7)),
    (RbfKernel(700.0), lambda A, B: pairwise.rbf_kernel(A, B, 700.0)),
    (SigmoidKernel(0.3, 0.2), lambda A, B: pairwise.sigmoid_kernel(A, B, 0.3, 0.2)),
]


@pytest.mark.parametrize(("kernel", "peer"), PEERS)
def test_against_scikit_learn(kernel: Any, peer: Any) -> None:
    np.testing.assert_allclose(kernel.between(X, Z), peer(X, Z), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel.towards(Z)(X), kernel.between(X, Z), rtol=0, atol=1e-15)
    np.testing.assert_allclose(kernel.diagonal(X), np.diagonal(peer(X, X)), rtol=1e-12)


@pytest.mark.parametrize(("kernel", "peer"), PEERS)
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_a_table_and_itself_is_symmetric_to_the_last_bit(kernel: Any, peer: Any, offset: float) -> None:
    K = kernel.between(X + offset)
    assert (K == K.T).all()


@pytest.mark.parametrize("gamma", [0.0, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_equal_rows_have_rbf_1_exactly(gamma: float, scale: float, offset: float) -> None:
    rows = np.repeat(X[:7] * scale + offset, 3, axis=0)
    kernel = RbfKernel(gamma / scale**2)
    same = kernel.between(rows, rows[:2].copy())
    assert (same[:3] == 1.0).all()
    assert (np.diagonal(kernel.between(rows)) == 1.0).all()
    assert (kernel.diagonal(rows) == 1.0).all()
    assert kernel.between(rows).max() <= 1.0


def test_an_offset_does_not_harm_rbf() -> None:
    moved = X + 1e8
    kept = moved - 1e8  # what is left of X in floats: the subtraction is exact
    np.testing.assert_allclose(RbfKernel(0.7).between(moved), RbfKernel(0.7).between(kept), rtol=1e-13)


def test_far_clusters_keep_their_inner_distances() -> None:
    """No one centre is near both clusters: distances come from the differences."""
    rows = np.vstack([X - 1e9, X + 1e9])
    D = squared_distances(rows)
    kept = (X + 1e9) - 1e9
    np.testing.assert_allclose(D[60:, 60:], squared_distances(kept), rtol=1e-12)
    assert (D >= 0).all()
    assert (D == D.T).all()
    assert (np.diagonal(D) == 0).all()


def test_squared_distances_are_right_to_the_last_digits() -> None:
    rows = np.vstack([X[:8], X[:8] + 1e-9, X[:8] * 1e5])
    exact = [
        [float(sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(u, v, strict=True))) for v in rows.tolist()]
        for u in rows.tolist()
    ]
    np.testing.assert_allclose(squared_distances(rows), exact, rtol=1e-11)


def test_squares_beyond_floats() -> None:
    rows = np.array([[1e200], [1e200], [-1e200], [0.0]])
    K = RbfKernel(1.0).between(rows)
    assert K.tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_no_rows() -> None:
    for kernel, _ in PEERS:
        assert kernel.between(X[:0], Z).shape == (0, 40)
        assert kernel.between(X, Z[:0]).shape == (60, 0)


def test_a_power_is_as_exact_as_fractions() -> None:
    K = PolynomialKernel(7, 0.25, 0.5).between(X[:5])
    products = X[:5] @ X[:5].T
    for i in range(5):
        for j in range(5):
            exact = float((Fraction(products[i, j]) / 4 + Fraction(1, 2)) ** 7)
            assert K[i, j] == pytest.approx(exact, rel=1e-13, abs=1e-300)


def test_the_width_of_an_rbf_kernel() -> None:
    assert RbfKernel.of_width(2.0) == RbfKernel(0.125)
    value = RbfKernel.of_width(0.5).between(np.array([[0.0]]), np.array([[1.0]]))[0, 0]
    assert value == pytest.approx(exp(-2.0), rel=1e-15)


def test_positive_semi_definite() -> None:
    for kernel in (LinearKernel(), PolynomialKernel(3, 0.5, 1.0), RbfKernel(0.7)):
        values = np.linalg.eigvalsh(kernel.between(X))
        assert values.min() >= -1e-12 * values.max()


def test_given_values() -> None:
    table = X @ X.T
    assert (GivenKernel().between(table, np.array([3, 1])) == table[:, [3, 1]]).all()
    assert (GivenKernel().diagonal(table) == np.diagonal(table)).all()


def test_a_function() -> None:
    kernel = KernelFunction(lambda A, B: A @ B.T)
    np.testing.assert_allclose(kernel.between(X, Z), X @ Z.T, rtol=1e-15)
    np.testing.assert_allclose(kernel.diagonal(X), (X * X).sum(axis=1), rtol=1e-13)


def test_names() -> None:
    options = {"degree": 2, "gamma": 0.5, "coef0": 1.0}
    kernels = {name: read_kernel("SVC", name, X, **options) for name in KERNELS}
    assert kernels == {
        "linear": LinearKernel(),
        "poly": PolynomialKernel(2, 0.5, 1.0),
        "rbf": RbfKernel(0.5),
        "sigmoid": SigmoidKernel(0.5, 1.0),
        "precomputed": GivenKernel(),
    }
    assert read_kernel("SVC", RbfKernel(3.0), X) == RbfKernel(3.0)
    assert read_kernel("SVC", np.dot, X) == KernelFunction(np.dot)


def test_gamma_by_name() -> None:
    assert read_gamma("SVC", "auto", X) == 1.0 / 3.0
    assert read_gamma("SVC", "scale", X) == pytest.approx(1.0 / (3.0 * X.var()), rel=1e-15)
    assert read_gamma("SVC", "scale", np.ones((4, 2))) == 1.0
    assert read_gamma("SVC", 2, X) == 2.0
    w = np.array([1.0, 2.0, 0.0, 3.0])
    copies = np.repeat(X[:4], [1, 2, 0, 3], axis=0)
    assert read_gamma("SVC", "scale", X[:4], w) == pytest.approx(read_gamma("SVC", "scale", copies), rel=1e-13)


@pytest.mark.parametrize(
    "kernel", [LinearKernel(), PolynomialKernel(2), RbfKernel(0.3), SigmoidKernel(), GivenKernel()]
)
def test_files(kernel: Any, tmp_path: Any) -> None:
    save(kernel, tmp_path / "kernel.suffice")
    assert load(tmp_path / "kernel.suffice") == kernel


def test_feature_maps() -> None:
    U, V = X[:, :2], Z[:, :2]
    np.testing.assert_allclose(quadratic_map(U) @ quadratic_map(V).T, PolynomialKernel(2).between(U, V), atol=1e-13)
    homogeneous = PolynomialKernel(2, 1.0, 0.0).between(U, V)
    np.testing.assert_allclose(monomial_map(U) @ monomial_map(V).T, homogeneous, atol=1e-13)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PolynomialKernel(-1), "PolynomialKernel: degree must be a whole number of at least 0, got -1. Give"),
        (lambda: PolynomialKernel(2.5), "PolynomialKernel: degree must be a whole number of at least 0, got 2.5."),
        (lambda: PolynomialKernel(True), "PolynomialKernel: degree must be a whole number of at least 0, got True."),
        (lambda: PolynomialKernel(2, -1.0), "PolynomialKernel: gamma must be a number of at least 0, got -1.0."),
        (lambda: PolynomialKernel(2, 1.0, np.nan), "PolynomialKernel: coef0 must be a number, got nan."),
        (lambda: RbfKernel(np.inf), "RbfKernel: gamma must be a number of at least 0, got inf."),
        (lambda: RbfKernel("scale"), "RbfKernel: gamma must be a number of at least 0, got 'scale'."),
        (lambda: RbfKernel.of_width(0.0), "RbfKernel: sigma must be a number above 0, got 0.0. Give the width"),
        (lambda: SigmoidKernel(1.0, "0"), "SigmoidKernel: coef0 must be a number, got '0'."),
        (lambda: read_kernel("SVC", "rbg", X), "SVC: kernel must be one of linear, poly, rbf, sigmoid, precomputed, a"),
        (lambda: read_kernel("SVC", "rbf", X, gamma="wide"), "SVC: gamma must be 'scale', 'auto' or a number of at"),
        (lambda: read_gamma("SVC", True, X), "SVC: gamma must be 'scale', 'auto' or a number of at least 0, got True"),
        (lambda: quadratic_map(X), "quadratic_map: X must be rows of two numbers, got shape (60, 3). Use Polynomial"),
        (lambda: monomial_map(X[0]), "monomial_map: X must be rows of two numbers, got shape (3,)."),
        (
            lambda: KernelFunction(lambda A, B: A).between(X, Z),
            "KernelFunction: function must be one that gives a table of 60 x 40 numbers for so many rows, got one of",
        ),
    ],
)
def test_what_is_refused(make: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert str(caught.value).startswith(message)
