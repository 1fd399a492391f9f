"""Rows that nobody is near to: which class they get, or which label that is no class, or that they are refused."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadType, Said, bad, refusal


class Lone(NamedTuple):
    """What rows without neighbours are."""

    place: int | None  # a class; None: they are refused, or get the label
    label: Any  # one that is no class


def read_lone(
    owner: str, given: Any, codes: list[Array], w: Array | None, classes: list[tuple[Any, ...]]
) -> list[Lone]:
    """Of each output, from one label for all, one for each, "most_frequent", or None."""
    if given is None:
        return [Lone(None, None)] * len(classes)
    if np.isscalar(given):
        each = [given] * len(classes)
    else:
        each = list(given)
        if len(each) != len(classes):
            rule = f"one label, or a list of {len(classes)}, one for each column of y"
            rule += " (The length of outlier_label is inconsistent with the output length)"
            raise bad(owner, "outlier_label", rule, Said(f"{len(each)} labels"), "Give one for each output.")
    return [_lone(owner, *one, w) for one in zip(each, codes, classes, strict=True)]


def _lone(owner: str, label: Any, codes: Array, classes: tuple[Any, ...], w: Array | None) -> Lone:
    if isinstance(label, str) and label == "most_frequent":
        return Lone(int(np.bincount(codes, w).argmax()), None)
    if not np.isscalar(label):
        rule = "one label a column of y (outlier_label should be a scalar)"
        raise refusal(BadType, owner, "outlier_label", rule, label, "Give one like y.")
    label = label.item() if isinstance(label, np.generic) else label
    if type(label) is not type(classes[0]) and not _numbers(label, classes[0]):
        rule = f"of the type of the labels ({type(classes[0]).__name__}; dtype of outlier_label is inconsistent)"
        raise refusal(BadType, owner, "outlier_label", rule, label, "Give one like y.")
    return Lone(classes.index(label), None) if label in classes else Lone(None, label)


def _numbers(a: Any, b: Any) -> bool:
    """Whether two labels are both numbers."""
    return all(np.issubdtype(np.asarray(x).dtype, np.number) for x in (a, b))


def refuse_lone(owner: str, alone: Array) -> None:
    """Refuse rows without neighbours, by their numbers, where there are some."""
    if len(alone):
        rule = f"near some row of training (No neighbors found for test samples {alone[:5].tolist()}, "
        rule += "you can try using larger radius, giving a label for outliers, or considering removing them from "
        rule += "your dataset.)"
        raise bad(owner, "X", rule, Said(f"row {alone[0]}, which is not"), "Give outlier_label.")


def warn_of_lone(owner: str, labels: Iterable[Any]) -> None:
    """Tell of rows without neighbours whose labels are no classes."""
    for label in dict.fromkeys(labels):
        words = f"Outlier label {label} is not in training classes. All class probabilities of outliers"
        warnings.warn(f"{owner}: {words} will be assigned with 0.", UserWarning, stacklevel=4)
