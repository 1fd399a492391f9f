"""Exemplars: what each of them minimises, and what outliers do to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from suffice.core.errors import BadInput
from suffice.spaces import (
    EditDistance,
    Euclidean,
    Manhattan,
    Precomputed,
    SquaredEuclidean,
    coordinate_median,
    geometric_median,
    mean_point,
    medoid,
)
from suffice.spaces.exemplars import total_distances

RNG = np.random.default_rng(0)
FIVE = np.array([[0.0, 3.0], [3.0, 3.0], [3.0, 0.0], [-2.0, -4.0], [-4.0, -2.0]])


def total(d: Any, X: Any, c: Any, w: Any = None) -> float:
    return float(np.average(d.between(X, np.asarray(c)[None])[:, 0], weights=w))


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("seed", range(4))
def test_each_is_where_its_total_is_least(seed: int, offset: float) -> None:
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(21, 3)) + offset, rng.integers(0, 4, 21) * 1.0
    for find, d in (
        (mean_point, SquaredEuclidean()),
        (geometric_median, Euclidean()),
        (coordinate_median, Manhattan()),
    ):
        c = find(X, w)
        least = total(d, X, c, w)
        for _ in range(20):
            assert total(d, X, c + rng.normal(size=3) * 1e-2, w) >= least * (1.0 - 1e-12)
        copies = find(np.repeat(X, w.astype(int), axis=0))
        np.testing.assert_allclose(copies - offset, c - offset, atol=1e-8 if offset == 0 else 1e-6)


def test_the_geometric_median_against_an_optimiser() -> None:
    X = RNG.normal(size=(30, 2)) * np.array([1.0, 10.0])
    found = minimize(lambda c: total(Euclidean(), X, c), X.mean(axis=0), tol=1e-12)
    np.testing.assert_allclose(geometric_median(X), found.x, atol=1e-5)
    assert total(Euclidean(), X, geometric_median(X)) <= found.fun * (1.0 + 1e-12)


def test_a_row_may_be_the_geometric_median() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    assert geometric_median(X).tolist() == [0.0, 0.0]
    assert geometric_median([[0.0], [1.0], [7.0]]).tolist() == [1.0]
    assert geometric_median([[3.0, 4.0]]).tolist() == [3.0, 4.0]
    assert geometric_median(np.ones((4, 2))).tolist() == [1.0, 1.0]
    heavy = geometric_median([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [5.0, 1.0, 1.0])
    assert heavy.tolist() == [0.0, 0.0]


def test_a_mean_that_is_a_row_but_no_median_is_left() -> None:
    X = np.array([[0.0, 0.0], [4.0, 0.0], [-1.0, 1.0], [-1.0, -1.0], [-1.0, 0.5], [-1.0, -0.5]])
    assert X.mean(axis=0).tolist() == [0.0, 0.0]
    c = geometric_median(X)
    assert total(Euclidean(), X, c) < total(Euclidean(), X, X[0]) - 1e-3


def test_exemplars_of_the_sources() -> None:
    """G.N48, G.G091, G.G092, G.G093: the points of Example 8.3."""
    np.testing.assert_allclose(mean_point(FIVE), [0.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(geometric_median(FIVE), [0.710937, 0.710937], atol=5e-7)
    for d, least in ((Manhattan(), 27.0), (Euclidean(), 20.925875), (SquaredEuclidean(), 121.0)):
        totals = total_distances(FIVE, d)
        assert medoid(FIVE, d) == 0
        np.testing.assert_allclose(totals[[0, 2]], least, atol=5e-7)  # (0, 3) and (3, 0) tie
        assert np.sort(totals)[2] > least + 1e-6


def test_the_medoid_by_squared_distance_is_the_row_nearest_to_the_mean() -> None:
    """G.N49, G.E10: on 300 random sets; linear in the number of rows, not quadratic as printed."""
    for seed in range(300):
        X = np.random.default_rng(seed).normal(size=(12, 2))
        assert medoid(X, "sqeuclidean") == int(np.argmin(total_distances(X, SquaredEuclidean())))
    X = RNG.normal(size=(200_000, 2))  # the table of distances would take 320 GB
    assert medoid(X, "sqeuclidean") == int(np.argmin(((X - X.mean(axis=0)) ** 2).sum(axis=1)))


def test_outliers_pull_the_mean_and_the_squared_medoid() -> None:
    """G.G094: the median and the medoid by plain distance stay."""
    X = np.concatenate([np.arange(9.0), [1e6]])[:, None]
    assert mean_point(X)[0] > 1e4
    assert medoid(X, "sqeuclidean") == 8
    assert medoid(X, "euclidean") == 4
    assert abs(geometric_median(X)[0] - 4.5) <= 0.5
    assert coordinate_median(X)[0] == 4.5


def test_medoids_of_anything() -> None:
    assert medoid(["abc", "abd", "xbd", "zzzzz"], EditDistance()) == 1
    D = Euclidean().between(FIVE)
    assert medoid(D, Precomputed()) == medoid(FIVE)
    assert medoid([[0.0], [5.0], [6.0]], "euclidean", [9.0, 1.0, 1.0]) == 0


@pytest.mark.parametrize("find", [mean_point, geometric_median, coordinate_median, medoid])
def test_bad_input(find: Any) -> None:
    for w in ([1.0], [-1.0, 1.0, 1.0], [np.nan, 1.0, 1.0], [0.0, 0.0, 0.0]):
        with pytest.raises(BadInput):
            find(np.zeros((3, 2)), w=w)
    with pytest.raises(BadInput, match="some rows that weigh something"):
        find(np.zeros((0, 2)))
