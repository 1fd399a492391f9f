"""Conditions on cells, as trees and rules read them: `age <= 30.5`, `colour is red`. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.trees.nodes import TreeNodes


@saved
@dataclass(frozen=True)
class Condition:
    """What must hold of one cell: it lies in (low, high], or is one of some symbols, or is missing if `missing`."""

    column: int
    low: float = -np.inf
    high: float = np.inf
    symbols: tuple[int, ...] | None = None  # codes; None: a range of numbers
    missing: bool = False

    def holds(self, X: Array) -> Array:
        """For which rows (n,) it holds."""
        cells = X[:, self.column]
        gone = np.isnan(cells)
        if self.symbols is None:
            known = (cells > self.low) & (cells <= self.high)
        else:
            known = np.isin(np.where(gone, -1, cells), np.array(self.symbols, dtype=np.float64))
        return np.asarray(np.where(gone, self.missing, known))

    def text(self, names: Sequence[Any], words: Mapping[int, Sequence[Any]]) -> str:
        """In words."""
        name, also = names[self.column], " or missing" if self.missing else ""
        known = words.get(self.column)
        if self.symbols is not None:
            shown = [str(known[c]) if known else str(c) for c in self.symbols]
            if not shown:
                return f"{name} is missing"
            return f"{name} is {' or '.join(shown)}{also}"
        if known is not None:  # symbols with an order: thresholds lie between their places
            inside = [str(word) for place, word in enumerate(known) if self.low < place <= self.high]
            return f"{name} is {' or '.join(inside)}{also}"
        if np.isinf(self.low) and np.isinf(self.high):
            return f"{name} is {'anything' if self.missing else 'known'}"
        if np.isinf(self.low):
            return f"{name} <= {self.high:.6g}{also}"
        if np.isinf(self.high):
            return f"{name} > {self.low:.6g}{also}"
        return f"{self.low:.6g} < {name} <= {self.high:.6g}{also}"

    def meet(self, other: Condition) -> Condition:
        """Both, where they are of one column."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        symbols = self.symbols if other.symbols is None else other.symbols
        if self.symbols is not None and other.symbols is not None:
            symbols = tuple(c for c in self.symbols if c in other.symbols)
        return Condition(self.column, low, high, symbols, self.missing and other.missing)


def edge_condition(nodes: TreeNodes, node: int, child: int) -> Condition:
    """What sends a row from a node to one of its children."""
    column, missing = int(nodes.column[node]), bool(nodes.met[node]) and int(nodes.missing[node]) in (-1, child)
    start = int(nodes.branch_at[node])
    if start >= 0:
        later = nodes.branch_at[nodes.branch_at > start]
        stop = int(later.min()) if len(later) else len(nodes.branches)
        went = nodes.branches[start:stop]
        return Condition(column, symbols=tuple(np.flatnonzero(went == child).tolist()), missing=missing)
    if child == 2:
        return Condition(column, symbols=(), missing=True)
    threshold = float(nodes.threshold[node])
    if child == 0:
        return Condition(column, high=threshold, missing=missing)
    if np.isinf(threshold):
        return Condition(column, symbols=(), missing=True)
    return Condition(column, low=threshold, missing=missing)


def path_conditions(nodes: TreeNodes, path: Sequence[int]) -> list[Condition]:
    """What holds along a path, one condition a step."""
    found = []
    for node, kid in pairwise(path):
        child = int(np.flatnonzero(nodes.kids(node) == kid)[0])
        found.append(edge_condition(nodes, node, child))
    return found


def merged(conditions: Sequence[Condition]) -> list[Condition]:
    """One condition a column, in the order in which columns are first asked about."""
    by_column: dict[int, Condition] = {}
    for one in conditions:
        by_column[one.column] = by_column[one.column].meet(one) if one.column in by_column else one
    return list(by_column.values())
