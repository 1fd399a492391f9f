"""A logistic regression from a file: it predicts and decides, without scikit-learn."""

from __future__ import annotations

from typing import Any

from suffice.core.errors import BadFile
from suffice.estimators.fitted_passes import FittedPasses
from suffice.estimators.loaded import SavedModel
from suffice.linear.logistic_readings import LogisticReadings


class LoadedLogistic(LogisticReadings, Deciding):
    """A model read from a file."""

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held; raises where it makes no model."""
        if not isinstance(value.fitted, FittedPasses) or value.fitted.found is None:
            raise BadFile("its fitted value is not one of a logistic regression")
        self.name, self.parameters, self.target = value.name, dict(value.parameters), value.target
        self.refusal = self.parameters.get("refusal")
        self._fitted, self._origin, self._value = value.fitted, value.origin, value

    @property
    def _owner(self) -> str:
        return self.name

    def _state(self, X: Any = None) -> tuple[FittedPasses, Any]:
        self._origin.check_width(self._owner, X)
        return self._fitted, X

    def estimator(self) -> Any:
        """The scikit-learn estimator that was saved, with its parameters, still fitted. Imports scikit-learn."""
        import suffice.linear

        if self.name not in suffice.linear.__all__:
            raise BadFile(f"estimator: the file must be of an estimator of suffice.linear, got {self.name!r}.")
        return getattr(suffice.linear, self.name)(**self.parameters)._restore(self._value)

    def save(self, path: Any) -> None:
        """Write the model to a file again."""
        from suffice.persistence import save

        save(self._value, path)

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self._fitted.model.classes)} classes, {self._origin.width} columns>"
