"""Predictions as they come: probabilities, classes and answers, read once and checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.posterior import Posterior
from suffice.sources.tables.symbols import code_array, code_cells

HALF = 0.5  # of the sum over all classes: with two classes, the familiar (p - y)^2


class Answers(NamedTuple):
    """One answer a row."""

    codes: Array  # (n,) -1 where refused
    labels: tuple[Any, ...]


def read_answers(owner: object, predicted: Any, refusal: Any, n: int) -> Answers:
    """Answered labels; refused are missing ones (None, NaN) and those equal to `refusal`."""
    if isinstance(predicted, list | tuple):
        shape: tuple[int, ...] = (len(predicted),)
    else:
        predicted = np.asarray(predicted)
        shape = predicted.shape
    if shape != (n,):
        rule = f"one label for each of the {n} rows of y_true"
        raise bad(owner, "predicted", rule, f"shape {shape}", "Put None where an answer was refused.")
    code = code_array if isinstance(predicted, np.ndarray) else code_cells
    codes, labels = code(("predicted", "an answer"), predicted)
    if refusal is not None and refusal in labels:
        codes = np.where(codes == labels.index(refusal), -1, codes)
    return Answers(codes, tuple(labels))


def read_proba(owner: object, proba: Any, classes: Any, n: int) -> tuple[Array, tuple[Any, ...]]:
    """Probabilities (n, K), none negative, each row summing to 1 as far as its type can; and the K classes."""
    labels = _read_classes(owner, classes)
    given = np.asarray(proba.proba if isinstance(proba, Posterior) else proba)
    if given.dtype.kind not in "biuf" or given.shape != (n, len(labels)):
        rule = f"numbers of shape ({n}, {len(labels)}), a row for each label of y_true and a column for each class"
        raise bad(owner, "proba", rule, f"{given.dtype} of shape {given.shape}")
    p = given.astype(np.float64)
    slack = np.sqrt(np.finfo(given.dtype if given.dtype.kind == "f" else np.float64).eps)
    wrong = ~((p >= 0.0).all(axis=1) & (np.abs(p.sum(axis=1) - 1.0) <= slack))
    if wrong.any():
        row = int(wrong.argmax())
        rule = "probabilities of at least 0 that sum to 1 in every row"
        raise bad(owner, "proba", rule, p[row].tolist(), f"Correct row {row}.")
    return p, labels


def _read_classes(owner: object, classes: Any) -> tuple[Any, ...]:
    """Distinct labels, as plain Python values."""
    rule = "the labels of the columns of proba, each once"
    try:
        labels = tuple(classes.tolist() if hasattr(classes, "tolist") else classes)
        distinct = len(set(labels))
    except TypeError:
        raise bad(owner, "classes", rule, classes) from None
    if distinct < len(labels) or not labels or isinstance(classes, str):
        raise bad(owner, "classes", rule, classes)
    return labels


def losses(p: Array, place: Array) -> Array:
    """Log loss and Brier score of each row (n, 2), where the true class is at `place` (n,), -1 if it has none.

        -log p(true),   1/2 sum_c (p(c) - [c is true])^2

    The log loss of a true class of probability 0 is infinite: a missing cell (NaN) stands for it, as it has no moments.
    """
    row, known = np.arange(len(p)), place >= 0
    true = np.where(known, p[row, place], 0.0)
    others = p.copy()
    others[row[known], place[known]] = 0.0
    with np.errstate(divide="ignore"):
        log_loss = -np.log(np.minimum(true, 1.0)) + 0.0  # without negative zeros
    brier = HALF * (np.einsum("ij,ij->i", others, others) + (1.0 - true) ** 2)
    return np.column_stack([np.where(true > 0.0, log_loss, np.nan), brier])
