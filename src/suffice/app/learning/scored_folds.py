"""What a pass tells of a model that has learned some of the rows: scores of the others, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.app.cli.hold_out import HELD, LEARNED
from suffice.core.block import Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.folds import FoldOf
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.evaluation.selection.fold_scores import score_block


@dataclass(frozen=True)
class ScoreAndCount:
    """Scores the rows that are held out, and counts both parts of the rows by class; all of it adds."""

    model: Any
    fold_of: FoldOf

    def summarize(self, block: Block, model: None = None) -> Together:
        """Scores, and what is counted of rows learned and rows held out."""
        folds = self.fold_of(block)
        learned, held = (block.take(np.flatnonzero(folds == k)) for k in (LEARNED, HELD))
        return Together((score_block(self.model, held), counted(learned), counted(held)))


def counted(block: Block) -> Summary:
    """Rows and weights by class, or of all rows where there are no classes; rows without a target do not count."""
    if isinstance(block.y, Coded):
        tally = Tally.of(Shares.hard(block.y.codes[:, 0], len(block.y.labels[0]), block.w))
        return ByClass.of(block.y.labels[0], tally, tally)
    present = np.where(np.isnan(np.asarray(block.y)).any(axis=1), -1, 0).astype(np.int32)
    return Tally.of(Shares.hard(present, 1, block.w))


@dataclass(frozen=True)
class ScoredFolds:
    """The parts of what `ScoreAndCount` kept."""

    scores: Any
    learned: Any  # ByClass, or a Tally
    held: Any

    def rows(self, fold: int) -> int:
        """How many rows a fold has."""
        part = self.held if fold == HELD else self.learned
        return int(getattr(part, "tally", part).rows.sum())

    @property
    def usual(self) -> Any:
        """The most frequent class among the rows learned from; None where there are no classes."""
        if not isinstance(self.learned, ByClass) or not self.learned.labels:
            return None
        return self.learned.labels[int(np.argmax(self.learned.tally.weight.value))]

    @property
    def classes(self) -> dict[Any, tuple[int, float]]:
        """Rows and weight of each class, in both folds together."""
        if not isinstance(self.learned, ByClass):
            return {}
        both = ByClass.sum([self.learned, self.held])
        counts = zip(both.tally.rows.tolist(), both.tally.weight.value.tolist(), strict=True)
        return dict(zip(both.labels, counts, strict=True))
