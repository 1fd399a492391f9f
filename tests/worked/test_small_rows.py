"""Rows of the sources that a line answers: logistic curve, softmax, Bernoulli, degrees, the size of a held-out part."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import ShuffleSplit

from suffice import PolynomialRegression
from suffice.core.block import Coded
from suffice.core.shares import Shares
from suffice.decision import LogisticMap, normalize
from suffice.estimators.folds.fold_models import read_splits
from suffice.evaluation import grid_search
from suffice.evaluation.selection.hold_out import stratified_hold_out
from suffice.families import Bernoulli, Dirichlet


def test_the_logistic_curve() -> None:
    """C.M04.06: 1/(1 + exp(-k (x - x0))): a half at x0, steep with k, flat far from x0 and never beyond 0 and 1."""
    k, x0, x = 2.5, 3.0, np.array([-1e6, 1.0, 3.0, 4.0, 1e6])
    curve = LogisticMap(np.array([k]), np.array([x0]), np.array([0.0])).proba(x)
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(curve[:, 1], 1.0 / (1.0 + np.exp(-k * (x - x0))), rtol=1e-14)
    assert curve[[0, 2, 4], 1].tolist() == [0.0, 0.5, 1.0]


def test_softmax() -> None:
    """C.M11.06: exp(x_j) / sum_k exp(x_k), with the maximum subtracted first."""
    x = np.array([[1.0, 2.0, 3.0], [1000.0, 1001.0, 1002.0]])
    p = np.exp(normalize(x))
    np.testing.assert_allclose(p[0], np.exp(x[0]) / np.exp(x[0]).sum(), rtol=1e-14)
    np.testing.assert_allclose(p[1], p[0], rtol=1e-12)


def test_the_parameter_of_a_bernoulli_variable_is_that_of_1() -> None:
    """C.E28: P(1) = phi and P(0) = 1 - phi, not the other way round."""
    family = Bernoulli(Dirichlet(0.0))
    rows = Coded(np.array([[1], [1], [1], [0]]), ((False, True),))
    model = family.estimate(family.summarize(rows, Shares.hard(np.zeros(4, dtype=np.int32), 1)))
    asked = Coded(np.array([[0], [1]]), ((False, True),))
    np.testing.assert_allclose(np.exp(model.log_density(asked))[:, 0], [0.25, 0.75], rtol=1e-14)


def test_the_degree_of_least_validation_error() -> None:
    """C.M03.10: degrees 1 to 8 by the error on rows held out; a cubic is found."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, 120)
    y = x**3 - 2 * x + 0.3 * rng.normal(size=120)
    held = [(np.arange(80), np.arange(80, 120))]
    found = grid_search(PolynomialRegression(), {"degree": range(1, 9)}, x[:, None], y, cv=held)
    errors = [((y[80:] - np.polyval(np.polyfit(x[:80], y[:80], degree), x[80:])) ** 2).mean() for degree in range(1, 9)]
    assert found.parameters["degree"] == 1 + int(np.argmin(errors)) >= 3
    np.testing.assert_allclose([r.mean("squared_error") for r in found.results], errors, rtol=1e-6)


def test_a_third_of_ninety_rows() -> None:
    """C.W06: 0.33 of 90 rows is 29.7, for which splitters hold out 30 and learn from 60; by class, as many of each."""
    ((train, test),) = read_splits(
        "cross_validate", ShuffleSplit(1, test_size=0.33), None, 90, None, classes=False
    ).pairs
    assert (len(train), len(test)) == (60, 30)
    y = np.repeat(["a", "b", "c"], 30)
    counts = [int(stratified_hold_out(y, 0.33)[y == label].sum()) for label in "abc"]
    assert all(abs(count - 9.9) < 1 for count in counts)
