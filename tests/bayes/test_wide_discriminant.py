"""Linear discriminant analysis with more columns than rows: the same rule, from products of rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.discriminant_analysis

import suffice
from suffice.bayes.discriminants import linear_discriminant
from suffice.bayes.discriminants.wide_discriminant import WideDiscriminantModel
from suffice.core.errors import BadInput, NotASummary

N, D = 40, 300


def table() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(N, D)), rng.integers(0, 3, N)
    return X + 0.3 * y[:, None], np.array(["a", "b", "c"])[y]


def fitted(*rows: Any, **options: Any) -> Any:
    model = suffice.LinearDiscriminantAnalysis(**options).fit(*rows)
    assert isinstance(model.fitted_.model, WideDiscriminantModel)
    return model


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_rule_is_scikit_learns(priors: Any, classes: int) -> None:
    X, y = table()
    y = y if classes == 3 else np.where(y == "a", "b", y)
    priors = None if priors is None or classes == 2 else priors
    ours, theirs = fitted(X, y, priors=priors), sklearn.discriminant_analysis.LinearDiscriminantAnalysis(priors=priors)
    theirs.fit(X, y)
    new = np.random.default_rng(1).normal(size=(9, D))
    np.testing.assert_allclose(ours.decision_function(new), theirs.decision_function(new), rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.abs(ours.transform(new)), np.abs(theirs.transform(new)), rtol=1e-8)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, atol=1e-12)
    np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-12)
    np.testing.assert_allclose(ours.xbar_, theirs.xbar_, atol=1e-12)
    np.testing.assert_allclose(ours.priors_, theirs.priors_)


def test_weights_and_offsets_are_those_of_covariances(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    w = np.random.default_rng(2).integers(0, 3, N).astype(float)
    X = np.round(X * 2**20) / 2**20
    wide, far = fitted(X, y, w), fitted(X + 2.0**26, y, w)
    monkeypatch.setattr(linear_discriminant, "is_wide", lambda X: False)
    whole = suffice.LinearDiscriminantAnalysis().fit(X, y, w)
    np.testing.assert_allclose(wide.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(wide.coef_, whole.coef_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(far.predict_proba(X + 2.0**26), wide.predict_proba(X), atol=1e-9)


def test_what_it_says_it_cannot() -> None:
    X, y = table()
    model = fitted(X, y)
    with pytest.raises(NotASummary, match="one whose summary was kept"):
        model.merge(fitted(X, y))
    with pytest.raises(NotASummary, match="densities must be of a table with more rows than columns"):
        model.predict_joint_log_proba(X)
    with pytest.raises(BadInput, match="more than the classes"):
        fitted(X[:3], ["a", "b", "c"])
    X[3, 7] = np.nan
    with pytest.raises(BadInput, match=r"x7.* row 3"):
        fitted(X, y)


def test_files(tmp_path: Path) -> None:
    X, y = table()
    model = fitted(X, y)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(suffice.load(tmp_path / "model").predict_proba(X), model.predict_proba(X))


def test_covariances_are_refused_before_they_are_made() -> None:
    wide = np.zeros((4, 200_000), dtype=np.float32)
    with pytest.raises(BadInput, match=r"the columns must be so few .* got 200,000 columns and 2 classes, for 2,560,"):
        suffice.QuadraticDiscriminantAnalysis().fit(wide, [0, 0, 1, 1])
