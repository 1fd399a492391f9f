"""Explanations: the evidence of each feature for one class against another.

log p(a | x) / p(b | x) = log p_a / p_b + sum_j log p(x_j | a) / p(x_j | b)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.learner import BayesModel
from suffice.bayes.readings.cell_logs import CellLogs
from suffice.core.block import Array
from suffice.core.errors import bad

ROWS, FEATURES = 5, 12  # shown when printed


@dataclass(frozen=True)
class Explanation:
    """What speaks for one class against another, row by row; contributions are in table order and add exactly.

    `log_odds[i]` is `math.fsum` of the prior's and the features' contributions.
    """

    features: tuple[Any, ...]  # d names, in table order
    target: tuple[Any, ...]  # (n,) the class spoken for
    versus: tuple[Any, ...]  # (n,) the class spoken against
    prior: Array  # (n,) log odds before any feature
    contributions: Array  # (n, d); 0 where the cell is missing or tells nothing

    @property
    def log_odds(self) -> Array:
        """Log odds of target against versus (n,), summed exactly."""
        rows = zip(self.prior.tolist(), self.contributions.tolist(), strict=True)
        return np.array([_exact_sum([prior, *cells]) for prior, cells in rows])

    def __str__(self) -> str:
        """The first rows as tables, strongest evidence first."""
        n = len(self.target)
        shown = [self._row(i) for i in range(min(n, ROWS))]
        return "\n\n".join([*shown, f"({n - ROWS} more rows)"] if n > ROWS else shown)

    def _row(self, i: int) -> str:
        order = sorted(range(len(self.features)), key=lambda j: -abs(self.contributions[i, j]))
        lines = [(str(self.features[j]), self.contributions[i, j]) for j in order[:FEATURES]]
        if len(order) > FEATURES:
            rest = _exact_sum(self.contributions[i, order[FEATURES:]].tolist())
            lines.append((f"({len(order) - FEATURES} more features)", rest))
        lines = [("prior", self.prior[i]), *lines, ("log odds", self.log_odds[i])]
        width = max(len(name) for name, _ in lines)
        body = "\n".join(f"  {name:{width}}  {value:+9.4f}" for name, value in lines)
        return f"row {i}: {self.target[i]} against {self.versus[i]}\n{body}"


def _exact_sum(values: list[float]) -> float:
    """`math.fsum`, which refuses opposite infinities: evidence that excludes both classes excludes neither."""
    if math.inf in values and -math.inf in values:
        return math.nan
    return math.fsum(values)


def explain(owner: str, rows: CellLogs, target: Any, versus: Any) -> Explanation:
    """Evidence of every row; target defaults to the most probable class, versus to the most probable other."""
    model, n = rows.model, rows.block.n
    ranked = np.argsort(-model.log_posterior(rows.block), axis=1, kind="stable")
    a, b = (_place(owner, name, model, label) for name, label in (("target", target), ("versus", versus)))
    if a is not None and a == b:
        raise bad(owner, "versus", "another class than target", versus, "Leave it out for the most probable other.")
    pro = _first_but(ranked, b) if a is None else np.full(n, a)
    con = _first_but(ranked, pro) if b is None else np.full(n, b)
    (features, cells_pro), (_, cells_con) = rows.under_each(pro), rows.under_each(con)
    return Explanation(
        features,
        tuple(model.classes[k] for k in pro),
        tuple(model.classes[k] for k in con),
        _less(model.log_prior[pro], model.log_prior[con]),
        _less(cells_pro, cells_con),
    )


def _place(owner: str, name: str, model: BayesModel, label: Any) -> int | None:
    if label is not None and label not in model.classes:
        raise bad(owner, name, f"one of the classes {list(model.classes)}", label, "Correct the label.")
    return None if label is None else model.classes.index(label)


def _first_but(ranked: Array, other: Any) -> Array:
    """The first in rank that is not the other class (n,); the only class where there is one."""
    second = ranked[:, min(1, ranked.shape[1] - 1)]
    return np.where(ranked[:, 0] == other, second, ranked[:, 0])


def _less(a: Array, b: Array) -> Array:
    """a - b; what excludes both classes speaks for neither."""
    with np.errstate(invalid="ignore"):
        difference = a - b
    return np.where(np.isnan(difference), 0.0, difference)
