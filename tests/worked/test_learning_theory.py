"""The sources' numbers about sample sizes, version spaces and shattering; the corrected formulas."""

from __future__ import annotations

from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from suffice.decision import Decision
from suffice.decision.decide.posterior import Posterior
from suffice.evaluation import (
    Circles,
    HalfPlanes,
    HalfSpaces,
    Intervals,
    Thresholds,
    agnostic_gap,
    agnostic_rows,
    consistent_doubt,
    consistent_error,
    consistent_rows,
    exhaust,
    gap_by_rows,
    hoeffding,
    hoeffding_gap,
    hoeffding_rows,
    labellings,
    largest_shattered,
    linear_dimension,
    minimise_risk,
    minimiser_gap,
    probably_approximately_correct,
    shatters,
    unbiased_rows,
    union_bound,
    vc_term,
    version_space,
)

RNG = np.random.default_rng(0)
TRIANGLE = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
SQUARE = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]


def test_a_threshold_on_one_column() -> None:
    """C.M01.02, C.M13.01: the side of theta with the fewest errors."""
    X, y = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.0, 4.0]]), [0, 1, 0, 1]
    found = minimise_risk(Thresholds(column=1), X, y)
    assert (found.risk, found.looked_at) == (0.25, 5)
    assert 1.0 < found.hypothesis[0] < 2.0
    assert minimise_risk(Thresholds(column=1, both=True), X, 1 - np.array(y)).risk == 0.25


def test_a_circle_of_radius_one() -> None:
    """C.M01.03: inside (x - t1)^2 + (y - t2)^2 = 1 is the class; found where one exists, whatever its centre."""
    X = RNG.uniform(-2.0, 2.0, (40, 2))
    y = ((X - [0.4, -0.3]) ** 2).sum(axis=1) <= 1.0
    found = minimise_risk(Circles(), X, y)
    assert found.risk == 0.0
    assert found.predict(X).tolist() == y.tolist()


def test_the_least_risk_is_that_of_all_hypotheses() -> None:
    """C.M13.01: no random line, circle or interval does better than the one that was found."""
    X, y = RNG.normal(size=(15, 2)), RNG.integers(0, 2, 15).astype(bool)
    lines = np.column_stack([RNG.normal(size=(3000, 2)), RNG.normal(size=3000)])
    circles = RNG.uniform(-3.0, 3.0, (3000, 2))
    ends = np.sort(RNG.normal(size=(3000, 2)), axis=1)
    for space, theta in ((HalfPlanes(), lines), (Circles(), circles), (Intervals(), ends)):
        best = (space.predict(theta, X) != y).mean(axis=1).min()  # type: ignore[attr-defined]
        assert minimise_risk(space, X, y).risk <= best


def test_union_bound() -> None:
    """C.M13.02: the probability of any is at most the sum, whatever the events."""
    events = RNG.random((5, 10000)) < 0.1
    assert events.any(axis=0).mean() <= union_bound(events.mean(axis=1))
    assert union_bound([0.7, 0.6]) == 1.0


def test_hoeffding() -> None:
    """C.M13.03, C.R28: 2 exp(-2 g^2 m) = .2707 for m 100, g .1; the true tail of a fair coin is .0352."""
    assert round(hoeffding(0.1, 100), 4) == 0.2707
    assert hoeffding(0.1, 100, two_sided=False) == pytest.approx(exp(-2.0))
    tail = binom.cdf(39, 100, 0.5) + binom.sf(60, 100, 0.5)
    assert round(tail, 4) == 0.0352 < hoeffding(0.1, 100)
    assert hoeffding(hoeffding_gap(80, 0.03), 80) == pytest.approx(0.03, rel=1e-12)
    m = hoeffding_rows(0.1, 0.05)
    assert hoeffding(0.1, m) <= 0.05 < hoeffding(0.1, m - 1)


