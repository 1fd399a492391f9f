"""The smallest of several errors is too low: by how much."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.resampling.resampling_options import read_column, whole


@dataclass(frozen=True, eq=False)
class SmallestOf:
    """Single errors beside the smallest of a group of them, over all groups that can be formed."""

    group: int
    errors: Array  # (N,) in order
    chance: Array  # (N,) that an error is the smallest of its group

    @property
    def mean(self) -> float:
        """Mean of single errors."""
        return float(self.errors.mean())

    @property
    def spread(self) -> float:
        """Standard deviation of single errors."""
        return float(self.errors.std())

    @property
    def smallest_mean(self) -> float:
        """Mean of the smallest error of a group."""
        return self.mean + float(self.chance @ (self.errors - self.mean))

    @property
    def smallest_spread(self) -> float:
        """Standard deviation of the smallest error of a group."""
        return sqrt(float(self.chance @ (self.errors - self.smallest_mean) ** 2))

    @property
    def bias(self) -> float:
        """By how much the smallest error of a group is too low, as a number below 0."""
        return self.smallest_mean - self.mean

    def __str__(self) -> str:
        """Both, with their spread."""
        return (
            f"single errors {self.mean:.4g} +- {self.spread:.2g}, "
            f"smallest of {self.group} {self.smallest_mean:.4g} +- {self.smallest_spread:.2g}"
        )

    __repr__ = __str__


def smallest_of(errors: Any, group: int = 10) -> SmallestOf:
    """Show the bias of choosing by error: compare single errors with the smallest of each group of them.

        chance that the i-th smallest of N is the smallest of a group of k = C(N - i, k - 1) / C(N, k)

    Parameters
    ----------
    errors : estimates of the same error, such as `hold_out_errors(...).test`
    group : how many are compared when the smallest is kept

    >>> print(smallest_of([0.30, 0.28, 0.35, 0.31, 0.26], group=2))
    single errors 0.3 +- 0.03, smallest of 2 0.279 +- 0.018
    """
    values = np.sort(read_column("smallest_of", "errors", errors, 1))
    k, N = whole("smallest_of", "group", group, 1), len(values)
    if k > N:
        raise bad("smallest_of", "group", f"at most the number of errors, {N}", group, "Give more errors.")
    later = np.arange(N - 1, 0, -1.0)  # how many come after the one before
    fewer = np.clip((later - k + 1.0) / later, 0.0, 1.0)
    return SmallestOf(k, values, np.cumprod(np.concatenate([[k / N], fewer])))


def smallest_normal(group: int = 10) -> float:
    """The expected smallest of so many independent normal errors, in standard deviations from their mean.

        integral of z k phi(z) (1 - Phi(z))^(k-1) dz

    >>> round(smallest_normal(10), 4)
    -1.5388
    """
    k = whole("smallest_normal", "group", group, 1)
    peak = np.sqrt(2.0 * np.pi)
    found, _ = quad(
        lambda z: z * k * np.exp(-z * z / 2.0) / peak * ndtr(-z) ** (k - 1), -40.0, 40.0, points=[0.0, -5.0]
    )
    return float(found)
