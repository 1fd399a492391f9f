"""Rules for linear scores: directions from means, metrics and least squares. No scikit-learn.

w = M^-1 (n+ mu+ - n- mu-):   M = 1, n = 1: the basic linear classifier;   M = X'X, n = counts: least squares
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.linear_learner import centre_of, levels, problem_of
from suffice.linear.scores.linear_scores import means
from suffice.linear.terms import ByTerm
from suffice.summaries.shifted_sums import refuse_vanishing


@saved
@dataclass(frozen=True)
class Metric:
    """How lengths are measured: by all covariances of terms, by their variances, by one variance for all, or not."""

    variances: bool = False
    covariances: bool = False
    alike: bool = False

    def solve(self, S: Array, B: Array) -> Array:
        """M^-1 B for the covariance S (p, p) of all rows about their mean; terms that never vary tell nothing."""
        spread = np.diagonal(S)
        if self.covariances:
            length = np.sqrt(np.where(spread > 0, spread, 1.0))
            scaled = np.linalg.pinv(S / length[:, None] / length, rcond=1e-10, hermitian=True)
            return np.asarray(scaled @ (B / length[:, None]) / length[:, None])
        if self.variances:
            return np.asarray(np.divide(B, spread[:, None], out=np.zeros_like(B), where=spread[:, None] > 0))
        return np.asarray(B / spread.mean() if self.alike and spread.any() else B)


METRICS: Mapping[str, Metric] = {
    "identity": Metric(),
    "spherical": Metric(alike=True),
    "diagonal": Metric(variances=True),
    "full": Metric(covariances=True),
}


def read_metric(owner: str, given: Any) -> Metric:
    """The metric of a name."""
    if not isinstance(given, str) or given not in METRICS:
        raise bad(owner, "metric", f"one of {', '.join(METRICS)}", given, "identity is the plain distance.")
    return METRICS[given]


@saved
@dataclass(frozen=True)
class NearestMean:
    """The class whose mean is nearest: w = M^-1 (mu+ - mu-), the boundary half way between the means."""

    metric: Metric = field(default_factory=Metric)

    def scores(self, kept: ByTerm, classes: tuple[Any, ...], owner: str) -> tuple[Array, Array, Array]:
        """score_k = (x - mu_k/2) M^-1 mu_k, about the mean of all rows; of two classes, the difference of scores."""
        mean, moments = means(kept)
        refuse_vanishing(moments)
        every = moments.pooled()
        middle = (every.mean - exact(moments.shift)).value[0]
        mean = np.where(moments.rows[:, None] > 0, mean - middle, 0.0)
        W = self.metric.solve(every.covariance[0], mean.T).T
        at = -(W * mean).sum(axis=1) / 2.0
        if len(classes) == 2:  # a.a - b.b would cancel
            W = (W[1] - W[0])[None]
            at = -W @ (mean[0] + mean[1]) / 2.0
        if len(classes) == 1:
            W, at = np.zeros_like(W), np.zeros(1)
        return W, at - W @ middle, moments.shift


@saved
@dataclass(frozen=True)
class Regressed:
    """Least squares on codes of the classes: +1 for the class and -1 for the others."""

    solver: Any
    intercept: bool = True
    class_weight: Any = None  # None, "balanced", or label -> weight
    one_by_one: bool = False  # each term by itself, as if terms told nothing of one another

    def scores(self, kept: ByTerm, classes: tuple[Any, ...], owner: str) -> tuple[Array, Array, Array]:
        """One score for two classes, else one a class."""
        K = len(classes)
        codes = np.array([[-1.0], [1.0]]) if K == 2 else 2.0 * np.eye(K) - 1.0
        labelled = kept.summary.labelled(codes, self._weights(kept, classes))
        rows = kept.rows.sum(axis=0, keepdims=True)
        return self.solved(ByTerm(kept.terms, rows, codes.shape[1], labelled), owner)

    def solved(self, kept: ByTerm, owner: str) -> tuple[Array, Array, Array]:
        """One score for each target."""
        problem = problem_of(kept, kept.terms, self.intercept)
        coef = Pair(*self._apart(problem.whole)) if self.one_by_one else self.solver.solve(problem, owner)
        return coef.value.T, levels(problem, coef)[0], centre_of(problem)

    def _apart(self, problem: Problem) -> tuple[Array, Array]:
        p, _ = problem.width
        spread, with_y = np.diagonal(problem.products.value)[:p, None], problem.products.value[:p, p:]
        coef = np.divide(with_y, spread, out=np.zeros_like(with_y), where=spread > 0)
        return coef, np.zeros_like(coef)

    def _weights(self, kept: ByTerm, classes: tuple[Any, ...]) -> Array:
        weight = kept.summary.weight
        if self.class_weight is None:
            return np.ones(len(classes))
        if isinstance(self.class_weight, Mapping):
            return np.array([float(self.class_weight.get(label, 1.0)) for label in classes])
        even: Array = np.divide(weight.sum(), len(classes) * weight, out=np.zeros_like(weight), where=weight > 0)
        return even
