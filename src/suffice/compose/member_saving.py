"""What estimators of scikit-learn's that hold trained members, ensembles and many from two, need to be saved."""

from __future__ import annotations

from abc import abstractmethod
from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from suffice.compose.around_plan import AroundPlan
from suffice.compose.held import Held, to_save
from suffice.core.schema import Schema
from suffice.estimators.boundary.opening import answer_engines
from suffice.estimators.state.described import Described, plain
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin, column_names, label_type


class MemberSaving:
    """`save`, and the fitted value that is made of the members when it is asked for."""

    threads: int | None = None
    _in_its_own_way: ClassVar[bool] = True  # it divides rows by itself, in memory

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
    def _take_on(self, model: Any) -> None:
        """Set what scikit-learn's class sets, from a model whose members are estimators."""

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _plan(self: Any) -> AroundPlan:
        if not is_classifier(self):
            return AroundPlan(self._owner, face="regressor")
        proba = hasattr(self, "predict_proba") if "estimators_" in vars(self) else True
        return AroundPlan(self._owner, face="probabilistic" if proba else "classifier")

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        check_is_fitted(self)
        return FittedModel(self._plan(), Schema(()), Found(self._model())), X

    def _saved(self: Any) -> SavedModel:
        fitted = to_save(self._owner, self._state()[0])
        kind = label_type(self.classes_) if is_classifier(self) else None
        origin = Origin(getattr(self, "n_features_in_", 1), column_names(self), None, kind)
        return SavedModel(self._owner, fitted, origin, self._described().parameters)

    def _described(self: Any) -> Described:
        given = self.get_params(deep=False)
        given.pop("random_state", None) if not isinstance(given.get("random_state"), (int, type(None))) else None
        if "estimators" in given:  # pairs of a name and an estimator
            given["estimators"] = dict(given["estimators"])
        return Described(self._owner, plain(given))

    @classmethod
    def _made_of(cls: Any, parameters: Any) -> Any:
        given = dict(parameters)
        if "estimators" in given:
            made = given["estimators"].items()
            given["estimators"] = [(name, e.made() if isinstance(e, Described) else e) for name, e in made]
        return cls(**given)

    def _restore(self: Any, value: SavedModel) -> Any:
        """Take on what a file held."""
        model = value.fitted.model.holding(Held.restored)
        if is_classifier(self):
            self.classes_ = value.origin.classes(model.classes)
        if "n_features_in_" not in dir(type(self)):
            self.n_features_in_ = value.origin.width
        if value.origin.names is not None:
            self.feature_names_in_ = np.array(value.origin.names, dtype=object)
        self._take_on(model)
        return self
