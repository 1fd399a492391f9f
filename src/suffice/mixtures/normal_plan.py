"""From the parameters of a Gaussian mixture to its learner and the models it begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.double_double import exact
from suffice.core.errors import BadInput, Said, bad
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.families.family import Distribution, Family
from suffice.families.normals.covariance_priors import NormalInverseWishart, VarianceRidge
from suffice.families.normals.normal import DiagonalNormal, Normals
from suffice.families.normals.variance_priors import KnownVariance, VarianceFloor
from suffice.families.product import Factors, Group, Product
from suffice.mixtures.assignment import Assignment
from suffice.mixtures.covariance_types import COLLAPSED, CovarianceType
from suffice.mixtures.known_shares import KnownShares
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.mixtures.starts import Start
from suffice.summaries.moments import Moments


@dataclass(frozen=True)
class Given:
    """What a start is told, None where it has to be found."""

    weights: Array | None = None
    means: Array | None = None
    covariances: Array | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing has to be found."""
        return not any(part is None for part in (self.weights, self.means, self.covariances))


@dataclass(frozen=True)
class NormalPlan:
    """A shape of covariance, its prior, and how rows are divided."""

    owner: str
    kind: CovarianceType
    prior: Any
    assign: Assignment
    alpha: float = 0.0  # virtual rows of each component, for its share alone

    @classmethod
    def of(
        cls, owner: str, kind: CovarianceType, prior: Any, reg_covar: float, assign: Assignment, alpha: float = 0.0
    ) -> NormalPlan:
        """From parameters: no prior is scikit-learn's ridge, a number is virtual rows."""
        if prior is None:
            return cls(owner, kind, VarianceRidge(float(reg_covar)), assign, alpha)
        if isinstance(prior, (int, float, np.number)) and not isinstance(prior, bool):
            return cls(owner, kind, kind.virtual(strength=float(prior)), assign, alpha)
        fits = hasattr(prior, "shape" if kind.virtual is NormalInverseWishart else "parameters")
        if isinstance(prior, type) or not fits:
            rule = f"None, a number of virtual rows, or a prior such as {kind.virtual.__name__}()"
            raise bad(owner, "prior", rule, prior, f"Covariances of type {kind.name!r} need it.")
        return cls(owner, kind, prior, assign, alpha)

    def pinned(self, source: Source) -> NormalPlan:
        """With the location and spread of the whole table fixed: expected cells would move them from pass to pass."""
        if not isinstance(self.prior, NormalInverseWishart):
            return self
        whole: Any = learn(Always(ColumnMoments()), source).summary
        return replace(self, prior=self.prior.pinned(whole.mean.value[0], whole.variance[0]))

    def learner(self, after: Callable[[MixtureModel], None] | None = None) -> Mixture:
        """Every model is checked for components that collapsed; with a prior, only what tells nothing can."""
        collapses = isinstance(self.prior, (VarianceRidge, VarianceFloor))

        def look(model: MixtureModel) -> None:
            if collapses:
                self.kind.check(self.owner, model.factors.distributions[0])
            if after is not None:
                after(model)

        return self._mixture(self.family, look)

    @property
    def family(self) -> Family:
        """The family, with its prior."""
        return self.kind.family(self.prior)

    def _mixture(self, family: Family, look: Callable[[MixtureModel], None] | None = None) -> Mixture:
        return Mixture(Product((Group(0, family),)), self.assign, self.alpha, look, self.owner)

    def starts(
        self, source: Source, X: Array, w: Array | None, K: int, start: Start, given: Given, rng: Any, times: int
    ) -> Iterator[MixtureModel]:
        """Models to begin with, one after the other, as the rows `X` say; `source` has the same rows."""
        learner = self.learner()
        gaps = bool(np.isnan(X).any())
        for _ in range(times):
            if given.everything:
                yield self._given(given)
                continue
            shares = start(X, w, K, rng)
            model = self._diagonal(source, shares) if gaps else _begin(learner, source, shares)
            yield self._with(model, given)

    def _given(self, given: Given) -> MixtureModel:
        assert given.weights is not None
        assert given.means is not None
        assert given.covariances is not None
        return self.model(given.weights, self.kind.distribution(given.means, given.covariances))

    def _with(self, model: MixtureModel, given: Given) -> MixtureModel:
        """A model with what was given in place of what was found."""
        found: Any = model.factors.distributions[0]
        if given.covariances is not None:
            found = replace(self.kind.distribution(found.mean.value, given.covariances), mean=found.mean)
        if given.means is not None:
            found = replace(found, mean=exact(given.means))
        return self.model(np.exp(model.log_weights) if given.weights is None else given.weights, found)

    def _diagonal(self, source: Source, shares: Shares) -> MixtureModel:
        """From single columns: with missing cells, how they vary together is not known before there is a model."""
        family = DiagonalNormal(self.prior) if isinstance(self.prior, KnownVariance) else DiagonalNormal()
        model = _begin(self._mixture(family), source, shares)
        weights, (normals,) = np.exp(model.log_weights), model.factors.distributions
        assert isinstance(normals, Normals)
        return self.model(weights, self.kind.from_columns(normals, weights))

    def model(self, weights: Array, distribution: Distribution) -> MixtureModel:
        """A mixture of known components."""
        with np.errstate(divide="ignore"):
            return MixtureModel(np.log(weights), Factors((Group(0, self.family),), (distribution,)))

    @contextmanager
    def saying_what_collapsed(self) -> Iterator[None]:
        """Covariances without an inverse, in scikit-learn's words."""
        try:
            yield
        except BadInput as error:
            if (error.owner, error.name) != (type(self.family).__name__, "the covariance"):
                raise
            raise bad(self.owner, "every covariance", "positive definite", Said("a singular one"), COLLAPSED) from error


def _begin(learner: Mixture, source: Source, shares: Shares) -> MixtureModel:
    """The model that shares of rows say, which are known by the numbers of the rows."""
    return learner.begin(learn(Always(KnownShares(learner, shares)), source).summary)


class ColumnMoments:
    """Summarizes all rows as one component."""

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Mean and variance of each column."""
        return Moments.of(block.parts[0], Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))
