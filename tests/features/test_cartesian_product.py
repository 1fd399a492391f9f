"""Joint values of columns (P.M161, P.W88)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import check_estimator

from suffice import CartesianProduct, Chain, LogisticRegression, NaiveBayes, load
from suffice.core.errors import BadInput

SHAPES, COLOURS = ["Circle", "Triangle", "Square"], ["Red", "Green", "Blue"]
PAIRS = pd.DataFrame(list(product(SHAPES, COLOURS)), columns=["Shape", "Colour"])


def test_three_shapes_times_three_colours() -> None:
    """P.W88: nine pairs as values."""
    crossed = CartesianProduct().fit(PAIRS)
    assert len(crossed.categories_[0]) == 9
    assert "Circle & Red" in crossed.categories_[0]
    np.testing.assert_array_equal(crossed.transform(PAIRS).sum(axis=1), np.ones(9))
    assert crossed.get_feature_names_out()[0] == "Shape & Colour_Circle & Blue"


def test_two_columns_tell_together_what_none_tells_alone() -> None:
    """P.M161: exclusive or."""
    X = pd.DataFrame({"a": list("ttff") * 10, "b": list("tftf") * 10})
    y = np.array(["+", "-", "-", "+"] * 10)
    assert NaiveBayes().fit(X, y).score(X, y) == 0.5
    assert (
        NaiveBayes().fit(CartesianProduct().fit(X).transform(X), y).score(CartesianProduct().fit_transform(X), y) == 1
    )
    assert Chain(CartesianProduct(), LogisticRegression()).fit(X, y).score(X, y) == 1.0


def test_shards_missing_cells_buckets_and_files(tmp_path: Any) -> None:
    X = PAIRS.copy()
    X.loc[0, "Colour"] = None
    whole = CartesianProduct().fit(X)
    halves = CartesianProduct().fit(X[:4]).merge(CartesianProduct().fit(X[4:]))
    assert [str(v) for v in halves.categories_[0]] == [str(v) for v in whole.categories_[0]]
    np.testing.assert_array_equal(halves.transform(X), whole.transform(X))
    assert len(halves.forget(X[4:]).categories_[0]) == 4
    hashed = CartesianProduct(buckets=4, sparse_output=True).fit(PAIRS)
    assert hashed.transform(PAIRS).shape == (9, 4)
    np.testing.assert_array_equal(hashed.transform(PAIRS).toarray().sum(axis=1), np.ones(9))
    other = CartesianProduct(buckets=4).fit(PAIRS[::-1]).transform(PAIRS)
    np.testing.assert_array_equal(other, hashed.transform(PAIRS).toarray())
    whole.save(tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").transform(X), whole.transform(X))


def test_many_values_are_looked_up() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 400, (300, 2)).astype(str)
    crossed = CartesianProduct().fit(X)
    pairs = {f"{a} & {b}" for a, b in X}
    assert set(crossed.categories_[0]) == pairs
    np.testing.assert_array_equal(crossed.transform(X).sum(axis=1), np.ones(300))


def test_what_is_refused() -> None:
    with pytest.raises(BadInput, match="those of training"):
        CartesianProduct(handle_unknown="error").fit(PAIRS[:3]).transform(PAIRS)
    with pytest.raises(ValueError, match="buckets"):
        CartesianProduct(buckets=1).fit(PAIRS)


def test_scikit_learns_checks() -> None:
    results = check_estimator(CartesianProduct(), on_fail=None, on_skip=None)
    odd = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(odd) <= {"check_array_api_input"}, odd
