"""Linear models from files: without scikit-learn, and what is no model is refused."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import suffice
from suffice import load
from suffice.core.errors import BadFile
from suffice.estimators.state.loaded_faces import LoadedRegressor
from suffice.persistence import save

RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 3))
y = X @ [1.0, 2.0, 3.0] + RNG.normal(size=30)
ALONE = """
import sys
from suffice import load
model = load(sys.argv[1])
model.predict([[1.0, 2.0, 3.0]])
print("sklearn" in sys.modules)
"""
REGRESSORS = ["LinearRegression", "Ridge", "PolynomialRegression", "TotalLeastSquares"]
CLASSIFIERS = ["BasicLinearClassifier", "LeastSquaresClassifier", "RidgeClassifier"]


@pytest.mark.parametrize("name", [*REGRESSORS, *CLASSIFIERS])
def test_a_loaded_model_predicts_without_scikit_learn(name: str, tmp_path: Path) -> None:
    getattr(suffice, name)().fit(X, y if name in REGRESSORS else y > 0).save(tmp_path / "model")
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "model")], capture_output=True, text=True, check=False
    )
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize("name", REGRESSORS)
def test_parameters_come_back(name: str, tmp_path: Path) -> None:
    model = getattr(suffice, name)(fit_intercept=False).fit(X, y)
    model.save(tmp_path / "model")
    loaded: Any = load(tmp_path / "model")
    assert loaded.estimator().get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.coef_, model.coef_)
    assert f"<{name} from a file: " in repr(loaded)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    model = suffice.LinearRegression().fit(X, y)
    wrong = replace(model._saved(), name="RidgeClassifier", parameters={})
    with pytest.raises(BadFile, match="must hold what RidgeClassifier learns"):
        LoadedRegressor(wrong).estimator()
    classes = suffice.RidgeClassifier().fit(X, y > 0)._saved()
    save(replace(model._saved(), fitted=replace(model.fitted_, state=classes.fitted.state)), tmp_path / "mixed")
    with pytest.raises(BadFile, match="no model can be made of its pieces"):
        load(tmp_path / "mixed")
    with pytest.raises(BadFile, match="must hold parameters of LinearRegression, got others"):
        LoadedRegressor(replace(model._saved(), parameters={"nonsense": 1})).estimator()
