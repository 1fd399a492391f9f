"""OneVsOneClassifier: many classes from classifiers that each know two, by vote."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Self

import numpy as np
from sklearn.base import is_regressor
from sklearn.multiclass import OneVsOneClassifier as TheirOneVsOne
from sklearn.utils.multiclass import _ovr_decision_function
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array
from suffice.decision.voting import Votes, count_votes
from suffice.estimators.all_or_nothing import all_or_nothing


class OneVsOneClassifier(TheirOneVsOne):  # type: ignore[misc]
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
            super().fit(X, y, **fit_params)
            return self

    def decision_function(self, X: Any) -> Array:
        """The votes for each class (n, K), and less than a third more or less by what was said; (n,) for two classes.

        Regressors vote too, for the second class of a pair above a half; scikit-learn counts none of their votes.
        """
        check_is_fitted(self)
        if not is_regressor(self.estimators_[0]):
            return np.asarray(super().decision_function(X))
        said = self._said(X) - 0.5
        values = _ovr_decision_function(said > 0.0, said, len(self.classes_))
        return np.asarray(values[:, 1] if len(self.classes_) == 2 else values)

    def votes(self, X: Any) -> Votes:
        """How many of the classifiers vote for each class, who has most, and where another has as many."""
        check_is_fitted(self)
        said = self._said(X)
        counts = np.zeros((len(said), len(self.classes_)))
        for column, pair in zip(said.T, combinations(range(len(self.classes_)), 2), strict=True):
            counts[:, pair[0]] += column <= 0.5  # labels are 0 and 1, a regressor's numbers in between
            counts[:, pair[1]] += column > 0.5
        return count_votes(counts)

    def ambiguous(self, X: Any) -> Array:
        """Where (n,) several classes have the most votes."""
        return self.votes(X).tied

    def _said(self, X: Any) -> Array:
        """What the classifier of each pair predicts (n, number of pairs): 0 for the first class, 1 for the second."""
        X = validate_data(self, X, accept_sparse=True, ensure_all_finite=False, reset=False)
        columns = self.pairwise_indices_ or [slice(None)] * len(self.estimators_)
        return np.column_stack(
            [model.predict(X[:, some]) for model, some in zip(self.estimators_, columns, strict=True)]
        )
