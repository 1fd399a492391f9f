"""Moments of rows with missing cells, as a normal model expects them: what EM sums where cells are hidden too."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.families.incomplete import completed
from suffice.families.joint_normals import JointNormals
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments

ROWS = 1024  # rows whose missing patterns are held at a time


def expected_moments(X: Array, R: Shares, normals: JointNormals) -> FullMoments:
    """Sums of the complete rows, given what was observed of them and the normals of the pass before."""
    shift: Any = normals.mean.high[0]
    total = [FullMoments.empty(R.K, shift)]
    for a in range(0, len(X), ROWS):
        some = PatternMoments.of(np.asarray(X[a : a + ROWS], dtype=np.float64), R[a : a + ROWS])
        if len(some.present):
            total.append(completed(some, normals))
    return FullMoments.sum(total)
