"""Files of mixtures as they were before all models shared one form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.old_files import OldModel
from suffice.estimators.state.origin import Origin
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.mixtures.gaussian_plan import GaussianPlan
from suffice.mixtures.learner import MixtureModel
from suffice.mixtures.mixed_plan import MixedPlan

SHAPES = {TiedNormal: "tied", FullNormal: "full", SphericalNormal: "spherical"}  # else diagonal


@saved
@dataclass(frozen=True)
class SavedMixture(OldModel):
    """The components of a mixture and the columns they describe."""

    name: str  # of the estimator that learned it
    model: MixtureModel
    schema: Schema

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("name", str), ("model", MixtureModel), ("schema", Schema)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")

    def now(self) -> SavedModel:
        """The same as it is written now."""
        plan, parameters = self._plan()
        passes = len(self.model.trace)
        fitted = FittedModel(plan, self.schema, Found(self.model, passes))
        names, d = self.schema.names, len(self.schema.columns)
        unnamed = names == Schema.numbered(column.kind for column in self.schema.columns).names
        origin = Origin(d) if unnamed else Origin(d, names, "mapping")
        return SavedModel(self.name, fitted, origin, {"n_components": len(self.model.log_weights), **parameters})

    def _plan(self) -> tuple[Any, dict[str, Any]]:
        if self.name != "GaussianMixture":
            return MixedPlan(self.name), {}
        family = type(self.model.factors.groups[0].family)
        shape = SHAPES.get(family, "diag")
        return GaussianPlan(self.name, shape), {"covariance_type": shape}
