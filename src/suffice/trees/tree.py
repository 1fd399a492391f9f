"""Tree and RegressionTree: trees for tables of every kind, from memory or in passes over files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.core.errors import bad
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.passes_classifier import PassesClassifier
from suffice.estimators.glue.passes_regressor import PassesRegressor
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.trees.growth.table_trees import TreeWish, find_class_tree, find_number_tree
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.prune_for import prune_classes, prune_numbers
from suffice.trees.smoothing import read_smoothing
from suffice.trees.tree_plans import TablePlan
from suffice.trees.tree_readings import TreeReadings

MISSING = {"best", "branch", "share"}
SHARED: dict[str, Any] = {
    "kinds": [Mapping, None],
    "symbols": [StrOptions({"each", "groups"})],
    "missing": [StrOptions(MISSING)],
    "bins": [Interval(Integral, 2, None, closed="left"), None],
    "max_depth": [Interval(Integral, 0, None, closed="left"), None],
    "min_rows": [Interval(Integral, 1, None, closed="left")],
    "min_gain": [Interval(Real, 0.0, None, closed="left")],
    "max_leaves": [Interval(Integral, 2, None, closed="left"), None],
    "alpha": [Interval(Real, 0.0, None, closed="left")],
    "threads": [Interval(Integral, 1, None, closed="left"), None],
}


class TableCells(AnyTable):
    """Any table but sparse matrices; cells may be missing."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as it is; `first` sets what later tables must be like."""
        if hasattr(X, "tocsr"):
            rule = "a table with cells (sparse input is not supported)"
            raise bad(estimator._owner, "X", rule, type(X).__name__, "Use X.toarray(), or DecisionTreeClassifier.")
        return super().check(estimator, X, first=first, learning=learning)

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        super().tag(tags)
        tags.input_tags.sparse = False


class Tree(TreeReadings, PassesClassifier):
    """A classification tree that reads the kinds of columns from the table, and keeps class weights at every node.

    Numbers, dates, Booleans and ordinals are divided by a threshold; symbols get one child a value, or are put in two
    groups. Prior, costs and refusal are chosen when it predicts; `prune` makes the tree that such a choice needs.
    Exact in memory; from files it grows level by level, one pass a level, from bins of the columns.

    Parameters
    ----------
    criterion : "gini", "entropy", "misclassification" or "sqrt_gini", whose splits do not depend on the class shares
    gain_ratio : whether a split is judged by its gain per bit it tells, which tempers symbols with many values
    symbols : "each": one child a value; "groups": two groups of values
    missing : "best": missing cells go where they help most; "branch": to a child of their own; "share": to all
        children, by their shares of the weight
    kinds : mapping column -> kind, overriding what the column shows; a list of values, lowest first, is an ordinal
    bins : most bins of a column of numbers; None: one a distinct value in memory, 256 from files
    max_depth, min_rows, min_gain, max_leaves : no deeper; no child with fewer rows; no split that lowers the mean
        impurity by less; no more leaves (in memory only)
    alpha : of cost-complexity pruning; 0 prunes nothing
    smoothing : pseudo-counts at the leaves: None, "laplace", a number m, or `Dirichlet`, `MEstimate` of
        `suffice.families`
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import Tree
    >>> X = {"colour": ["red", "green", "red", "blue"], "size": [1, 2, None, 9]}
    >>> print(Tree(smoothing="laplace").fit(X, ["no", "yes", "no", "yes"]).text())
    colour is blue: yes (0.667), weight 1
    colour is green: yes (0.667), weight 1
    colour is red: no (0.75), weight 2

    References
    ----------
    L. Breiman et al., Classification and regression trees (1984). J. R. Quinlan, C4.5 (1993). F. Provost and P.
    Domingos, Tree induction for probability-based ranking (2003).
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SHARED,
        "criterion": [StrOptions(set(CLASS_IMPURITIES))],
        "gain_ratio": ["boolean"],
        "smoothing": [StrOptions({"laplace"}), Interval(Real, 0.0, None, closed="left"), HasMethods("over"), None],
        "refusal": "no_validation",
    }

    def __init__(
        self,
        *,
        criterion: str = "gini",
        gain_ratio: bool = False,
        symbols: str = "each",
        missing: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        bins: int | None = None,
        max_depth: int | None = None,
        min_rows: int = 1,
        min_gain: float = 0.0,
        max_leaves: int | None = None,
        alpha: float = 0.0,
        smoothing: Any = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.criterion = criterion
        self.gain_ratio = gain_ratio
        self.symbols = symbols
        self.missing = missing
        self.kinds = kinds
        self.bins = bins
        self.max_depth = max_depth
        self.min_rows = min_rows
        self.min_gain = min_gain
        self.max_leaves = max_leaves
        self.alpha = alpha
        self.smoothing = smoothing
        self.refusal = refusal
        self.threads = threads

    def prune(
        self, X: Any = None, y: Any = None, *, alpha: float | None = None, prior: Any = None, costs: Any = None
    ) -> Self:
        """A copy that is pruned; this one stays as it is.

        With rows: without subtrees that cost no less on them (reduced error). With `alpha`: the smallest tree of least
        expected cost plus alpha for each leaf. With neither: without subtrees all of whose leaves decide the same.

        Parameters
        ----------
        X, y : rows that were held out
        alpha : what a leaf costs, in the unit of `costs` for a row
        prior, costs : as for `predict`: what the tree shall be good for
        """
        model = prune_classes(self, X, y, alpha, prior, costs)
        return self._with_model(model)

    def _with_model(self, model: Any) -> Self:
        from sklearn.base import clone

        other: Any = clone(self)
        for name in ("n_features_in_", "feature_names_in_"):
            if name in vars(self):
                setattr(other, name, getattr(self, name))
        fitted = self._state()[0]
        found: Self = other._adopt(replace(fitted, state=Found(model, fitted.state.passes)), self._origin)
        return found

    def _plan(self) -> TablePlan:
        return TablePlan(self._owner, dict(self.kinds or {}))

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Grow, then prune."""
        wish = TreeWish.of(self, CLASS_IMPURITIES[self.criterion], bool(self.gain_ratio))
        return find_class_tree(plan, source, wish, lambda classes: read_smoothing(self.smoothing, classes))


