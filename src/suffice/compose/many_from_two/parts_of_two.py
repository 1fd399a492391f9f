"""What estimators of scikit-learn's that hold trained classifiers of two classes need to be saved."""

from __future__ import annotations

from abc import abstractmethod
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_is_fitted

from suffice.compose.around_plan import AroundPlan
from suffice.compose.held import Held, to_save
from suffice.core.schema import Schema
from suffice.estimators.boundary.opening import answer_engines
from suffice.estimators.state.described import Described, plain
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin, column_names, label_type


class PartsOfTwo:
    """`save`, and the fitted value that is made of `estimators_` when it is asked for."""

    threads: int | None = None
    _in_its_own_way: ClassVar[bool] = True  # it divides rows by itself, in memory
    classes_: Any
    estimators_: Any
    n_features_in_: int
    feature_names_in_: Any

    def __init_subclass__(cls, **options: Any) -> None:
        """Answer rows on an engine by the engine's own collection; learn from rows in memory only."""
        super().__init_subclass__(**options)
        answer_engines(cls)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        save(self._saved(), path)

    @abstractmethod
    def _model(self) -> Any:
        """What answers."""

    @abstractmethod
    def _plan(self) -> AroundPlan:
        """How it answers."""

    @abstractmethod
    def _take_on(self, model: Any) -> None:
        """Set what scikit-learn's class sets, from a model whose parts are estimators."""

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        check_is_fitted(self)
        return FittedModel(self._plan(), Schema(()), Found(self._model())), X

    def _saved(self) -> SavedModel:
        fitted = to_save(self._owner, self._state()[0])
        origin = Origin(getattr(self, "n_features_in_", 1), column_names(self), None, label_type(self.classes_))
        return SavedModel(self._owner, fitted, origin, self._described().parameters)

    def _described(self: Any) -> Described:
        return Described(self._owner, plain(self.get_params(deep=False)))

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held."""
        model = value.fitted.model.holding(Held.restored)
        self.classes_ = value.origin.classes(model.classes)
        self.n_features_in_ = value.origin.width
        if value.origin.names is not None:
            self.feature_names_in_ = np.array(value.origin.names, dtype=object)
        self._take_on(model)
        return self


def ask_of(model: Any) -> str:
    """How a model of two classes is asked for the second: one of ASKS."""
    if is_regressor(model):
        return "predict"
    return "decision_function" if hasattr(model, "decision_function") else "predict_proba"


def limit_of(model: Any) -> float:
    """Above which a model of two classes says yes."""
    return 0.0 if hasattr(model, "decision_function") and is_classifier(model) else 0.5
