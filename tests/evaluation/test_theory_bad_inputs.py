"""What learning theory refuses, in one sentence each; pictures of it and of nets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from suffice import MLPClassifier
from suffice.core.errors import BadInput
from suffice.datasets import load_xor
from suffice.evaluation import (
    Circles,
    GapCurve,
    HalfPlanes,
    HalfSpaces,
    Thresholds,
    agnostic_gap,
    consistent_error,
    consistent_rows,
    exhaust,
    gap_by_rows,
    hoeffding,
    labellings,
    linear_dimension,
    minimise_risk,
    unbiased_rows,
    union_bound,
    vc_term,
)
from suffice.neural import EpochCurve
from suffice.plots import BoundDisplay, EpochDisplay, HiddenOutputDisplay

T = np.array([[0.5, 1.0]])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: union_bound([0.5, 1.5]), "probabilities must be between 0 and 1"),
        (lambda: hoeffding(0.0, 10), "gap must be greater than 0"),
        (lambda: hoeffding(0.1, 0), "m must be a whole number"),
        (lambda: hoeffding(0.1, 2.5), "m must be a whole number"),  # type: ignore[arg-type]
        (lambda: consistent_rows(-1.0, 0.1, 0.1), "log_size must be the logarithm"),
        (lambda: consistent_rows(1.0, 0.6, 0.1), "eps must be between"),
        (lambda: consistent_error(1.0, 10, 1.0), "delta must be between"),
        (lambda: agnostic_gap(float("nan"), 10, 0.1), "log_size"),
        (lambda: unbiased_rows(0, 0.1, 0.1), "n must be"),
        (lambda: vc_term(0, 10, 0.1), "dimension must be"),
        (lambda: vc_term(11, 10, 0.1), "m must be at least the dimension"),
        (lambda: vc_term(1, 10, 0.1, constant=-1.0), "constant"),
        (lambda: Circles(0.0), "radius must be greater than 0"),
        (lambda: minimise_risk(HalfPlanes(), [[1.0]], [1]), "rows of two numbers"),
        (lambda: minimise_risk(Thresholds(), [["a"]], [1]), "X must be rows of numbers"),
        (lambda: minimise_risk(Thresholds(), [[np.nan]], [1]), "finite numbers"),
        (lambda: minimise_risk(Thresholds(), [[1.0]], [2]), "y must be 0 or 1"),
        (lambda: minimise_risk(Thresholds(), [[1.0]], [1], [0.0]), "sample_weight must be"),
        (lambda: labellings(HalfSpaces(), np.zeros((17, 1))), "1 to 16 rows"),
        (lambda: linear_dimension(0), "columns must be"),
        (lambda: exhaust(Thresholds(), T, [[1.0]], [1], [0.5], eps=0.1), "whole numbers"),
        (lambda: gap_by_rows(Thresholds(), T, [[1.0]], [1], [5], runs=0), "whole numbers"),
        (lambda: BoundDisplay(rows=[1], observed=[0.1], bound=[1.0]), "observed must be runs"),
        (lambda: EpochDisplay(errors={}), "errors must be a curve"),
        (lambda: HiddenOutputDisplay(outputs=[[1.0]]), "two numbers a row"),
    ],
)
def test_refusals(call: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        call()


def test_weights_decide() -> None:
    X, y = [[1.0], [2.0]], [1, 0]
    assert minimise_risk(Thresholds(), X, y, [3.0, 1.0]).risk == 0.25


def test_pictures_of_bounds() -> None:
    curve = GapCurve(np.array([10, 100]), np.array([[0.1, 0.2], [0.0, 0.05]]), np.array([0.5, 0.2]), 0.05)
    display = BoundDisplay.from_curve(curve, ax=Figure().subplots())
    assert display.line_.get_ydata().tolist() == [0.5, 0.2]
    assert display.mean_.get_ydata().tolist() == pytest.approx([0.15, 0.025])
    assert display.ax_.get_xscale() == "log"
    column = np.linspace(0.0, 1.0, 50)[:, None]
    drawn = BoundDisplay.from_rows(
        Thresholds(), T, column, column[:, 0] > 0.3, [5, 50], runs=3, delta=0.1, ax=Figure().subplots()
    )
    assert np.asarray(drawn.observed).shape == (2, 3)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_pictures_of_nets() -> None:
    """C.M08.09: traces of several runs, and rows as two hidden units answer to them."""
    X, y = load_xor()
    nets = [MLPClassifier((3,), solver="sgd", max_iter=5 + k, random_state=k).fit(X, y) for k in range(3)]
    traces = EpochDisplay.from_estimator(nets, ax=Figure().subplots())
    assert len(traces.lines_) == 4
    assert traces.lines_[0].get_ydata().tolist() == nets[0].loss_curve_[:5]
    hidden = HiddenOutputDisplay.from_estimator(nets[0], X, y, units=(0, 2), ax=Figure().subplots())
    assert hidden.points_[1].get_xdata().tolist() == nets[0].hidden_outputs(X)[y == 1, 0].tolist()
    with pytest.raises(BadInput, match="two of the 3 units"):
        HiddenOutputDisplay.from_estimator(nets[0], X, y, units=(0, 3))
    folds = EpochCurve(np.array([[0.5, 0.2]]), np.array([[0.5, 0.6]]))
    stop = EpochDisplay.from_curve(folds, ax=Figure().subplots())
    assert stop.best_.get_xdata()[0] == 1
