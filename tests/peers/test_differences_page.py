"""What the page of differences says of arrays of other libraries, of shapes, and of classes that a fold has not met."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sklearn.linear_model as theirs
from sklearn.model_selection import KFold

import suffice
from suffice import CalibratedClassifier, GaussianNB

PAGE = (Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
DISPATCHED = """
import json, warnings
import array_api_strict as xp, numpy as np
from sklearn import config_context
from suffice.testing.discovery import public_estimators
warnings.simplefilter("ignore")
X, y = np.abs(np.random.default_rng(0).normal(size=(30, 3))) + 0.1, np.arange(30) % 2
found = {}
for cls in public_estimators():
    try:
        seed = {"random_state": 0} if "random_state" in cls().get_params() else {}
        mine = cls(**seed).fit(X, y)
    except Exception:
        continue  # of other tables
    verb = next((verb for verb in ("predict", "transform") if hasattr(mine, verb)), None)
    with config_context(array_api_dispatch=True):
        try:
            other = cls(**seed).fit(xp.asarray(X), xp.asarray(y))
            same = True
            if verb:
                a, b = (getattr(model, verb)(rows) for model, rows in ((mine, X), (other, xp.asarray(X))))
                dense = [np.asarray(z.toarray() if hasattr(z, "toarray") else z, dtype=float) for z in (a, b)]
                same = bool(np.allclose(*dense, equal_nan=True))
            found[cls.__name__] = same
        except Exception as error:
            found[cls.__name__] = type(error).__name__
print(json.dumps(found))
"""


def test_arrays_of_other_libraries_are_read_by_every_estimator() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DISPATCHED],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) > 90
    odd = {name for name, same in found.items() if same is not True}
    assert not odd, {name: found[name] for name in odd}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("RidgeCV", {"store_cv_results": True}),
        ("RidgeCV", {"store_cv_results": True, "alpha_per_target": True}),
        ("LassoCV", {"cv": KFold(3)}),
        ("ElasticNetCV", {"cv": KFold(3)}),
        ("ElasticNetCV", {"cv": KFold(3), "l1_ratio": [0.5, 0.9]}),
    ],
)
def test_penalty_searches_have_scikit_learns_shapes(name: str, options: dict[str, object]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    y = X @ [1.0, 2.0, 0.0, 0.0] + 0.1 * rng.normal(size=30)
    targets = [y, np.column_stack([y, X[:, 0] - y])] if name == "RidgeCV" else [y]
    for target in targets:
        ours, other = (
            getattr(lib, name)(alphas=[0.1, 1.0, 10.0], **options).fit(X, target) for lib in (suffice, theirs)
        )
        for attribute in ("cv_results_", "alphas_", "alpha_", "mse_path_", "coef_", "best_score_", "l1_ratio_"):
            if hasattr(other, attribute):
                mine, their = getattr(ours, attribute), getattr(other, attribute)
                assert np.shape(mine) == np.shape(their)
                np.testing.assert_allclose(mine, their, rtol=1e-3, atol=1e-4)


def test_a_fold_of_no_weight_is_no_column_of_the_path() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    w = np.where(np.arange(30) < 10, 0.0, 1.0)
    model = suffice.LassoCV(alphas=[0.1, 1.0], cv=KFold(3)).fit(X, X[:, 0], sample_weight=w)
    assert model.mse_path_.shape == (2, 2)


@pytest.mark.parametrize("how", ["logistic", "isotonic", "smooth_isotonic"])
def test_a_class_that_a_fold_has_not_met_has_no_probability_there(how: str) -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [20, 20, 2])
    X = rng.normal(size=(42, 2)) + np.repeat([[0.0, 0.0], [3.0, 3.0], [8.0, -8.0]], [20, 20, 2], axis=0)
    model = CalibratedClassifier(GaussianNB(), map=how, cv=KFold(3), ensemble=True).fit(X, y)
    *_, last = model.calibrated_classifiers_
    assert last.estimator.classes_.tolist() == ["a", "b"]
    proba = last.predict_proba(X)
    assert (proba[:, 2] == 0.0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-12)
    assert model.predict_proba(X)[:40, 2].max() < 0.34
