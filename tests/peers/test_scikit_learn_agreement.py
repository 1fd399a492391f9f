"""The drop-ins agree with scikit-learn: attributes with their types, and probabilities, for every form of X and y."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import sklearn.naive_bayes

import suffice

COMMON = ("classes_", "class_count_", "n_features_in_")
DISCRETE = (*COMMON, "class_log_prior_", "feature_log_prob_")
ATTRIBUTES = {
    "BernoulliNB": (*DISCRETE, "feature_count_"),
    "CategoricalNB": (*DISCRETE, "category_count_", "n_categories_"),
    "ComplementNB": (*DISCRETE, "feature_count_", "feature_all_"),
    "GaussianNB": (*COMMON, "class_prior_", "theta_", "var_", "epsilon_"),
    "MultinomialNB": (*DISCRETE, "feature_count_"),
}
METHODS = ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba")
PARAMETERS: list[tuple[str, dict[str, Any]]] = [
    ("BernoulliNB", {"alpha": 0.3, "binarize": 1.0}),
    ("BernoulliNB", {"binarize": None, "fit_prior": False}),
    ("CategoricalNB", {"alpha": 0.0, "min_categories": 7}),
    ("CategoricalNB", {"min_categories": [5, 6, 7, 8, 9, 10], "class_prior": [0.2, 0.3, 0.5]}),
    ("ComplementNB", {"norm": True, "alpha": 0.1}),
    ("ComplementNB", {"fit_prior": False}),
    ("GaussianNB", {"priors": [0.2, 0.3, 0.5], "var_smoothing": 1e-3}),
    ("MultinomialNB", {"alpha": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}),
    ("MultinomialNB", {"class_prior": [0.2, 0.3, 0.5]}),
    ("MultinomialNB", {"alpha": 0.0, "force_alpha": True}),
]
N, D = 120, 6


def cells(name: str, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    if name == "GaussianNB":
        return rng.normal(rng.normal(size=D), rng.uniform(0.1, 10.0, size=D), size=(N, D))
    return rng.integers(0, 5, size=(N, D)) if name == "CategoricalNB" else rng.poisson(0.7, size=(N, D))


def labels(seed: int) -> Any:
    return np.random.default_rng(seed + 1000).permutation(np.arange(N) % 3)


def weights(seed: int) -> Any:
    return np.random.default_rng(seed + 2000).uniform(0.1, 3.0, size=N)


def sparse(kind: Any, index: Any) -> Callable[[Any], Any]:
    def make(X: Any) -> Any:
        M = kind(X)
        M.indices, M.indptr = M.indices.astype(index), M.indptr.astype(index)
        return M

    return make


NAMES = [f"c{j}" for j in range(D)]
DENSE: dict[str, Callable[[Any], Any]] = {
    "array": lambda X: X,
    "Fortran order": np.asfortranarray,
    "float32": lambda X: X.astype(np.float32),
    "list": lambda X: X.tolist(),
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "polars": lambda X: pl.DataFrame(X, schema=NAMES),
    "Arrow": lambda X: pa.table({name: X[:, j] for j, name in enumerate(NAMES)}),
}
SPARSE: dict[str, Callable[[Any], Any]] = {
    "CSR array, int32": sparse(sp.csr_array, np.int32),
    "CSR array, int64": sparse(sp.csr_array, np.int64),
    "CSR matrix, int32": sparse(sp.csr_matrix, np.int32),
    "CSR matrix, int64": sparse(sp.csr_matrix, np.int64),
    "CSC array": sp.csc_array,
    "COO array": sp.coo_array,
}
WORDS = ("BernoulliNB", "ComplementNB", "MultinomialNB")
FORMS = [(name, form) for name in ATTRIBUTES for form in (*DENSE, *(SPARSE if name in WORDS else ()))]
TARGETS: dict[str, Callable[[Any], Any]] = {
    "int64": lambda y: y,
    "int32": lambda y: y.astype(np.int32),
    "uint8": lambda y: y.astype(np.uint8),
    "bool": lambda y: y > 0,
    "float": lambda y: y.astype(np.float64),
    "list": lambda y: y.tolist(),
    "text": lambda y: np.array(["a", "bb", "ccc"])[y],
    "objects": lambda y: np.array(["a", "bb", "ccc"], dtype=object)[y],
    "list of texts": lambda y: np.array(["a", "bb", "ccc"])[y].tolist(),
    "pandas": pd.Series,
    "pandas int32": lambda y: pd.Series(y.astype(np.int32)),
    "pandas text": lambda y: pd.Series(np.array(["a", "bb", "ccc"])[y]),
    "pandas category": lambda y: pd.Series(np.array(["a", "bb", "ccc"])[y]).astype("category"),
    "polars": pl.Series,
    "polars text": lambda y: pl.Series(np.array(["a", "bb", "ccc"])[y].tolist()),
    "Arrow": pa.array,
    "Arrow text": lambda y: pa.array(np.array(["a", "bb", "ccc"])[y].tolist()),
}


def assert_same(ours: Any, theirs: Any, what: str) -> None:
    if isinstance(theirs, list):
        assert isinstance(ours, list), what
        for mine, other in zip(ours, theirs, strict=True):
            assert_same(mine, other, what)
        return
    assert type(ours) is type(theirs), (what, type(ours), type(theirs))
    mine, other = np.asarray(ours), np.asarray(theirs)
    assert mine.dtype == other.dtype, (what, mine.dtype, other.dtype)
    tolerance = 1e-5 if mine.dtype == np.float32 else 1e-12
    if mine.dtype.kind == "f":
        np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance * 1e-3, err_msg=what)
    else:
        np.testing.assert_array_equal(mine, other, err_msg=what)


def assert_agree(ours: Any, theirs: Any, X: Any) -> None:
    for attribute in ATTRIBUTES[type(ours).__name__]:
        assert_same(getattr(ours, attribute), getattr(theirs, attribute), attribute)
    assert (
        getattr(ours, "feature_names_in_", np.array(0)).tolist()
        == getattr(theirs, "feature_names_in_", np.array(0)).tolist()
    )
    for method in METHODS:
        mine, other = getattr(ours, method)(X), getattr(theirs, method)(X)
        single = other.dtype == np.float32  # ours are always float64: a difference on purpose
        np.testing.assert_equal(mine.dtype.kind, other.dtype.kind)
        if other.dtype.kind == "f":
            np.testing.assert_allclose(mine, other, rtol=1e-4 if single else 1e-12, atol=1e-6 if single else 0.0)
        else:
            np.testing.assert_array_equal(mine, other)


def both(name: str, **parameters: Any) -> tuple[Any, Any]:
    return getattr(suffice, name)(**parameters), getattr(sklearn.naive_bayes, name)(**parameters)


def exact(name: str, w: Any) -> dict[str, Any]:
    """With weights, scikit-learn's epsilon_ is another one: a difference on purpose, left out here."""
    return {"var_smoothing": 0.0} if name == "GaussianNB" and w is not None else {}


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize(("name", "form"), FORMS)
def test_every_form_of_X(name: str, form: str, weighted: bool) -> None:
    X, y = {**DENSE, **SPARSE}[form](cells(name, 1)), labels(1)
    w = weights(1) if weighted else None
    ours, theirs = both(name, **exact(name, w))
    assert_agree(ours.fit(X, y, w), theirs.fit(X, y, w), X)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_form_of_y(name: str, target: str) -> None:
    X, y = cells(name, 2), TARGETS[target](labels(2))
    ours, theirs = both(name)
    assert_agree(ours.fit(X, y), theirs.fit(X, y), X)
    classes = np.unique(np.asarray(y))
    ours, theirs = both(name)
    assert_agree(ours.partial_fit(X, y, classes), theirs.partial_fit(X, y, classes), X)


