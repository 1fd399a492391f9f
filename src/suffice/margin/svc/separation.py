"""Whether a plane tells two classes apart: a question of linear programming, answered exactly up to rounding."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.margin.svc.kernel_rows import InputProducts, KernelRows


def separable(X: Array, signs: Array) -> bool:
    """Whether some w and t give every row w.x - t >= 1 on the side of its sign, +1 or -1.

    >>> separable(np.array([[0.0], [1.0]]), np.array([-1.0, 1.0]))
    True
    >>> separable(np.array([[0.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0]))
    False
    """
    from scipy.optimize import linprog

    X, signs = np.asarray(X, dtype=np.float64), np.asarray(signs, dtype=np.float64)
    if X.ndim != 2 or signs.shape != (len(X),) or not (np.abs(signs) == 1).all():
        rule = f"{len(X)} numbers, each +1 or -1"
        raise bad("separable", "signs", rule, signs, "Code classes as signs, one for each row of X.")
    centred = X - X.mean(axis=0)
    widest = np.abs(centred).max(axis=0, initial=0.0)
    rows = np.column_stack([centred / np.where(widest > 0, widest, 1.0), np.ones(len(X))])
    found = linprog(np.zeros(rows.shape[1]), A_ub=-signs[:, None] * rows, b_ub=-np.ones(len(X)), bounds=(None, None))
    return bool(found.status == 0)


def separable_by(rows: KernelRows, signs: Array) -> bool:
    """Whether a plane in the space of a kernel tells two classes apart."""
    return separable(features_of(rows), signs)


def features_of(rows: KernelRows) -> Array:
    """Rows in a space where their inner products are those of the kernel, without the directions that are rounding."""
    if isinstance(rows, InputProducts):
        return rows.X
    n = len(rows.diagonal)
    values, vectors = np.linalg.eigh(rows.square(np.arange(n)))
    real = values > values.max(initial=0.0) * n * float(np.finfo(np.float64).eps)
    return np.asarray(vectors[:, real] * np.sqrt(values[real]))
