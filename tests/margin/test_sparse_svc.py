"""Support vector machines of sparse rows of many columns: the machines of the same rows filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import suffice
from suffice.margin.svc.support_vectors import SparseCells


def words(n: int = 90, d: int = 1_100) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((n, d), density=0.02, rng=rng, format="csr")
    return X, np.array(["a", "b", "c"])[np.digitize(X @ rng.normal(size=d), [-0.7, 0.7])]


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_machine_of_filled_rows(kernel: str, classes: int, tmp_path: Path) -> None:
    X, y = words()
    y = y if classes == 3 else y == "a"
    w = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    options: dict[str, Any] = {"kernel": kernel, "C": 3.0, "tol": 1e-6}
    sparse, filled = suffice.SVC(**options).fit(X, y, w), suffice.SVC(**options).fit(X.toarray(), y, w)
    assert isinstance(sparse.fitted_.model.vectors, SparseCells)
    np.testing.assert_allclose(sparse.decision_function(X), filled.decision_function(X.toarray()), atol=1e-5)
    np.testing.assert_allclose(sparse.decision_function(X.toarray()), sparse.decision_function(X), atol=1e-12)
    np.testing.assert_allclose(sparse.intercept_, filled.intercept_, atol=1e-5)
    np.testing.assert_allclose(sparse.dual_objective_, filled.dual_objective_, rtol=1e-6)
    np.testing.assert_array_equal(sparse.support_vectors_.toarray(), X.toarray()[sparse.support_])
    sparse.save(tmp_path / "machine")
    np.testing.assert_array_equal(suffice.load(tmp_path / "machine").predict(X), sparse.predict(X))


def test_rows_that_do_not_all_fit_into_a_square() -> None:
    X, y = words(600)
    sparse = suffice.SVC(cache_size=1.0, tol=1e-5).fit(X, y == "a")
    filled = suffice.SVC(tol=1e-5).fit(X.toarray(), y == "a")
    np.testing.assert_allclose(sparse.decision_function(X), filled.decision_function(X.toarray()), atol=1e-3)


def test_a_function_gets_rows_that_are_filled_in() -> None:
    X, y = words()
    model = suffice.SVC(kernel=lambda A, B: np.asarray(A) @ np.asarray(B).T).fit(X, y)
    assert (model.predict(X) == suffice.SVC(kernel="linear").fit(X, y).predict(X)).mean() > 0.95
