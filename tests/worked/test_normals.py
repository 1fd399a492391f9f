"""Worked numbers of normal distributions: likelihood ratios, boundaries, contours, means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from suffice.families.normals.conic import ConicKind
from suffice.families.normals.gaussian import Gaussian
from suffice.families.normals.two_normals import TwoNormals

GRID = np.stack(np.meshgrid(np.linspace(-4, 4, 33), np.linspace(-4, 4, 33)), axis=-1).reshape(-1, 2)
UP, DOWN = [1.0, 1.0], [-1.0, -1.0]


def correlated(r: float, s: tuple[float, float] = (1.0, 1.0)) -> Any:
    return np.array([[s[0] ** 2, r * s[0] * s[1]], [r * s[0] * s[1], s[1] ** 2]])


def test_equal_variances_give_one_boundary_midway() -> None:
    """P.W06, P.M019, P.M020: LR = exp(gamma (x - midpoint)), gamma = -1, boundary 1.5."""
    pair = TwoNormals(Gaussian(1.0, 1.0), Gaussian(2.0, 1.0))
    (gain,), (middle,) = pair.linear()
    assert (gain, middle) == (-1.0, 1.5)
    assert pair.boundaries().tolist() == [1.5]
    x = np.linspace(-4, 6, 41)
    np.testing.assert_allclose(pair.log_ratio(x), gain * (x - middle), rtol=1e-12, atol=1e-12)
    nothing = TwoNormals(Gaussian(1.0, 1.0), Gaussian(1.0, 1.0))
    assert nothing.linear()[0].tolist() == [0.0]


def test_the_ratio_of_unequal_variances() -> None:
    """P.W07: 2 exp(-3 x^2 / 8 + x / 2); the printed form has another sign and lacks the linear term."""
    pair = TwoNormals(Gaussian(1.0, 1.0), Gaussian(2.0, 4.0))
    x = np.linspace(-5, 5, 41)
    np.testing.assert_allclose(pair.log_ratio(x), np.log(2.0) - 3.0 * x * x / 8.0 + x / 2.0, rtol=1e-12, atol=1e-12)
    assert np.exp(pair.log_ratio([0.0, 1.0])).round(4).tolist() == [2.0, 2.2663]


def test_the_boundaries_of_unequal_variances() -> None:
    """P.W08, P.M021: -0.8475 and 2.1809, roots of 3 x^2 - 4 x - 8 ln 2; not -+1.85 as printed."""
    pair = TwoNormals(Gaussian(1.0, 1.0), Gaussian(2.0, 4.0))
    root = np.sqrt(16.0 + 96.0 * np.log(2.0))
    np.testing.assert_allclose(pair.boundaries(), [(4.0 - root) / 6.0, (4.0 + root) / 6.0], rtol=1e-14)
    assert pair.boundaries().round(4).tolist() == [-0.8475, 2.1809]
    assert np.exp(pair.log_ratio([1.85, -1.85])).round(4).tolist() == [1.3975, 0.2197]
    alike = TwoNormals(Gaussian(0.0, 1.0), Gaussian(0.0, 4.0)).boundaries()
    np.testing.assert_allclose(alike, [-np.sqrt(8.0 / 3.0 * np.log(2.0)), np.sqrt(8.0 / 3.0 * np.log(2.0))])


def test_the_regions_of_unequal_variances() -> None:
    """P.W09: the narrower class has one interval, the wider one the two pieces around it."""
    regions = TwoNormals(Gaussian(1.0, 1.0), Gaussian(2.0, 4.0)).regions()
    assert [region.first for region in regions] == [False, True, False]
    assert (round(regions[1].low, 4), round(regions[1].high, 4)) == (-0.8475, 2.1809)


def test_the_bivariate_density_in_z_scores() -> None:
    """P.W10, P.M015, P.M016, P.M017, P.M018: z-score form, determinant, scaling, and the standard normal."""
    s, r, m = (1.3, 0.7), 0.6, np.array([0.4, -1.1])
    g = Gaussian(m, correlated(r, s))
    X = np.random.default_rng(0).normal(size=(50, 2))
    z1, z2 = ((X - m) / s).T
    form = -(z1**2 + z2**2 - 2 * r * z1 * z2) / (2 * (1 - r * r)) - np.log(2 * np.pi * s[0] * s[1] * np.sqrt(1 - r * r))
    np.testing.assert_allclose(g.log_density(X), form, rtol=1e-12)
    assert abs(np.linalg.det(g.covariance) - s[0] ** 2 * s[1] ** 2 * (1 - r * r)) <= 1e-15
    one, standard = Gaussian(0.4, 1.69), Gaussian(0.0, 1.0)
    np.testing.assert_allclose(one.log_density(X[:, 0]), standard.log_density((X[:, 0] - 0.4) / 1.3) - np.log(1.3))
    three = Gaussian(np.zeros(3), np.eye(3))
    np.testing.assert_allclose(three.log_density([1.0, 2.0, 3.0]), -1.5 * np.log(2 * np.pi) - 7.0, rtol=1e-14)


def test_the_density_as_a_distance() -> None:
    """P.M027: -ln p = ln E + D^2 / 2, and for the identity D is the Euclidean distance."""
    g = Gaussian(UP, correlated(0.6, (1.3, 0.7)))
    np.testing.assert_allclose(-g.log_density(GRID), g.log_normalizer + g.distance(GRID) ** 2 / 2.0, rtol=1e-12)
    assert abs(g.log_normalizer - 0.5 * np.log(np.linalg.det(2.0 * np.pi * g.covariance))) <= 1e-14
    plain = Gaussian(UP, np.eye(2)).distance(GRID)
    np.testing.assert_allclose(plain, np.linalg.norm(GRID - UP, axis=1), rtol=1e-12)


def test_unit_covariances_give_the_bisector() -> None:
    """P.W11, P.M023: the exponents differ by -4 x1 - 4 x2."""
    pair = TwoNormals(Gaussian(UP, np.eye(2)), Gaussian(DOWN, np.eye(2)))
    np.testing.assert_allclose(-2.0 * pair.log_ratio(GRID), -4.0 * GRID.sum(axis=1), atol=1e-12)
    assert pair.conic().kind is ConicKind.LINE


def test_a_shared_covariance_gives_a_tilted_line() -> None:
    """P.W12, P.M024: a vertical boundary; (1 - r^2) times the difference of the exponents is -2 x1."""
    C = correlated(np.sqrt(0.5), (1.0, np.sqrt(2.0)))
    pair = TwoNormals(Gaussian(UP, C), Gaussian(DOWN, C))
    np.testing.assert_allclose(0.5 * -2.0 * pair.log_ratio(GRID), -2.0 * GRID[:, 0], atol=1e-12)
    gain, middle = pair.linear()
    np.testing.assert_allclose(gain, [2.0, 0.0], atol=1e-12)
    assert middle.tolist() == [0.0, 0.0]


def test_opposite_correlations_give_a_hyperbola() -> None:
    """P.W13, P.M022: x1 + x2 + r x1 x2 + r = 0, with its centre at -1 / r."""
    r = 0.7
    pair = TwoNormals(Gaussian(UP, correlated(r)), Gaussian(DOWN, correlated(-r)))
    x1, x2 = GRID.T
    np.testing.assert_allclose(
        pair.log_ratio(GRID) * (1 - r * r) / 2.0, x1 + x2 + r * x1 * x2 + r, rtol=1e-11, atol=1e-11
    )
    conic = pair.conic()
    assert conic.kind is ConicKind.HYPERBOLA
    np.testing.assert_allclose(conic.centre, [-1.0 / r, -1.0 / r], rtol=1e-12)
    crossings = np.array([[-0.4084, -0.4084], [-2.4488, -2.4488]])
    assert np.abs(conic.value(crossings)).max() <= 2e-3
    assert round(1.0 / r**2 - 1.0, 4) == 1.0408


def test_a_corner_that_is_nearer_to_the_other_mean() -> None:
    """P.W14: (-3, -3) goes to the first although the second's mean is nearer."""
    r, corner = 0.7, np.array([-3.0, -3.0])
    pair = TwoNormals(Gaussian(UP, correlated(r)), Gaussian(DOWN, correlated(-r)))
    value = pair.log_ratio(corner)[0] * (1 - r * r) / 2.0
    assert abs(value - 1.0) <= 1e-12
    away = [round(float(np.linalg.norm(corner - mean)), 3) for mean in (UP, DOWN)]
    assert away == [5.657, 2.828]


