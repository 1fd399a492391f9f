"""Boundaries of two normal distributions: every conic, any units, any offset; and one distribution as a value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from suffice.core.errors import BadInput
from suffice.families.normals.conic import Conic, ConicKind
from suffice.families.normals.gaussian import Gaussian
from suffice.families.normals.two_normals import TwoNormals

NAN = np.nan


def spd(d: int, seed: int) -> Any:
    A = np.random.default_rng(seed).normal(size=(d, d))
    return A @ A.T + 0.1 * np.eye(d)


def axes(*variances: float) -> Any:
    return np.diag(variances)


KINDS = {
    "equal covariances, a line": ([1, 1], [-1, -1], spd(2, 0), spd(2, 0), 1.0, ConicKind.LINE),
    "the same twice": ([1, 1], [1, 1], spd(2, 0), spd(2, 0), 1.0, ConicKind.PLANE),
    "the same twice, one commoner": ([1, 1], [1, 1], spd(2, 0), spd(2, 0), 2.0, ConicKind.EMPTY),
    "one wider": ([1, 1], [-1, -1], np.eye(2), 4.0 * np.eye(2), 1.0, ConicKind.CIRCLE),
    "one wider, far rarer": ([1, 1], [-1, -1], np.eye(2), 4.0 * np.eye(2), 1e9, ConicKind.CIRCLE),
    "one narrower, far rarer": ([1, 1], [-1, -1], np.eye(2), 4.0 * np.eye(2), 1e-9, ConicKind.EMPTY),
    "one wider, unevenly": ([1, 1], [-1, -1], np.eye(2), axes(2, 3), 1.0, ConicKind.ELLIPSE),
    "one wider in one column": ([1, 1], [-1, -1], np.eye(2), axes(2, 1), 1.0, ConicKind.PARABOLA),
    "the same in the other": ([1, 1], [-1, 1], np.eye(2), axes(2, 1), 1.0, ConicKind.PARALLEL_LINES),
    "too rare for them": ([0, 0], [0, 0], np.eye(2), axes(2, 1), 1e-9, ConicKind.EMPTY),
    "touching": ([0, 0], [0, 0], np.eye(2), axes(4, 1), 0.5, ConicKind.LINE),
    "a point": ([0, 0], [0, 0], np.eye(2), 4.0 * np.eye(2), 0.25, ConicKind.POINT),
    "wider and narrower": ([1, 1], [-1, -1], np.eye(2), axes(2, 0.25), 1.0, ConicKind.HYPERBOLA),
    "wider as narrower": ([0, 0], [0, 0], np.eye(2), axes(2, 0.5), 1.0, ConicKind.CROSSING_LINES),
}


@pytest.mark.parametrize("scale", [1.0, 1e-6, np.array([1e6, 1e-3])], ids=["1", "1e-6", "uneven"])
@pytest.mark.parametrize("name", KINDS)
def test_which_conic(name: str, scale: Any) -> None:
    m, n, C, D, odds, kind = KINDS[name]
    unit = np.broadcast_to(scale, 2)
    one = Gaussian(np.array(m) * unit, C * unit * unit[:, None])
    two = Gaussian(np.array(n) * unit, D * unit * unit[:, None])
    found = TwoNormals(one, two, odds).conic().kind
    round_one = kind is ConicKind.CIRCLE and unit[0] != unit[1]
    assert found is (ConicKind.ELLIPSE if round_one else kind)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_the_conic_is_the_log_ratio(offset: float) -> None:
    rng = np.random.default_rng(1)
    for seed in range(20):
        one, two = (Gaussian(rng.normal(size=2) + offset, spd(2, seed + k)) for k in (0, 100))
        pair = TwoNormals(one, two, odds=3.0)
        X = rng.normal(size=(50, 2)) * 3.0 + offset
        want = pair.log_ratio(X) + np.log(3.0)
        np.testing.assert_allclose(pair.conic().value(X), want, rtol=1e-8, atol=1e-8)
        posterior = 1.0 / (1.0 + np.exp(-want))
        np.testing.assert_allclose(pair.posterior(X), posterior, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("odds", [1.0, 0.1, 20.0])
def test_boundaries_in_one_column_are_where_both_are_as_likely(offset: float, odds: float) -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        m, n, s, t = *rng.normal(size=2), *rng.uniform(0.3, 3.0, 2)
        near = TwoNormals(Gaussian(m, s * s), Gaussian(n, t * t), odds)
        pair = TwoNormals(Gaussian(m + offset, s * s), Gaussian(n + offset, t * t), odds)
        cuts = pair.boundaries()
        np.testing.assert_allclose(cuts - offset, near.boundaries(), atol=1e-12 + 1e-15 * offset * 10)
        np.testing.assert_allclose(near.log_ratio(near.boundaries()) + np.log(odds), 0.0, atol=1e-10)
        regions = pair.regions()
        assert len(regions) == len(cuts) + 1
        assert regions[0].low == -np.inf
        assert regions[-1].high == np.inf
        for region in regions:
            x = np.clip((max(region.low, offset - 50) + min(region.high, offset + 50)) / 2.0, offset - 50, offset + 50)
            assert bool(pair.log_ratio([x])[0] + np.log(odds) > 0) is region.first


def test_a_threshold_with_odds_may_leave_no_boundary() -> None:
    pair = TwoNormals(Gaussian(0.0, 1.0), Gaussian(0.0, 4.0), odds=0.1)
    assert len(pair.boundaries()) == 0
    assert [region.first for region in pair.regions()] == [False]


def test_densities_distances_and_whitening() -> None:
    rng = np.random.default_rng(3)
    g, X = Gaussian(rng.normal(size=4), spd(4, 5)), rng.normal(size=(30, 4))
    theirs = multivariate_normal(g.mean, g.covariance).logpdf(X)
    np.testing.assert_allclose(g.log_density(X), theirs, rtol=1e-11)
    away = X - g.mean
    np.testing.assert_allclose(g.squared_distance(X), np.sum(away * (away @ np.linalg.inv(g.covariance)), axis=1))
    np.testing.assert_allclose(g.colour(g.whiten(X)), X, atol=1e-12)
    drawn = g.colour(g.whiten(X))
    np.testing.assert_allclose(np.cov(g.whiten(drawn).T), np.cov(g.whiten(X).T), atol=1e-12)


def test_marginals_and_conditionals_multiply_to_the_joint() -> None:
    rng = np.random.default_rng(4)
    g, x = Gaussian(rng.normal(size=4), spd(4, 6)), rng.normal(size=4)
    for hidden in ([0], [1, 3], [0, 1, 2]):
        seen = [j for j in range(4) if j not in hidden]
        row = np.where(np.isin(np.arange(4), hidden), NAN, x)
        joint = g.marginal(seen).log_density(x[seen]) + g.conditional(row).log_density(x[hidden])
        np.testing.assert_allclose(joint, g.log_density(x), rtol=1e-10)
    nothing = g.conditional(np.full(4, NAN))
    np.testing.assert_allclose(nothing.covariance, g.covariance, rtol=1e-12)


def test_axes_and_contours() -> None:
    g = Gaussian([1.0, 2.0], [[4.0, 1.0], [1.0, 2.0]])
    lengths, directions = g.axes()
    np.testing.assert_allclose(g.distance(g.mean + lengths[:, None] * directions), 1.0, rtol=1e-12)
    np.testing.assert_allclose(g.distance(g.contour(2.5)), 2.5, rtol=1e-12)
    assert abs(abs(directions[0] @ [np.cos(g.angle), np.sin(g.angle)]) - 1.0) <= 1e-12


def test_weighted_rows() -> None:
    X, w = np.random.default_rng(5).normal(size=(9, 2)), np.arange(9.0)
    twice = np.repeat(X, w.astype(int), axis=0)
    assert np.allclose(Gaussian.of(X, w).covariance, np.cov(twice.T, bias=True), rtol=1e-12)


SQUARE = np.eye(2)
BAD = {
    "Gaussian: mean and covariance must be one number a column": lambda: Gaussian([1.0, 2.0], [[1.0]]),
    "Gaussian: mean must be finite, got": lambda: Gaussian([1.0, NAN], SQUARE),
    "Gaussian: mean must be numbers, got 'x'": lambda: Gaussian("x", SQUARE),
    "Gaussian: covariance must be symmetric": lambda: Gaussian([0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]]),
    "Gaussian: every variance must be above 0, got 0.0": lambda: Gaussian([0.0, 0.0], axes(1.0, 0.0)),
    "Gaussian: the covariance must be positive definite": lambda: Gaussian([0.0, 0.0], np.ones((2, 2))),
    "Gaussian: X must be rows of 2 columns, got shape": lambda: Gaussian([0.0, 0.0], SQUARE).log_density([[1.0]]),
    "Gaussian: row must be without some of its cells": lambda: Gaussian([0.0, 0.0], SQUARE).conditional([1.0, 2.0]),
    "Gaussian: angle must be asked of two columns, got 1": lambda: Gaussian(0.0, 1.0).angle,
    "Gaussian: contour must be asked of two columns, got 3": lambda: Gaussian(np.zeros(3), np.eye(3)).contour(),
    "TwoNormals: first and second must be of as many columns, got 1 and 2": (
        lambda: TwoNormals(Gaussian(0.0, 1.0), Gaussian([0.0, 0.0], SQUARE))
    ),
    "TwoNormals: odds must be finite and above 0, got 0.0": (
        lambda: TwoNormals(Gaussian(0.0, 1.0), Gaussian(1.0, 1.0), 0.0)
    ),
    "TwoNormals: the covariances must be equal, got two": (
        lambda: TwoNormals(Gaussian(0.0, 1.0), Gaussian(1.0, 2.0)).linear()
    ),
    "TwoNormals: boundaries must be asked of one column, got 2": (
        lambda: TwoNormals(Gaussian([0.0, 0.0], SQUARE), Gaussian([1.0, 0.0], SQUARE)).boundaries()
    ),
    "TwoNormals: conic must be asked of two columns, got 1": (
        lambda: TwoNormals(Gaussian(0.0, 1.0), Gaussian(1.0, 1.0)).conic()
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_inputs(message: str) -> None:
    with pytest.raises(BadInput, match=message):
        BAD[message]()


def test_a_conic_by_its_coefficients() -> None:
    """x y = 1 about another origin."""
    c = Conic(np.array([[0.0, 0.5], [0.5, 0.0]]), np.array([1.0, 1.0]), 0.0, np.array([1.0, 1.0]))
    assert c.kind is ConicKind.HYPERBOLA
    np.testing.assert_allclose(c.value([[2.0, 0.5], [-1.0, -1.0]]), 0.0, atol=1e-15)
    np.testing.assert_allclose(c.centre, 0.0, atol=1e-15)
    np.testing.assert_allclose(c.half_axes, np.sqrt(2.0), rtol=1e-12)
