"""Saved perceptrons: what is loaded predicts the same, on NumPy alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from suffice import KernelPerceptron, Perceptron, PerceptronRegressor, load
from suffice.core.errors import BadFile, BadInput, SufficeError
from suffice.estimators.state.origin import Origin
from suffice.margin.old_files import KernelScores, SavedLine, SavedScores
from suffice.spaces import LinearKernel, PolynomialKernel

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
THREE = np.array(["a", "b", "c"])[X.argmax(axis=1)]
TWO = X[:, 0] > X[:, 1]
ALONE = """
import sys
import numpy as np
from suffice import load
model = load(sys.argv[1])
print(model.predict(np.array([[1.0, -1.0, 0.5]])).tolist())
assert not {"sklearn", "numba", "pandas"} & set(sys.modules), sorted(sys.modules)
"""


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "model", [Perceptron(max_iter=5, tol=None), KernelPerceptron("rbf"), KernelPerceptron(PolynomialKernel(3))]
)
def test_classifiers(model: Any, y: Any, tmp_path: Path) -> None:
    model.fit(X, y).save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.classes_.tolist() == model.classes_.tolist()
    np.testing.assert_allclose(loaded.decision_function(X), model.decision_function(X), rtol=1e-13, atol=1e-13)
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(
        loaded.decision_function(sp.coo_array(X)), model.decision_function(X), rtol=1e-9, atol=1e-9
    )
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_regressor(tmp_path: Path) -> None:
    model = PerceptronRegressor().fit(X, X[:, 0])
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("model", [Perceptron(max_iter=5, tol=None), KernelPerceptron(), PerceptronRegressor()])
def test_it_predicts_without_scikit_learn(model: Any, tmp_path: Path) -> None:
    model.fit(X, TWO.astype(int)).save(tmp_path / "model")
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "model")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(model.predict([[1.0, -1.0, 0.5]]).tolist())


def test_sparse_coefficients_are_saved_as_numbers(tmp_path: Path) -> None:
    model = Perceptron(max_iter=5, tol=None).fit(X, THREE).sparsify()
    model.save(tmp_path / "model")
    np.testing.assert_allclose(load(tmp_path / "model").decision_function(X), model.decision_function(X), rtol=1e-12)


def test_a_loaded_model_refuses_other_rows(tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=["u", "v", "w"])
    Perceptron(max_iter=5, tol=None).fit(frame, TWO).save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.predict(frame).tolist() == loaded.predict(X).tolist()
    for rows, told in (
        (frame[["v", "u", "w"]], r"Perceptron: the columns must be named \['u', 'v', 'w'\]"),
        (X[:, :2], "the number of columns must be 3"),
        (X[0], r"X must be a table, got shape \(3,\)"),
        ([[np.nan, 0.0, 0.0]], "X must be finite"),
        ([["a", "b", "c"]], "X must be rows of numbers"),
    ):
        with pytest.raises(BadInput, match=told):
            loaded.predict(rows)


def test_a_function_is_not_saved(tmp_path: Path) -> None:
    model = KernelPerceptron(lambda A, B: A @ B.T).fit(X, TWO)
    with pytest.raises((SufficeError, TypeError), match="KernelFunction"):
        model.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: SavedScores("P", ("a", "b"), np.ones((2, 3)), np.ones(2), Origin(3)), "not of shape"),
        (lambda: SavedScores(1, ("a", "b"), np.ones((1, 3)), np.ones(1), Origin(3)), "its name is no str"),  # type: ignore[arg-type]
        (lambda: SavedLine("P", np.ones(2), 0.0, Origin(3)), "not of shape"),
        (lambda: SavedLine("P", np.ones(3), None, Origin(3)), "its intercept is no float"),  # type: ignore[arg-type]
        (
            lambda: KernelScores(
                "P", LinearKernel(), np.ones((4, 3)), np.ones((1, 3)), np.ones(1), ("a", "b"), Origin(3)
            ),
            "not of shape",
        ),
        (
            lambda: KernelScores("P", None, np.ones((4, 3)), np.ones((1, 4)), np.ones(1), ("a", "b"), Origin(3)),  # type: ignore[arg-type]
            "its kernel is no Kernel",
        ),
    ],
)
def test_pieces_that_make_no_model(make: Any, told: str) -> None:
    with pytest.raises(BadFile, match=told):
        make()
