"""A drop-in takes the parameters of scikit-learn's class, with its defaults: what differs is named here, and why."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from sklearn.utils import all_estimators

from suffice.testing.discovery import public_estimators

THEIRS = dict(all_estimators())
OURS = {cls.__name__: cls for cls in public_estimators() if cls.__name__ in THEIRS}
OTHER = {  # docs/differences.md
    ("KBinsDiscretizer", "subsample"): "quantiles of all rows, not of a sample",
    ("LinearRegression", "tol"): "exact, where scikit-learn's is for sparse tables",
    ("LogisticRegressionCV", "l1_ratios"): "what scikit-learn announces, without its warning",
    ("LogisticRegressionCV", "scoring"): "what scikit-learn announces, without its warning",
    ("LogisticRegressionCV", "use_legacy_attributes"): "what scikit-learn announces, without its warning",
    ("MDS", "init"): "what scikit-learn announces, without its warning",
    ("TSNE", "method"): "all pairs, a tree or a grid, by the number of rows",
    ("SVC", "probability"): "False, which scikit-learn spells 'deprecated' until it takes the parameter away",
    ("SelectFromModel", "estimator"): "has a default, for those who try it",
    ("SequentialFeatureSelector", "estimator"): "has a default, for those who try it",
    ("SelectKBest", "score_func"): "by name, so that it can be saved",
    ("SelectPercentile", "score_func"): "by name, so that it can be saved",
}
LACKS = {
    ("MDS", "dissimilarity"): "deprecated",
    ("TargetEncoder", "random_state"): "deprecated",
    ("TargetEncoder", "shuffle"): "deprecated",
}


def defaults(cls: type[Any]) -> dict[str, Any]:
    parameters = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    return {name: one.default for name, one in parameters.items() if name != "self"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_parameters_and_defaults_are_scikit_learns(name: str) -> None:
    ours, theirs = defaults(OURS[name]), defaults(THEIRS[name])
    lacking = {parameter for parameter in theirs if parameter not in ours}
    assert lacking == {parameter for cls, parameter in LACKS if cls == name}
    other = {p for p, value in theirs.items() if p in ours and repr(ours[p]) != repr(value)}
    assert other == {parameter for cls, parameter in OTHER if cls == name}


def test_every_drop_in_is_met() -> None:
    assert len(OURS) > 70
    assert {cls for cls, _ in (*OTHER, *LACKS)} <= OURS.keys()
