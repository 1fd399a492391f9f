"""The loop over columns that vary alone: both ways to densities give the same sums; far means take one."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.core.double_double import exact
from suffice.families.normals.normal import Normals
from suffice.mixtures.passes import column_pass
from suffice.mixtures.passes.column_pass import column_sums


def passed(X: np.ndarray, means: np.ndarray, sd: float) -> tuple[np.ndarray, float, bool]:
    normals = Normals(exact(means), np.full(means.shape, sd**2), np.ones(means.shape[1]))
    sums, height, odd = column_sums(X, None, normals, np.log(np.full(len(means), 1 / len(means))), False)
    assert odd == 0
    return sums.sums[:, :, : X.shape[1]], height, len(sums.half) == 0


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("d", [1, 4, 7])
def test_both_ways_give_the_same_sums(offset: float, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(d)
    means = np.round(3.0 * rng.normal(size=(3, d)), 1) + offset
    X = means[rng.integers(0, 3, 150)] + np.round(rng.normal(size=(150, d)), 3)
    sums, height, close = passed(X, means, 1.5)
    monkeypatch.setattr(column_pass, "CLOSE", -1.0)
    others, other_height, exact_way = passed(X, means, 1.5)
    assert close
    assert not exact_way
    np.testing.assert_allclose(sums, others, rtol=1e-12, atol=1e-11)
    assert height == pytest.approx(other_height, rel=1e-13)


def test_means_far_apart_take_the_exact_way() -> None:
    X = np.array([[0.0], [1e9 + 0.5], [1e9 - 0.25]])
    sums, _height, close = passed(X, np.array([[0.0], [1e9]]), 1.0)
    assert not close
    np.testing.assert_array_equal(sums[:, :, 0], [[0.0, 0.25], [0.0, 0.3125]])
