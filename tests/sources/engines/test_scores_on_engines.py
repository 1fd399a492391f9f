"""What `score` says of rows on Dask is what it says of the same rows in memory, whatever the model is made of."""

from __future__ import annotations

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from suffice import (
    BaggingClassifier,
    CalibratedClassifier,
    Decide,
    GaussianMixture,
    KMeans,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LogisticRegression,
    LogisticRegressionCV,
    MLPClassifier,
    ModelAverage,
    NaiveBayes,
    OneVsOneClassifier,
    OneVsRestClassifier,
    RegressionTree,
    Ridge,
    StackingRegressor,
    Tree,
    VotingClassifier,
)
from suffice.core.errors import BadInput

rng = np.random.default_rng(4)
N = 60
X = pd.DataFrame({"a": rng.normal(size=N), "b": rng.poisson(3, N).astype(float), "c": rng.choice(["u", "v"], N)})
Y = pd.Series(np.where(X.a + rng.normal(size=N) > 0, "p", "q"))
T = pd.Series(X.a * 2 + rng.normal(size=N))
W = pd.Series(rng.integers(1, 4, N).astype(float))
NUMBERS = ["a", "b"]

CLASSIFIERS = [
    (VotingClassifier([("a", NaiveBayes()), ("b", Tree())]), list(X)),
    (Decide(NaiveBayes()), list(X)),
    (ModelAverage([("a", NaiveBayes()), ("b", NaiveBayes())]), list(X)),
    (CalibratedClassifier(Tree(max_depth=2)), list(X)),
    (OneVsRestClassifier(LogisticRegression()), NUMBERS),
    (OneVsOneClassifier(LogisticRegression()), NUMBERS),
    (BaggingClassifier(random_state=0), NUMBERS),
    (KNeighborsClassifier(), list(X)),
    (MLPClassifier((2,), max_iter=3, random_state=0), list(X)),
    (LogisticRegressionCV(cv=2), list(X)),
    (LogisticRegressionCV(cv=2, scoring="accuracy"), list(X)),
]
REGRESSORS = [
    (StackingRegressor([("a", Ridge()), ("b", RegressionTree())], cv=2), list(X)),
    (KNeighborsRegressor(), list(X)),
]


def parts(table):
    return dd.from_pandas(table, npartitions=3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("model", "columns", "y"),
    [*((m, c, Y) for m, c in CLASSIFIERS), *((m, c, T) for m, c in REGRESSORS)],
    ids=lambda one: type(one).__name__ if hasattr(one, "fit") else "",
)
def test_scores_are_those_of_rows_in_memory(model, columns, y):
    model.fit(X[columns], y)
    with dask.config.set(scheduler="sync"):
        found = model.score(parts(X[columns]), parts(y), sample_weight=parts(W))
        turned = model.score(parts(X[columns[::-1]]), parts(y))
    assert found == pytest.approx(model.score(X[columns], y, sample_weight=W), rel=1e-12, abs=1e-12)
    assert turned == pytest.approx(model.score(X[columns], y), rel=1e-12, abs=1e-12)


def test_what_is_no_sum_is_refused_in_one_sentence():
    model = LogisticRegressionCV(cv=2, scoring="roc_auc").fit(X[NUMBERS], Y)
    with pytest.raises(BadInput, match=r"scoring must be accuracy or one of neg_log_loss .* got 'roc_auc'"):
        model.score(parts(X[NUMBERS]), parts(Y))
    for other in (KMeans(2), GaussianMixture(2)):
        with pytest.raises(BadInput, match="score must be asked of rows in memory"):
            other.fit(X[NUMBERS]).score(parts(X[NUMBERS]))
    with pytest.raises(BadInput, match="the rows must be with a target"):
        NaiveBayes().fit(X, Y).score(parts(X))
