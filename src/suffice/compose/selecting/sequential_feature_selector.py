"""SequentialFeatureSelector: columns added or dropped one by one, by the score of folds."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions

from suffice.bayes import GaussianNB
from suffice.compose.selecting.chosen_columns import ChosenColumns
from suffice.compose.selecting.column_selector import ColumnSelector
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.estimators.state.fitted import Found
from suffice.features.selection.subset_scores import (
    FOLD_READINGS,
    CrossValidated,
    LeastSquaresFolds,
    SubsetScore,
)
from suffice.features.selection.subset_search import backward, floating, forward
from suffice.sources.engines.memory import MemorySource

DIRECTIONS = {"forward": forward, "backward": backward, "floating": floating}


class SequentialFeatureSelector(ColumnSelector):
    """Columns added (or dropped) one by one, each time the one whose subset scores best in folds.

    Least squares and ridge regression judged by squared error (R2 too) read rows once: the products of columns add over
    folds, and those of a subset are among them.

    Parameters
    ----------
    estimator : whose score decides; None: `GaussianNB()`
    n_features_to_select : a number, a share of the columns, or "auto": half of them, or as many as `tol` says
    tol : with "auto", the least gain of a column that is added, or the least change by one that is dropped
    direction : "forward", "backward" or "floating" (columns that were added may be dropped again)
    scoring : as in scikit-learn; None: the estimator's own score
    cv : number of folds, or a splitter
    n_jobs : taken for the sake of scikit-learn's interface

    Attributes
    ----------
    n_features_to_select_, support_ : as in scikit-learn
    scores_ : score of the best subset of each step

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LinearRegression, SequentialFeatureSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 4))
    >>> chosen = SequentialFeatureSelector(LinearRegression(), n_features_to_select=2, scoring="neg_mean_squared_error")
    >>> chosen.fit(X, 3 * X[:, 1] - X[:, 3]).get_support().tolist()
    [False, True, False, True]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit"]), None],
        "n_features_to_select": [
            StrOptions({"auto"}),
            Interval(RealNotInt, 0, 1, closed="right"),
            Interval(Integral, 0, None, closed="neither"),
        ],
        "tol": [None, Interval(Real, None, None, closed="neither")],
        "direction": [StrOptions(set(DIRECTIONS))],
        "scoring": "no_validation",
        "cv": ["cv_object"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_features_to_select: Any = "auto",
        tol: float | None = None,
        direction: str = "forward",
        scoring: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.tol = tol
        self.direction = direction
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs

    @property
    def n_features_to_select_(self) -> int:
        """How many columns stay."""
        return int(self._state()[0].model.support.sum())

    def _inner(self) -> Any:
        return GaussianNB() if self.estimator is None else self.estimator

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        X, y = self._rows(source)
        d = X.shape[1]
        size = self._size(d)
        by = self._judge(X, y)
        gain = {} if self.tol is None else {"gain": float(self.tol)}
        found = DIRECTIONS[self.direction](by, size=size, **(gain if size is None else {}))
        support = np.isin(np.arange(d), found.columns)
        scores = np.array([score for subset, score in found.path if subset])
        return Found(ChosenColumns(self._owner, support, scores), found.evaluations, True)

    def _judge(self, X: Array, y: Array | None) -> SubsetScore:
        """From products of columns where they tell the estimator and its score; else by fitting it again and again."""
        inner = self._inner()
        self._refuse_few(inner, y)
        cv = check_cv(self.cv, y, classifier=is_classifier(inner))
        plan = inner._plan() if isinstance(inner, OnePassRegressor) else None
        penalty = getattr(plan, "quadratic", None)
        told = (self.scoring is None or isinstance(self.scoring, str)) and self.scoring in FOLD_READINGS
        if penalty is None or not told or y is None or not np.isfinite(X).all():
            return CrossValidated(inner, X, y, cv, self.scoring)
        return LeastSquaresFolds(X, y, cv, penalty, plan.intercept, self.scoring)  # type: ignore[union-attr]

    def _refuse_few(self, inner: Any, y: Array | None) -> None:
        """Refuse a number of folds that no class has rows for."""
        if y is None or not is_classifier(inner) or not isinstance(self.cv, (int, np.integer)):
            return
        most = int(np.unique(y, return_counts=True)[1].max())
        if most < self.cv:
            got = Said(f"{most} in the largest of {len(np.unique(y))} classes")
            remedy = "Ask for fewer folds, or predict numbers by a regressor."
            raise bad(self._owner, "the rows of a class", f"at least {self.cv}, one a fold", got, remedy)

    def _size(self, d: int) -> int | None:
        given = self.n_features_to_select
        if isinstance(given, str):
            if self.tol is not None:
                if self.tol < 0 and self.direction != "backward":
                    rule = f"strictly positive when direction is {self.direction!r}"
                    raise bad(self._owner, "tol", rule, self.tol, "Less than 0 is for columns that are dropped.")
                return None
            return max(1, d // 2)
        if isinstance(given, (int, np.integer)):
            if given >= d:
                rule = f"below {d}, the number of columns (n_features_to_select must be < n_features)"
                raise bad(self._owner, "n_features_to_select", rule, given, "Keep fewer columns.")
            return int(given)
        return max(1, int(d * given))
