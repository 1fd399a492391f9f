"""What a column is worth to a fitted model: how much its score falls when the cells of the column change places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.table_rows import count_rows, indexable_rows, take_rows


@dataclass(frozen=True)
class Importances:
    """Loss of score by column; intervals are those of the mean over repeats, for these rows."""

    names: tuple[Any, ...]
    values: Array  # (d, repeats)
    base: float  # score with all columns in their places
    score: str

    @property
    def mean(self) -> Array:
        """Mean loss (d,)."""
        return np.asarray(self.values.mean(axis=1))

    @property
    def _half(self) -> Array:
        repeats = self.values.shape[1]
        error = self.values.std(axis=1, ddof=1) / np.sqrt(repeats)
        return np.asarray(stdtrit(repeats - 1, 0.975) * error)

    @property
    def low(self) -> Array:
        """Lower end of the 95 % interval (d,)."""
        return self.mean - self._half

    @property
    def high(self) -> Array:
        """Upper end of the 95 % interval (d,)."""
        return self.mean + self._half

    def __str__(self) -> str:
        """As a table, best first."""
        width = max(len("column"), *(len(str(name)) for name in self.names))
        head = f"{'column':<{width}}  loss of {self.score} (95 % interval), of {self.base:.4f}"
        order = np.argsort(-self.mean, kind="stable")
        mean, low, high = self.mean, self.low, self.high
        lines = [f"{self.names[j]!s:<{width}}  {mean[j]:8.4f} ({low[j]:.4f} to {high[j]:.4f})" for j in order]
        return "\n".join([head, *lines])


def permutation_importance(
    model: Any, X: Any, y: Any, *, scoring: Any = None, n_repeats: int = 10, random_state: Any = None
) -> Importances:
    """How much the score of a fitted model falls when the cells of one column change places, column by column.

    Use rows that the model has not learned from. Columns that tell the same stand in for one another, and each alone
    looks worthless.

    Parameters
    ----------
    model : fitted, ours or scikit-learn's
    X, y : a table and the true answers
    scoring : name of a score, or a scorer; None: the model's own
    n_repeats : how often the cells of each column change places, at least 2
    random_state : seed

    >>> from suffice import Ridge
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> found = permutation_importance(Ridge().fit(X, X[:, 1]), X, X[:, 1], random_state=0)
    >>> bool(found.low[1] > 1 > found.high[0])
    True
    """
    owner = "permutation_importance"
    if isinstance(n_repeats, bool) or not isinstance(n_repeats, (int, np.integer)) or n_repeats < 2:
        raise bad(owner, "n_repeats", "a whole number of at least 2", n_repeats)
    table: Any = np.asarray(X) if isinstance(X, list) else indexable_rows(X)
    scorer, rng = check_scoring(model, scoring=scoring), check_random_state(random_state)
    names, n = _names(table), count_rows(table)
    base = float(scorer(model, table, y))
    values = np.empty((len(names), int(n_repeats)))
    for j in range(len(names)):
        for i in range(int(n_repeats)):
            values[j, i] = base - float(scorer(model, _shuffled(table, j, rng.permutation(n)), y))
    told = scoring if isinstance(scoring, str) else "score"
    return Importances(names, values, base, told)


def _names(table: Any) -> tuple[Any, ...]:
    if isinstance(table, Mapping):
        return tuple(table)
    names = getattr(table, "column_names", getattr(table, "columns", None))
    return tuple(f"x{j}" for j in range(table.shape[1])) if names is None else tuple(names)


def _shuffled(table: Any, j: int, order: Array) -> Any:
    """A copy in which the cells of column j have changed places."""
    if isinstance(table, np.ndarray):
        other = table.copy()
        other[:, j] = table[order, j]
        return other
    if hasattr(table, "tocsr"):
        other = table.tolil(copy=True)
        other[:, [j]] = table.tocsr()[order][:, [j]]
        return other.tocsr()
    if isinstance(table, Mapping):
        name = list(table)[j]
        return {**table, name: take_rows(table[name], order)}
    import narwhals.stable.v2 as nw

    frame = nw.from_native(table, eager_only=True)
    return frame.with_columns(frame.get_column(frame.columns[j])[order.tolist()]).to_native()
