"""DecisionTreeRegressor: thresholds on columns of numbers, means or medians at the leaves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.targets import NumbersOrColumn, Target
from suffice.estimators.glue.memory_regressor import MemoryRegressor
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.decision_tree_classifier import CELLS, as_array
from suffice.trees.growth.growth_options import CONSTRAINTS, columns_of, read_growth
from suffice.trees.growth.numeric_trees import grow_numbers
from suffice.trees.growth.targets import AbsoluteSums, NumberSums, PoissonSums
from suffice.trees.pruning import PruningPath, prune_cost_complexity, pruning_path
from suffice.trees.tree_models import NumberTree
from suffice.trees.tree_plans import NumberTreePlan
from suffice.trees.tree_readings import TreeReadings

CRITERIA = {"squared_error": NumberSums, "absolute_error": AbsoluteSums, "poisson": PoissonSums}


def refuse_no_counts(owner: str, criterion: str, y: Array) -> None:
    """Targets of the Poisson deviance are at least 0, and not all 0."""
    if criterion != "poisson":
        return
    if (y < 0).any():
        rule = "at least 0 (Some value(s) of y are negative which is not allowed for Poisson regression.)"
        raise bad(owner, "y", rule, float(y.min()), "Use 'squared_error'.")
    if not y.sum(axis=0).all():
        told = "y is not positive: Sum of y is not strictly positive which is necessary for Poisson regression"
        rule = f"above 0 in some row ({told})"
        raise bad(owner, "y", rule, Said("only zeros"), "Use 'squared_error'.")


class DecisionTreeRegressor(TreeReadings, MemoryRegressor):
    """A binary tree of thresholds for numbers. In memory: splits are exact, in double precision.

    Parameters
    ----------
    criterion : "squared_error", with means at the leaves; "absolute_error", with medians; "poisson", for counts, with
        means above 0
    splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, random_state,
        max_leaf_nodes, min_impurity_decrease, ccp_alpha, monotonic_cst : as in scikit-learn

    Attributes
    ----------
    tree_, feature_importances_, n_outputs_, max_features_, n_features_in_, feature_names_in_ : as in scikit-learn
    nodes_ : the nodes as flat arrays

    Examples
    --------
    >>> from suffice import DecisionTreeRegressor
    >>> DecisionTreeRegressor(max_depth=1).fit([[0], [1], [2], [3]], [1.0, 1.0, 4.0, 6.0]).predict([[9]])
    array([5.])

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and regression trees (1984).
    """

    _target: Target = NumbersOrColumn()
    _parameter_constraints: ClassVar[dict[str, Any]] = {**CONSTRAINTS, "criterion": [StrOptions(set(CRITERIA))]}
    _door = NumberRows(CELLS, learned=as_array, predicted=as_array)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst

    @property
    def n_outputs_(self) -> int:
        """Number of targets."""
        return int(self._state()[0].model.nodes.value.shape[1])

    @property
    def max_features_(self) -> int:
        """How many columns each node looks at."""
        self._state()
        return columns_of(self.max_features, self.n_features_in_)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> PruningPath:
        """The values of `ccp_alpha` at which a smaller tree becomes the best, and the impurities of those trees.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        """
        from sklearn.base import clone

        return pruning_path(clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight).nodes_)

    def _plan(self) -> NumberTreePlan:
        return NumberTreePlan(self._owner, face="regressor")

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Grow, then prune."""
        block = source.block(slice(0, source.table.n))
        X: Array = np.asarray(as_array(block.parts[0]), dtype=np.float64)
        y = np.asarray(block.y)
        w = np.ones(len(X)) if block.w is None else block.w
        refuse_no_counts(self._owner, self.criterion, y)
        target = CRITERIA[self.criterion](y, w)
        nodes = grow_numbers(X, target, read_growth(self, int((w > 0).sum()), X.shape[1], target))
        if self.ccp_alpha > 0:
            nodes = prune_cost_complexity(nodes, float(self.ccp_alpha))
        return Found(NumberTree(nodes))
