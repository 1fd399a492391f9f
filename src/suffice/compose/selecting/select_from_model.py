"""SelectFromModel: the columns whose coefficients or importances reach a threshold."""

from __future__ import annotations

from numbers import Integral, Real
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils._param_validation import HasMethods, Interval, Options
from sklearn.utils.validation import check_is_fitted

from suffice.compose.held import Held
from suffice.compose.selecting.chosen_columns import ChosenColumns
from suffice.compose.selecting.column_selector import NOTHING, ColumnSelector
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.glue.unfitted import state_of
from suffice.estimators.reading import reading
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.linear import LogisticRegression
from suffice.sources.engines.memory import MemorySource

SPARSE = 1e-5  # the threshold where an L1 penalty has set others to 0
UNFITTED = "When `prefit=True`, `estimator` is expected to be a fitted estimator, got %(name)s. Fit it first."
REFERENCES: dict[str, Any] = {"mean": np.mean, "median": np.median}


class SelectFromModel(ColumnSelector):
    """The columns that an estimator finds important: sizes of coefficients, or importances of trees.

    Parameters
    ----------
    estimator : with `coef_` or `feature_importances_` once it is fitted; None: `LogisticRegression()`
    threshold : the least importance: a number, "mean", "median", or a multiple such as "1.25*mean"; None: "mean", or
        1e-5 where the estimator has an L1 penalty
    prefit : whether the estimator is fitted already; rows are then mapped without `fit` too
    norm_order : of the coefficients of a column, where it has several
    max_features : most columns that stay; a number, or a function of X; None: any
    importance_getter : "auto", the name of an attribute (may be dotted), or a function of the fitted estimator

    Attributes
    ----------
    estimator_, threshold_, max_features_ : as in scikit-learn
    scores_ : importance of each column

    Examples
    --------
    >>> from suffice import SelectFromModel
    >>> X, y = [[0.9, -1.3], [2.8, -1.2], [-0.8, -0.5], [-1.4, -1.6]], [0, 1, 0, 1]
    >>> SelectFromModel().fit(X, y).get_support().tolist()
    [False, True]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods("fit"), None],
        "threshold": [Interval(Real, None, None, closed="both"), str, None],
        "prefit": ["boolean"],
        "norm_order": [
            Interval(Integral, None, -1, closed="right"),
            Interval(Integral, 1, None, closed="left"),
            Options(Real, {np.inf, -np.inf}),
        ],
        "max_features": [Interval(Integral, 0, None, closed="left"), callable, None],
        "importance_getter": [str, callable],
    }

    threshold_ = reading("threshold", "The importance from which on columns stay.")

    def __init__(
        self,
        estimator: Any = None,
        *,
        threshold: Any = None,
        prefit: bool = False,
        norm_order: Any = 1,
        max_features: Any = None,
        importance_getter: Any = "auto",
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.threshold = threshold
        self.prefit = prefit
        self.norm_order = norm_order
        self.max_features = max_features
        self.importance_getter = importance_getter

    @property
    def estimator_(self) -> Any:
        """The fitted estimator."""
        return self._state()[0].model.helds[0].live

    @property
    def max_features_(self) -> int:
        """The most columns that stay, where a most was asked for."""
        most = self._state()[0].model.most
        if most is None:
            raise AttributeError(f"{self._owner} has no max_features_: max_features is None.")
        return int(most)

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Fit the estimator, and choose by what it finds important.

        Parameters
        ----------
        X : table; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : one label or number a row; None where the rows come from files
        sample_weight : one weight a row, for the estimator
        target : the column to predict, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, target, in_memory)
        return self

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return NOTHING if self.prefit else super()._target

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        known = X is None or not self.prefit or self.__sklearn_is_fitted__()
        return super()._state(X) if known else state_of(self, X)

    def _inner(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        X, y = self._rows(source)
        most = self._most(X)
        if self.prefit:
            check_is_fitted(self._inner(), msg=f"{self._owner}: {UNFITTED}")
            inner = self._inner()
        else:
            weights = {} if source.w is None else {"sample_weight": source.w}
            inner = clone(self._inner()).fit(X, y, **weights)
        scores = self._importances(inner, X.shape[1])
        threshold = self._threshold(inner, scores)
        support = np.ones(len(scores), dtype=bool)
        if most is not None:
            support[np.argsort(-scores, kind="mergesort")[most:]] = False
        support &= scores >= threshold
        return Found(ChosenColumns(self._owner, support, scores, threshold, (Held(inner),), most), 1, True)

    def _most(self, X: Array) -> int | None:
        most = self.max_features(X) if callable(self.max_features) else self.max_features
        if most is not None and not (isinstance(most, (int, np.integer)) and 0 <= most <= X.shape[1]):
            rule = f"a whole number from 0 to {X.shape[1]}, the number of columns (max_features == {most})"
            raise bad(self._owner, "max_features", rule, most, "Keep fewer columns.")
        return None if most is None else int(most)

    def _importances(self, inner: Any, d: int) -> Array:
        """Of each column (d,): lengths of its coefficients."""
        try:
            found = self._got(inner)
        except AttributeError:
            rule = "one that has `coef_` or `feature_importances_` when it is fitted, or what importance_getter names"
            came = Said(type(inner).__name__)
            raise bad(self._owner, "the estimator", rule, came, "Name another, or give a function.") from None
        values = np.asarray(found.toarray() if hasattr(found, "toarray") else found, dtype=np.float64)
        scores = np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=0, ord=self.norm_order)
        if len(scores) != d:
            came = Said(f"{len(scores)} of them for {d} columns")
            raise bad(self._owner, "importances", "one a column", came, "The estimator makes columns of its own.")
        return np.asarray(scores)

    def _got(self, inner: Any) -> Any:
        if callable(self.importance_getter):
            return self.importance_getter(inner)
        if self.importance_getter != "auto":
            return attrgetter(self.importance_getter)(inner)
        return inner.coef_ if hasattr(inner, "coef_") else inner.feature_importances_

    def _threshold(self, inner: Any, scores: Array) -> float:
        given = self.threshold
        if given is None:
            sparse = getattr(inner, "penalty", None) == "l1" or "Lasso" in type(inner).__name__
            share = getattr(inner, "l1_ratio_", getattr(inner, "l1_ratio", None))  # that which was chosen, if one was
            given = SPARSE if sparse or (share is not None and np.all(np.isclose(share, 1.0))) else "mean"
        if not isinstance(given, str):
            return float(given)
        factor, _, name = given.rpartition("*")
        try:
            return float(factor.strip() or 1.0) * float(REFERENCES[name.strip()](scores))
        except (KeyError, ValueError):
            rule = "a number, 'mean', 'median', or a multiple of them such as '1.25*mean'"
            raise bad(self._owner, "threshold", rule, given) from None
