"""What files say of a Gaussian mixture: the shape of its covariances, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.state.origin import Origin
from suffice.mixtures.covariance_types import TYPES, CovarianceType
from suffice.mixtures.free_parameters import free_shares
from suffice.mixtures.learner import MixtureModel
from suffice.mixtures.mixture_readings import MixtureReadings
from suffice.sources.tables.table import Table, open_table


@saved
@dataclass(frozen=True)
class GaussianPlan(NumberPlan):
    """Rows of numbers, some of which may be missing."""

    covariance_type: str = "full"
    alpha: float = 0.0  # virtual rows of each component
    known: bool = False  # whether variances are given

    face: ClassVar[str] = "density"
    allow_nan: ClassVar[bool] = True
    whole: ClassVar[bool] = False
    others: ClassVar[str] = "Use MixedMixture for other kinds."

    def open(self, X: Any) -> Table:
        """Any table of numbers."""
        return open_table(X)

    def readings(self) -> tuple[type[Any], ...]:
        """Components, means and covariances."""
        return MixtureReadings, GaussianReadings

    @property
    def kind(self) -> CovarianceType:
        """The shape of the covariances."""
        return TYPES[self.covariance_type]

    def answer_type(self, origin: Origin) -> Any:
        """That of the rows."""
        return np.dtype(origin.cell_type or np.float64)

    def parameters(self, model: MixtureModel) -> int:
        """Number of free parameters."""
        normals: Any = model.factors.distributions[0]
        K, d = normals.mean.value.shape
        spread = 0 if self.known else self.kind.parameters(K, d)
        return int(spread + K * d + free_shares(K, self.alpha))

    def table(self, model: MixtureModel, parts: Sequence[Any], schema: Schema, origin: Origin, n: int) -> Array:
        """Drawn rows as an array."""
        (drawn,) = parts
        return np.asarray(drawn)


class GaussianReadings:
    """Means and covariances as scikit-learn's users know them."""

    @property
    def means_(self: Any) -> Array:
        """Mean of each component (K, d)."""
        _, normals, kind = _normals(self)
        return np.asarray(normals.mean.value.astype(kind))

    @property
    def covariances_(self: Any) -> Array:
        """Covariances, in the shape of `covariance_type`."""
        plan, normals, kind = _normals(self)
        return np.asarray(plan.kind.covariances(normals).astype(kind))

    @property
    def precisions_cholesky_(self: Any) -> Array:
        """Upper triangular factors of the precisions, in the shape of `covariance_type`."""
        plan, normals, kind = _normals(self)
        return np.asarray(plan.kind.cholesky(normals).astype(kind))

    @property
    def precisions_(self: Any) -> Array:
        """Inverse covariances, in the shape of `covariance_type`."""
        plan, normals, kind = _normals(self)
        return np.asarray(plan.kind.precisions(plan.kind.cholesky(normals)).astype(kind))


def _normals(holder: Any) -> tuple[GaussianPlan, Any, Any]:
    """The plan, the normals, and the type of answers."""
    state = holder._state()[0]
    return state.plan, state.model.factors.distributions[0], state.plan.answer_type(holder._origin)
