"""One-pass models: their summaries are absolute and add for ever, so they learn more, merge and forget. No scikit-learn."""

from __future__ import annotations

import copy
from os import PathLike
from typing import Any, Self

from suffice.core.errors import NotASummary, bad
from suffice.core.by_class import ByClass
from suffice.estimators.fitted import Fitted


class OnePass:
    """`merge`, `forget`, `+` and `save`, from a `Fitted` that is exchanged whole: all of it changes or nothing does."""

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        """The fitted value."""
        raise NotImplementedError

    def _adopt(self, fitted: Fitted) -> Self:
        """Take on another fitted value; raises before anything is changed if no model can be estimated from it."""
        raise NotImplementedError

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> Fitted:
        """Rows as a fitted value of their own, over columns like those of this model."""
        raise NotImplementedError

    def _saved(self) -> Any:
        """What `save` writes."""
        raise NotImplementedError

    @property
    def summary_(self) -> ByClass:
        """What is kept of the rows."""
        return self._state()[0].summary

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place: the model all rows together would have given."""
        for other in others:
            if not isinstance(other, OnePass) or type(other).__mro__[0].__name__ != type(self).__name__:
                raise NotASummary(
                    f"{type(self).__name__}: merge takes models of its own kind, got {type(other).__name__}. "
                    "Train the same kind of model on each shard."
                )
        mine = self._state()[0]
        return self._adopt(mine.merge([other._state()[0] for other in others]))

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were learned before, in place: the model they were never shown to.

        Parameters
        ----------
        X, y, sample_weight : the rows, as they were given when learned

        Raises
        ------
        NeverAdded : if there are more such rows than were learned; nothing is changed then.
        """
        mine = self._state()[0]
        left = mine.forget(self._summarize(X, y, sample_weight))
        if not left.summary.labels:
            raise bad(self, "the rows left after forget", "at least one", "none", "Start from a new model instead.")
        return self._adopt(left)

    def __add__(self, other: Any) -> Self:
        """A new model that has learned from the rows of both."""
        return copy.copy(self).merge(other)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        save(self._saved(), path)
