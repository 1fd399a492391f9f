"""The number of components under which rows that were held out are most probable: folds are added, not refitted.

log p(x | k) of probabilistic components depends on held-out rows by their moments alone, so that no row is read twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.projections.components.principal_plan import PrincipalLearner, complete_moments
from suffice.summaries.pattern_moments import PatternMoments


class ComponentScores(NamedTuple):
    """Mean log density of rows held out, for each number of components."""

    scores: Array  # (d,) for 0, 1, ... d - 1 components
    errors: Array  # (d,) standard error over the folds
    best: int  # where it is largest
    simplest: int  # the fewest components within one standard error of it


def choose_components(X: Any, *, folds: int = 5, seed: int = 0) -> ComponentScores:
    """Cross-validate the number of principal components.

    Parameters
    ----------
    X : complete rows (n, d), two columns or more
    folds : in how many parts the rows are held out, by the seed
    seed : of the folds

    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 1)) @ np.ones((1, 4)) + 0.3 * rng.normal(size=(300, 4))
    >>> choose_components(X).simplest
    1
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] < 2 or not np.isfinite(X).all():
        raise bad(
            "choose_components", "X", "complete rows of two columns or more", Said(f"shape {X.shape}"), "Fill gaps."
        )
    if not (isinstance(folds, int) and 2 <= folds <= len(X) // 2):
        rule = f"a whole number from 2 to {len(X) // 2}, half the rows"
        raise bad("choose_components", "folds", rule, folds, "Use 5.")
    mine = np.random.default_rng(seed).permutation(np.arange(len(X)) % folds)
    parts = [
        PatternMoments.of(X[mine == k], Shares.hard(np.zeros((mine == k).sum(), dtype=np.int32), 1))
        for k in range(folds)
    ]
    found = np.array([_scores([p for p in parts if p is not out], out) for out in parts])
    mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(folds)
    best = int(np.argmax(mean))
    within = np.flatnonzero(mean >= mean[best] - error[best])
    return ComponentScores(mean, error, best, int(within[0]))


def _scores(parts: list[PatternMoments], out: PatternMoments) -> Array:
    """Mean log density of the rows of one fold under the others, for each number of components."""
    model = PrincipalLearner("choose_components", None, False, "").estimate(PatternMoments.sum(parts))
    held, d = complete_moments(out), model.axes.shape[1]
    if len(model.variances) < d or not (model.variances > 0).all():
        got = Said(f"rows that vary along {int((model.variances > 0).sum())}")
        raise bad(
            "choose_components", "X", f"rows that vary along all {d} axes in each fold", got, "Leave columns out."
        )
    gap = (held.mean.high[0] - model.mean.high) + (held.mean.low[0] - model.mean.low)
    squares = ((model.axes @ held.covariance[0]) * model.axes).sum(axis=1) + (model.axes @ gap) ** 2
    logs = np.empty(d)
    for k in range(d):
        noise, kept = float(model.variances[k:].mean()), model.variances[:k]
        fit = (
            float((np.log(kept) + squares[:k] / kept).sum())
            + (d - k) * np.log(noise)
            + float(squares[k:].sum()) / noise
        )
        logs[k] = -0.5 * (fit + d * np.log(2.0 * np.pi))
    return logs
