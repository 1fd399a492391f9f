"""The Bayes learner: one distribution per class, and the shares of the classes.

p(class k | x) = p_k p(x | k) / sum_l p_l p(x | l)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.decision.log_space import log_sum_exp, normalize
from suffice.families.family import Reading
from suffice.families.product import Factors, Product
from suffice.families.pseudo_counts import Dirichlet, PseudoCounts, probabilities


@saved
@dataclass(frozen=True)
class GivenPrior:
    """Class shares fixed by the user, by label; the same for all where there are none."""

    shares: Mapping[Any, float] | None = None

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """What was given."""
        if self.shares is None:
            return np.full(len(labels), 1.0 / max(len(labels), 1))
        absent = [label for label in labels if label not in self.shares]
        if absent:
            raise bad(
                "prior", "the classes", f"all given a share ({list(self.shares)})", absent[0], "Give one for it too."
            )
        return np.array([float(self.shares[label]) for label in labels])


@saved
@dataclass(frozen=True)
class LearnedPrior:
    """Class shares learned with pseudo-counts; none of them is maximum likelihood."""

    prior: PseudoCounts = field(default_factory=lambda: Dirichlet(0.0))
    reading: Reading = Reading.MEAN

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """Smoothed shares."""
        return probabilities(weight, self.prior.over(labels, False), self.reading)


@saved
@dataclass(frozen=True)
class Bayes:
    """Learns a class prior and a product of families per class, in one pass."""

    product: Product
    prior: GivenPrior | LearnedPrior = field(default_factory=LearnedPrior)
    classes: tuple[Any, ...] | None = None  # declared classes; None: those with rows
    powers: tuple[Array, ...] | None = None  # weights of the columns of each group

    def summarize(self, block: Block, model: BayesModel | None = None) -> ByClass:
        """Rows, weights and the families' summaries, per class."""
        assert isinstance(block.y, Coded)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        return ByClass.of(labels, Tally.of(R), self.product.summarize(block.parts, R))

    def estimate(self, summary: ByClass, model: BayesModel | None = None) -> BayesModel:
        """Class shares and the distribution of each class."""
        if self.classes is not None:
            summary = summary.align(self.classes)
        shares = self.prior.estimate(summary.labels, summary.tally.weight.value)
        factors = self.product.estimate(summary.summary)  # type: ignore[arg-type]
        with np.errstate(divide="ignore"):
            return BayesModel(
                summary.labels, np.log(shares), factors if self.powers is None else factors.power(self.powers)
            )


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
        return normalize(self.log_joint(block), self.log_prior)

    def log_density(self, block: Block) -> Array:
        """log p(x) (n,)."""
        return np.asarray(log_sum_exp(self.log_joint(block), axis=1))

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, list[Any]]:
        """Draw classes by their shares, then rows from their distributions: class codes, and rows of each group."""
        codes = rng.choice(len(self.classes), size=n, p=np.exp(self.log_prior))
        return codes, self.factors.sample(codes, rng)
