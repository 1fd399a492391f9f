"""Reliability: do probabilities come true? Predicted beside observed, bin by bin, with bands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.ranked_scores import Against, against, rank_scores
from suffice.decision.maps.binning import checked_bins, equal_frequency, read_cut
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.scores.confusion import aligned, number_text
from suffice.evaluation.scores.estimate import share
from suffice.evaluation.scores.predictions import read_proba
from suffice.sources.tables.labels import code_labels
from suffice.summaries.rankings import Rankings

OWNER = "Reliability"


class Reliability(NamedTuple):
    """What share of the rows of each bin of predicted probability was positive, with Wilson's 95 % band.

        expected calibration error = sum over bins of weight / total weight * |predicted - observed|

    Exact from rankings of the predicted probabilities, which add: `Reliability.estimate(rank_scores(...) + ...)`.

    >>> table = Reliability.of([0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.9], bins=2)
    >>> print(table)
    predicted from   to  rows  predicted  observed     95 % band
    0.0             0.5     3     0.2000    0.3333  0.0615 to 0.7923
    0.5             1.0     2     0.8500    1.0000  0.3424 to 1.0000
    >>> round(table.expected_error, 4)
    0.14
    """

    limits: Array  # (B + 1,) of the bins; a probability at a limit belongs to the bin above
    weight: Array  # (B,) of the rows
    predicted: Array  # (B,) mean probability, NaN without rows
    observed: Array  # (B,) share of positives, NaN without rows
    low: Array  # (B,) band of the share
    high: Array  # (B,)

    @classmethod
    def of(
        cls,
        y_true: Any,
        proba: Any,
        classes: Any = None,
        sample_weight: Any = None,
        *,
        label: Any = None,
        bins: int = 10,
        cut: str = "equal_width",
    ) -> Reliability:
        """Compare probabilities with what happened.

        Parameters
        ----------
        y_true : one label a row
        proba : (n,) probability of the second of two classes, with y_true 0 or 1; or (n, K) with `classes`
        classes : the K labels of the columns of `proba`
        sample_weight : one weight a row, at least 0; it counts as so many rows
        label : the class whose probability is looked at; None: the most probable one of each row, and whether it was
            right
        bins : number of bins
        cut : "equal_width" for bins as long, from 0 to 1; "equal_frequency" for bins of as many rows
        """
        p, hit = _outcomes(y_true, proba, classes, label)
        w = read_weights(OWNER, sample_weight, len(p))
        return cls.estimate(rank_scores(p, hit, w), bins=bins, cut=cut)

    @classmethod
    def estimate(cls, rankings: Rankings, *, bins: int = 10, cut: str = "equal_width") -> Reliability:
        """The table of predicted probabilities ranked by outcome, such as the sum of those of shards."""
        read_cut(OWNER, cut)
        (side,) = against(OWNER, rankings)
        if side.values[0] < 0.0 or side.values[-1] > 1.0:
            raise bad(OWNER, "proba", "from 0 to 1", float(side.values[0 if side.values[0] < 0.0 else -1]))
        inner = CUTS[cut](side, checked_bins(OWNER, bins))
        place = np.searchsorted(inner, side.values, side="right")
        weight, positive, total = (
            np.bincount(place, part, len(inner) + 1) for part in (side.weight, side.positive, side.weight * side.values)
        )
        bands = [share(float(part), float(n)) for part, n in zip(positive, weight, strict=True)]
        low, high = np.array([(band.low, band.high) for band in bands]).T
        limits, rows = np.concatenate([[0.0], inner, [1.0]]), np.where(weight > 0.0, weight, np.nan)
        return cls(limits, weight, total / rows, positive / rows, low, high)

    @property
    def surplus(self) -> Array:
        """Expected minus observed number of positives of each bin (B,): 0 where probabilities come true."""
        return np.where(self.weight > 0.0, self.weight * (self.predicted - self.observed), 0.0)

    @property
    def expected_error(self) -> float:
        """Mean distance of predicted from observed, over all rows."""
        return float(np.abs(self.surplus).sum() / self.weight.sum())

    @property
    def largest_error(self) -> float:
        """Largest distance of predicted from observed of a bin."""
        return float(np.nanmax(np.abs(self.predicted - self.observed)))

    @property
    def outside(self) -> Array:
        """Bins whose mean prediction lies outside the band of what was observed (B,)."""
        return (self.predicted < self.low) | (self.predicted > self.high)

    def __str__(self) -> str:
        """One line for each bin with rows."""
        lines = [["predicted from", "to", "rows", "predicted", "observed", "95 % band"]]
        for b in np.flatnonzero(self.weight > 0.0):
            ends = [f"{limit:.4g}" if limit not in (0.0, 1.0) else f"{limit:.1f}" for limit in self.limits[b : b + 2]]
            numbers = [number_text(float(self.weight[b])), f"{self.predicted[b]:.4f}", f"{self.observed[b]:.4f}"]
            lines.append([*ends, *numbers, f"{self.low[b]:.4f} to {self.high[b]:.4f}"])
        return aligned(lines)


CUTS: dict[str, Callable[[Against, int], Array]] = {  # limits are fixed where widths are equal, so that tables compare
    "equal_width": lambda side, bins: np.arange(1, bins) / bins,
    "equal_frequency": lambda side, bins: equal_frequency(OWNER, side.values, side.weight, bins),
}


def _outcomes(y_true: Any, proba: Any, classes: Any, label: Any) -> tuple[Array, Array]:
    """The probability of each row that is looked at, and whether it came true."""
    if classes is None:
        if label is not None or np.ndim(proba) != 1:
            rule = "given where probabilities of several classes are"
            raise bad(OWNER, "classes", rule, Said("none"), "Name the columns of proba.")
        return np.asarray(proba), np.asarray(y_true)
    y = code_labels(y_true)
    p, names = read_proba(OWNER, proba, classes, len(y.codes))
    place = {name: k for k, name in enumerate(names)}
    true = np.array([place.get(name, -1) for name in y.labels[0]], dtype=np.intp)[y.codes[:, 0]]
    if label is None:
        answer = p.argmax(axis=1)
        return p[np.arange(len(p)), answer], answer == true
    if label not in place:
        raise bad(OWNER, "label", f"one of the classes {list(names)}", label)
    return p[:, place[label]], true == place[label]
