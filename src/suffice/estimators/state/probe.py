"""Trying a model out once it is read: pieces that are each well-formed may not belong together. No scikit-learn."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from suffice.core.errors import SufficeError
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column

_CELLS: dict[Kind, Any] = {Kind.BOOLEAN: True, Kind.CATEGORICAL: "word", Kind.TEXT: "some words", Kind.ORDINAL: "word"}
_VERBS = ("predict_proba", "predict", "transform", "score_samples")


def try_out(model: Any) -> None:
    """Ask a model about a row of ordinary cells and one of missing ones; raises, in any way, where it cannot answer.

    What a model refuses in a sentence of ours, such as a missing cell, it has understood.
    """
    for rows in _tables(model):
        for verb in _VERBS:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                ask = getattr(model, verb, None)
                try:
                    if ask is not None:
                        _one_answer(ask(rows))
                except (SufficeError, MemoryError) as refused:
                    if isinstance(refused, MemoryError):
                        raise ValueError("it takes more memory than there is") from None


def _one_answer(found: Any) -> None:
    """Refuse pieces that make several answers of one row; several outputs answer in a list of arrays."""
    if isinstance(found, list) and all(isinstance(one, np.ndarray) for one in found):
        for one in found:
            _one_answer(one)
        return
    shape = np.shape(found) if not hasattr(found, "shape") else found.shape
    if len(shape) and shape[0] != 1:
        raise ValueError(f"it answers {shape[0]} times to one row")


def _tables(model: Any) -> list[Any]:
    fitted = model._state()[0]
    columns = fitted.schema.columns
    numbers = {column.kind.storage for column in columns} <= {Storage.NUMBERS}
    if model._origin.library in (None, "scipy") or numbers or hasattr(fitted.plan, "names"):
        width = model._origin.width
        if not 0 < width <= 10_000_000:
            raise ValueError(f"it has {width} columns")
        return [np.zeros((1, width)), np.ones((1, width))]
    there = {column.name: [_cell(column)] for column in columns}
    return [there, {name: [None] for name in there}]


def _cell(column: Column) -> Any:
    return column.order[0] if column.order else _CELLS.get(column.kind, 1.0)
