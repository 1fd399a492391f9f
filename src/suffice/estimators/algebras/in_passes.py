"""Models found in passes: what is summed is relative to a pass, so they neither merge nor forget. No scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from suffice.core.learner import Source, for_passes, refuse_streams
from suffice.core.schema import Schema
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.opening import open_for
from suffice.estimators.state.fitted import FittedModel, Found, Plan

PassOver = Callable[[Any, Source, FittedModel | None], tuple[Schema, Found]]


class InPasses:
    """`fit`, over any source that can be read again."""

    @abstractmethod
    def _pass_over(self, plan: Plan, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Pass after pass over the rows; the first finds their schema, later ones read them as that.

        `before` is what was learned by the last `fit`, for those who begin where that ended.
        """

    def _fit(self: Any, X: Any, y: Any, sample_weight: Any, target: Any, passes: PassOver | None = None) -> Any:
        """Learn from these rows alone; `passes` stands for `_pass_over` where a verb has more to say."""
        with all_or_nothing(self):
            before = self._before
            self._begin()
            opened = open_for(self, X, y, sample_weight, target)
            refuse_streams(self._owner, opened.source, "learning takes several passes")
            source = for_passes(opened.source)
            schema, found = (passes or self._pass_over)(opened.plan, source, before)
            if found.model is None:  # a search that was to choose, no more
                return self
            return self._adopt(FittedModel(opened.plan, schema, found), opened.origin(schema))
