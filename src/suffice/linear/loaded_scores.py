"""A classifier by linear scores from a file: the verbs of the estimator, without scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar

from suffice.estimators.loaded import SavedModel
from suffice.estimators.loaded_one_pass import LoadedClassifier
from suffice.linear.scoring import Scoring


class LoadedLinearScores(Scoring, LoadedClassifier):
    """A model read from a file: it scores, predicts, learns on, merges, forgets and is saved again."""

    room: ClassVar[str] = "suffice.linear"
    what: ClassVar[str] = "a linear classifier"

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held; raises where it makes no model."""
        super().__init__(value)
        self.ties = self.parameters.get("ties", "first")

    def _made_by(self) -> type[Any]:
        return Scoring
