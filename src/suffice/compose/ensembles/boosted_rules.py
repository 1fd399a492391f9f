"""BoostedRules: conjunctive rules that abstain, each with a weight; a row is scored by the rules that cover it.

f(x) = sum of alpha_t over the rules that cover x,   alpha = 1/2 ln(eps+ / eps-),   Z = 1 - (sqrt eps+ - sqrt eps-)^2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.compose.ensembles.boosted_rule_votes import (
    BoostedRule,
    BoostedRuleModel,
    BoostedRulePlan,
    BoostedRuleReadings,
)
from suffice.compose.ensembles.boosting_steps import rule_weight
from suffice.core.block import Array
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.growth.growth_options import read_classes
from suffice.trees.growth.table_trees import look, refuse_infinite
from suffice.trees.rules.conjunction import ConjunctiveRule
from suffice.trees.rules.covering import Candidates, RuleSearch
from suffice.trees.tree import TableCells


class BoostedRules(BoostedRuleReadings, MemoryProbabilistic):
    """Confidence-rated conjunctive rules that abstain, boosted. In memory; tables of every kind.

    Each round takes the rule with the largest |sqrt(eps+) - sqrt(eps-)|, where eps+ and eps- are the weights of covered
    rows of the class and of others; its alpha minimises Z. Covered rows of the class are multiplied by exp(-alpha),
    other covered rows by exp(alpha), uncovered ones stay, and all are divided by Z. Of many classes each has its own
    rules against the rest.

    Parameters
    ----------
    n_rules : most rounds
    max_conditions : most conditions a rule
    beam : how many partial rules the search keeps
    thresholds : most thresholds that are tried of a column of numbers
    kinds : mapping column -> kind, overriding what the column shows
    refusal : the label that `predict` gives where it refuses

    Examples
    --------
    >>> from suffice import BoostedRules
    >>> X = {"gills": ["no", "no", "yes", "yes"], "length": [3, 4, 3, 9]}
    >>> model = BoostedRules(n_rules=2).fit(X, ["-", "-", "+", "+"])
    >>> model.predict(X).tolist()
    ['-', '-', '+', '+']

    References
    ----------
    W. Cohen and Y. Singer, A simple, fast, and effective rule learner (1999). R. Schapire and Y. Singer, Improved
    boosting algorithms using confidence-rated predictions (1999).
    """

    _door = TableCells(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_rules": [Interval(Integral, 1, None, closed="left")],
        "max_conditions": [Interval(Integral, 1, None, closed="left")],
        "beam": [Interval(Integral, 1, None, closed="left")],
        "thresholds": [Interval(Integral, 1, None, closed="left")],
        "kinds": [Mapping, None],
        "refusal": "no_validation",
    }

    def __init__(
        self,
        *,
        n_rules: int = 20,
        max_conditions: int = 2,
        beam: int = 5,
        thresholds: int = 32,
        kinds: Mapping[Any, Any] | None = None,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_rules = n_rules
        self.max_conditions = max_conditions
        self.beam = beam
        self.thresholds = thresholds
        self.kinds = kinds
        self.refusal = refusal

    def _plan(self) -> BoostedRulePlan:
        return BoostedRulePlan(self._owner, dict(self.kinds or {}))

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Round after round, for each class."""
        _, table, _ = look(plan, source, None)
        block = source.block(slice(0, source.table.n))
        X = table.coding.rows(block.parts)
        refuse_infinite(self._owner, X)
        codes, classes, w = read_classes(self._owner, block.y, block.w)  # type: ignore[arg-type]
        live = w > 0
        candidates = Candidates.of(X[live], table.bins, int(self.thresholds))
        heads: Sequence[int] = range(len(classes)) if len(classes) > 2 else (len(classes) - 1,)
        rules = tuple(self._boost(candidates, codes[live] == head, w[live]) for head in heads)
        total = np.bincount(codes, w, len(classes))
        return Found(BoostedRuleModel(rules, classes, total / total.sum(), table.coding))

    def _boost(self, candidates: Candidates, yes: Array, w: Array) -> tuple[BoostedRule, ...]:
        """Rules for and against one class."""
        search = RuleSearch(lopsided, int(self.beam), int(self.max_conditions))
        weights, found, floor = w / w.sum(), [], 0.5 / float(w.sum())
        for _ in range(int(self.n_rules)):
            W = np.where(yes[:, None] == np.array([False, True]), weights[:, None], 0.0)
            rule, cover = best_rule(search, candidates, W)
            plus, minus = float(W[cover, 1].sum()), float(W[cover, 0].sum())
            alpha, Z = rule_weight(plus, minus, max(1.0 - plus - minus, 0.0), floor)
            if abs(np.sqrt(plus) - np.sqrt(minus)) < 1e-9:
                break
            found.append(BoostedRule(rule, alpha, Z))
            weights = weights * np.exp(np.where(cover, np.where(yes, -alpha, alpha), 0.0))
            weights = weights / weights.sum()
        return tuple(found)


def lopsided(covered: Array, everyone: Array, head: int) -> Array:
    """|sqrt(eps+) - sqrt(eps-)|: how much a rule lowers Z."""
    return np.asarray(np.abs(np.sqrt(covered[:, 1]) - np.sqrt(covered[:, 0])))


def best_rule(search: RuleSearch, candidates: Candidates, W: Array) -> tuple[ConjunctiveRule, Array]:
    """The rule that lowers Z most, and what it covers; the rule that covers all is one of them."""
    everyone = np.ones(len(W), dtype=bool)
    always = ConjunctiveRule((), 1, W.sum(axis=0))
    best = (always, everyone, float(lopsided(W.sum(axis=0)[None], W.sum(axis=0), 1)[0]))
    for head in (1, 0):
        found = search.best(candidates, W, everyone, (head,))
        if found is not None and found[2] > best[2] + 1e-12:
            best = (ConjunctiveRule(found[0].conditions, 1, found[0].weights), found[1], found[2])
    return best[0], best[1]
