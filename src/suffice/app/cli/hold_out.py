"""The hold-out of a training: a fold, found by the number of a row or by its rank within its class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.errors import Said, bad
from suffice.evaluation.selection.hold_out import StratifiedHoldOut, held_numbers
from suffice.sources.files.chunk import Chunk

LEARNED, HELD = 0, 1
NUMBERS = 30  # different numbers from which a target is a quantity, not a class
CLASSES = 1_000  # classes from which a target names rows instead of dividing them
MANY = 0.5  # different labels a row from which a column may only name the rows
FEW = 20  # rows below which that says nothing


class HoldOutFold:
    """Fold 1 is held out, fold 0 learned from; rows come block after block, in their order."""

    K = 2

    def __init__(self, share: float, seed: int, stratified: bool = False) -> None:
        """No row was met yet."""
        self.share, self.seed = share, seed
        self.classes = StratifiedHoldOut(share, seed) if stratified else None

    def __call__(self, block: Block) -> Array:
        """Whether each row is held out (n,), as 0 or 1."""
        if self.classes is not None and isinstance(block.y, Coded):
            return self.classes.held(block.y).astype(np.int64)
        return held_numbers(block.numbers, self.share, self.seed).astype(np.int64)

    def check(self, rows: Array) -> None:
        """Whatever came."""


class WatchedFold:
    """The same folds, remembering which rows are held out."""

    K = 2

    def __init__(self, fold: HoldOutFold) -> None:
        """No row was met yet."""
        self._fold = fold
        self._held: list[Array] = []

    @property
    def held(self) -> Array:
        """Numbers of the rows that are held out."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *self._held])

    def __call__(self, block: Block) -> Array:
        """Whether each row is held out (n,), as 0 or 1."""
        folds = self._fold(block)
        self._held.append(block.numbers[folds == HELD])
        return folds

    def check(self, rows: Array) -> None:
        """Whatever came."""


def refuse_names(target: Any, classes: int, rows: int) -> None:
    """Labels that differ in most rows name them."""
    if rows >= FEW and classes > MANY * rows:
        raise bad(
            "train",
            f"the target {target!r}",
            "a column of classes",
            Said(f"{classes:,} different labels in {rows:,} rows"),
            "Choose a column that divides the rows into classes.",
        )


def classes_alone(target: Any, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """The same chunks; fails as soon as their labels are no classes."""
    met: set[Any] = set()
    for chunk in chunks:
        met.update(chunk.y.labels[0] if chunk.y is not None else ())
        _refuse_no_classes(target, met)
        yield chunk


def _refuse_no_classes(target: Any, labels: set[Any]) -> None:
    """Labels that are quantities, or the names of rows, are no classes."""
    numbers = sum(isinstance(label, (int, float)) and not isinstance(label, bool) for label in labels)
    if numbers > NUMBERS:
        raise bad(
            "train",
            f"the target {target!r}",
            "a column of classes",
            Said(f"more than {NUMBERS} different numbers"),
            f"Regression is coming; if each number is a class, say --kinds {target}=categorical.",
        )
    if len(labels) > CLASSES:
        raise bad(
            "train",
            f"the target {target!r}",
            f"a column of at most {CLASSES:,} classes",
            Said("more different labels"),
            "Choose a column that divides the rows into classes.",
        )
