"""Missing columns from those that are present, for many rows or patterns at once.

With P the precision (the inverse covariance), the columns u given the columns o are normal with

    mean m_u - P_uu^-1 P_uo (x_o - m_o),     covariance P_uu^-1

so that only as many columns are inverted as are missing. Patterns that lack as many columns are inverted together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.families.normals.whitening import whitening


class Predicted(NamedTuple):
    """Patterns that lack as many columns, and how those follow from the others."""

    which: Array  # (m,) numbers of the patterns
    u: Array  # (m, U) missing columns
    o: Array  # (m, O) columns that are present
    A: Array  # (m, U, O) coefficients
    V: Array  # (m, U, U) what they leave open

    def fill(self, rows: Array, centre: Array) -> None:
        """Write what is expected of missing cells into rows (P, d), each about a mean of its own (P, d)."""
        at = self.which[:, None]
        step = self.A @ (rows[at, self.o] - centre[at, self.o])[:, :, None]
        rows[at, self.u] = centre[at, self.u] + step[:, :, 0]


class Gaps:
    """Patterns (P, d) of cells that are present, in groups that lack as many.

    >>> gaps = Gaps(np.array([[True, False], [True, True]]))
    >>> gaps.fill(np.array([[3.0, np.nan], [0.0, 0.0]]), np.zeros((2, 2)), np.array([[2.0, 1.0], [1.0, 1.0]]))
    array([[3. , 1.5],
           [0. , 0. ]])
    """

    def __init__(self, present: Array) -> None:
        """Sort the patterns by the number of cells they lack."""
        self.present = present
        lacking = (~present).sum(axis=1)
        self.groups: list[tuple[Array, Array, Array]] = []
        for count in np.unique(lacking[lacking > 0]):
            which = np.flatnonzero(lacking == count)
            u, o = (np.nonzero(cells[which])[1].reshape(len(which), -1) for cells in (~present, present))
            self.groups.append((which, u, o))

    def predict(self, C: Array, tol: float = 0.0) -> Iterator[Predicted]:
        """Group by group."""
        sd, P = precision(C, tol)
        for which, u, o in self.groups:
            if P is None:
                yield self._one_by_one(which, u, o, C, tol)
                continue
            V = np.linalg.inv(P[u[:, :, None], u[:, None, :]])
            A = -V @ P[u[:, :, None], o[:, None, :]]
            unit = np.divide(1.0, sd, out=np.zeros_like(sd), where=sd > 0)
            here = sd[u][:, :, None]
            yield Predicted(which, u, o, here * A * unit[o][:, None, :], here * V * sd[u][:, None, :])

    def log_determinants(self, C: Array, tol: float = 0.0) -> Array:
        """log det of the precision of the missing columns of each pattern (P,), over those that vary; 0 if none is."""
        sd, P = precision(C, tol)
        out, logs = np.zeros(len(self.present)), np.log(np.where(sd > 0, sd, 1.0))
        assert P is not None
        for which, u, _ in self.groups:
            _, value = np.linalg.slogdet(P[u[:, :, None], u[:, None, :]])
            out[which] = value - 2.0 * logs[u].sum(axis=1)
        return out

    def _one_by_one(self, which: Array, u: Array, o: Array, C: Array, tol: float) -> Predicted:
        """Where the covariance is singular: without the axes that are left out."""
        A, V = np.zeros((*u.shape, o.shape[1])), np.zeros((*u.shape, u.shape[1]))
        for i, p in enumerate(which):
            every, left = regression(C, self.present[p], tol)
            A[i], V[i] = every[u[i]], left[np.ix_(u[i], u[i])]
        return Predicted(which, u, o, A, V)

    def fill(self, x: Array, centre: Array, C: Array, tol: float = 0.0) -> Array:
        """Rows (P, d) with what is expected of their missing cells, each about a mean of its own (P, d)."""
        out = np.array(x, dtype=np.float64)
        for predicted in self.predict(C, tol):
            predicted.fill(out, centre)
        return out


def regression(C: Array, present: Array, tol: float = 0.0) -> tuple[Array, Array]:
    """Every column from the columns that are present: coefficients (d, o), and what they leave (d, d).

    Present columns are their own prediction, and leave nothing.
    """
    columns, W, _, _ = whitening(C, present, tol)
    half = C[:, columns] @ W.T  # (d, o) covariance with the whitened columns
    at = np.cumsum(present) - 1
    A = np.zeros((len(C), int(present.sum())))
    A[:, at[columns]] = half @ W
    V = C - half @ half.T
    V[present], V[:, present] = 0.0, 0.0
    A[present] = np.eye(A.shape[1])
    return A, V


def sum_at(u: Array, V: Array, d: int) -> Array:
    """Sum of matrices (m, U, U) over the columns u (m, U) of each, in a frame of all columns (d, d)."""
    places = (u[:, :, None] * d + u[:, None, :]).ravel()
    return np.bincount(places, V.ravel(), d * d).reshape(d, d)


def precision(C: Array, tol: float) -> tuple[Array, Array | None]:
    """Standard deviations, and the inverse of the correlations (None: singular); columns that do not vary are apart."""
    columns, W, _, _ = whitening(C, np.ones(len(C), dtype=bool), tol)
    sd = np.zeros(len(C))
    sd[columns] = np.sqrt(np.diagonal(C)[columns])
    if len(W) < len(columns):
        return sd, None
    P, unit = np.eye(len(C)), W * sd[columns]
    P[np.ix_(columns, columns)] = unit.T @ unit
    return sd, P
