"""RuleList: rules learned by covering, in order or as a set, read as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.rules.covering import LISTS, QUALITIES, RuleSearch
from suffice.trees.rules.read_conditions import read_conditions
from suffice.trees.rules.rule_model import RuleModel
from suffice.trees.rules.rule_readings import RuleReadings
from suffice.trees.smoothing import read_smoothing
from suffice.trees.tree import TableCells
from suffice.trees.tree_plans import TablePlan


class RuleList(RuleReadings, MemoryProbabilistic):
    """Conjunctive rules for tables of every kind, learned by covering. In memory.

    In order, a rule speaks for the rows that those before it left, and the first that covers a row answers. Unordered,
    rules are learned for each class against all others, and the class weights of all that cover a row are added. A
    missing cell fulfils no condition.

    Parameters
    ----------
    ordered : a list, or a set
    quality : "laplace", precision with the Laplace correction; "chi_square", dependence of coverage and class
    beam : how many partial rules the search keeps
    max_conditions : most conditions a rule
    max_rules : most rules (of each class where they are unordered); None: as many as help
    min_rows : least number of rows that a rule covers when it is learned
    thresholds : most thresholds that are tried of a column of numbers
    smoothing : pseudo-counts of class shares: None, "laplace", a number m, `Dirichlet`, `MEstimate`
    kinds : mapping column -> kind, overriding what the column shows
    refusal : the label that `predict` gives where it refuses

    Examples
    --------
    >>> from suffice import RuleList
    >>> X = {"length": [3, 4, 3, 5, 5], "gills": ["no", "no", "yes", "no", "yes"]}
    >>> print(RuleList().fit(X, ["+", "+", "-", "+", "-"]).text())
    if gills is no then + (3 of 3)
    otherwise - (2 of 2)

    References
    ----------
    P. Clark and T. Niblett, The CN2 induction algorithm (1989). P. Flach, Machine learning (2012), chapter 6.
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "ordered": ["boolean"],
        "quality": [StrOptions(set(QUALITIES))],
        "beam": [Interval(Integral, 1, None, closed="left")],
        "max_conditions": [Interval(Integral, 1, None, closed="left")],
        "max_rules": [Interval(Integral, 0, None, closed="left"), None],
        "min_rows": [Interval(Integral, 1, None, closed="left")],
        "thresholds": [Interval(Integral, 1, None, closed="left")],
        "smoothing": [StrOptions({"laplace"}), Interval(Real, 0.0, None, closed="left"), HasMethods("over"), None],
        "kinds": [Mapping, None],
        "refusal": "no_validation",
    }

    def __init__(
        self,
        *,
        ordered: bool = True,
        quality: str = "laplace",
        beam: int = 5,
        max_conditions: int = 3,
        max_rules: int | None = None,
        min_rows: int = 1,
        thresholds: int = 32,
        smoothing: Any = "laplace",
        kinds: Mapping[Any, Any] | None = None,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.ordered = ordered
        self.quality = quality
        self.beam = beam
        self.max_conditions = max_conditions
        self.max_rules = max_rules
        self.min_rows = min_rows
        self.thresholds = thresholds
        self.smoothing = smoothing
        self.kinds = kinds
        self.refusal = refusal

    def _plan(self) -> TablePlan:
        return TablePlan(self._owner, dict(self.kinds or {}), tells="rules")

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Cover."""
        coding, classes, W, candidates = read_conditions(self._owner, plan, source, int(self.thresholds))
        quality = QUALITIES[self.quality]
        search = RuleSearch(quality, int(self.beam), int(self.max_conditions), int(self.min_rows))
        most = None if self.max_rules is None else int(self.max_rules)
        rules, rest = LISTS[bool(self.ordered)](candidates, W, search, most)
        total = W.sum(axis=0)
        pseudo = read_smoothing(self.smoothing, classes)
        made = (tuple(rules), rest, classes, pseudo, total / total.sum(), bool(self.ordered), coding)
        return Found(RuleModel(*made))
