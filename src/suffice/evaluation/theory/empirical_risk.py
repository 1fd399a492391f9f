"""Empirical risk minimisation: the hypothesis with the least average loss on a sample.

E'(h) = sum_i w_i [h(x_i) != y_i] / sum_i w_i,     h' = argmin E'(h)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.theory.hypotheses import Hypotheses


@dataclass(frozen=True)
class RiskMinimum:
    """The best hypothesis on a sample."""

    hypothesis: Array  # (p,) its parameters
    risk: float  # its share of errors, by weight
    looked_at: int  # hypotheses that were compared
    space: Hypotheses

    def predict(self, X: Any) -> Array:
        """True for the class (m,)."""
        return np.asarray(self.space.predict(self.hypothesis[None], np.asarray(X, dtype=np.float64))[0])


def minimise_risk(space: Hypotheses, X: Any, y: Any, sample_weight: Any = None) -> RiskMinimum:
    """Look at every labelling that a hypothesis can give these rows, and take the one with the fewest errors.

    Parameters
    ----------
    space : a set of hypotheses
    X : (m, d) rows
    y : (m,) True or 1 for the class
    sample_weight : (m,) weights

    >>> from suffice.evaluation import Thresholds
    >>> found = minimise_risk(Thresholds(), [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> float(found.hypothesis[0]), found.risk
    (2.5, 0.0)
    """
    rows, labels = read_sample("minimise_risk", X, y)
    w = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if w.shape != labels.shape or not (w >= 0.0).all() or not w.any():
        rule = "one number of at least 0 a row, not all 0"
        raise bad("minimise_risk", "sample_weight", rule, Said(f"shape {w.shape}"))
    theta = space.candidates(rows)
    risks = risks_of(space, theta, rows, labels, w)
    best = int(risks.argmin())
    return RiskMinimum(theta[best], float(risks[best]), len(theta), space)


def risks_of(space: Hypotheses, theta: Array, X: Array, y: Array, w: Array | None = None) -> Array:
    """The share of errors of each hypothesis (H,), some at a time."""
    w = np.ones(len(y)) if w is None else w
    step = max(1, (1 << 22) // max(1, len(y)))
    parts = [(space.predict(theta[s : s + step], X) != y) @ w for s in range(0, len(theta), step)]
    return np.asarray(np.concatenate(parts) / w.sum())


def read_sample(owner: str, X: Any, y: Any) -> tuple[Array, Array]:
    """Rows of finite numbers (m, d), and which of them are of the class (m,)."""
    try:
        rows = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", "rows of numbers", X) from None
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise bad(owner, "X", "a table of finite numbers with at least one row", Said(f"shape {rows.shape}"))
    labels = np.asarray(y)
    if labels.shape != rows.shape[:1] or not np.isin(labels, [0, 1]).all():
        raise bad(owner, "y", "0 or 1, True or False, for each row", y, "1 says that a row is of the class.")
    return rows, labels.astype(bool)
