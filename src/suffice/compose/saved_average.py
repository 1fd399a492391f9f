"""Averages of models in files from before they were fitted values like all others. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.compose.around_plan import AroundPlan
from suffice.compose.averaged_model import AveragedModel
from suffice.compose.held import Held
from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel, model_of
from suffice.estimators.state.origin import Origin

OWNER = "ModelAverage"


@saved
@dataclass(frozen=True)
class SavedAverage:
    """Models, each as its own file holds it, and how probable they are."""

    models: tuple[SavedModel, ...]
    posterior: ModelPosterior
    evidence: str
    classes: tuple[Any, ...]
    class_prior: Array  # (K,)
    origin: Origin  # of the rows
    parameters: Mapping[str, Any]  # of the estimator, without the models
    named: bool = True  # whether the models were given, not those by default

    def restored(self) -> Any:
        """The model, as a file would hold it now."""
        kept = AveragedModel(
            OWNER, tuple(map(Held, self.models)), self.posterior, self.evidence, self.classes, self.class_prior
        )
        fitted = FittedModel(AroundPlan(OWNER, tells=("average",)), Schema(()), Found(kept))
        return model_of(SavedModel(OWNER, fitted, self.origin, {**self.parameters, "named": self.named}))
