"""Cells that sums cannot hold: refused by their place in a block, then named as users know them."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Uncounted
from suffice.core.errors import BadCell, Said, refusal
from suffice.core.kinds import Storage
from suffice.core.schema import Schema


def bad_cell(X: Array, odd: Array, rule: str, remedy: str, missing: bool = False) -> BadCell:
    """The error of the first cell that is odd (n, d) among those that are summarized."""
    row, column = np.argwhere(odd)[0]
    cell = "a missing cell" if missing else X[row, column]
    error = refusal(BadCell, "X", f"column {column}", rule, Said(f"{cell} in row {row} of its block"), remedy)
    error.cell, error.shown = float(X[row, column]), str(cell)
    return error


def in_the_table(error: BadCell, block: Block, schema: Schema) -> BadCell:
    """The same error, by the name of the column and the number of the row where the block shows such a cell.

    What is made of cells, such as a product of two, stays as it is.
    """
    numbers = [
        (part, places)
        for (storage, places), part in zip(schema.parts, block.parts, strict=True)
        if storage is Storage.NUMBERS
    ]
    for part, places in numbers:
        if (found := _first(part, error.cell)) is not None:
            return _told(error, f"column {schema.columns[places[found[1]]].name!r}", found[0], block)
    return error


def _first(part: Any, cell: float) -> tuple[int, int] | None:
    """The row and the column of the first such cell."""
    if hasattr(part, "tocoo"):
        stored = part.tocoo()
        at = np.flatnonzero(_alike(stored.data, cell))
        return (int(stored.row[at[0]]), int(stored.col[at[0]])) if len(at) else None
    where = np.argwhere(_alike(part, cell))
    return (int(where[0, 0]), int(where[0, 1])) if len(where) else None


def _alike(cells: Array, cell: float) -> Array:
    return np.asarray(np.isnan(cells) if np.isnan(cell) else cells == cell)


def _told(error: BadCell, name: str, row: int, block: Block) -> BadCell:
    uncounted = " of its part" if isinstance(block.start, Uncounted) else ""
    return error.say(name=name, got=f"{error.shown} in row {int(block.start) + row}{uncounted}")
