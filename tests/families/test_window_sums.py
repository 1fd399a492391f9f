"""Sums of windows: every route says what the sum over all pairs says, and what exact rationals and refits say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from suffice.core.block import Array
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_grid import WindowGrid, grid_sums, squared_derivative
from suffice.families.windows.window_sums import log_others, log_sums, pairwise
from suffice.families.windows.windows import WINDOWS, EpanechnikovWindow, GaussianWindow
from suffice.numerics import loop

EACH = pytest.mark.parametrize("name", WINDOWS)
GAUSS = GaussianWindow()


def sample(n: int = 700, offset: float = 0.0, seed: int = 0) -> Points:
    """Two heaps, ties, a far point, fractional weights."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(size=n // 2), 30 + np.round(rng.normal(size=n - n // 2), 1), [1e4]])
    return Points.of((offset + x)[:, None], rng.uniform(0.2, 3.0, len(x)))


def places(offset: float = 0.0) -> Array:
    rng = np.random.default_rng(1)
    far = [-1e5, -60.0, 12.0, 15.0, 500.0, 1e4 + 3.0, 1e9]
    return (offset + np.concatenate([rng.normal(0, 2, 300), rng.normal(30, 2, 300), far]))[:, None]


def close(a: Array, b: Array, tolerance: float) -> None:
    with np.errstate(invalid="ignore"):
        assert ((a == b) | (np.abs(a - b) <= tolerance * (1.0 + np.abs(b)))).all(), np.abs(a - b).max()


@EACH
@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("h", [0.03, 0.4, 7.0])
def test_every_route_is_the_sum_over_all_pairs(name: str, offset: float, h: float) -> None:
    points, X, window = sample(offset=offset), places(offset), WINDOWS[name]
    expected = pairwise(points, X, h, window)
    alone = np.logaddexp(
        pairwise(points, points.rows, h, window, np.arange(len(points.rows))),
        np.log(np.maximum(points.weight - 1, 1e-300)) + np.where(points.weight > 1, 0.0, -np.inf),
    )
    for cells in (0, loop.WORTH):  # the NumPy twins, then the compiled loops
        with loop.whole(cells):
            close(log_sums(points, X, h, window), expected, 2e-14)
            close(log_others(points, h, window), alone, 1e-9)


@EACH
def test_pairs_are_added_as_scipy_adds_them(name: str) -> None:
    points, X, window = sample(40), places()[::20], WINDOWS[name]
    with np.errstate(divide="ignore"):
        u = np.abs(X - points.values) / 0.5
        logs = np.log(np.where(u < window.reach, window.profile(np.minimum(u, window.reach)), 0.0))
    if np.isfinite(window.reach):
        close(pairwise(points, X, 0.5, window), logsumexp(logs, b=points.weight, axis=1), 1e-13)
    near = u.min(axis=1) < 20
    close(pairwise(points, X, 0.5, window)[near], logsumexp(logs, b=points.weight, axis=1)[near], 1e-13)


@pytest.mark.parametrize("error", [1e-2, 1e-4, 1e-6, 1e-9, 1e-12])
def test_the_grid_keeps_its_stated_relative_error(error: float) -> None:
    points, X = sample(3000), places()
    for h in (0.05, 0.5):
        sums, good = grid_sums(points, X[:, 0], h, error)
        expected = np.exp(pairwise(points, X, h, GAUSS))
        assert good.sum() > 500
        gap = np.abs(sums[good] / expected[good] - 1.0)
        assert gap.max() <= error
        assert np.exp(np.abs(log_sums(points, X, h, GAUSS, error) - pairwise(points, X, h, GAUSS)).max()) <= 1 + error


def test_a_coarser_grid_is_cheaper() -> None:
    fine, coarse = WindowGrid.of(1.0, 1000, 0.0), WindowGrid.of(1.0, 1000, 1e-6)
    assert coarse.reach <= 0.5 * fine.reach
    assert 1.7 < coarse.per < fine.per < 3.0


