"""SubgroupFeatures: conjunctions in which a class is more frequent, found by beam search, as Boolean columns."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.estimators.glue.memory_transformer import MemorySupervisedTransformer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.rules.covering import SUBGROUP_QUALITIES, RuleSearch
from suffice.trees.rules.read_conditions import read_conditions
from suffice.trees.rules.subgroups import SubgroupModel, SubgroupReadings
from suffice.trees.tree import TableCells
from suffice.trees.tree_plans import TablePlan


class SubgroupFeatures(SubgroupReadings, MemorySupervisedTransformer):
    """Concepts learned first and used as columns: conjunctions of conditions, for tables of every kind. In memory.

    A column is 1 where all its conditions hold. A missing cell fulfils none. `table()` tells the subgroups with their
    coverage and the share of the class inside.

    Parameters
    ----------
    n_subgroups : most subgroups of each class
    quality : "weighted_relative_accuracy", p(conditions) (p(class | conditions) - p(class)); "chi_square"; or
        "information_gain", in bits
    target_class : the class that subgroups are sought for; None: each class in turn, of two classes the second
    beam : how many partial conjunctions the search keeps
    max_conditions : most conditions of a conjunction
    min_rows : least number of rows that one covers
    thresholds : most thresholds that are tried of a column of numbers
    kinds : mapping column -> kind, overriding what the column shows

    Examples
    --------
    >>> from suffice import SubgroupFeatures
    >>> X = {"age": [20, 25, 60, 65, 62, 30], "smokes": ["no", "yes", "yes", "yes", "no", "no"]}
    >>> found = SubgroupFeatures(1, target_class="ill").fit(X, ["well", "well", "ill", "ill", "well", "well"])
    >>> found.get_feature_names_out().tolist(), found.transform(X).ravel().tolist()
    (['age > 45 and smokes is yes'], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0])

    Reference: S. Wrobel, An algorithm for multi-relational discovery of subgroups (1997).
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_subgroups": [Interval(Integral, 1, None, closed="left")],
        "quality": [StrOptions(set(SUBGROUP_QUALITIES))],
        "target_class": "no_validation",
        "beam": [Interval(Integral, 1, None, closed="left")],
        "max_conditions": [Interval(Integral, 1, None, closed="left")],
        "min_rows": [Interval(Integral, 1, None, closed="left")],
        "thresholds": [Interval(Integral, 1, None, closed="left")],
        "kinds": [Mapping, None],
    }

    def __init__(
        self,
        n_subgroups: int = 5,
        *,
        quality: str = "weighted_relative_accuracy",
        target_class: Any = None,
        beam: int = 10,
        max_conditions: int = 3,
        min_rows: int = 1,
        thresholds: int = 32,
        kinds: Mapping[Any, Any] | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_subgroups = n_subgroups
        self.quality = quality
        self.target_class = target_class
        self.beam = beam
        self.max_conditions = max_conditions
        self.min_rows = min_rows
        self.thresholds = thresholds
        self.kinds = kinds

    def _plan(self) -> TablePlan:
        return TablePlan(self._owner, dict(self.kinds or {}), "supervised_transformer", "subgroups")

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Search for each class in turn."""
        coding, classes, W, candidates = read_conditions(self._owner, plan, source, int(self.thresholds))
        quality = SUBGROUP_QUALITIES[self.quality]
        search = RuleSearch(quality, int(self.beam), int(self.max_conditions), int(self.min_rows))
        found = [
            one for head in self._heads(classes) for one in search.several(candidates, W, head, int(self.n_subgroups))
        ]
        qualities = np.array([score for _, score in found])
        return Found(SubgroupModel(tuple(rule for rule, _ in found), qualities, classes, W.sum(axis=0), coding))

    def _heads(self, classes: tuple[Any, ...]) -> list[int]:
        if self.target_class is not None:
            if self.target_class not in classes:
                raise bad(self._owner, "target_class", f"one of {list(classes)}", self.target_class)
            return [classes.index(self.target_class)]
        return [1] if len(classes) == 2 else list(range(len(classes)))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
