"""What principal components are asked for, and how they follow from moments that add. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import qr

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.families.normals.accelerated_em import settle
from suffice.families.normals.incomplete_normals import Expectation, observed
from suffice.families.normals.joint_normals import JointNormals
from suffice.projections.components.component_counts import count_components
from suffice.projections.components.principal_axes import turned
from suffice.projections.components.principal_model import SINGULAR, PrincipalModel
from suffice.projections.components.wide_tables import WideOptions, axes_of_rows
from suffice.sources.tables.numbers import Numbers, open_with_gaps
from suffice.sources.tables.table import Table
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.rows_summary import RowsSummary
from suffice.summaries.wide_moments import NARROW, WideMoments, pattern_moments


@saved
@dataclass(frozen=True)
class PrincipalPlan(NumberPlan):
    """How many components, and whether they are divided by their deviation."""

    components: Any = None  # a number, a share, the name of a rule, or None
    whiten: bool = False
    name: str = "pca"

    face: ClassVar[str] = "transformer"
    allow_nan: ClassVar[bool] = True
    linear: ClassVar[bool] = True
    mixes: ClassVar[bool] = True  # each new column is a sum of all old ones
    whole: ClassVar[bool] = False

    def open(self, X: Any) -> Table:
        """An array, a sparse matrix or a table of numbers, of which some may be missing."""
        return open_with_gaps(self.owner, X)

    def schema(self, table: Table) -> Schema:
        """All columns are numbers."""
        return table.infer() if isinstance(table, Numbers) else self.numbers(table.infer())

    def keeps(self, schema: Schema) -> Any:
        """Products of columns."""
        return "moments"

    def learner(self, schema: Schema) -> PrincipalLearner:
        """The learner."""
        return PrincipalLearner(self.owner, self.components, self.whiten, self.name)

    def readings(self) -> tuple[type[Any], ...]:
        """Axes, variances, densities."""
        from suffice.projections.components.principal_readings import PrincipalReadings

        return (PrincipalReadings,)


@dataclass(frozen=True)
class PrincipalLearner:
    """Keeps the products of all pairs of columns, of the rows of each missing pattern."""

    owner: str
    components: Any
    whiten: bool
    name: str

    def summarize(self, block: Block, model: PrincipalModel | None = None) -> PatternMoments | WideMoments:
        """Moments of all rows."""
        return self.shared(block, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))

    def shared(self, block: Block, R: Shares) -> PatternMoments | WideMoments:
        """Moments of the rows of each component."""
        return moments_of(block.parts[0], R)

    def estimate(self, summary: PatternMoments | WideMoments, model: PrincipalModel | None = None) -> PrincipalModel:
        """Eigenvectors of the covariance; of few rows with many columns, of the rows."""
        if isinstance(summary, WideMoments):
            kept = summary.summary
            if isinstance(kept, RowsSummary) and len(kept.codes):
                wish = WideOptions(self.components, self.whiten, self.name)
                return axes_of_rows(self.owner, kept.X, kept.weights, wish)
            summary = summary.products
        if summary.K > 1:  # whoever's rows they are
            summary = PatternMoments(np.ones((1, summary.present.shape[1]), dtype=bool), summary.complete.pooled(), 1)
        rows = int(summary.tally.rows[0])
        if not rows:
            raise bad(self.owner, "the rows", "at least one that weighs something", Said("none"), "Check the weights.")
        moments = complete_moments(summary)
        n, d = float(moments.weight.value[0]), len(moments.shift)
        covariance = moments.covariance[0] * n / max(n - 1.0, 1.0)
        variances, axes = falling(covariance)
        spectrum = variances[: min(max(rows, int(n)), d)]
        k = count_components(self.owner, self.components, spectrum, n, d)
        left = spectrum[k:]
        mean = moments.mean
        return PrincipalModel(
            type(mean)(mean.high[0], mean.low[0]),
            turned(axes[:k]),
            spectrum[:k],
            float(spectrum.sum()),
            float(left.mean()) if len(left) else 0.0,
            n,
            self.whiten,
            self.name,
            spectrum,
        )


def falling(S: Array) -> tuple[Array, Array]:
    """Eigenvalues of a matrix of products, the largest first, and their vectors as rows.

    What is not more than the rounding of the largest is 0. Any axes would do there: they are those nearest to the
    columns themselves, so that equal rows give equal axes.
    """
    values, vectors = np.linalg.eigh(S)
    values, axes = values[::-1], np.ascontiguousarray(vectors.T[::-1])
    some = values > 16 * len(S) * np.finfo(float).eps * max(float(values[0]), 0.0)
    r = int(some.sum())
    if r < len(S):
        rest, _, _ = qr(np.eye(len(S)) - axes[:r].T @ axes[:r], pivoting=True)
        axes[r:] = rest.T[: len(S) - r]
    return np.where(some, values, 0.0), axes


def moments_of(part: Any, R: Shares) -> PatternMoments | WideMoments:
    """Moments of rows; of many columns, the rows while they are few."""
    return WideMoments.of(part, R) if part.shape[1] > NARROW else pattern_moments(part, R)


def column_variances(kept: PatternMoments | WideMoments) -> Array:
    """Variance of each column, over n (d,)."""
    if not isinstance(kept, WideMoments):
        return np.diagonal(complete_moments(kept).covariance[0]).copy()
    rows = kept.summary
    if not isinstance(rows, RowsSummary):
        return column_variances(rows)
    X, w = rows.X, rows.weights / rows.weights.sum()
    mean = np.asarray(w @ X).ravel()
    if hasattr(X, "tocsr"):
        return np.asarray(np.maximum(np.asarray(X.multiply(X).T @ w).ravel() - mean**2, 0.0))
    return np.asarray(w @ (X - mean) ** 2)


def complete_moments(kept: PatternMoments) -> FullMoments:
    """Moments of the rows, or what is expected of them where cells are missing, by expectation-maximisation."""
    if kept.is_complete:
        return kept.complete
    kept = kept.somewhat()
    available, expect = observed(kept), Expectation(kept)
    normals = JointNormals(available.mean, available.covariance, np.ones(len(available.shift)), SINGULAR)

    def step(normals: JointNormals) -> JointNormals:
        full = expect(normals)
        return JointNormals(full.mean, full.covariance, normals.weights, SINGULAR)

    return expect(settle(step, normals))
