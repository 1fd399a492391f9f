"""StackingClassifier and StackingRegressor: one more model learns from what the others say of unseen folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import StackingClassifier as TheirClassifier
from sklearn.ensemble import StackingRegressor as TheirRegressor
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import Bunch

from suffice.compose.ensembles.members_model import MembersModel
from suffice.compose.held import Held
from suffice.compose.member_saving import MemberSaving
from suffice.linear import LogisticRegression, RidgeCV


def _model_of(stack: Any, classes: tuple[Any, ...]) -> MembersModel:
    helds = (*map(Held, stack.estimators_), Held(stack.final_estimator_))
    weights = np.ones(len(helds))
    weights[-1] = 0.0 if stack.passthrough else 1.0
    return MembersModel(stack._owner, helds, "stacked", weights, classes)


def _take_on(stack: Any, model: MembersModel) -> None:
    *stack.estimators_, stack.final_estimator_ = [held.value for held in model.helds]
    kept = [name for name, one in stack.estimators if not (isinstance(one, str) and one == "drop")]
    stack.named_estimators_ = Bunch(**dict(zip(kept, stack.estimators_, strict=True)))
    methods = ("predict",) if not model.classes else ("predict_proba", "decision_function", "predict")
    stack.stack_method_ = [next(m for m in methods if hasattr(one, m)) for one in stack.estimators_]
    stack._n_feature_outs = []


class StackingClassifier(MemberSaving, TheirClassifier):  # type: ignore[misc]
    """scikit-learn's stacking on fold predictions, with our logistic regression as the last model.

    Parameters
    ----------
    estimators, final_estimator, cv, stack_method, n_jobs, passthrough, verbose : as in scikit-learn

    Examples
    --------
    >>> from suffice import DecisionTreeClassifier, GaussianNB, StackingClassifier
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier())]
    >>> X, y = [[i] for i in range(20)], ["a"] * 10 + ["b"] * 10
    >>> StackingClassifier(members, cv=2).fit(X, y).predict([[0], [19]]).tolist()
    ['a', 'b']

    References
    ----------
    D. Wolpert, Stacked generalization (1992).
    """

    def _validate_final_estimator(self) -> None:
        self._clone_final_estimator(default=LogisticRegression())

    def _model(self) -> MembersModel:
        return _model_of(self, tuple(self.classes_.tolist()))

    def _take_on(self, model: MembersModel) -> None:
        _take_on(self, model)
        self._label_encoder = LabelEncoder().fit(self.classes_)


class StackingRegressor(MemberSaving, TheirRegressor):  # type: ignore[misc]
    """scikit-learn's stacking on fold predictions, with our ridge regression as the last model.

    Parameters
    ----------
    estimators, final_estimator, cv, n_jobs, passthrough, verbose : as in scikit-learn

    Examples
    --------
    >>> from suffice import LinearRegression, DecisionTreeRegressor, StackingRegressor
    >>> members = [("line", LinearRegression()), ("tree", DecisionTreeRegressor())]
    >>> X, y = [[float(i)] for i in range(20)], [2.0 * i for i in range(20)]
    >>> round(float(StackingRegressor(members, cv=4).fit(X, y).predict([[3.0]])[0]), 1)
    6.0
    """

    def _validate_final_estimator(self) -> None:
        self._clone_final_estimator(default=RidgeCV())

    def _model(self) -> MembersModel:
        return _model_of(self, ())

    def _take_on(self, model: MembersModel) -> None:
        _take_on(self, model)
