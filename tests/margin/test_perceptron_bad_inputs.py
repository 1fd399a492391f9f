"""What perceptrons refuse, in one sentence each, and stay as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import InvalidParameterError

from suffice import KernelPerceptron, Perceptron, PerceptronRegressor
from suffice.core.errors import SufficeError
from suffice.margin import mistake_bound

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]])
Y = [0, 1, 1, 0]
Z = [0.0, 1.0, 2.0, 3.0]
BAD: list[tuple[str, Callable[[], Any], str]] = [
    ("no labels", lambda: Perceptron().fit(X, None), "Perceptron: y must be a label for each row"),
    ("one class", lambda: Perceptron().fit(X, [1, 1, 1, 1]), "Perceptron: y must be of at least 2 classes"),
    ("lengths", lambda: Perceptron().fit(X, Y[:3]), "Perceptron: X and y must be of one length .*4 and 3"),
    ("fractions", lambda: Perceptron().fit(X, [0.5, 1.0, 2.0, 0.1]), "labels must be classes .*got 0.5"),
    (
        "a hole",
        lambda: Perceptron().fit([[np.nan, 1.0]] * 4, Y),
        "Perceptron: column .x0. must be present in every row .Input X contains NaN",
    ),
    ("a flat table", lambda: Perceptron().fit([0.0, 1.0, 2.0, 3.0], Y), "Expected 2D array"),
    ("no rows", lambda: Perceptron().fit(X[:0], []), "Perceptron: Found array with 0 sample"),
    (
        "weights below 0",
        lambda: Perceptron().fit(X, Y, sample_weight=[-1, 1, 1, 1]),
        "sample_weight must be at least 0",
    ),
    ("no weight", lambda: Perceptron().fit(X, Y, sample_weight=[0, 0, 0, 0]), "greater than 0 for some row"),
    (
        "coef_init",
        lambda: Perceptron().fit(X, Y, coef_init=[1.0]),
        r"coef_init must be of shape \(1, 2\) .*shape \(1,\)",
    ),
    (
        "intercept_init",
        lambda: Perceptron().fit(X, Y, intercept_init=[1.0, 2.0]),
        r"intercept_init must be of shape \(1,\) .*got shape \(2,\)",
    ),
    ("infinite start", lambda: Perceptron().fit(X, Y, coef_init=[np.inf, 0.0]), "weights to begin with must be finite"),
    (
        "overflow",
        lambda: Perceptron(eta0=1e300).fit(X * 1e300, Y),
        "the weights must be finite .*occurred at epoch #1.* Scale the columns, or lower the rate",
    ),
    (
        "class weights of strangers",
        lambda: Perceptron(class_weight={9: 1.0}).fit(X, Y),
        "Perceptron: The classes, .*are not in class_weight",
    ),
    (
        "two ways to stop",
        lambda: Perceptron(stop="mistakes", early_stopping=True).fit(X, Y),
        "early_stopping must be False where stop is 'mistakes', got True",
    ),
    (
        "too few rows to hold out",
        lambda: Perceptron(early_stopping=True).fit(X, Y),
        "Perceptron: The test_size = 1 should be greater or equal to the number of classes = 2",
    ),
    ("no classes", lambda: Perceptron().partial_fit(X, Y), "classes must be given in the first call"),
    ("early", lambda: Perceptron(early_stopping=True).partial_fit(X, Y, [0, 1]), "early_stopping must be False with"),
    (
        "balanced",
        lambda: Perceptron(class_weight="balanced").partial_fit(X, Y, [0, 1]),
        "class_weight must be given by label .*Give label -> weight",
    ),
    (
        "a stranger",
        lambda: Perceptron().partial_fit(X, Y, [0, 2]),
        r"labels must be among the classes \[0, 2\], got 1. Name it in the first call",
    ),
    (
        "other classes",
        lambda: Perceptron().partial_fit(X, Y, [0, 1]).partial_fit(X, Y, [0, 1, 2]),
        r"classes must be \[0, 1\] .*got \[0, 1, 2\]",
    ),
    ("other columns", lambda: Perceptron().fit(X, Y).predict(X[:, :1]), "Perceptron: X has 1 features, but"),
    ("a sparse kernel", lambda: KernelPerceptron().fit(sp.csr_array(X), Y), "KernelPerceptron: Sparse data was passed"),
    ("no square", lambda: KernelPerceptron("precomputed").fit(X, Y), "X must be the square matrix of the kernel"),
    (
        "a kernel of another shape",
        lambda: KernelPerceptron(lambda A, B: A @ A[0]).fit(X, Y),
        "KernelFunction: function must be one that gives a table of 4 x 4",
    ),
    ("labels of kernels", lambda: KernelPerceptron().fit(X, Y[:2]), "KernelPerceptron: X and y must be of one length"),
    ("no targets", lambda: PerceptronRegressor().fit(X, None), "PerceptronRegressor: y must be a number for each row"),
    ("targets", lambda: PerceptronRegressor().fit(X, Z[:3]), "PerceptronRegressor: X and y must be of one length"),
    (
        "a missing target",
        lambda: PerceptronRegressor().fit(X, [0.0, np.nan, 1.0, 2.0]),
        "got a missing number in row 1",
    ),
    (
        "two targets",
        lambda: PerceptronRegressor().fit(X, np.ones((4, 2))),
        "PerceptronRegressor: y should be a 1d array",
    ),
    (
        "a rate too high",
        lambda: PerceptronRegressor(eta0=10.0, max_iter=500).fit(X, Z),
        "the weights must be finite .*Lower eta0, or scale the columns",
    ),
    ("long rows", lambda: PerceptronRegressor().fit(X * 1e200, Z), "X must be of rows whose squared length is finite"),
    ("its start", lambda: PerceptronRegressor().fit(X, Z, coef_init=[1.0]), "coef_init must be 2 finite numbers"),
    ("a bound's weights", lambda: mistake_bound(X, Y, [1.0]), "coef must be one weight for each of 2 columns, got 1"),
    ("a bound's labels", lambda: mistake_bound(X, [0, 1, 2, 0], [1.0, 1.0]), "got 4 labels of 3 classes"),
]


@pytest.mark.parametrize(("call", "told"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_refused_in_one_sentence(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(SufficeError, match=told) as caught:
        call()
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("cls", "name", "value"),
    [
        (Perceptron, "penalty", "l3"),
        (Perceptron, "alpha", -1.0),
        (Perceptron, "eta0", 0.0),
        (Perceptron, "max_iter", 0),
        (Perceptron, "start", "nowhere"),
        (Perceptron, "stop", "never"),
        (Perceptron, "boundary", "both"),
        (Perceptron, "intercept_share", 0.0),
        (KernelPerceptron, "kernel", "cubic"),
        (KernelPerceptron, "gamma", -1.0),
        (KernelPerceptron, "cache_size", 0),
        (PerceptronRegressor, "eta0", 0.0),
        (PerceptronRegressor, "bound", 0.0),
        (PerceptronRegressor, "max_iter", 1.5),
    ],
)
def test_parameters(cls: Any, name: str, value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=f"The '{name}' parameter of {cls.__name__} must be"):
        cls(**{name: value}).fit(X, Y)


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron(), PerceptronRegressor()])
def test_nothing_learned_yet(model: Any) -> None:
    for call in (lambda: model.predict(X), lambda: model.save("nowhere")):
        with pytest.raises(NotFittedError):
            call()
    with pytest.raises((NotFittedError, AttributeError)):
        model.coef_
