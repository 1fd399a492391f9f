"""The model of a chain: rows go through the models of the steps, and the last answers. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.state.fitted import FittedModel

ANSWERS = frozenset(
    {
        "assign",
        "closeness",
        "likeliest",
        "log_density",
        "log_evidence",
        "log_joint",
        "log_posterior",
        "predict",
        "proba",
        "scores",
        "sides",
    }
)  # what models answer of a block


@saved
@dataclass(frozen=True)
class ChainModel:
    """Fitted steps and a fitted last, each a value of its own."""

    steps: tuple[FittedModel, ...]
    last: FittedModel

    def rows(self, block: Block) -> Array:
        """The rows of a block as the last meets them (n, d)."""
        return mapped(self.steps, block)

    def block(self, block: Block) -> Block:
        """The same rows, read as the last reads them."""
        return read_by(self.last, self.rows(block), block)

    def map(self, block: Block) -> Block:
        """Rows mapped by all steps and by the last, which is a transformer."""
        found: Block = self.last.model.map(self.block(block))
        return found

    def inverse(self, Z: Array) -> Array:
        """Back through the last and all steps."""
        for fitted in (self.last, *self.steps[::-1]):
            Z = fitted.model.inverse(Z)
        return Z

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns that the last gives."""
        for fitted in (*self.steps, self.last):
            names = fitted.model.names_out(names)
        return names

    def __getattr__(self, name: str) -> Any:
        """What the model of the last tells; of rows, once they were mapped."""
        if name.startswith("_"):  # what copying and pickling look for
            raise AttributeError(name)
        told = getattr(self.last.model, name)
        return (lambda block: told(self.block(block))) if name in ANSWERS else told


def mapped(steps: Sequence[FittedModel], block: Block) -> Array:
    """The rows of a block after some steps."""
    for i, step in enumerate(steps):
        block = step.model.map(block if i == 0 else read_by(step, block.parts[0], block))
    return np.asarray(block.parts[0])


def read_by(fitted: FittedModel, rows: Array, block: Block) -> Block:
    """Mapped rows as a plan reads them, with the targets, weights and numbers of the block they came from."""
    table = fitted.plan.open(rows)
    return block._replace(parts=table.parts(fitted.schema, slice(0, len(rows))))
