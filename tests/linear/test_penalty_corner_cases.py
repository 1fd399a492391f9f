"""Corners of the searches for a penalty that ordinary calls do not reach."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import lasso_path
from sklearn.utils._param_validation import InvalidParameterError

import suffice
from suffice.linear.regression.penalty_path import penalty_path

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4))
Y = X @ rng.normal(size=(4, 2)) + rng.normal(size=(60, 2)) * [0.1, 3.0]


def test_a_path_stops_where_one_model_does() -> None:
    path, model = (inspect.signature(each).parameters for each in (penalty_path, suffice.ElasticNet))
    assert {name: path[name].default for name in ("l1_ratio", "tol", "max_iter", "positive")} == {
        name: model[name].default for name in ("l1_ratio", "tol", "max_iter", "positive")
    }
    assert path["eps"].default == inspect.signature(lasso_path).parameters["eps"].default


def test_the_least_penalty_is_a_share_of_the_largest() -> None:
    with pytest.raises((InvalidParameterError, ValueError), match="eps"):
        suffice.ElasticNetCV(eps=2.0).fit(X, Y[:, 0])


def test_a_scorer_meets_targets_as_they_were_given() -> None:
    met: set[tuple[int, int]] = set()

    def scorer(model: Any, rows: Any, truth: Any) -> float:
        answers = model.predict(rows)
        met.add((np.ndim(truth), np.ndim(answers)))
        return -float(np.square(np.asarray(truth) - answers).mean())

    suffice.RidgeCV(alphas=[0.1, 1.0], scoring=scorer).fit(X, Y[:, 0])
    assert met == {(1, 1)}
    met.clear()
    two = suffice.RidgeCV(alphas=[0.1, 1.0], scoring=scorer).fit(X, Y)
    assert met == {(2, 2)}
    assert two.coef_.shape == (2, 4)


def test_one_standard_error_for_each_target_is_that_of_the_target() -> None:
    options: dict[str, Any] = {"alphas": [0.01, 1.0, 10.0, 100.0], "rule": "one_standard_error"}
    both = suffice.RidgeCV(alpha_per_target=True, **options).fit(X, Y)
    each = [suffice.RidgeCV(**options).fit(X, Y[:, j]).alpha_ for j in range(2)]
    assert np.asarray(both.alpha_).tolist() == each
    assert len(set(each)) == 2
