"""The scikit-learn glue that all one-pass estimators share: verbs that change all or nothing, parameters, files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from suffice.core.errors import bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.fitted import Plan
from suffice.estimators.foreign import in_our_name
from suffice.estimators.loaded import SavedModel
from suffice.estimators.one_pass import OnePass


class OnePassEstimator(OnePass, BaseEstimator):  # type: ignore[misc]
    """An estimator whose fitted state is a summary that adds. A subclass supplies `_plan`, `_summarize`, `_adopt`."""

    fitted_: Any

    @abstractmethod
    def _plan(self) -> Plan:
        """What the parameters ask for."""

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place: the model all rows together would have given.

        Parameters
        ----------
        others : models of the same kind, estimators or loaded from files
        """
        with all_or_nothing(self):
            return super().merge(*others)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were learned before, in place: the model they were never shown to.

        Parameters
        ----------
        X, y, sample_weight : the rows, as they were given when learned
        """
        with all_or_nothing(self):
            return super().forget(X, y, sample_weight)

    def set_params(self, **params: Any) -> Self:
        """Change parameters; a fitted model is read anew from its summary at once, without its rows.

        A parameter that decides what is kept of the rows (kinds, how texts become words, thresholds) cannot be answered
        from the summary: it takes effect with the next `fit`, and so does all else until then.
        """
        strange = [name for name in params if name.partition("__")[0] not in self.get_params(deep=False)]
        if strange:
            rule = f"among {list(self.get_params(deep=False))} (Invalid parameter {strange[0]!r})"
            raise bad(self._owner, "a parameter", rule, strange[0], "Correct its name.")
        with all_or_nothing(self):
            with in_our_name(self._owner):
                super().set_params(**params)
            if "fitted_" in vars(self):
                self._validate_params()
                self._adopt(self.fitted_.replan(self._plan()), self._origin)
            return self

    def _begin(self) -> None:
        """Check the parameters, and forget what was learned before."""
        self._validate_params()
        self.__dict__.pop("fitted_", None)

    def _saved(self) -> SavedModel:
        check_is_fitted(self, "fitted_")
        parameters = {name: _plain(value) for name, value in self._parameters().items()}
        return SavedModel(self._owner, self.fitted_, self._origin, parameters)

    def _parameters(self) -> dict[str, Any]:
        """Parameters as they may be saved."""
        parameters: dict[str, Any] = self.get_params(deep=False)
        return parameters

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held."""
        self.n_features_in_ = value.origin.width
        if value.origin.names is not None:
            self.feature_names_in_ = np.array(value.origin.names, dtype=object)
        return self._adopt(value.fitted, value.origin)


def _plain(value: Any) -> Any:
    """A parameter without the classes of other libraries."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    return np.asarray(value) if hasattr(value, "__array__") else value
