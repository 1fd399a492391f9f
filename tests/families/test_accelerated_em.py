"""Leaps between steps of expectation-maximisation: the same end, sooner, and no leap to what is no distribution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_wine

from suffice import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from suffice.core.double_double import exact
from suffice.families.normals import accelerated_em, incomplete_normals
from suffice.families.normals.accelerated_em import leap, moved, settle
from suffice.families.normals.joint_normals import JointNormals

X, Y = load_wine(return_X_y=True)
HOLED = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
HOLED[:, 0] += 1e8


def normals(mean: Any, covariance: Any) -> JointNormals:
    C = np.array(covariance, dtype=float)
    return JointNormals(exact(np.array(mean, dtype=float)), C, np.ones(C.shape[1]))


@pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_the_end_is_that_of_plain_steps_in_half_of_them(cls: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made, plain = [0], incomplete_normals.Expectation.__call__

    def counted(self: Any, given: JointNormals) -> Any:
        made[0] += 1
        return plain(self, given)

    def answers() -> tuple[int, np.ndarray]:
        made[0] = 0
        found = cls(missing="marginalise").fit(HOLED[:, :6], Y).predict_proba(HOLED[:, :6])
        return made[0], found

    monkeypatch.setattr(incomplete_normals.Expectation, "__call__", counted)
    few, mine = answers()
    monkeypatch.setattr(accelerated_em, "leap", lambda a, b, c: None)
    many, theirs = answers()
    assert 2 * few <= many < accelerated_em.MOST
    np.testing.assert_allclose(mine, theirs, atol=1e-8)


def test_steps_along_a_line_end_after_one_leap() -> None:
    """Means and covariances that go a tenth of the way to their end: a leap is exact."""
    end = normals([[3.0, 1e8 - 4.0]], [[[2.0, 0.5], [0.5, 1.0]]])
    made = [0]

    def step(now: JointNormals) -> JointNormals:
        made[0] += 1
        way = 0.1 * (end.mean - now.mean).value
        covariance = now.covariance + 0.1 * (end.covariance - now.covariance)
        return replace(now, mean=now.mean + exact(way), covariance=covariance)

    found = settle(step, normals([[0.0, 1e8]], [np.eye(2)]))
    assert moved(found, end) <= 1e-9
    assert made[0] <= 12
    monotone = normals([[0.0, 1e8]], [np.eye(2)])
    for _ in range(12):
        monotone = step(monotone)
    assert moved(monotone, end) > 0.1  # plain steps are far from it by then


def test_no_leap_to_what_is_no_distribution() -> None:
    a, b = normals([[0.0]], [[[4.0]]]), normals([[0.0]], [[[2.0]]])
    assert leap(a, b, normals([[0.0]], [[[0.1]]])) is None  # 4 - 2 s 2 + s^2 0.1 is below 0
    near = leap(a, b, normals([[0.0]], [[[1.5]]]))
    assert near is not None
    assert near.covariance[0, 0, 0] == pytest.approx(4.0 - 2.0 * (4 / 3) * 2.0 + (4 / 3) ** 2 * 1.5)


def test_a_leap_that_is_no_gain_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    away = normals([[1e6]], [[[1.0]]])
    monkeypatch.setattr(accelerated_em, "leap", lambda a, b, c: away)

    def step(now: JointNormals) -> JointNormals:
        return normals(0.5 * now.mean.value, now.covariance)

    assert abs(settle(step, normals([[1.0]], [[[1.0]]])).mean.value[0, 0]) < 1e-9


def test_columns_that_do_not_vary_stay_so() -> None:
    C = np.diag([1.0, 0.0])
    found = leap(*(normals([[x, 5.0]], [C * (1.0 + y)]) for x, y in ((0.0, 0.0), (0.5, 0.1), (0.75, 0.15))))
    assert found is not None
    np.testing.assert_allclose(found.mean.value, [[1.0, 5.0]])
    np.testing.assert_allclose(found.covariance, [[[1.2, 0.0], [0.0, 0.0]]])
