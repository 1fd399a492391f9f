"""Triangles of products, and whether products tell them: what `LeastSquaresSummary` decides by.

Solving with products costs the square of the condition number of their columns in digits. Where that is harmless, the
root is Cholesky's in float64; else it is taken in pairs, which sharp products are worth.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.summaries.full_moments import KEPT, FullMoments
from suffice.summaries.roots.correlation_root import CorrelationRoot, correlation_root
from suffice.summaries.roots.paired_root import paired_root
from suffice.summaries.sharp_products import FEW
from suffice.summaries.triangular import TriangularFactor, triangle_of

HARMLESS = 1e5  # condition number of the matrix of correlations up to which plain products keep 11 digits
SHARP = 1e8  # condition number of columns up to which sharp products, whose error is squared by it, keep 11 digits
TOLD = 1e12  # of correlations, estimated: columns that sharp products tell apart, with digits to spare
SAFE_ROOT = 2e4  # bound of a condition number up to which few rows need no root in pairs: some 13 digits
NEAR = 1e-6  # of a column's squares about the shift that must be its own, for float64 to tell how it varies
TINY = 1e-300
SMALL = FEW


def harmless(moments: FullMoments) -> bool:
    """Whether the products of every component that has rows keep 11 digits, targets included."""
    return all(_surely(moments, k, HARMLESS) or _condition_of(moments, k) < HARMLESS for k in _live(moments))


def enough(moments: FullMoments) -> bool:
    """Whether the triangle need not be kept: products that are plain are harmless, and sharp ones tell it as well."""
    limit = TOLD if moments.sharp else HARMLESS
    if len(moments.rows) > 1 and moments.sharp and _together(moments):
        return True
    odd = [k for k in _live(moments) if not _surely(moments, k, limit)]
    if not odd:
        return True
    varying = (np.diagonal(moments.scatter.high, axis1=1, axis2=2) > 0).sum(axis=1)
    if (moments.rows[odd] <= varying[odd]).any():  # about their mean, n rows have n - 1 directions at most
        return False
    found: dict[int, float] = {}  # condition numbers of those that are not harmless
    for k in odd:
        if (condition := _condition_of(moments, k)) >= HARMLESS:
            if not condition < SHARP**2:  # of correlations, where it is squared
                return False
            found[k] = condition
    worst_first = sorted(found, key=lambda k: found[k], reverse=True)
    return all(_tells(Pair(*(half[k] for half in moments.scatter))) for k in worst_first)


def _together(moments: FullMoments) -> bool:
    """Whether all components as one are harmless: a class by itself is never solved, see `labelled`."""
    Q, s, W = (half.high.sum(axis=0) for half in (moments.second, moments.first, moments.weight))
    S = Q - s[:, None] * (s / max(W, TINY))
    squares, sizes = np.diagonal(S), np.diagonal(Q)
    if moments.rows.sum() <= len(s) or not (squares >= NEAR * sizes).all():  # the shift is far off: too few digits
        return False
    root = correlation_root(S)
    return root is not None and root.condition < TOLD


def _live(moments: FullMoments) -> Array:
    """The components that have rows."""
    return moments.rows.nonzero()[0]


def _condition_of(moments: FullMoments, k: int) -> float:
    return _condition(Pair(*(half[k] for half in moments.scatter)).value)


def _surely(moments: FullMoments, k: int, limit: float) -> CorrelationRoot | None:
    """The root of one component in float64, if its condition number is below a limit for sure; kept if small."""
    known: dict[int, CorrelationRoot | None] = vars(moments).setdefault("_roots", {})
    if k in known:
        root = known[k]
    else:
        scatter = moments.scatter
        root = correlation_root(scatter.high[k] + scatter.low[k])
        if moments.second.high.size <= KEPT:
            known[k] = root
    return root if root is not None and root.condition < limit else None


def bound_is_known(moments: FullMoments, k: int) -> bool:
    """Whether it was tried to find one out."""
    return k in vars(moments).get("_roots", {})


def known_bound(moments: FullMoments, k: int) -> float:
    """What the condition number of the correlations of one component is below, as far as that was found out."""
    roots: dict[int, CorrelationRoot | None] = vars(moments).get("_roots", {})
    root = roots.get(k)
    return np.inf if root is None else root.condition


def _tells(S: Pair) -> bool:
    """Whether the columns that vary have a condition number that sharp products keep six digits of, at least."""
    T = paired_root(S)
    if T is None:
        return False
    length = np.sqrt((T**2).sum(axis=0))
    values = np.linalg.svd(T[:, length > 0] / length[length > 0], compute_uv=False)[: int((length > 0).sum())]
    return bool(not len(values) or values[0] < SHARP * values[-1])


def _condition(S: Array) -> float:
    """Condition number of the correlations of the columns that vary; infinite where rounding hides it."""
    spread_out = np.sqrt(np.diagonal(S))
    S, spread_out = S[spread_out > 0][:, spread_out > 0], spread_out[spread_out > 0]
    if not len(S):
        return 1.0
    values = np.linalg.eigvalsh(S / spread_out[:, None] / spread_out)
    return float(values[-1] / values[0]) if values[0] > 0 else np.inf


def factor_of(moments: FullMoments) -> TriangularFactor:
    """The triangle that products say: as good as they are."""
    K, m = len(moments.rows), len(moments.shift)
    triangle = np.zeros((K, m + 1, m + 1))
    triangle[:, 0, 0] = root = np.sqrt(moments.weight.high)  # the high half is the whole, rounded
    live = _live(moments)
    triangle[:, 0, 1:] = moments.first.high / (root if len(live) == K else np.maximum(root, TINY))[:, None]
    for k in live:
        triangle[k, 1:, 1:] = _root_of(moments, k)
    return TriangularFactor(moments.shift, moments.rows, triangle)


def _root_of(moments: FullMoments, k: int) -> Array:
    """Of one component: in float64 where pairs would make it no better, as products are plain, or nothing is lost."""
    many = moments.rows[k] > SMALL
    safe = _surely(moments, k, HARMLESS if many else SAFE_ROOT)
    if safe is not None:
        return safe.T
    S = Pair(*(half[k] for half in moments.scatter))
    T = _quick_root(S.value) if many else None
    T = paired_root(S) if T is None else T
    return nearest_root(S.value) if T is None else T


def _quick_root(S: Array) -> Array | None:
    """The same where products are plain, and pairs would make them no better; None where that would cost digits."""
    if not (np.diagonal(S) > 0).all() or not _condition(S) < HARMLESS:
        return None
    length = np.sqrt(np.diagonal(S))
    return np.asarray(np.linalg.cholesky((S + S.T) / 2.0 / length[:, None] / length).T * length)


def nearest_root(S: Array) -> Array:
    """The triangle T with T'T = S, the nearest where rounding has left S without one."""
    length = np.sqrt(np.diagonal(S))
    scale = np.where(length > 0, length, 1.0)
    values, vectors = np.linalg.eigh((S + S.T) / 2.0 / scale[:, None] / scale)
    return triangle_of(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * length)
