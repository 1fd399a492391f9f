"""Outliers: rows that no class explains, which is another thing than rows that two classes explain equally well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.decision.decide.read_wishes import as_numbers, as_real, checked_weights

OUTLIER = -2  # beside REFUSE, which is -1
DENSITY = "the logarithm of a density for each row"


@saved
@dataclass(frozen=True)
class Outliers:
    """Refuse rows whose density is too low to say anything about them, whatever the classes are.

        outlier(x)  where  log p(x) < least,   p(x) = sum_c p(x | c) prior(c)

    A row of unknown density (NaN) is an outlier; on the limit it is not.

    Parameters
    ----------
    least: the lowest log density of a row that may be answered.

    >>> limit = Outliers.below([-3.0, -1.0, -2.0, -9.0], share=0.25)
    >>> limit
    Outliers(least=-3.0)
    >>> limit.mark([0, 1, -1, 1], [-2.5, -50.0, -2.5, -3.0])
    array([ 0, -2, -1,  1])
    """

    least: float

    def __post_init__(self) -> None:
        """Infinite limits are welcome: -inf finds no outliers but NaN."""
        if (
            isinstance(self.least, bool)
            or not isinstance(self.least, int | float | np.number)
            or self.least != self.least
        ):
            raise bad("Outliers", "least", "a log density", self.least)
        object.__setattr__(self, "least", float(self.least))

    @classmethod
    def below(cls, log_density: Any, share: float, sample_weight: Any = None) -> Outliers:
        """The limit that at most this share of the training rows lies below: the quantile of their log densities.

        Parameters
        ----------
        log_density: (n,) of the rows of training.
        share: from 0 (no row of training is an outlier) to below 1.
        sample_weight: (n,) weight w counts as w copies.
        """
        values = checked_density("Outliers", log_density)
        w = checked_weights("Outliers", "sample_weight", sample_weight, len(values), "rows")
        return cls(quantile(*ordered(values, w), checked_share("Outliers", share)))

    def found(self, log_density: Any) -> Array:
        """Which rows are outliers (n,)."""
        return ~(checked_density("Outliers", log_density, known=False) >= self.least)

    def mark(self, actions: Any, log_density: Any) -> Array:
        """The actions of a `Decision` (n,), but -2 for outliers; -1 still says that classes were too close."""
        return np.where(self.found(log_density), OUTLIER, np.asarray(actions))


def ordered(values: Array, w: Array) -> tuple[Array, Array]:
    """Values of weight above 0 from low to high, and the share of the weight below each."""
    values, w = values[w > 0.0], w[w > 0.0]
    order = np.argsort(values, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(w[order])])
    return values[order], before[:-1] / before[-1]


def quantile(values: Array, below: Array, share: float) -> float:
    """The largest of the ordered values that no more than a share of the weight lies below; below share of the ties."""
    place = np.searchsorted(below, share + np.finfo(np.float64).eps * len(below), side="right") - 1
    return float(values[place])


def checked_share(owner: object, share: Any) -> float:
    """A share of the rows, less than all."""
    rule = "a share of the rows, from 0 to below 1"
    number = as_real(owner, "share", rule, share)
    if not 0.0 <= number < 1.0:
        raise bad(owner, "share", rule, share)
    return number


def checked_density(owner: object, log_density: Any, known: bool = True) -> Array:
    """Log densities (n,); NaN only where they may be unknown."""
    values = as_numbers(owner, "log_density", DENSITY, log_density)
    if values.ndim != 1:
        raise bad(owner, "log_density", DENSITY, values.shape)
    if known and (np.isnan(values).any() or not values.size):
        raise bad(owner, "log_density", f"{DENSITY} of training, at least one and none of them NaN", log_density)
    return values
