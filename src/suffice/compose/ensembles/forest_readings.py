"""What forests tell of themselves: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.trees.multi_output_trees import MultiOutputTree
from suffice.trees.tree_models import ClassTree, NumberTree
from suffice.trees.tree_view import decision_path

OWN = ("random_state", "class_weight", "refusal")  # parameters that the trees of a forest do not share with it


class ForestReadings:
    """Trees, leaves, importances, margins, errors by number of trees."""

    @property
    def nodes_(self: Any) -> Any:
        """The nodes of all trees as flat arrays."""
        return self._state()[0].model.nodes

    @property
    def feature_importances_(self: Any) -> Array:
        """How much the splits on each column lower the impurity, in shares (d,), averaged over trees."""
        model = self._state()[0].model
        return np.asarray(model.nodes.importances(self._columns()[0] if model.coding is None else model.coding.d))

    def apply(self: Any, X: Any) -> Array:
        """The leaf of each row in each tree (n, T), numbered within its tree."""
        state, X = self._state(X)
        model, rows = state.model, state.model.rows(state.block(X))
        nodes = model.nodes
        return np.stack([nodes.leaf_of(rows, t) - root for t, root in enumerate(nodes.roots.tolist())], axis=1)

    def decision_path(self: Any, X: Any) -> tuple[Any, Array]:
        """Which nodes each row passes in all trees, as a sparse matrix, and where the columns of each tree begin."""
        from scipy.sparse import hstack

        state, X = self._state(X)
        rows, nodes = state.model.rows(state.block(X)), state.model.nodes
        parts = [decision_path(nodes.tree(t), rows) for t in range(len(nodes.roots))]
        return hstack(parts).tocsr(), np.append(nodes.roots, nodes.count).astype(np.int64)

    def by_tree(self: Any, X: Any) -> Array:
        """What each tree answers: class numbers (T, n), or numbers (T, n, q)."""
        state, X = self._state(X)
        return np.asarray(state.model.by_tree(state.block(X)))

    @property
    def oob_score_(self: Any) -> float:
        """Accuracy, or R^2, of trees on rows that they were not grown from."""
        return float(_out_of_bag(self).score)

    @property
    def oob_decision_function_(self: Any) -> Array:
        """Class shares by trees that were not grown from the row (n, K); (n, K, q) of several outputs."""
        if not hasattr(self._state()[0].model, "classes"):
            raise AttributeError("oob_decision_function_ is there for classes; numbers have oob_prediction_.")
        return np.asarray(_out_of_bag(self).answers)

    @property
    def oob_prediction_(self: Any) -> Array:
        """Numbers by trees that were not grown from the row."""
        if hasattr(self._state()[0].model, "classes"):
            raise AttributeError("oob_prediction_ is there for numbers; classes have oob_decision_function_.")
        return np.asarray(self._origin.shaped(_out_of_bag(self).answers))


def _out_of_bag(holder: Any) -> Any:
    found = holder._state()[0].model.out_of_bag
    if found is None:
        raise AttributeError("out-of-bag answers are there where oob_score=True was asked for.")
    return found


def tree_estimators(holder: Any, kind: type[Any]) -> list[Any]:
    """The trees of a forest, each an estimator of its own."""
    state = holder._state()[0]
    model, made = state.model, []
    shared = {name: getattr(holder, name) for name in kind().get_params() if name not in OWN and hasattr(holder, name)}
    seeds = vars(holder)["_grown"].draws.seeds if "_grown" in vars(holder) else [None] * len(model.nodes.roots)
    for t, seed in enumerate(seeds):
        one = kind(**shared, random_state=seed)
        nodes = model.nodes.tree(t)
        if hasattr(model, "edges"):
            alone: Any = MultiOutputTree(nodes, tuple(tuple(range(len(k))) for k in model.classes), model.pseudo)
        elif hasattr(model, "classes"):
            alone = ClassTree(nodes, tuple(range(len(model.classes))), model.pseudo)
        else:
            alone = NumberTree(nodes)
        one.n_features_in_ = holder.n_features_in_
        made.append(one._adopt(FittedModel(one._plan(), state.schema, Found(alone)), holder._origin))
    return made


def combine(first: Any, *others: Any) -> Any:
    """One forest of the trees of several, as if all had voted from the start.

    Classes are united; what was known of rows out of bag is dropped, as each forest knows its own rows only. Forests do
    not merge in the sense of one-pass models: the result is not the forest of all rows.

    Parameters
    ----------
    first, others : fitted forests of one kind over the same columns

    >>> from suffice import RandomForestClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> a, b = (RandomForestClassifier(3, random_state=seed).fit(X, y) for seed in (0, 1))
    >>> len(combine(a, b).nodes_.roots)
    6
    """
    from suffice.compose.ensembles.combining import combined

    if not others:
        raise bad("combine", "forests", "at least two", 1, "Give another forest.")
    return combined(first, others)
