"""Models that learn row after row: the order of the rows matters, so they neither merge nor forget. No scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.opening import open_for
from suffice.estimators.declared import Declared
from suffice.estimators.fitted import FittedModel, Found, Plan
from suffice.sources.memory import MemorySource


class Sequential:
    """`fit` and `partial_fit`: the state is the model so far."""

    @abstractmethod
    def _step(self, plan: Plan, source: MemorySource, before: FittedModel | None, declared: Declared) -> Found:
        """The model after these rows; `before` is what it was, None at the beginning."""

    def _fit(self: Any, X: Any, y: Any, sample_weight: Any) -> Any:
        """Learn from these rows alone."""
        with all_or_nothing(self):
            before = self._before
            self._begin()
            return self._after(X, y, sample_weight, before, Declared())

    def _learn_on(self: Any, X: Any, y: Any, sample_weight: Any, declared: Declared | None = None) -> Any:
        """Go on from the model so far."""
        with all_or_nothing(self):
            self._validate_params()
            return self._after(X, y, sample_weight, self._before, declared or Declared())

    def _after(self: Any, X: Any, y: Any, sample_weight: Any, before: FittedModel | None, declared: Declared) -> Any:
        opened = open_for(self, X, y, sample_weight, before=self._before)
        source: Any = opened.source
        found = self._step(opened.plan, source, before, declared)
        origin = opened.origin(source.schema) if self._before is None else self._origin
        return self._adopt(FittedModel(opened.plan, source.schema, found, declared), origin)
