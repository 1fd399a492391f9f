"""Every bad input gets one clear sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice import SVC
from suffice.core.errors import BadInput
from suffice.estimators.state.loaded import model_of
from suffice.margin import geometric_margin, margin_report, separable
from suffice.spaces import PolynomialKernel

X, Y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]), np.array([0, 0, 1, 1])
MODEL = SVC(kernel="linear").fit(X, Y)
LOADED: Any = model_of(MODEL._saved())
HUGE = SVC(kernel=PolynomialKernel(300))

CASES: list[tuple[Any, str]] = [
    (lambda: SVC(C=0).fit(X, Y), "The 'C' parameter of SVC must be"),
    (lambda: SVC(C=-1.0).fit(X, Y), "The 'C' parameter of SVC must be"),
    (lambda: SVC(C=np.nan).fit(X, Y), "The 'C' parameter of SVC must be"),
    (lambda: SVC(kernel="rbg").fit(X, Y), "The 'kernel' parameter of SVC must be"),
    (lambda: SVC(kernel=3).fit(X, Y), "The 'kernel' parameter of SVC must be"),
    (lambda: SVC(degree=-1).fit(X, Y), "The 'degree' parameter of SVC must be"),
    (lambda: SVC(gamma="wide").fit(X, Y), "The 'gamma' parameter of SVC must be"),
    (lambda: SVC(gamma=-0.1).fit(X, Y), "The 'gamma' parameter of SVC must be"),
    (lambda: SVC(tol=0.0).fit(X, Y), "The 'tol' parameter of SVC must be"),
    (lambda: SVC(cache_size=0).fit(X, Y), "The 'cache_size' parameter of SVC must be"),
    (lambda: SVC(max_iter=-2).fit(X, Y), "The 'max_iter' parameter of SVC must be"),
    (lambda: SVC(decision_function_shape="all").fit(X, Y), "The 'decision_function_shape' parameter of SVC must be"),
    (
        lambda: SVC(break_ties=True, decision_function_shape="ovo").fit(X, Y).predict(X),
        "SVC: break_ties must be False where decision_function_shape is 'ovo' (break_ties must be False), got True.",
    ),
    (lambda: SVC().fit(X, None), "SVC: y must be a label for each row (fit requires y to be passed, but the target"),
    (lambda: SVC().fit(X, Y[:3]), "SVC: X and y must be of one length (Found input variables with inconsistent"),
    (lambda: SVC().fit(X, [1, 1, 1, 1]), "SVC: y must be of at least 2 classes (The number of classes has to be"),
    (
        lambda: SVC().fit(X, Y, [0, 0, 1, 1]),
        "SVC: y must be of at least 2 classes in rows that weigh something (The number of classes has to be above one)",
    ),
    (lambda: SVC().fit(X, Y, [0, 0, 0, 0]), "SVC: sample_weight must be greater than 0 for some row (Sample weights"),
    (lambda: SVC().fit(X, Y, [1, 1, -1, 1]), "SVC: sample_weight must be at least 0, got -1.0."),
    (lambda: SVC().fit(X, Y, [1, 1]), "SVC: sample_weight must be one column of 4 numbers"),
    (lambda: SVC().fit(X, Y, [1, 1, np.nan, 1]), "SVC: sample_weight must be finite, got NaN or infinity."),
    (
        lambda: SVC().fit([[np.nan, 1.0], [1.0, 2.0]], [0, 1]),
        "SVC: column 'x0' must be present in every row (Input X contains NaN)",
    ),
    (lambda: SVC().fit(X[0], Y[:2]), "SVC: Expected 2D array, got 1D array instead"),
    (
        lambda: SVC().fit(X, [0.5, 1.5, 2.25, 3.1]),
        "y: labels must be classes (Unknown label type: continuous), got 0.5.",
    ),
    (
        lambda: SVC(class_weight={0: 0.0, 1: 1.0}).fit(X, Y),
        "SVC: class_weight must be above 0 for every class, got {0:",
    ),
    (
        lambda: SVC(kernel="precomputed").fit(X, Y),
        "SVC: X must be a square of kernel values where kernel='precomputed' (Precomputed matrix must be a square",
    ),
    (lambda: SVC(kernel=lambda A, B: A).fit(X, Y), "KernelFunction: function must be one that gives a table of 4 x 4"),
    (lambda: MODEL.predict(X[:, :1]), "SVC: X has 1 features, but SVC is expecting 2 features as input."),
    (
        lambda: SVC(kernel="linear", C=np.inf).fit([[0.0], [1.0], [2.0]], [0, 1, 0]),
        "SVC: the classes must be separable by the kernel where C is infinite, got rows that no such margin tells",
    ),
    (lambda: LOADED.predict(X[:, :1]), "SVC: the number of columns must be 2, as in training, got 1."),
    (lambda: LOADED.predict(X[0]), "SVC: X must be "),
    (lambda: LOADED.predict([[np.nan, 1.0]]), "SVC: X must be finite"),
    (lambda: margin_report(SVC(), X, Y), "margin_report: model must be a fitted SVC for two classes, got SVC()"),
    (lambda: margin_report(MODEL, X, [0, 0, 1, 5]), "margin_report: y must be 4 labels among [0, 1], got [0, 0, 1, 5]"),
    (lambda: margin_report(MODEL, X, Y[:2]), "margin_report: y must be 4 labels among [0, 1]"),
    (
        lambda: margin_report(MODEL, X[:2], Y[:2]).free,
        "MarginReport: the rows must be those of training, which have multipliers, got others. Give the table of fit.",
    ),
    (lambda: geometric_margin(X, [1, 1, 0, -1], [1, 0], 0.0), "geometric_margin: signs must be 4 numbers, each +1 or"),
    (
        lambda: geometric_margin(X[:0], [], [1, 0], 0.0),
        "geometric_margin: X must be rows of numbers, got shape (0, 2).",
    ),
    (lambda: geometric_margin(X, [1, 1, 1, -1], [0, 0], 0.0), "signed_distance: w must be finite weights, not all of"),
    (lambda: separable(X, np.array([1, 1, 1])), "separable: signs must be 4 numbers, each +1 or -1"),
]


@pytest.mark.parametrize(("call", "message"), CASES)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (parameters are refused by scikit-learn's own error)
        call()
    assert str(caught.value).startswith(message)


def test_values_too_large_for_their_kernel() -> None:
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(BadInput) as caught:
        HUGE.fit(np.array([[1e3], [2e3], [3e3]]), [0, 1, 0])
    assert str(caught.value).startswith("SVC: the values of X must be small enough for kernel values to be numbers")


def test_asking_before_fitting() -> None:
    from sklearn.exceptions import NotFittedError

    for call in (lambda: SVC().predict(X), lambda: SVC().decision_function(X), lambda: SVC().save("nowhere")):
        with pytest.raises(NotFittedError, match="This SVC instance is not fitted yet"):
            call()
