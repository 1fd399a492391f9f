"""Around a classifier: what all estimators share that hold another one, and answer by its probabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, MetaEstimatorMixin
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from suffice.bayes import NaiveBayes
from suffice.compose.around_plan import AroundPlan
from suffice.compose.around_readings import AssumedPrior
from suffice.compose.held import Held, is_frozen, to_save
from suffice.core.block import Array
from suffice.core.schema import Schema
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.state.described import Described, plain
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin, column_names, label_type, library


class AroundClassifier(AssumedPrior, Probabilistic, ClassifierMixin, MetaEstimatorMixin, Estimator):  # type: ignore[misc]
    """Holds `estimator`; its fitted state is a model that asks what it holds."""

    estimator: Any
    _in_its_own_way: ClassVar[bool] = True  # it divides rows by itself, in memory

    def get_metadata_routing(self) -> MetadataRouter:
        """Who gets which arguments of `fit`, where scikit-learn's metadata routing is switched on."""
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add_self_request(self).add(estimator=self._inner(), method_mapping=to_fit)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it: as much as of its estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._inner()).input_tags
        return tags

    def _inner(self) -> Any:
        """The estimator to train, or one that has been."""
        return NaiveBayes() if self.estimator is None else self.estimator

    def _plan(self) -> AroundPlan:
        return AroundPlan(self._owner, tells=("prior",))

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        """The estimator inside checks."""
        return X

    def _hold(self, model: Any, inner: Any, classes: Array, X: Any = None) -> Self:
        """Take on what was learned, and look like the estimator inside."""
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        return self._adopt(FittedModel(self._plan(), Schema(()), Found(model)), origin_of(inner, classes, X))

    def _saved(self) -> SavedModel:
        """What is held is written as its own file would be."""
        fitted, _ = self._state()
        plan: Any = fitted.plan
        kept = replace(to_save(self._owner, fitted), plan=replace(plan, wishes=plain(plan.wishes)))
        parameters = plain(self._parameters())
        if isinstance(parameters["estimator"], Described):
            given = Held(self.estimator)
            trained = any(held.bare is given.bare for held in fitted.model.helds)
            parameters["estimator"] = replace(parameters["estimator"], trained=trained, frozen=is_frozen(given.value))
        return SavedModel(self._owner, kept, self._origin, parameters)

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held: estimators inside too."""
        model = value.fitted.model.holding(Held.restored)
        told = value.parameters.get("estimator")
        if isinstance(told, Described) and told.trained:
            inner = model.helds[0].value
            self.estimator = FrozenEstimator(inner) if told.frozen else inner
        return super()._restore(replace(value, fitted=replace(value.fitted, state=Found(model))))


def origin_of(inner: Any, classes: Array, X: Any = None) -> Origin:
    """Where the rows of an estimator inside came from, as far as it tells."""
    width = getattr(inner, "n_features_in_", None) or (np.shape(X)[1] if len(np.shape(X)) == 2 else 1)
    return Origin(int(width), column_names(inner), library(X), label_type(classes))
