"""Covariances by an estimator of the user's: fitted to the rows of each class, in memory."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.bayes.discriminants.discriminant_plan import found
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.summary import Summary
from suffice.estimators.state.fitted import FittedModel
from suffice.families.normals.covariance_priors import Shape, VarianceRidge
from suffice.families.product import Group, Product
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments

PASSES = 2  # over the rows: for the means, and for the covariances


@saved
@dataclass(frozen=True)
class GivenCovariances:
    """Covariances that were estimated elsewhere; means are read from the moments."""

    each: Array  # (K, d, d)
    total: Array  # (1, d, d) of all rows
    class_shares: tuple[float, ...] | None
    tol: float

    @property
    def kept(self) -> type[Summary]:
        """The summary that means are read from."""
        return PatternMoments

    def shape(self, moments: FullMoments) -> Shape:
        """Of each class, or of all rows where there is one component."""
        covariance = self.total if len(moments.rows) == 1 and len(self.each) > 1 else self.each
        return Shape(VarianceRidge(0.0).shape(moments).mean, covariance, self.tol)

    def tied(self, moments: FullMoments) -> Shape:
        """Their mean, weighted by the class shares."""
        shares = moments.weight.value if self.class_shares is None else np.array(self.class_shares)
        mean, covariance, tol = self.shape(moments)
        return Shape(mean, np.einsum("k,kij->ij", shares / shares.sum(), covariance)[None], tol)

    def pinned(self, mean: Array, variance: Array) -> GivenCovariances:
        """Nothing of the whole table enters."""
        return self


def estimated(model: Any, fitted: FittedModel, X: Any, y: Any) -> FittedModel:
    """The same means with covariances by the model's covariance estimator; rows are read twice, and do not add."""
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    classes = fitted.model.classes
    each = np.stack([_covariance(model, rows[labels == label]) for label in classes])
    total = _covariance(model, rows)[None]
    plan: Any = fitted.plan
    (group,) = plan.bayes.product.groups
    reading = GivenCovariances(each, total, group.family.prior.class_shares, group.family.prior.tol)
    family = replace(group.family, prior=reading)
    bayes = replace(plan.bayes, product=Product((Group(0, family),)))
    return found(replace(fitted, plan=replace(plan, bayes=bayes)), PASSES)


def _covariance(model: Any, rows: Array) -> Array:
    estimator = copy.deepcopy(model.covariance_estimator)
    estimator.fit(rows)
    if not hasattr(estimator, "covariance_"):
        raise bad(
            model._owner,
            "covariance_estimator",
            "an attribute covariance_ after fit",
            Said(f"{type(estimator).__name__} ({type(estimator).__name__} does not have a covariance_ attribute)"),
            "Use one of sklearn.covariance.",
            "must have",
        )
    return np.atleast_2d(np.asarray(estimator.covariance_, dtype=np.float64))
