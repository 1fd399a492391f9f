"""Rows in the axes of greatest sums of squares, without centring, as a value; and how it follows from moments.

X ~ U S V',     z = V x          V the eigenvectors of X'X, by falling eigenvalues
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.projections.components.principal_axes import turned
from suffice.projections.components.principal_plan import falling, moments_of
from suffice.projections.components.wide_tables import EXACT, svd_of
from suffice.sources.tables.numbers import number_schema
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.rows_summary import RowsSummary
from suffice.summaries.wide_moments import WideMoments


@saved
@dataclass(frozen=True)
class SingularModel:
    """Axes of falling sums of squares."""

    axes: Array  # (k, d) orthonormal rows
    values: Array  # (k,) singular values
    variances: Array  # (k,) of the rows along the axes, about their mean
    total: float  # variance of all columns together

    @property
    def shares(self) -> Array:
        """Share of the variance of all columns along each axis (k,)."""
        return self.variances / self.total if self.total > 0 else np.zeros_like(self.variances)

    def map(self, block: Block) -> Block:
        """Rows in the axes."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        return block._replace(parts=(np.asarray(X @ self.axes.T).astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Rows of all columns from their places in the axes."""
        return np.asarray((Z @ self.axes).astype(Z.dtype, copy=False))

    def map_schema(self, schema: Schema) -> Schema:
        """One column of numbers an axis."""
        return number_schema(self.names_out(()), len(self.axes))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """truncatedsvd0, truncatedsvd1, ..."""
        return tuple(f"truncatedsvd{j}" for j in range(len(self.axes)))


class SingularReadings:
    """Axes, singular values, variances."""

    components_ = reading("axes", "Axes of falling sums of squares, one a row (k, d).")
    singular_values_ = reading("values", "Singular values (k,).")
    explained_variance_ = reading("variances", "Variance of the rows along each axis (k,).")
    explained_variance_ratio_ = reading("shares", "Share of the variance of all columns along each axis (k,).")


@saved
@dataclass(frozen=True)
class SingularPlan(NumberPlan):
    """How many axes."""

    components: int = 2

    face: ClassVar[str] = "transformer"
    whole: ClassVar[bool] = False

    def keeps(self, schema: Schema) -> Any:
        """Products of columns."""
        return "moments"

    def schema(self, table: Any) -> Schema:
        """All columns are numbers."""
        return table.infer() if hasattr(table, "X") else self.numbers(table.infer())

    def learner(self, schema: Schema) -> SingularLearner:
        """The learner."""
        return SingularLearner(self.owner, self.components)

    def readings(self) -> tuple[type[Any], ...]:
        """Axes and singular values."""
        return (SingularReadings,)


@dataclass(frozen=True)
class SingularLearner:
    """Keeps the products of all pairs of columns."""

    owner: str
    components: int

    def summarize(self, block: Block, model: SingularModel | None = None) -> PatternMoments | WideMoments:
        """Moments of all rows."""
        R = Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w)
        return moments_of(block.parts[0], R)

    def estimate(self, summary: PatternMoments | WideMoments, model: SingularModel | None = None) -> SingularModel:
        """Eigenvectors of the products about 0; of few rows with many columns, of the rows."""
        if isinstance(summary, WideMoments):
            kept = summary.summary
            if isinstance(kept, RowsSummary) and len(kept.codes):
                check_count(self.owner, self.components, kept.width)
                solver = "arpack" if kept.sparse and self.components < min(kept.X.shape) else "full"
                return singular_axes(kept.X, kept.weights, self.components, solver, EXACT)
            summary = summary.products
        moments = summary.complete
        check_count(self.owner, self.components, len(moments.shift))
        second = moments.about(np.zeros(len(moments.shift))).second.value[0]
        squares, axes = falling((second + second.T) / 2.0)
        k, covariance = self.components, moments.covariance[0]
        axes = turned(axes[:k])
        along = np.maximum(((axes @ covariance) * axes).sum(axis=1), 0.0)
        return SingularModel(axes, np.sqrt(squares[:k]), along, float(np.trace(covariance)))


def singular_axes(X: Any, w: Array, k: int, solver: str, given: Mapping[str, Any]) -> SingularModel:
    """Axes of rows, an array or sparse, from the rows themselves; 0 where they vary along fewer than k."""
    sparse = hasattr(X, "tocsr")
    X, root = X.astype(np.float64), np.sqrt(w)[:, None]
    Z = X.multiply(root).tocsr() if sparse else X * root
    if sparse and solver == "full":
        Z = Z.toarray()
    values, axes = svd_of(Z, k, solver, given)
    if len(values) < k:  # fewer rows than axes: others that are orthogonal to all rows
        more = np.linalg.qr(np.hstack([axes.T, np.eye(X.shape[1])[:, :k]]))[0].T[len(values) : k]
        values, axes = np.append(values, np.zeros(k - len(values))), np.vstack([axes, more])
    axes, n = turned(axes), float(w.sum())
    mean = np.asarray(w @ X).ravel() / n
    squares = np.asarray((X.multiply(X) if sparse else X * X).T @ w).ravel() / n - mean**2
    scores = np.asarray(X @ axes.T)
    along = w @ (scores - scores.T @ w / n) ** 2 / n
    return SingularModel(axes, values, along, float(np.maximum(squares, 0.0).sum()))


def check_count(owner: str, k: int, d: int, fewer: bool = False) -> None:
    """Refuse more axes than columns; ARPACK finds one fewer than there are."""
    most = d - 1 if fewer else d
    if k > most:
        told = f"n_components({k}) must be <= n_features({d}); n_features={d}"
        raise bad(owner, "n_components", f"at most {most} ({told})", Said(str(k)), "There are no more axes.")
