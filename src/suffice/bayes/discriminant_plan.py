"""The plan of discriminant analysis: columns that vary together, complete or not, in one pass or in several."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from suffice.bayes.fixed_plan import FixedPlan
from suffice.bayes.loaded import LoadedBayes
from suffice.core.errors import BadInput, NotASummary
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.sources.grid import FiniteGrid, Grid
from suffice.sources.table import Table


class JointEvidence:
    """What features tell together."""

    def duplicate_features(self, X: Any = None, at_least: float = 0.99) -> list[Any]:
        """None: columns that vary together are not counted twice.

        Parameters
        ----------
        X, at_least : not needed; as for models of independent columns
        """
        return []


class LoadedDiscriminant(JointEvidence, LoadedBayes):
    """A discriminant analysis read from a file."""


@saved
@dataclass(frozen=True)
class DiscriminantPlan(FixedPlan):
    """As for any drop-in, but that missing cells may be marginalised, and rows may be read more than once."""

    incomplete: bool = False  # whether cells may be missing
    passes: int = 1  # how often the rows were read; after one pass the summary adds

    def open(self, X: Any) -> Table:
        """An array or a table of numbers; missing cells stay where they may."""
        if isinstance(X, Grid):
            return X
        table = super().open(X)
        return Grid(table.X) if self.incomplete and isinstance(table, FiniteGrid) else table

    def keeps(self, schema: Schema) -> Any:
        """The kind of summary; what was learned in passes is like nothing else, not even itself."""
        return self._family.prior.kept.__name__ if self.passes == 1 else math.nan

    def loaded(self, value: Any) -> LoadedBayes:
        """The model of a file."""
        return LoadedDiscriminant(value)


def refuse_passes(owner: str, verb: str, plan: Any) -> None:
    """Say that what was learned in passes does not add."""
    if getattr(plan, "passes", 1) > 1:
        raise NotASummary(
            f"{owner}: {verb} must be asked of a model learned in one pass, got one that needed {plan.passes} "
            "(too many missing patterns to keep, or a covariance estimator of your own). Fit all rows together."
        )


class NotOffered(BadInput, NotImplementedError):
    """A combination of parameters that scikit-learn does not implement either."""
