"""TargetEncoder: categories as shrunken means of the target, cross-fitted, from counts that add.

z = lambda_v mean(y | v) + (1 - lambda_v) mean(y)
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import type_of_target

from suffice.core.errors import Said, bad, in_our_name
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.boundary.opening import are_rows
from suffice.estimators.boundary.targets import LabelColumn, NumberTarget
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.calibrate.cross_fitting import cross_fitted
from suffice.features.calibrate.target_means import TargetPlan, TargetReadings
from suffice.features.categories import MISSING

LABELS, NUMBERS = LabelColumn(), NumberTarget()
TYPES = ("binary", "multiclass", "continuous")


class TargetEncoder(TargetReadings, OnePassSupervisedTransformer):
    """Categories as means of the target for scikit-learn users: one pass, mergeable, forgetting.

    `fit_transform` maps each row by a model of the other folds; all of them come from one pass over the rows.

    Parameters
    ----------
    categories : 'auto' (those that rows show), or one list a column
    target_type : 'auto', 'binary', 'multiclass' or 'continuous'
    smooth : number of rows that the mean of all counts for; 'auto' weighs by variances
    cv : number of folds, drawn by a hash of ranks within classes; a splitter of scikit-learn, or a list of splits
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    encodings_, categories_, target_type_, target_mean_, classes_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import TargetEncoder
    >>> encoder = TargetEncoder(smooth=0.0).fit([["a"], ["a"], ["b"]], [0, 1, 1])
    >>> encoder.transform([["a"], ["b"]]).ravel().tolist()
    [0.5, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "categories": [StrOptions({"auto"}), list],
        "target_type": [StrOptions({"auto", *TYPES})],
        "smooth": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
        "cv": ["cv_object"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = AnyTable(allow_nan=True)
    _not_saved = ("cv",)

    def __init__(
        self,
        categories: Any = "auto",
        target_type: str = "auto",
        smooth: Any = "auto",
        cv: Any = 5,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.categories = categories
        self.target_type = target_type
        self.smooth = smooth
        self.cv = cv
        self.threads = threads
        self.ledger = ledger

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows alone; to encode the rows themselves use `fit_transform`, which does not leak y.

        Parameters
        ----------
        X, y, sample_weight, target : one label or number a row, as `target_type` says
        """
        self._validate_params()
        self._look(X, y, target)
        self._fit(X, y, sample_weight, target)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit all rows, and give each row as a model of the other folds maps it: the target does not leak.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`, in memory
        """
        self._validate_params()
        self._look(X, y, None)
        return cross_fitted(self, X, y, sample_weight, self._folds(X, y))

    def _look(self, X: Any, y: Any, target: Any) -> None:
        """Which type the target is of."""
        self.target_type_ = self.target_type
        if self.target_type != "auto":
            return
        found = "binary" if y is None or are_rows(X, target) else self._type(y)
        if found not in TYPES:
            rule = f"of a type among {TYPES} (Unknown label type: Target type was inferred to be {found!r})"
            raise bad(self._owner, "y", rule, Said(found), "Give one label or number a row.")
        self.target_type_ = found

    def _type(self, y: Any) -> str:
        with in_our_name(self._owner):
            return str(type_of_target(y, input_name="y"))

    def _folds(self, X: Any, y: Any) -> Any:
        if isinstance(self.cv, Integral) or self.cv is None:
            return 5 if self.cv is None else int(self.cv)
        folds = np.full(len(y), -1)
        for k, (_, test) in enumerate(check_cv(self.cv).split(X, y)):
            if (folds[test] >= 0).any():
                folds[:] = -1
                break
            folds[test] = k
        if (folds < 0).any():
            rule = (
                "a splitter whose folds hold every row once "
                "(Validation indices from `cv` must cover each sample index exactly once)"
            )
            raise bad(self._owner, "cv", rule, self.cv, "Use KFold or StratifiedKFold.")
        return folds

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return NUMBERS if vars(self).get("target_type_") == "continuous" else LABELS

    def _plan(self) -> TargetPlan:
        given = None
        if not isinstance(self.categories, str):
            lists = (np.asarray(some, dtype=object).tolist() for some in self.categories)
            given = tuple(tuple(MISSING if v is None or v != v else v for v in some) for some in lists)
        smooth = None if isinstance(self.smooth, str) else float(self.smooth)
        return TargetPlan(self._owner, smooth, self._target is NUMBERS, given)

    def _parameters(self) -> dict[str, Any]:
        given = self._plan().categories
        lists = [[None if v is MISSING else v for v in some] for some in given or ()]
        categories = "auto" if given is None else lists
        kind = vars(self).get("target_type_", self.target_type)
        return {**super()._parameters(), "categories": categories, "target_type": kind}

    @classmethod
    def _made_of(cls, parameters: Any) -> TargetEncoder:
        made = cls(**parameters)
        made.target_type_ = made.target_type
        return made

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
