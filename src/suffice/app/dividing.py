"""Rows in two parts, learned from in one pass: whether a row is held out is part of its class, as in (False, label)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

import numpy as np

from suffice.app.reading import watched_chunks
from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import BadInput
from suffice.estimators.fitted import FittedModel
from suffice.evaluation.hold_out import held_out
from suffice.evaluation.stratified import StratifiedHoldOut
from suffice.sources.analyzer import Analyzer
from suffice.sources.chunk import Chunk
from suffice.sources.rows import Rows

NUMBERS = 30  # different numbers from which a target is a quantity, not a class
CLASSES = 1_000  # classes from which a target names rows instead of dividing them
MANY = 0.5  # different labels a row from which a column may only name the rows
FEW = 20  # rows below which that says nothing


@dataclass
class DividedRows(Rows):
    """Rows whose labels say whether they are held out."""

    share: float = 0.0
    seed: int = 0
    stratified: bool = False

    @classmethod
    def of(cls, rows: Rows, share: float, seed: int, stratified: bool = False) -> DividedRows:
        """The same rows, divided."""
        same = {field.name: getattr(rows, field.name) for field in fields(Rows)}
        return cls(**same, share=share, seed=seed, stratified=stratified)

    def chunks(self, kinds: Mapping[Any, Any] | None = None, analyzer: Analyzer | None = None) -> Iterator[Chunk]:
        """All rows, with a line of progress; fails as soon as the labels are no classes."""
        met: set[Any] = set()
        plain, held = super().chunks(kinds, analyzer), self.hold_out()
        for chunk in watched_chunks(plain, "learning"):
            assert chunk.y is not None
            met.update(chunk.y.labels[0])
            refuse_no_classes(self.roles.target, met)
            yield chunk._replace(y=divided(chunk.y, held(chunk)))

    def hold_out(self) -> Callable[[Chunk], Array]:
        """What says of each chunk of a pass which rows are held out (n,)."""
        if not self.stratified:
            return lambda chunk: held_out(chunk.start, chunk.table.n, self.share, self.seed)
        classes = StratifiedHoldOut(self.share, self.seed)
        return lambda chunk: classes.held(cast(Coded, chunk.y))

    def tested(self) -> Iterator[tuple[Chunk, Array]]:
        """All rows as they are, and which of them to test with: held out, and with a label."""
        hold_out = self.hold_out()
        for chunk in watched_chunks(super().chunks(), "testing"):
            held = hold_out(chunk)
            yield chunk, np.flatnonzero(held if chunk.keep is None else held & chunk.keep)


def divided(y: Coded, held: Array) -> Coded:
    """Labels (False, label) and (True, label); missing ones stay missing."""
    labels = y.labels[0]
    codes = y.codes + np.int32(len(labels)) * (held[:, None] & (y.codes >= 0))
    return Coded(codes, ((*((False, label) for label in labels), *((True, label) for label in labels)),))


def part(fitted: FittedModel, held: bool) -> FittedModel:
    """What was learned from the rows that were held out, or from the others."""
    mine = tuple(label for label in fitted.summary.labels if label[0] is held)
    rows = fitted.summary.align(mine)
    return replace(fitted, summary=ByClass.of([label for _, label in mine], rows.tally, rows.summary))


def refuse_names(target: Any, fitted: FittedModel) -> None:
    """Labels that differ in most rows name them."""
    classes, rows = len({label for _, label in fitted.summary.labels}), int(fitted.summary.tally.rows.sum())
    if rows >= FEW and classes > MANY * rows:
        raise BadInput(
            f"train: the target {target!r} must be a column of classes, got {classes:,} different labels in {rows:,} "
            "rows. Choose a column that divides the rows into classes."
        )


def refuse_no_classes(target: Any, labels: set[Any]) -> None:
    """Labels that are quantities, or the names of rows, are no classes."""
    numbers = sum(isinstance(label, (int, float)) and not isinstance(label, bool) for label in labels)
    if numbers > NUMBERS:
        raise BadInput(
            f"train: the target {target!r} must be a column of classes, got more than {NUMBERS} different numbers. "
            f"Regression is coming; if each number is a class, say --kinds {target}=categorical."
        )
    if len(labels) > CLASSES:
        raise BadInput(
            f"train: the target {target!r} must be a column of at most {CLASSES:,} classes, got more different labels. "
            "Choose a column that divides the rows into classes."
        )
