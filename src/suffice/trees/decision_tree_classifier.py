"""DecisionTreeClassifier: thresholds on columns of numbers, class shares at the leaves.

p(class k | x) = (weight of class k in the leaf of x) / (weight of the leaf)
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.core.block import Array
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.label_tables import LabelsOrTable, tag_several_labels
from suffice.estimators.boundary.targets import Target
from suffice.estimators.faces.multi_output import class_counts
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.growth.growth_options import CONSTRAINTS, columns_of, read_growth
from suffice.trees.growth.label_targets import read_label_targets
from suffice.trees.growth.numeric_trees import grow_numbers
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.multi_output_trees import MultiOutputTree
from suffice.trees.pruning import PruningPath, prune_cost_complexity, pruning_path
from suffice.trees.smoothing import read_smoothing
from suffice.trees.tree_models import ClassTree
from suffice.trees.tree_plans import NumberTreePlan
from suffice.trees.tree_readings import TreeReadings

CELLS: Mapping[str, Any] = {"dtype": np.float64, "ensure_all_finite": "allow-nan", "accept_sparse": "csr"}


def as_array(X: Any) -> Any:
    """Sparse rows as an array: trees look at whole columns."""
    return X.toarray() if hasattr(X, "toarray") else X


class DecisionTreeClassifier(TreeReadings, MemoryProbabilistic):
    """A binary tree of thresholds. In memory: splits are exact, in double precision; rows may have missing cells.

    y may be a table of several labels a row (n, q): one tree answers them all, its impurity the mean over outputs.

    A missing cell goes the way that lowers the impurity most; where training had none, to the heavier side. Of equal
    splits the lowest column, then the lowest threshold is taken, so that no seed decides.

    Parameters
    ----------
    criterion : "gini", "entropy" (or "log_loss"), "misclassification" or "sqrt_gini"
    splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, random_state,
        max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, monotonic_cst : as in scikit-learn
    smoothing : pseudo-counts at the leaves: None, "laplace", a number m (an m-estimate with even shares), or
        `Dirichlet`, `MEstimate` of `suffice.families`
    refusal : the label that `predict` gives where it refuses

    Attributes
    ----------
    tree_, feature_importances_, classes_, n_classes_, n_outputs_, max_features_, n_features_in_, feature_names_in_ :
        as in scikit-learn
    nodes_ : the nodes as flat arrays, with the class weights of each

    Examples
    --------
    >>> from suffice import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[0], [1], [2], [3]], ["a", "a", "b", "b"])
    >>> print(model.text())
    x0 <= 1.5: a (1), weight 2
    x0 > 1.5: b (1), weight 2

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and regression trees (1984).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "criterion": [StrOptions(set(CLASS_IMPURITIES))],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        "smoothing": [StrOptions({"laplace"}), Interval(Real, 0.0, None, closed="left"), HasMethods("over"), None],
        "refusal": "no_validation",
    }
    _target: Target = LabelsOrTable()
    _door = NumberRows(CELLS, learned=as_array, predicted=as_array)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        smoothing: Any = None,
        refusal: Any = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.smoothing = smoothing
        self.refusal = refusal

    @property
    def n_classes_(self) -> Any:
        """Number of classes; of several outputs, that of each."""
        return class_counts(self._state()[0].model)

    @property
    def n_outputs_(self) -> int:
        """Number of targets."""
        return len(getattr(self._state()[0].model, "edges", (0, 1))) - 1

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

        model = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        return pruning_path(model.nodes_)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_several_labels(super().__sklearn_tags__())

    def _plan(self) -> NumberTreePlan:
        return NumberTreePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Grow, then prune."""
        block = source.block(slice(0, source.table.n))
        X: Array = np.asarray(as_array(block.parts[0]), dtype=np.float64)
        found = read_label_targets(self._owner, block, self.class_weight, CLASS_IMPURITIES[self.criterion])
        growth = read_growth(self, int((found.target.w > 0).sum()), X.shape[1], found.target)
        nodes = grow_numbers(X, found.target, growth)
        if self.ccp_alpha > 0:
            nodes = prune_cost_complexity(nodes, float(self.ccp_alpha))
        pseudo = [read_smoothing(self.smoothing, labels) for labels in found.by_output]
        kind = MultiOutputTree if found.several else ClassTree
        return Found(kind(nodes, found.classes, np.concatenate(pseudo)))
