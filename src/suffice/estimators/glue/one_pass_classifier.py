"""One-pass classifiers with probabilities, and those whose scores are none, for scikit-learn's users."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.targets import LabelColumn, Target
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator

SHARED_CONSTRAINTS: dict[str, Any] = {
    "refusal": "no_validation",
    "threads": [Interval(Integral, 1, None, closed="left"), None],
}
CONSTRAINTS: dict[str, Any] = {**SHARED_CONSTRAINTS, "ledger": "no_validation"}


class OnePassClassifier(OnePass, Probabilistic, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier with probabilities whose fitted state is a summary that adds. A subclass supplies `_plan`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = CONSTRAINTS
    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}
    __metadata_request__partial_fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "classes": UNUSED}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table; or files, a pattern, a stream of tables, rows made by `open_rows`, read chunk by chunk in one pass
        y : one label a row; None where the rows come from files
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        target : the column of labels, where the rows come from files
        """
        self._fit(X, y, sample_weight, target)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`, with a target; rows where it is missing are left out
        """
        return self.fit(rows)

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None, *, target: Any = None
    ) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight, target : as for `fit`; classes, labels and kinds may be new
        classes : not needed, because classes are met as they come; taken for the sake of scikit-learn's interface.
            What exists without rows is said in the parameters, where a model has one for it
        """
        self._fit_or_learn_on(X, y, sample_weight, target)
        return self


class OnePassScorer(OnePass, Classifier, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier by scores that are no probabilities, whose fitted state is a summary that adds."""

    _parameter_constraints: ClassVar[dict[str, Any]] = CONSTRAINTS
    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}
    __metadata_request__partial_fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "classes": UNUSED}

    fit = OnePassClassifier.fit
    learn = OnePassClassifier.learn
    partial_fit = OnePassClassifier.partial_fit
