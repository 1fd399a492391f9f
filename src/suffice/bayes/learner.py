"""The Bayes learner: one distribution per class, and the shares of the classes.

p(class k | x) = p_k p(x | k) / sum_l p_l p(x | l)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.bayes.class_priors import ClassPrior, LearnedPrior
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass, canonical
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.families.product import Factors, Product
from suffice.numerics.log_space import likeliest, log_sum_exp, normalize
from suffice.summaries.pattern_moments import PatternMoments


@saved
@dataclass(frozen=True)
class Bayes:
    """Learns a class prior and a product of families per class, in one pass."""

    product: Product
    prior: ClassPrior = field(default_factory=LearnedPrior)
    powers: tuple[Array, ...] | None = None  # weights of the columns of each group
    classes: tuple[Any, ...] = ()  # labels that exist even where no row has them

    def summarize(self, block: Block, model: BayesModel | None = None) -> ByClass:
        """Rows, weights and the families' summaries, per class."""
        assert isinstance(block.y, Coded)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        kept = self.product.summarize(block.parts, R, block.start)
        counted = (part.tally for part in kept.parts if isinstance(part, PatternMoments))  # these count rows anyway
        return ByClass.of(labels, next(counted, None) or Tally.of(R), kept)

    def estimate(self, summary: ByClass, model: BayesModel | None = None) -> BayesModel:
        """Class shares and the distribution of each class."""
        summary = self.over(summary)
        assert isinstance(summary.summary, Together)
        shares = self.prior.estimate(summary.labels, summary.tally.weight.value)
        factors = self.product.estimate(summary.summary)
        factors = factors if self.powers is None else factors.power(self.powers)
        with np.errstate(divide="ignore"):
            return BayesModel(summary.labels, np.log(shares), factors)

    def over(self, summary: ByClass) -> ByClass:
        """A summary with places for the classes that exist without rows."""
        return summary.align(canonical((*summary.labels, *self.classes))) if self.classes else summary


@saved
@dataclass(frozen=True)
class BayesModel:
    """Class shares and one distribution per class."""

    classes: tuple[Any, ...]
    log_prior: Array  # (K,)
    factors: Factors

    def log_joint(self, block: Block) -> Array:
        """log p(class, x) (n, K)."""
        return self.factors.log_density(block.parts) + self.log_prior

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K); a row impossible under every class gets the prior."""
        return normalize(self.log_evidence(block), self.log_prior)

    def log_evidence(self, block: Block) -> Array:
        """log p(class, x) (n, K) but for what the classes of a row share."""
        return self.factors.log_evidence(block.parts) + self.log_prior

    def log_density(self, block: Block) -> Array:
        """log p(x) (n,)."""
        return np.asarray(log_sum_exp(self.log_joint(block), axis=1))

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,): where exp(log_posterior) is largest, the first of equals."""
        return likeliest(self.log_evidence(block), lambda rows: np.exp(normalize(rows, self.log_prior)))

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, list[Any]]:
        """Draw classes by their shares, then rows from their distributions: class codes, and rows of each group."""
        shares = np.exp(self.log_prior)
        codes = rng.choice(len(self.classes), size=n, p=shares / shares.sum())
        return codes, self.factors.sample(codes, rng)
