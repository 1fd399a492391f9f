"""Loss, slope and curvature of logistic regression: by loops, by matrices and by finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice import LogisticRegression
from suffice.core.errors import BadInput
from suffice.linear.logistic import logistic_loop, logistic_sums
from suffice.numerics import loop

RNG = np.random.default_rng(8)


def case(n: int, p: int, K: int, weighted: bool = False) -> tuple[Any, ...]:
    """Rows, classes, weights, coefficients, levels and an origin."""
    L = 1 if K == 2 else K
    w = RNG.integers(0, 4, n).astype(float) if weighted else None
    rest = (RNG.normal(size=shape) for shape in ((L, p), (L,), (p,)))
    return RNG.normal(size=(n, p)), RNG.integers(0, K, n), w, *rest


@pytest.mark.parametrize("n", [1, 63, 64, 65, 500])
@pytest.mark.parametrize(("p", "K"), [(1, 2), (7, 2), (8, 3), (20, 10), (63, 4)])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_loop_is_the_matrix_way(n: int, p: int, K: int, weighted: bool) -> None:
    X, truth, w, coef, level, origin = case(n, p, K, weighted)
    mine, other = (way.loss_and_slope(X, truth, w, coef, level, origin) for way in (logistic_loop, logistic_sums))
    for a, b in zip(mine, other, strict=True):
        assert np.asarray(a) == pytest.approx(np.asarray(b), rel=1e-11, abs=1e-10)
    places = origin, origin + RNG.normal(size=p), RNG.uniform(0.5, 2.0, p)
    bends = [way.curvature(X, w, coef, level, *places) for way in (logistic_loop, logistic_sums)]
    assert bends[0] == pytest.approx(bends[1], rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("K", [2, 4])
def test_slopes_and_curvature_are_differences(K: int) -> None:
    X, truth, w, coef, level, origin = case(80, 3, K, True)
    step = 1e-5
    _, by_level, by_coef = logistic_loop.loss_and_slope(X, truth, w, coef, level, origin)
    bend = logistic_loop.curvature(X, w, coef, level, origin, origin, np.ones(3))
    L = len(coef)
    for k in range(L):
        for j in range(4):
            ends = []
            for sign in (1.0, -1.0):
                c, a = coef.copy(), level.copy()
                if j:
                    c[k, j - 1] += sign * step
                else:
                    a[k] += sign * step
                ends.append(logistic_loop.loss_and_slope(X, truth, w, c, a, origin))
            slope = (ends[0][0] - ends[1][0]) / (2 * step)
            assert slope == pytest.approx(by_coef[k, j - 1] if j else by_level[k], rel=1e-6, abs=1e-6)
            change = [np.column_stack([end[1], end[2]]).ravel() for end in ends]
            assert (change[0] - change[1]) / (2 * step) == pytest.approx(bend[k * 4 + j], rel=1e-5, abs=1e-5)


def test_far_scores_are_numbers() -> None:
    X, truth = np.array([[800.0], [-800.0], [0.0]]), np.array([0, 0, 1])
    loss, by_level, _ = logistic_loop.loss_and_slope(X, truth, None, np.ones((1, 1)), np.zeros(1), np.zeros(1))
    assert loss == pytest.approx(800.0 + np.log(2.0), rel=1e-15)
    assert by_level == pytest.approx([1.0 - 0.5], abs=1e-12)
    loss, *_ = logistic_loop.loss_and_slope(X, truth, None, np.array([[1.0], [0.0], [-1.0]]), np.zeros(3), np.zeros(1))
    assert loss == pytest.approx(1600.0 + np.log(3.0), rel=1e-15)


@pytest.mark.parametrize("make", [np.asfortranarray, lambda X: X.astype(np.float32), lambda X: X[::3], np.rint])
def test_rows_of_any_make(make: Any) -> None:
    X, truth, _, coef, level, origin = case(200, 5, 3)
    X = make(X)
    mine, other = (
        way.loss_and_slope(X, truth[: len(X)], None, coef, level, origin) for way in (logistic_loop, logistic_sums)
    )
    assert mine[0] == pytest.approx(other[0], rel=1e-12)
    assert mine[2] == pytest.approx(other[2], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("K", [2, 5])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_both_ways_fit_the_same_model(K: int, offset: float, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.round(RNG.normal(size=(400, 4)), 6)
    y = (X @ RNG.normal(size=(4, K)) + RNG.gumbel(size=(400, K))).argmax(axis=1)
    plain = LogisticRegression(tol=1e-9).fit(X + offset, y)
    monkeypatch.setattr(loop, "WORTH", 0)
    looped = LogisticRegression(tol=1e-9).fit(X + offset, y)
    assert looped.coef_ == pytest.approx(plain.coef_, rel=1e-7, abs=1e-9)
    assert looped.predict_proba(X + offset) == pytest.approx(plain.predict_proba(X + offset), abs=1e-9)


@pytest.mark.parametrize("cell", [np.nan, np.inf])
def test_a_bad_cell_that_only_later_passes_meet_is_refused_by_name(
    cell: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "WORTH", 0)
    X = RNG.normal(size=(300, 3))
    X[250, 1] = cell
    with pytest.raises(BadInput, match="column 'x1' must be"):
        LogisticRegression().fit(X, np.arange(300) % 2)
