"""A support vector classifier under several penalties and widths, side by side: numbers of one panel each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.read_wishes import as_numbers
from suffice.plots.numbers.feature_grid import FeatureGrid
from suffice.plots.numbers.support_margins import Margins, margins


class MarginPanel(NamedTuple):
    """One classifier: its parameters, its decision values over two features, and the margins of its rows."""

    C: float
    gamma: float
    values: Array  # (h, g) decision value at each pair of values of the features
    margins: Margins
    model: Any


def margin_panels(
    owner: object, estimator: Any, grid: FeatureGrid, X: Any, y: Any, Cs: Any, gammas: Any
) -> list[list[MarginPanel]]:
    """A row of panels for each C, in it one for each gamma; the estimator is cloned and fitted for each.

    Parameters
    ----------
    owner : who asks, for the messages
    estimator : a support vector classifier with parameters C and gamma, ours or scikit-learn's
    grid : where decision values are asked for
    X, y : rows of two features and two classes
    Cs, gammas : values of the parameters, one or several of each
    """
    known = estimator.get_params() if hasattr(estimator, "get_params") else {}
    if not {"C", "gamma"} <= set(known):
        rule = "a support vector classifier with parameters C and gamma"
        raise bad(owner, "estimator", rule, Said(type(estimator).__name__), "Use SVC().")
    across, down = _positive(owner, "gamma", gammas), _positive(owner, "C", Cs)
    return [[_panel(owner, estimator, grid, X, y, C, gamma) for gamma in across] for C in down]


def _positive(owner: object, name: str, values: Any) -> list[float]:
    """Numbers above 0, at least one."""
    rule = "numbers above 0, at least one"
    numbers = as_numbers(owner, name, rule, np.atleast_1d(values))
    if not numbers.size or not ((numbers > 0.0) & np.isfinite(numbers)).all():
        raise bad(owner, name, rule, values)
    return list(numbers.tolist())


def _panel(owner: object, estimator: Any, grid: FeatureGrid, X: Any, y: Any, C: float, gamma: float) -> MarginPanel:
    model = clone(estimator).set_params(C=C, gamma=gamma).fit(X, y)
    found = margins(model, X, y, owner)
    return MarginPanel(C, gamma, grid.ask(model.decision_function), found, model)
