"""The best place to cut a ranking in two: the exact sweep over all thresholds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.costs import checked_costs, zero_one
from suffice.decision.decide.read_wishes import as_numbers, checked_answers, checked_weights

FAR = 1e9  # stands for a threshold at infinity where distances are compared
CLOSE = 64 * float(np.finfo(np.float64).eps)  # sums that differ by less than this, relatively, are equal


class Cut(NamedTuple):
    """Answer the second class where the score is above the threshold."""

    threshold: float  # -inf: always the second class; inf: always the first
    cost: float  # of all rows together


def best_cut(scores: Any, y: Any, costs: Any = None, sample_weight: Any = None, start: float = 0.0) -> Cut:
    """The threshold on a score with the least total cost on these rows, over all thresholds.

        minimise over t   sum_i weight_i costs[y_i, score_i > t]

    Rows of one score move together. Of several best cuts it is the one nearest to `start`, which is kept where it is
    among the best, and otherwise halfway between two scores. The best may be not to cut at all: always one class.

    Parameters
    ----------
    scores: (n,) finite, higher for the second class.
    y: (n,) 0 for the first class, 1 for the second.
    costs: (2, 2) costs[true, answer]; None counts errors.
    sample_weight: (n,) weight w counts as w copies.
    start: the threshold to keep if none is better.

    >>> best_cut([1.0, 4.0, 3.0, 8.0], [0, 0, 1, 1])
    Cut(threshold=2.0, cost=1.0)
    """
    rule = "one finite number for each row"
    values = as_numbers("best_cut", "scores", rule, scores)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise bad("best_cut", "scores", f"{rule}, at least one", scores)
    codes = checked_answers("best_cut", "y", y, None, 2, len(values))
    table = zero_one(2) if costs is None else checked_costs("best_cut", costs, 2)
    if table.ndim == 3:
        raise bad("best_cut", "costs", "a table of shape (2, 2)", table.shape)
    paid = table[codes] * checked_weights("best_cut", "sample_weight", sample_weight, len(values), "rows")[:, None]
    return sweep(values, paid[:, 0], paid[:, 1], start)


def sweep(scores: Array, below: Array, above: Array, start: float, close: float = 0.0) -> Cut:
    """The cheapest cut, where each row has a price below the threshold and one above it.

    Scores that differ by no more than `close`, relatively or absolutely, move together like equal ones.
    """
    order = np.argsort(scores, kind="stable")
    s = scores[order]
    price = np.concatenate([[0.0], np.cumsum((below - above)[order])]) + above.sum()  # with the first k rows below
    ends = np.concatenate([[-np.inf], s, [np.inf]])  # cut k lies between ends[k] and ends[k + 1]
    apart = np.ones(len(s) + 1, dtype=bool)
    apart[1:-1] = s[1:] - s[:-1] > close * np.maximum(1.0, np.abs(s[1:]))
    slack = CLOSE * (np.abs(below).sum() + np.abs(above).sum())  # what only rounding decides is a tie
    cuts = np.flatnonzero(apart)
    cuts = cuts[price[cuts] <= price[cuts].min() + slack]
    away = np.maximum(ends[cuts] - np.clip(start, -FAR, FAR), np.clip(start, -FAR, FAR) - ends[cuts + 1])
    k = int(cuts[np.maximum(away, 0.0).argmin()])
    return Cut(_between(float(ends[k]), float(ends[k + 1]), start, close), float(price[k]))


def _between(low: float, high: float, start: float, close: float) -> float:
    """The start where it lies between, an infinite end where there is one, otherwise the middle."""
    near = close * max(1.0, *(abs(end) for end in (low, high) if np.isfinite(end)), 0.0)
    if low + near < start < high - near:
        return start
    if np.isinf(low) or np.isinf(high):
        return low if np.isinf(low) else high
    middle = max(low, low / 2.0 + high / 2.0)
    return (
        middle if middle < high else low
    )  # between neighbours there is nothing, and the lower one is not above itself
