"""Bandwidths: rules of thumb, Sheather and Jones's equation, leave-one-out without refitting."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import gaussian_kde

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.families.windows.bandwidths import (
    LeaveOneOut,
    Scott,
    Silverman,
    bandwidth_of,
    log_likelihood,
    read_bandwidth,
)
from suffice.families.windows.sheather_jones import SheatherJones, robust_spread
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_sums import log_sums
from suffice.families.windows.windows import WINDOWS, GaussianWindow, TophatWindow

GAUSS = GaussianWindow()
RULES = [Scott(), Silverman(), SheatherJones(), LeaveOneOut()]


def heaps(n: int = 120, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=n // 2), rng.normal(6.0, 0.5, n - n // 2)])[:, None]


@pytest.mark.parametrize(("rule", "name"), [(Scott(), "scott"), (Silverman(), "silverman")])
def test_rules_of_thumb_are_those_of_scipy(rule: Scott | Silverman, name: str) -> None:
    x = heaps()
    theirs = gaussian_kde(x[:, 0], name)
    assert rule.choose(Points.of(x), GAUSS) == pytest.approx(np.sqrt(theirs.covariance[0, 0]), rel=1e-13)


def explicit_sheather_jones(x: Array) -> float:
    """The equation with all pairs written out."""
    n, pairs = len(x), len(x) * (len(x) - 1)
    gaps = x[:, None] - x
    between = np.subtract(*np.quantile(x, [0.75, 0.25])) / 1.349
    scale = min(x.std(ddof=1), between)

    def curvature(a: float) -> float:
        z = gaps / a
        return float(((z**4 - 6 * z**2 + 3) * np.exp(-z * z / 2)).sum() / (pairs * a**5 * np.sqrt(2 * np.pi)))

    def bend(b: float) -> float:
        z = gaps / b
        terms = (z**6 - 15 * z**4 + 45 * z**2 - 15) * np.exp(-z * z / 2)
        return float(-terms.sum() / (pairs * b**7 * np.sqrt(2 * np.pi)))

    factor = 1.357 * (curvature(1.24 * scale * n ** (-1 / 7)) / bend(1.23 * scale * n ** (-1 / 9))) ** (1 / 7)
    top = 1.144 * scale * n**-0.2
    return float(
        brentq(
            lambda h: (1 / (2 * np.sqrt(np.pi) * n * curvature(factor * h ** (5 / 7)))) ** 0.2 - h,
            1e-3 * top,
            3 * top,
            xtol=1e-14,
        )
    )


@pytest.mark.parametrize("seed", range(3))
def test_sheather_jones_solves_its_equation(seed: int) -> None:
    x = heaps(seed=seed)
    assert SheatherJones().choose(Points.of(x), GAUSS) == pytest.approx(explicit_sheather_jones(x[:, 0]), rel=1e-8)


def test_sheather_jones_is_like_the_rule_for_normal_points_and_finer_for_two_heaps() -> None:
    x = np.random.default_rng(0).normal(size=(2000, 1))
    ratio = SheatherJones().choose(Points.of(x), GAUSS) / Silverman().choose(Points.of(x), GAUSS)
    assert 0.8 < ratio < 1.1
    assert SheatherJones().choose(Points.of(heaps()), GAUSS) < 0.4 * Silverman().choose(Points.of(heaps()), GAUSS)


def test_sheather_jones_takes_one_column() -> None:
    rule = r"SheatherJones: the points must be of one column, got 2\. Use Scott\(\), Silverman\(\) or LeaveOneOut\(\)"
    with pytest.raises(BadInput, match=rule):
        SheatherJones().choose(Points.of(np.eye(2)), GAUSS)


def test_the_spread_that_outliers_do_not_move() -> None:
    x = np.array([0.0, 1, 2, 3, 4, 1e6])[:, None]
    assert robust_spread(Points.of(x)) == pytest.approx(2.5 / 1.349, rel=1e-15)
    assert robust_spread(Points.of(np.array([[0.0], [0], [0], [0], [5]]))) > 0  # quartiles are equal


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("candidates", [(0.3, 0.7, 1.5), None])
def test_leave_one_out_is_the_mean_over_explicit_refits(name: str, candidates: tuple[float, ...] | None) -> None:
    x, window = heaps(60), WINDOWS[name]
    rule, points = LeaveOneOut(candidates), Points.of(x)
    scores = rule.scores(points, window)
    for h, score in zip(rule.tried(points, window), scores, strict=True):
        logs = []
        for i in range(len(x)):
            rest = Points.of(np.delete(x, i, axis=0))
            logs.append(log_sums(rest, x[[i]], h, window)[0] - np.log((len(x) - 1) * h) - window.log_volume(1))
        assert score == pytest.approx(np.mean(logs), abs=1e-9) or (np.isneginf(score) and np.isneginf(np.mean(logs)))
    if np.isfinite(scores).any():
        assert rule.choose(points, window) == rule.tried(points, window)[np.argmax(scores)]


def test_leave_one_out_through_a_coarse_grid_is_near_the_exact_one() -> None:
    """Within 1e-4 on 5,000 points, with the same choice."""
    points = Points.of(heaps(5000))
    exact, coarse = LeaveOneOut(), LeaveOneOut(error=1e-6)
    np.testing.assert_allclose(coarse.scores(points, GAUSS), exact.scores(points, GAUSS), rtol=0, atol=1e-5)
    assert coarse.choose(points, GAUSS) == exact.choose(points, GAUSS)


def test_leave_one_out_in_more_dimensions() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    points = Points.of(X)
    for h, score in zip((0.5, 1.0), LeaveOneOut((0.5, 1.0)).scores(points, GAUSS), strict=True):
        refits = [gaussian(np.delete(X, i, axis=0), X[i], h) for i in range(40)]
        assert score == pytest.approx(np.mean(np.log(refits)), abs=1e-9)


def gaussian(X: Array, x: Array, h: float) -> float:
    u = ((X - x) ** 2).sum(axis=1) / h**2
    return float(np.mean(np.exp(-u / 2)) / (2 * np.pi * h * h) ** (X.shape[1] / 2))


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_weight_w_is_w_copies(rule: Scott) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(50, 1)), rng.integers(0, 4, 50)
    assert rule.choose(Points.of(x, w.astype(float)), GAUSS) == pytest.approx(
        rule.choose(Points.of(np.repeat(x, w, axis=0)), GAUSS), rel=1e-12
    )


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("window", WINDOWS.values(), ids=lambda w: type(w).__name__)
def test_units_do_not_matter(rule: Scott, window: GaussianWindow) -> None:
    x = heaps(80)
    h = rule.choose(Points.of(x), window)
    for scale in (1e-6, 1e6, 1e-100):
        assert rule.choose(Points.of(x * scale), window) == pytest.approx(h * scale, rel=1e-9)
    assert rule.choose(Points.of(x + 2.0**26), window) == pytest.approx(h, rel=1e-6)


def test_other_windows_get_a_bandwidth_that_smooths_as_much() -> None:
    points = Points.of(heaps())
    ratio = Silverman().choose(points, TophatWindow()) / Silverman().choose(points, GAUSS)
    assert ratio == pytest.approx((0.5 * 9 * 2 * np.sqrt(np.pi)) ** 0.2, rel=1e-10)


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("x", [[], [3.0], [3.0] * 9, [1e8 + 0.5] * 2])
def test_points_without_spread_have_no_bandwidth(rule: Scott, x: list[float]) -> None:
    points = Points.of(np.array(x).reshape(-1, 1))
    assert rule.choose(points, GAUSS) == 0.0
    assert bandwidth_of(rule, points, GAUSS) == 0.0


def test_a_window_that_never_reaches_takes_the_widest_candidate() -> None:
    points = Points.of(np.array([[0.0], [10.0], [20.0]]))
    assert LeaveOneOut((1.0, 2.0)).choose(points, TophatWindow()) == 2.0
    assert log_likelihood(Points.of(np.zeros((1, 1))), 1.0, GAUSS) == -np.inf


@pytest.mark.parametrize("given", [0, -1.0, np.inf, np.nan, True, "wide", None, Scott])
def test_what_is_no_bandwidth_is_refused(given: object) -> None:
    with pytest.raises(BadInput, match="me: bandwidth must be a finite number above 0, or a rule such as Silverman"):
        read_bandwidth("me", given)


@pytest.mark.parametrize("given", [(), (1.0, 0.0), (np.nan,), "abc", 3.0, (True,)])
def test_what_are_no_candidates_is_refused(given: object) -> None:
    with pytest.raises(BadInput, match="LeaveOneOut: candidates must be finite numbers above 0, at least one, got"):
        LeaveOneOut(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [-1e-3, 1.0, "x", np.nan])
def test_what_is_no_error_is_refused(given: object) -> None:
    with pytest.raises(BadInput, match="LeaveOneOut: error must be a number of at least 0 and below 1, got"):
        LeaveOneOut(error=given)  # type: ignore[arg-type]
