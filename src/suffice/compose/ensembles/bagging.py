"""BaggingClassifier and BaggingRegressor: members of bootstrap samples, that vote or are averaged; or their median."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier as TheirClassifier
from sklearn.ensemble import BaggingRegressor as TheirRegressor
from sklearn.utils._param_validation import StrOptions

from suffice.compose.ensembles.members_model import MembersModel
from suffice.compose.held import Held
from suffice.compose.member_saving import MemberSaving
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.plain_arrays import as_numpy
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.faces.single_precision import in_double
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.state.origin import library
from suffice.trees.decision_tree_classifier import DecisionTreeClassifier
from suffice.trees.decision_tree_regressor import DecisionTreeRegressor


class BaggingClassifier(MemberSaving, TheirClassifier):  # type: ignore[misc]
    """scikit-learn's bagging, around any classifier, that is saved where its members are ours.

    Members with probabilities are averaged, others vote. The default member is our exact tree.

    Parameters
    ----------
    estimator, n_estimators, max_samples, max_features, bootstrap, bootstrap_features, oob_score, warm_start, n_jobs,
        random_state, verbose : as in scikit-learn

    Examples
    --------
    >>> from suffice import BaggingClassifier
    >>> model = BaggingClassifier(n_estimators=5, random_state=0).fit([[0], [1], [2], [3]], list("aabb"))
    >>> model.predict([[0], [3]]).tolist()
    ['a', 'b']

    References
    ----------
    L. Breiman, Bagging predictors (1996).
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit every member to rows that are drawn.

        Parameters
        ----------
        X, y, sample_weight, fit_params : as in scikit-learn
        """
        refuse_mapping(self._owner, X)
        X, y = number_columns_plain(as_numpy(X)), as_numpy(y)
        if hasattr(y, "__len__"):  # weights below 0 would become shares above 0
            read_weights(self._owner, sample_weight, len(y))
        with told_by_member(self._get_estimator(), X, y):
            super().fit(X, y, sample_weight, **fit_params)
        return self

    def predict(self, X: Any, **params: Any) -> Array:
        """The class of the largest mean probability, or of most votes."""
        refuse_mapping(self._owner, X)
        return np.asarray(super().predict(number_columns_plain(X), **params))

    def _get_estimator(self) -> Any:
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def _model(self) -> MembersModel:
        proba = all(hasattr(member, "predict_proba") for member in self.estimators_)
        way = "mean_shares" if proba else "votes"
        helds, T = tuple(map(Held, self.estimators_)), len(self.estimators_)
        columns = tuple(np.asarray(some) for some in self.estimators_features_)
        return MembersModel(self._owner, helds, way, np.ones(T), tuple(self.classes_.tolist()), columns)

    def _take_on(self, model: MembersModel) -> None:
        self.estimators_ = [held.value for held in model.helds]
        self.estimators_features_ = list(model.columns)
        self.estimator_, self.n_classes_ = self._get_estimator(), len(self.classes_)


class BaggingRegressor(MemberSaving, TheirRegressor):  # type: ignore[misc]
    """scikit-learn's bagging, around any regressor, with the mean or the median of its members ("bragging").

    Parameters
    ----------
    estimator, n_estimators, max_samples, max_features, bootstrap, bootstrap_features, oob_score, warm_start, n_jobs,
        random_state, verbose : as in scikit-learn
    aggregate : "mean", or "median", which few wild members do not move

    Examples
    --------
    >>> from suffice import BaggingRegressor
    >>> model = BaggingRegressor(n_estimators=9, aggregate="median", random_state=0).fit([[0], [1]], [1.0, 3.0])
    >>> model.predict([[0.0], [1.0]])
    array([1., 3.])

    References
    ----------
    L. Breiman, Bagging predictors (1996). P. Buehlmann, Bagging, subagging and bragging (2003).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TheirRegressor._parameter_constraints,
        "aggregate": [StrOptions({"mean", "median"})],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: Any = None,
        max_features: Any = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: bool = False,
        warm_start: bool = False,
        n_jobs: Any = None,
        random_state: Any = None,
        verbose: int = 0,
        aggregate: str = "mean",
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        super().__init__(
            estimator,
            n_estimators,
            max_samples=max_samples,
            max_features=max_features,
            bootstrap=bootstrap,
            bootstrap_features=bootstrap_features,
            oob_score=oob_score,
            warm_start=warm_start,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.aggregate = aggregate

    def predict(self, X: Any, **params: Any) -> Array:
        """The mean of the members, or their median."""
        refuse_mapping(self._owner, X)
        X = number_columns_plain(X)
        if self.aggregate == "mean":
            return np.asarray(super().predict(X, **params))
        super().predict(X[:1] if hasattr(X, "shape") and not hasattr(X, "iloc") else X, **params)  # checks X
        model = self._model()
        from suffice.core.block import Block

        return np.asarray(model.predict(Block((X,)))[:, 0])

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit every member to rows that are drawn; they answer in double precision, in which they are added.

        Parameters
        ----------
        X, y, sample_weight, fit_params : as in scikit-learn
        """
        refuse_mapping(self._owner, X)
        X, y = number_columns_plain(as_numpy(X)), as_numpy(y)
        if hasattr(y, "__len__"):  # weights below 0 would become shares above 0
            read_weights(self._owner, sample_weight, len(y))
        with told_by_member(self._get_estimator(), X, y):
            super().fit(X, y, sample_weight, **fit_params)
        for member in self.estimators_:
            if isinstance(member, Estimator):
                in_double(member)
        return self

    def _get_estimator(self) -> Any:
        return DecisionTreeRegressor() if self.estimator is None else self.estimator

    def _model(self) -> MembersModel:
        helds, T = tuple(map(Held, self.estimators_)), len(self.estimators_)
        columns = tuple(np.asarray(some) for some in self.estimators_features_)
        return MembersModel(self._owner, helds, self.aggregate, np.ones(T), (), columns)

    def _take_on(self, model: MembersModel) -> None:
        self.estimators_ = [held.value for held in model.helds]
        self.estimators_features_ = list(model.columns)
        self.estimator_ = self._get_estimator()


def refuse_mapping(owner: str, X: Any) -> None:
    """Rows are drawn by number from an array: a mapping of columns has none."""
    if isinstance(X, Mapping):
        remedy = "Make a data frame of it, or use Forest, which draws rows of any table."
        raise bad(owner, "X", "an array, a sparse matrix or a data frame", Said("a mapping of columns"), remedy)


def number_columns_plain(X: Any) -> Any:
    """A data frame whose truth values are 0 and 1, so that one without symbols is an array of floats to its members."""
    if library(X) in (None, "scipy", "mapping"):
        return X
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    names = [name for name, kind in frame.schema.items() if kind == nw.Boolean]
    return frame.with_columns(nw.col(name).cast(nw.Float64) for name in names).to_native() if names else X


@contextmanager
def told_by_member(member: Any, X: Any, y: Any) -> Iterator[None]:
    """Where cells are refused, have a member say it of the table itself: drawn rows have no names of columns."""
    try:
        yield
    except (TypeError, ValueError):
        if hasattr(X, "columns"):
            clone(member).fit(X, y)  # says which column it is
        raise
