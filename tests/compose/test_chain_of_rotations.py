"""Chains with a step that mixes columns: one pass where what the last keeps can be turned too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from suffice import (
    PCA,
    Chain,
    GaussianNB,
    Lasso,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearRegression,
    LogisticRegression,
    QuadraticDiscriminantAnalysis,
    Ridge,
    StandardScaler,
    load,
)
from suffice.core.errors import BadInput
from suffice.evaluation import cross_val_predict

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 5)) @ RNG.normal(size=(5, 5)) + np.array([0.0, 1e6, 0.0, -3.0, 0.0])
C = np.array(["a", "b", "c"])[np.argmax(X[:, [0, 2, 4]] + RNG.normal(size=(150, 3)), axis=1)]
Y = X @ np.arange(5.0) + RNG.normal(size=150)
LASTS: list[Any] = [
    LinearRegression(),
    Ridge(2.0),
    Lasso(0.01),
    LeastSquaresClassifier(),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
]


def chain(last: Any) -> Any:
    return Chain(StandardScaler(), PCA(3), type(last)(**last.get_params()))


def target(last: Any) -> Any:
    return C if hasattr(last, "classes_") or hasattr(last, "decision_function") or "Disc" in type(last).__name__ else Y


def by_hand(last: Any, rows: Any, y: Any) -> tuple[Any, Any, Any]:
    scaler = StandardScaler().fit(rows)
    turned = PCA(3).fit(scaler.transform(rows))
    return scaler, turned, type(last)(**last.get_params()).fit(turned.transform(scaler.transform(rows)), y)


def told(model: Any, rows: Any) -> Any:
    return model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)


@pytest.mark.parametrize("last", LASTS, ids=lambda one: type(one).__name__)
def test_one_pass_equals_step_by_step_and_merges_and_forgets(last: Any, tmp_path: Any) -> None:
    y = target(last)
    scaler, turned, model = by_hand(last, X, y)
    expected = told(model, turned.transform(scaler.transform(X)))
    whole = chain(last).fit(X, y)
    assert whole.passes_ == 1
    halves = chain(last).fit(X[::2], y[::2]) + chain(last).fit(X[1::2], y[1::2])
    more = halves + chain(last).fit(X[:40], y[:40])
    whole.save(tmp_path / "chain")
    for one in (whole, halves, more.forget(X[:40], y[:40]), load(tmp_path / "chain")):
        answers = told(one, X)
        if answers.dtype.kind == "f":
            np.testing.assert_allclose(answers, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
        else:
            np.testing.assert_array_equal(answers, expected)


def test_the_axes_of_a_fold_come_from_the_other_folds() -> None:
    splits = list(StratifiedKFold(4).split(X, C))
    mine = cross_val_predict(chain(Ridge(1.0)), X, Y, cv=splits)
    for train, test in splits:
        scaler, turned, model = by_hand(Ridge(1.0), X[train], Y[train])
        expected = model.predict(turned.transform(scaler.transform(X[test])))
        np.testing.assert_allclose(mine[test], expected, rtol=1e-8, atol=1e-8 * np.abs(Y).max())


def test_what_keeps_single_columns_takes_passes_and_missing_cells_are_refused() -> None:
    diagonal = Chain(PCA(2), GaussianNB()).fit(X, C)
    assert diagonal.passes_ > 1
    assert "keeps single columns, which PCA mixes" in diagonal.reason_
    assert Chain(PCA(2), StandardScaler(), Ridge()).fit(X, Y).passes_ > 1
    assert Chain(PCA(2), LogisticRegression()).fit(X, C).passes_ > 1
    gap = X.copy()
    gap[3, 1] = np.nan
    with pytest.raises(BadInput, match="every cell must be present"):
        chain(LinearDiscriminantAnalysis()).fit(gap, C)
