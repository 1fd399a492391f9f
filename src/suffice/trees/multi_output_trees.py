"""Trees with several class labels a row: class weights of each output side by side. They predict on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.estimators.faces.multi_output import likeliest_by_output, no_prior, output_edges
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_models import CellCoding, rows_of, shares_of


class OutputClasses(FromProba):
    """What trees and forests of several outputs share: where the classes of each lie, and answers from `proba`."""

    nodes: TreeNodes
    classes: tuple[tuple[Any, ...], ...]
    pseudo: Array
    coding: CellCoding | None

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        check_outputs(self.classes, self.nodes, self.pseudo)

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """Where the classes of each output begin, and where the last end (q + 1,)."""
        return output_edges(self.classes)

    def rows(self, block: Block) -> Array:
        """The cells as numbers."""
        return rows_of(self.coding, block)

    def likeliest(self: Any, block: Block) -> Array:
        """The most probable class of each output (n, q), the first of equals."""
        return likeliest_by_output(self.proba(block), self.edges)


@saved
@dataclass(frozen=True)
class MultiOutputTree(OutputClasses):
    """Class weights of every output at every node (M, S); probabilities are shares within each output."""

    nodes: TreeNodes
    classes: tuple[tuple[Any, ...], ...]  # of each output
    pseudo: Array  # (S,)
    coding: CellCoding | None = None

    @cached_property
    def shares(self) -> Array:
        """Class shares of every node (M, S), with pseudo-counts."""
        return shares_by_output(self.nodes.value, self.pseudo, self.edges)

    @property
    def prior(self) -> NoReturn:
        """There is none: outputs do not exclude one another."""
        raise no_prior("DecisionTreeClassifier")

    def proba(self, block: Block) -> Array:
        """p(class | x) of each output (n, S)."""
        return self.nodes.mean_value(self.rows(block), self.shares)


def check_outputs(classes: Any, nodes: TreeNodes, pseudo: Array) -> None:
    """Refuse a file whose classes are not those of its nodes."""
    if not isinstance(classes, tuple) or not classes or not all(isinstance(one, tuple) and one for one in classes):
        raise BadFile("its classes are not those of several outputs")
    S = output_edges(classes)[-1]
    if np.shape(nodes.value)[1:] != (S,) or np.shape(pseudo) != (S,):
        raise BadFile("its classes are not those of its nodes")


def shares_by_output(weights: Array, pseudo: Array, edges: tuple[int, ...]) -> Array:
    """Class shares (.., S) within each output."""
    parts = [shares_of(weights[..., a:b], pseudo[a:b]) for a, b in pairwise(edges)]
    return np.concatenate(parts, axis=-1)
