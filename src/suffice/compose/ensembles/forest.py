"""Forest and RegressionForest: for tables of every kind, from memory or in passes over files."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.compose.ensembles.forest_models import ClassForest, NumberForest
from suffice.compose.ensembles.forest_plan import TableForestPlan
from suffice.compose.ensembles.forest_readings import ForestReadings
from suffice.compose.ensembles.table_forests import ForestWish, grow_tables
from suffice.core.block import Block
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.estimators.glue.passes_classifier import PassesClassifier
from suffice.estimators.glue.passes_regressor import PassesRegressor
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.trees.growth.growing_in_passes import PassTable
from suffice.trees.growth.level_pass import class_codes, weights_of
from suffice.trees.growth.targets import ClassSums, NumberSums
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.tree import SHARED, TableCells

FOREST: dict[str, Any] = {
    **{name: SHARED[name] for name in ("kinds", "symbols", "missing", "bins", "max_depth", "min_rows", "threads")},
    "n_trees": [Interval(Integral, 1, None, closed="left")],
    "columns": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0.0, 1.0, closed="right"),
        StrOptions({"sqrt", "log2"}),
        None,
    ],
    "bootstrap": ["boolean"],
    "seed": [Interval(Integral, 0, None, closed="left")],
}


class Forest(ForestReadings, PassesClassifier):
    """A random forest that reads the kinds of columns, and learns from memory or from files of any size.

    How often a row is drawn for a tree is Poisson of mean 1, by a hash of seed, tree and row number, so that a forest
    from files is that of memory where bins hold single values. All trees grow together: one pass a level.

    Parameters
    ----------
    n_trees : number of trees
    criterion : as for `Tree`
    columns : how many are drawn at each node: "sqrt", "log2", a number, a share, or None for all
    bootstrap : whether rows are drawn; False takes all once
    seed : of all draws
    symbols, missing, kinds, bins, max_depth, min_rows, threads : as for `Tree`
    refusal : the label that `predict` gives where it refuses

    Examples
    --------
    >>> from suffice import Forest
    >>> X = {"colour": ["red", "green", "red", "blue"] * 5, "size": [1, 2, None, 9] * 5}
    >>> model = Forest(5).fit(X, ["no", "yes", "no", "yes"] * 5)
    >>> model.predict({"colour": ["red"], "size": [None]}).tolist()
    ['no']

    References
    ----------
    L. Breiman, Random forests (2001). N. Oza and S. Russell, Online bagging and boosting (2001).
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **FOREST,
        "criterion": [StrOptions(set(CLASS_IMPURITIES))],
        "refusal": "no_validation",
    }

    def __init__(
        self,
        n_trees: int = 20,
        *,
        criterion: str = "gini",
        columns: Any = "sqrt",
        bootstrap: bool = True,
        seed: int = 0,
        symbols: str = "each",
        missing: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        bins: int | None = None,
        max_depth: int | None = None,
        min_rows: int = 1,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_trees = n_trees
        self.criterion = criterion
        self.columns = columns
        self.bootstrap = bootstrap
        self.seed = seed
        self.symbols = symbols
        self.missing = missing
        self.kinds = kinds
        self.bins = bins
        self.max_depth = max_depth
        self.min_rows = min_rows
        self.refusal = refusal
        self.threads = threads

    def _plan(self) -> TableForestPlan:
        return TableForestPlan(self._owner, dict(self.kinds or {}))

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Grow all trees."""
        measure = CLASS_IMPURITIES[self.criterion]

        def target(table: PassTable, block: Block | None) -> ClassSums:
            classes: Any = table.classes
            if block is None:
                return ClassSums(np.zeros(0, dtype=np.int64), len(classes), np.zeros(0), measure)
            return ClassSums(class_codes(block, classes), len(classes), weights_of(block), measure)

        grown = grow_tables(plan, source, ForestWish.of(self), target)
        classes: Any = grown.table.classes
        shares = grown.nodes.value[grown.nodes.roots].sum(axis=0)
        model = ClassForest(grown.nodes, classes, np.zeros(len(classes)), shares / shares.sum(), grown.table.coding)
        return grown.schema, Found(model, grown.passes)


class RegressionForest(ForestReadings, PassesRegressor):
    """A random forest that predicts numbers from tables of every kind, from memory or from files; see `Forest`.

    Trees have means at their leaves, and their answers are averaged. Several targets make one forest.

    Parameters
    ----------
    n_trees, bootstrap, seed, symbols, missing, kinds, bins, max_depth, min_rows, threads : as for `Forest`
    columns : as for `Forest`; all of them unless it is said, as in scikit-learn's forests of numbers

    Examples
    --------
    >>> from suffice import RegressionForest
    >>> X = {"colour": ["red", "green", "red", "blue"], "size": [1, 2, None, 9]}
    >>> RegressionForest(5, bootstrap=False).fit(X, [1.0, 5.0, 2.0, 7.0]).predict({"colour": ["blue"], "size": [9]})
    array([7.])

    References
    ----------
    L. Breiman, Random forests (2001). N. Oza and S. Russell, Online bagging and boosting (2001).
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = FOREST

    def __init__(
        self,
        n_trees: int = 20,
        *,
        columns: Any = None,
        bootstrap: bool = True,
        seed: int = 0,
        symbols: str = "each",
        missing: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        bins: int | None = None,
        max_depth: int | None = None,
        min_rows: int = 1,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_trees = n_trees
        self.columns = columns
        self.bootstrap = bootstrap
        self.seed = seed
        self.symbols = symbols
        self.missing = missing
        self.kinds = kinds
        self.bins = bins
        self.max_depth = max_depth
        self.min_rows = min_rows
        self.threads = threads

    def _plan(self) -> TableForestPlan:
        return TableForestPlan(self._owner, dict(self.kinds or {}), face="regressor")

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Grow all trees."""
        grown = grow_tables(plan, source, ForestWish.of(self), _number_target)
        return grown.schema, Found(NumberForest(grown.nodes, grown.table.coding), grown.passes)


def _number_target(table: PassTable, block: Block | None) -> NumberSums:
    centre: Any = table.centre
    if block is None:
        return NumberSums(np.zeros((0, len(centre))), np.zeros(0), known=centre)
    return NumberSums(np.asarray(block.y), weights_of(block), known=centre)
