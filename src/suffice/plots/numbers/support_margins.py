"""Margins of a support vector classifier: which rows support it, and which are inside the margin or beyond it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.scores.classifier_answers import class_names
from suffice.evaluation.scores.scored_rows import is_label

OWNER = "Margins"
SLACK = 1e-2  # support vectors on the margin are there to within the solver's tolerance


class Margins(NamedTuple):
    """The signed distance of each row from the frontier, in margins: y f(x), above 1 outside of the margin.

    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1]
    >>> found = margins(SVC(kernel="linear", C=1e3).fit(X, y), X, y)
    >>> found.margin.round(2).tolist(), found.support.tolist(), found.inside
    ([1.67, 1.0, 1.0, 1.67], [1, 2], 0)
    """

    margin: Array  # (n,)
    support: Array  # numbers of the rows that are support vectors

    @property
    def inside(self) -> int:
        """Number of rows inside the margin or on the wrong side of it."""
        return int((self.margin < 1.0 - SLACK).sum())

    @property
    def wrong(self) -> int:
        """Number of rows on the wrong side of the frontier."""
        return int((self.margin <= 0.0).sum())


def margins(model: Any, X: Any, y: Any, owner: object = OWNER) -> Margins:
    """Of the rows a two-class support vector classifier was fitted on.

    Parameters
    ----------
    model : fitted, with `decision_function` and `support_`, ours or scikit-learn's
    X, y : the rows it was fitted on
    owner : who asks, for the messages
    """
    classes = class_names(owner, model, "decision_function")
    if len(classes) != 2:
        raise bad(owner, "classes", "two", Said(str(len(classes))), "Choose the rows of two classes.")
    if not hasattr(model, "support_"):
        rule = "a support vector classifier, with support_"
        raise bad(owner, "estimator", rule, Said(type(model).__name__), "Use SVC.")
    first, second = is_label(y, classes[0]), is_label(y, classes[1])
    said = np.asarray(model.decision_function(X), dtype=np.float64)
    if len(second) != len(said) or not (first | second).all():
        rule = f"one of {classes[0]!r} and {classes[1]!r} for each of {len(said)} rows"
        raise bad(owner, "y", rule, y, "Give the rows that the model was fitted on.")
    margin = np.where(second, 1.0, -1.0) * said
    return Margins(margin, np.asarray(model.support_))
