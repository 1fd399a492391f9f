"""DecisionStump: one threshold on one column, a class on either side."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.decision_tree_classifier import CELLS, as_array
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growth_options import read_classes
from suffice.trees.growth.numeric_trees import grow_numbers
from suffice.trees.growth.targets import ClassSums
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.smoothing import read_smoothing
from suffice.trees.tree_models import ClassTree
from suffice.trees.tree_plans import NumberTreePlan
from suffice.trees.tree_readings import TreeReadings


class DecisionStump(TreeReadings, MemoryProbabilistic):
    """The tree of one split: the weak learner of boosting. In memory; takes weights.

    Parameters
    ----------
    criterion : "misclassification", "gini", "entropy" or "sqrt_gini"
    smoothing : pseudo-counts on either side: None or "laplace"
    refusal : the label that `predict` gives where it refuses

    Examples
    --------
    >>> from suffice import DecisionStump
    >>> print(DecisionStump().fit([[0], [1], [2]], [1, 1, 0]).text())
    x0 <= 1.5: 1 (1), weight 2
    x0 > 1.5: 0 (1), weight 1

    References
    ----------
    W. Iba and P. Langley, Induction of one-level decision trees (1992).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "criterion": [StrOptions(set(CLASS_IMPURITIES))],
        "smoothing": [StrOptions({"laplace"}), None],
        "refusal": "no_validation",
    }
    _door = NumberRows(CELLS, learned=as_array, predicted=as_array)

    def __init__(self, *, criterion: str = "misclassification", smoothing: Any = None, refusal: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.criterion = criterion
        self.smoothing = smoothing
        self.refusal = refusal

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it: one threshold tells two classes apart, not many."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _plan(self) -> NumberTreePlan:
        return NumberTreePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """The best split."""
        block = source.block(slice(0, source.table.n))
        X = np.asarray(as_array(block.parts[0]), dtype=np.float64)
        codes, classes, w = read_classes(self._owner, block.y, block.w)  # type: ignore[arg-type]
        target = ClassSums(codes, len(classes), w, CLASS_IMPURITIES[self.criterion])
        nodes = grow_numbers(X, target, Growth(depth=1))
        return Found(ClassTree(nodes, classes, read_smoothing(self.smoothing, classes)))
