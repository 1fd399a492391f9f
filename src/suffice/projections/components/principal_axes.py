"""Principal axes of rows by three routes that agree, and one after the other.

X - m = U S V',     (X - m)'(X - m) = V S^2 V',     (X - m)(X - m)' = U S^2 U',     scores W = U S = (X - m) V

The columns of W are the components; the rows are the instances. Signs are free: here the largest entry of each axis is
positive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

STEPS = 10_000  # of a power iteration


class PrincipalAxes(NamedTuple):
    """Axes of falling variance."""

    mean: Array  # (d,)
    singular_values: Array  # (r,)
    axes: Array  # (r, d) one a row, orthonormal
    scores: Array  # (n, r) the rows, centred, in these axes


def principal_axes(X: Any, route: str = "svd") -> PrincipalAxes:
    """Axes of greatest variance of complete rows.

    Parameters
    ----------
    X : rows (n, d)
    route : "svd" of the centred rows; "scatter", the eigenvectors of the d x d matrix, which adds; "gram", those of the
        n x n matrix, cheaper where rows are fewer than columns

    >>> found = principal_axes([[0.0, 0.0], [3.0, 4.0]], "gram")
    >>> found.axes.round(6).tolist(), found.singular_values.round(6).tolist()
    ([[0.6, 0.8]], [3.535534])
    """
    if route not in _ROUTES:
        raise bad("principal_axes", "route", f"one of {list(_ROUTES)}", route, "Correct it.")
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or not np.isfinite(X).all() or 0 in X.shape:
        raise bad("principal_axes", "X", "rows of finite numbers", Said(f"shape {X.shape}"), "Fill missing cells.")
    mean = X.mean(axis=0)
    Z = X - mean
    values, axes = _ROUTES[route](Z)
    some = values > values.max(initial=0.0) * max(X.shape) * np.finfo(float).eps ** _DIGITS[route]
    axes = turned(axes[some])
    return PrincipalAxes(mean, values[some], axes, Z @ axes.T)


def greatest_directions(scatter: Any, k: int) -> tuple[Array, Array]:
    """The direction of greatest variance, then the greatest orthogonal to it, and so on: k directions and their sizes.

    Each is found by multiplying a vector by the matrix until it no longer turns, with those before it taken out.

    >>> sizes, directions = greatest_directions([[2.0, 0.0], [0.0, 5.0]], 2)
    >>> sizes.tolist(), np.abs(directions).tolist()
    ([5.0, 2.0], [[0.0, 1.0], [1.0, 0.0]])
    """
    S = np.asarray(scatter, dtype=np.float64)
    if S.ndim != 2 or S.shape[0] != S.shape[1] or not np.allclose(S, S.T):
        raise bad("greatest_directions", "scatter", "a symmetric matrix", Said(f"shape {S.shape}"), "Give X'X.")
    if not 0 <= k <= len(S):
        raise bad("greatest_directions", "k", f"from 0 to {len(S)}", k, "There are no more directions.")
    found: Array = np.zeros((0, len(S)))
    for _ in range(k):
        left = np.eye(len(S)) - found.T @ found
        v = left[np.argmax(np.diagonal(left @ S @ left))]
        v = v / np.linalg.norm(v)
        for _ in range(STEPS):
            step = left @ (S @ v)
            size = np.linalg.norm(step)
            if size == 0.0:
                break
            v, old = step / size, v
            if np.abs(v - old).max() < 1e-15:
                break
        found = np.vstack([found, turned(v[None])])
    return np.einsum("ij,jk,ik->i", found, S, found), found


def turned(axes: Array) -> Array:
    """Each axis (r, d) with its largest entry positive."""
    if not axes.size:
        return axes
    at = np.argmax(np.abs(axes), axis=1)
    signs = np.sign(axes[np.arange(len(axes)), at])
    return np.asarray(axes * np.where(signs == 0.0, 1.0, signs)[:, None])


def _svd(Z: Array) -> tuple[Array, Array]:
    _, values, axes = np.linalg.svd(Z, full_matrices=False)
    return values, axes


def _scatter(Z: Array) -> tuple[Array, Array]:
    squares, vectors = np.linalg.eigh(Z.T @ Z)
    return np.sqrt(np.maximum(squares[::-1], 0.0)), vectors.T[::-1]


def _gram(Z: Array) -> tuple[Array, Array]:
    squares, vectors = np.linalg.eigh(Z @ Z.T)
    values = np.sqrt(np.maximum(squares[::-1], 0.0))
    return values, (vectors[:, ::-1].T @ Z) / np.where(values > 0, values, 1.0)[:, None]


_ROUTES: dict[str, Callable[[Array], tuple[Array, Array]]] = {"svd": _svd, "scatter": _scatter, "gram": _gram}
_DIGITS = {"svd": 1.0, "scatter": 0.5, "gram": 0.5}  # squares keep half of the digits of small values
