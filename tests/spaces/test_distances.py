"""Distances: the numbers of SciPy and scikit-learn, exact symmetry, offsets, invariances, axioms."""

from __future__ import annotations

from math import inf, pi, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise

from suffice.core.errors import BadInput
from suffice.persistence import load, save
from suffice.spaces import (
    Angle,
    Axioms,
    Chebyshev,
    Cosine,
    DistanceFunction,
    Elliptical,
    Embedded,
    Euclidean,
    Hamming,
    KernelCosine,
    KernelDistance,
    LinearKernel,
    Mahalanobis,
    Manhattan,
    Minkowski,
    NamedDistance,
    PolynomialKernel,
    Precomputed,
    PresentEuclidean,
    RbfKernel,
    SquaredEuclidean,
    as_distance,
    check_metric,
)

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(30, 3)), RNG.normal(size=(20, 3))
WEIGHTS = np.array([0.5, 2.0, 1.0])
COVARIANCE = np.cov(RNG.normal(size=(50, 3)) @ RNG.normal(size=(3, 3)), rowvar=False)

ALL: list[Any] = [
    Euclidean(),
    SquaredEuclidean(),
    Manhattan(),
    Chebyshev(),
    Minkowski(3.0),
    Minkowski(1.5, WEIGHTS),
    Minkowski(inf, WEIGHTS),
    Minkowski(0.8),
    Minkowski(0.5, root=False),
    Hamming(),
    Hamming(share=True),
    Cosine(),
    Angle(),
    Elliptical(COVARIANCE),
    Mahalanobis(COVARIANCE),
    KernelDistance(RbfKernel(0.3)),
    PresentEuclidean(),
    NamedDistance("canberra"),
    NamedDistance("braycurtis"),
    NamedDistance("seuclidean", WEIGHTS),
]

PEERS: list[tuple[Any, Any]] = [
    (Euclidean(), lambda A, B: cdist(A, B)),
    (SquaredEuclidean(), lambda A, B: cdist(A, B, "sqeuclidean")),
    (Manhattan(), lambda A, B: cdist(A, B, "cityblock")),
    (Chebyshev(), lambda A, B: cdist(A, B, "chebyshev")),
    (Minkowski(3.0), lambda A, B: cdist(A, B, "minkowski", p=3.0)),
    (Minkowski(1.5, WEIGHTS), lambda A, B: cdist(A, B, "minkowski", p=1.5, w=WEIGHTS)),
    (Minkowski(0.8), lambda A, B: cdist(A, B, "minkowski", p=0.8)),
    (Minkowski(3.0, root=False), lambda A, B: cdist(A, B, "minkowski", p=3.0) ** 3),
    (Hamming(share=True), lambda A, B: cdist(A.round(), B.round(), "hamming")),
    (Cosine(), lambda A, B: cdist(A, B, "cosine")),
    (Angle(), lambda A, B: np.arccos(1.0 - cdist(A, B, "cosine"))),
    (Mahalanobis(COVARIANCE), lambda A, B: cdist(A, B, "mahalanobis", VI=np.linalg.inv(COVARIANCE))),
    (KernelDistance(LinearKernel()), lambda A, B: cdist(A, B)),
    (PresentEuclidean(), pairwise.nan_euclidean_distances),
    (NamedDistance("seuclidean", WEIGHTS), lambda A, B: cdist(A, B, "seuclidean", V=WEIGHTS)),
]


