"""One-pass models from files: the verbs of the estimator, without scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from typing import Any, ClassVar, Self

from suffice.core.errors import BadFile, bad
from suffice.estimators.fitted import Fitted, FittedModel
from suffice.estimators.loaded import SavedModel
from suffice.estimators.one_pass import OnePass
from suffice.estimators.origin import Origin, label_type, library
from suffice.sources.labels import code_labels


class LoadedOnePass(OnePass):
    """A model read from a file: it predicts, learns on, merges, forgets and is saved again."""

    room: ClassVar[str]  # whose estimators such files hold
    what: ClassVar[str]  # they are, for messages
    _fitted: Any

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held; raises where it makes no model."""
        self.name = value.name
        self.parameters, self.target = dict(value.parameters), value.target
        self._adopt(value.fitted, value.origin)

    @property
    def _owner(self) -> str:
        return self.name

    @abstractmethod
    def _made_by(self) -> type[Any]:
        """What every estimator of such a file is."""

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows, in place.

        Parameters
        ----------
        X : table
        y : one label, or number, a row
        sample_weight : one weight a row, at least 0
        """
        return self._learn_on(X, y, sample_weight)

    def estimator(self) -> Any:
        """The scikit-learn estimator that was saved, with its parameters, still fitted. Imports scikit-learn."""
        room = import_module(self.room)
        kind = getattr(room, self.name, None) if self.name in room.__all__ else None
        if not (isinstance(kind, type) and issubclass(kind, self._made_by())):
            raise BadFile(f"estimator: the file must be of {self.what}, got {self.name!r}.")
        value = self._saved()
        try:
            made: Any = kind(**value.parameters)
        except TypeError as error:
            raise BadFile(f"estimator: the file must hold parameters of {self.name}, got others ({error}).") from error
        return made._restore(value)

    def _state(self, X: Any = None) -> tuple[Any, Any]:
        self._origin.check_width(self._owner, X)
        return self._fitted, X

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self._fitted, self._origin = fitted, origin
        return self

    def _saved(self) -> SavedModel:
        return SavedModel(self.name, self._fitted, self._origin, self.parameters, self.target)


class LoadedClassifier(LoadedOnePass):
    """A classifier read from a file."""

    classes_: Any

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held; raises where it makes no model."""
        super().__init__(value)
        self.refusal = self.parameters.get("refusal")

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> tuple[Fitted, Origin]:
        if y is None:
            raise bad(self._owner, "y", "a label for each row", y, "Give one label a row.")
        before, X = self._state(X)
        labels = code_labels(y)
        fitted = Fitted.of(self._owner, before.plan, X, labels, sample_weight, threads=self.threads, before=before)
        return fitted, Origin(self._origin.width, self._origin.names, library(X), label_type(y))

    def _saved(self) -> SavedModel:
        parameters = {**self.parameters, "refusal": self.refusal}
        return SavedModel(self.name, self._fitted, self._origin, parameters, self.target)

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self.classes_)} classes, {self._origin.width} columns>"
