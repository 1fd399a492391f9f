"""Pseudo-counts at the leaves: Laplace, m-estimates, or those of a family's prior."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array


def read_smoothing(given: Any, classes: Sequence[Any]) -> Array:
    """Pseudo-counts of the classes (K,).

    >>> read_smoothing("laplace", "ab"), read_smoothing(1.0, "ab"), read_smoothing(None, "ab")
    (array([1., 1.]), array([0.5, 0.5]), array([0., 0.]))
    """
    if given is None:
        return np.zeros(len(classes))
    if isinstance(given, str):
        return np.ones(len(classes))
    if isinstance(given, Real):
        return np.full(len(classes), float(given) / len(classes))
    return np.asarray(given.over(tuple(classes), False), dtype=np.float64)
