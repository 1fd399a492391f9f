"""Bad rows, labels, weights and wishes of trees, ensembles and nets: each gets one sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.base import is_classifier

from suffice import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    MLPClassifier,
    MLPRegressor,
    ModelAverage,
    NaiveBayes,
    RandomForestClassifier,
    RuleList,
    Tree,
)
from suffice.compose import combine
from suffice.core.errors import BadInput, NotASummary

X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]]
Y = [0, 0, 1, 1]
INFINITE = [[0.0], [np.inf]]


def tree(**given: Any) -> Any:
    """A small tree."""
    return DecisionTreeClassifier(**given).fit(X, Y)


def forest() -> Any:
    """A small forest."""
    return RandomForestClassifier(3, random_state=0).fit(X, Y)


def net() -> Any:
    """A small net, not trained yet."""
    return MLPClassifier((2,), solver="lbfgs", max_iter=30, tol=10.0, random_state=0)


def online() -> Any:
    """One that learns on."""
    return MLPClassifier((2,), random_state=0)


def counts(y: list[float]) -> Any:
    """A regressor of counts."""
    return DecisionTreeRegressor(criterion="poisson").fit(X, y)


BAD: list[tuple[Callable[[], Any], str]] = [
    (lambda: DecisionTreeClassifier().fit(INFINITE, [0, 1]), "column 'x0' must be finite .* in row 1"),
    (lambda: DecisionTreeClassifier().fit(X, [0, 1]), "X and y must be of one length .* got 4 and 2"),
    (lambda: DecisionTreeClassifier().fit(X, [0, 1, None, 1]), "a missing one .* in row 2"),
    (lambda: DecisionTreeClassifier().fit([["a"], ["b"]], [0, 1]), "column 'x0' must be of numbers, got 'a' in row 0"),
    (lambda: DecisionTreeClassifier().fit(np.zeros((0, 2)), []), "0 sample"),
    (lambda: DecisionTreeClassifier().fit(np.zeros((2, 2, 2)), [0, 1]), "dim 3"),
    (lambda: DecisionTreeClassifier().fit(X, Y, [1, -1, 1, 1]), "sample_weight must be at least 0"),
    (lambda: DecisionTreeClassifier().fit(X, Y, [0, 0, 0, 0]), "sample_weight must be greater than 0 for some row"),
    (lambda: DecisionTreeClassifier().fit(X, Y, [1, np.nan, 1, 1]), "sample_weight must be finite"),
    (lambda: DecisionTreeClassifier().fit(X, Y, [1, 1]), "sample_weight must be one column of 4 numbers"),
    (lambda: DecisionTreeClassifier().fit(X, [[0, 1], [1], [0, 1], [1, 0]]), "as many labels in every row"),
    (lambda: tree(class_weight={0: -1.0, 1: 1.0}), "class_weight must be finite, at least 0"),
    (lambda: tree().predict([[0.0]]), "expecting 2 features"),
    (lambda: tree().predict(X, prior=[0.5, 0.2, 0.3]), "prior must be one probability per class"),
    (lambda: tree().predict(X, costs=[[0, 1]]), "costs must be a table"),
    (lambda: tree().predict(X, at_least=2), "at_least must be None or a probability"),
    (lambda: DecisionTreeRegressor().fit(X, [1.0, np.nan, 2.0, 3.0]), "y must be present in every row .* in row 1"),
    (lambda: DecisionTreeRegressor().fit(X, list("abcd")), "y must be numbers"),
    (lambda: counts([1.0, -1.0, 2.0, 3.0]), "y must be at least 0"),
    (lambda: counts([0.0] * 4), "y must be above 0 in some row"),
    (lambda: RandomForestClassifier(2).fit(INFINITE, [0, 1]), "column 'x0' must be finite"),
    (lambda: forest().predict([[0.0]]), "expecting 2 features"),
    (lambda: combine(forest(), tree()), "models to combine must be forests of one kind"),
    (lambda: combine(forest()), "forests must be at least two"),
    (lambda: Tree(kinds={"a": "text"}).fit({"a": ["x y", "z"]}, [0, 1]), "column 'a' must be numbers, dates or"),
    (lambda: Tree().fit({"a": [1, 2], "b": [1]}, [0, 1]), "columns must be all of one length"),
    (lambda: Tree().fit(X, Y).prune(X), "prune must be given rows with labels, or alpha"),
    (lambda: Tree().fit({"a": [1, 2]}, [0, 1]).predict({"b": [1]}), "those of the training table, 'a' among them"),
    (lambda: AdaBoostClassifier(DecisionStump()).fit([[0.0], [0.0]], [0, 1]), "the first member must be better"),
    (lambda: AdaBoostClassifier().fit(INFINITE, [0, 1]), "column 'x0' must be finite"),
    (lambda: net().fit(INFINITE, [0, 1]), "column 'x0' must be finite"),
    (lambda: MLPClassifier((0,)).fit(X, Y), "hidden_layer_sizes must be whole numbers of at least 1"),
    (lambda: online().partial_fit(X, Y), "classes must be given in the first call"),
    (lambda: online().partial_fit(X, Y, classes=[0, 1]).partial_fit(X, [0, 0, 2, 2]), "among the classes"),
    (lambda: net().fit(X, Y, [1, 1, -1, 1]), "sample_weight must be at least 0"),
    (lambda: net().fit(X, Y).hidden_outputs(X, 5), "layer must be a hidden layer, 1 to 1"),
    (lambda: net().fit(X, Y).predict([[0.0]]), "expecting 2 features"),
    (lambda: MLPRegressor("poisson", (2,)).fit(X, [-1.0, 1, 2, 3]), "y must be at least 0 where loss is 'poisson'"),
    (lambda: RuleList().fit(X, Y).predict([[0.0]]), "expecting 2 features"),
]


@pytest.mark.parametrize(("call", "words"), BAD, ids=[words for _, words in BAD])
def test_one_sentence(call: Callable[[], Any], words: str) -> None:
    with pytest.raises((BadInput, NotASummary), match=words) as told:
        call()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("made", [BaggingClassifier, BaggingRegressor])
@pytest.mark.parametrize("weights", [-2.0, [-1.0, -1.0, -2.0, -1.0]])
def test_weights_below_zero_are_no_shares(made: Any, weights: Any) -> None:
    model = made(n_estimators=2, random_state=0)
    with pytest.raises(BadInput, match=rf"{made.__name__}: sample_weight must be at least 0, got -2\.0\. "):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], sample_weight=weights)
    assert not hasattr(model, "estimators_")


@pytest.mark.parametrize("members", [[NaiveBayes()], [("a", NaiveBayes(), 3)], ["ab", ("a", NaiveBayes())]])
def test_members_of_an_average_have_names(members: Any) -> None:
    model = ModelAverage(members)
    assert repr(model)
    assert is_classifier(model)
    with pytest.raises(BadInput, match=r"ModelAverage: estimators must be a list of .* \(name, classifier\), got "):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
