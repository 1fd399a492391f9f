"""The share of the largest variance that is added to all: of columns near their shift and far off it."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.core.shares import Shares
from suffice.families.normals.variance_priors import VarianceFloor
from suffice.summaries.moments import Moments


@pytest.mark.parametrize("larger", [0, 1])
def test_the_largest_variance_is_found_among_near_and_far_columns(larger: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[:, 1] += 1e6  # far off the shift
    X[:, larger] *= 3.0
    moments = Moments.of(X, Shares.hard(rng.integers(0, 2, 300).astype(np.int32), 2), np.zeros(3))
    assert VarianceFloor(0.5).floor(moments) == pytest.approx(0.5 * X.var(axis=0).max(), rel=1e-9)
