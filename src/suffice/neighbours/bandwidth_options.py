"""The names of bandwidths: rules that find one from the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from suffice.core.errors import bad
from suffice.families.windows.bandwidths import BandwidthRule, LeaveOneOut
from suffice.families.windows.sheather_jones import SheatherJones
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.windows import Window


@dataclass(frozen=True)
class UnitScott:
    """n^(-1 / (d + 4)), with n the weight of the rows: scikit-learn's, for columns whose spread is 1."""

    def factor(self, points: Points) -> float:
        """The bandwidth, whatever the unit of the columns."""
        return float(max(points.total, 1.0) ** (-1.0 / (points.d + 4)))


@dataclass(frozen=True)
class UnitSilverman:
    """(n (d + 2) / 4)^(-1 / (d + 4)), with n the weight of the rows: scikit-learn's, for columns whose spread is 1."""

    def factor(self, points: Points) -> float:
        """The bandwidth, whatever the unit of the columns."""
        return float((max(points.total, 1.0) * (points.d + 2) / 4.0) ** (-1.0 / (points.d + 4)))


SMALLEST = 2.0**-1022  # one over a smaller bandwidth is no number


NAMED: Mapping[str, UnitScott | UnitSilverman | BandwidthRule] = {
    "scott": UnitScott(),
    "silverman": UnitSilverman(),
    "sheather-jones": SheatherJones(),
    "leave-one-out": LeaveOneOut(),
}


def find_bandwidth(owner: str, given: Any, points: Points, window: Window) -> float:
    """The bandwidth that was given, or that a rule finds in these points."""
    rule: Any = NAMED[given] if isinstance(given, str) else given
    if isinstance(rule, UnitScott | UnitSilverman):
        return rule.factor(points)
    if not hasattr(rule, "choose"):
        return float(rule)
    refuse_tiny_spread(owner, points)
    found = float(rule.choose(points, window))
    if not found > points.smallest:
        remedy = "Give a number, or leave constant columns out."
        raise bad(owner, "X", f"spread out where bandwidth is {given!r}", "rows that are all equal", remedy)
    return found


def refuse_tiny_spread(owner: str, points: Points) -> None:
    """Say so where bandwidths would be too small to divide by."""
    if 0.0 < points.spread < SMALLEST:
        raise bad(owner, "X", f"spread out by at least {SMALLEST:.2g}", points.spread, "Take another unit.")
