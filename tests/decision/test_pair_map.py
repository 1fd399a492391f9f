"""Pairs become classes: the shares that fit all pairs best, in exact rationals, and as libsvm couples them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.svm import SVC as TheirSVC

from suffice.core.errors import BadFile
from suffice.decision import LogisticMap
from suffice.decision.maps.coupling import SURE, couple
from suffice.decision.maps.pair_map import PairMap

rng = np.random.default_rng(0)


def best(first: np.ndarray, K: int) -> list[float]:
    """The linear system of one row, by elimination in rationals."""
    r = [[Fraction(0)] * K for _ in range(K)]
    for said, (i, j) in zip(np.clip(first, SURE, 1 - SURE), combinations(range(K), 2), strict=True):
        r[i][j], r[j][i] = Fraction(float(said)), Fraction(float(1.0 - said))
    rows = [[-r[j][i] * r[i][j] for j in range(K)] + [Fraction(1), Fraction(0)] for i in range(K)]
    for i in range(K):
        rows[i][i] = sum((r[j][i] ** 2 for j in range(K)), Fraction(0))
    rows.append([Fraction(1)] * K + [Fraction(0), Fraction(1)])
    for c in range(K + 1):
        pivot = next(i for i in range(c, K + 1) if rows[i][c])
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [cell / rows[c][c] for cell in rows[c]]
        rows = [
            row if i == c else [a - row[c] * b for a, b in zip(row, rows[c], strict=True)] for i, row in enumerate(rows)
        ]
    return [float(row[-1]) for row in rows[:K]]


@pytest.mark.parametrize("K", [3, 5])
@pytest.mark.parametrize("scale", [1.0, 10.0, 100.0])
def test_shares_are_those_of_exact_rationals(K: int, scale: float) -> None:
    first = 1.0 / (1.0 + np.exp(-scale * rng.normal(size=(20, K * (K - 1) // 2))))
    found = couple(first, K)
    np.testing.assert_allclose(found, [best(row, K) for row in first], rtol=1e-7, atol=1e-15)
    assert (found > 0).all()


def test_pairs_that_agree_are_met_exactly() -> None:
    p = rng.dirichlet(np.ones(4), size=50)
    first = np.column_stack([p[:, i] / (p[:, i] + p[:, j]) for i, j in combinations(range(4), 2)])
    np.testing.assert_allclose(couple(first, 4), p, rtol=1e-10)
    assert couple(first[:0], 4).shape == (0, 4)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_with_its_curves_it_says_what_libsvm_says() -> None:
    """Which iterates, and stops where shares change by less than 0.005 / K."""
    X, y = load_iris(return_X_y=True)
    theirs = TheirSVC(probability=True, random_state=0, decision_function_shape="ovo").fit(X, y)
    slopes, offsets = -theirs.probA_, -theirs.probB_
    map = PairMap(LogisticMap(slopes, np.zeros(3), offsets), np.full(3, 1 / 3))
    found = map.proba(theirs.decision_function(X))
    np.testing.assert_allclose(found, theirs.predict_proba(X), atol=0.005)
    assert np.abs(found - theirs.predict_proba(X)).max() > 0  # exact where that is not


def test_of_two_classes_the_curve_says_it_all() -> None:
    map = PairMap(LogisticMap(np.array([2.0]), np.array([0.5]), np.array([0.0])), np.array([0.3, 0.7]))
    np.testing.assert_allclose(map.proba(np.array([[0.5], [99.0]])), [[0.5, 0.5], [0.0, 1.0]], atol=1e-15)


def test_curves_of_other_classes_are_no_map() -> None:
    with pytest.raises(BadFile, match="pairs of 3 classes"):
        PairMap(LogisticMap(np.ones(1), np.ones(1), np.ones(1)), np.full(3, 1 / 3))
