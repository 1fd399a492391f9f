"""The learner of normal classes: rows in which cells may be missing or not, and densities once they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.discriminants.discriminant_needs import Needs
from suffice.bayes.learner import Bayes, BayesModel
from suffice.core.block import Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import BadInput, Said, bad
from suffice.core.registry import saved
from suffice.core.summary import Together
from suffice.families.product import Factors
from suffice.numerics.blas_threads import one_thread_if_small
from suffice.numerics.memory import memory
from suffice.sources.tables.grid import FiniteGrid
from suffice.summaries.pattern_moments import PatternMoments


@dataclass(frozen=True)
class Deferred:
    """Densities that are estimated when they are first asked for: if the rows do not say them yet, that is told then.

    So that shards of any size are learned from and merged, and many small ones without an estimate for each.
    """

    learner: NormalClasses
    summary: ByClass

    def __getattr__(self, name: str) -> Any:
        """Whatever is asked of densities."""
        if name.startswith("_"):  # what copying and pickling look for
            raise AttributeError(name)
        if "_made" not in vars(self):
            vars(self)["_made"] = self.learner.factors(self.summary)
        return getattr(vars(self)["_made"], name)


@saved
@dataclass(frozen=True)
class NormalClassesModel(BayesModel):
    """Normal classes found in passes, with the moments that they were read from, which do not add."""

    moments: ByClass


@dataclass(frozen=True)
class NormalClasses(Bayes):
    """Learns normal classes."""

    owner: str = "X"  # the estimator, for messages
    complete: bool = False  # whether no cell may be missing
    needs: Needs | None = None
    width: int = 0  # number of columns

    def summarize(self, block: Block, model: BayesModel | None = None) -> ByClass:
        """As any learner of classes. A missing cell is noticed by its products: looking for one takes longer."""
        self.refuse_many(block.parts[0].shape[1], len(block.y.labels[0]) if isinstance(block.y, Coded) else 1)
        if not self.complete:
            return super().summarize(block)
        if block.w is not None:  # cells of rows that weigh nothing have no products
            self._refuse_missing(block)
        try:
            kept = super().summarize(block)
        except BadInput:
            self._refuse_missing(block)
            raise
        if any(isinstance(part, PatternMoments) and not part.is_complete for part in kept.summary.parts):  # type: ignore[attr-defined]
            self._refuse_missing(block)
        return kept

    def refuse_many(self, d: int, K: int) -> None:
        """Refuse more columns than there is room for their products, before any of them is made."""
        need = 4 * 8 * K * d**2  # pairs, and what they are added to
        if need > memory() // 2:
            rule = "so few that covariances of all pairs of them fit into half of the memory"
            got = Said(f"{d:,} columns and {K} classes, for {need:,} bytes")
            raise bad(self.owner, "the columns", rule, got, "Use fewer columns, or GaussianNB.")

    def _refuse_missing(self, block: Block) -> None:
        FiniteGrid(block.parts[0], self.owner).refuse()

    def estimate(self, summary: ByClass, model: BayesModel | None = None) -> BayesModel:
        """Class shares, and densities once they are asked for."""
        shares = self.prior.estimate(summary.labels, summary.tally.weight.value)
        densities: Any = Deferred(self, summary)
        with np.errstate(divide="ignore"):
            return BayesModel(summary.labels, np.log(shares), densities)

    def factors(self, summary: ByClass) -> Factors:
        """The densities; raises where rows do not say them."""
        assert isinstance(summary.summary, Together)
        told = self.owner, summary.labels, summary.tally.rows
        if self.needs is not None:
            self.needs.rows(*told)
        with one_thread_if_small(self.width):
            made = self.product.estimate(summary.summary)
        (normals,) = made.distributions
        if self.needs is not None:
            self.needs.shapes(*told, normals.covariance)  # type: ignore[attr-defined]
        return made