@pytest.mark.parametrize(("name", "parameters"), PARAMETERS)
def test_parameters(name: str, parameters: dict[str, Any]) -> None:
    X, y = cells(name, 3), labels(3)
    if parameters.get("binarize", 0) is None:
        X = np.minimum(X, 1)
    ours, theirs = both(name, **parameters)
    with np.errstate(divide="ignore"):  # theirs, where alpha is 0
        theirs.fit(X, y)
    assert_agree(ours.fit(X, y), theirs, X)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_partial_fit_in_chunks(name: str, seed: int) -> None:
    """scikit-learn's epsilon_ is that of the last chunk, so there is none here."""
    X, y, w = cells(name, seed), labels(seed), weights(seed)
    ours, theirs = both(name, **exact(name, w))
    if name == "CategoricalNB":
        X[[0, 50, -1]] = 4  # otherwise scikit-learn's n_categories_ shrinks to those of the last chunk
    for rows in np.split(np.arange(N), [40, 90]):
        for model in (ours, theirs):
            model.partial_fit(X[rows], y[rows], np.arange(3), w[rows])
    assert_agree(ours, theirs, X)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_a_declared_class_without_rows_and_a_class_without_weight(name: str) -> None:
    X, y = cells(name, 4), labels(4)
    ours, theirs = both(name, **exact(name, 1))
    for model in (ours, theirs):
        model.partial_fit(X, y, classes=[0, 1, 2, 3])
    for attribute in ("classes_", "class_count_"):
        assert_same(getattr(ours, attribute), getattr(theirs, attribute), attribute)
    ours, theirs = both(name, **exact(name, 1))
    w = (y != 1).astype(float)
    for model in (ours, theirs):
        with np.errstate(all="ignore"):
            model.fit(X, y, w)
    for attribute in ("classes_", "class_count_"):
        assert_same(getattr(ours, attribute), getattr(theirs, attribute), attribute)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_constructors_take_the_same_parameters_with_the_same_defaults(name: str) -> None:
    ours, theirs = both(name)
    more = set(ours.get_params()) - set(theirs.get_params())
    assert {"refusal", "threads", "ledger"} <= more <= {"refusal", "threads", "ledger", "class_weight"}
    assert {**theirs.get_params(), **dict.fromkeys(more)} == ours.get_params()
