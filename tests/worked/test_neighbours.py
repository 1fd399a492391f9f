"""Worked numbers of distances, exemplars and neighbours."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from suffice import SVC, KNeighborsClassifier
from suffice.neighbours import (
    distance_spread,
    exemplar_cells,
    nearest_neighbour_bound,
    refinement,
    shell_share,
    voronoi_neighbours,
)
from suffice.spaces import (
    Angle,
    Axioms,
    Cosine,
    Elliptical,
    Euclidean,
    GivenKernel,
    KernelFunction,
    Mahalanobis,
    Minkowski,
    PolynomialKernel,
    SquaredEuclidean,
    check_metric,
)

RNG = np.random.default_rng(0)


def test_axioms_with_the_third_point_where_it_belongs() -> None:
    """C.E18, C.M19.01, G.G083: d(x, z) <= d(x, y) + d(y, z); with d(y, x) x = y = 0 and z = 1 break it."""
    D = Euclidean().between([[0.0], [0.0], [1.0]])
    x, y, z = 0, 1, 2
    assert D[x, z] > D[x, y] + D[y, x]  # as printed
    assert D[x, z] <= D[x, y] + D[y, z]
    assert check_metric(Euclidean(), RNG.normal(size=(40, 3))).holds
    assert [0, 1] in check_metric(lambda a, b: 0.0, np.eye(2)).apart.tolist()  # left out in print


def test_squared_euclidean_is_no_metric() -> None:
    """C.E16, C.M19.02: 4 > 1 + 1."""
    found = check_metric(SquaredEuclidean(), np.array([[0.0], [1.0], [2.0]]))
    assert found.triangle.tolist() == [[0, 1, 2]]
    assert SquaredEuclidean().axioms is Axioms.DISSIMILARITY


@pytest.mark.parametrize("p", [0.5, 0.8])
def test_p_below_1_breaks_the_triangle_inequality_and_its_sum_does_not(p: float) -> None:
    """G.N44c, C.E03: the way round a corner is shorter; without the root it is a metric."""
    points = np.vstack([RNG.normal(size=(30, 2)), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]])
    assert [30, 31, 32] in check_metric(Minkowski(p), points).triangle.tolist()
    assert Minkowski(p).axioms is Axioms.DISSIMILARITY
    assert check_metric(Minkowski(p, root=False), points).holds


def test_an_ellipse_of_a_rotation_and_a_scaling() -> None:
    """G.N45, G.N46, G.E21, G.G086: the right side of the ellipse is 1/4, the square of the radius 1/2, not 1/2."""
    R, S = np.array([[1.0, 1.0], [-1.0, 1.0]]) / sqrt(2.0), [0.5, 1.0]
    d = Elliptical.of_axes(R, S)
    np.testing.assert_allclose(d.matrix, [[5 / 8, -3 / 8], [-3 / 8, 5 / 8]], rtol=1e-15)
    np.testing.assert_allclose(np.linalg.eigvalsh(d.matrix), [0.25, 1.0], rtol=1e-14)
    along, across = np.array([1.0, 1.0]) / sqrt(2.0), np.array([1.0, -1.0]) / sqrt(2.0) / 2.0
    for point in (along, across):  # semi-axes 1 and 1/2
        assert d.pair([0.0, 0.0], point) == pytest.approx(0.5, rel=1e-14)
        x, y = point
        assert 5 / 8 * x * x + 5 / 8 * y * y - 3 / 4 * x * y == pytest.approx(0.25, rel=1e-14)


def test_mahalanobis_of_an_identity_and_of_a_covariance() -> None:
    """G.N47, G.G087, G.G088, C.M19.03: I gives Euclidean; (5, 0) and (3, 5) are sqrt 6 apart."""
    A, B = RNG.normal(size=(9, 2)), RNG.normal(size=(7, 2))
    np.testing.assert_allclose(Mahalanobis(np.eye(2)).between(A, B), Euclidean().between(A, B), rtol=1e-12)
    products = np.sqrt((A * A).sum(1)[:, None] - 2.0 * A @ B.T + (B * B).sum(1))
    np.testing.assert_allclose(Euclidean().between(A, B), products, rtol=1e-9)
    d = Mahalanobis([[8 / 3, -14 / 3], [-14 / 3, 26 / 3]])
    assert d.pair([5.0, 0.0], [3.0, 5.0]) == pytest.approx(sqrt(6.0), rel=1e-12)


def test_one_minus_cosine_is_no_metric() -> None:
    """G.N68, G.E08: at 0, 45 and 90 degrees 1 > 0.585786; the angle and the chord keep the triangle inequality."""
    points = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 2.0]])
    found = check_metric(Cosine(), points)
    assert [0, 1, 2] in found.triangle.tolist()
    D = Cosine().between(points)
    assert D[0, 2] == pytest.approx(1.0)
    assert D[0, 1] + D[1, 2] == pytest.approx(0.585786, abs=5e-7)
    assert D[2, 3] == 0.0  # x and 2 x
    assert check_metric(Angle(), points).axioms is Axioms.PSEUDO
    assert check_metric(lambda x, y: sqrt(2.0 * Cosine().pair(x, y)), points[:3]).holds


def test_five_exemplars_divide_the_plane() -> None:
    """G.N51, G.G098, G.G099: one inside four has 8 edges: 16 cells of the two nearest in order, 8 without."""
    x = np.linspace(-40.0, 40.0, 151)
    grid = np.array([[a, b] for a in x for b in x]) * 0.999 + [0.013, 0.007]
    for corners in (
        [[4.0, 4.3], [-4.1, 3.9], [-3.8, -4.0], [4.2, -4.4]],
        [[0.2, 5.0], [5.1, -0.3], [0.4, -5.2], [-5.0, 0.1]],
    ):
        exemplars = np.array([[0.1, 0.2], *corners])
        assert len(voronoi_neighbours(exemplars)) == 8 == 3 * 5 - 3 - 4
        assert len(exemplar_cells(exemplars, grid, 1)[1]) == 5
        assert len(exemplar_cells(exemplars, grid, 2)[1]) == 16
        assert len(exemplar_cells(exemplars, grid, 2, ordered=False)[1]) == 8
    model = KNeighborsClassifier(1).fit(exemplars, np.arange(5))
    assert (model.predict(grid[::97]) == exemplar_cells(exemplars, grid[::97])[0]).all()


def test_how_many_different_answers_neighbours_give() -> None:
    """G.N52, G.G107: more in between; one at k = n, at most the number of classes at k = n - 1."""
    X, y = RNG.normal(size=(20, 2)), np.repeat(np.arange(5), 4)
    Q = RNG.normal(size=(2000, 2)) * 6.0
    counts = {k: refinement(KNeighborsClassifier(k).fit(X, y), Q) for k in (1, 2, 3, 7, 19, 20)}
    assert counts[1] == 5
    assert counts[1] < counts[2] < counts[3] < counts[7]
    assert counts[19] <= 5
    assert counts[20] == 1


def test_most_of_a_ball_is_its_shell() -> None:
    """C.R05, C.E35, C.M06.07: the outer 5 % as the caption says; the text's inner ball is its complement."""
    known = {2: 0.0975, 3: 0.1426, 10: 0.4013, 14: 0.5123, 20: 0.6415, 45: 0.9006, 59: 0.9515, 100: 0.9941}
    for d, share in known.items():
        assert float(shell_share(d)) == pytest.approx(share, abs=5e-5)
        assert 1.0 - float(shell_share(d)) == pytest.approx(0.95**d, rel=1e-12)
    assert shell_share(13) < 0.5 < shell_share(14)


