"""The gap between risk on the sample and true error, by number of rows, beside what theory bounds it with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.theory.empirical_risk import read_sample
from suffice.evaluation.theory.hypotheses import Hypotheses
from suffice.evaluation.theory.sample_bounds import agnostic_gap


@dataclass(frozen=True)
class GapCurve:
    """True error minus risk of the chosen hypothesis, in many samples of each size."""

    rows: Array  # (s,)
    gaps: Array  # (s, runs)
    bound: Array  # (s,) what is passed with probability at most delta
    delta: float

    @property
    def passed(self) -> Array:
        """The share of samples whose gap is above the bound (s,)."""
        return np.asarray((self.gaps > self.bound[:, None]).mean(axis=1))


def gap_by_rows(
    space: Hypotheses,
    theta: Any,
    X: Any,
    y: Any,
    rows: Any,
    *,
    delta: float = 0.05,
    runs: int = 50,
    random_state: int = 0,
) -> GapCurve:
    """Draw samples from a population, take the best of some hypotheses on each, and see how it does on all rows.

    The bound is Hoeffding's with the union bound, sqrt(ln(H / delta) / (2 m)): it holds because the H hypotheses were
    there before the sample was.

    Parameters
    ----------
    space : a set of hypotheses
    theta : (H, p) those that are chosen from
    X, y : the population, drawn from with replacement
    rows : sizes of samples
    delta : the probability with which the bound may be passed
    runs : samples of each size
    random_state : of the draws
    """
    population, labels = read_sample("gap_by_rows", X, y)
    sizes, rng = np.atleast_1d(np.asarray(rows)), np.random.default_rng(random_state)
    if sizes.dtype.kind not in "iu" or (sizes < 1).any() or runs < 1:
        raise bad("gap_by_rows", "rows and runs", "whole numbers of at least 1", rows)
    wrong = space.predict(np.asarray(theta, dtype=np.float64), population) != labels  # (H, N)
    errors, gaps = wrong.mean(axis=1), np.empty((len(sizes), runs))
    for s, m in enumerate(sizes.tolist()):
        for run in range(runs):
            risks = wrong[:, rng.integers(0, len(labels), m)].mean(axis=1)
            best = int(risks.argmin())
            gaps[s, run] = errors[best] - risks[best]
    bound = np.array([agnostic_gap(float(np.log(len(errors))), int(m), delta) for m in sizes])
    return GapCurve(sizes, gaps, bound, delta)
