"""A linear regression model from a file: the verbs of the estimator, without scikit-learn."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Self

from suffice.core.errors import BadFile
from suffice.estimators.fitted import FittedModel
from suffice.estimators.fitted_targets import FittedTargets
from suffice.estimators.loaded import SavedModel
from suffice.estimators.one_pass import OnePass
from suffice.estimators.origin import Origin, library
from suffice.estimators.predicting import Predicting
from suffice.estimators.targets import read_targets
from suffice.linear.readings import Tested


class LoadedLinear(Tested, Predicting, OnePass):
    """A model read from a file: it predicts, tells its results, learns on, merges, forgets and is saved again."""

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held; raises where it makes no model."""
        self.name = value.name
        self.parameters, self.target = dict(value.parameters), value.target
        self._adopt(value.fitted, value.origin)

    @property
    def _owner(self) -> str:
        return self.name

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows, in place.

        Parameters
        ----------
        X : table
        y : one number a row, or a table of several targets
        sample_weight : one weight a row, at least 0
        """
        return self._learn_on(X, y, sample_weight)

    def estimator(self) -> Any:
        """The scikit-learn estimator that was saved, with its parameters, still fitted. Imports scikit-learn."""
        from suffice.estimators.regressor import OnePassRegressor

        room = import_module("suffice.linear")
        kind = getattr(room, self.name, None) if self.name in room.__all__ else None
        if not (isinstance(kind, type) and issubclass(kind, OnePassRegressor)):
            raise BadFile(f"estimator: the file must be of a regressor of suffice.linear, got {self.name!r}.")
        try:
            made = kind(**self.parameters)
        except TypeError as error:
            raise BadFile(f"estimator: the file must hold parameters of {self.name}, got others ({error}).") from error
        return made._restore(self._saved())

    def _state(self, X: Any = None) -> tuple[FittedTargets, Any]:
        self._origin.check_width(self._owner, X)
        return self._fitted, X

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        if not isinstance(fitted, FittedTargets):
            raise BadFile(f"its fitted value is a {type(fitted).__name__}, not one of a regressor")
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self._fitted, self._origin = fitted, origin
        return self

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> tuple[FittedTargets, Origin]:
        before, X = self._state(X)
        fitted = FittedTargets.of(
            self._owner,
            before.plan,
            X,
            read_targets(self._owner, y),
            sample_weight,
            threads=self.threads,
            before=before,
        )
        return fitted, Origin(self._origin.width, self._origin.names, library(X))

    def _saved(self) -> SavedModel:
        return SavedModel(self.name, self._fitted, self._origin, self.parameters, self.target)

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self._fitted.model.terms)} terms, {self._origin.width} columns>"
