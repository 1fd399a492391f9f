"""Duplicate features: naive Bayes counts the evidence of a repeated column twice. Find them before they do harm."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from suffice.bayes.explanation import explain
from suffice.core.block import Array
from suffice.core.kinds import Storage
from suffice.estimators.fitted import Fitted
from suffice.sources.memory import MemorySource
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments


class Duplicate(NamedTuple):
    """Two columns that say the same."""

    first: Any
    second: Any
    correlation: float  # of their evidence within classes; 1 for exact copies


def duplicate_features(state: Fitted, X: Any, at_least: float) -> list[Duplicate]:
    """Pairs of columns in table order: copies by their summaries, or by the evidence they give for rows X."""
    pairs = _copies(state) if X is None else _correlated(state, X, at_least)
    order = {name: i for i, name in enumerate(state.schema.names)}
    return sorted(pairs, key=lambda pair: (order.get(pair.first, 0), order.get(pair.second, 0)))


def _copies(state: Fitted) -> list[Duplicate]:
    """Columns with the same counts, sums and squares in every class: copies, but for a coincidence of all of them."""
    found = []
    for (storage, places), part in zip(state.schema.parts, state.summary.summary.parts, strict=True):  # type: ignore[attr-defined]
        if storage is Storage.WORDS:
            continue
        prints = {i: _fingerprint(part, at) for at, i in enumerate(places)}
        names = {i: state.schema.columns[i].name for i in places}
        found += [Duplicate(names[i], names[j], 1.0) for i, j in combinations(places, 2) if prints[i] == prints[j]]
    return found


def _fingerprint(part: Any, at: int) -> Any:
    if isinstance(part, Moments):
        one = part.columns([at]).about(np.zeros(1))
        return tuple(a.tobytes() for a in (one.rows, one.weight.value, one.first.value, one.second.value))
    assert isinstance(part, Counts)
    one_column = part.columns([at])
    return frozenset(zip(one_column.labels[0], map(bytes, one_column.weight.T), strict=True))


def _correlated(state: Fitted, X: Any, at_least: float) -> list[Duplicate]:
    """Pairs whose evidence moves together within the predicted classes."""
    table = state.plan.open(X)
    block = MemorySource(table, state.schema).block(slice(0, table.n))
    classes = state.model.classes
    told = explain(state.model, block, state.schema, classes[0], classes[-1])
    posterior = np.exp(state.model.log_posterior(block))
    R = _within(told.contributions, posterior)
    d = len(told.features)
    return [
        Duplicate(told.features[i], told.features[j], float(R[i, j]))
        for i, j in combinations(range(d), 2)
        if R[i, j] >= at_least
    ]


def _within(evidence: Array, posterior: Array) -> Array:
    """Correlation of columns after their class means are taken out."""
    means = (posterior.T @ evidence) / np.maximum(posterior.sum(axis=0), 1e-300)[:, None]
    rest = evidence - posterior @ means
    scale = np.sqrt((rest * rest).sum(axis=0))
    rest = rest / np.where(scale > 0, scale, 1.0)
    return rest.T @ rest  # type: ignore[no-any-return]
