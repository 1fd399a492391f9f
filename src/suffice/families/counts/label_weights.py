"""Counts of the labels of one column, however they come: rows, a summary, or label -> count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import bad
from suffice.families.beliefs.conjugate import as_shares, one_component
from suffice.summaries.counts import Counts


def count_labels(owner: object, rows: Any, labels: Sequence[Any], weights: Any = None) -> Counts:
    """The counts of rows of labels; None is missing, a label outside is refused."""
    place = {label: i for i, label in enumerate(labels)}
    cells = rows.tolist() if isinstance(rows, np.ndarray) else list(rows)
    strange = [cell for cell in cells if cell is not None and cell not in place]
    if strange:
        raise bad(owner, "every label", f"one of {list(labels)}", strange[0], "Declare it or correct it.")
    codes = np.array([-1 if cell is None else place[cell] for cell in cells], dtype=np.int32)[:, None]
    return Counts.of(Coded(codes, (tuple(labels),)), as_shares(owner, len(cells), weights))


def label_weights(owner: object, summary: Counts | Mapping[Any, float], labels: Sequence[Any]) -> Array:
    """Weights of the labels (V,), in their order; a label outside is refused."""
    if isinstance(summary, Mapping):
        found = {label: float(count) for label, count in summary.items()}
        if not all(np.isfinite(count) and count >= 0 for count in found.values()):
            raise bad(owner, "counts", "finite and at least 0", dict(summary), "To take rows away, use `-`.")
    else:
        counts = one_component(owner, summary, Counts)
        found = dict(zip(counts.labels[0], counts.weight[0].tolist(), strict=True))
    known = set(labels)
    strange = [label for label in found if label not in known]
    if strange:
        raise bad(owner, "every label", f"one of {list(labels)}", strange[0], "Declare it or correct it.")
    return np.array([found.get(label, 0.0) for label in labels])
