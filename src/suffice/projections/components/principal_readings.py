"""What fitted principal components tell: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.estimators.reading import reading
from suffice.projections.components.component_counts import broken_stick
from suffice.projections.components.principal_model import PrincipalModel


class Explained(NamedTuple):
    """One component in a report."""

    component: int
    variance: float
    share: float
    together: float  # share of this and all before it
    stick: float  # share of a piece of a broken stick


class PrincipalReadings:
    """Axes, variances, densities."""

    noise_variance_ = reading("noise", "Mean variance of the axes that are left out; 0 if none is.")

    @property
    def components_(self: Any) -> Array:
        """Axes of falling variance, one a row (k, d)."""
        return _typed(self, self._state()[0].model.axes)

    @property
    def explained_variance_(self: Any) -> Array:
        """Variance along each axis, over n - 1 (k,)."""
        return _typed(self, self._state()[0].model.variances)

    @property
    def explained_variance_ratio_(self: Any) -> Array:
        """Share of the variance of all columns that each axis holds (k,)."""
        return _typed(self, self._state()[0].model.shares)

    @property
    def singular_values_(self: Any) -> Array:
        """Roots of the sums of squares along the axes (k,)."""
        return _typed(self, self._state()[0].model.singular_values)

    @property
    def mean_(self: Any) -> Array:
        """Mean of each column (d,)."""
        return _typed(self, self._state()[0].model.mean.value)

    @property
    def n_components_(self: Any) -> int:
        """Number of components."""
        return len(self._state()[0].model.axes)

    @property
    def n_samples_(self: Any) -> Any:
        """Number of rows, or their weight."""
        rows = self._state()[0].model.rows
        return int(rows) if rows == int(rows) else rows

    def get_covariance(self: Any) -> Array:
        """Covariance of the columns that the components and the noise say (d, d)."""
        return np.array(self._state()[0].model.covariance)

    def get_precision(self: Any) -> Array:
        """Its inverse (d, d)."""
        return np.array(self._state()[0].model.precision)

    def score_samples(self: Any, X: Any) -> Array:
        """Log density of each row (n,) under the normal distribution that the components and the noise say.

        Parameters
        ----------
        X : table
        """
        state, X = self._state(X)
        model: PrincipalModel = state.model
        return np.asarray(state.map(X, lambda block: model.log_density(block.parts[0]), self.threads))

    def score(self: Any, X: Any, y: Any = None) -> float:
        """Mean log density of the rows.

        Parameters
        ----------
        X : table
        y : not used
        """
        return float(np.mean(self.score_samples(X)))

    def variance_report(self: Any) -> list[Explained]:
        """Variance, share and shares together of all axes that were found, beside the pieces of a broken stick."""
        model: PrincipalModel = self._state()[0].model
        total = model.total if model.total > 0 else 1.0
        shares = model.spectrum / total
        sticks = broken_stick(len(shares))
        rows = zip(model.spectrum.tolist(), shares.tolist(), np.cumsum(shares).tolist(), sticks.tolist(), strict=True)
        return [Explained(j, *row) for j, row in enumerate(rows)]


def _typed(holder: Any, values: Array) -> Array:
    """As narrow as the rows were."""
    return np.asarray(values.astype(np.float32) if holder._origin.cell_type == "<f4" else np.array(values))
