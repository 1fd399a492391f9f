"""One-pass models: their summaries are absolute and add for ever: they learn on, merge and forget. No scikit-learn."""

from __future__ import annotations

import copy
from abc import abstractmethod
from functools import reduce
from os import PathLike
from typing import Any, Self

from suffice.core.errors import NotASummary, Said, bad
from suffice.estimators.alone import alone
from suffice.estimators.holder import Holder
from suffice.estimators.origin import Origin


class OnePass(Holder):
    """`merge`, `forget`, `+` and `save`, from a `Fitted` that is exchanged whole: all of it changes or nothing does."""

    @abstractmethod
    def _adopt(self, fitted: Any, origin: Origin) -> Self:
        """Take on another fitted value; raises before anything is changed if no model can be estimated from it."""

    @abstractmethod
    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Origin]:
        """Rows as a fitted value of their own, over columns like those of this model."""

    @abstractmethod
    def _saved(self) -> Any:
        """What `save` writes."""

    @property
    def summary_(self) -> Any:
        """What is kept of the rows."""
        return self._state()[0].summary

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place: the model all rows together would have given.

        Parameters
        ----------
        others : models of the same kind, estimators or loaded from files
        """
        with alone(self):
            for other in others:
                self._check_kind(other)
            fitted = self._state()[0].merge([other._state()[0] for other in others])
            return self._adopt(fitted, reduce(Origin.also, (other._origin for other in others), self._origin))

    def _check_kind(self, other: Any) -> None:
        if not isinstance(other, OnePass) or other._owner != self._owner:
            name = other._owner if isinstance(other, OnePass) else type(other).__name__
            raise NotASummary(
                f"{self._owner}: models to merge must be of its own kind, got {name}. "
                "Train the same kind of model on each shard."
            )
        self._state(), other._state()  # both must have learned something
        self._origin.check(self._owner, other._origin)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were learned before, in place: the model they were never shown to.

        Parameters
        ----------
        X, y, sample_weight : the rows, as they were given when learned

        Raises
        ------
        NeverAdded : if what was kept shows that these rows were not all learned: more of a class, label or missing
            pattern than there are, or rows without which the others would vary by less than nothing. Nothing is
            changed then. Rows that lie among those learned cannot be told from them.
        """
        with alone(self):
            left = self._state()[0].forget(self._summarize(X, y, sample_weight)[0])
            if left.empty:
                remedy = "Begin with a new model."
                raise bad(self._owner, "the rows left after forget", "at least one", Said("none"), remedy)
            return self._adopt(left, self._origin)

    def _learn_on(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Add rows to what was learned."""
        with alone(self):
            more, origin = self._summarize(X, y, sample_weight)
            return self._adopt(self._state()[0].merge([more]), self._origin.also(origin))

    def __add__(self, other: Any) -> Self:
        """A new model that has learned from the rows of both."""
        return copy.copy(self).merge(other)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        save(self._saved(), path)
