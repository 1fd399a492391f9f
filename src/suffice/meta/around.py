"""Around a classifier: what all estimators share that hold another one, and answer by its probabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from suffice.bayes import NaiveBayes
from suffice.core.block import Array
from suffice.core.schema import Schema
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.fitted import FittedModel, Found
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.loaded import SavedModel
from suffice.estimators.origin import Origin, library
from suffice.meta.around_plan import AroundPlan


class AroundClassifier(Probabilistic, ClassifierMixin, MetaEstimatorMixin, Estimator):  # type: ignore[misc]
    """Holds `estimator`; its fitted state is a model that asks what it holds."""

    estimator: Any

    @property
    def prior_(self) -> Array:
        """The class prior that the probabilities assume (K,)."""
        shares = np.exp(self._state()[0].model.log_prior)
        return np.asarray(shares / shares.sum())

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
        return AroundPlan(self._owner)

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        """The estimator inside checks."""
        return X

    def _hold(self, model: Any, inner: Any, X: Any, label_type: str | None) -> Any:
        """Take on what was learned, and look like the estimator inside."""
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        names = getattr(inner, "feature_names_in_", None)
        width = getattr(inner, "n_features_in_", None) or (np.shape(X)[1] if len(np.shape(X)) == 2 else 1)
        origin = Origin(int(width), None if names is None else tuple(names.tolist()), library(X), label_type)
        return self._adopt(FittedModel(self._plan(), Schema(()), Found(model)), origin)

    def _saved(self) -> SavedModel:
        """What is held is written as its own file would be."""
        fitted, _ = self._state()
        model = fitted.model.to_save(self._owner)
        parameters = {**self._parameters(), "estimator": None}
        return SavedModel(self._owner, replace(fitted, state=Found(model)), self._origin, parameters)
