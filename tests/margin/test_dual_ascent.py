"""The solver: loop and twin step alike, forms of the kernel matrix are one matrix, working sets end where all do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from suffice.margin.svc.box_constraints import BoxConstraints
from suffice.margin.svc.dual_ascent import Patience, climb
from suffice.margin.svc.dual_problem import solve_dual
from suffice.margin.svc.free_vectors import finish
from suffice.margin.svc.kernel_rows import CachedRows, InputProducts, SparseProducts, WholeMatrix, matrix_of
from suffice.margin.svc.pairs_of_classes import by_class, pairs, votes
from suffice.margin.svc.separation import features_of, separable, separable_by
from suffice.margin.svc.sequential_minimal import take_steps, walk_loop, walk_plain
from suffice.spaces import LinearKernel, PolynomialKernel, RbfKernel, SigmoidKernel
from suffice.spaces.sparse_kernels import SparseKernel

RNG = np.random.default_rng(1)
X = RNG.normal(size=(200, 4))
SIGNS = np.where(X[:, 0] + X[:, 1] ** 2 + 0.5 * RNG.normal(size=200) > 0.8, 1.0, -1.0)


def box_of(signs: Any, C: float) -> BoxConstraints:
    n = len(signs)
    return BoxConstraints(np.zeros(n), np.where(signs > 0, 0.0, -C), np.where(signs > 0, C, 0.0), signs.copy())


@pytest.mark.parametrize("kernel", [LinearKernel(), RbfKernel(0.3), PolynomialKernel(2), SigmoidKernel(0.5)])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_loop_and_twin_take_the_same_steps(kernel: Any, C: float) -> None:
    K = kernel.between(X)
    ends = []
    for compiled in (False, True):
        box = box_of(SIGNS, C)
        ends.append((*take_steps(K, box.g, box.beta, box.lo, box.hi, 1e-3, 500, compiled), box.beta, box.g))
    assert ends[0][0] == ends[1][0]
    for a, b in zip(ends[0], ends[1], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9 * C)


@pytest.mark.parametrize("n", [30, 64, 75])  # fewer rows than lanes, lanes alone, lanes and some more
def test_the_loop_uncompiled_is_the_twin(n: int) -> None:
    K = RbfKernel(0.3).between(X[:n])
    ends = []
    for walk in (walk_plain, walk_loop.plain):
        box = box_of(SIGNS[:n], 1.0)
        ends.append((*walk(K, np.diagonal(K), box.g, box.beta, box.lo, box.hi, 1e-6, 1e-300, 1000), box.beta))
    assert ends[0][0] == ends[1][0]
    np.testing.assert_allclose(ends[0][2], ends[1][2], atol=1e-12)


def test_steps_keep_bounds_and_sum_and_climb() -> None:
    K = RbfKernel(0.3).between(X)
    box, values = box_of(SIGNS, 1.0), []
    for _ in range(40):
        take_steps(K, box.g, box.beta, box.lo, box.hi, 1e-6, 5, False)
        values.append(SIGNS @ box.beta - 0.5 * box.beta @ K @ box.beta)
        assert (box.lo <= box.beta).all()
        assert (box.beta <= box.hi).all()
        assert abs(box.beta.sum()) < 1e-12
        np.testing.assert_allclose(box.g, SIGNS - K @ box.beta, atol=1e-12)
    assert (np.diff(values) >= -1e-12).all()


@pytest.mark.parametrize("form", ["whole", "inputs", "sparse", "cached"])
def test_every_form_is_one_matrix(form: str) -> None:
    K = X @ X.T
    rows: Any = {
        "whole": lambda: WholeMatrix(K),
        "inputs": lambda: InputProducts(X),
        "sparse": lambda: SparseProducts(csr_array(X)),
        "cached": lambda: CachedRows(PolynomialKernel(1, 1.0, 0.0), X, 50),  # fewer places than rows
    }[form]()
    for _ in range(5):
        some, others = RNG.permutation(200)[:90], RNG.permutation(200)[:30]
        delta = RNG.normal(size=90)
        np.testing.assert_allclose(rows.square(some), K[np.ix_(some, some)], atol=1e-12)
        np.testing.assert_allclose(rows.block(some, others), K[np.ix_(some, others)], atol=1e-12)
        np.testing.assert_allclose(rows.times(some, delta), K[:, some] @ delta, atol=1e-11)
        fewer = rows.among(some)
        np.testing.assert_allclose(fewer.times(np.arange(90), delta), K[np.ix_(some, some)] @ delta, atol=1e-11)
        np.testing.assert_allclose(fewer.diagonal, np.diagonal(K)[some], atol=1e-12)


def test_the_form_follows_from_kernel_and_rows() -> None:
    assert isinstance(matrix_of(LinearKernel(), X, 200), InputProducts)
    assert isinstance(matrix_of(RbfKernel(), X, 200), WholeMatrix)
    assert isinstance(matrix_of(SparseKernel(LinearKernel()), csr_array((2000, 3000)), 200), SparseProducts)
    many = matrix_of(RbfKernel(), np.zeros((2000, 1)), 1)
    assert isinstance(many, CachedRows)
    assert many._kept.nbytes <= 2 * 2**20


@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
def test_working_sets_end_where_all_rows_do(C: float) -> None:
    """With 1200 rows: working sets, rows left aside and the cache, against steps on the whole matrix."""
    rows = RNG.normal(size=(1200, 3))
    signs = np.where(rows[:, 0] + rows[:, 1] ** 2 + 0.3 * RNG.normal(size=1200) > 0.8, 1.0, -1.0)
    kernel = RbfKernel(0.4)
    K = kernel.between(rows)
    box = box_of(signs, C)
    climb(CachedRows(kernel, rows, 300), box, 1e-4, Patience(2**62, 10**9))
    whole = box_of(signs, C)
    take_steps(K, whole.g, whole.beta, whole.lo, whole.hi, 1e-4, 10**8, True)
    np.testing.assert_allclose(box.g, signs - K @ box.beta, atol=1e-9 * max(1.0, C))
    top, bottom = box.ends()
    assert top - bottom <= 1e-4
    values = [signs @ b.beta - 0.5 * b.beta @ K @ b.beta for b in (box, whole)]
    assert values[0] == pytest.approx(values[1], rel=1e-5)


def test_the_last_digits_come_from_equations() -> None:
    K = RbfKernel(0.3).between(X)
    rows, box = WholeMatrix(K), box_of(SIGNS, 1.0)
    climb(rows, box, 1e-5, Patience(2**62, 0))
    before = SIGNS @ box.beta - 0.5 * box.beta @ K @ box.beta
    finish(rows, box)
    free = (box.beta > box.lo) & (box.beta < box.hi)
    assert np.ptp(box.g[free]) < 1e-12
    assert SIGNS @ box.beta - 0.5 * box.beta @ K @ box.beta >= before - 1e-12
    assert abs(box.beta.sum()) < 1e-12


def test_an_answer_to_the_last_digits() -> None:
    K = RbfKernel(0.3).between(X)
    found = solve_dual("SVC", WholeMatrix(K), SIGNS, np.full(200, 5.0), 1e-10)
    g = SIGNS - K @ found.beta
    free = (np.abs(found.beta) > 0) & (np.abs(found.beta) < 5.0)
    assert found.gap <= 1e-10
    np.testing.assert_allclose(g[free], found.intercept, atol=1e-10)
    margins = SIGNS * (K @ found.beta + found.intercept)
    assert (margins[found.beta == 0] >= 1 - 1e-10).all()
    assert (margins[np.abs(found.beta) == 5.0] <= 1 + 1e-10).all()


def test_separable() -> None:
    assert not separable(X, SIGNS)
    assert separable(X * 1e-9 + 1e3, np.where(X @ [1.0, 2.0, 0.0, -1.0] > 0, 1.0, -1.0))
    assert separable_by(WholeMatrix(RbfKernel(1.0).between(X)), SIGNS)
    assert not separable_by(InputProducts(X), SIGNS)
    K = PolynomialKernel(2).between(X)
    features = features_of(WholeMatrix(K))
    assert features.shape[1] == 15  # products of up to two of four inputs
    np.testing.assert_allclose(features @ features.T, K, atol=1e-10)


@pytest.mark.parametrize("K", [3, 5])
def test_votes_are_counted_pair_by_pair(K: int) -> None:
    values = np.random.default_rng(K).integers(-2, 3, size=(20, K * (K - 1) // 2)).astype(float)
    counts, scores = np.zeros((20, K)), np.zeros((20, K))
    sums = np.zeros((20, K))
    for column, (i, j) in zip(values.T, pairs(K), strict=True):
        for row, value in enumerate(column):
            counts[row, i if value > 0 else j] += 1
            scores[row, i if value >= 0 else j] += 1
            sums[row, i] += value
            sums[row, j] -= value
    np.testing.assert_array_equal(votes(values, K), counts)
    np.testing.assert_allclose(by_class(values, K), scores + sums / (3 * (np.abs(sums) + 1)), rtol=1e-15)
