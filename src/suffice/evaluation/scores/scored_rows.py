"""Scores of one class and whether rows are of it, from an estimator or from predictions: what two-class curves need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from suffice.compose.calibration.responses import RESPONSES, read_response
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.scores.classifier_answers import class_names, place_of
from suffice.sources.tables.labels import code_labels

WISHES: Mapping[str, tuple[str, ...]] = {
    "auto": ("predict_proba", "decision_function"),
    "predict_proba": ("predict_proba",),
    "decision_function": ("decision_function",),
}
PLAIN = ({0, 1}, {-1, 1})  # labels that say by themselves which class is positive


class ScoredRows(NamedTuple):
    """Scores, the higher the more positive, and which rows are positive."""

    scores: Array  # (n,)
    positive: Array  # (n,) bool
    pos_label: Any

    @classmethod
    def asked(
        cls, owner: str, estimator: Any, X: Any, y: Any, response_method: str = "auto", pos_label: Any = None
    ) -> ScoredRows:
        """What a fitted classifier says about rows.

        Parameters
        ----------
        owner : who asks, for the messages
        estimator : a fitted classifier with `predict_proba` or `decision_function`
        X, y : rows and their labels
        response_method : "predict_proba", "decision_function", or "auto" for the first of these that it has
        pos_label : the positive class, against all others; None: the second of two
        """
        if response_method not in WISHES:
            raise bad(owner, "response_method", f"one of {', '.join(WISHES)}", response_method)
        classes = class_names(owner, estimator, "predict")
        k = place_of(owner, pos_label, classes)
        said = RESPONSES[read_response(owner, estimator, WISHES[response_method])].ask(estimator, X)
        if said.shape[1] != len(classes):
            got = Said(f"{said.shape[1]} columns for {len(classes)} classes")
            raise bad(owner, "decision values", "one for each class", got, "Let the estimator compare with the rest.")
        return cls(said[:, k], is_label(y, classes[k]), classes[k])

    @classmethod
    def told(cls, owner: str, y_true: Any, y_score: Any, pos_label: Any = None) -> ScoredRows:
        """Scores that are there already.

        Parameters
        ----------
        owner : who asks, for the messages
        y_true : one label a row
        y_score : one score a row
        pos_label : the positive class, against all others; None: 1, where labels are 0 and 1, or -1 and 1
        """
        labels = code_labels(y_true).labels[0]
        if pos_label is None:
            if not any(set(labels) <= plain for plain in PLAIN):
                rule = f"one of the labels {list(labels)}, where they are not 0 and 1"
                raise bad(owner, "pos_label", rule, Said("none"), "Say which class is positive.")
            pos_label = 1
        elif pos_label not in labels:
            raise bad(owner, "pos_label", f"one of the labels {list(labels)}", pos_label, "There is no such class.")
        return cls(np.asarray(y_score), is_label(y_true, pos_label), pos_label)


def is_label(y: Any, label: Any) -> Array:
    """Which rows have a label (n,)."""
    coded = code_labels(y)
    same = np.array([one == label for one in coded.labels[0]], dtype=bool)
    return np.asarray(same[coded.codes[:, 0]])
