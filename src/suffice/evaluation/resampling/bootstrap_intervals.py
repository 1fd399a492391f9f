"""The interval of any statistic, by what it says of bootstrap replicas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.table_rows import count_rows
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.folds.fold_models import some_rows
from suffice.evaluation.resampling.bootstrap import Bootstrap
from suffice.evaluation.resampling.resampling_options import read_level, read_option, whole
from suffice.evaluation.scores.estimate import LEVEL
from suffice.sources.tables.labels import code_labels

OWNER = "bootstrap_interval"
Statistic = Callable[[Array], float]  # of the count or weight of each row


@dataclass(frozen=True, eq=False)
class BootstrapInterval:
    """A statistic of some rows, its interval, and what it was of each replica."""

    value: float
    low: float
    high: float
    level: float
    replicas: Array = field(repr=False)  # (B,)
    undefined: int = 0  # replicas of which the statistic is NaN; they are left out

    @property
    def standard_error(self) -> float:
        """Standard deviation over the replicas."""
        return float(self.replicas.std(ddof=1)) if len(self.replicas) > 1 else float("nan")

    @property
    def bias(self) -> float:
        """Mean over the replicas minus the value."""
        return float(self.replicas.mean()) - self.value

    def __str__(self) -> str:
        """The value and the interval."""
        text = f"{self.value:.6g} ({100 * self.level:g} %: {self.low:.6g} to {self.high:.6g})"
        return text + (f", undefined for {self.undefined} replicas" if self.undefined else "")

    __repr__ = __str__


def bootstrap_interval(
    statistic: Callable[..., Any],
    *columns: Any,
    replicas: Any = 2000,
    method: str = "bca",
    level: float = LEVEL,
    weights: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
) -> BootstrapInterval:
    """The interval of a statistic or a score of some rows.

        percentile: from quantile a/2 to quantile 1 - a/2 of the statistic over the replicas,  a = 1 - level
        bca:        at the quantiles Phi(z0 + (z0 + z) / (1 - c (z0 + z))) instead, z = -+Phi^-1(1 - a/2), where z0
                    says how far the median of the replicas is from the value, and c how its spread changes with it

    Parameters
    ----------
    statistic : called with as many columns as are given here, gives one number
    columns : arrays, lists or tables with one entry a row, resampled together
    replicas : their number, or a `Bootstrap`
    method : "bca" or "percentile"; "bca" calls the statistic once more for each row
    level : how often the interval holds the true value, about
    weights : name of the argument by which `statistic` takes a weight for each row: it is then called with the same
        columns every time, and nothing is copied. None: it is called with the rows of each replica
    groups : a label a row; whole groups are drawn then
    sample_weight : one weight a row, a weight of w being w copies; needs `weights`

    >>> x = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]
    >>> print(bootstrap_interval(np.mean, x))
    3.875 (95 %: 2.375 to 6)
    >>> print(bootstrap_interval(np.average, x, weights="weights", method="percentile"))
    3.875 (95 %: 2.25 to 5.75)

    References
    ----------
    B. Efron, Better bootstrap confidence intervals (1987).
    """
    corrected = read_option(OWNER, "method", method, METHODS)
    a = (1.0 - read_level(OWNER, level)) / 2.0
    n = _rows(columns)
    w = read_weights(OWNER, sample_weight, n)
    if w is not None and weights is None:
        raise bad(OWNER, "weights", "given with sample_weight", None, "Name the argument that takes weights.")
    of = _by_rows(statistic, columns) if weights is None else _by_weights(statistic, columns, weights)
    kept = w if groups is not None else None  # rows are drawn by their weights; groups are not
    source = replicas if isinstance(replicas, Bootstrap) else Bootstrap(whole(OWNER, "replicas", replicas, 1), 0)
    drawn = np.array([of(counts if kept is None else counts * kept) for counts in source.counts(n, w, groups)])
    base = np.ones(n, dtype=np.int64) if w is None else w
    value, known = of(base), drawn[~np.isnan(drawn)]
    if not len(known):
        raise bad(OWNER, "statistic", "a number for some replica", Said("NaN for all"), "Give it more rows.")
    low, high = corrected(of, base, groups, value, known, np.array([a, 1.0 - a]))
    return BootstrapInterval(value, low, high, float(level), known, len(drawn) - len(known))


def _rows(columns: tuple[Any, ...]) -> int:
    sizes = [count_rows(column) for column in columns]
    if not sizes or min(sizes) != max(sizes) or not sizes[0]:
        rule = "one or more, all with the same number of rows"
        raise bad(OWNER, "columns", rule, Said(f"{sizes or 'none'}"), "Give one entry a row.")
    return sizes[0]


def _by_rows(statistic: Callable[..., Any], columns: tuple[Any, ...]) -> Statistic:
    arrays = [np.asarray(column) if isinstance(column, list | tuple) else column for column in columns]

    def of(counts: Array) -> float:
        rows = np.repeat(np.arange(len(counts)), counts)
        return _number(statistic(*(some_rows(column, rows) for column in arrays)))

    return of


def _by_weights(statistic: Callable[..., Any], columns: tuple[Any, ...], name: str) -> Statistic:
    return lambda w: _number(statistic(*columns, **{name: w}))


def _number(found: Any) -> float:
    try:
        return float(found)
    except (TypeError, ValueError):
        raise bad(OWNER, "statistic", "a function that gives one number", found, "Bootstrap one at a time.") from None


def _percentile(of: Statistic, base: Array, groups: Any, value: float, drawn: Array, at: Array) -> tuple[float, float]:
    low, high = np.quantile(drawn, at)
    return float(low), float(high)


def _bca(of: Statistic, base: Array, groups: Any, value: float, drawn: Array, at: Array) -> tuple[float, float]:
    """Where nothing varies there is nothing to correct."""
    below = ((drawn < value).mean() + (drawn <= value).mean()) / 2.0
    if not 0.0 < below < 1.0:  # all replicas on one side: the correction is without bound
        return _percentile(of, base, groups, value, drawn, at)
    z0, z = NormalDist().inv_cdf(float(below)), ndtri(at)
    moved = ndtr(z0 + (z0 + z) / (1.0 - _acceleration(of, base, groups, value) * (z0 + z)))
    return _percentile(of, base, groups, value, drawn, moved)


def _acceleration(of: Statistic, base: Array, groups: Any, value: float) -> float:
    """Skewness of the influence of single rows, or groups, over 6 sqrt(n), by leaving them out one at a time.

    Of a row of weight w, one of its w copies is left out, and counted w times.
    """
    units = np.arange(len(base)) if groups is None else code_labels(groups).codes[:, 0]
    influence, times = [], []
    live = np.unique(units[base > 0])
    if len(live) < 2:
        return 0.0
    for unit in live:
        here = units == unit
        part = 1.0 if groups is not None else min(float(base[here][0]), 1.0)
        rest = np.where(here, base - part if groups is None else 0, base)
        influence.append((value - of(rest.astype(base.dtype))) / part)
        times.append(1.0 if groups is not None else float(base[here][0]))
    U, m = np.array(influence), np.array(times)
    U = U - np.average(U, weights=m)
    scatter = float(m @ U**2)
    return float(m @ U**3) / (6.0 * scatter**1.5) if scatter > 0.0 and np.isfinite(scatter) else 0.0


METHODS = {"bca": _bca, "percentile": _percentile}
