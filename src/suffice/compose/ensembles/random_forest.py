"""RandomForestClassifier and RandomForestRegressor: trees of rows and columns drawn at random, averaged."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.compose.ensembles.forest_growing import RowDraws, grow_forest
from suffice.compose.ensembles.forest_members import ForestMembers, GrownForest, going_on, trees_before
from suffice.compose.ensembles.forest_models import ClassForest, MultiOutputForest, NumberForest
from suffice.compose.ensembles.forest_out_of_bag import class_answers, number_answers, refuse_many_classes
from suffice.compose.ensembles.forest_plan import NumberForestPlan
from suffice.compose.ensembles.forest_readings import ForestReadings, tree_estimators
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.label_tables import LabelsOrTable, tag_several_labels
from suffice.estimators.boundary.targets import NumbersOrColumn, Target
from suffice.estimators.faces.multi_output import class_counts
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.glue.memory_regressor import MemoryRegressor
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.decision_tree_classifier import CELLS, DecisionTreeClassifier, as_array
from suffice.trees.decision_tree_regressor import CRITERIA, DecisionTreeRegressor, refuse_no_counts
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growth_options import CONSTRAINTS, read_growth
from suffice.trees.growth.label_targets import balanced, read_label_targets
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.nodes import TreeNodes
from suffice.trees.pruning import prune_cost_complexity

SHARED: dict[str, Any] = {
    **{name: rule for name, rule in CONSTRAINTS.items() if name != "splitter"},
    "n_estimators": [Interval(Integral, 1, None, closed="left")],
    "bootstrap": ["boolean", StrOptions({"poisson"})],
    "oob_score": ["boolean", callable],
    "n_jobs": [Integral, None],
    "verbose": ["verbose"],
    "warm_start": ["boolean"],
    "max_samples": [
        None,
        Interval(RealNotInt, 0.0, None, closed="neither"),
        Interval(Integral, 1, None, closed="left"),
    ],
    "draw": [StrOptions({"node", "tree"})],
    "bins": [Interval(Integral, 2, None, closed="left"), None],
}


class RandomForestClassifier(ForestMembers, ForestReadings, MemoryProbabilistic):
    """A forest of exact trees whose class shares are averaged. In memory; trees grow in threads.

    y may be a table of several labels a row (n, q), as for `DecisionTreeClassifier`.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features,
        max_leaf_nodes, min_impurity_decrease, oob_score, n_jobs, random_state, verbose, warm_start,
        class_weight, ccp_alpha, max_samples, monotonic_cst : as in scikit-learn
    bootstrap : True draws rows with replacement; "poisson" draws each row by a hash of seed, tree and row number, as
        forests in passes do; False takes all
    draw : "node" draws columns at every node; "tree" draws them once a tree
    bins : most bins of a column; None: thresholds are exact
    refusal : the label that `predict` gives where it refuses

    Attributes
    ----------
    estimators_, classes_, n_classes_, n_outputs_, feature_importances_, oob_score_, oob_decision_function_,
        n_features_in_, feature_names_in_ : as in scikit-learn
    nodes_ : the nodes of all trees as flat arrays

    Examples
    --------
    >>> from suffice import RandomForestClassifier
    >>> model = RandomForestClassifier(20, random_state=0).fit([[0], [1], [2], [3]], ["a", "a", "b", "b"])
    >>> model.predict([[0], [3]]).tolist()
    ['a', 'b']

    References
    ----------
    L. Breiman, Random forests (2001).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SHARED,
        "criterion": [StrOptions(set(CLASS_IMPURITIES))],
        "class_weight": [dict, list, StrOptions({"balanced", "balanced_subsample"}), None],
        "refusal": "no_validation",
    }
    _target: Target = LabelsOrTable(warn=True)
    _door = NumberRows(CELLS, learned=as_array, predicted=as_array)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: Any = True,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Any = None,
        draw: str = "node",
        bins: int | None = None,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.draw = draw
        self.bins = bins
        self.refusal = refusal

    @property
    def estimators_(self) -> list[DecisionTreeClassifier]:
        """The trees; their classes are numbers, as in scikit-learn."""
        return tree_estimators(self, DecisionTreeClassifier)

    @property
    def n_classes_(self) -> Any:
        """Number of classes; of several outputs, that of each."""
        return class_counts(self._state()[0].model)

    @property
    def n_outputs_(self) -> int:
        """Number of targets."""
        return len(getattr(self._state()[0].model, "edges", (0, 1))) - 1

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_several_labels(super().__sklearn_tags__())

    def _plan(self) -> NumberForestPlan:
        return NumberForestPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Draw and grow."""
        block = source.block(slice(0, source.table.n))
        X = np.asarray(as_array(block.parts[0]), dtype=np.float64)
        drawn_anew = self.class_weight == "balanced_subsample" and bool(self.bootstrap)
        given = "balanced" if self.class_weight == "balanced_subsample" else self.class_weight
        found = read_label_targets(self._owner, block, None if drawn_anew else given, CLASS_IMPURITIES[self.criterion])
        if self.oob_score and found.several:
            refuse_many_classes(self._owner, found.by_output)
        weigh = partial(balanced, found.codes) if drawn_anew else None
        nodes, draws = grown(self, X, found.target, found.classes, weigh)
        pseudo = np.zeros(sum(map(len, found.by_output)))
        if found.several:
            model: Any = MultiOutputForest(nodes, found.classes, pseudo)
        else:
            total = np.bincount(found.codes[:, 0], found.w, len(found.classes))
            model = ClassForest(nodes, found.classes, pseudo, total / total.sum())
        if not self.oob_score:
            return Found(model)
        answers = class_answers(self._owner, model, X, found.codes, draws, self.oob_score)
        return Found(replace(model, out_of_bag=answers))


class RandomForestRegressor(ForestMembers, ForestReadings, MemoryRegressor):
    """A forest of exact trees whose numbers are averaged. In memory; trees grow in threads.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features,
        max_leaf_nodes, min_impurity_decrease, oob_score, n_jobs, random_state, verbose, warm_start, ccp_alpha,
        max_samples, monotonic_cst : as in scikit-learn
    bootstrap, draw, bins : as for `RandomForestClassifier`

    Attributes
    ----------
    estimators_, n_outputs_, feature_importances_, oob_score_, oob_prediction_, n_features_in_, feature_names_in_ : as
        in scikit-learn

    Examples
    --------
    >>> from suffice import RandomForestRegressor
    >>> RandomForestRegressor(5, bootstrap=False).fit([[0], [1]], [1.0, 3.0]).predict([[0.2]])
    array([1.])

    References
    ----------
    L. Breiman, Random forests (2001).
    """

    _target: Target = NumbersOrColumn(warn=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {**SHARED, "criterion": [StrOptions(set(CRITERIA))]}
    _door = NumberRows(CELLS, learned=as_array, predicted=as_array)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: Any = True,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Any = None,
        draw: str = "node",
        bins: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.draw = draw
        self.bins = bins

    @property
    def estimators_(self) -> list[DecisionTreeRegressor]:
        """The trees."""
        return tree_estimators(self, DecisionTreeRegressor)

    @property
    def n_outputs_(self) -> int:
        """Number of targets."""
        return int(self._state()[0].model.nodes.value.shape[1])

    def _plan(self) -> NumberForestPlan:
        return NumberForestPlan(self._owner, face="regressor")

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Draw and grow."""
        block = source.block(slice(0, source.table.n))
        X, y = np.asarray(as_array(block.parts[0]), dtype=np.float64), np.asarray(block.y)
        w = np.ones(len(X)) if block.w is None else block.w
        refuse_no_counts(self._owner, self.criterion, y)
        nodes, draws = grown(self, X, CRITERIA[self.criterion](y, w), None)
        if not self.oob_score:
            return Found(NumberForest(nodes))
        return Found(NumberForest(nodes, None, number_answers(self._owner, nodes, X, y, draws, self.oob_score)))


