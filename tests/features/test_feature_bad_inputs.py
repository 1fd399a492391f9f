"""Bad input to imputers, constructors and selectors: one sentence each, all different, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import suffice
from suffice import features
from suffice.core.errors import SufficeError
from suffice.testing.sameness import identical

X, Y = load_iris(return_X_y=True)
X, Y = X[::5], Y[::5]
HOLED = np.where(np.arange(X.size).reshape(X.shape) % 7 == 3, np.nan, X)
CASES_TABLE = pd.DataFrame({"id": [1, 2], "word": ["a", "b"]})
ORDERS = pd.DataFrame({"id": [1, 1, 2], "price": [1.0, 2.0, 3.0], "late": [True, False, True]})
FOLDS = features.LeastSquaresFolds(X, Y.astype(float), cv=3)


class Case(NamedTuple):
    """Something that must be refused."""

    told: str
    call: Callable[[Any], Any]
    subject: Callable[[], Any] = SimpleNamespace


def fitted(name: str, /, **parameters: Any) -> Callable[[], Any]:
    """An estimator that has learned."""
    rows = HOLED if "Imputer" in name or name == "MissingAsValue" else X
    return lambda: getattr(suffice, name)(**parameters).fit(rows, Y)


def fitting(told: str, name: str, /, rows: Any = X, y: Any = Y, **parameters: Any) -> Case:
    """Parameters, rows or labels that are refused by an estimator that has learned others before."""
    begun = fitted(name, **({"k": 2} if name == "SelectKBest" else {}))
    return Case(told, lambda model: model.set_params(**parameters).fit(rows, y), begun)


def asking(told: str, name: str, /, *given: Any, **named: Any) -> Case:
    return Case(told, lambda _: getattr(features, name)(*given, **named))


def flatten(told: str, tables: Any, keys: Any, cases: Any = CASES_TABLE, **named: Any) -> Case:
    return Case(told, lambda _: features.Propositionalise(tables, keys, **named)(cases))


CASES = [
    # imputers
    fitting("ClassImputer.*strategy", "ClassImputer", HOLED, strategy="best"),
    fitting("KNNImputer: n_neighbors|'n_neighbors' parameter of KNNImputer", "KNNImputer", HOLED, n_neighbors=0),
    fitting("'weights' parameter of KNNImputer", "KNNImputer", HOLED, weights="near"),
    fitting("KNNImputer: missing_values must be NaN or a number", "KNNImputer", HOLED, missing_values="none"),
    fitting("'strategy' parameter of SimpleImputer", "SimpleImputer", HOLED, strategy="best"),
    fitting("ModelImputer: estimator must be a regressor", "ModelImputer", HOLED, estimator=suffice.GaussianNB()),
    fitting("ModelImputer: X must be at least two columns", "ModelImputer", HOLED[:, :1]),
    fitting("'max_iter' parameter of ModelImputer", "ModelImputer", HOLED, max_iter=0),
    fitting("'tol' parameter of ModelImputer", "ModelImputer", HOLED, tol=-1.0),
    fitting("MissingAsValue: numbers must be one of", "MissingAsValue", HOLED, numbers="best"),
    fitting("MissingAsValue: value must be a finite number", "MissingAsValue", HOLED, value=np.inf),
    fitting("MissingAsValue: symbol must be a text", "MissingAsValue", HOLED, symbol=3),
    fitting("'prior_strength' parameter of NormalImputer", "NormalImputer", HOLED, prior_strength=-1.0),
    fitting("NormalImputer.*infinity|NormalImputer.*finite", "NormalImputer", np.where(HOLED > 6, np.inf, HOLED)),
    Case("NormalImputer: m must be a whole number", lambda m: list(m.draw(HOLED, 0)), fitted("NormalImputer")),
    Case("NormalImputer is expecting 4 features", lambda m: m.transform(HOLED[:, :2]), fitted("NormalImputer")),
    Case("KNNImputer is expecting 4 features", lambda m: m.transform(HOLED[:, :3]), fitted("KNNImputer")),
    asking("pool: estimates must be", "pool", [1.0], [1.0]),
    asking("pool: variances must be numbers of at least 0", "pool", [1.0, 2.0], [1.0, -1.0]),
    asking("pool: freedom must be above 0", "pool", [1.0, 2.0], [1.0, 1.0], freedom=0.0),
    Case("Pooled: level must be between", lambda _: features.pool([1.0, 2.0], [1.0, 1.0]).interval(1.5)),
    # constructors
    flatten("keys must be given for table 'orders'", {"orders": ORDERS}, {}),
    flatten("keys must be of the tables", {"orders": ORDERS}, {"orders": "id", "bills": "id"}),
    flatten("keys must be columns of their tables", {"orders": ORDERS}, {"orders": "customer"}),
    flatten("keys must be columns of the parent", {"orders": ORDERS}, {"orders": ("id", None, "number")}),
    flatten("keys must be of one type", {"orders": ORDERS}, {"orders": ("id", None, "word")}),
    flatten("amounts must be some of", {"orders": ORDERS}, {"orders": "id"}, amounts=["median"]),
    flatten("columns must be at most 2", {"orders": ORDERS}, {"orders": "id"}, most=2),
    flatten("tables without the target 'late'", {"orders": ORDERS}, {"orders": "id"}, target="late"),
    Case(
        "a column must be one of",
        lambda _: features.Propositionalise({"orders": ORDERS}, {"orders": "id"}).column(CASES_TABLE, "MODE(orders)"),
    ),
    asking("Amount: how must be one of", "Amount", "orders", value="price", how="mode"),
    asking("build: features must be of different names", "build", [], [features.Count("a"), features.Count("a")]),
    asking("words: a text must be a string", "words", 3),
    asking("has_phrase: phrase must be at least one word", "has_phrase", "a text", ""),
    asking("series must be of shape", "curve_coefficients", [1.0, 2.0]),
    asking("degree must be a whole number", "curve_coefficients", [[1.0, 2.0]], degree=-1),
    asking("times must be 2 numbers", "curve_coefficients", [[1.0, 2.0]], degree=1, times=[1.0]),
    asking("series must be finite numbers", "curve_coefficients", [[1.0, np.inf]], degree=1),
    asking("a series must have", "curve_coefficients", [[1.0, 2.0]], degree=2),
    fitting("'buckets' parameter of CartesianProduct", "CartesianProduct", buckets=0),
    # selectors
    fitting("'k' parameter of SelectKBest", "SelectKBest", k=-1),
    fitting("SelectKBest: score_func must be one of", "SelectKBest", score_func=max),
    fitting("SelectKBest: y must be", "SelectKBest", y=None),
    fitting("chi2: X must be counts of at least 0", "SelectKBest", -X, score_func="chi2"),
    fitting("'percentile' parameter of SelectPercentile", "SelectPercentile", percentile=-1),
    Case(
        "VarianceThreshold: threshold must be",
        lambda m: m.set_params(threshold=1e9).transform(X),
        fitted("VarianceThreshold"),
    ),
    fitting("SelectFromModel: max_features must be", "SelectFromModel", max_features=9),
    fitting("SelectFromModel: threshold must be", "SelectFromModel", threshold="3 * best"),
    fitting(
        "SequentialFeatureSelector: n_features_to_select must be", "SequentialFeatureSelector", n_features_to_select=9
    ),
    Case("SelectKBest is expecting 4 features", lambda m: m.partial_fit(X[:, :2], Y), fitted("SelectKBest", k=2)),
    Case("never seen|never added", lambda m: m.forget(X + 7.0, Y + 9), fitted("SelectKBest", k=2)),
    asking("relief: anchors must be", "relief", X, Y, anchors=0),
    asking("relief: symbols must be", "relief", X, Y, symbols=[9]),
    asking("relief: anchors must be a whole number", "relief", X, Y, anchors=2.5),
    asking("relief_f: k must be", "relief_f", X, Y, k=0),
    asking("relief_f: k must be a whole number", "relief_f", X, Y, k=2.5),
    asking("relief_f: X must be without infinite", "relief_f", np.where(X > 5, np.inf, X), Y),
    asking("regression_relief_f: y must be", "regression_relief_f", X, np.full(len(X), np.nan)),
    asking("regression_relief_f: k must be", "regression_relief_f", X, Y, k=0),
    asking("forward: size must be", "forward", FOLDS, size=9),
    asking("backward: size must be", "backward", FOLDS, size=0),
    asking("floating: size must be", "floating", FOLDS, size=5),
    asking(
        "all_subsets: the number of columns must be", "all_subsets", features.LeastSquaresFolds(np.eye(25), range(25))
    ),
    asking("genetic: the options must be", "genetic", FOLDS, population=1),
    asking("annealing: the options must be", "annealing", FOLDS, start=0.0),
    asking("LeastSquaresFolds: scoring must be", "LeastSquaresFolds", X, Y, scoring="accuracy"),
    asking("LeastSquaresFolds: cv must be", "LeastSquaresFolds", X, Y, cv=1),
    asking("drop_redundant: threshold must be", "drop_redundant", X, 2.0),
    asking("drop_redundant: scores must be", "drop_redundant", X, 0.5, scores=[1.0]),
    asking("correlation_based: y must be", "correlation_based", X, Y[:3]),
    asking("adjusted: p_values must be", "adjusted", [0.5, 1.5]),
    asking("stability: selector must be", "stability", suffice.GaussianNB(), X, Y),
    Case("score must be one of", lambda _: features.ColumnScores.of(X, Y).read("best")),
    Case("bins must be at least 2", lambda _: features.ColumnScores.of(X, Y).read("gain_ratio", 1)),
]


def refused(case: Case) -> str:
    """The sentence; the subject and the rows are as they were before."""
    subject = case.subject()
    before = vars(subject).get("fitted_")
    rows = X.copy(), HOLED.copy(), Y.copy(), ORDERS.copy()
    with pytest.raises((SufficeError, ValueError), match=case.told) as caught:
        case.call(subject)
    for now, then in zip((X, HOLED, Y), rows, strict=False):
        np.testing.assert_array_equal(now, then)
    pd.testing.assert_frame_equal(ORDERS, rows[-1])
    after = vars(subject).get("fitted_")
    assert after is before or (after is not None and before is not None and identical(after.state, before.state))
    return str(caught.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.told[:50])
def test_it_is_refused_in_one_sentence(case: Case) -> None:
    told = refused(case)
    assert "\n" not in told.strip()


def test_forty_sentences_differ() -> None:
    """Nobody is told the same of two mistakes."""
    told = {refused(case) for case in CASES}
    assert len(told) == len(CASES) >= 70
