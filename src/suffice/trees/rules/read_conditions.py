"""A table and its labels as searches for rules want them: class weights of rows, and conditions on single cells."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.sources.engines.memory import MemorySource
from suffice.trees.growth.growth_options import read_classes
from suffice.trees.growth.table_trees import look, refuse_infinite
from suffice.trees.rules.covering import Candidates
from suffice.trees.tree_models import CellCoding


class ReadConditions(NamedTuple):
    """What a search starts from."""

    coding: CellCoding
    classes: tuple[Any, ...]
    W: Array  # (n, K) weight of each row in its class
    candidates: Candidates


def read_conditions(owner: str, plan: Any, source: MemorySource, thresholds: int) -> ReadConditions:
    """Of the rows that weigh something.

    Parameters
    ----------
    owner, plan : who asks, and how its table is read
    source : rows with labels
    thresholds : most that are tried of a column of numbers
    """
    _, table, _ = look(plan, source, None)
    block = source.block(slice(0, source.table.n))
    X = table.coding.rows(block.parts)
    refuse_infinite(owner, X)
    codes, classes, w = read_classes(owner, block.y, block.w)  # type: ignore[arg-type]
    live = w > 0
    W = np.zeros((int(live.sum()), len(classes)))
    W[np.arange(len(W)), codes[live]] = w[live]
    return ReadConditions(table.coding, classes, W, Candidates.of(X[live], table.bins, thresholds))
