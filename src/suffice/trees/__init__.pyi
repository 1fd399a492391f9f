"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.trees.rules.conjunction import ConjunctiveRule as ConjunctiveRule
from suffice.trees.decision_stump import DecisionStump as DecisionStump
from suffice.trees.decision_tree_classifier import DecisionTreeClassifier as DecisionTreeClassifier
from suffice.trees.decision_tree_regressor import DecisionTreeRegressor as DecisionTreeRegressor
from suffice.trees.tree import RegressionTree as RegressionTree
from suffice.trees.rules.rule_list import RuleList as RuleList
from suffice.trees.rules.subgroup_features import SubgroupFeatures as SubgroupFeatures
from suffice.trees.tree import Tree as Tree
from suffice.trees.nodes import TreeNodes as TreeNodes
from suffice.trees.impurities import impurity as impurity

__all__ = [
    "ConjunctiveRule",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RegressionTree",
    "RuleList",
    "SubgroupFeatures",
    "Tree",
    "TreeNodes",
    "impurity",
]