@pytest.mark.parametrize(("distance", "peer"), PEERS)
def test_against_scipy(distance: Any, peer: Any) -> None:
    A, B = (X.round(), Y.round()) if isinstance(distance, Hamming) else (X, Y)
    expected = peer(A, B)
    np.testing.assert_allclose(distance.between(A, B), expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(distance.towards(B)(A), expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(distance.paired(A[:20], B), np.diagonal(expected), rtol=1e-10, atol=1e-12)
    assert distance.pair(A[3], B[4]) == pytest.approx(expected[3, 4], rel=1e-10)


@pytest.mark.parametrize("distance", ALL)
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_a_table_and_itself(distance: Any, offset: float) -> None:
    D = distance.between(X + offset)
    assert (np.diagonal(D) == 0.0).all()
    assert (D == D.T).all()
    assert (D >= 0.0).all()


@pytest.mark.parametrize("distance", [Euclidean(), Manhattan(), Chebyshev(), Minkowski(3.0), SquaredEuclidean()])
def test_an_offset_costs_nothing_but_what_storing_it_cost(distance: Any) -> None:
    moved = X + 1e8
    np.testing.assert_allclose(distance.between(moved), distance.between(moved - 1e8), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5, 2.0, 3.0, 50.0, inf])
@pytest.mark.parametrize("unit", [1e-200, 1e-6, 1.0, 1e6, 1e200])
def test_lengths_stay_in_the_range_of_floats(p: float, unit: float) -> None:
    expected = Minkowski(p).between(X, Y) * unit
    np.testing.assert_allclose(Minkowski(p).between(X * unit, Y * unit), expected, rtol=1e-9)


@pytest.mark.parametrize("distance", ALL)
def test_the_axioms_that_a_distance_claims_hold_on_a_sample(distance: Any) -> None:
    points = np.vstack([X, X[:4] * 2.0, X[:4] + np.eye(3)[2], np.eye(3), [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]])
    found = check_metric(distance, points)
    if distance.axioms is Axioms.METRIC:
        assert found.holds, str(found)
    if distance.axioms is Axioms.PSEUDO:
        assert len(found.triangle) + len(found.symmetric) + len(found.to_itself) == 0, str(found)


@pytest.mark.parametrize("name", ["jaccard", "rogerstanimoto", "canberra"])
def test_named_metrics_on_bits(name: str) -> None:
    assert check_metric(name, RNG.integers(0, 2, size=(25, 6)) * 1.0).axioms is not Axioms.DISSIMILARITY


def test_what_breaks_an_axiom_is_named() -> None:
    points = np.array([[0.0], [1.0], [2.0], [1.0]])
    found = check_metric(DistanceFunction(lambda x, y: float(x[0] - y[0]) ** 2 + 1.0), points)
    assert found.to_itself.tolist() == [0, 1, 2, 3]
    found = check_metric(DistanceFunction(lambda x, y: max(float(x[0] - y[0]), 0.0)), points)
    assert [0, 2] in found.symmetric.tolist()
    assert found.axioms is Axioms.DISSIMILARITY
    assert "d(x, x) = 0: holds" in str(found)
    found = check_metric(DistanceFunction(lambda x, y: abs(round(x[0] / 4.0) - round(y[0] / 4.0))), points)
    assert found.axioms is Axioms.PSEUDO
    assert found.apart.tolist()[0] == [0, 1]
    assert [1, 3] not in found.apart.tolist()  # the same point twice


@pytest.mark.parametrize("p", [0.8, 1.0, 1.5, 4.0, 8.0])
def test_only_p_2_is_left_by_rotations(p: float) -> None:
    """G.N44b, G.G076, G.G085: a rotation by 36 degrees; translations leave all, scalings none."""
    turn = np.array([[np.cos(pi / 5), -np.sin(pi / 5)], [np.sin(pi / 5), np.cos(pi / 5)]])
    A = RNG.normal(size=(20, 2))
    d = Minkowski(p)
    assert np.abs(d.between(A @ turn) - d.between(A)).max() > 1e-2
    np.testing.assert_allclose(Euclidean().between(A @ turn), Euclidean().between(A), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(d.between(A + 3.0), d.between(A), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(d.between(A * 3.0), 3.0 * d.between(A), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("distance", [Cosine(), Angle()])
def test_directions_ignore_lengths_but_not_the_origin(distance: Any) -> None:
    """G.G085, G.G090."""
    lengths = np.exp(RNG.normal(size=30))[:, None]
    np.testing.assert_allclose(distance.between(X * lengths, Y), distance.between(X, Y), rtol=1e-12, atol=1e-14)
    assert np.abs(distance.between(X + 1.0, Y + 1.0) - distance.between(X, Y)).max() > 0.1


def test_cosine_by_kernels() -> None:
    """G.G090: every dot product replaced by a kernel."""
    np.testing.assert_allclose(
        KernelCosine(LinearKernel()).between(X, Y), Cosine().between(X, Y), rtol=1e-9, atol=1e-12
    )
    square = KernelCosine(PolynomialKernel(2, 1.0, 0.0)).between(X, Y)
    np.testing.assert_allclose(square, 1.0 - (1.0 - Cosine().between(X, Y)) ** 2, rtol=1e-9, atol=1e-12)
    assert KernelCosine(LinearKernel()).pair([0.0], [1.0]) == 1.0


def test_a_row_of_zeros_is_at_a_right_angle_to_all_others() -> None:
    zero = np.zeros((1, 3))
    np.testing.assert_allclose(Cosine().between(zero, X), 1.0, rtol=1e-15)
    np.testing.assert_allclose(Angle().between(zero, X), pi / 2, rtol=1e-15)
    assert Cosine().pair(zero[0], zero[0]) == 0.0


def test_small_angles_keep_their_digits() -> None:
    assert Angle().pair([1.0, 0.0], [1.0, 1e-9]) == pytest.approx(1e-9, rel=1e-12)
    assert Cosine().pair([1.0, 0.0], [1.0, 1e-9]) == pytest.approx(5e-19, rel=1e-12)


def test_mahalanobis_of_rows_and_of_scales() -> None:
    d = Mahalanobis.of(X)
    np.testing.assert_allclose(d.covariance, np.cov(X, rowvar=False, bias=True), rtol=1e-12)
    scales = np.array([1e-6, 1.0, 1e6])
    np.testing.assert_allclose(Mahalanobis.of(X * scales).between(X * scales), d.between(X), rtol=1e-9, atol=1e-12)
    twice = Mahalanobis.of(X, np.full(30, 2.0))
    np.testing.assert_allclose(twice.covariance, d.covariance, rtol=1e-13)


def test_polynomial_kernel_distance_is_a_pseudo_metric() -> None:
    """G.N67, G.G084, G.G089: (x.y)^2 puts x and -x at 0."""
    d = KernelDistance(PolynomialKernel(2, 1.0, 0.0))
    assert d.pair(X[0], -X[0]) == pytest.approx(0.0, abs=1e-7)
    assert d.axioms is Axioms.PSEUDO
    np.testing.assert_allclose(KernelDistance(LinearKernel()).between(X, Y), cdist(X, Y), rtol=1e-12)


@pytest.mark.parametrize("distance", [d for d in ALL if not isinstance(d, KernelDistance)])
def test_saved_and_loaded(distance: Any, tmp_path: Any) -> None:
    save(distance, tmp_path / "d.suffice")
    again = load(tmp_path / "d.suffice")
    assert type(again) is type(distance)
    assert (again.between(X, Y) == distance.between(X, Y)).all()


@pytest.mark.parametrize("distance", [d for d in ALL if isinstance(d, Embedded)])
def test_lengths_and_distances_go_both_ways(distance: Any) -> None:
    d = distance.pair(X[0], Y[0])
    length = distance.to_length(d)
    assert distance.of_lengths(np.array([length]))[0] == pytest.approx(d, rel=1e-9)


def test_precomputed_takes_columns_of_the_table() -> None:
    D = cdist(X, Y)
    assert (Precomputed().between(D) == D).all()
    assert (Precomputed().between(D, [3, 1]) == D[:, [3, 1]]).all()


def test_missing_cells_of_present_euclidean() -> None:
    A, B = X.copy(), Y.copy()
    A[RNG.random(A.shape) < 0.3] = np.nan
    B[RNG.random(B.shape) < 0.3] = np.nan
    np.testing.assert_allclose(PresentEuclidean().between(A, B), pairwise.nan_euclidean_distances(A, B), rtol=1e-9)


NAMES = [
    ("euclidean", Euclidean),
    ("l2", Euclidean),
    ("sqeuclidean", SquaredEuclidean),
    ("manhattan", Manhattan),
    ("cityblock", Manhattan),
    ("l1", Manhattan),
    ("chebyshev", Chebyshev),
    ("hamming", Hamming),
    ("cosine", Cosine),
    ("mahalanobis", Mahalanobis),
    ("precomputed", Precomputed),
    ("nan_euclidean", PresentEuclidean),
    ("canberra", NamedDistance),
    ("haversine", NamedDistance),
]


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_names(name: str, kind: type[Any]) -> None:
    assert type(as_distance(name, X)) is kind


def test_haversine_and_functions_as_scikit_learn_has_them() -> None:
    A, B = X[:, :2], Y[:, :2]
    np.testing.assert_allclose(as_distance("haversine").between(A, B), pairwise.haversine_distances(A, B), rtol=1e-10)
    assert as_distance(lambda x, y, k: k * abs(x - y).sum(), k=2.0).pair([0.0], [1.0]) == 2.0


BAD: list[tuple[Any, str]] = [
    (lambda: Minkowski(0.0), "p must be a number above 0"),
    (lambda: Minkowski("2"), "p must be a number above 0"),
    (lambda: Minkowski(-1.0), "p must be a number above 0"),
    (lambda: Minkowski(2.0, [1.0, -1.0]), "weights must be numbers of at least 0"),
    (lambda: Minkowski(inf, root=False), "root must be True"),
    (lambda: Minkowski(2.0, [1.0]).between(X), "X must be of 1 columns"),
    (lambda: Euclidean().between(X, Y[:, :2]), "of as many columns"),
    (lambda: Mahalanobis([[1.0, 1.0], [1.0, 1.0]]), "covariance must be positive definite"),
    (lambda: Mahalanobis([[1.0, 0.0], [0.0, 0.0]]), "covariance must be positive definite"),
    (lambda: Mahalanobis([[1.0, 0.0], [0.5, 1.0]]), "covariance must be symmetric"),
    (lambda: Mahalanobis([1.0, 2.0]), "covariance must be a square table"),
    (lambda: Mahalanobis(COVARIANCE).between(X[:, :2]), "X must be of 3 columns"),
    (lambda: Elliptical([[-1.0, 0.0], [0.0, 1.0]]), "matrix must be without negative eigenvalues"),
    (lambda: Hamming().between(["abc"], ["ab"]), "of as many columns"),
    (lambda: Hamming().between(["abc", "ab"]), "strings of one length"),
    (lambda: as_distance("euclid"), "metric must be one of"),
    (lambda: as_distance(3), "metric must be one of"),
    (lambda: as_distance("cosine", p=2), "metric_params must be those that cosine takes"),
    (lambda: as_distance("mahalanobis"), "V must be given"),
    (lambda: as_distance("canberra", nonsense=1), "metric_params must be V or w"),
    (lambda: as_distance("haversine").between(X), "of 2 columns"),
    (lambda: NamedDistance("euclid"), "name must be one of"),
    (lambda: DistanceFunction(lambda A, B: 1.0, tables=True).between(X, Y), "a table of 30 x 20"),
    (lambda: check_metric("euclidean", np.zeros((1001, 1))), "points must be at most 1000"),
    (lambda: check_metric("euclidean", [[np.nan], [1.0]]), "numbers between all points"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_gets_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_worked_distances_of_the_sources() -> None:
    """G.N44, C.E17, C.E03, C.R51, C.M19.04, G.G075, G.G077, G.G078, G.G080, C.M06.03, C.M06.04: printed numbers."""
    A, B, C = [0.0, 0.0], [2.0, 0.0], [1.0, 1.0]
    found = [Minkowski(p).pair(A, C) for p in (2.0, 1.0, 0.8)]
    np.testing.assert_allclose(found, [sqrt(2.0), 2.0, 2.0**1.25], rtol=1e-15)
    assert all(Minkowski(p).pair(A, B) == 2.0 for p in (2.0, 1.0, 0.8))
    assert Manhattan().pair([1.0, 2.0], [4.0, 6.0]) == 7.0  # C.E17: not the sum of squares, 25
    assert SquaredEuclidean().pair([1.0, 2.0], [4.0, 6.0]) == 25.0
    assert Chebyshev().pair([1.0, 2.0], [4.0, 6.0]) == 4.0
    assert Minkowski(0.7).pair(A, C) == pytest.approx(2.6918, abs=5e-5)  # C.E03: above 1 + 1
    assert Mahalanobis(np.diag([4.0, 1.0])).pair(A, B) == 1.0
    assert Hamming().pair("karolin", "kathrin") == 3.0