def test_distances_look_alike_in_many_columns() -> None:
    """G.G109, G.G110: the spike; with the columns that matter alone it is gone."""
    few, many = RNG.normal(size=(300, 2)), RNG.normal(size=(300, 500))
    assert distance_spread(few).contrast > 0.4
    assert distance_spread(many).contrast < 0.06
    assert distance_spread(many).ratio > 0.7 > distance_spread(few).ratio
    both = np.hstack([few * 3.0, many])
    assert distance_spread(both).contrast < distance_spread(both[:, :2]).contrast / 3.0
    assert len(distance_spread(many, rows=50).distances) == 50 * 49 // 2


def test_one_neighbour_is_at_most_twice_as_wrong_as_bayes() -> None:
    """G.G112: on classes whose densities are known."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 40_000)
    x = rng.uniform(size=40_000)
    noisy = np.where(rng.random(40_000) < 0.2, 1 - y, y)  # the label of each row is wrong with probability 0.2
    rows = np.column_stack([x + 2.0 * y])
    model = KNeighborsClassifier(1).fit(rows[:20_000], noisy[:20_000])
    error = np.mean(model.predict(rows[20_000:]) != noisy[20_000:])
    assert float(nearest_neighbour_bound(0.2)) == pytest.approx(0.32)
    assert error == pytest.approx(0.32, abs=0.02)  # it is reached where the Bayes error is the same everywhere
    assert (nearest_neighbour_bound(np.linspace(0.0, 0.5, 11)) <= 2.0 * np.linspace(0.0, 0.5, 11)).all()


def test_kernels_of_the_user_and_of_support_vectors() -> None:
    """G.G072, G.G074: a machine with k in place of products; kernels of trees and graphs are tables or functions."""
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [1, 0, 0, 1]
    kernel = PolynomialKernel(2)
    names: list[Any] = [kernel, KernelFunction(lambda A, B: (A @ B.T + 1.0) ** 2)]
    assert all(SVC(kernel=k, C=10.0).fit(X, y).predict(X).tolist() == y for k in names)
    table = kernel.between(X)
    assert SVC(kernel=GivenKernel(), C=10.0).fit(table, y).predict(table).tolist() == y
    assert SVC(kernel="linear", C=10.0).fit(X, y).score(X, y) < 1.0


BAD: list[tuple[Any, str]] = [
    (lambda: shell_share(0), "d and shell"),
    (lambda: shell_share(3, 1.5), "d and shell"),
    (lambda: distance_spread(np.zeros((1, 2))), "two rows or more"),
    (lambda: nearest_neighbour_bound(0.6), "between 0 and 1 - 1 / classes"),
    (lambda: nearest_neighbour_bound(-0.1), "between 0 and 1 - 1 / classes"),
    (lambda: exemplar_cells(np.eye(2), np.eye(2), 3), "k must be a whole number from 1 to 2"),
    (lambda: voronoi_neighbours(np.eye(2)), "more rows than columns"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_gets_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        call()
