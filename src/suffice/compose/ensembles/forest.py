"""Forest: trees of tables of every kind, each from rows drawn by a hash, from memory or in passes over files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.compose.ensembles.forest_models import ClassForest
from suffice.compose.ensembles.forest_plan import TableForestPlan
from suffice.compose.ensembles.forest_readings import ForestReadings
from suffice.core.block import Array
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.estimators.glue.passes_classifier import PassesClassifier
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.drawing import mixed, poisson_weights
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growing_in_passes import LevelGrowing, PassTable, grow_in_passes
from suffice.trees.growth.growth_options import columns_of
from suffice.trees.growth.numeric_trees import grow_binned
from suffice.trees.growth.splits import SplitLimits
from suffice.trees.growth.table_trees import look, refuse_infinite
from suffice.trees.growth.targets import ClassSums
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree import SHARED, TableCells


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
        **{name: SHARED[name] for name in ("kinds", "symbols", "missing", "bins", "max_depth", "min_rows", "threads")},
        "n_trees": [Interval(Integral, 1, None, closed="left")],
        "criterion": [StrOptions(set(CLASS_IMPURITIES))],
        "columns": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
            StrOptions({"sqrt", "log2"}),
            None,
        ],
        "bootstrap": ["boolean"],
        "seed": [Interval(Integral, 0, None, closed="left")],
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
        source, table, _ = look(plan, source, self.bins)
        classes: Any = table.classes
        if isinstance(source, MemorySource):
            nodes, shares, passes = (*self._in_memory(source, table), 1)
        else:
            trees, passes = grow_in_passes(source, table, [self._growing(table, t) for t in range(int(self.n_trees))])
            nodes = TreeNodes.together(trees)
            shares = nodes.value[nodes.roots].sum(axis=0)
        model = ClassForest(nodes, classes, np.zeros(len(classes)), shares / shares.sum(), table.coding)
        return source.schema, Found(model, passes + 1)

    def _growth(self, tree: int, d: int) -> Growth:
        limits = SplitLimits(rows=int(self.min_rows), missing=self.missing, symbols=self.symbols)
        depth = None if self.max_depth is None else int(self.max_depth)
        columns = None if self.columns is None else columns_of(self.columns, d)
        return Growth(depth=depth, limits=limits, columns=columns, seed=mixed(int(self.seed)) ^ tree)

    def _growing(self, table: PassTable, tree: int) -> LevelGrowing:
        none = np.zeros(0)
        target = ClassSums(none.astype(np.int64), len(table.classes or ()), none, CLASS_IMPURITIES[self.criterion])
        draw = (int(self.seed), tree) if self.bootstrap else None
        return LevelGrowing(table.bins, target, self._growth(tree, table.coding.d), draw)

    def _in_memory(self, source: MemorySource, table: PassTable) -> tuple[TreeNodes, Array]:
        block = source.block(slice(0, source.table.n))
        X = table.coding.rows(block.parts)
        refuse_infinite(self._owner, X)
        y: Any = block.y
        place = {label: k for k, label in enumerate(table.classes or ())}
        codes = np.array([*(place.get(label, 0) for label in y.labels[0]), 0])[y.codes[:, 0]]
        w = np.ones(block.n) if block.w is None else np.asarray(block.w, dtype=np.float64)
        target, cells = ClassSums(codes, len(place), w, CLASS_IMPURITIES[self.criterion]), BinnedCells.by(table.bins, X)
        trees = []
        for t in range(int(self.n_trees)):
            drawn = w * poisson_weights(int(self.seed), t, block.numbers) if self.bootstrap else w
            mine = replace(target, w=drawn if drawn.any() else w)
            trees.append(grow_binned(cells, mine, self._growth(t, X.shape[1]), int(self.n_trees)))
        nodes = TreeNodes.together(trees)
        return nodes, np.asarray(nodes.value[nodes.roots].sum(axis=0))
