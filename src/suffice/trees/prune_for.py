"""Pruning for a purpose: by rows held out, by what a leaf costs, or for a prior and costs. No scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.decision.decide.decision import Decision
from suffice.decision.decide.posterior import Posterior
from suffice.sources.tables.labels import class_numbers
from suffice.trees.pruning import (
    held_out_errors,
    prune_cost_complexity,
    prune_equal_decisions,
    prune_reduced_error,
)
from suffice.trees.tree_models import ClassTree, NumberTree


def prune_classes(tree: Any, X: Any, y: Any, alpha: float | None, prior: Any, costs: Any) -> ClassTree:
    """A classification tree without what a decision under this prior and these costs does not need."""
    state = tree._state()[0]
    model: ClassTree = state.model
    owner, nodes, K = tree._owner, model.nodes, len(model.classes)
    decision = Decision.read(owner, model.classes, prior=prior, costs=costs, reject=None, at_least=None)
    shift = np.ones(K) if decision.prior is None else decision.prior / np.maximum(model.prior, 1e-300)
    actions = decision.decide(Posterior(model.shares, model.prior))
    price = 1.0 - np.eye(K) if decision.costs is None else np.asarray(decision.costs)
    if X is not None:
        if y is None or alpha is not None:
            raise bad(owner, "prune", "given rows with labels, or alpha", Said("rows alone or both"), "Choose one.")
        return replace(model, nodes=_by_rows(tree, state, X, y, actions, price, shift))
    if alpha is None:
        return replace(model, nodes=prune_equal_decisions(nodes, actions))
    _check_alpha(owner, alpha)
    weight = nodes.value * shift
    cost = (weight[:, :, None] * price[None]).sum(axis=1).min(axis=1)
    return replace(model, nodes=prune_cost_complexity(nodes, float(alpha), cost / weight[0].sum()))


def _by_rows(tree: Any, state: Any, X: Any, y: Any, actions: Any, price: Any, shift: Any) -> Any:
    model: ClassTree = state.model
    rows = model.rows(state.block(tree._state(X)[1]))
    codes = class_numbers(tree._owner, y, model.classes, len(rows))
    losses = price[codes][:, actions] * shift[codes][:, None]
    return prune_reduced_error(model.nodes, held_out_errors(model.nodes, rows, losses))


def prune_numbers(tree: Any, X: Any, y: Any, alpha: float | None) -> NumberTree:
    """A regression tree without what rows held out, or the cost of a leaf, do not pay for."""
    state = tree._state()[0]
    model: NumberTree = state.model
    if (X is None) == (alpha is None):
        raise bad(tree._owner, "prune", "given rows with numbers, or alpha", Said("neither or both"), "Choose one.")
    if X is None:
        _check_alpha(tree._owner, alpha)
        return replace(model, nodes=prune_cost_complexity(model.nodes, float(alpha or 0.0)))
    rows, true = model.rows(state.block(tree._state(X)[1])), np.asarray(y, dtype=np.float64)
    true = true if true.ndim == 2 else true[:, None]
    losses = ((true[:, None, :] - model.nodes.value[None]) ** 2).mean(axis=2)
    return replace(model, nodes=prune_reduced_error(model.nodes, held_out_errors(model.nodes, rows, losses)))


def _check_alpha(owner: str, alpha: Any) -> None:
    if not (isinstance(alpha, (int, float)) and alpha >= 0):
        raise bad(owner, "alpha", "a number of at least 0", alpha, "It is what a leaf costs.")