def test_the_contour_projects_to_one_standard_deviation() -> None:
    """P.W15, P.M025: the contour runs from -0.9 to 1.7 in the first column, and has the z-score form."""
    r, s, m = 0.6, np.array([1.3, 0.7]), np.array([0.4, -1.1])
    g = Gaussian(m, correlated(r, (1.3, 0.7)))
    np.testing.assert_allclose(g.box()[0], [-0.9, 1.7], rtol=1e-12)
    points = g.contour(points=100_000)
    np.testing.assert_allclose(points.min(axis=0), m - s, atol=1e-8)
    np.testing.assert_allclose(points.max(axis=0), m + s, atol=1e-8)
    z1, z2 = ((points - m) / s).T
    np.testing.assert_allclose(z1**2 + z2**2 - 2 * r * z1 * z2, 1 - r * r, rtol=1e-10)


def test_the_tilt_of_a_contour_depends_on_the_correlation() -> None:
    """P.W16: 75.25 and 56.92 degrees for unequal sds, 45 for equal ones; the printed footnote denies it."""
    found = [np.degrees(Gaussian([0, 0], correlated(r, (1.0, np.sqrt(2.0)))).angle) for r in (0.2, 0.8)]
    assert np.round(found, 2).tolist() == [75.25, 56.92]
    assert [round(np.degrees(Gaussian([0, 0], correlated(r)).angle), 10) for r in (0.2, 0.8)] == [45.0, 45.0]


