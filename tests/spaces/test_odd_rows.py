"""Rows, weights and units that are odd: exact answers, or one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from suffice import NearestNeighbors
from suffice.core.errors import BadInput
from suffice.spaces import (
    Axioms,
    BoardDistance,
    DistanceFunction,
    Elliptical,
    Euclidean,
    Hamming,
    NamedDistance,
    as_distance,
    coordinate_median,
    geometric_median,
    mean_point,
    medoid,
    neighbour_search,
    total_distances,
)

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(40, 3))


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "manhattan", "precomputed"])
def test_a_row_that_weighs_nothing_is_no_medoid(metric: str) -> None:
    X = np.array([[0.0, 0.0], [0.0, 3.0], [3.0, -1.5], [-3.0, -1.5], [9.0, 9.0]])
    w = np.array([0.0, 1.0, 1.0, 2.0, 0.0])
    if metric == "precomputed":
        D = Euclidean().between(X)
        assert medoid(D, metric, w) == medoid(X, "euclidean", w)
        return
    live = np.flatnonzero(w)
    assert medoid(X, metric, w) == live[medoid(X[live], metric, w[live])]


def test_what_weighs_nothing_may_be_as_far_as_it_likes() -> None:
    bishop = BoardDistance("bishop")
    squares = [[0, 0], [1, 1], [0, 1]]
    assert total_distances(squares, bishop, [1, 1, 0])[:2].tolist() == [1.0, 1.0]
    assert medoid(squares, bishop, [1, 1, 0]) == 0
    assert np.isinf(total_distances(squares, bishop)).all()


@pytest.mark.parametrize("find", [mean_point, geometric_median, coordinate_median, medoid])
@pytest.mark.parametrize("cell", [np.nan, np.inf])
def test_exemplars_of_cells_that_are_no_numbers_are_refused(find: Callable[[Any], Any], cell: float) -> None:
    holed = ROWS.copy()
    holed[3, 1] = cell
    with (
        pytest.raises(BadInput, match=r"must be (finite|a number between each two rows), got"),
        np.errstate(all="ignore"),
    ):
        find(holed)
    w = np.ones(len(holed))
    w[3] = 0.0
    if find is not medoid:
        np.testing.assert_allclose(find(holed, w), find(np.delete(ROWS, 3, axis=0)), atol=1e-9)  # type: ignore[call-arg]


@pytest.mark.parametrize("unit", [1e-10, 1e-7, 1e10])
def test_ellipses_know_no_units(unit: float) -> None:
    scale = np.array([unit, 1.0, 1.0 / unit])
    inverse = np.linalg.inv(np.cov(ROWS, rowvar=False))
    plain = Elliptical(inverse).between(ROWS)
    turned = Elliptical(inverse / np.outer(scale, scale))
    assert turned.axioms is Axioms.METRIC
    np.testing.assert_allclose(turned.between(ROWS * scale), plain, rtol=1e-9)
    with pytest.raises(BadInput, match="without negative eigenvalues, got -1e-20"):
        Elliptical(np.diag([1e-20, -1e-20]))


def test_a_constant_column_tells_nothing_in_units_of_its_deviation() -> None:
    plain = NearestNeighbors(n_neighbors=3, metric="seuclidean").fit(ROWS).kneighbors(ROWS)
    more = np.column_stack([ROWS, np.full(len(ROWS), 0.1)])
    found = NearestNeighbors(n_neighbors=3, metric="seuclidean").fit(more).kneighbors(more)
    np.testing.assert_allclose(found[0], plain[0], rtol=1e-12)
    assert (found[1] == plain[1]).all()
    with pytest.raises(BadInput, match="seuclidean: V must be numbers above 0, one a column, got"):
        as_distance("seuclidean", V=[1.0, 0.0])


def test_named_distances_of_rows_that_tell_nothing_are_numbers() -> None:
    X = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [1.0, 0.0, 3.0]])
    D = NamedDistance("correlation").between(X)
    assert D[3].tolist()[:3] == [1.0, 1.0, 1.0]
    assert not D[:3, :3].any()
    for name in ("braycurtis", "dice", "sokalsneath"):
        D = NamedDistance(name).between(X)
        assert np.isfinite(D).all()
        assert not np.diagonal(D).any()
    with pytest.raises(BadInput, match="jensenshannon: X must be rows of shares or counts"):
        NamedDistance("jensenshannon").between(X)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Euclidean().between([["a", "b"]]), "Euclidean: X must be rows of numbers"),
        (lambda: Euclidean().towards(ROWS)(ROWS[:, :2]), "Euclidean: X must be of as many columns"),
        (lambda: Euclidean().paired(ROWS, ROWS[:, :2]), "Euclidean: X must be of as many columns"),
        (lambda: mean_point([["a"]]), "mean_point: X must be rows of numbers"),
        (lambda: BoardDistance("king").between([[0.0, np.nan]]), "BoardDistance: X must be squares"),
        (lambda: BoardDistance("king").between([["a", "b"]]), "BoardDistance: X must be rows of numbers"),
        (
            lambda: DistanceFunction(lambda x, y: None).between(ROWS),
            "DistanceFunction: function must be one that gives",
        ),
        (lambda: DistanceFunction(lambda x, y: "far").between(ROWS), "function must be one that gives a number"),
        (lambda: neighbour_search(ROWS, "far"), "neighbour_search: metric must be one of"),
        (lambda: neighbour_search(ROWS, Euclidean()).nearest(ROWS[:, :1], 1), "Euclidean: X must be of as many"),
        (lambda: neighbour_search(ROWS, Euclidean(), "kd_tree").within(ROWS[:, :1], 1), "X must be of as many"),
        (lambda: neighbour_search(ROWS, Euclidean()).nearest(ROWS, 0), "nearest: k must be a whole number"),
    ],
)
def test_it_is_refused_in_one_sentence(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_searches_take_lists_names_and_sparse_rows() -> None:
    here = neighbour_search(ROWS, Euclidean()).nearest(ROWS, 3)
    given = neighbour_search(ROWS.tolist(), "euclidean", "kd_tree").nearest(ROWS.tolist(), 3)
    assert (given.numbers == here.numbers).all()
    metric = DistanceFunction(lambda x, y: float(np.abs(x - y).sum()), known=Axioms.METRIC)
    sparse = neighbour_search(csr_array(ROWS), metric, "ball_tree").nearest(csr_array(ROWS[:5]), 3)
    assert (sparse.numbers == neighbour_search(ROWS, "manhattan").nearest(ROWS[:5], 3).numbers).all()
    assert Hamming().between(np.empty((0, 3))).shape == (0, 0)
