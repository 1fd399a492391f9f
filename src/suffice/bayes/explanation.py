"""Explanations: the evidence of each feature for one class against another.

log p(a | x) / p(b | x) = log p_a / p_b + sum_j log p(x_j | a) / p(x_j | b)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.learner import BayesModel
from suffice.core.block import Array, Block
from suffice.core.schema import Schema


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
        """The rows as tables, strongest evidence first."""
        return "\n\n".join(self._row(i) for i in range(min(len(self.target), 5)))

    def _row(self, i: int, shown: int = 12) -> str:
        order = sorted(range(len(self.features)), key=lambda j: -abs(self.contributions[i, j]))[:shown]
        lines = [(str(self.features[j]), self.contributions[i, j]) for j in order]
        lines = [("prior", self.prior[i]), *lines, ("log odds", self.log_odds[i])]
        width = max(len(name) for name, _ in lines)
        body = "\n".join(f"  {name:{width}}  {value:+9.4f}" for name, value in lines)
        return f"row {i}: {self.target[i]} against {self.versus[i]}\n{body}"


def _exact_sum(values: list[float]) -> float:
    """`math.fsum`, which refuses opposite infinities: evidence that excludes both classes excludes neither."""
    if math.inf in values and -math.inf in values:
        return math.nan
    return math.fsum(values)


def explain(model: BayesModel, block: Block, schema: Schema, target: Any, versus: Any) -> Explanation:
    """Evidence of every row of a block; target defaults to the most probable class, versus to the next."""
    place = {label: k for k, label in enumerate(model.classes)}
    ranked = np.argsort(-model.log_posterior(block), axis=1, kind="stable")
    for_class = ranked[:, 0] if target is None else np.full(block.n, place[target])
    runner_up = np.where(ranked[:, 0] == for_class, ranked[:, min(1, ranked.shape[1] - 1)], ranked[:, 0])
    against = runner_up if versus is None else np.full(block.n, place[versus])
    needed = sorted({*for_class.tolist(), *against.tolist()})
    names, _ = _table_order(model, block, schema, needed[0] if needed else 0)
    stacked = np.stack([_table_order(model, block, schema, k)[1] for k in needed])
    rows = np.arange(block.n)
    a, b = np.searchsorted(needed, for_class), np.searchsorted(needed, against)
    with np.errstate(invalid="ignore"):
        difference = stacked[a, rows] - stacked[b, rows]
        prior = model.log_prior[for_class] - model.log_prior[against]
    return Explanation(
        tuple(names),
        tuple(model.classes[k] for k in for_class),
        tuple(model.classes[k] for k in against),
        np.nan_to_num(prior, nan=0.0, posinf=np.inf, neginf=-np.inf),
        np.nan_to_num(difference, nan=0.0, posinf=np.inf, neginf=-np.inf),
    )


def _table_order(model: BayesModel, block: Block, schema: Schema, k: int) -> tuple[list[Any], Array]:
    """Names of the features and log density of each cell under class k (n, d), both in table order."""
    columns: list[tuple[int, int, Any, Array]] = []
    for group, cells in zip(model.factors.groups, model.factors.cells(block.parts, k), strict=True):
        _, places = schema.parts[group.part]
        mine = places if group.columns is None else [places[at] for at in group.columns]
        wide = cells.shape[1] != len(mine)  # one text whose words are the columns of a matrix
        for at in range(cells.shape[1]):
            place = mine[0] if wide else mine[at]
            columns.append((place, at, f"x{at}" if wide else schema.columns[place].name, cells[:, at]))
    columns.sort(key=lambda column: column[:2])
    return [name for _, _, name, _ in columns], np.stack([cells for *_, cells in columns], axis=1)
