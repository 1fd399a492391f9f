"""The learner of normal classes: rows in which cells may be missing or not, and models that rows do not say yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.discriminant_needs import Needs
from suffice.bayes.learner import Bayes, BayesModel
from suffice.core.block import Block
from suffice.core.by_class import ByClass
from suffice.core.errors import BadInput
from suffice.core.registry import saved
from suffice.sources.grid import FiniteGrid
from suffice.summaries.pattern_moments import PatternMoments


@dataclass(frozen=True)
class NotYet:
    """In place of densities that the rows so far do not say: whoever asks for them is told why.

    So that shards of any size can be learned from and merged, and only a prediction is refused.
    """

    reason: BadInput

    def __getattr__(self, name: str) -> Any:
        """What is missing."""
        if name.startswith("__"):  # what copying and pickling look for
            raise AttributeError(name)
        raise self.reason


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

    def summarize(self, block: Block, model: BayesModel | None = None) -> ByClass:
        """As any learner of classes. A missing cell is noticed by its products: looking for one takes longer."""
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

    def _refuse_missing(self, block: Block) -> None:
        FiniteGrid(block.parts[0], self.owner).refuse()

    def estimate(self, summary: ByClass, model: BayesModel | None = None) -> BayesModel:
        """Class shares and normals; or the shares alone, and why there are no normals yet."""
        rows = summary.tally.rows
        try:
            if self.needs is not None:
                self.needs.rows(self.owner, summary.labels, rows)
            found = super().estimate(summary)
            (normals,) = found.factors.distributions
            if self.needs is not None:
                self.needs.shapes(self.owner, summary.labels, rows, normals.covariance)  # type: ignore[attr-defined]
            return found
        except BadInput as reason:
            shares = self.prior.estimate(summary.labels, summary.tally.weight.value)
            with np.errstate(divide="ignore"):
                unknown: Any = NotYet(reason)
                return BayesModel(summary.labels, np.log(shares), unknown)
