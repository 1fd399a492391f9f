"""Scored rows with ties, weights and both classes, for the tests of curves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

CLOSE = {"rtol": 1e-12, "atol": 1e-13}


class ScoredRows(NamedTuple):
    """Some rows of two classes."""

    scores: Any  # (n,)
    labels: Any  # (n,) 0 or 1, both present with weight
    weights: Any  # (n,) or None

    def __getitem__(self, rows: Any) -> Any:
        """Some of the rows."""
        return ScoredRows(self.scores[rows], self.labels[rows], None if self.weights is None else self.weights[rows])


def made(seed: int, n: int, distinct: int, weighted: str) -> ScoredRows:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    labels[0], labels[-1] = 0, 1
    levels = rng.normal(size=distinct) * 10.0 ** rng.integers(-6, 7, distinct)
    scores = levels[rng.integers(0, distinct, n)] + 0.0
    weights = None
    if weighted == "whole":
        weights = rng.integers(0, 4, n).astype(float)
    if weighted == "any":
        weights = rng.random(n) * rng.integers(0, 2, n) + rng.choice([0.0, 0.1], n)
    if weights is not None:
        weights[[0, -1]] = 1.0
    return ScoredRows(scores, labels, weights)


ROWS = st.builds(
    made, st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(1, 40), st.sampled_from(["none", "whole", "any"])
)
