"""Functions of the user's that give no numbers, and cells of exemplars far from the origin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from suffice import KNeighborsClassifier, KNeighborsRegressor
from suffice.core.errors import BadInput
from suffice.neighbours import voronoi_neighbours

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
