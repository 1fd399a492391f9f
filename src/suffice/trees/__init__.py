"""Trees and rules: conditions on columns, with class weights or numbers where they end."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "ConjunctiveRule": "suffice.trees.rules.conjunction",
    "DecisionStump": "suffice.trees.decision_stump",
    "DecisionTreeClassifier": "suffice.trees.decision_tree_classifier",
    "DecisionTreeRegressor": "suffice.trees.decision_tree_regressor",
    "RegressionTree": "suffice.trees.tree",
    "RuleList": "suffice.trees.rules.rule_list",
    "SubgroupFeatures": "suffice.trees.rules.subgroup_features",
    "Tree": "suffice.trees.tree",
    "TreeNodes": "suffice.trees.nodes",
    "impurity": "suffice.trees.impurities",
}

_TOP = _HOMES.keys() - {"ConjunctiveRule", "TreeNodes", "impurity"}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
