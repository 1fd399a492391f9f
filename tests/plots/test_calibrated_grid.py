"""Pictures of features: the calibrated grid of two columns, and cuts on a ranking."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import Calibrate
from suffice.core.errors import BadInput
from suffice.plots import CalibratedGridDisplay, CutsDisplay

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 60)
X = RNG.normal(size=(60, 2)) + Y[:, None]


def test_the_grid_of_two_isotonic_features() -> None:
    """P.M154: cells of intervals, the boundary along their sides, rows in log-odds and probability space."""
    display = CalibratedGridDisplay.from_rows(X, Y)
    model = Calibrate().fit(X, Y)
    first, second = (maps[0] for maps in model.maps_)
    assert display.levels.shape == (len(first.limits) + 1, len(second.limits) + 1)
    place = np.searchsorted(first.limits, X[:, 0], "right"), np.searchsorted(second.limits, X[:, 1], "right")
    np.testing.assert_allclose(display.levels[place], model.log_odds(X), rtol=1e-12)
    steps = display.steps()
    assert steps
    assert all(x[0] == x[1] or y[0] == y[1] for x, y in steps)  # axis-parallel
    assert len(display.boundary_) == len(steps)
    assert display.axes_.shape == (1, 3)
    np.testing.assert_allclose(display.calibrated, model.transform(X))


def test_cuts_on_a_ranking() -> None:
    display = CutsDisplay.from_rows(X[:, 0], Y, strategy="recpart", max_bins=3, stop="constant")
    assert len(display.cuts) == len(display.cuts_) == 2
    assert display.places[display.scores.argmax()] in display.cuts


def test_what_is_refused() -> None:
    for call, says in (
        (lambda: CalibratedGridDisplay.from_rows(X[:, :1], Y), "two columns"),
        (lambda: CalibratedGridDisplay.from_rows(X, np.arange(60) % 3), "two classes"),
        (lambda: CutsDisplay.from_rows(X, Y), "one number a row"),
        (lambda: CutsDisplay.from_rows(X[:, 0], Y, objective="odd"), "one of"),
    ):
        with pytest.raises(BadInput, match=says):
            call()
