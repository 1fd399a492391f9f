"""Tests of two models by paired values: scores of the same folds, or of the same data sets."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom, t, wilcoxon

from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import as_real
from suffice.evaluation.comparing.significance import Significance
from suffice.evaluation.resampling.resampling_options import read_level, read_pair
from suffice.evaluation.scores.estimate import LEVEL

ROUNDING = 1e-14  # of the values: a spread of their differences below this is none


class PairedT(NamedTuple):
    """The mean difference of paired values, and its t test."""

    difference: float  # mean of first - second
    standard_error: float
    degrees: int  # of freedom

    @property
    def result(self) -> Significance:
        """The test; without any spread, a difference is certain, and no difference is none."""
        if self.standard_error > 0.0:
            statistic = self.difference / self.standard_error
        else:
            statistic = 0.0 if self.difference == 0.0 else inf * np.sign(self.difference)
        return Significance("paired t", float(statistic), float(2.0 * t.sf(abs(statistic), self.degrees)))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The interval of the difference."""
        half = float(t.ppf(0.5 + read_level(self, level) / 2.0, self.degrees)) * self.standard_error
        return self.difference - half, self.difference + half

    def __str__(self) -> str:
        """The difference, its interval and the test."""
        low, high = self.interval()
        return f"difference {self.difference:.4g} ({low:.4g} to {high:.4g}), {self.result}"


def paired_t(first: Any, second: Any, test_ratio: float = 0.0) -> PairedT:
    """Test whether two models differ by their scores on the same splits.

        t = d / sqrt((1 / J + test rows / training rows) s^2),   d and s^2 mean and variance of J differences

    Training sets of folds overlap, so that scores of folds vary less than they should, and the plain t test
    (`test_ratio` 0) finds differences where there are none. The ratio of test to training rows corrects for it.

    Parameters
    ----------
    first, second : values of the same J >= 2 splits, such as `cross_validate(...).values("accuracy")`
    test_ratio : test rows over training rows: 1 / (K - 1) for K folds; 0 for values that are independent

    >>> print(paired_t([0.90, 0.85, 0.92, 0.88], [0.85, 0.86, 0.88, 0.83], test_ratio=1 / 3))
    difference 0.0325 (-0.03731 to 0.1023), paired t: statistic 1.4815, p = 0.2351

    References
    ----------
    C. Nadeau and Y. Bengio, Inference for the generalization error (2003).
    """
    a, b = read_pair("paired_t", first, second, least=2)
    ratio = as_real("paired_t", "test_ratio", "a number of at least 0", test_ratio)
    if ratio < 0.0:
        raise bad("paired_t", "test_ratio", "a number of at least 0", test_ratio, "Divide test by training rows.")
    d = a - b
    s = float(d.std(ddof=1))
    s = s if s > ROUNDING * float(np.abs([a, b]).max()) else 0.0
    return PairedT(float(d.mean()), s * sqrt(1.0 / len(d) + ratio), len(d) - 1)


class Wins(NamedTuple):
    """How often the first of two models was better, the second, or neither."""

    first: int
    second: int
    ties: int

    @property
    def result(self) -> Significance:
        """The sign test: as likely as that many or more of fair coins on one side; ties are left out."""
        fewer, games = min(self.first, self.second), self.first + self.second
        return Significance("sign test", float(self.first), min(1.0, float(2.0 * binom.cdf(fewer, games, 0.5))))

    def __str__(self) -> str:
        """The counts and the test."""
        return f"{self.first} wins, {self.second} losses, {self.ties} ties, {self.result}"


def sign_test(first: Any, second: Any) -> Wins:
    """Count on how many data sets the first model has the larger value, and test whether that is chance.

    Parameters
    ----------
    first, second : values of the same data sets

    >>> print(sign_test([0.9, 0.8, 0.7, 0.9, 0.6, 0.8], [0.8, 0.7, 0.6, 0.8, 0.5, 0.8]))
    5 wins, 0 losses, 1 ties, sign test: statistic 5.0000, p = 0.0625
    """
    a, b = read_pair("sign_test", first, second)
    return Wins(int((a > b).sum()), int((a < b).sum()), int((a == b).sum()))


def signed_ranks(first: Any, second: Any) -> Significance:
    """Wilcoxon's signed rank test over several data sets: larger differences count more, by their rank alone.

    SciPy's, exact for few values without ties, else by the normal distribution. Differences of 0 are left out; where
    there are no others, p is 1.

    Parameters
    ----------
    first, second : values of the same data sets

    >>> print(signed_ranks([0.91, 0.82, 0.73, 0.94, 0.65], [0.90, 0.80, 0.70, 0.90, 0.60]))
    signed ranks: statistic 0.0000, p = 0.0625
    """
    a, b = read_pair("signed_ranks", first, second)
    if (a == b).all():
        return Significance("signed ranks", 0.0, 1.0)
    found = wilcoxon(a, b)
    return Significance("signed ranks", float(found.statistic), float(found.pvalue))
