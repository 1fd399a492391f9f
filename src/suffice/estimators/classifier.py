"""The scikit-learn glue of one-pass classifiers: validation, labels, parameters, fitted attributes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.deciding import Deciding, label_array
from suffice.estimators.fitted import Fitted, Plan
from suffice.estimators.one_pass import OnePass
from suffice.estimators.weights import read_weights
from suffice.sources.labels import code_labels


class OnePassClassifier(OnePass, Deciding, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose fitted state is a summary that adds. A subclass supplies `_plan` and `_check_X`."""

    fitted_: Fitted

    def _plan(self, labels: tuple[Any, ...] | None) -> Plan:
        """What the parameters ask for; `labels` are the classes declared so far."""
        raise NotImplementedError

    def _check_X(self, X: Any, reset: bool) -> Any:
        """X as scikit-learn wants it checked; `reset` at the first table."""
        raise NotImplementedError

    def _check_fitted(self, fitted: Fitted) -> None:
        """Refuse what the pass over the rows found, before anything is set."""

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
            for name in {"fitted_", "_declared"} & set(vars(self)):
                delattr(self, name)
            return self._adopt(self._summarize(X, y, sample_weight, reset=True))

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
            return self._adopt(self.fitted_.merge([self._summarize(X, y, sample_weight)]))

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place: the model all rows together would have given."""
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
        """Change parameters; a fitted model is read anew from its summary at once, without its rows."""
        with all_or_nothing(self):
            super().set_params(**params)
            if "fitted_" in vars(self):
                self._validate_params()
                self._adopt(self.fitted_)
            return self

    def _summarize(self, X: Any, y: Any, sample_weight: Any, reset: bool = False) -> Fitted:
        if y is None:
            raise BadInput(
                f"{type(self).__name__}: fit requires y to be passed, but the target y is None. Give one label a row."
            )
        X = self._check_X(X, reset)
        labels = self._code(y)
        plan = self._plan(self._declare(labels, reset))
        table = plan.open(X)
        if table.n != len(labels.codes):
            raise BadInput(
                f"{type(self).__name__}: X and y must have the same number of rows (Found input variables with "
                f"inconsistent numbers of samples: [{table.n}, {len(labels.codes)}])."
            )
        if reset and table.n == 0:
            raise BadInput(
                f"{type(self).__name__}: X must have a row at least, got 0 sample(s). Give it rows to learn from."
            )
        w = read_weights(self, sample_weight, table.n, some=reset)
        known = None if reset else self.fitted_.schema
        fitted = Fitted.of(plan, table, labels, w, self.threads, known)
        self._check_fitted(fitted)
        return fitted

    def _declare(self, labels: Coded, reset: bool) -> tuple[Any, ...] | None:
        """The classes that exist even without rows; None where classes are open."""
        return None

    def _code(self, y: Any) -> Coded:
        if isinstance(y, np.ndarray) or not hasattr(y, "to_numpy") or getattr(y, "ndim", 1) != 1:
            y = column_or_1d(y, warn=True)
        self._label_type = y.dtype if isinstance(y, np.ndarray) else None
        return code_labels(y)

    def _adopt(self, fitted: Fitted) -> Self:
        fitted = fitted.replan(self._plan(self._declared_classes(fitted)))
        classes = fitted.model.classes  # estimates; raises before anything is set
        self.fitted_ = fitted
        self.classes_ = self._typed(classes)
        return self

    def _declared_classes(self, fitted: Fitted) -> tuple[Any, ...] | None:
        return None

    def _typed(self, labels: tuple[Any, ...]) -> Array:
        """Labels as an array, of the type that y had where it can hold them."""
        array = label_array(labels)
        wanted = getattr(self, "_label_type", None)
        if wanted is not None and wanted.kind == array.dtype.kind and wanted.kind in "iufb":
            narrow = array.astype(wanted)  # of the last y, which may be too narrow for labels that came before
            return narrow if np.array_equal(narrow, array) else array
        return array.astype(object) if wanted is not None and wanted.kind == "O" else array

    def _label_array(self) -> Array:
        return self.classes_

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, reset=False)

    def _saved(self) -> Any:
        from suffice.estimators.loaded import SavedModel

        check_is_fitted(self, "fitted_")
        return SavedModel(type(self).__name__, self.fitted_, self.refusal)