def test_multiples_of_a_grid_step_are_exact() -> None:
    for h in (0.1, 1 / 3, 1e-7, 1e11):
        step = WindowGrid.of(h, 10, 0.0).step
        assert np.frexp(step)[0] * 32 == np.rint(np.frexp(step)[0] * 32)  # five digits of 0 and 1
        assert all((k * step) / step == k and (k * step) - ((k - 1) * step) == step for k in (3.0, 2.0**40 + 1))


def test_points_too_far_from_zero_for_the_grid_are_added_pair_by_pair() -> None:
    rng = np.random.default_rng(0)
    points = Points.of(1e15 + np.round(rng.normal(size=(600, 1)) * 10) / 8)
    _, good = grid_sums(points, points.values, 0.01, 0.0)
    assert not good.any()
    close(log_sums(points, points.rows, 0.01, GAUSS), pairwise(points, points.rows, 0.01, GAUSS), 0.0)


def test_far_from_all_points_the_log_density_is_that_of_the_nearest() -> None:
    """Nothing underflows: at 1000 bandwidths the density is e^-500000."""
    points = Points.of(np.array([[0.0], [1.0]]))
    assert log_sums(points, np.array([[1001.0]]), 1.0, GAUSS)[0] == pytest.approx(-5e5, rel=1e-12)
    assert log_sums(points, np.array([[2.5]]), 1.0, EpanechnikovWindow())[0] == -np.inf


@EACH
def test_leaving_one_out_is_a_refit_without_it(name: str) -> None:
    points, window = Points.of(np.random.default_rng(2).normal(size=(60, 1))), WINDOWS[name]
    others = log_others(points, 0.6, window)
    for i in range(60):
        rest = Points(np.delete(points.rows, i, 0), np.delete(points.weight, i))
        close(others[[i]], log_sums(rest, points.rows[[i]], 0.6, window), 1e-12)


def test_leaving_one_out_of_an_isolated_point_keeps_its_digits() -> None:
    x = np.concatenate([np.random.default_rng(0).normal(size=400), [9.0]])
    points = Points.of(x[:, None])
    expected = pairwise(points, points.rows, 0.5, GAUSS, np.arange(len(points.rows)))
    assert expected[-1] < -50
    close(log_others(points, 0.5, GAUSS), expected, 1e-12)


@pytest.mark.parametrize("d", [2, 3, 6])
def test_more_dimensions_at_any_scale(d: int) -> None:
    rng = np.random.default_rng(d)
    X, Q = rng.normal(size=(50, d)), rng.normal(size=(9, d))
    u2 = ((Q[:, None] - X) ** 2).sum(axis=2) / 0.49
    expected = logsumexp(-0.5 * u2, axis=1)
    for scale in (1.0, 1e-170, 1e160):
        close(log_sums(Points.of(X * scale), Q * scale, 0.7 * scale, GAUSS), expected, 1e-13)
    others = logsumexp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2) / 0.49 + np.diag(np.full(50, -np.inf)), axis=1)
    close(log_others(Points.of(X), 0.7, GAUSS), others, 1e-13)


@pytest.mark.parametrize(("order", "sign"), [(2, 1.0), (3, -1.0)])
def test_squared_derivatives_are_sums_over_pairs(order: int, sign: float) -> None:
    points, g = sample(200), 0.7
    z = (points.values[:, None] - points.values) / g
    hermite = {2: z**4 - 6 * z**2 + 3, 3: z**6 - 15 * z**4 + 45 * z**2 - 15}[order]
    terms = hermite * np.exp(-z * z / 2) / np.sqrt(2 * np.pi) / g ** (2 * order + 1)
    expected = sign * float(points.weight @ terms @ points.weight)
    assert squared_derivative(points, g, order) == pytest.approx(expected, rel=1e-12)


def test_nothing_to_add() -> None:
    nobody = Points.of(np.zeros((3, 1)), np.zeros(3))
    assert log_sums(nobody, np.zeros((2, 1)), 1.0, GAUSS).tolist() == [-np.inf, -np.inf]
    assert log_sums(Points.of(np.zeros((3, 2))), np.zeros((0, 2)), 1.0, GAUSS).tolist() == []
