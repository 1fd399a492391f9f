"""Forests of the trees of several forests. Class weights move to their places among the united classes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.compose.ensembles.forest_models import ClassForest, MultiOutputForest, NumberForest
from suffice.core.by_class import canonical
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.summary import spread
from suffice.estimators.faces.multi_output import output_edges
from suffice.estimators.state.fitted import Found
from suffice.trees.nodes import TreeNodes


def combined(first: Any, others: Sequence[Any]) -> Any:
    """The trees of all, in the form of the first."""
    holders = [first, *others]
    for other in holders:
        if getattr(other, "_owner", None) != getattr(first, "_owner", "") or not hasattr(other, "by_tree"):
            name = getattr(other, "_owner", type(other).__name__)
            rule, remedy = "forests of one kind", "Train the same kind on each shard."
            raise refusal(NotASummary, "combine", "models to combine", rule, Said(name), remedy)
    states = [holder._state()[0] for holder in holders]
    for holder in others:
        first._origin.check("combine", holder._origin)
    models = [state.model for state in states]
    if any(model.coding != models[0].coding for model in models):
        raise refusal(NotASummary, "combine", "symbols", "the same", Said("others"), "Declare their values.")
    model = POOLED[type(models[0])](models)
    made = copy.copy(first)
    vars(made).pop("_grown", None)  # which rows a tree has seen is known to its own forest
    return made._adopt(replace(states[0], state=Found(model)), first._origin)


def _numbers(models: list[NumberForest]) -> NumberForest:
    return replace(models[0], nodes=TreeNodes.together([m.nodes for m in models]), out_of_bag=None)


def _classes(models: list[ClassForest]) -> ClassForest:
    classes = canonical(label for model in models for label in model.classes)
    place = {label: k for k, label in enumerate(classes)}
    K, nodes, pseudo, shares = len(classes), [], np.zeros(len(classes)), np.zeros(len(classes))
    trees = sum(len(model.nodes.roots) for model in models)
    for model in models:
        index = [place[label] for label in model.classes]
        nodes.append(replace(model.nodes, value=spread(model.nodes.value.T, index, K).T.copy()))
        pseudo = np.maximum(pseudo, spread(model.pseudo[:, None], index, K)[:, 0])
        shares = shares + spread(model.shares[:, None], index, K)[:, 0] * len(model.nodes.roots) / trees
    together = TreeNodes.together(nodes)
    return replace(models[0], nodes=together, classes=classes, pseudo=pseudo, shares=shares, out_of_bag=None)


def _outputs(models: list[MultiOutputForest]) -> MultiOutputForest:
    """The classes of each output are united."""
    classes = tuple(
        canonical(label for labels in each for label in labels)
        for each in zip(*(model.classes for model in models), strict=True)
    )
    edges, nodes, pseudo = output_edges(classes), [], np.zeros(output_edges(classes)[-1])
    for model in models:
        index = [edges[t] + classes[t].index(label) for t, labels in enumerate(model.classes) for label in labels]
        nodes.append(replace(model.nodes, value=spread(model.nodes.value.T, index, edges[-1]).T.copy()))
        pseudo = np.maximum(pseudo, spread(model.pseudo[:, None], index, edges[-1])[:, 0])
    return replace(models[0], nodes=TreeNodes.together(nodes), classes=classes, pseudo=pseudo, out_of_bag=None)


POOLED: dict[type[Any], Callable[[list[Any]], Any]] = {
    ClassForest: _classes,
    MultiOutputForest: _outputs,
    NumberForest: _numbers,
}
