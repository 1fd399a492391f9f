"""Forests as models: class shares or numbers, averaged over trees. They predict on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from suffice.compose.ensembles.forest_walk import mean_over_trees
from suffice.core.block import Array, Block
from suffice.core.from_proba import FromShares
from suffice.core.registry import saved
from suffice.estimators.faces.multi_output import likeliest_by_output, no_prior
from suffice.trees.multi_output_trees import OutputClasses, shares_by_output
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_models import CellCoding, rows_of, shares_of


@saved
@dataclass(frozen=True)
class OutOfBagAnswers:
    """What trees say of rows that they were not grown from."""

    answers: Array  # (n, K) class shares, (n, K, q) of several outputs, or (n, q) numbers; NaN where there are none
    score: float


@saved
@dataclass(frozen=True)
class ClassForest(FromShares):
    """Trees with class weights at their nodes; their class shares are averaged."""

    nodes: TreeNodes
    classes: tuple[Any, ...]
    pseudo: Array  # (K,)
    shares: Array  # (K,) of the training rows
    coding: CellCoding | None = None
    out_of_bag: OutOfBagAnswers | None = None

    @cached_property
    def node_shares(self) -> Array:
        """Class shares of every node (M, K)."""
        return shares_of(self.nodes.value, self.pseudo)

    def rows(self, block: Block) -> Array:
        """The cells as numbers."""
        return rows_of(self.coding, block)

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return mean_over_trees(self.nodes, self.rows(block), self.node_shares)

    def by_tree(self, block: Block) -> Array:
        """The class that each tree answers (T, n)."""
        X = self.rows(block)
        trees = range(len(self.nodes.roots))
        return np.array([self.nodes.mean_value(X, self.node_shares, t).argmax(axis=1) for t in trees])


@saved
@dataclass(frozen=True)
class MultiOutputForest(OutputClasses):
    """Trees with class weights of several outputs at their nodes; class shares within each output are averaged."""

    nodes: TreeNodes
    classes: tuple[tuple[Any, ...], ...]  # of each output
    pseudo: Array  # (S,)
    coding: CellCoding | None = None
    out_of_bag: OutOfBagAnswers | None = None

    @property
    def prior(self) -> NoReturn:
        """There is none: outputs do not exclude one another."""
        raise no_prior("RandomForestClassifier")

    @cached_property
    def node_shares(self) -> Array:
        """Class shares of every node (M, S)."""
        return shares_by_output(self.nodes.value, self.pseudo, self.edges)

    def proba(self, block: Block) -> Array:
        """p(class | x) of each output (n, S)."""
        return mean_over_trees(self.nodes, self.rows(block), self.node_shares)

    def by_tree(self, block: Block) -> Array:
        """The classes that each tree answers (T, n, q)."""
        X, trees = self.rows(block), range(len(self.nodes.roots))
        said = (self.nodes.mean_value(X, self.node_shares, t) for t in trees)
        return np.array([likeliest_by_output(proba, self.edges) for proba in said])


@saved
@dataclass(frozen=True)
class NumberForest:
    """Trees with numbers at their nodes; their answers are averaged."""

    nodes: TreeNodes
    coding: CellCoding | None = None
    out_of_bag: OutOfBagAnswers | None = None

    def rows(self, block: Block) -> Array:
        """The cells as numbers."""
        return rows_of(self.coding, block)

    def predict(self, block: Block) -> Array:
        """Numbers (n, q)."""
        return mean_over_trees(self.nodes, self.rows(block), self.nodes.value)

    def by_tree(self, block: Block) -> Array:
        """What each tree answers (T, n, q)."""
        X = self.rows(block)
        return np.array([self.nodes.mean_value(X, self.nodes.value, t) for t in range(len(self.nodes.roots))])
