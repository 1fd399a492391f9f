"""The scikit-learn glue of classifiers by linear scores: they have no probabilities of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.utils._param_validation import StrOptions

from suffice.estimators.boundary.any_table import AnyTable
from suffice.estimators.glue.one_pass_classifier import OnePassClassifier
from suffice.linear.scores import TIES
from suffice.linear.scoring import Scoring


class NoProbabilities:
    """An attribute that is not there, whatever a base class has."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        """Remember the name."""
        self.name = name

    def __get__(self, instance: Any, owner: type[Any]) -> Any:
        """Never there; `hasattr` says so too."""
        raise AttributeError(
            f"{owner.__name__} has no {self.name}: its scores are no probabilities. Calibrate them first."
        )


class LinearScorer(Scoring, AnyTable, OnePassClassifier):  # type: ignore[misc]
    """A one-pass classifier by linear scores. A subclass supplies `_plan`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassClassifier._parameter_constraints,
        "kinds": [Mapping, None],
        "ties": [StrOptions(set(TIES))],
    }

    predict_proba = NoProbabilities()
    predict_log_proba = NoProbabilities()
    posterior = NoProbabilities()
