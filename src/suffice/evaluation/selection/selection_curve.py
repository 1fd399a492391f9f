"""SelectionCurve: scores against a penalty or a complexity, with standard errors, and which value is chosen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

OWNER = "SelectionCurve"


class SelectionCurve(NamedTuple):
    """The mean score of each value over folds, and how far it can be trusted.

        standard error = sd over the folds * sqrt(1 / number of folds + test_ratio)

    >>> curve = SelectionCurve.of("alpha", [0.1, 1.0, 10.0], [[1.0, 3.0], [1.5, 2.0], [2.0, 2.4]], larger=False)
    >>> curve.mean, curve.error.round(2), curve.best, curve.simplest("largest")
    (array([2.  , 1.75, 2.2 ]), array([1.  , 0.25, 0.2 ]), 1, 1)
    """

    parameter: str
    values: Array  # (m,) in the order they were tried
    scores: Array  # (m, folds) on rows left out
    scoring: str
    larger: bool  # whether a larger score is a better one
    training: Array | None = None  # (m, folds) on the rows learned from
    test_ratio: float = 0.0  # test rows over training rows, where the overlap of random splits is to count

    @classmethod
    def of(
        cls,
        parameter: str,
        values: Any,
        scores: Any,
        *,
        larger: bool,
        scoring: str = "score",
        training: Any = None,
    ) -> SelectionCurve:
        """From numbers.

        Parameters
        ----------
        parameter : its name
        values : (m,) that were tried
        scores : (m, folds) the score of each fold; one fold has no standard error
        larger : whether a larger score is a better one
        scoring : the name of the score
        training : (m, folds) scores of the rows learned from, if they are to be shown
        """
        x, y = _numbers("values", values, 1), _numbers("scores", scores, 2)
        train = None if training is None else _numbers("training", training, 2)
        for name, table in (("scores", y), ("training", train)):
            if table is not None and len(table) != len(x):
                raise bad(OWNER, name, f"a line of folds for each of the {len(x)} values", Said(f"{len(table)}"))
        return cls(parameter, x, y, scoring, bool(larger), train)

    @property
    def mean(self) -> Array:
        """Over the folds (m,)."""
        return np.asarray(self.scores.mean(axis=1))

    @property
    def error(self) -> Array:
        """Standard error of the mean (m,); NaN for one fold."""
        return standard_error(self.scores, self.test_ratio)

    @property
    def best(self) -> int:
        """The place of the best mean; the first of several."""
        return int(np.nanargmax(self.mean if self.larger else -self.mean))

    @property
    def limit(self) -> float:
        """The worst mean that is within one standard error of the best; the best itself for one fold."""
        slack = float(np.nan_to_num(self.error[self.best]))
        return float(self.mean[self.best]) + (-slack if self.larger else slack)

    def simplest(self, end: str = "first") -> int:
        """The place of the simplest value within one standard error of the best.

        Parameters
        ----------
        end : which values are simple: the "first" that were tried, the "smallest" or the "largest"
        """
        if end not in ENDS:
            raise bad(OWNER, "end", f"one of {', '.join(ENDS)}", end)
        good = self.mean >= self.limit if self.larger else self.mean <= self.limit
        order = ENDS[end](self.values)
        return int(order[good[order]][0])


ENDS: dict[str, Any] = {
    "first": lambda values: np.arange(len(values)),
    "smallest": lambda values: np.argsort(values, kind="stable"),
    "largest": lambda values: np.argsort(-values, kind="stable"),
}


def standard_error(scores: Array, test_ratio: float = 0.0) -> Array:
    """Of the mean over folds (m,); NaN for one."""
    folds = scores.shape[1]
    if folds < 2:
        return np.full(len(scores), np.nan)
    return np.asarray(scores.std(axis=1, ddof=1) * np.sqrt(1.0 / folds + test_ratio))


def _numbers(name: str, values: Any, axes: int) -> Array:
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(OWNER, name, "numbers", values) from None
    if table.ndim != axes or 0 in table.shape:
        raise bad(OWNER, name, f"numbers with {axes} axes", Said(f"shape {table.shape}"))
    return table
