"""Novikoff's bound: how many mistakes a perceptron can make at most, where a separating hyperplane is known.

mistakes <= (R / gamma)^2,     R = max norm(x_i),     gamma = min y_i w.x_i / norm(w)

It holds for any order of the rows, any number of sweeps and any rate, from weights of zero. With an intercept, rows are
(1, x) and weights (b, w).

Reference: A. Novikoff, On convergence proofs for perceptrons (1962).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.sources.tables.labels import code_labels


def mistake_bound(X: Any, y: Any, coef: Any, intercept: float | None = None) -> float:
    """Most mistakes of a perceptron on these rows; infinity where the hyperplane does not separate them.

    Parameters
    ----------
    X : rows of numbers
    y : labels of two classes; the larger lies where w.x + b > 0
    coef : w, one weight a column
    intercept : b; None where the perceptron has none

    >>> mistake_bound([[1, 2], [-1, 2], [-1, -2], [3, 1]], [-1, -1, 1, 1], [3.0, -4.0], -1.0)
    17.875
    """
    rows, w = np.asarray(X, dtype=np.float64), np.asarray(coef, dtype=np.float64).ravel()
    if rows.ndim != 2 or rows.shape[1:] != w.shape:
        note = f"one weight for each of {rows.shape[-1]} columns"
        raise bad("mistake_bound", "coef", note, Said(f"{len(w)} weights"), "Give the weights of a perceptron.")
    codes, labels = code_labels(y)
    if len(codes) != len(rows) or len(labels[0]) != 2:
        rule = "a label of one of 2 classes for each row"
        raise bad("mistake_bound", "y", rule, Said(f"{len(codes)} labels of {len(labels[0])} classes"), "Give both.")
    if intercept is not None:
        rows, w = np.column_stack([np.ones(len(rows)), rows]), np.append(float(intercept), w)
    top = labels[0].index(max(labels[0]))
    margins = np.where(codes[:, 0] == top, 1.0, -1.0) * (rows @ w)
    if not margins.min() > 0.0:
        return float("inf")
    return float((rows * rows).sum(axis=1).max() * (w @ w) / margins.min() ** 2)