def test_unequal_covariances_need_not_give_a_hyperbola() -> None:
    """P.W17: here a circle about (1.6667, 1.6667) of radius 2.6930."""
    conic = TwoNormals(Gaussian(UP, np.eye(2)), Gaussian(DOWN, 4.0 * np.eye(2))).conic()
    assert conic.kind is ConicKind.CIRCLE
    assert conic.centre.round(4).tolist() == [1.6667, 1.6667]
    assert conic.half_axes.round(4).tolist() == [2.693, 2.693]


def test_lines_through_the_midpoint_and_how_odds_move_them() -> None:
    """P.W18, P.M024: the line is not at right angles to the means, and at 9 : 1 lies 0.8789 nearer to the rarer."""
    up, down, C = np.array([1.0, 2.0]), np.array([-1.0, 0.5]), np.array([[2.0, 0.8], [0.8, 1.0]])
    between = up - down
    gain, middle = TwoNormals(Gaussian(up, C), Gaussian(down, C)).linear()
    cosine = gain @ between / np.linalg.norm(gain) / np.linalg.norm(between)
    assert round(float(cosine), 4) == 0.9179
    plain = TwoNormals(Gaussian(up, np.eye(2)), Gaussian(down, np.eye(2)), odds=9.0)
    gain, middle = plain.linear()
    step = np.log(9.0) / np.linalg.norm(gain)
    assert round(float(step), 4) == 0.8789
    moved = middle - step * gain / np.linalg.norm(gain)
    np.testing.assert_allclose(plain.posterior([middle, moved]), [0.9, 0.5], rtol=1e-12)


@pytest.mark.parametrize("C", [np.eye(2), np.array([[2.0, 0.8], [0.8, 1.0]])], ids=["identity", "correlated"])
def test_the_likeliest_mean_is_the_mean(C: Any) -> None:
    """P.W19, P.M028: the least sum of squared Mahalanobis distances is at the arithmetic mean, whatever C."""
    X = np.random.default_rng(7).normal(size=(40, 2))
    found = minimize(lambda m: Gaussian(m, C).squared_distance(X).sum(), [0.5, 0.5], tol=1e-12).x
    np.testing.assert_allclose(Gaussian.of(X).mean, found, atol=1e-6)
    np.testing.assert_allclose(Gaussian.of(X).mean, X.mean(axis=0), rtol=1e-13)


def test_whitening_and_back() -> None:
    """P.M026: whitened rows of a distribution are standard normal, and the inverse map makes it from one."""
    X = np.random.default_rng(8).normal(size=(60, 2)) @ np.array([[2.0, 1.0], [0.0, 0.5]]) + [3.0, -1.0]
    g = Gaussian.of(X)
    Z = g.whiten(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0.0, atol=1e-13)
    np.testing.assert_allclose(np.cov(Z.T, bias=True), np.eye(2), atol=1e-12)
    np.testing.assert_allclose(g.colour(Z), X, rtol=1e-12)
