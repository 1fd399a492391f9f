"""A naive Bayes model from a file: the verbs of the estimator, without scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar

from suffice.bayes.evidence import Evidence
from suffice.bayes.generative import Generative
from suffice.bayes.tables import ColumnTable, column_tables, show_tables
from suffice.estimators.loaded_one_pass import LoadedClassifier


class LoadedScores(Evidence, LoadedClassifier):
    """A model read from a file: it predicts, decides, explains, learns on, merges, forgets and is saved again."""

    room: ClassVar[str] = "suffice.bayes"
    what: ClassVar[str] = "an estimator of suffice.bayes"

    def _made_by(self) -> type[Any]:
        from suffice.estimators.classifier import OnePassClassifier

        return OnePassClassifier

    def tables(self) -> list[ColumnTable]:
        """Everything that was learned, column by column."""
        return column_tables(self._fitted, self._words)

    def __str__(self) -> str:
        """The tables of conditional probabilities."""
        return show_tables(self._fitted, self._words)


class LoadedBayes(Generative, LoadedScores):
    """A model of densities read from a file: it also gives densities of rows and draws new ones."""
