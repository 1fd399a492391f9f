"""Models that learn row after row: the order of the rows matters, so they neither merge nor forget. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from suffice.estimators.algebras.in_memory import features_of, rows_in_memory
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.opening import Opened, open_for
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.sources.engines.memory import MemorySource

Step = Callable[[MemorySource, FittedModel | None], Found]  # rows, and what was learned before them


class Sequential:
    """`fit` and `partial_fit`: the state is the model so far. A verb hands over the step that its arguments ask for."""

    def _fit(
        self: Any, X: Any, y: Any, sample_weight: Any, step: Step, target: Any = None, in_memory: bool = False
    ) -> Any:
        """Learn from these rows alone; the step may begin where the last fit ended."""
        with all_or_nothing(self):
            before = self._before
            self._begin()
            return self._after(X, y, sample_weight, step, before, target, in_memory)

    def _read_rows(self: Any, opened: Opened, in_memory: bool) -> tuple[Any, Any]:
        """The plan that reads the rows, and the rows: in memory, unless a subclass has another way."""
        return rows_in_memory(self, opened, in_memory)

    def _learn_on(self: Any, X: Any, y: Any, sample_weight: Any, step: Step) -> Any:
        """Go on from the model so far."""
        with all_or_nothing(self):
            self._validate_params()
            return self._after(X, y, sample_weight, step, self._before, None, False)

    def _after(
        self: Any, X: Any, y: Any, w: Any, step: Step, before: FittedModel | None, target: Any, in_memory: bool
    ) -> Any:
        opened = open_for(self, X, y, w, target, self._before)
        plan, source = self._read_rows(opened, in_memory)
        found = step(source, before)
        origin = opened.origin(features_of(plan, source)) if self._before is None else self._origin
        return self._adopt(FittedModel(plan, source.schema, found), origin)
