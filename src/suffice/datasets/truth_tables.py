"""The two smallest lessons about a hyperplane: OR has one between its classes, XOR has none."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array

ROWS = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))


def load_or() -> tuple[Array, Array]:
    """x1 or x2: four rows (4, 2) and their outputs (4,). A hyperplane separates 0 from 1.

    >>> load_or()[1].tolist()
    [0, 1, 1, 1]
    """
    return np.array(ROWS), np.array([0, 1, 1, 1])


def load_xor() -> tuple[Array, Array]:
    """x1 or x2, but not both: four rows (4, 2) and their outputs (4,). No hyperplane separates 0 from 1.

    >>> load_xor()[1].tolist()
    [0, 1, 1, 0]
    """
    return np.array(ROWS), np.array([0, 1, 1, 0])