def test_sample_size_of_a_consistent_learner() -> None:
    """C.M13.06, C.R22: 99.03 rows, so 100. C.E12: m rows guarantee an error of at most ln(|H| / delta) / m."""
    m = consistent_rows(log(1000), 0.1, 0.05)
    assert (round(m, 2), ceil(m)) == (99.03, 100)
    assert consistent_error(log(1000), 100, 0.05) <= 0.1 < consistent_error(log(1000), 99, 0.05)
    assert consistent_doubt(log(1000), 100, 0.1) == pytest.approx(1000 * exp(-10.0))
    assert consistent_doubt(log(1000), 1, 0.1) == 1.0


def test_sample_size_of_an_agnostic_learner() -> None:
    """C.M13.07, C.R23: 495.17 rows, so 496."""
    m = agnostic_rows(log(1000), 0.1, 0.05)
    assert (round(m, 2), ceil(m)) == (495.17, 496)
    assert agnostic_gap(log(1000), 496, 0.05) <= 0.1 < agnostic_gap(log(1000), 495, 0.05)


def test_sample_size_without_bias() -> None:
    """C.M13.08, C.R24, C.E11: 1258.8 rows for n = 5, where the printed form gives 5902.2."""
    found = [unbiased_rows(n, 0.1, 0.05) for n in (2, 5, 10)]
    assert np.round(found, 1).tolist() == [288.4, 1258.8, 35638.9]
    assert all(m > 2**n for m, n in zip(found, (2, 5, 10), strict=True))
    printed = 2**5 * log(2 / 0.05) / (2 * 0.1**2)
    assert round(printed, 2) == 5902.21
    assert found[1] == pytest.approx(agnostic_rows(log(2.0 ** (2**5)), 0.1, 0.05))


def test_the_gap_of_a_risk_minimiser() -> None:
    """C.M13.09, C.E13: an upper bound, with |H| + 1 events: the error of the best h may be below its risk too."""
    H, m, delta = 20, 200, 0.1
    assert minimiser_gap(log(H), m, delta) == pytest.approx(2 * sqrt(log((H + 1) / delta) / (2 * m)))
    assert minimiser_gap(log(H), m, delta) > 2 * sqrt(log(H / delta) / (2 * m))
    errors = np.linspace(0.3, 0.5, H)
    risks = RNG.binomial(m, errors, (2000, H)) / m
    excess = errors[risks.argmin(axis=1)] - errors.min()
    assert (excess > minimiser_gap(log(H), m, delta)).mean() <= delta


def test_the_criterion() -> None:
    """C.M13.04: error at most eps with probability at least 1 - delta; both below 1/2."""
    assert probably_approximately_correct([0.0] * 95 + [0.3] * 5, 0.1, 0.05)
    assert not probably_approximately_correct([0.0] * 94 + [0.3] * 6, 0.1, 0.05)
    with pytest.raises(ValueError, match=r"eps must be between 0 and 0\.5"):
        probably_approximately_correct([0.0], 0.5, 0.05)


def test_version_spaces_are_exhausted() -> None:
    """C.M13.05, C.E38: survivors above eps are as rare as |H| exp(-eps m) says; at most eps is exhausted."""
    X = np.linspace(0.0, 1.0, 400)[:, None]
    y = X[:, 0] > 0.5
    theta = np.column_stack([np.linspace(0.0, 1.0, 41), np.ones(41)])
    assert version_space(Thresholds(), theta, [[0.2], [0.8]], [0, 1]).sum() == 24
    found = exhaust(Thresholds(), theta, X, y, [10, 40, 80], eps=0.1, runs=300)
    assert (found.left <= found.bound + 3 * np.sqrt(0.25 / 300)).all()
    assert found.left[0] > 0.1 > found.left[2]
    assert (np.diff(found.survivors) < 0).all()
    errors = (Thresholds().predict(theta, X) != y).mean(axis=1)
    worst = float(np.sort(errors)[-1])
    assert exhaust(Thresholds(), theta, X, y, [1], eps=worst, runs=5).left[0] == 0.0  # "at most", not "below"


