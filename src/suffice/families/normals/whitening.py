"""Whitening: coordinates in which a normal distribution is the standard normal.

z = W (x - m) with W C W' = I. The Cholesky factor is of the correlations, so that units change nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad


class Whitening(NamedTuple):
    """z = W (x - m) over some columns has unit covariance: W C W' = I. Lower triangular, but where C is singular."""

    columns: Array  # (o,) which columns: present, and not constant
    W: Array  # (r, o)
    height: Array  # (r,) log density of each z at 0, in the units of x: their sum is -1/2 log det(2 pi C)
    at: Array  # (r,) the column that each z speaks for


def correlation_factor(C: Array, present: Array) -> tuple[Array, Array]:
    """Columns that are present and vary, and the Cholesky factor of their correlations."""
    variance = np.diagonal(C)
    columns = np.flatnonzero(present & (variance >= np.finfo(np.float64).tiny))
    sd = np.sqrt(variance[columns])
    return columns, np.linalg.cholesky(C[np.ix_(columns, columns)] / sd / sd[:, None])


def square_root(C: Array) -> tuple[Array, Array]:
    """Columns that vary, and a matrix A over them with A A' = C; C may be singular."""
    columns = np.flatnonzero(np.diagonal(C) >= np.finfo(np.float64).tiny)
    sd = np.sqrt(np.diagonal(C)[columns])
    values, vectors = np.linalg.eigh(C[np.ix_(columns, columns)] / sd / sd[:, None])
    return columns, sd[:, None] * vectors * np.sqrt(np.maximum(values, 0.0))


def whitening(C: Array, present: Array, tol: float = 0.0) -> Whitening:
    """Whitens the columns that are present (d,) and vary; axes along which correlations hardly do are left out."""
    if tol > 0.0 and (flat := _flat_whitening(C, present, tol)) is not None:
        return flat
    columns, factor = correlation_factor(C, present)
    sd = np.sqrt(np.diagonal(C)[columns])
    height = -0.5 * np.log(2.0 * np.pi) - np.log(np.diagonal(factor)) - np.log(sd)
    return Whitening(columns, inverse_of_lower(factor) / sd, height, columns)


def _flat_whitening(C: Array, present: Array, tol: float) -> Whitening | None:
    """For singular correlations: along their axes, without those of no length. None where all have some."""
    variance = np.diagonal(C)
    columns = np.flatnonzero(present & (variance >= np.finfo(np.float64).tiny))
    sd = np.sqrt(variance[columns])
    values, vectors = np.linalg.eigh(C[np.ix_(columns, columns)] / sd / sd[:, None])
    kept = values > tol * tol
    if kept.all():
        return None
    W = (vectors[:, kept] / np.sqrt(values[kept])).T / sd
    share = np.log(sd).sum() / max(int(kept.sum()), 1)  # the units, divided among the axes that are left
    height = -0.5 * np.log(2.0 * np.pi * values[kept]) - share
    return Whitening(columns, W, height, columns[np.abs(vectors[:, kept]).argmax(axis=0)])


def inverse_of_lower(L: Array) -> Array:
    """Inverse of a lower triangular matrix, by forward substitution: row by row, no pivoting needed."""
    inverse = np.zeros_like(L)
    for j in range(len(L)):
        inverse[j, :j] = -(L[j, :j] @ inverse[:j, :j]) / L[j, j]
        inverse[j, j] = 1.0 / L[j, j]
    return inverse


def check_covariances(owner: object, covariance: Array) -> Array:
    """Refuse covariances without an inverse, beyond columns that do not vary."""
    for k, C in enumerate(covariance):
        try:
            _, factor = correlation_factor(C, np.ones(len(C), dtype=bool))
            singular = (np.square(np.diagonal(factor)) < len(C) * 2.0**-50).any()
        except np.linalg.LinAlgError:
            singular = True
        if singular:
            remedy = "Give the prior a strength above 0, leave columns out that follow from others, or use a ridge."
            rule = f"positive definite in component {k}"
            raise bad(owner, "the covariance", rule, Said("a singular one"), remedy)
    return covariance
