"""What trees tell of themselves: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.trees.conditions import path_conditions
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_models import ClassTree
from suffice.trees.tree_text import Wording, tree_rules, tree_svg, tree_text
from suffice.trees.tree_view import TreeView, decision_path


class Step(NamedTuple):
    """One step of a row through a tree."""

    condition: str  # what held
    answer: str  # what the node it led to says
    weight: float  # how much weight that node has


class LeafRank(NamedTuple):
    """The leaves in falling order of the odds of a class: the corners of a convex ROC curve."""

    leaves: Array  # numbers of nodes
    positives: Array  # weight of the class in each
    negatives: Array  # weight of the others
    auc: float


class TreeReadings:
    """Nodes, paths, importances, pictures in words."""

    @property
    def tree_(self: Any) -> TreeView:
        """The nodes, by scikit-learn's names."""
        model = self._state()[0].model
        if not hasattr(model, "classes"):
            return TreeView(model.nodes, self._columns()[0], model.nodes.value)
        edges = getattr(model, "edges", (0, len(model.classes)))
        return TreeView(model.nodes, self._columns()[0], model.shares, edges)

    @property
    def nodes_(self: Any) -> TreeNodes:
        """The nodes as flat arrays, class weights or numbers in each."""
        nodes: TreeNodes = self._state()[0].model.nodes
        return nodes

    @property
    def feature_importances_(self: Any) -> Array:
        """How much the splits on each column lower the impurity, in shares (d,)."""
        return np.asarray(self.nodes_.importances(len(_wording(self).names)))

    def get_depth(self: Any) -> int:
        """Depth of the deepest leaf."""
        return int(self.nodes_.depth.max())

    def get_n_leaves(self: Any) -> int:
        """Number of leaves."""
        return len(self.nodes_.leaves)

    def apply(self: Any, X: Any) -> Array:
        """The number of the leaf of each row (n,)."""
        state, X = self._state(X)
        return np.asarray(state.map(X, lambda block: state.model.nodes.leaf_of(state.model.rows(block)), None))

    def decision_path(self: Any, X: Any) -> Any:
        """Which nodes each row passes, as a sparse matrix (n, M)."""
        state, X = self._state(X)
        return decision_path(state.model.nodes, state.model.rows(state.block(X)))

    def explain(self: Any, X: Any) -> list[list[Step]]:
        """Of each row, the conditions that led to its leaf, and what each node on the way says.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        wording, nodes, told = _wording(self), state.model.nodes, []
        for row in state.model.rows(state.block(X)):
            path = nodes.path(row)
            steps = zip(path_conditions(nodes, path), path[1:], strict=True)
            told.append(
                [
                    Step(one.text(wording.names, wording.words), wording.answer(node), float(nodes.weight[node]))
                    for one, node in steps
                ]
            )
        return told

    def rules(self: Any) -> list[str]:
        """One sentence a leaf: what must hold, and what is then answered."""
        return tree_rules(self.nodes_, _wording(self))

    def text(self: Any) -> str:
        """The tree as text, one line a node."""
        return tree_text(self.nodes_, _wording(self))

    def svg(self: Any) -> str:
        """The tree as a picture in SVG."""
        return tree_svg(self.nodes_, _wording(self))

    def wording(self: Any) -> Wording:
        """How columns, symbols and answers are called, for pictures."""
        return _wording(self)

    def rank_leaves(self: Any, label: Any = None) -> LeafRank:
        """The leaves in falling order of the odds of a class, and the area under the convex curve they make.

        Parameters
        ----------
        label : the class; None takes the last
        """
        model = self._state()[0].model
        if not isinstance(model, ClassTree):
            rule, got = "one with one class label a row", Said("one of numbers, or of several labels")
            raise bad(self._owner, "the tree", rule, got, "Numbers rank by themselves.")
        if label is not None and label not in model.classes:
            raise bad(self._owner, "label", f"one of {list(model.classes)}", label, "Name a class.")
        k = len(model.classes) - 1 if label is None else model.classes.index(label)
        leaves = model.nodes.leaves
        positives = model.nodes.value[leaves, k]
        negatives = model.nodes.value[leaves].sum(axis=1) - positives
        odds = positives / np.maximum(positives + negatives, 1e-300)
        order = np.argsort(-odds, kind="stable")
        p, n = positives[order], negatives[order]
        area = float(np.sum(n * (np.cumsum(p) - p / 2.0)))
        whole = float(p.sum() * n.sum())
        return LeafRank(leaves[order], p, n, area / whole if whole > 0 else float("nan"))


def _wording(holder: Any) -> Wording:
    model = holder._state()[0].model
    width, names = holder._columns()
    shown = model.coding.names if model.coding is not None else names or tuple(f"x{j}" for j in range(width))
    words = model.coding.vocabularies if model.coding is not None else {}
    if hasattr(model, "classes"):
        return Wording(shown, words, model.classes, model.shares, getattr(model, "edges", None))
    return Wording(shown, words, None, model.nodes.value)
