"""Small tables: every drop-in beside scikit-learn's, fit, predict of all rows and of one.

Where the time goes (442 x 10, LinearRegression): two thirds in double-double arithmetic, call by call of NumPy: 58
products and 116 sums of pairs a fit, of which refining the coefficients takes half; then scikit-learn's own checks of
parameters and of the table. GaussianNB (1,797 x 64) is the same sums by class; RidgeClassifier on digits spends half of
its fit in the paired root of the scatter and in sharp products.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.svm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris

import suffice
from benchmarks.measure import Line, race

NUMBERS = ("LinearRegression", "Ridge", "RidgeCV", "Lasso", "LassoCV", "ElasticNet")
CLASSES = (
    *("LogisticRegression", "RidgeClassifier", "Perceptron", "GaussianNB", "SVC", "LinearDiscriminantAnalysis"),
    "QuadraticDiscriminantAnalysis",
)
ROOMS: tuple[Any, ...] = (sklearn.linear_model, sklearn.naive_bayes, sklearn.svm, sklearn.discriminant_analysis)


def tables() -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Names of estimators, rows, targets."""
    rng = np.random.default_rng(0)
    yield NUMBERS, *load_diabetes(return_X_y=True)
    wide = rng.normal(size=(60, 300))
    yield NUMBERS, wide, wide[:, :5].sum(axis=1) + rng.normal(size=60)
    for load in (load_iris, load_breast_cancer, load_digits):
        yield CLASSES, *load(return_X_y=True)
    yield ("MultinomialNB", "BernoulliNB", "ComplementNB"), *load_digits(return_X_y=True)


def lines(runs: int = 5) -> Iterator[Line]:
    """All cases."""
    ratios = []
    for names, X, y in tables():
        for name in names:
            peer = next(getattr(room, name) for room in ROOMS if hasattr(room, name))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for line in _of(name, getattr(suffice, name)(), peer(), X, y, runs):
                    ratios.append(line.peer / line.ours)
                    yield line
    mean = float(np.exp(np.mean(np.log(ratios))))
    yield Line("geometric mean", 1.0, mean, ">= 2x", mean >= 2.0)


def _of(name: str, ours: Any, theirs: Any, X: Any, y: Any, runs: int) -> Iterator[Line]:
    size = f"{X.shape[0]} x {X.shape[1]}"
    pairs = (
        (f"{name} fit {size}", lambda m: m.fit(X, y)),
        ("  predict", lambda m: m.predict(X)),
        ("  predict one row", lambda m: m.predict(X[:1])),
    )
    for case, run in pairs:
        mine, other = race(lambda run=run: run(ours), lambda run=run: run(theirs), runs=runs)  # type: ignore[misc]
        yield Line(case, mine, other, ">= 1x", other >= mine)
