"""Functions of the user's that give no numbers, and cells of exemplars far from the origin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import pytest

from suffice import (
    DBSCAN,
    AgglomerativeClustering,
    KMedoids,
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestCentroid,
    NearestNeighbors,
    RadiusNeighborsRegressor,
)
from suffice.core.errors import BadInput
from suffice.neighbours import voronoi_neighbours
from suffice.spaces import as_distance

RNG = np.random.default_rng(0)
X = RNG.normal(size=(24, 2))
Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("give", [lambda d: d * np.nan, lambda d: -d, lambda d: np.full(d.shape, "far")])
def test_weights_that_are_none_are_refused(give: Callable[[Any], Any]) -> None:
    for model in (KNeighborsClassifier(3, weights=give), KNeighborsRegressor(3, weights=give)):
        with pytest.raises(BadInput, match="weights: the function must give numbers"):
            model.fit(X, Y).predict(X + 0.1)


def test_one_over_a_distance_of_0_counts_alone() -> None:
    def inverse(d: Any) -> Any:
        with np.errstate(divide="ignore"):
            return 1.0 / d

    rows, y = np.concatenate([X, X[:1]]), np.append(Y, 1 - Y[0])
    ours, theirs = (KNeighborsClassifier(5, weights=w).fit(rows, y).predict_proba(X) for w in (inverse, "distance"))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("give", [lambda t: None, lambda t: "far", lambda t: np.nan])
def test_answers_that_are_no_numbers_are_refused(give: Callable[[Any], Any]) -> None:
    with pytest.raises(BadInput, match="aggregate: the function must give numbers"):
        KNeighborsRegressor(3, aggregate=give).fit(X, Y).predict(X)


@pytest.mark.parametrize("offset", [1e8, -3e9])
def test_cells_do_not_depend_on_the_origin(offset: float) -> None:
    rows = np.round(X * 1024.0) / 1024.0
    assert voronoi_neighbours(rows + offset).tolist() == voronoi_neighbours(rows).tolist()


def test_exemplars_on_a_line_are_refused() -> None:
    for rows in (np.column_stack([np.arange(5.0), np.arange(5.0)]), np.where(X > 1, np.nan, X)):
        with pytest.raises(BadInput, match="voronoi_neighbours: exemplars must be") as caught:
            voronoi_neighbours(rows)
        assert "\n" not in str(caught.value)


FUNCTIONS: dict[str, Callable[[Any, Any], float]] = {
    "a number": lambda a, b: np.nan if a[0] != b[0] else 0.0,
    "at least 0": lambda a, b: -1.0 if a[0] != b[0] else 0.0,
}
MODELS = [
    NearestNeighbors,
    KNeighborsClassifier,
    RadiusNeighborsRegressor,
    partial(KNeighborsRegressor, algorithm="brute"),
    DBSCAN,
    KMedoids,
    NearestCentroid,
    partial(AgglomerativeClustering, linkage="average"),
]


@pytest.mark.parametrize("rule", FUNCTIONS)
@pytest.mark.parametrize("make", MODELS)
def test_functions_that_are_no_distances_are_refused(make: Any, rule: str) -> None:
    """By the name of who asks; what rounding leaves below 0 is no defect."""
    with pytest.raises(
        BadInput, match=rf"^\w+: metric must be {rule} between each two rows, got rows \d+ and \d+,"
    ) as told:
        _asked(make(metric=FUNCTIONS[rule]), X)
    assert str(told.value).partition(":")[0] in ("NearestNeighbors", type(make(metric="l1")).__name__)
    _asked(make(metric=lambda a, b: float(np.abs(a - b).sum()) - 1e-15), X)


@pytest.mark.parametrize("make", [m for m in MODELS if m is not NearestCentroid])
def test_tables_of_distances_below_0_are_refused(make: Any) -> None:
    D = np.abs(X[:, :1] - X[:, 0])
    D[3, 5] = D[5, 3] = -0.25
    with pytest.raises(BadInput, match=r"must be (distances of )?at least 0 "):
        _asked(make(metric="precomputed"), D)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "metric", ["euclidean", "manhattan", "chebyshev", "sqeuclidean", "nan_euclidean", "cosine", "angle"]
)
def test_infinite_cells_are_measured_without_a_warning(metric: str) -> None:
    """Of two infinite cells there is no difference."""
    distance, far = as_distance(metric), np.array([[np.inf, 1.0]])
    distance.between(far, far)
    distance.between(far)
    distance.paired(far, far)


def _asked(model: Any, rows: Any) -> None:
    model.fit(rows, Y) if "y" in signature(type(model).fit).parameters else model.fit(rows)
    for verb in ("kneighbors", "predict"):
        if hasattr(model, verb):
            getattr(model, verb)(rows)
