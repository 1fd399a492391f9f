"""From a schema to a learner of linear scores. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.design_plan import DesignPlan
from suffice.linear.scores.linear_scores import ScoreLearner, read_ties
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer


@saved
@dataclass(frozen=True)
class ScorePlan(DesignPlan):
    """A rule for directions, and how tables become design matrices."""

    owner: str  # the estimator
    rule: Any  # a Rule
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    analyzer: Analyzer = PLAIN_WORDS
    ties: str = "first"  # what is answered where no class is ahead
    gaps: bool = False  # whether cells may be missing
    face: str = "classifier"  # or "several_labels"

    pushes: ClassVar[bool] = True  # what is kept of rows tells what would be kept of rows whose columns are scaled

    mixed: ClassVar[bool] = True  # or mixed, as by a rotation

    def keeps(self, schema: Schema) -> Any:
        """All rules read the same."""
        return None

    def learner(self, schema: Schema) -> ScoreLearner:
        """The learner for tables of this schema."""
        return ScoreLearner(Design(self.owner, schema, gaps=self.gaps), self.rule, read_ties(self.owner, self.ties))

    def readings(self) -> tuple[type[Any], ...]:
        """Coefficients and their names."""
        from suffice.linear.scores.score_readings import Scoring

        return (Scoring,)
