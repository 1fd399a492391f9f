"""The scikit-learn glue of one-pass classifiers: validation, labels, parameters, fitted attributes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from suffice.core.block import Coded
from suffice.core.errors import bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.deciding import Deciding
from suffice.estimators.declared import Declared
from suffice.estimators.fitted import Fitted
from suffice.estimators.one_pass_estimator import OnePassEstimator
from suffice.estimators.origin import Origin, cell_type, column_names, label_type, library
from suffice.estimators.read_labels import read_labels


class OnePassClassifier(OnePassEstimator, Deciding, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose fitted state is a summary that adds. A subclass supplies `_plan` and `_check_X`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "refusal": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    fitted_: Fitted

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
            self._begin()
            return self._adopt(*self._summarize(X, y, sample_weight))

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone, in one pass: the same model as `fit` on all of them.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`, with a target; rows where it is missing are left out
        """
        from suffice.estimators.from_rows import learn_rows

        with all_or_nothing(self):
            self._begin()
            fitted = learn_rows(self._owner, self._plan(), rows)
            names = fitted.schema.names
            self._check_X(dict.fromkeys(names), first=True, learning=True)
            return self._adopt(fitted, Origin(len(names), names, "mapping"))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`; classes, labels and kinds may be new
        classes : not needed, because classes are met as they come; taken for the sake of scikit-learn's interface.
            What exists without rows is said in the parameters, where a model has one for it
        """
        with all_or_nothing(self):
            if "fitted_" not in vars(self):
                return self.fit(X, y, sample_weight)
            self._validate_params()
            return self._learn_on(X, y, sample_weight)

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
        return fitted, Origin(self.n_features_in_, column_names(self), library(X), label_type(y), cell_type(checked))

    def _declare(self, labels: Sequence[Any]) -> Declared:
        """The classes that are there even if all their rows weigh nothing."""
        return Declared()

    def _read_labels(self, y: Any) -> Coded:
        return read_labels(self._owner, y)

    def _adopt(self, fitted: Fitted, origin: Origin) -> Self:
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self.fitted_, self._origin = fitted, origin
        return self

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, first=False, learning=False)
