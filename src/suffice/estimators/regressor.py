"""The scikit-learn glue of one-pass regressors: validation, targets, parameters, fitted attributes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.core.errors import Said, bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.fitted import FittedModel, Plan
from suffice.estimators.fitted_targets import FittedTargets
from suffice.estimators.foreign import in_our_name
from suffice.estimators.loaded import SavedModel
from suffice.estimators.one_pass import OnePass
from suffice.estimators.origin import Origin, cell_type, library
from suffice.estimators.predicting import Predicting
from suffice.estimators.targets import read_targets
from suffice.sources.grid import Grid, as_array
from suffice.sources.table import open_table


class OnePassRegressor(OnePass, Predicting, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor whose fitted state is a summary that adds. A subclass supplies `_plan`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "kinds": [Mapping, None],
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    fitted_: FittedTargets

    @abstractmethod
    def _plan(self) -> Plan:
        """What the parameters ask for."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table
        y : one number a row, or a table of several targets
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            if "fitted_" in vars(self):
                del self.fitted_
            return self._adopt(*self._summarize(X, y, sample_weight))

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone, in one pass: the same model as `fit` on all of them.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`, with a target of numbers; rows where it is missing are left out
        """
        from suffice.estimators.targets_from_rows import learn_targets

        with all_or_nothing(self):
            self._validate_params()
            if "fitted_" in vars(self):
                del self.fitted_
            fitted = learn_targets(self._owner, self._plan(), rows)
            names = fitted.schema.names
            self._check_X(dict.fromkeys(names), first=True)
            return self._adopt(fitted, Origin(len(names), names, "mapping"))

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`; levels of symbols and kinds may be new
        """
        if "fitted_" not in vars(self):
            return self.fit(X, y, sample_weight)
        with all_or_nothing(self):
            self._validate_params()
            return self._learn_on(X, y, sample_weight)

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

        A parameter that decides what is kept of the rows takes effect with the next `fit`, and so does all else.
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

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> tuple[FittedTargets, Origin]:
        before = vars(self).get("fitted_")
        targets = read_targets(self._owner, y)
        checked = self._check_X(X, first=before is None)
        fitted = FittedTargets.of(
            self._owner, self._plan(), checked, targets, sample_weight, threads=self.threads, before=before
        )
        return fitted, Origin(self.n_features_in_, self._names(), library(X), None, cell_type(checked))

    def _check_X(self, X: Any, *, first: bool) -> Any:
        """A table as it is; scikit-learn looks at the number and the names of its columns only."""
        if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # some sparse matrices are mappings too
            return self._check_mapping(X, first)
        if library(X) is not None or not hasattr(X, "shape"):
            X = _read(X)
        shape: tuple[int, ...] = X.shape
        if len(shape) != 2:
            as_array(X)  # says what to do
        if shape[1] == 0:
            note = f"(Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", f"a table with columns {note}", Said("none"), "Give it columns to learn from.")
        with in_our_name(self._owner):
            validate_data(self, X, reset=first, skip_check_array=True)
        return X

    def _check_mapping(self, X: Mapping[Any, Any], first: bool) -> Mapping[Any, Any]:
        if first:
            self.n_features_in_, self.feature_names_in_ = len(X), np.array(list(X), dtype=object)
        return X

    def _names(self) -> tuple[Any, ...] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else tuple(names.tolist())

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        assert isinstance(fitted, FittedTargets)
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self.fitted_, self._origin = fitted, origin
        return self

    def _state(self, X: Any = None) -> tuple[FittedTargets, Any]:
        check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, first=False)

    def _saved(self) -> SavedModel:
        check_is_fitted(self, "fitted_")
        return SavedModel(self._owner, self.fitted_, self._origin, self._parameters())

    def _parameters(self) -> dict[str, Any]:
        """Parameters as they may be saved."""
        return {name: _plain(value) for name, value in self.get_params(deep=False).items()}

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held."""
        self.n_features_in_ = value.origin.width
        if value.origin.names is not None:
            self.feature_names_in_ = np.array(value.origin.names, dtype=object)
        return self._adopt(value.fitted, value.origin)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.multi_output = True
        return tags


def _read(X: Any) -> Any:
    """Lists as arrays, and tables that only speak Arrow as Arrow's; tables of two columns of one name are refused."""
    table: Any = X if hasattr(X, "tocsr") else open_table(X)
    if hasattr(X, "shape"):
        return X
    return table.X if isinstance(table, Grid) else table.frame.to_native()


def _plain(value: Any) -> Any:
    """A parameter without the classes of other libraries."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    return np.asarray(value) if hasattr(value, "__array__") else value
