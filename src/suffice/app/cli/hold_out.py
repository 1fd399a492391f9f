"""The hold-out of a training: a fold, found by the number of a row or by its rank within its class."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from suffice.app.report.command_words import kind_of
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
        self.share, self.seed, self.by_rank = share, seed, stratified
        self.classes = StratifiedHoldOut(share, seed) if stratified else None
        self._begins: Mapping[int, Mapping[Any, int]] = {}

    def beginning(self, begins: Mapping[int, Mapping[Any, int]]) -> HoldOutFold:
        """The same folds, of rows that are read in partitions: first row of each -> rows of each label before it."""
        fold = HoldOutFold(self.share, self.seed, self.by_rank)
        fold._begins = begins
        return fold

    def __call__(self, block: Block) -> Array:
        """Whether each row is held out (n,), as 0 or 1."""
        if self.classes is not None and block.start in self._begins:
            self.classes.begin(self._begins[block.start])
        return self.of_numbers(block.numbers, block.y if isinstance(block.y, Coded) else None)

    def of_numbers(self, numbers: Array, y: Coded | None) -> Array:
        """The same for rows of these numbers (n,) and labels, the next of their classes."""
        if self.classes is not None and y is not None:
            return self.classes.held(y).astype(np.int64)
        return held_numbers(numbers, self.share, self.seed).astype(np.int64)

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


class CountedFold:
    """The same folds, counting the rows of each and the weights of their classes."""

    K = 2

    def __init__(self, fold: HoldOutFold) -> None:
        """No row was met yet."""
        self._fold = fold
        self._rows = [0, 0]
        self.weights: dict[Any, list[float]] = {}  # label -> rows learned, rows held, weight learned, weight of all

    def __call__(self, block: Block) -> Array:
        """Whether each row is held out (n,), as 0 or 1."""
        folds = self._fold(block)
        if isinstance(block.y, Coded):
            self.count(block.y, block.w, folds)
        else:
            self._rows = [self._rows[k] + int((folds == k).sum()) for k in (LEARNED, HELD)]
        return folds

    def count(self, y: Coded, w: Array | None, folds: Array) -> None:
        """Some more rows."""
        weight = np.ones(len(folds)) if w is None else np.asarray(w)
        live = weight > 0.0
        self._rows = [self._rows[k] + int(((folds == k) & (y.codes[:, 0] >= 0)).sum()) for k in (LEARNED, HELD)]
        for code, label in enumerate(y.labels[0]):
            mine = (y.codes[:, 0] == code) & live
            learned = mine & (folds == LEARNED)
            if mine.any():
                more = (learned.sum(), mine.sum() - learned.sum(), weight[learned].sum(), weight[mine].sum())
                before = self.weights.get(label, [0.0, 0.0, 0.0, 0.0])
                self.weights[label] = [a + float(b) for a, b in zip(before, more, strict=True)]

    def rows(self, fold: int) -> int:
        """How many rows a fold has."""
        return self._rows[fold]

    def usual(self) -> Any:
        """The most frequent class among the rows learned from; None where there are no classes."""
        return max(self.weights, key=lambda label: self.weights[label][2], default=None)

    def classes(self) -> dict[Any, tuple[int, float]]:
        """Rows and weight of each class, in both folds together."""
        return {label: (int(a + b), weight) for label, (a, b, _, weight) in sorted(self.weights.items(), key=_text)}

    def check(self, rows: Array) -> None:
        """Whatever came."""


def _text(item: tuple[Any, Any]) -> str:
    return str(item[0])


def refuse_names(target: Any, labels: Collection[Any], rows: int) -> None:
    """Labels that are quantities are no classes; labels that differ in most rows name them."""
    _refuse_no_classes(target, labels)
    classes = len(labels)
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


def _refuse_no_classes(target: Any, labels: Collection[Any]) -> None:
    """Labels that are quantities, or the names of rows, are no classes."""
    numbers = sum(isinstance(label, (int, float)) and not isinstance(label, bool) for label in labels)
    if numbers > NUMBERS:
        raise bad(
            "train",
            f"the target {target!r}",
            "a column of classes",
            Said(f"more than {NUMBERS} different numbers"),
            f"Train a regressor, such as --model Ridge, or say {kind_of(target, 'categorical')} if each is a class.",
        )
    if len(labels) > CLASSES:
        raise bad(
            "train",
            f"the target {target!r}",
            f"a column of at most {CLASSES:,} classes",
            Said("more different labels"),
            "Choose a column that divides the rows into classes.",
        )
