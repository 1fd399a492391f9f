"""Models to compare where nobody names some: one of each way to learn, for any table."""

from __future__ import annotations

from typing import Any

from suffice.bayes.naive.featureless import Featureless
from suffice.bayes.naive.naive_bayes import NaiveBayes
from suffice.compose.chain import Chain
from suffice.compose.ensembles.forest import Forest, RegressionForest
from suffice.features.encode.table_encoder import TableEncoder
from suffice.linear.logistic.logistic_regression import LogisticRegression
from suffice.linear.regression.ridge_cv import RidgeCV
from suffice.neighbours.k_neighbors_classifier import KNeighborsClassifier
from suffice.neighbours.k_neighbors_regressor import KNeighborsRegressor
from suffice.trees.tree import RegressionTree, Tree

SLOW = 20_000  # rows from which models that keep all rows, or grow many trees, are left out unless they are named
SLOWER = (KNeighborsClassifier, KNeighborsRegressor, Forest, RegressionForest)


def usual_models(classes: bool) -> list[Any]:
    """One model of each way to learn; numbers are scaled and symbols encoded before those that need that.

    Parameters
    ----------
    classes : whether the target holds classes, not numbers
    """
    if classes:
        encoded: list[Any] = [LogisticRegression(), KNeighborsClassifier()]
        whole: list[Any] = [Featureless(), NaiveBayes(), Tree(), Forest()]
    else:
        encoded, whole = [RidgeCV(), KNeighborsRegressor()], [RegressionTree(), RegressionForest()]
    return [*whole, *(Chain(TableEncoder(), model) for model in encoded)]


def last_of(model: Any) -> Any:
    """What answers: the last of a chain, or the model itself."""
    return last_of(model.steps[-1]) if isinstance(model, Chain) else model


def names_of(models: list[Any]) -> list[str]:
    """A name for each model: its class, that of its last step where it is a chain; numbered where several are alike.

    >>> names_of([NaiveBayes(), NaiveBayes(), Chain(TableEncoder(), RidgeCV())])
    ['NaiveBayes', 'NaiveBayes_2', 'RidgeCV']
    """
    met: dict[str, int] = {}
    names = []
    for model in models:
        name = type(last_of(model)).__name__
        met[name] = met.get(name, 0) + 1
        names.append(name if met[name] == 1 else f"{name}_{met[name]}")
    return names
