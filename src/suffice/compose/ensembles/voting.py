"""VotingClassifier and VotingRegressor: different models of the same rows, that vote or are averaged."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import VotingClassifier as TheirClassifier
from sklearn.ensemble import VotingRegressor as TheirRegressor
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import Bunch

from suffice.compose.ensembles.members_model import MembersModel
from suffice.compose.held import Held
from suffice.compose.member_saving import MemberSaving
from suffice.core.block import Array


def _weights(voting: Any) -> Array:
    """The weights of the members that are not dropped (T,)."""
    found = voting._weights_not_none
    return np.ones(len(voting.estimators_)) if found is None else np.asarray(found, dtype=np.float64)


def _named(voting: Any, model: MembersModel) -> None:
    voting.estimators_ = [held.value for held in model.helds]
    kept = [name for name, one in voting.estimators if not (isinstance(one, str) and one == "drop")]
    voting.named_estimators_ = Bunch(**dict(zip(kept, voting.estimators_, strict=True)))


class VotingClassifier(MemberSaving, TheirClassifier):  # type: ignore[misc]
    """scikit-learn's vote of classifiers, by majority or by averaged probabilities, saved where its members are ours.

    Parameters
    ----------
    estimators, voting, weights, n_jobs, flatten_transform, verbose : as in scikit-learn

    Examples
    --------
    >>> from suffice import DecisionTreeClassifier, GaussianNB, VotingClassifier
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier())]
    >>> model = VotingClassifier(members, voting="soft").fit([[0], [1], [2], [3]], list("aabb"))
    >>> model.predict([[0], [3]]).tolist()
    ['a', 'b']
    """

    def _model(self) -> MembersModel:
        way = "votes" if self.voting == "hard" else "mean_shares"
        helds = tuple(map(Held, self.estimators_))
        return MembersModel(self._owner, helds, way, _weights(self), tuple(self.classes_.tolist()))

    def _take_on(self, model: MembersModel) -> None:
        _named(self, model)
        self.le_ = LabelEncoder().fit(self.classes_)

    def _collect_probas(self, X: Any) -> Array:
        """Averaged in double precision, whatever the type of the answers."""
        return np.asarray(super()._collect_probas(X), dtype=np.float64)


class VotingRegressor(MemberSaving, TheirRegressor):  # type: ignore[misc]
    """scikit-learn's average of regressors, saved where its members are ours.

    Parameters
    ----------
    estimators, weights, n_jobs, verbose : as in scikit-learn

    Examples
    --------
    >>> from suffice import DecisionTreeRegressor, LinearRegression, VotingRegressor
    >>> members = [("line", LinearRegression()), ("tree", DecisionTreeRegressor())]
    >>> VotingRegressor(members).fit([[0], [1], [2]], [0.0, 1.0, 2.0]).predict([[1]]).round(6)
    array([1.])
    """

    def _model(self) -> MembersModel:
        return MembersModel(self._owner, tuple(map(Held, self.estimators_)), "mean", _weights(self))

    def _take_on(self, model: MembersModel) -> None:
        _named(self, model)

    def _predict(self, X: Any) -> Array:
        """Averaged in double precision, whatever the type of the answers."""
        return np.asarray(super()._predict(X), dtype=np.float64)