class RegressionTree(TreeReadings, PassesRegressor):
    """A tree that predicts numbers from tables of every kind, by means at its leaves; see `Tree`.

    Parameters
    ----------
    symbols, missing, kinds, bins, max_depth, min_rows, min_gain, max_leaves, alpha, threads : as for `Tree`

    Examples
    --------
    >>> from suffice import RegressionTree
    >>> X = {"colour": ["red", "green", "red", "blue"]}
    >>> RegressionTree().fit(X, [1.0, 5.0, 2.0, 7.0]).predict({"colour": ["red"]})
    array([1.5])

    References
    ----------
    L. Breiman et al., Classification and regression trees (1984).
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = SHARED

    def __init__(
        self,
        *,
        symbols: str = "each",
        missing: str = "best",
        kinds: Mapping[Any, Any] | None = None,
        bins: int | None = None,
        max_depth: int | None = None,
        min_rows: int = 1,
        min_gain: float = 0.0,
        max_leaves: int | None = None,
        alpha: float = 0.0,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.symbols = symbols
        self.missing = missing
        self.kinds = kinds
        self.bins = bins
        self.max_depth = max_depth
        self.min_rows = min_rows
        self.min_gain = min_gain
        self.max_leaves = max_leaves
        self.alpha = alpha
        self.threads = threads

    def prune(self, X: Any = None, y: Any = None, *, alpha: float | None = None) -> Self:
        """A copy that is pruned, by rows held out (reduced error) or by `alpha` for each leaf; this one stays.

        Parameters
        ----------
        X, y : rows that were held out
        alpha : what a leaf costs, in the unit of squared error for a row
        """
        with_model: Any = Tree._with_model
        pruned: Self = with_model(self, prune_numbers(self, X, y, alpha))
        return pruned

    def _plan(self) -> TablePlan:
        return TablePlan(self._owner, dict(self.kinds or {}), face="regressor")

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Grow, then prune."""
        return find_number_tree(plan, source, TreeWish.of(self, None, False))
