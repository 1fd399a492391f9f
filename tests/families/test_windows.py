"""Windows: volumes, the three conditions, what smooths alike, and draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import kstest
from sklearn.neighbors._ball_tree import kernel_norm

from suffice.core.errors import BadInput
from suffice.families.windows.windows import WINDOWS, GaussianWindow, TophatWindow, check_window, log_ball, read_window

EACH = pytest.mark.parametrize("name", WINDOWS)


def radial(name: str, d: int, power: int = 0) -> float:
    """The integral of |u|^power K(u) over d dimensions."""
    window = WINDOWS[name]
    surface = d * np.exp(log_ball(d))

    def shell(r: float) -> float:
        return float(surface * r ** (d - 1 + power) * np.exp(window.log_density(np.array(r), d)))

    return float(quad(shell, 0.0, min(window.reach, 80.0), epsabs=0, epsrel=1e-12, limit=200)[0])


@EACH
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 12])
def test_windows_integrate_to_one_in_any_dimension(name: str, d: int) -> None:
    assert radial(name, d) == pytest.approx(1.0, abs=1e-10)


@EACH
@pytest.mark.parametrize("d", [1, 3, 5])
def test_volumes_are_those_of_scikit_learn(name: str, d: int) -> None:
    assert -WINDOWS[name].log_volume(d) == pytest.approx(np.log(kernel_norm(1.0, d, name)), abs=1e-13)


def test_the_cosine_window_of_scikit_learn_has_no_unit_volume_in_even_dimensions() -> None:
    """Its recursion drops the last term there; ours is the integral."""
    ours = np.exp(WINDOWS["cosine"].log_volume(2))
    assert ours == pytest.approx(4.0 - 8.0 / np.pi, rel=1e-14)
    assert abs(kernel_norm(1.0, 2, "cosine") * ours - 1.0) > 0.5


@EACH
def test_every_window_keeps_the_three_conditions(name: str) -> None:
    """C.M06.09: not negative, integral 1, symmetric."""
    found = check_window(WINDOWS[name])
    assert found.holds
    assert found.area == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("function", "broken"),
    [
        (lambda u: (1.5 - 0.5 * u * u) * np.exp(-u * u / 2) / np.sqrt(2 * np.pi), "nonnegative"),  # of fourth order
        (lambda u: np.exp(-u * u / 2), "unit_area"),
        (lambda u: np.exp(-((u - 1) ** 2) / 2) / np.sqrt(2 * np.pi), "symmetric"),
    ],
)
def test_each_condition_can_be_broken_alone(function: object, broken: str) -> None:
    found = check_window(function)  # type: ignore[arg-type]
    assert not found.holds
    assert [name for name in ("nonnegative", "unit_area", "symmetric") if not getattr(found, name)] == [broken]


@pytest.mark.parametrize("scale", [1e-4, 0.3, 1.0, 77.0])
def test_windows_of_any_width_are_checked(scale: float) -> None:
    assert check_window(lambda u: GaussianWindow()(u / scale) / scale).holds


def test_what_is_no_function_of_an_array_is_refused() -> None:
    with pytest.raises(BadInput, match="check_window: function must be callable with an array of numbers, got 3"):
        check_window(3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="check_window: function must be one that gives a finite number for each"):
        check_window(lambda u: 1.0)
    with pytest.raises(BadInput, match="check_window: function must be one that gives a finite number for each"):
        check_window(lambda u: np.full_like(u, np.nan))


@pytest.mark.parametrize(
    ("name", "roughness", "variance"),
    [
        ("gaussian", 1 / (2 * np.sqrt(np.pi)), 1.0),
        ("tophat", 1 / 2, 1 / 3),
        ("epanechnikov", 3 / 5, 1 / 5),
        ("exponential", 1 / 4, 2.0),
        ("linear", 2 / 3, 1 / 6),
        ("cosine", np.pi**2 / 16, 1 - 8 / np.pi**2),
    ],
)
def test_canonical_bandwidths_in_closed_form(name: str, roughness: float, variance: float) -> None:
    assert WINDOWS[name].canonical() == pytest.approx((roughness / variance**2) ** 0.2, rel=1e-10)


@EACH
@pytest.mark.parametrize("d", [1, 2, 3])
def test_draws_have_the_distances_of_the_window(name: str, d: int) -> None:
    window = WINDOWS[name]
    for rng in (np.random.default_rng(3), np.random.RandomState(3)):
        points = window.draw(4000, d, rng)
        assert points.shape == (4000, d)
        distance = np.sqrt((points**2).sum(axis=1))
        grid = np.linspace(0, min(window.reach, 40.0), 4001)
        density = grid ** (d - 1) * np.exp(window.log_density(grid, d))
        steps = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
        assert kstest(distance, lambda r, g=grid, s=steps: np.interp(r, g, s / s[-1])).pvalue > 1e-3
        assert (points[:, 0] > 0).mean() == pytest.approx(0.5, abs=0.04)


def test_windows_out_of_reach_are_nothing() -> None:
    assert TophatWindow()([-1.0, -0.999, 0.0, 0.999, 1.0]) == pytest.approx([0.0, 0.5, 0.5, 0.5, 0.0], abs=1e-15)
    assert GaussianWindow().log_density(np.array(1e3)) == pytest.approx(-5e5 - 0.5 * np.log(2 * np.pi))


def test_windows_are_read_by_name_or_taken_as_they_are() -> None:
    assert read_window("me", "window", "tophat") == TophatWindow() == read_window("me", "window", TophatWindow())
    for given in ("triangle", None, TophatWindow, 3):
        with pytest.raises(BadInput, match=r"me: window must be one of gaussian, tophat, .*, or a Window, got"):
            read_window("me", "window", given)
