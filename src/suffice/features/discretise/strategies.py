"""Ways to cut a column into bins: objects that plans hold, each with the limits it finds in a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.stats import chi2

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.decision.maps.binning import equal_frequency, equal_width
from suffice.decision.maps.isotonic_map import half_way
from suffice.features.discretise.agglomerative_merging import merge_classes, merge_neighbours, ward
from suffice.features.discretise.class_shares import SCORES
from suffice.features.discretise.optimal_bins import optimal_bins
from suffice.features.discretise.recursive_partitioning import STOPS, recursive_partitioning


@saved
@dataclass(frozen=True)
class EqualWidthCuts:
    """Bins of one width, between the smallest and the largest value or between given limits."""

    bins: int = 5
    low: float | None = None
    high: float | None = None

    supervised: ClassVar[bool] = False

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising."""
        if self.low is not None and self.high is not None:
            return np.linspace(self.low, self.high, self.bins + 1)[1:-1]
        return equal_width(owner, values, counts.sum(axis=1), self.bins) if values[0] < values[-1] else np.zeros(0)


@saved
@dataclass(frozen=True)
class DeviationCuts:
    """Limits at whole numbers of standard deviations around the mean."""

    bins: int = 6

    supervised: ClassVar[bool] = False

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising: for an even number of bins the mean is one of them."""
        weight = counts.sum(axis=1)
        centre = float(np.average(values, weights=weight))
        sd = float(np.sqrt(np.average((values - centre) ** 2, weights=weight)))
        return np.unique(centre + sd * (np.arange(1, self.bins) - self.bins / 2.0)) if sd > 0 else np.zeros(0)


@saved
@dataclass(frozen=True)
class EqualFrequencyCuts:
    """Bins of equal weight, as nearly as equal values stay together."""

    bins: int = 5

    supervised: ClassVar[bool] = False

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising."""
        return equal_frequency(owner, values, counts.sum(axis=1), self.bins)


@saved
@dataclass(frozen=True)
class OptimalCuts:
    """The bins of least squared distance from their means: exact k-means."""

    bins: int = 5
    squares: bool = True  # or distances from medians

    supervised: ClassVar[bool] = False

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising."""
        return between(values, optimal_bins(values, counts.sum(axis=1), self.bins, self.squares))


@saved
@dataclass(frozen=True)
class WardMerging:
    """Neighbouring values are merged, those first that add least to the squared distances, down to so many bins."""

    bins: int = 5

    supervised: ClassVar[bool] = False

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising."""
        weight = counts.sum(axis=1)
        x = values - np.average(values, weights=weight)
        start = merge_neighbours(np.column_stack([weight, weight * x]), ward, least=self.bins)
        return between(values, start)


@saved
@dataclass(frozen=True)
class RecursiveCuts:
    """Recursive partitioning by a score of splits, until a rule says stop."""

    score: str = "information_gain"
    stop: str = "mdl"
    most: int | None = None  # bins

    supervised: ClassVar[bool] = True

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising."""
        cuts = None if self.most is None else self.most - 1
        found = recursive_partitioning(counts, SCORES[self.score], STOPS[self.stop], cuts)
        return between(values, np.array([0, *(cut.after + 1 for cut in found)]))


@saved
@dataclass(frozen=True)
class ChiMerging:
    """Neighbouring values are merged while their classes differ less than is significant at the level p."""

    p: float = 0.05
    most: int | None = None  # bins

    supervised: ClassVar[bool] = True

    def limits(self, owner: str, values: Array, counts: Array) -> Array:
        """Limits between bins, rising."""
        K = counts.shape[1]
        limit = critical_value(self.p, K) if K > 1 else np.inf
        return between(values, merge_classes(counts, limit, most=self.most))


def critical_value(p: float, classes: int) -> float:
    """The chi-square that two bins with equal class shares exceed with probability p.

    >>> round(critical_value(0.10, 2), 2), round(critical_value(0.05, 2), 2)
    (2.71, 3.84)
    """
    return float(chi2.isf(p, classes - 1))


def between(values: Array, start: Array) -> Array:
    """Limits half-way between the last value of each bin and the first of the next."""
    first = start[1:]
    return half_way(values[first - 1], values[first]) if len(first) else np.zeros(0)


STRATEGIES: dict[str, Any] = {
    "mdl": lambda g: RecursiveCuts(g["objective"], "mdl", g["max_bins"]),
    "recpart": lambda g: RecursiveCuts(g["objective"], g["stop"], g["max_bins"]),
    "chimerge": lambda g: ChiMerging(float(g["p"]), g["max_bins"]),
    "kmeans": lambda g: OptimalCuts(g["n_bins"]),
    "kmedians": lambda g: OptimalCuts(g["n_bins"], squares=False),
    "ward": lambda g: WardMerging(g["n_bins"]),
    "equal_width": lambda g: EqualWidthCuts(g["n_bins"]),
    "equal_frequency": lambda g: EqualFrequencyCuts(g["n_bins"]),
    "deviations": lambda g: DeviationCuts(g["n_bins"]),
}


def read_strategy(owner: str, name: Any, given: dict[str, Any]) -> Any:
    """A strategy by name, with the parameters that it reads."""
    if not isinstance(name, str) or name not in STRATEGIES:
        raise bad(owner, "strategy", f"one of {tuple(STRATEGIES)}", name)
    for key, names in (("objective", SCORES), ("stop", STOPS)):
        if given[key] not in names:
            raise bad(owner, key, f"one of {tuple(names)}", given[key])
    for key in ("n_bins", "max_bins"):
        bins = given[key]
        ok = isinstance(bins, (int, np.integer)) and not isinstance(bins, bool) and bins >= 1
        if not (ok or (bins is None and key == "max_bins")):
            raise bad(owner, key, "a whole number of at least 1", bins)
    p = given["p"]
    if isinstance(p, bool) or not isinstance(p, (int, float, np.number)) or not 0 < p < 1:
        raise bad(owner, "p", "a probability between 0 and 1", Said(repr(p)), "0.05 is usual.")
    return STRATEGIES[name](given)
