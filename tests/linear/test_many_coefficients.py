"""Newton's method by conjugate gradients beside Newton's method itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import suffice.linear.logistic.logistic_passes as passes
import suffice.linear.logistic.many_coefficients as many
from suffice import LogisticRegression
from suffice.core.block import Array

RNG = np.random.default_rng(4)
K, D = 6, 24


def _rows(n: int = 500, offset: float = 0.0) -> tuple[Array, Array]:
    y = RNG.integers(0, K, n)
    X = RNG.normal(size=(n, D)) + 0.7 * RNG.normal(size=(K, D))[y]
    X[:, 3] = 5.0  # tells nothing
    return X * np.logspace(-3, 3, D) + offset, y


def _slope(model: Any, X: Array, y: Array, w: Array, C: float) -> float:
    """The largest slope of the objective, each in units of its column."""
    apart = model.predict_proba(X)
    apart[np.arange(len(y)), y] -= 1.0
    apart *= w[:, None]
    by_coef = (X - X.mean(axis=0)).T @ apart + model.coef_.T / C + np.outer(X.mean(axis=0), apart.sum(axis=0))
    return float(max(np.abs(by_coef / np.abs(X).max(axis=0)[:, None]).max(), np.abs(apart.sum(axis=0)).max()))


@pytest.mark.parametrize("C", [1.0, 1e4])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_coefficients_are_those_of_newtons_steps(
    C: float, intercept: bool, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = _rows()
    w = RNG.integers(0, 3, len(y)).astype(float) if weighted else None
    options: dict[str, Any] = {"C": C, "fit_intercept": intercept}
    called: list[int] = []
    quick = many.descend_many

    def counted(*arguments: Any) -> Any:
        called.append(1)
        return quick(*arguments)

    monkeypatch.setattr(passes, "descend_many", counted)
    ours = LogisticRegression(**options).fit(X, y, w)
    assert called
    monkeypatch.setattr(passes, "MANY_COEFFICIENTS", 10**9)
    slow = LogisticRegression(**options, tol=1e-10).fit(X, y, w)
    assert len(called) == 1
    size = np.abs(slow.coef_).max(axis=0) + 1e-300
    np.testing.assert_allclose(ours.coef_ / size, slow.coef_ / size, rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.intercept_, slow.intercept_, rtol=0, atol=1e-9)
    if intercept:
        assert _slope(ours, X, y, np.ones(len(y)) if w is None else w, C) < 1e-8


def test_far_off_columns_cost_no_digits() -> None:
    X, y = _rows()
    near, far = LogisticRegression().fit(X, y), LogisticRegression().fit(X + 2.0**20, y)
    np.testing.assert_allclose(far.predict_proba(X + 2.0**20), near.predict_proba(X), rtol=0, atol=1e-6)


def test_what_tol_asks_beyond_is_left_to_newtons_last_steps() -> None:
    X, y = _rows()
    model = LogisticRegression(tol=1e-12).fit(X, y)
    assert _slope(model, X, y, np.ones(len(y)), 1.0) < 1e-10


def test_passes_that_end_too_soon_are_told() -> None:
    X, y = _rows()
    with pytest.warns(Warning, match="still changing after 2 passes"):
        LogisticRegression(max_iter=2).fit(X, y)
