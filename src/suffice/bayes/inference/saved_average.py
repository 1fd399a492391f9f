"""An average of models as a file holds it, and the model it becomes again. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from suffice.bayes.inference.averaging import Averaging
from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.estimators.state.loaded import SavedModel, model_of
from suffice.estimators.state.origin import Origin


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

    def restored(self) -> LoadedAverage:
        """The model."""
        return LoadedAverage(self)


class LoadedAverage(Averaging):
    """An average of models from a file: it predicts, decides and is saved again."""

    def __init__(self, value: SavedAverage) -> None:
        """Take what the file held."""
        self._value = value
        self.models_ = [model_of(model) for model in value.models]
        self.posterior_, self.evidence_ = value.posterior, value.evidence
        self.classes_, self.class_prior_ = value.origin.classes(value.classes), value.class_prior
        self.refusal = value.parameters.get("refusal")

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file again."""
        from suffice.persistence import save

        save(self._value, path)

    def estimator(self) -> Any:
        """The scikit-learn estimator that was saved, with its parameters, still fitted. Imports scikit-learn."""
        from suffice.bayes.inference.model_average import ModelAverage

        return ModelAverage._restored(self._value, [model.estimator() for model in self.models_])

    def _look_at(self, X: Any) -> None:
        """The models check the columns."""

    def __repr__(self) -> str:
        """What it is."""
        return f"<ModelAverage from a file: {len(self.models_)} models, {len(self.classes_)} classes>"
