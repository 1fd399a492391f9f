"""Units in which squares vanish, and weights whose sums are no numbers: right answers, or one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import suffice
from suffice import (
    SVC,
    BasicLinearClassifier,
    GaussianMixture,
    GaussianNB,
    KernelDensity,
    KernelPerceptron,
    KernelRegression,
    Lasso,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearRegression,
    LogisticRegression,
    MixedMixture,
    NaiveBayes,
    Perceptron,
    QuadraticDiscriminantAnalysis,
    Ridge,
    RidgeClassifier,
)
from suffice.core.errors import BadInput

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
y = X @ [1.0, -1.0, 0.5] + rng.normal(size=60)
C = np.digitize(y, [-0.5, 0.8])
Make = Callable[[], Any]

CLASSIFIERS: dict[str, Make] = {
    "GaussianNB": GaussianNB,
    "NaiveBayes": NaiveBayes,
    "linear discriminant": LinearDiscriminantAnalysis,
    "by least squares": lambda: LinearDiscriminantAnalysis(solver="lsqr"),
    "quadratic discriminant": QuadraticDiscriminantAnalysis,
    "logistic": lambda: LogisticRegression(C=np.inf),
    "penalised logistic": LogisticRegression,
    "ridge classifier": RidgeClassifier,
    "least squares classifier": LeastSquaresClassifier,
    "basic linear": BasicLinearClassifier,
    "vectors": SVC,
    "kernel perceptron": KernelPerceptron,
}
REGRESSORS: dict[str, Make] = {"least squares": LinearRegression, "ridge": Ridge, "lasso": Lasso}
DENSITIES: dict[str, Make] = {
    "mixture": lambda: GaussianMixture(2, random_state=0),
    "diagonal mixture": lambda: GaussianMixture(2, random_state=0, covariance_type="diag"),
    "mixture from rows": lambda: GaussianMixture(2, random_state=0, init_params="random_from_data"),
    "mixed mixture": lambda: MixedMixture(2, random_state=0),
}
EVERY = [
    (make, target)
    for makes, target in ((CLASSIFIERS, C), (REGRESSORS, y), (DENSITIES, None))
    for make in makes.values()
]
NAMES = [*CLASSIFIERS, *REGRESSORS, *DENSITIES]


def fitted(make: Make, table: Any, target: Any, w: Any = None) -> Any:
    return make().fit(table, sample_weight=w) if target is None else make().fit(table, target, sample_weight=w)


@pytest.mark.parametrize("unit", [1e-160, 1e-170, 1e-300, 5e-321])
@pytest.mark.parametrize(("make", "target"), EVERY, ids=NAMES)
def test_numbers_whose_squares_vanish_are_refused(make: Make, target: Any, unit: float) -> None:
    with pytest.raises(BadInput, match=r"must be .*\. (Take another unit)"):
        fitted(make, unit * X, target)


@pytest.mark.parametrize("unit", [1e-160, 1e-170, 1e-300, 5e-321])
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("vectors", "kernel perceptron")])
def test_so_is_one_such_column(name: str, unit: float) -> None:
    make, target = dict(zip(NAMES, EVERY, strict=True))[name]
    with pytest.raises(
        BadInput, match=r"(column 1|'x1') must be of numbers that are equal or differ by more than 1e-140"
    ):
        fitted(make, X * [1.0, unit, 1.0], target)


@pytest.mark.parametrize("unit", [1e-100, 1e-135])
@pytest.mark.parametrize("name", ["NaiveBayes", "linear discriminant", "quadratic discriminant", "logistic", "vectors"])
def test_larger_units_change_nothing(name: str, unit: float) -> None:
    near, far = (CLASSIFIERS[name]().fit(u * X, C) for u in (1.0, unit))
    answer = "decision_function" if name == "vectors" else "predict_proba"
    np.testing.assert_allclose(getattr(far, answer)(unit * X), getattr(near, answer)(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-100, 1e-170, 1e-300])
@pytest.mark.parametrize("make", [lambda: KernelDensity(bandwidth="leave-one-out"), KernelRegression])
def test_windows_know_no_unit(make: Make, unit: float) -> None:
    near, far = (make().fit(u * X, y) for u in (1.0, unit))
    assert far.bandwidth_ == pytest.approx(unit * near.bandwidth_, rel=1e-9)


@pytest.mark.parametrize("make", [lambda: KernelDensity(bandwidth="leave-one-out"), KernelRegression])
def test_windows_too_narrow_to_divide_by_are_refused(make: Make) -> None:
    with pytest.raises(BadInput, match=r"X must be spread out by at least 2.2e-308, got .*\. Take another unit"):
        make().fit(5e-321 * X, y)


@pytest.mark.parametrize("unit", [1e-160, 1e-170, 1e-300])
@pytest.mark.parametrize("make", [*REGRESSORS.values(), KernelRegression])
def test_targets_whose_squares_vanish_are_refused(make: Make, unit: float) -> None:
    with pytest.raises(BadInput, match="y must be of numbers that are equal or differ by more than 1e-140"):
        make().fit(X, unit * y)


def test_columns_that_do_not_vary_are_not_meant() -> None:
    table = np.column_stack([X, np.zeros(60), np.full(60, 1e-200), np.full(60, 1.0)])
    for name in ("GaussianNB", "NaiveBayes", "linear discriminant", "logistic", "least squares", "ridge", "mixture"):
        fitted(*dict(zip(NAMES, ((make, table, target) for make, target in EVERY), strict=True))[name])


def test_small_numbers_beside_others_are_not_meant() -> None:
    """As probabilities are: below 1e-140 in some of the rows, and not in the rest."""
    table, small = X.copy(), np.arange(60) < 20
    table[small, 1] *= 1e-200
    model = GaussianNB().fit(table[~small], C[~small]).partial_fit(table[small], C[small])
    np.testing.assert_allclose(model.predict_proba(table), GaussianNB().fit(table, C).predict_proba(table), rtol=1e-9)


@pytest.mark.parametrize("w", [1e141, 1e300, 1e306, 1.7e308])
@pytest.mark.parametrize(("make", "target"), EVERY, ids=NAMES)
def test_weights_that_are_too_large_are_refused(make: Make, target: Any, w: float) -> None:
    with pytest.raises(BadInput, match=r"sample_weight must be at most 1e\+140"):
        fitted(make, X, target, np.full(60, w))


@pytest.mark.parametrize("make", [Perceptron, lambda: KernelDensity(bandwidth="scott"), KernelRegression])
def test_wherever_there_are_weights(make: Make) -> None:
    with pytest.raises(BadInput, match=r"sample_weight must be at most 1e\+140"):
        make().fit(X, y > 0, sample_weight=np.full(60, 1e300))


@pytest.mark.parametrize("w", [1e-141, 1e-300, 5e-324])
@pytest.mark.parametrize("name", ["GaussianNB", "linear discriminant", "logistic", "least squares", "mixture"])
def test_weights_that_are_all_too_small_are_refused(name: str, w: float) -> None:
    make, target = dict(zip(NAMES, EVERY, strict=True))[name]
    with pytest.raises(BadInput, match=r"sample_weight must be .* at least 1e-140 in some row"):
        fitted(make, X, target, np.full(60, w))
    fitted(make, X, target, np.where(np.arange(60) % 2 == 0, 1.0, w))


@pytest.mark.parametrize("w", [1e100, 1e139])
@pytest.mark.parametrize(
    "name", ["GaussianNB", "linear discriminant", "quadratic discriminant", "logistic", "least squares"]
)
def test_weights_that_are_not_change_nothing(name: str, w: float) -> None:
    make, target = dict(zip(NAMES, EVERY, strict=True))[name]
    alike, heavy = fitted(make, X, target), fitted(make, X, target, np.full(60, w))
    answer = "predict" if name == "least squares" else "predict_proba"
    np.testing.assert_allclose(getattr(heavy, answer)(X), getattr(alike, answer)(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "name", ["GaussianNB", "linear discriminant", "quadratic discriminant", "logistic", "least squares"]
)
def test_large_weights_of_large_numbers_are_refused(name: str) -> None:
    make, target = dict(zip(NAMES, EVERY, strict=True))[name]
    with pytest.raises(BadInput, match="weights must be such that sums of squares stay finite"):
        fitted(make, 1e120 * X, target, np.full(60, 1e130))


def test_kernels_without_gamma_do_not_ask_for_it() -> None:
    """Of products that are 0 nothing is left but the intercept, which is what the penalty wants there."""
    assert set(suffice.SVC(kernel="linear").fit(1e-170 * X, y > 0).predict(1e-170 * X)) <= {False, True}
