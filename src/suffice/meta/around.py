"""Around a classifier that is trained here, or has been trained elsewhere, with the class prior it assumes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils._metadata_requests import _routing_enabled
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from suffice.bayes import NaiveBayes
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.reading import read_prior
from suffice.meta.assumed_prior import told_prior


class AroundClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Holds `estimator`, and `estimator_` once that is trained here."""

    estimator: Any
    learned_prior: Any
    estimator_: Any
    prior_: Array  # (K,)

    @property
    def classes_(self) -> Array:
        """The class labels, in the order of the columns of `predict_proba`."""
        return np.asarray(self._model().classes_)

    def get_metadata_routing(self) -> MetadataRouter:
        """Who gets which arguments of `fit`, where scikit-learn's metadata routing is switched on."""
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add_self_request(self).add(estimator=self._estimator(), method_mapping=to_fit)

    def __sklearn_is_fitted__(self) -> bool:
        """FittedModel is also who was given a fitted classifier."""
        try:
            self._model()
        except NotFittedError:
            return False
        return True

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it: as much as of its estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._estimator()).input_tags
        return tags

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _estimator(self) -> Any:
        return NaiveBayes() if self.estimator is None else self.estimator

    def _model(self) -> Any:
        """The classifier trained here, or the one given if that has been trained."""
        if "estimator_" in vars(self):
            return self.estimator_
        if self.estimator is not None:
            try:
                check_is_fitted(self.estimator)
            except NotFittedError:
                pass
            else:
                return self.estimator
        raise NotFittedError(
            f"This {self._owner} instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
            "estimator, or give it a classifier that is."
        )

    def _fit_params(self, estimator: Any, sample_weight: Any, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Arguments for the estimator's `fit`."""
        if _routing_enabled():
            return dict(process_routing(self, "fit", sample_weight=sample_weight, **params)["estimator"]["fit"])
        if sample_weight is None:
            return dict(params)
        if not has_fit_parameter(estimator, "sample_weight"):
            rule = "None for an estimator that takes no weights"
            raise bad(self, "sample_weight", rule, Said(f"weights for {type(estimator).__name__}"))
        return {**params, "sample_weight": np.asarray(sample_weight)}

    def _stated_prior(self, model: Any, prior: Array) -> Array:
        if self.learned_prior is None:
            return prior
        return read_prior(self._owner, self.learned_prior, np.asarray(model.classes_).tolist())

    def _learned(self, model: Any) -> Array:
        """The prior of training: noted by `fit`; for a classifier trained elsewhere, stated or told by itself."""
        if "prior_" in vars(self):
            return self.prior_
        told = told_prior(model)
        if told is None and self.learned_prior is None:
            rule = "given for a trained classifier that does not tell its prior"
            raise bad(self, "learned_prior", rule, None, "Most often it is the class shares of its training rows.")
        return self._stated_prior(model, np.asarray(told))
