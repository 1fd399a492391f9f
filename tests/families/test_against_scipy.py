"""Every family against SciPy's distributions: densities, samples, powers, missing cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.families.counts.binomial import BetaBinomials, Binomials
from suffice.families.counts.geometric import BetaGeometrics, Geometrics
from suffice.families.counts.poisson import NegativeBinomials, Poissons
from suffice.families.normals.normal import Normals
from suffice.families.normals.student import Students

ONES = np.ones(2)


def table(*rows: list[float]) -> Array:
    return np.array(rows)


class Case(NamedTuple):
    """A distribution of 3 components and 2 columns, its twin in SciPy, and cells it can have."""

    distribution: Any
    peer: Callable[[int, int], Any]  # component and column -> frozen distribution
    cells: Array


MEAN, VARIANCE = table([0.0, 5.0], [1e3, -2.0], [0.1, 0.2]), table([1.0, 2.0], [1e-4, 1e4], [9.0, 0.25])
FREEDOM = table([3.5, 5.0], [40.0, 1e7], [8.0, 6.0])
RATE = table([0.5, 3.0], [1e-3, 200.0], [1.0, 1e4])
THETA = table([0.5, 0.1], [0.001, 0.99], [0.3, 0.7])
YES, NO = table([0.5, 2.0], [30.0, 100.0], [1.0, 5.0]), table([2.5, 4.5], [3.5, 200.0], [6.0, 50.0])
COUNTS, REALS = np.array([0.0, 1.0, 2.0, 7.0, 150.0]), np.array([-3.0, 0.0, 0.1, 999.99, 1e4])
CASES = {
    "normal": Case(
        Normals(exact(MEAN), VARIANCE, ONES),
        lambda k, j: stats.norm(MEAN[k, j], np.sqrt(VARIANCE[k, j])), REALS,
    ),
    "Student": Case(
        Students(exact(MEAN), VARIANCE, FREEDOM, ONES),
        lambda k, j: stats.t(FREEDOM[k, j], MEAN[k, j], np.sqrt(VARIANCE[k, j])), REALS,
    ),
    "Poisson": Case(Poissons(RATE, ONES), lambda k, j: stats.poisson(RATE[k, j]), COUNTS),
    "negative binomial": Case(
        NegativeBinomials(YES, NO, ONES), lambda k, j: stats.nbinom(YES[k, j], NO[k, j] / (NO[k, j] + 1.0)), COUNTS
    ),
    "binomial": Case(Binomials(150, THETA, ONES), lambda k, j: stats.binom(150, THETA[k, j]), COUNTS),
    "beta-binomial": Case(
        BetaBinomials(150, YES, NO, ONES), lambda k, j: stats.betabinom(150, YES[k, j], NO[k, j]), COUNTS
    ),
    "geometric": Case(Geometrics(THETA, ONES), lambda k, j: stats.geom(THETA[k, j]), COUNTS[1:]),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def peer_cells(case: Case, X: Array, k: int) -> Array:
    columns = []
    for j in range(2):
        peer = case.peer(k, j)
        log = peer.logpdf if isinstance(peer.dist, stats.rv_continuous) else peer.logpmf
        columns.append(log(X[:, j]))
    return np.stack(columns, axis=1)


def grid(case: Case) -> Array:
    return np.stack(np.meshgrid(case.cells, case.cells), axis=2).reshape(-1, 2)


def test_log_densities(case: Case) -> None:
    X = grid(case)
    density = case.distribution.log_density(X)
    assert density.shape == (len(X), 3)
    for k in range(3):
        true = peer_cells(case, X, k)
        cells = case.distribution.cells(X, k)
        np.testing.assert_allclose(cells, true, rtol=2e-12, atol=1e-12)
        np.testing.assert_allclose(density[:, k], cells.sum(axis=1), rtol=1e-14)


def test_a_missing_cell_adds_nothing(case: Case) -> None:
    X = grid(case)
    holes = X.copy()
    holes[::2, 0] = np.nan
    holes[::3, 1] = np.nan
    for k in range(3):
        true = np.where(np.isnan(holes), 0.0, case.distribution.cells(X, k))
        np.testing.assert_array_equal(case.distribution.cells(holes, k), true)
    nothing = case.distribution.log_density(np.full((2, 2), np.nan))
    np.testing.assert_array_equal(nothing, np.zeros((2, 3)))


def test_powers(case: Case) -> None:
    X = grid(case)
    powered = case.distribution.power(np.array([0.5, 0.0])).power(np.array([3.0, 2.0]))
    for k in range(3):
        cells = case.distribution.cells(X, k)
        np.testing.assert_allclose(
            powered.cells(X, k), np.stack([1.5 * cells[:, 0], 0.0 * cells[:, 1]], axis=1), rtol=1e-15
        )
    np.testing.assert_allclose(powered.log_density(X)[:, 2], powered.cells(X, 2).sum(axis=1), rtol=1e-15)


def test_narrow_floats_lose_no_digits_of_ours(case: Case) -> None:
    X = grid(case).astype(np.float32)
    np.testing.assert_array_equal(case.distribution.log_density(X), case.distribution.log_density(X.astype(np.float64)))
    np.testing.assert_array_equal(case.distribution.log_density(np.asfortranarray(X)), case.distribution.log_density(X))


def test_no_rows_and_one_row(case: Case) -> None:
    assert case.distribution.log_density(np.zeros((0, 2))).shape == (0, 3)
    assert case.distribution.log_density(grid(case)[:1]).shape == (1, 3)


def test_samples_have_the_mean_and_variance(case: Case) -> None:
    """Five standard errors, for every component and column at once."""
    n = 60_000
    components = np.tile([0, 1, 2], n)
    drawn = case.distribution.sample(components, np.random.default_rng(0))
    assert drawn.shape == (3 * n, 2)
    for k in range(3):
        for j in range(2):
            mean, variance, _, kurtosis = (float(v) for v in case.peer(k, j).stats("mvsk"))
            mine = drawn[components == k, j]
            assert abs(mine.mean() - mean) <= 5 * np.sqrt(variance / n)
            if np.isfinite(kurtosis):
                assert abs(mine.var() - variance) <= 5 * variance * np.sqrt((kurtosis + 2) / n)
    again = case.distribution.sample(components, np.random.default_rng(0))
    np.testing.assert_array_equal(drawn, again)


def test_counts_outside_the_support_tell_nothing() -> None:
    """Impossible under every component, like a label that none can have: no density, and no evidence."""
    for name in ("Poisson", "negative binomial", "binomial", "beta-binomial", "geometric"):
        d = CASES[name].distribution
        X = np.array([[-1.0, 2.0], [np.inf, 2.0], [np.nan, 2.0], [-np.inf, 2.0], [2.5, 2.0]])
        np.testing.assert_array_equal(d.log_evidence(X), np.tile(d.log_density(X[2:3]), (5, 1)))
        assert np.isneginf(d.log_density(X)).all(axis=1).tolist() == [True, False, False, False, True]
    for name, cell in (("binomial", 151.0), ("geometric", 0.0)):
        d = CASES[name].distribution
        beyond, missing = np.array([[cell, 2.0]]), np.array([[np.nan, 2.0]])
        np.testing.assert_array_equal(d.log_evidence(beyond), d.log_density(missing))
        assert np.isneginf(d.log_density(beyond)).all()


def test_a_cell_that_one_component_excludes_excludes_it() -> None:
    d = Poissons(table([0.0, 1.0], [2.0, 1.0]), ONES)
    assert np.isneginf(d.log_density(np.array([[3.0, 1.0]]))[0, 0])
    assert np.isneginf(d.cells(np.array([[3.0, 1.0]]), 0)[0, 0])
    assert np.isfinite(d.log_density(np.array([[3.0, 1.0]]))[0, 1])
    assert d.log_density(np.array([[0.0, np.nan]]))[0].tolist() == [0.0, -2.0]
    assert np.isfinite(d.power(np.array([0.0, 1.0])).log_density(np.array([[3.0, 1.0]]))).all()


def test_beta_geometric_probabilities_sum_to_one() -> None:
    """SciPy has no beta-geometric distribution; its tail after n trials is B(a, b + n) / B(a, b)."""
    from scipy.special import betaln

    d = BetaGeometrics(YES, NO, ONES)
    X = np.repeat(np.arange(1.0, 2001.0)[:, None], 2, axis=1)
    for k in range(3):
        total = np.exp(d.cells(X, k)).sum(axis=0)
        tail = np.exp(betaln(YES[k], NO[k] + 2000) - betaln(YES[k], NO[k]))
        np.testing.assert_allclose(total + tail, 1.0, rtol=1e-9)


def test_beta_geometric_samples() -> None:
    d, n = BetaGeometrics(table([30.0, 5.0]), table([10.0, 20.0]), ONES), 60_000
    drawn = d.sample(np.zeros(n, dtype=int), np.random.default_rng(1))
    values = np.arange(1.0, 6.0)
    for j in range(2):
        chances = np.exp(d.cells(np.repeat(values[:, None], 2, axis=1), 0)[:, j])
        seen = (drawn[:, j, None] == values).mean(axis=0)
        assert (np.abs(seen - chances) <= 5 * np.sqrt(chances * (1 - chances) / n)).all()
