"""A naive Bayes model from a file: the verbs of the estimator, without scikit-learn."""

from __future__ import annotations

from typing import Any, Self

from suffice.bayes.generative import Generative
from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.estimators.deciding import label_array
from suffice.estimators.fitted import Fitted
from suffice.estimators.loaded import SavedModel
from suffice.estimators.one_pass import OnePass
from suffice.estimators.weights import read_weights
from suffice.sources.labels import code_labels


class LoadedBayes(Generative, OnePass):
    """A model read from a file."""

    def __init__(self, value: SavedModel) -> None:
        """Take what the file held."""
        self.name = value.name
        self.refusal = value.refusal
        self._fitted = value.fitted

    @property
    def classes_(self) -> Array:
        """The class labels."""
        return label_array(self._fitted.model.classes)

    @property
    def schema_(self) -> Any:
        """The kinds of the columns; print it."""
        return self._fitted.schema

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows, in place."""
        return self._adopt(self._fitted.merge([self._summarize(X, y, sample_weight)]))

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        return self._fitted, X

    def _adopt(self, fitted: Fitted) -> Self:
        fitted = fitted.replan(fitted.plan.follow(self._fitted.summary.labels, fitted.summary.labels))
        fitted.model  # noqa: B018  (estimated here, so that what can't be estimated is refused before it is kept)
        self._fitted = fitted
        return self

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> Fitted:
        plan, labels = self._fitted.plan, code_labels(y)
        table = plan.open(X)
        if table.n != len(labels.codes):
            raise BadInput(
                f"{self.name}: X and y must have the same number of rows, got {table.n} and {len(labels.codes)}."
            )
        w = read_weights(self.name, sample_weight, table.n, some=False)
        return Fitted.of(plan, table, labels, w, self.threads, self._fitted.schema)

    def _saved(self) -> SavedModel:
        return SavedModel(self.name, self._fitted, self.refusal)

    def __repr__(self) -> str:
        """What it is."""
        return f"<{self.name} from a file: {len(self.classes_)} classes, {len(self._fitted.schema.columns)} columns>"
