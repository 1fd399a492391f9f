"""Version spaces: the hypotheses without an error on the sample, and how soon only good ones are left.

A version space is eps-exhausted when the true error of all of them is at most eps; what survives is above it with
probability at most |H| exp(-eps m). "At most" and not "below" here and in every other function (C.E38).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.theory.empirical_risk import read_sample, risks_of
from suffice.evaluation.theory.hypotheses import Hypotheses
from suffice.evaluation.theory.sample_bounds import consistent_doubt


def version_space(space: Hypotheses, theta: Any, X: Any, y: Any) -> Array:
    """Which of some hypotheses (H, p) make no error on a sample (H,).

    >>> from suffice.evaluation import Thresholds
    >>> theta = np.array([[0.5, 1.0], [1.5, 1.0], [2.5, 1.0]])
    >>> version_space(Thresholds(), theta, [[1.0], [2.0]], [0, 1]).tolist()
    [False, True, False]
    """
    rows, labels = read_sample("version_space", X, y)
    return np.asarray(risks_of(space, np.asarray(theta, dtype=np.float64), rows, labels) == 0.0)


@dataclass(frozen=True)
class Exhaustion:
    """How often version spaces were not exhausted, beside the most that theory allows."""

    eps: float
    rows: Array  # (s,) sizes of samples
    left: Array  # (s,) share of runs in which a hypothesis with more than eps of error survived
    bound: Array  # (s,) |H| exp(-eps m), at most 1
    survivors: Array  # (s,) mean number of hypotheses that survived


def exhaust(
    space: Hypotheses, theta: Any, X: Any, y: Any, rows: Any, *, eps: float, runs: int = 200, random_state: int = 0
) -> Exhaustion:
    """Draw samples from a population, again and again, and look at what survives them.

    Parameters
    ----------
    space : a set of hypotheses
    theta : (H, p) those that are looked at
    X, y : the population: its rows are drawn with replacement, and true errors are shares of it
    rows : sizes of samples
    eps : the error that is approximately right
    runs : samples of each size
    random_state : of the draws
    """
    population, labels = read_sample("exhaust", X, y)
    theta, sizes = np.asarray(theta, dtype=np.float64), np.atleast_1d(np.asarray(rows))
    if sizes.dtype.kind not in "iu" or (sizes < 1).any() or runs < 1:
        raise bad("exhaust", "rows and runs", "whole numbers of at least 1", rows)
    wrong = space.predict(theta, population) != labels  # (H, N)
    bad_ones, rng = wrong.mean(axis=1) > eps, np.random.default_rng(random_state)
    left, survivors = np.empty(len(sizes)), np.empty(len(sizes))
    for s, m in enumerate(sizes.tolist()):
        kept = np.array([~wrong[:, rng.integers(0, len(labels), m)].any(axis=1) for _ in range(runs)])
        left[s], survivors[s] = (kept & bad_ones).any(axis=1).mean(), kept.sum(axis=1).mean()
    bound = np.array([consistent_doubt(float(np.log(len(theta))), int(m), eps) for m in sizes])
    return Exhaustion(eps, sizes, left, bound, survivors)
