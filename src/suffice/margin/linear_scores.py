"""What classifiers with linear scores share: rows checked, scores, labels, files."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model._base import LinearClassifierMixin, SparseCoefMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.block import Array
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import Origin, column_names, label_type
from suffice.margin.saved_scores import SavedScores


class LinearScores(SparseCoefMixin, LinearClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with `coef_` and `intercept_`: one score for two classes, else one a class."""

    classes_: Array
    coef_: Any
    intercept_: Array
    n_features_in_: int

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _check_rows(self, X: Any, first: bool) -> Any:
        """Rows of numbers as an array in the order of C, or as a CSR matrix."""
        with in_our_name(self._owner):
            return validate_data(
                self,
                X,
                accept_sparse="csr",
                dtype=[np.float64, np.float32],
                order="C",
                accept_large_sparse=False,
                reset=first,
            )

    def decision_function(self, X: Any) -> Array:
        """Scores: (n,) for two classes, above 0 for the second; (n, K) for more.

        Parameters
        ----------
        X : rows like those of training
        """
        check_is_fitted(self)
        with in_our_name(self._owner):
            return np.asarray(super().decision_function(X))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the scores to a file: numbers and a description, never code. `suffice.load` reads it.

        Parameters
        ----------
        path : the file
        """
        from suffice.persistence import save

        check_is_fitted(self)
        origin = Origin(self.n_features_in_, column_names(self), label_type=label_type(self.classes_))
        coef = self.coef_.toarray() if hasattr(self.coef_, "toarray") else self.coef_
        save(SavedScores(self._owner, tuple(self.classes_.tolist()), coef, self.intercept_, origin), path)

    def __sklearn_tags__(self) -> Any:
        """Sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
