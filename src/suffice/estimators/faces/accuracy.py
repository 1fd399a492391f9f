"""Accuracy: the share of rows whose label is answered, for labels of any type. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_weights
from suffice.sources.tables.labels import code_labels


def accuracy(owner: str, answers: Any, y: Any, sample_weight: Any = None) -> float:
    """The share, by weight, of rows whose label is the one answered; of several labels a row all must be right.

    Parameters
    ----------
    owner : whose answers they are, for messages
    answers : labels (n,), or several a row (n, t)
    y : the true ones
    sample_weight : one weight a row

    >>> accuracy("model", np.array([True, False, True]), np.array([True, True, True], dtype=object))
    0.6666666666666666
    """
    right = _right(owner, np.asarray(_filled(answers)), _filled(y))
    refuse_no_rows(owner, len(right))
    weights = read_weights(owner, sample_weight, len(right))
    return float(np.average(right, weights=weights))


def refuse_no_rows(owner: str, n: int) -> None:
    """Refuse a mean over no rows."""
    if not n:
        raise bad(owner, "y", "of at least one row, to be scored", Said("none"), "Give it rows.")


def _filled(labels: Any) -> Any:
    """Labels as they are, or filled in where they came as a sparse matrix."""
    return labels.toarray() if hasattr(labels, "toarray") else labels


def _right(owner: str, answers: Array, y: Any) -> Array:
    """Whether each row is answered rightly (n,)."""
    shape = np.shape(y)
    if answers.ndim == 2:
        if shape != answers.shape:
            rule = f"labels of shape {answers.shape}, as they are answered"
            raise bad(owner, "y", rule, Said(f"shape {shape}"), "Give as many labels a row as in training.")
        true = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)  # lists may mix words and numbers
        return np.asarray(np.logical_and.reduce(true == answers, axis=1), dtype=bool)
    if len(shape) == 2 and shape[1] == 1:
        y = np.ravel(y)
    coded = code_labels(y)
    codes, labels = coded.codes[:, 0], coded.labels[0]
    if len(codes) != len(answers):
        rule = f"one label for each of {len(answers)} rows (Found input variables with inconsistent numbers of samples)"
        raise bad(owner, "y", rule, Said(f"{len(codes)} labels"), "Give X and y of the same rows.")
    place = {label: code for code, label in enumerate(labels)}
    told, where = _distinct(answers)
    found = np.array([place.get(label, -1) for label in told], dtype=np.intp)
    return np.asarray(found[where] == codes)


def _distinct(answers: Array) -> tuple[Sequence[Any], Array]:
    """The labels that are answered, and which of them each row gets; None, for a refusal, is one too."""
    if answers.dtype != object:
        coded = code_labels(answers)
        return coded.labels[0], coded.codes[:, 0]
    places: dict[Any, int] = {}
    where = np.array([places.setdefault(label, len(places)) for label in answers.tolist()], dtype=np.intp)
    return list(places), where
