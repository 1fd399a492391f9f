"""Measures of two-class rules as functions of their rates, and the lines in ROC space along which they are equal.

A measure that is linear in both rates has straight isometrics, parallel to one another: the first of them that a curve
touches, coming from the corner of perfect rules, touches it in a vertex of its hull. Information gain has curved ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.costs import checked_costs
from suffice.decision.decide.read_wishes import checked_prior

HALVINGS = 60  # of an interval of length 1: below the distance of neighbouring floats
WRONG = ((0.0, 1.0), (1.0, 0.0))


class OperatingPoint(NamedTuple):
    """A threshold, the rates of the rule it makes, and the value of a measure there."""

    threshold: float
    fpr: float
    tpr: float
    value: float


class Measure(Protocol):
    """What is measured of a rule with given rates."""

    @property
    def more_is_better(self) -> bool:
        """Whether the best value is the largest."""
        ...

    @property
    def size(self) -> float:
        """How large its terms are, for the rounding of its values."""
        ...

    def value(self, fpr: Any, tpr: Any) -> Array:
        """The measure at some rates."""
        ...

    def isometric(self, value: float, fpr: Any) -> Array:
        """The true positive rates at which the measure has a value; NaN where none from 0 to 1 does."""
        ...


@dataclass(frozen=True)
class LinearMeasure:
    """constant + by_fpr * fpr + by_tpr * tpr.

    >>> accuracy = LinearMeasure.accuracy([0.8, 0.2])
    >>> accuracy.slope, float(accuracy.value(0.1, 0.5))
    (4.0, 0.82)
    >>> accuracy.isometric(0.82, [0.0, 0.1, 0.2])
    array([0.1, 0.5, 0.9])
    """

    constant: float
    by_fpr: float
    by_tpr: float
    more_is_better: bool = True

    @classmethod
    def accuracy(cls, prior: Any) -> LinearMeasure:
        """Share of right answers: prior[0] (1 - fpr) + prior[1] tpr.

        Parameters
        ----------
        prior : (2,) probabilities of negative and positive
        """
        negative, positive = _prior(prior)
        return cls(negative, -negative, positive)

    @classmethod
    def average_recall(cls) -> LinearMeasure:
        """The mean of the rates of right answers in both classes, whatever their sizes: (1 - fpr + tpr) / 2."""
        return cls(0.5, -0.5, 0.5)

    @classmethod
    def expected_cost(cls, prior: Any, costs: Any = None) -> LinearMeasure:
        """The expected cost of a row.

        Parameters
        ----------
        prior : (2,) probabilities of negative and positive
        costs : (2, 2) costs[true, called], the negative class first; None costs 1 if wrong
        """
        negative, positive = _prior(prior)
        (spared, false_alarm), (miss, hit) = two_class_costs("LinearMeasure", costs).tolist()
        constant = negative * spared + positive * miss
        return cls(constant, negative * (false_alarm - spared), positive * (hit - miss), False)

    @property
    def slope(self) -> float:
        """How much the true positive rate must rise with the false positive rate; infinite where it does not count."""
        if self.by_tpr == 0.0:
            return np.inf
        return -self.by_fpr / self.by_tpr

    @property
    def size(self) -> float:
        """The sum of the sizes of its terms."""
        return abs(self.constant) + abs(self.by_fpr) + abs(self.by_tpr)

    def value(self, fpr: Any, tpr: Any) -> Array:
        """The measure at some rates."""
        return np.asarray(self.constant + self.by_fpr * _rates("fpr", fpr) + self.by_tpr * _rates("tpr", tpr))

    def isometric(self, value: float, fpr: Any) -> Array:
        """The true positive rates at which the measure has a value; NaN where none from 0 to 1 does."""
        if self.by_tpr == 0.0:
            return np.full(np.shape(fpr), np.nan)
        tpr = np.asarray((value - self.constant - self.by_fpr * _rates("fpr", fpr)) / self.by_tpr)
        slack = 4.0 * float(np.finfo(np.float64).eps) * (abs(value) + self.size) / abs(self.by_tpr)
        inside = (tpr >= -slack) & (tpr <= 1.0 + slack)
        return np.where(inside, np.clip(tpr, 0.0, 1.0), np.nan)


@dataclass(frozen=True)
class InformationGain:
    """How many bits the answer tells about the class: H(class) - H(class | answer).

    It is 0 on the diagonal, and grows with the distance from it on both sides.

    Parameters
    ----------
    prior : (2,) probabilities of negative and positive

    >>> gain = InformationGain((0.5, 0.5))
    >>> gain.value([0.0, 0.3], [1.0, 0.3]).round(12)
    array([1., 0.])
    >>> gain.isometric(gain.value(0.1, 0.6), [0.1, 0.2]).round(4)
    array([0.6   , 0.7292])
    """

    prior: tuple[float, float]

    def __post_init__(self) -> None:
        """Keep two floats."""
        negative, positive = _prior(self.prior, "InformationGain")
        object.__setattr__(self, "prior", (negative, positive))

    @property
    def more_is_better(self) -> bool:
        """The more bits, the better."""
        return True

    @property
    def size(self) -> float:
        """The largest entropy of two classes."""
        return 1.0

    def value(self, fpr: Any, tpr: Any) -> Array:
        """Information gain in bits at some rates."""
        negative, positive = self.prior
        a, b = negative * _rates("fpr", fpr), positive * _rates("tpr", tpr)
        c, d = negative - a, positive - b
        together = _bits(negative) + _bits(positive) - _bits(negative + positive)
        apart = _bits(a) + _bits(b) - _bits(a + b) + _bits(c) + _bits(d) - _bits(c + d)
        return np.asarray(np.maximum(together - apart, 0.0))

    def isometric(self, value: Any, fpr: Any, lower: bool = False) -> Array:
        """The true positive rates above the diagonal, or below it, where the gain has a value; NaN where none has.

        Parameters
        ----------
        value : bits
        fpr : false positive rates
        lower : below the diagonal instead of above it
        """
        near = _rates("fpr", fpr).astype(np.float64)
        x, far = near.copy(), np.full_like(near, 0.0 if lower else 1.0)
        reached = self.value(x, far) >= value - 1e-15
        end = far.copy()
        for _ in range(HALVINGS):
            middle = 0.5 * (near + far)
            more = self.value(x, middle) > value
            near, far = np.where(more, near, middle), np.where(more, middle, far)
        return np.where(reached, np.where(self.value(x, end) <= value, end, 0.5 * (near + far)), np.nan)


def two_class_costs(owner: str, costs: Any = None) -> Array:
    """Costs[true, called] (2, 2), the negative class first; None costs 1 if wrong."""
    table = checked_costs(owner, WRONG if costs is None else costs, 2)
    if table.ndim != 2:
        rule = "one table of 2 rows and 2 columns for all rows"
        raise bad(owner, "costs", rule, Said(f"shape {table.shape}"), "For costs of each row, use Decision.")
    return table


def _bits(p: Any) -> Array:
    """-p log2 p, 0 at 0."""
    p = np.maximum(p, 0.0)
    return np.asarray(-p * np.log2(np.where(p > 0.0, p, 1.0)))


def _prior(prior: Any, owner: str = "LinearMeasure") -> tuple[float, float]:
    negative, positive = checked_prior(owner, prior, 2).tolist()
    return negative, positive


def _rates(name: str, rates: Any) -> Array:
    """Numbers from 0 to 1."""
    r = np.asarray(rates, dtype=np.float64)
    wrong = ~((r >= 0.0) & (r <= 1.0))
    if wrong.any():
        raise bad("isometric", name, "rates from 0 to 1", Said(f"{float(r[wrong].flat[0])}"))
    return r
