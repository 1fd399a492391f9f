"""The scikit-learn glue of one-pass classifiers: validation, labels, parameters, fitted attributes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, column_or_1d

from suffice.core.block import Coded
from suffice.core.errors import bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.deciding import Deciding
from suffice.estimators.declared import Declared
from suffice.estimators.fitted import Fitted, Plan
from suffice.estimators.foreign import in_our_name
from suffice.estimators.loaded import SavedModel
from suffice.estimators.one_pass import OnePass
from suffice.estimators.origin import Origin, cell_type, label_type, library
from suffice.sources.labels import code_labels


class OnePassClassifier(OnePass, Deciding, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose fitted state is a summary that adds. A subclass supplies `_plan` and `_check_X`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "refusal": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    fitted_: Fitted

    @abstractmethod
    def _plan(self) -> Plan:
        """What the parameters ask for."""

    @abstractmethod
    def _check_X(self, X: Any, *, first: bool, learning: bool) -> Any:
        """X as scikit-learn wants it checked; `first` sets what later tables must be like."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table
        y : one label a row
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
        rows : made by `suffice.sources.open_rows`, with a target; rows where it is missing are left out
        """
        from suffice.estimators.from_rows import learn_rows

        with all_or_nothing(self):
            self._validate_params()
            if "fitted_" in vars(self):
                del self.fitted_
            fitted = learn_rows(self._owner, self._plan(), rows)
            names = fitted.schema.names
            self._check_X(dict.fromkeys(names), first=True, learning=True)
            return self._adopt(fitted, Origin(len(names), names, "mapping"))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`; classes, labels and kinds may be new
        classes : not needed, because classes are met as they come; taken for the sake of scikit-learn's interface
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

    def _summarize(self, X: Any, y: Any, sample_weight: Any, declared: Declared | None = None) -> tuple[Fitted, Origin]:
        before = vars(self).get("fitted_")
        if y is None:
            note = "a label for each row (fit requires y to be passed, but the target y is None)"
            raise bad(self._owner, "y", note, y, "Give one label a row.")
        checked = self._check_X(X, first=before is None, learning=True)
        labels = self._read_labels(y)
        fitted = Fitted.of(
            self._owner,
            self._plan(),
            checked,
            labels,
            sample_weight,
            threads=self.threads,
            declared=declared or self._declare(labels.labels[0]),
            before=before,
        )
        return fitted, Origin(self.n_features_in_, self._names(), library(X), label_type(y), cell_type(checked))

    def _declare(self, labels: Sequence[Any]) -> Declared:
        """The classes that are there even if all their rows weigh nothing."""
        return Declared()

    def _read_labels(self, y: Any) -> Coded:
        """Labels as codes; scikit-learn warns of a column where a list of labels was due."""
        column = isinstance(y, list) and bool(y) and isinstance(y[0], list)
        if column or isinstance(y, np.ndarray) or len(getattr(y, "shape", ())) == 2:
            with in_our_name(self._owner):
                y = column_or_1d(y, warn=True)
        return code_labels(y)

    def _names(self) -> tuple[Any, ...] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else tuple(names.tolist())

    def _adopt(self, fitted: Fitted, origin: Origin) -> Self:
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self.fitted_, self._origin = fitted, origin
        return self

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, first=False, learning=False)

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
