"""Models from files: what a file holds, and how it becomes a model again: one class a face. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from suffice.core.errors import BadFile, Said, refusal
from suffice.core.registry import saved
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.old_files import OldForm, OldModel
from suffice.estimators.state.origin import Origin
from suffice.estimators.state.probe import try_out


@saved
@dataclass(frozen=True)
class SavedModel:
    """What a file of a model holds."""

    name: str  # of the estimator that trained it
    fitted: FittedModel
    origin: Origin
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of the estimator
    target: Any = None  # name of the column of labels, where they came in a table with the rows

    def __post_init__(self) -> None:
        """Read older files as they would be written now, and refuse one whose pieces are not what they should be."""
        if isinstance(self.fitted, OldForm):
            fitted, origin = self.fitted.now(self.origin)
            object.__setattr__(self, "fitted", fitted)
            object.__setattr__(self, "origin", origin)
        expected = {"name": str, "fitted": FittedModel, "origin": Origin, "parameters": Mapping}
        for piece, kind in expected.items():
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")

    def holding(self, fitted: FittedModel) -> SavedModel:
        """The same model after more or fewer rows."""
        return replace(self, fitted=fitted)


def load(path: str | PathLike[str]) -> Any:
    """What `save` wrote: a model that predicts, decides, explains, learns on, merges and forgets; a summary; a schema.

    Nothing in the file is executed, and neither scikit-learn nor numba is needed to predict. `model.estimator()` turns
    a loaded model into the scikit-learn estimator it was.

    Parameters
    ----------
    path : the file
    """
    from suffice import persistence

    value = persistence.load(path)
    if not (isinstance(value, (SavedModel, OldModel)) or hasattr(value, "restored")):
        return value
    try:
        model = model_of(value.now() if isinstance(value, OldModel) else value)
        if isinstance(value, SavedModel):
            try_out(model)
        return model
    except Exception as error:  # pieces that are each well-formed, but do not belong together, fail in any way
        raise refusal(
            BadFile,
            "load",
            f"{str(path)!r}",
            persistence.WHOLE,
            Said(f"no model can be made of its pieces ({error})"),
            "Save the model again.",
            joint="but",
        ) from error


def model_of(value: Any) -> Any:
    """A model with the face that its plan names; of what is no fitted value, what it says itself."""
    if not isinstance(value, SavedModel):
        return value.restored()
    from suffice.estimators.state.loaded_faces import FACES

    return FACES[value.fitted.plan.face](value)
