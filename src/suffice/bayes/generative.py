"""What only generative models can do: joint and input densities, explanations by evidence, new rows. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.bayes.explanation import Explanation, explain
from suffice.bayes.rows import drawn_rows
from suffice.bayes.softmax import Softmax, softmax_coefficients
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.deciding import Deciding
from suffice.sources.memory import MemorySource


class Generative(Deciding):
    """The verbs of a classifier that holds p(class) and p(x | class)."""

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log p(class, x) of each row and class (n, K)."""
        state, X = self._state(X)
        return state.map(X, state.model.log_joint, self.threads)

    def score_samples(self, X: Any) -> Array:
        """log p(x) of each row (n,): how probable the model finds the row, whatever its class."""
        state, X = self._state(X)
        return state.map(X, state.model.log_density, self.threads)

    def explain(self, X: Any, target: Any = None, versus: Any = None) -> Explanation:
        """The evidence of each feature, in table order, for one class against another.

        Parameters
        ----------
        X : table
        target : the class spoken for; None: the most probable of each row
        versus : the class spoken against; None: the most probable other
        """
        state, X = self._state(X)
        for name, label in (("target", target), ("versus", versus)):
            if label is not None and label not in state.model.classes:
                raise bad(self, name, f"one of the classes {list(state.model.classes)}", label, "Correct the label.")
        table = state.plan.open(X)
        block = MemorySource(table, state.schema).block(slice(0, table.n))
        return explain(state.model, block, state.schema, target, versus)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Any, Array]:
        """New rows and their labels: a class by its share, then each column from its density given the class.

        Parameters
        ----------
        n_samples : how many rows
        random_state : seed or `numpy.random.Generator`
        """
        if not (isinstance(n_samples, (int, np.integer)) and n_samples >= 1):
            raise bad(self, "n_samples", "a whole number of at least 1", n_samples, "Say how many rows to draw.")
        state, _ = self._state()
        codes, groups = state.model.sample(int(n_samples), np.random.default_rng(random_state))
        return drawn_rows(state.model.factors.groups, groups, state.schema), self._label_array()[codes]

    def coefficients(self) -> Softmax:
        """The posterior as softmax(b_c . x') of indicators, where every column is a symbol."""
        state, _ = self._state()
        return softmax_coefficients(state.model, state.schema)
