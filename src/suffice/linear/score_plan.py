"""From a schema to a learner of linear scores. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.design_plan import DesignPlan
from suffice.linear.scores import ScoreLearner
from suffice.sources.analyzer import Analyzer


@saved
@dataclass(frozen=True)
class ScorePlan(DesignPlan):
    """A rule for directions, and how tables become design matrices."""

    owner: str  # the estimator
    rule: Any  # a Rule
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    analyzer: Analyzer = field(default_factory=Analyzer)

    def keeps(self, schema: Schema) -> Any:
        """All rules read the same."""
        return None

    def learner(self, schema: Schema) -> ScoreLearner:
        """The learner for tables of this schema."""
        return ScoreLearner(Design(self.owner, schema), self.rule)

    def loaded(self, value: Any) -> Any:
        """The model of a file."""
        from suffice.linear.loaded_scores import LoadedLinearScores

        return LoadedLinearScores(value)
