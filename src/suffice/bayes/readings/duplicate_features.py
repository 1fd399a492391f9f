"""Duplicate features: naive Bayes counts the evidence of a repeated column twice. Find them before they do harm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from suffice.bayes.readings.cell_logs import CellLogs
from suffice.core.block import Array
from suffice.core.summary import Together
from suffice.estimators.state.fitted import FittedModel
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments

DIGITS = 9  # products of matrices round a column differently at different places, in its last digits


class Duplicate(NamedTuple):
    """Two columns that say the same."""

    first: Any
    second: Any
    correlation: float  # of their evidence within classes; 1 for copies


def copies(state: FittedModel, words: Sequence[Any]) -> list[Duplicate]:
    """Columns with the same counts, means and variances in every class: copies, but for a coincidence of all of them.

    `words` names the columns of a matrix of words. A column that is the same in all rows tells nothing and is left out.
    """
    alike = defaultdict(list)
    for place, name, key in _columns(state, words):
        if key is not None:
            alike[key].append((place, name))
    pairs = [pair for same in alike.values() for pair in combinations(sorted(same, key=lambda c: c[0]), 2)]
    pairs.sort(key=lambda pair: (pair[0][0], pair[1][0]))
    return [Duplicate(first, second, 1.0) for (_, first), (_, second) in pairs]


def _columns(state: FittedModel, words: Sequence[Any]) -> Iterator[tuple[int, Any, Hashable]]:
    """Place, name and fingerprint of each column."""
    assert isinstance(state.summary.summary, Together)
    for (_, places), part in zip(state.schema.parts, state.summary.summary.parts, strict=True):
        if isinstance(part, Moments):
            keys = _moments(part)
        elif isinstance(part, Counts):
            keys = [_symbols(part.columns([at])) for at in range(len(places))]
        elif isinstance(part, Together) and isinstance(part.parts[1], Counts):
            keys = _words(part.parts[1], len(words))
        else:  # densities are kept by rows of their own: no two numbers say that they are alike
            keys = [None] * len(places)
        named = enumerate(words) if len(keys) != len(places) else ((i, state.schema.columns[i].name) for i in places)
        yield from ((place, name, key) for (place, name), key in zip(named, keys, strict=True))


def _moments(part: Moments) -> list[Hashable]:
    whole = part.pooled()
    scale = np.sqrt((whole.scatter / whole.weight).value)[0]
    unit = np.where(scale > 0, scale, 1.0)
    centre = whole.mean.value[0]
    shape = np.concatenate([(part.mean.value - centre) / unit, np.sqrt(part.variance) / unit]).round(DIGITS) + 0.0
    size = np.stack([scale, centre]).astype(np.float32)
    return [
        (part.rows[:, j].tobytes(), size[:, j].tobytes(), shape[:, j].tobytes()) if scale[j] > 0 else None
        for j in range(len(scale))
    ]


def _symbols(part: Counts) -> Hashable:
    labels = part.labels[0]
    if len(labels) < 2:
        return None
    return frozenset(zip(labels, map(bytes, part.rows.T), map(bytes, part.weight.T.astype(np.float32)), strict=True))


def _words(part: Counts, width: int) -> list[Hashable]:
    """One key for a text, which is one column; one for each column of a matrix."""
    if not isinstance(part.labels[0], range):
        return [None]
    rows, weight = (cells.reshape(len(cells), width, -1) for cells in (part.rows, part.weight.astype(np.float32)))
    return [(rows[:, j].tobytes(), weight[:, j].tobytes()) if rows[:, j].any() else None for j in range(width)]


def correlated(rows: CellLogs, at_least: float) -> list[Duplicate]:
    """Pairs whose evidence, class against the average of the classes, moves together within the predicted classes."""
    told = [rows.under(k) for k in range(len(rows.model.classes))]
    features, logs = told[0][0], np.stack([cells for _, cells in told])  # (K, n, d)
    R = _within(logs - logs.mean(axis=0), np.exp(rows.model.log_posterior(rows.block)))
    return [
        Duplicate(features[i], features[j], float(R[i, j]))
        for i, j in combinations(range(len(features)), 2)
        if R[i, j] >= at_least
    ]


def _within(evidence: Array, posterior: Array) -> Array:
    """Correlation (d, d) of the columns of evidence (K, n, d) after their class means are taken out."""
    shares = posterior / np.maximum(posterior.sum(axis=0), np.finfo(np.float64).tiny)
    rest = evidence - posterior @ (shares.T @ evidence)
    flat = np.nan_to_num(rest.reshape(-1, rest.shape[-1]), posinf=0.0, neginf=0.0)
    scale = np.sqrt((flat * flat).sum(axis=0))
    flat = flat / np.where(scale > 0, scale, 1.0)
    R: Array = flat.T @ flat
    return R
