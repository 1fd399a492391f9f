"""Friedman: several models on several data sets, compared by their ranks; and Nemenyi's test of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
from scipy.stats import chi2, f, rankdata, studentized_range

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.read_wishes import as_numbers
from suffice.evaluation.comparing.significance import Significance
from suffice.evaluation.resampling.resampling_options import read_level
from suffice.evaluation.scores.confusion import aligned, label_text
from suffice.evaluation.scores.estimate import LEVEL

OWNER = "friedman"


@dataclass(frozen=True, eq=False)
class Friedman:
    """Ranks of k models on N data sets, 1 for the best, ties sharing the mean of their ranks.

        chi^2 = 12 N / (k (k + 1)) sum_j (R_j - (k + 1) / 2)^2, divided by 1 - ties,   R_j mean rank of model j
        F = (N - 1) chi^2 / (N (k - 1) - chi^2), with k - 1 and (k - 1)(N - 1) degrees of freedom
        two models differ if their mean ranks do by q sqrt(k (k + 1) / (6 N)), q from the studentized range / sqrt 2

    References
    ----------
    J. Demsar, Statistical comparisons of classifiers over multiple data sets (2006).
    """

    names: tuple[Any, ...]  # k models
    ranks: Array  # (N, k)

    @property
    def mean_ranks(self) -> Array:
        """Of the models (k,); the smaller the better."""
        return np.asarray(self.ranks.mean(axis=0))

    @property
    def result(self) -> Significance:
        """Friedman's test: whether there is any difference among the models; 0 where all values are tied."""
        N, k = self.ranks.shape
        middle = (k + 1) / 2.0
        within = float(((self.ranks - middle) ** 2).sum())  # N k (k^2 - 1) / 12 without ties
        between = N * float(((self.mean_ranks - middle) ** 2).sum())
        statistic = N * (k - 1) * between / within if within > 0.0 else 0.0
        return Significance("Friedman", statistic, float(chi2.sf(statistic, k - 1)))

    @property
    def f_result(self) -> Significance:
        """The same by Iman and Davenport's F, which is less cautious and better with few data sets."""
        N, k = self.ranks.shape
        chi = self.result.statistic
        rest = N * (k - 1) - chi
        statistic = (N - 1) * chi / rest if rest > 1e-12 * N * k else inf
        return Significance("Iman-Davenport", statistic, float(f.sf(statistic, k - 1, (k - 1) * (N - 1))))

    @property
    def pair_p(self) -> Array:
        """Nemenyi's probabilities for every pair of models (k, k), 1 on the diagonal."""
        apart = np.abs(self.mean_ranks[:, None] - self.mean_ranks) / self._unit
        above = np.triu_indices(len(self.names), 1)
        p = np.ones(apart.shape)
        p[above] = np.clip(studentized_range.sf(apart[above] * sqrt(2.0), len(self.names), np.inf), 0.0, 1.0)
        p.T[above] = p[above]
        return p

    def critical_difference(self, level: float = LEVEL) -> float:
        """How far apart mean ranks must be for two models to differ, by Nemenyi's test."""
        q = float(studentized_range.ppf(read_level(OWNER, level), len(self.names), np.inf)) / sqrt(2.0)
        return q * self._unit

    def different(self, level: float = LEVEL) -> Array:
        """Which pairs of models differ (k, k)."""
        apart = np.abs(self.mean_ranks[:, None] - self.mean_ranks)
        return np.asarray(apart >= self.critical_difference(level))

    def __str__(self) -> str:
        """The tests, then the models, the best first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        lines = [[label_text(self.names[j]), f"{self.mean_ranks[j]:.3f}"] for j in order]
        head = f"{self.result}\n{self.f_result}\nmean ranks differ from {self.critical_difference():.3f} on (Nemenyi)"
        return f"{head}\n{aligned([['model', 'mean rank'], *lines])}"

    __repr__ = __str__

    @property
    def _unit(self) -> float:
        N, k = self.ranks.shape
        return sqrt(k * (k + 1) / (6.0 * N))


def friedman(values: Any, names: Sequence[Any] | None = None, *, larger_is_better: bool = True) -> Friedman:
    """Compare several models on several data sets.

    Parameters
    ----------
    values : (N, k) scores of k >= 2 models on N >= 2 data sets
    names : of the models; None numbers them
    larger_is_better : False where the values are errors

    >>> scores = [[0.80, 0.85, 0.79], [0.70, 0.75, 0.71], [0.90, 0.92, 0.88], [0.60, 0.70, 0.65], [0.50, 0.66, 0.44]]
    >>> print(friedman(scores, ["tree", "forest", "stump"]))
    Friedman: statistic 7.6000, p = 0.0224
    Iman-Davenport: statistic 12.6667, p = 0.0033
    mean ranks differ from 1.482 on (Nemenyi)
    model   mean rank
    forest      1.000
    tree        2.400
    stump       2.600
    """
    table = as_numbers(OWNER, "values", "a table of numbers", values)
    if table.ndim != 2 or min(table.shape) < 2:
        rule = "a table of at least 2 data sets (lines) and 2 models (columns)"
        raise bad(OWNER, "values", rule, Said(f"shape {table.shape}"), "Give one value for each.")
    if not np.isfinite(table).all():
        i, j = np.argwhere(~np.isfinite(table))[0]
        raise bad(OWNER, "values", "finite", Said(f"{table[i, j]} in line {i}, column {j}"), "Leave the line out.")
    labels = tuple(range(table.shape[1])) if names is None else tuple(names)
    if len(labels) != table.shape[1] or len(set(labels)) < len(labels):
        raise bad(OWNER, "names", f"{table.shape[1]} different names, one a column", names)
    return Friedman(labels, rankdata(-table if larger_is_better else table, axis=1))
