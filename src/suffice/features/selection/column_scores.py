"""Scores of single columns, read from summaries that add: one pass, any shards, rows taken away again.

F = [sum_k n_k (mean_k - mean)^2 / (K - 1)] / [sum of squares within classes / (n - K)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import fdtrc

from suffice.core.block import Array
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.selection.contingency_scores import chi_square, gain_ratio, information_gain
from suffice.sources.tables.labels import code_labels
from suffice.summaries.moments import Moments
from suffice.summaries.rankings import Rankings


class ScoredColumns(NamedTuple):
    """A number a column, the higher the better, and p-values where it is a test."""

    scores: Array  # (d,)
    p_values: Array | None  # (d,)


@saved
@dataclass(frozen=True)
class ColumnScores:
    """What is kept of rows of numbers and their labels; it adds and takes away.

    >>> X, y = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 5.0], [4.0, 4.0]]), ["a", "a", "b", "b"]
    >>> both = ColumnScores.of(X[:2], y[:2]) + ColumnScores.of(X[2:], y[2:])
    >>> both.read("f_classif").scores.tolist(), both.read("information_gain").scores.tolist()
    ([8.0, 0.0], [1.0, 0.0])
    """

    kept: ByClass  # Together of moments and rankings of each column, by class

    @classmethod
    def of(cls, X: Any, y: Any, sample_weight: Any = None) -> ColumnScores:
        """Summarize rows (n, d), NaN where a cell is missing, with a label each."""
        rows, coded = np.asarray(X, dtype=np.float64), code_labels(y)
        w = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(coded.codes) or (w is not None and w.shape != (len(rows),)):
            raise bad("ColumnScores", "X", "a table with one label a row", Said(f"shape {rows.shape}"))
        labels = coded.labels[0]
        R = Shares.hard(coded.codes[:, 0], len(labels), w)
        kept = Together((Moments.of(rows, R), Rankings.of(rows, R)))
        return cls(ByClass.of(labels, Tally.of(R), kept))

    def __add__(self, other: ColumnScores) -> ColumnScores:
        """All rows together."""
        return ColumnScores(self.kept + other.kept)

    def __sub__(self, other: ColumnScores) -> ColumnScores:
        """Without the rows of another."""
        return ColumnScores(self.kept - other.kept)

    def read(self, score: str, bins: int | None = None) -> ScoredColumns:
        """Scores of all columns.

        Parameters
        ----------
        score : "f_classif", "chi_square", "chi2" (of counts), "information_gain", "gain_ratio" or "mutual_information"
        bins : how many bins of about as many rows values are put into; None: each value is one
        """
        if score not in SCORES:
            raise bad("ColumnScores", "score", f"one of {sorted(SCORES)}", score)
        if bins is not None and bins < 2:
            raise bad("ColumnScores", "bins", "at least 2, or None", bins)
        return SCORES[score](self, bins)

    @property
    def moments(self) -> Moments:
        """Of each column and class."""
        return next(part for part in self._parts if isinstance(part, Moments))

    @property
    def _parts(self) -> Sequence[Any]:
        assert isinstance(self.kept.summary, Together)
        return self.kept.summary.parts

    def tables(self, bins: int | None = None) -> list[Array]:
        """Classes by values (K, V) of each column; missing cells are left out."""
        ranked = next(part for part in self._parts if isinstance(part, Rankings))
        return [_binned(ranked.weight[:, some], bins) for some in ranked.slices]


def _binned(table: Array, bins: int | None) -> Array:
    """Neighbouring values put together, so that bins weigh about the same; equal values stay together."""
    if bins is None or table.shape[1] <= bins:
        return table
    weight = table.sum(axis=0)
    place = np.minimum((np.cumsum(weight) - weight / 2.0) / weight.sum() * bins, bins - 1).astype(int)
    out = np.zeros((len(table), bins))
    np.add.at(out.T, place, table.T)
    return out


def _anova(kept: ColumnScores, bins: int | None) -> ScoredColumns:
    moments = kept.moments
    n, within = moments.weight.value, moments.scatter.value.sum(axis=0)
    live = n > 0
    mean = np.divide(
        moments.first.value, n, out=np.zeros_like(n), where=live
    )  # about the shift: offsets cost no digits
    total, K = n.sum(axis=0), live.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (n * (mean - (n * mean).sum(axis=0) / total) ** 2).sum(axis=0)
        f = (between / (K - 1)) / (within / (total - K))
        p = np.where(np.isfinite(f), fdtrc(np.maximum(K - 1, 1), np.maximum(total - K, 1), np.nan_to_num(f)), np.nan)
    return ScoredColumns(f, np.where(np.isposinf(f), 0.0, p))


def _counts(kept: ColumnScores, bins: int | None) -> ScoredColumns:
    """Chi-square of sums of counts by class, as scikit-learn's chi2: each column is a bag of so many things."""
    from scipy.special import chdtrc

    moments = kept.moments
    observed = moments.weight.value * np.where(moments.weight.value > 0, moments.mean.value, 0.0)
    if (observed < 0).any():
        raise bad("chi2", "X", "counts of at least 0", float(observed.min()), "Use chi_square for other values.")
    share = kept.kept.tally.weight.value
    expected = (share / share.sum())[:, None] * observed.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = ((observed - expected) ** 2 / expected).sum(axis=0)
    return ScoredColumns(statistic, chdtrc(max(len(share) - 1, 0), statistic))


def _chi_square(kept: ColumnScores, bins: int | None) -> ScoredColumns:
    tests = [chi_square(table) for table in kept.tables(bins)]
    return ScoredColumns(np.array([test.statistic for test in tests]), np.array([test.p_value for test in tests]))


def _by_table(
    score: Callable[[Array], float], unit: float = 1.0
) -> Callable[[ColumnScores, int | None], ScoredColumns]:
    return lambda kept, bins: ScoredColumns(np.array([unit * score(table) for table in kept.tables(bins)]), None)


SCORES: Mapping[str, Callable[[ColumnScores, int | None], ScoredColumns]] = {
    "chi2": _counts,
    "chi_square": _chi_square,
    "f_classif": _anova,
    "gain_ratio": _by_table(gain_ratio),
    "information_gain": _by_table(information_gain),
    "mutual_information": _by_table(information_gain, float(np.log(2.0))),  # in nats
}
OF_MOMENTS = ("chi2", "f_classif")  # the others are read from rankings


def adjusted(p_values: Any) -> Array:
    """p-values corrected for many tests, by Benjamini and Hochberg: what is kept below q has at most q false ones.

    >>> adjusted([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0.0) & (p <= 1.0) | np.isnan(p)).all():
        raise bad("adjusted", "p_values", "a list of numbers from 0 to 1", Said("others"))
    order = np.argsort(p, kind="stable")[::-1]
    ranks = np.arange(len(p), 0, -1)
    out = np.empty(len(p))
    out[order] = np.minimum(1.0, np.minimum.accumulate(p[order] * len(p) / ranks))
    return out
