"""What the trees of a forest say of rows that they were not grown from, and how good that is."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.compose.ensembles.forest_growing import RowDraws
from suffice.compose.ensembles.forest_models import ClassForest, MultiOutputForest, OutOfBagAnswers
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.trees.nodes import TreeNodes


def class_answers(
    owner: str, model: ClassForest | MultiOutputForest, X: Array, codes: Array, draws: RowDraws, score: Any
) -> OutOfBagAnswers:
    """Class shares, and the share of rows that they answer rightly, or what a function makes of them.

    Parameters
    ----------
    codes : class numbers (n, q)
    score : True, or a function of true and answered class numbers
    """
    answers = out_of_bag_mean(model.nodes, X, model.node_shares, draws)
    known = ~np.isnan(answers[:, 0])
    warn_of_few(owner, known)
    if isinstance(model, MultiOutputForest):
        answers = np.stack([answers[:, a:b] for a, b in pairwise(model.edges)], axis=2)
    said, true = answers[known].argmax(axis=1), codes[known] if answers.ndim == 3 else codes[known, 0]
    if not known.any():
        return OutOfBagAnswers(answers, float("nan"))
    if callable(score):
        return OutOfBagAnswers(answers, float(score(true, said)))
    right = said == true
    return OutOfBagAnswers(answers, float((right.all(axis=1) if right.ndim == 2 else right).mean()))


def refuse_many_classes(owner: str, classes: tuple[tuple[Any, ...], ...]) -> None:
    """Out-of-bag answers of several outputs are an array (n, K, q): of two classes each, as in scikit-learn."""
    if any(len(labels) != 2 for labels in classes):
        told = "The type of target cannot be used to compute OOB estimates. Got multiclass-multioutput"
        rule = f"False where outputs have more than two classes ({told})"
        raise bad(owner, "oob_score", rule, Said("True"), "Fit one forest an output, or score rows held out.")


def number_answers(owner: str, nodes: TreeNodes, X: Array, y: Array, draws: RowDraws, score: Any) -> OutOfBagAnswers:
    """Numbers, and their R^2 averaged over targets, or what a function of true and answered numbers makes of them."""
    answers = out_of_bag_mean(nodes, X, nodes.value, draws)
    known = ~np.isnan(answers[:, 0])
    warn_of_few(owner, known)
    if not known.any():
        return OutOfBagAnswers(answers, float("nan"))
    if callable(score):
        flat = y.shape[1] == 1
        true, said = (y[known, 0], answers[known, 0]) if flat else (y[known], answers[known])
        return OutOfBagAnswers(answers, float(score(true, said)))
    spread = ((y[known] - y[known].mean(axis=0)) ** 2).sum(axis=0)
    off = ((y[known] - answers[known]) ** 2).sum(axis=0)
    return OutOfBagAnswers(answers, float(np.mean(1.0 - off / np.maximum(spread, 1e-300))))


def out_of_bag_mean(nodes: TreeNodes, X: Array, value: Array, draws: RowDraws) -> Array:
    """The mean answer (n, V) of the trees that a row was not drawn for; NaN where there is none."""
    total, met = np.zeros((len(X), value.shape[1])), np.zeros(len(X))
    for t in range(len(nodes.roots)):
        counts = draws.counts(t)
        left = np.flatnonzero(counts == 0) if counts is not None else np.zeros(0, np.int64)
        if len(left):
            total[left] += nodes.mean_value(X[left], value, t)
            met[left] += 1
    with np.errstate(invalid="ignore"):
        return np.asarray(total / met[:, None])


def warn_of_few(owner: str, known: Array) -> None:
    """Say where rows have no tree that has not seen them."""
    if not known.all():
        words = "Some inputs do not have OOB scores. This probably means too few trees were used."
        warnings.warn(f"{owner}: {words}", UserWarning, stacklevel=7)
