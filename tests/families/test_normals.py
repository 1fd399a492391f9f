"""Normal families beside SciPy: densities, marginals, priors, digits and edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from suffice.core.double_double import Pair
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.families import DiagonalNormal, FullNormal, NormalInverseWishart, SphericalNormal, TiedNormal
from suffice.families.family import Reading
from suffice.families.normals.covariance_priors import VarianceRidge
from suffice.families.normals.incomplete_normals import completed, observed
from suffice.families.normals.joint_normals import JointNormals, inverse_of_lower
from suffice.families.normals.missing_columns import regression
from suffice.families.normals.variance_priors import NormalInverseGamma, VarianceFloor
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments
from suffice.summaries.pattern_moments import PatternMoments, TooManyPatterns, check_patterns, most_patterns
from tests.families.parts import column, hard, learn

NAN = np.nan
JOINT = [FullNormal, TiedNormal]
ALL = [DiagonalNormal, SphericalNormal, *JOINT]


def rows(n: int = 200, d: int = 4, K: int = 3, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, K, n)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + codes[:, None]
    return np.rint(X * 2.0**20) / 2.0**20, codes  # on a grid, so that adding 1e8 loses nothing


def covariance_of(normals: Any, k: int) -> Any:
    if isinstance(normals, JointNormals):
        return normals.covariance[k % len(normals.covariance)]
    return np.diag(normals.variance[k])


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("family", ALL)
def test_log_densities_are_scipys(family: Any, offset: float) -> None:
    X, codes = rows()
    normals = learn(family(), X + offset, hard(codes))
    logs = normals.log_density(X + offset)
    for k in range(3):
        centre = (normals.mean.high[k] - offset) + normals.mean.low[k]
        theirs = multivariate_normal(centre, covariance_of(normals, k)).logpdf(X)
        np.testing.assert_allclose(logs[:, k], theirs, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("family", ALL)
def test_adding_1e8_changes_nothing_on_a_grid(family: Any) -> None:
    X, codes = rows()
    before = learn(family(), X, hard(codes)).log_density(X)
    after = learn(family(), X + 1e8, hard(codes)).log_density(X + 1e8)
    np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("family", JOINT)
def test_components_1e8_apart_keep_their_digits(family: Any) -> None:
    X, codes = rows(K=2)
    far = X + 1e8 * codes[:, None]
    family = family(VarianceRidge(0.0))
    near, apart = (learn(family, some, hard(codes)) for some in (X, far))
    for k in range(2):
        mine = codes == k
        np.testing.assert_allclose(
            apart.log_density(far[mine])[:, k], near.log_density(X[mine])[:, k], rtol=1e-11, atol=1e-11
        )


@pytest.mark.parametrize("scale", [1e-6, 1e6, np.array([1e-6, 1.0, 1e6, 3.7])])
@pytest.mark.parametrize("family", [DiagonalNormal, *JOINT])
def test_units_change_the_density_by_their_product_alone(family: Any, scale: Any) -> None:
    X, codes = rows()
    before = learn(family(), X, hard(codes)).log_density(X)
    after = learn(family(), X * scale, hard(codes)).log_density(X * scale)
    np.testing.assert_allclose(after + np.log(np.broadcast_to(scale, 4)).sum(), before, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("family", JOINT)
def test_maximum_likelihood_is_the_mean_and_the_covariance(family: Any) -> None:
    X, codes = rows()
    normals = learn(family(VarianceRidge(0.0)), X, hard(codes))
    each = [np.cov(X[codes == k].T, bias=True) for k in range(3)]
    share = np.bincount(codes) / len(codes)
    expected = each if family is FullNormal else [np.einsum("k,kij->ij", share, each)]
    np.testing.assert_allclose(normals.covariance, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(normals.mean.value, [X[codes == k].mean(axis=0) for k in range(3)], rtol=1e-12)


def test_spherical_is_the_mean_of_the_variances_and_diagonal_their_diagonal() -> None:
    X, codes = rows()
    diagonal = learn(DiagonalNormal(VarianceRidge(0.25)), X, hard(codes))
    spherical = learn(SphericalNormal(VarianceRidge(0.25)), X, hard(codes))
    full = learn(FullNormal(VarianceRidge(0.25)), X, hard(codes))
    np.testing.assert_allclose(diagonal.variance, np.diagonal(full.covariance, axis1=1, axis2=2), rtol=1e-12)
    np.testing.assert_allclose(spherical.variance, np.tile(diagonal.variance.mean(axis=1)[:, None], 4), rtol=1e-12)


@pytest.mark.parametrize("reading", [Reading.MEAN, Reading.MODE])
def test_in_one_column_all_families_are_one(reading: Reading) -> None:
    X, codes = rows(d=1)
    gamma, wishart = (prior(2.0, 1.5, reading=reading) for prior in (NormalInverseGamma, NormalInverseWishart))
    diagonal, spherical = (learn(family(gamma), X, hard(codes)) for family in (DiagonalNormal, SphericalNormal))
    full = learn(FullNormal(wishart), X, hard(codes))
    for other in (spherical, full):
        np.testing.assert_allclose(other.log_density(X), diagonal.log_density(X), rtol=1e-12, atol=1e-12)


def test_virtual_rows_are_rows() -> None:
    """A prior of strength v whose spread is given equals v copies of rows about the mean of the component."""
    X, codes = rows(d=2, K=1)
    cross = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]) * np.sqrt(2.0) * np.array([0.5, 3.0])
    more = X.mean(axis=0) + cross  # four rows of covariance diag(0.25, 9)
    known = learn(FullNormal(NormalInverseWishart(4.0, variance=(0.25, 9.0))), X, hard(codes))
    added = learn(FullNormal(VarianceRidge(0.0)), np.vstack([X, more]), hard(np.zeros(len(X) + 4, dtype=int)))
    np.testing.assert_allclose(known.covariance, added.covariance, rtol=1e-12)


@pytest.mark.parametrize("family", ALL)
def test_missing_cells_are_marginalised_exactly(family: Any) -> None:
    X, codes = rows()
    normals = learn(family(), X, hard(codes))
    holed = np.where(np.random.default_rng(1).random(X.shape) < 0.4, NAN, X)
    logs = normals.log_density(holed)
    for i, k in np.ndindex(len(X), 3):
        here = np.flatnonzero(~np.isnan(holed[i]))
        theirs = 0.0
        if len(here):
            part = multivariate_normal(normals.mean.value[k][here], covariance_of(normals, k)[np.ix_(here, here)])
            theirs = part.logpdf(holed[i, here])
        assert abs(logs[i, k] - theirs) <= 1e-10


@pytest.mark.parametrize("family", ALL)
def test_the_cells_of_a_row_sum_to_it_and_missing_ones_are_nothing(family: Any) -> None:
    X, codes = rows()
    normals = learn(family(), X, hard(codes))
    holed = np.where(np.random.default_rng(1).random(X.shape) < 0.4, NAN, X)
    for k in range(3):
        cells = normals.cells(holed, k)
        assert not cells[np.isnan(holed)].any()
        np.testing.assert_allclose(cells.sum(axis=1), normals.log_density(holed)[:, k], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("family", JOINT)
def test_powers_of_columns_raise_their_cells(family: Any) -> None:
    X, codes = rows()
    normals, weights = learn(family(), X, hard(codes)), np.array([1.0, 0.5, 0.0, 2.0])
    raised = normals.power(weights).log_density(X)
    for k in range(3):
        np.testing.assert_allclose(raised[:, k], normals.cells(X, k) @ weights, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("family", JOINT)
def test_what_is_drawn_has_the_mean_and_the_covariance(family: Any) -> None:
    X, codes = rows()
    normals = learn(family(), X, hard(codes))
    drawn = normals.sample(np.repeat([0, 2], 40_000), np.random.default_rng(2))
    for k, some in ((0, drawn[:40_000]), (2, drawn[40_000:])):
        C = covariance_of(normals, k)
        sd = np.sqrt(np.diag(C))
        assert (np.abs(some.mean(axis=0) - normals.mean.value[k]) <= 5.0 * sd / 200.0).all()
        assert (np.abs(np.cov(some.T) - C) <= 5.0 * 2.0 * np.outer(sd, sd) / 200.0).all()


@pytest.mark.parametrize("family", ALL)
def test_a_constant_column_tells_nothing_of_the_component(family: Any) -> None:
    X, codes = rows(d=3)
    flat = np.column_stack([X, np.full(len(X), 1e8 + 0.1)])
    logs = learn(family(), flat, hard(codes)).log_density(flat)
    assert np.isfinite(logs).all()
    if family is not SphericalNormal:  # its one variance is of all columns
        np.testing.assert_allclose(logs, learn(family(), X, hard(codes)).log_density(X), rtol=1e-12, atol=1e-11)


TABLES = {
    "a component without rows": (np.array([[1.0, 2.0], [2.0, 5.0], [3.0, 1.0]]), [0, 0, 2], None),
    "one row": (np.array([[4.0, 1.0]]), [1], None),
    "no rows": (np.zeros((0, 2)), [], None),
    "all cells missing": (np.full((3, 2), NAN), [0, 1, 2], None),
    "a component without a cell": (np.array([[1.0, 2.0], [2.0, 3.0], [NAN, NAN]]), [0, 1, 2], None),
    "a component that never saw a column": (np.array([[1.0, 2.0], [2.0, 3.0], [1.0, NAN]]), [0, 1, 2], None),
    "a column without a cell": (np.array([[1.0, NAN], [2.0, NAN], [4.0, NAN]]), [0, 1, 2], None),
    "never both": (np.array([[1.0, NAN], [2.0, NAN], [NAN, 4.0], [NAN, 1.0]]), [0, 0, 0, 1], None),
    "constant": (np.ones((4, 2)), [0, 0, 1, 2], None),
    "two columns that are one": (np.repeat(column(1, 2, 5, 7), 2, axis=1), [0, 0, 1, 2], None),
    "weightless": (np.array([[1.0, 2.0], [2.0, 5.0]]), [0, 1], [0.0, 0.0]),
    "nobody's": (np.array([[1.0, 2.0], [2.0, 5.0]]), [-1, -1], None),
    "heavy and light": (np.array([[1.0, 2.0], [2.0, 5.0], [3.0, 1.0]]), [0, 0, 1], [1e12, 1e-12, 1.0]),
}


@pytest.mark.parametrize("family", ALL)
@pytest.mark.parametrize(("X", "codes", "w"), TABLES.values(), ids=TABLES)
def test_edges_of_learning(family: Any, X: Any, codes: Any, w: Any) -> None:
    normals = learn(family(), X, hard(codes, 3, w))
    query = np.array([[1.0, 2.0], [NAN, 1.0], [1e6, -1e6], [np.inf, 1.0], [NAN, NAN]])
    logs = normals.log_density(query)
    assert logs.shape == (5, 3)
    assert np.isfinite(logs).all()
    assert not logs[4].any()
    assert normals.sample(np.array([0, 1, 2]), np.random.default_rng(0)).shape == (3, 2)


@pytest.mark.parametrize("family", JOINT)
def test_expectation_maximisation_finds_the_largest_likelihood_of_what_was_observed(family: Any) -> None:
    """No small step away from the estimate raises the penalised likelihood of the observed cells."""
    X, codes = rows(n=60, d=3, K=2)
    X[np.random.default_rng(4).random(X.shape) < 0.3] = NAN
    family = family(VarianceRidge(0.0))
    normals = learn(family, X, hard(codes))

    def likelihood(mean: Any, covariance: Any) -> float:
        logs = JointNormals(Pair(mean, np.zeros_like(mean)), covariance, np.ones(3)).log_density(X)
        return float(logs[np.arange(len(X)), codes].sum())

    mean, C = normals.mean.value, normals.covariance
    best, rng = likelihood(mean, C), np.random.default_rng(5)
    for _ in range(100):
        step, turn = rng.normal(size=mean.shape) * 1e-3, rng.normal(size=C.shape) * 1e-3
        assert likelihood(mean + step, C + turn + np.swapaxes(turn, 1, 2)) < best


@pytest.mark.parametrize("family", JOINT)
def test_the_likelihood_of_what_was_observed_never_falls(family: Any) -> None:
    for seed in range(20):
        X, codes = rows(n=25, d=3, K=2, seed=seed)
        X[np.random.default_rng(seed).random(X.shape) < 0.4] = NAN
        made, R = family(VarianceRidge(0.0)), hard(codes)
        kept = made.summarize(X, R).somewhat()
        start = made.prior.pinned(np.zeros(3), np.ones(3))
        normals = made.distribution(observed(kept), VarianceRidge(0.1))
        before = -np.inf
        for _ in range(30):
            logs = normals.log_density(X)[np.arange(len(X)), codes].sum()
            assert logs >= before - 1e-9
            before, normals = logs, made.distribution(completed(kept, normals), start)


def test_sums_of_patterns_are_the_estimate_of_the_rows() -> None:
    X, codes = rows(n=120)
    X[np.random.default_rng(6).random(X.shape) < 0.2] = NAN
    family, R = FullNormal(), hard(codes)
    whole = family.estimate(family.summarize(X, R))
    cut = [family.summarize(X[i::3], hard(codes[i::3], 3)) for i in range(3)]
    summed = family.estimate(PatternMoments.sum(cut))
    np.testing.assert_allclose(summed.log_density(X), whole.log_density(X), rtol=1e-8, atol=1e-8)
    left = family.estimate(PatternMoments.sum(cut) - cut[2])
    again = family.estimate(PatternMoments.sum(cut[:2]))
    np.testing.assert_allclose(left.log_density(X), again.log_density(X), rtol=1e-8, atol=1e-8)


def test_what_is_expected_of_missing_cells_is_the_conditional_normal() -> None:
    rng = np.random.default_rng(7)
    A = rng.normal(size=(4, 4))
    C, present = A @ A.T, np.array([True, False, True, False])
    coefficients, left = regression(C, present)
    o, u = np.flatnonzero(present), np.flatnonzero(~present)
    B = C[np.ix_(u, o)] @ np.linalg.inv(C[np.ix_(o, o)])
    np.testing.assert_allclose(coefficients[u], B, rtol=1e-10)
    np.testing.assert_allclose(coefficients[o], np.eye(2), atol=0)
    np.testing.assert_allclose(left[np.ix_(u, u)], C[np.ix_(u, u)] - B @ C[np.ix_(o, u)], rtol=1e-10)
    assert not left[o].any()


def test_shares_of_rows_are_weights() -> None:
    X, _ = rows()
    share = np.random.default_rng(8).dirichlet(np.ones(3), len(X))
    for family in (FullNormal(VarianceRidge(1e-6)), TiedNormal(VarianceRidge(1e-6))):
        normals = learn(family, X, Shares.soft(share))
        each = [np.cov(X.T, aweights=share[:, k], bias=True) for k in range(3)]
        tied = np.einsum("k,kij->ij", share.mean(axis=0), each)[None]
        expected = (each if type(family) is FullNormal else tied) + 1e-6 * np.eye(4)
        np.testing.assert_allclose(normals.covariance, expected, rtol=1e-11, atol=1e-12)


def test_inverse_of_a_lower_triangle() -> None:
    L = np.tril(np.random.default_rng(9).normal(size=(6, 6))) + 4.0 * np.eye(6)
    np.testing.assert_allclose(inverse_of_lower(L) @ L, np.eye(6), atol=1e-14)


def test_a_prior_may_be_pinned_to_the_whole_table() -> None:
    X, codes = rows()
    moments = FullMoments.of(X, hard(codes))
    whole = moments.pooled()
    pinned = NormalInverseWishart(2.0, 1.0).pinned(whole.mean.value[0], np.diagonal(whole.covariance[0]))
    free, fixed = NormalInverseWishart(2.0, 1.0).shape(moments), pinned.shape(moments)
    np.testing.assert_allclose(fixed.covariance, free.covariance, rtol=1e-12)


SINGULAR = np.repeat(np.arange(6.0)[:, None], 2, axis=1)
BAD = {
    r"FullNormal: the covariance must be positive definite in component 0, got a singular one. Give the prior a": (
        lambda: learn(FullNormal(VarianceRidge(0.0)), SINGULAR, hard([0] * 6))
    ),
    r"TiedNormal: the covariance must be positive definite in component 0": (
        lambda: learn(TiedNormal(NormalInverseWishart(0.0)), SINGULAR, hard([0, 1] * 3))
    ),
    r"NormalInverseWishart: strength must be finite and at least 0, got -1.0": lambda: NormalInverseWishart(-1.0),
    r"NormalInverseWishart: mean must be finite, got nan": lambda: NormalInverseWishart(mean=NAN),
    r"NormalInverseWishart: variance must be finite and at least 0, got": (
        lambda: NormalInverseWishart(variance=(1.0, -2.0))
    ),
    r"NormalInverseWishart: reading must be Reading.MEAN or Reading.MODE": (
        lambda: NormalInverseWishart(reading=Reading.PREDICTIVE)
    ),
    r"VarianceRidge: amount must be finite and at least 0, got -0.1": lambda: VarianceRidge(-0.1),
    r"SphericalNormal: prior must be read by its mean or its mode": (
        lambda: learn(SphericalNormal(NormalInverseGamma(reading=Reading.PREDICTIVE)), SINGULAR, hard([0] * 6))
    ),
    r"X: column 1 must be finite and at most": (
        lambda: learn(FullNormal(), np.array([[1.0, np.inf], [NAN, 1.0]]), hard([0, 0]))
    ),
    r"PatternMoments: the missing patterns must be at most 83 for 10 components and 100 columns, got 84": (
        lambda: check_patterns(84, 10, 100)
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_inputs(message: str) -> None:
    with pytest.raises(BadInput, match=message.replace("(", r"\(").replace(")", r"\)")):
        BAD[message]()


def test_too_many_patterns_have_an_error_of_their_own() -> None:
    check_patterns(most_patterns(10, 100), 10, 100)
    with pytest.raises(TooManyPatterns, match="Learn in passes"):
        check_patterns(most_patterns(10, 100) + 1, 10, 100)


def test_rows_without_a_gap_are_read_as_cell_by_cell() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) * [1.0, 1e-3, 1e3] + [0.0, 1e8, -5.0]
    X[:, 2] = 4.0  # tells nothing
    normals: Any = learn(DiagonalNormal(), X, hard(rng.integers(0, 3, 40), 3))
    rows = np.vstack([X, [[1e200, 1e8, 4.0]]])
    cells = np.column_stack([normals.cells(rows, k).sum(axis=1) for k in range(3)])
    np.testing.assert_array_equal(normals.log_density(rows), cells)
    rows[3, 1] = NAN
    gaps = np.column_stack([normals.cells(rows, k).sum(axis=1) for k in range(3)])
    np.testing.assert_array_equal(normals.log_density(rows), gaps)
    turned = normals.power(np.array([-1.0, 1.0, 1.0]))
    cells = np.column_stack([turned.cells(X, k).sum(axis=1) for k in range(3)])
    np.testing.assert_array_equal(turned.log_density(X), cells)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("away", [0.0, 1e9])  # of the first rows, whose median is the shift
def test_the_floor_is_a_share_of_the_largest_variance_of_all_rows(offset: float, away: float) -> None:
    X, y = rows()
    X = np.asarray(X) * np.array([1.0, 3.0, 0.5, 0.0]) + offset
    X[:1] += away
    moments = Moments.of(X, Shares.hard(np.asarray(y), 3), X[0])
    exactly = moments.pooled().variance.max()
    assert VarianceFloor(0.25).floor(moments) == pytest.approx(0.25 * exactly, rel=1e-14)
    constant = Moments.of(np.full((9, 2), offset), Shares.hard(np.arange(9) % 3, 3), np.full(2, away))
    assert VarianceFloor(0.25).floor(constant) == 0.0
