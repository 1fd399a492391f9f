"""Estimators and chains whose models must not depend on where the rows lie, and how two of them are compared."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import suffice as S

N = 60
ONCE, PASSES = 1e-12, 1e-9


def made_up() -> pd.DataFrame:
    """Rows of every kind: an offset, counts, symbols that are rare, missing cells, two targets and weights."""
    rng = np.random.default_rng(0)
    ill = np.where(rng.random(N) < 0.4, "yes", "no")
    ill[-1] = "perhaps"  # a class of one row, on one partition
    rows = pd.DataFrame({"u": rng.normal(size=N) + (ill == "yes"), "v": 3 * rng.normal(size=N) + 1000})
    rows["k"], rows["m"] = rng.poisson(2, N), rng.poisson(1, N)
    rows["c"] = rng.choice(["p", "q"], N)
    rows.loc[N - 2, "c"] = "rare"
    rows["gap"] = np.where(rng.random(N) < 0.3, np.nan, rng.normal(size=N))
    rows["two"] = rng.choice(["low", "high"], N)
    rows["ill"], rows["t"] = ill, 2 * rows.u - rows.k + 0.1 * rng.normal(size=N)
    return rows


ROWS = made_up()
MIXED, NUMBERS, COUNTS = ["u", "v", "k", "c", "gap"], ["u", "v", "k"], ["k", "m"]


class Case(NamedTuple):
    """An estimator, its columns, its target, and what is asked of it."""

    make: Callable[[], Any]
    columns: list[str]
    target: str | None
    method: str
    tol: float = ONCE


def chain(*steps: Any) -> Any:
    return S.Chain(*steps)


START = ROWS[NUMBERS].to_numpy()[:3]
UNITS = np.stack([np.diag(1 / ROWS[NUMBERS].var().to_numpy())] * 3)
CASES = {
    "NaiveBayes": Case(S.NaiveBayes, MIXED, "ill", "predict_proba"),
    "GaussianNB": Case(S.GaussianNB, NUMBERS, "ill", "predict_proba"),
    "BernoulliNB": Case(S.BernoulliNB, NUMBERS, "ill", "predict_proba"),
    "MultinomialNB": Case(S.MultinomialNB, COUNTS, "ill", "predict_proba"),
    "ComplementNB": Case(S.ComplementNB, COUNTS, "ill", "predict_proba"),
    "CategoricalNB": Case(S.CategoricalNB, COUNTS, "ill", "predict_proba"),
    "linear discriminant": Case(S.LinearDiscriminantAnalysis, NUMBERS, "ill", "predict_proba"),
    "quadratic discriminant": Case(S.QuadraticDiscriminantAnalysis, NUMBERS, "two", "predict_proba"),
    "LeastSquaresClassifier": Case(S.LeastSquaresClassifier, NUMBERS, "ill", "predict"),
    "BasicLinearClassifier": Case(S.BasicLinearClassifier, NUMBERS, "ill", "predict"),
    "LinearRegression": Case(S.LinearRegression, NUMBERS, "t", "predict"),
    "Ridge": Case(S.Ridge, NUMBERS, "t", "predict"),
    "Lasso": Case(lambda: S.Lasso(alpha=0.1), NUMBERS, "t", "predict"),
    "PolynomialRegression": Case(S.PolynomialRegression, ["u"], "t", "predict"),
    "StandardScaler": Case(S.StandardScaler, NUMBERS, None, "transform"),
    "PCA": Case(lambda: S.PCA(2), NUMBERS, None, "transform"),
    "KBinsDiscretizer": Case(lambda: S.KBinsDiscretizer(3, encode="ordinal"), NUMBERS, None, "transform"),
    "Discretizer": Case(S.Discretizer, NUMBERS, "ill", "transform"),
    "SelectKBest": Case(lambda: S.SelectKBest(k=2), NUMBERS, "ill", "transform"),
    "TableEncoder": Case(S.TableEncoder, ["u", "c"], None, "transform"),
    "chain that pushes": Case(lambda: chain(S.StandardScaler(), S.PCA(2), S.Ridge()), NUMBERS, "t", "predict"),
    "chain in passes": Case(
        lambda: chain(S.KBinsDiscretizer(3), S.LogisticRegression(max_iter=1)), NUMBERS, "two", "predict_proba", PASSES
    ),
    "LogisticRegression": Case(lambda: S.LogisticRegression(max_iter=1), NUMBERS, "ill", "predict_proba", PASSES),
    "GaussianMixture": Case(
        lambda: S.GaussianMixture(3, means_init=START, weights_init=[1 / 3] * 3, precisions_init=UNITS, max_iter=1),
        NUMBERS,
        None,
        "predict_proba",
        PASSES,
    ),
    "KMeans": Case(lambda: S.KMeans(3, init=START, n_init=1, max_iter=1), NUMBERS, None, "predict", PASSES),
    "Tree": Case(lambda: S.Tree(max_depth=1), MIXED, "ill", "predict_proba", PASSES),
    "RegressionTree": Case(lambda: S.RegressionTree(max_depth=1), NUMBERS, "t", "predict", PASSES),
    "Forest": Case(lambda: S.Forest(2, max_depth=1, seed=0), NUMBERS, "ill", "predict_proba", PASSES),
    "RegressionForest": Case(
        lambda: S.RegressionForest(2, max_depth=1, bootstrap=False), NUMBERS, "t", "predict", PASSES
    ),
}


def in_memory(case: Case, rows: pd.DataFrame = ROWS) -> Any:
    """The model of rows in memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few passes do not settle
        given = () if case.target is None else (rows[case.target],)
        return case.make().fit(rows[case.columns], *given)


def on_engine(case: Case, rows: Any) -> Any:
    """The model of rows on an engine that have just the columns of the case."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return case.make().fit(rows) if case.target is None else case.make().fit(rows, target=case.target)


def columns(case: Case) -> list[str]:
    return case.columns if case.target is None else [*case.columns, case.target]


def assert_same(case: Case, found: Any, expected: Any, rows: pd.DataFrame = ROWS) -> None:
    """Counts bit for bit, answers up to rounding."""
    ours, theirs = (getattr(model, case.method)(rows[case.columns]) for model in (found, expected))
    if np.asarray(theirs).dtype.kind in "OUS":
        assert (np.asarray(ours) == np.asarray(theirs)).all()
    else:
        ours, theirs = (np.asarray(getattr(one, "toarray", lambda one=one: one)()) for one in (ours, theirs))
        np.testing.assert_allclose(ours, theirs, rtol=case.tol, atol=case.tol * np.abs(theirs).max())
    if found.fitted_.adds:
        ours, theirs = (list(whole_numbers(model.fitted_.summary)) for model in (found, expected))
        assert len(ours) == len(theirs)
        assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def whole_numbers(value: Any) -> Iterator[np.ndarray]:
    """All counts that a summary holds."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        yield value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from whole_numbers(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from whole_numbers(item)
