"""A linear regression model from a file: the verbs of the estimator, without scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from suffice.core.errors import BadFile
from suffice.estimators.fitted import FittedModel
from suffice.estimators.fitted_targets import FittedTargets
from suffice.estimators.loaded_one_pass import LoadedOnePass
from suffice.estimators.origin import Origin, library
from suffice.estimators.targets import read_targets
from suffice.linear.readings import Tested


class LoadedLinear(Tested, Predicting, LoadedOnePass):
    """A model read from a file: it predicts, tells its results, learns on, merges, forgets and is saved again."""

    room: ClassVar[str] = "suffice.linear"
    what: ClassVar[str] = "a regressor of suffice.linear"

    def _made_by(self) -> type[Any]:
        from suffice.estimators.glue.one_pass_regressor import OnePassRegressor

        return OnePassRegressor

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        if not isinstance(fitted, FittedTargets):
            raise BadFile(f"its fitted value is a {type(fitted).__name__}, not one of a regressor")
        return super()._adopt(fitted, origin)

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> tuple[FittedTargets, Origin]:
        before, X = self._state(X)
        targets = read_targets(self._owner, y)
        fitted = FittedTargets.of(
            self._owner, before.plan, X, targets, sample_weight, threads=self.threads, before=before
        )
        return fitted, Origin(self._origin.width, self._origin.names, library(X))

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self._fitted.model.terms)} terms, {self._origin.width} columns>"