def grown(
    forest: Any, X: Array, target: Any, classes: tuple[Any, ...] | None, weigh: Any = None
) -> tuple[TreeNodes, RowDraws]:
    """The trees of a forest, and the rows that each was grown from."""
    owner = forest._owner
    if forest.oob_score and not forest.bootstrap:
        rule = "False where bootstrap is False (Out of bag estimation only available if bootstrap=True)"
        raise bad(owner, "oob_score", rule, True, "Rows that every tree has seen are in every bag.")
    if not forest.bootstrap and forest.max_samples is not None:
        rule = "None where bootstrap is False (`max_sample` cannot be set if `bootstrap=False`)"
        raise bad(owner, "max_samples", rule, forest.max_samples, "Set bootstrap=True.")
    n, d = X.shape
    seeds = check_random_state(forest.random_state).randint(np.iinfo(np.int32).max, size=int(forest.n_estimators))
    before = trees_before(forest, classes, d)
    draws = RowDraws(forest.bootstrap, *going_on(before, seeds), n, _size(forest, n))
    growth: Growth = read_growth(forest, n, d, target, seed=0)
    growth = replace(growth, once=forest.draw == "tree")
    cells = BinnedCells.of(X, np.zeros(d, dtype=np.int64), forest.bins)
    threads = None if forest.n_jobs is None or forest.n_jobs < 0 else max(int(forest.n_jobs), 1)
    first = 0 if before is None else len(before.nodes.roots)
    trees = grow_forest(cells, target, growth, draws, threads, first, weigh)
    if forest.ccp_alpha > 0:
        trees = [prune_cost_complexity(tree, float(forest.ccp_alpha)) for tree in trees]
    nodes = TreeNodes.together(trees if before is None else [before.nodes, *trees])
    forest._grown = GrownForest(nodes, draws, classes)
    return nodes, draws


def _size(forest: Any, n: int) -> int:
    given = forest.max_samples
    if given is None:
        return n
    if isinstance(given, Integral):
        return int(given)
    return max(round(n * float(given)), 1) if isinstance(given, Real) else n
