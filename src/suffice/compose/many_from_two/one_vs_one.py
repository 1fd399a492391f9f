"""OneVsOneClassifier: many classes from classifiers that each know two, by vote."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.multiclass import OneVsOneClassifier as TheirOneVsOne
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from suffice.compose.around_plan import AroundPlan
from suffice.compose.around_readings import Ballots
from suffice.compose.held import Held
from suffice.compose.many_from_two.asked_estimators import ask_of, limit_of
from suffice.compose.many_from_two.one_vs_one_model import OneVsOneModel
from suffice.compose.member_saving import MemberSaving
from suffice.core.block import Array
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.odd_cells import odd_column
from suffice.estimators.boundary.plain_arrays import texts_as_numbers
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.state.fitted import FittedModel


class OneVsOneClassifier(Ballots, MemberSaving, TheirOneVsOne):  # type: ignore[misc]
    """scikit-learn's one-versus-one, that shows its votes and says where they are tied.

        answer(x) = the class with most votes of the K (K - 1) / 2 classifiers

    A tie is decided by the sum of what the classifiers of each class say, squeezed to less than a third of a vote, and
    then by the order of the classes: `ambiguous` tells where there was one.

    Parameters
    ----------
    estimator : a classifier, or a regressor
    n_jobs : as in scikit-learn

    Attributes
    ----------
    estimators_ : the K (K - 1) / 2 trained classifiers, in the order of the pairs (0, 1), (0, 2), ...
    classes_, n_classes_, pairwise_indices_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from suffice import OneVsOneClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsOneClassifier(LogisticRegression()).fit(X, y)
    >>> model.votes(X[:1]).counts, int(model.ambiguous(X).sum())
    (array([[2., 1., 0.]]), 0)
    """

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train a classifier for each pair of classes.

        Parameters
        ----------
        X : table of numbers
        y : one label a row, of at least two classes
        fit_params : for the estimator's `fit`, with metadata routing
        """
        with all_or_nothing(self):
            try:
                super().fit(texts_as_numbers(X), y, **fit_params)
            except ValueError as error:
                raise odd_column(self, X, str(error)) or error from None
            return self

    def decision_function(self, X: Any) -> Array:
        """The votes for each class (n, K), and less than a third more or less by what was said; (n,) for two classes.

        Regressors vote too, for the second class of a pair above a half; scikit-learn counts none of their votes.
        """
        return Classifier.decision_function(self, X)

    @available_if(lambda self: hasattr(self.estimator, "partial_fit"))  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Self:
        """Show more rows to every member.

        Parameters
        ----------
        X, y, classes, partial_fit_params : as in scikit-learn
        """
        y = np.asarray(y)
        y = y.astype(object) if y.dtype.kind in "US" else y  # of texts, zeros would be texts to the members
        super().partial_fit(texts_as_numbers(X), y, classes, **partial_fit_params)
        return self

    def predict(self, X: Any) -> Array:
        """The class with most votes; of equals, by the sum of what was said."""
        return Classifier.predict(self, X)

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        fitted = super()._state()[0]
        if X is not None:
            X = texts_as_numbers(X)
            X = validate_data(self, X, accept_sparse=True, ensure_all_finite=False, reset=False)
        return fitted, X

    def _model(self) -> OneVsOneModel:
        parts, classes = tuple(self.estimators_), tuple(self.classes_.tolist())
        columns = None if self.pairwise_indices_ is None else tuple(self.pairwise_indices_)
        asks = tuple(map(ask_of, parts))
        return OneVsOneModel(tuple(map(Held, parts)), classes, asks, limit_of(parts[0]), columns)

    def _plan(self) -> AroundPlan:
        return AroundPlan(self._owner, face="classifier", tells=("votes",))

    def _take_on(self, model: OneVsOneModel) -> None:
        self.estimators_ = tuple(held.value for held in model.helds)
        self.pairwise_indices_ = model.columns
