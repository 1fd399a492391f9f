"""Columns that say the same: of strongly correlated ones one is kept; and merit of subsets after Hall.

merit = k mean|r(column, class)| / sqrt(k + k (k - 1) mean|r(column, column)|)

Reference: M. Hall, Correlation-based feature selection for machine learning (1999).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad


def drop_redundant(X: Any, threshold: float = 0.95, scores: Any = None) -> Array:
    """Numbers of the columns that stay (k,): none of two that stay are correlated beyond the threshold.

    Parameters
    ----------
    X : (n, d) rows; labels are not needed
    threshold : the largest |correlation| of two columns that both stay
    scores : (d,) which of two is rather kept; None: the first

    >>> drop_redundant([[1.0, 2.0, 1.0], [2.0, 4.1, 0.0], [3.0, 6.0, 1.0], [4.0, 8.0, 0.0]]).tolist()
    [0, 2]
    """
    if not 0.0 <= threshold <= 1.0:
        raise bad("drop_redundant", "threshold", "between 0 and 1", threshold)
    r = np.abs(correlations(X))
    wanted = np.arange(len(r)) if scores is None else np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    if len(wanted) != len(r):
        raise bad("drop_redundant", "scores", f"one a column, {len(r)}", Said(str(len(wanted))))
    kept: list[int] = []
    for j in wanted.tolist():
        if not kept or r[j, kept].max() <= threshold:
            kept.append(j)
    return np.sort(np.array(kept, dtype=np.int64))


def correlations(X: Any) -> Array:
    """Pearson's correlations of columns (d, d), centred first; 0 with a column that does not vary."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 2 or not np.isfinite(rows).all():
        raise bad("correlations", "X", "a table of finite numbers with at least 2 rows", Said(f"shape {rows.shape}"))
    centred = rows - rows.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    scaled = np.divide(centred, lengths, out=np.zeros_like(centred), where=lengths > 0)
    return np.asarray(np.clip(scaled.T @ scaled, -1.0, 1.0))


def merit(columns: Any, with_class: Array, among: Array) -> float:
    """Hall's merit of a subset: columns that tell the class, and do not repeat one another."""
    some = np.asarray(columns, dtype=np.int64)
    k = len(some)
    if not k:
        return 0.0
    pairs = np.abs(among[np.ix_(some, some)])
    between = (pairs.sum() - np.trace(pairs)) / (k * (k - 1)) if k > 1 else 0.0
    return float(k * np.abs(with_class[some]).mean() / np.sqrt(k + k * (k - 1) * between))


def correlation_based(X: Any, y: Any) -> Array:
    """Columns chosen by Hall's merit, forward, until it no longer grows (k,).

    Parameters
    ----------
    X : (n, d) rows
    y : numbers, or labels of classes: then the mean over their indicators, by share
    """
    rows, target = np.asarray(X, dtype=np.float64), np.asarray(y)
    if rows.ndim != 2 or target.shape != rows.shape[:1]:
        raise bad("correlation_based", "y", f"one target a row of X, {len(rows)}", Said(f"shape {target.shape}"))
    labels, codes = np.unique(target, return_inverse=True)
    numbers = target.dtype.kind == "f" and len(labels) > 10
    indicators = target[:, None].astype(float) if numbers else (codes[:, None] == np.arange(len(labels))).astype(float)
    every = np.abs(correlations(np.column_stack([rows, indicators])))
    d, share = rows.shape[1], np.ones(1) if numbers else np.bincount(codes) / len(codes)
    with_class, among = every[:d, d:] @ share, every[:d, :d]
    kept: list[int] = []
    best = 0.0
    while len(kept) < d:
        found = [(merit([*kept, j], with_class, among), -j) for j in range(d) if j not in kept]
        top, j = max(found)
        if top <= best + 1e-12:
            break
        best, kept = top, [*kept, -j]
    return np.sort(np.array(kept, dtype=np.int64))
