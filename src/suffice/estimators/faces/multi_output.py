"""Several class labels a row (multi-output): answers by output, as scikit-learn gives them. No scikit-learn.

A model of several outputs has `classes`, a tuple of labels for each, and `edges`: its probabilities are (n, S), those
of output t in columns edges[t] to edges[t + 1]. A model of one output has no `edges`; its answers stay as they are.
A model that may answer no class has `answered`: its classes and, last, what is said at place -1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad
from suffice.estimators.state.origin import Origin


def output_edges(classes: Sequence[Sequence[Any]]) -> tuple[int, ...]:
    """Where the classes of each output begin, and where the last end (q + 1,).

    >>> output_edges((("a", "b"), ("x", "y", "z")))
    (0, 2, 5)
    """
    return tuple(accumulate(map(len, classes), initial=0))


def by_output(model: Any, found: Array) -> list[Array]:
    """Columns (n, S) as one array an output."""
    return [np.ascontiguousarray(found[:, a:b]) for a, b in pairwise(model.edges)]


def told_by_output(model: Any, found: Array) -> Any:
    """Probabilities as they are told: of several outputs, one array each."""
    return by_output(model, found) if hasattr(model, "edges") else found


def per_output(told: Callable[[Array], Array], values: Array, edges: Sequence[int]) -> Array:
    """What is told (n,) of the columns of each output, side by side (n, q)."""
    return np.stack([told(values[:, a:b]) for a, b in pairwise(edges)], axis=1)


def likeliest_by_output(proba: Array, edges: Sequence[int]) -> Array:
    """The largest of each output (n, q), the first of equals."""
    return per_output(lambda some: some.argmax(axis=1), proba, edges)


def class_labels(model: Any, origin: Origin) -> list[Array]:
    """The classes, one array an output."""
    return [origin.classes(labels) for labels in model.classes]


def class_counts(model: Any) -> Any:
    """The number of classes; of several outputs, that of each (q,)."""
    edges = getattr(model, "edges", None)
    return len(model.classes) if edges is None else np.diff(edges)


def answered_labels(model: Any, origin: Origin, places: Array) -> Array:
    """The labels at places, (n,) or of several outputs (n, q)."""
    known = getattr(model, "answered", model.classes)
    if not hasattr(model, "edges"):
        return np.asarray(origin.answers(known, places))
    columns = [origin.classes(labels)[places[:, t]] for t, labels in enumerate(known)]
    kinds = {column.dtype.kind for column in columns}
    if len(kinds) == 1 and kinds != {"O"}:
        return np.stack(columns, axis=1)
    out = np.empty(places.shape, dtype=object)  # labels of several types keep them
    for t, column in enumerate(columns):
        out[:, t] = column
    return out


def no_prior(owner: str) -> BadInput:
    """Why several outputs have no class prior."""
    remedy = "Decide for each output by its array of predict_proba, or fit one model an output."
    return bad(owner, "y", "one label a row to decide by prior, costs or refusal", Said("several"), remedy)