def test_lines_shatter_triangles() -> None:
    """C.R25, C.R27, C.M13.10: a triangle yes (8 labellings, 2 of them trivial), three on a line and a square no."""
    triangle = labellings(HalfSpaces(), TRIANGLE)
    assert (triangle.shattered, len(triangle.given)) == (True, 8)
    assert sum(1 for y in triangle.given if 0 < y.sum() < 3) == 6
    assert not shatters(HalfSpaces(), [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    square = labellings(HalfSpaces(), SQUARE)
    assert {tuple(y) for y in square.missing.tolist()} == {(False, True, True, False), (True, False, False, True)}
    planes = labellings(HalfPlanes(), SQUARE)  # listed lines and linear programs agree
    assert planes.given.tolist() == square.given.tolist()


def test_hyperplanes_in_four_columns() -> None:
    """C.R26, C.M13.11: VC = D + 1: a simplex of 5 is shattered, no set of 6 is."""
    simplex = np.vstack([np.zeros(4), np.eye(4)])
    assert shatters(HalfSpaces(), simplex)
    assert linear_dimension(4) == 5 == largest_shattered(HalfSpaces(), [simplex, *RNG.normal(size=(40, 6, 4))])


def test_dimensions_of_the_other_sets() -> None:
    """C.M13.11: thresholds 1, on both sides 2, intervals 2."""
    sets = [RNG.normal(size=(m, 1)) for m in range(1, 5)]
    assert [largest_shattered(s, sets) for s in (Thresholds(), Thresholds(both=True), Intervals())] == [1, 2, 2]
    close = 0.3 * np.array(TRIANGLE)
    assert shatters(Circles(), close)  # a circle of radius 1 takes in any part of a small triangle


def test_the_vc_term() -> None:
    """C.R29, C.M13.12, C.E38: .3676, .1429, .0523; dimension and rows sit under one root, neither is proportional."""
    assert [round(vc_term(3, m, 0.05), 4) for m in (100, 1000, 10000)] == [0.3676, 0.1429, 0.0523]
    assert vc_term(6, 1000, 0.05) < 2 * vc_term(3, 1000, 0.05)
    assert vc_term(3, 2000, 0.05) > vc_term(3, 1000, 0.05) / 2


def test_bounds_beside_observed_gaps() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(1000, 1))
    y = (X[:, 0] > 0.4) ^ (rng.random(1000) < 0.2)
    theta = np.column_stack([np.linspace(0.0, 1.0, 50), np.ones(50)])
    curve = gap_by_rows(Thresholds(), theta, X, y, [20, 200], delta=0.1, runs=100)
    assert (curve.passed <= 0.1).all()
    assert curve.gaps[0].mean() > curve.gaps[1].mean() > 0.0


def test_costs_of_a_missed_illness() -> None:
    """C.R30, C.R54: costs 5 and 1: ill from p > 1/6 on; at p = .2 calling it costs .8, not calling it 1."""
    decision = Decision.read("test", ("ill", "healthy"), prior=None, costs=[[0.0, 5.0], [1.0, 0.0]], reject=None)
    p = np.array([0.2, 1 / 6 - 1e-9, 1 / 6 + 1e-9])
    told = decision.decide(Posterior(np.column_stack([p, 1 - p]), np.array([0.5, 0.5])))
    assert told.tolist() == [0, 1, 0]
    costs = np.array([0.2, 0.8]) @ np.array([[0.0, 5.0], [1.0, 0.0]])
    np.testing.assert_allclose(costs, [0.8, 1.0])


def test_refusing_below_a_probability() -> None:
    """C.R53: phi .7: (.65, .35) is refused, (.75, .25) is the first class."""
    decision = Decision.read("test", (1, 2), prior=None, costs=None, reject=None, at_least=0.7)
    told = decision.decide(Posterior(np.array([[0.65, 0.35], [0.75, 0.25]]), np.array([0.5, 0.5])))
    assert told.tolist() == [-1, 0]
