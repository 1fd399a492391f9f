"""Densities of normals by the loop and by matrices: the same to rounding, near and far, tied and not, singular too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice.core.double_double import exact
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.whitened_squares import whitened_squares
from suffice.numerics import loop

RNG = np.random.default_rng(5)


def covariances(K: int, d: int) -> Any:
    A = RNG.normal(size=(K, d, 2 * d))
    return A @ A.transpose(0, 2, 1)


@pytest.mark.parametrize("n", [1, 64, 65, 500])
@pytest.mark.parametrize("d", [1, 3, 8, 17])
@pytest.mark.parametrize("lower", [True, False])
def test_squares_are_what_they_say(n: int, d: int, lower: bool) -> None:
    X, mean, W, weights = (RNG.normal(size=shape) for shape in ((n, d), (3, d), (3, d, d), (3, d)))
    W = np.tril(W) if lower else W
    true = np.stack([np.square((X - m) @ V.T) @ w for m, V, w in zip(mean, W, weights, strict=True)])
    assert whitened_squares(X, exact(mean), W, weights) == pytest.approx(true, rel=1e-11, abs=1e-11)
    one = np.stack([np.square((X - m) @ W[0].T) @ weights[0] for m in mean])
    assert whitened_squares(X, exact(mean), W[:1], weights[:1]) == pytest.approx(one, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("apart", [1.0, 1e3, 1e8])
@pytest.mark.parametrize("tied", [True, False])
def test_the_loop_is_the_matrix_way(tied: bool, apart: float) -> None:
    K, d = 4, 5
    C = covariances(1 if tied else K, d)
    mean = apart * RNG.normal(size=(K, d))
    normals = JointNormals(exact(mean), C, np.array([1.0, 1.0, 0.5, 1.0, 2.0]))
    X = mean[RNG.integers(0, K, 300)] + RNG.normal(size=(300, d))
    plain = normals.log_density(X)
    with loop.whole(loop.WORTH):
        assert normals.log_density(X) == pytest.approx(plain, rel=1e-11, abs=1e-9)


def test_densities_are_scipys_and_cells_may_be_missing() -> None:
    C, mean, X = covariances(2, 3), RNG.normal(size=(2, 3)), RNG.normal(size=(40, 3))
    normals = JointNormals(exact(mean), C, np.ones(3))
    true = np.column_stack([stats.multivariate_normal(m, c).logpdf(X) for m, c in zip(mean, C, strict=True)])
    with loop.whole(loop.WORTH):
        assert normals.log_density(X) == pytest.approx(true, rel=1e-12)
        X[::3, 1] = np.nan
        found = normals.log_density(X)
    part = np.ix_([0, 2], [0, 2])
    some = np.column_stack(
        [stats.multivariate_normal(m[[0, 2]], c[part]).logpdf(X[::3][:, [0, 2]]) for m, c in zip(mean, C, strict=True)]
    )
    assert found[::3] == pytest.approx(some, rel=1e-12)
    assert np.delete(found, np.s_[::3], axis=0) == pytest.approx(np.delete(true, np.s_[::3], axis=0), rel=1e-12)


def test_columns_that_are_constant_and_axes_without_length() -> None:
    flat = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    normals = JointNormals(exact(np.zeros((1, 3))), flat[None], np.ones(3), 1e-4)
    X = RNG.normal(size=(100, 3))
    plain = normals.log_density(X)
    with loop.whole(loop.WORTH):
        assert normals.log_density(X) == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("apart", [1.0, 1e8])
def test_evidence_is_the_density_but_for_what_components_share(apart: float) -> None:
    mean, C = apart * RNG.normal(size=(3, 4)), covariances(1, 4)
    normals = JointNormals(exact(mean), C, np.array([1.0, 2.0, 1.0, 0.5]))
    X = mean[RNG.integers(0, 3, 5000)] + RNG.normal(size=(5000, 4))
    X[7, 2], X[4500, 0] = np.nan, np.inf
    gap = normals.log_evidence(X) - normals.log_density(X)
    assert gap - gap[:, :1] == pytest.approx(np.zeros((5000, 3)), abs=1e-9)
    assert (np.abs(gap).max() > 1.0) == (apart == 1.0)  # far means are not told by linear functions
    several = JointNormals(exact(mean), covariances(3, 4), np.ones(4))
    assert np.array_equal(several.log_evidence(X[:50]), several.log_density(X[:50]))
