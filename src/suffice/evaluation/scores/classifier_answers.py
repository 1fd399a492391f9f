"""What a fitted classifier answers for rows: probabilities, classes, refusals, classes drawn by their probability."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from suffice.compose.decide import Decide
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.decision import REFUSE, Decision
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import label_tuple, uniform


def class_names(owner: object, estimator: Any, method: str = "predict_proba") -> tuple[Any, ...]:
    """The classes of a fitted classifier that has a method."""
    if not hasattr(estimator, "classes_"):
        rule = "a classifier that has been fitted"
        raise bad(owner, "estimator", rule, Said(type(estimator).__name__), "Fit it first.")
    if not hasattr(estimator, method):
        rule = f"a classifier with {method}"
        raise bad(owner, "estimator", rule, Said(type(estimator).__name__), "Choose another, or calibrate it.")
    return label_tuple(estimator.classes_)


def place_of(owner: object, label: Any, classes: tuple[Any, ...], name: str = "pos_label") -> int:
    """The number of a class; of two, the second where none is named."""
    if label is None:
        if len(classes) != 2:
            rule = f"one of the classes {list(classes)}, where there are not two"
            raise bad(owner, name, rule, Said("none"), "Say which class to look at.")
        return 1
    if label not in classes:
        raise bad(owner, name, f"one of the classes {list(classes)}", label, "There is no such class.")
    return classes.index(label)


def answers(
    owner: object,
    estimator: Any,
    X: Any,
    *,
    prior: Any = None,
    costs: Any = None,
    reject: Any = None,
    at_least: Any = None,
) -> Array:
    """The number of the class that is answered for each row (n,), -1 where an answer is refused.

    Parameters
    ----------
    owner : who asks, for the messages
    estimator : a fitted classifier; what it predicts is the answer, unless a decision is asked for
    X : rows
    prior, costs, reject, at_least : how to decide, as in `Decide`; all None is what the classifier itself predicts

    >>> from suffice import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    >>> answers("me", model, [[0.0], [2.5], [5.0]], at_least=0.9)
    array([ 0, -1,  1])
    """
    wishes = {"prior": prior, "costs": costs, "reject": reject, "at_least": at_least}
    if all(wish is None for wish in wishes.values()):
        classes = class_names(owner, estimator, "predict")
        place = {label: k for k, label in enumerate(classes)}
        return np.array([place.get(label, REFUSE) for label in label_tuple(estimator.predict(X))], dtype=np.intp)
    classes = class_names(owner, estimator)
    decision = Decision.read(owner, classes, **wishes)
    if decision.prior is not None:
        return decision.decide(Decide(estimator).posterior(X))
    return decision.decide(Posterior(np.asarray(estimator.predict_proba(X)), uniform(len(classes))))


def drawn_answers(owner: object, estimator: Any, X: Any, random_state: Any = None) -> Array:
    """The number of a class drawn for each row by its probability (n,): how sure a classifier is shows as noise."""
    class_names(owner, estimator)
    reached = np.cumsum(np.asarray(estimator.predict_proba(X), dtype=np.float64), axis=1)
    draw = check_random_state(random_state).uniform(size=len(reached)) * reached[:, -1]
    return np.asarray((draw[:, None] >= reached[:, :-1]).sum(axis=1))
