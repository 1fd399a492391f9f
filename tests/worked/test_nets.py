"""The sources' numbers about neurons and nets."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from suffice import SVC, Autoassociator, LogisticNeuron, LogisticRegression, MLPClassifier, Perceptron
from suffice.datasets import load_or, load_xor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ONLINE: dict[str, Any] = {
    "solver": "sgd",
    "alpha": 0.0,
    "batch_size": 1,
    "momentum": 0.0,
    "tol": 0.0,
    "n_iter_no_change": np.inf,
}


def test_a_threshold_perceptron_learns_or_not_xor() -> None:
    """C.M08.01, C.M08.06: output 1 if w.x + w0 > 0, else 0; weights move by eta (t - o) x."""
    X, y = load_or()
    model = Perceptron(eta0=0.5, stop="mistakes", boundary="first", shuffle=False).fit(X, y)
    w, b = np.zeros(2), 0.0
    for _ in range(model.n_iter_):
        for x, t in zip(X, y, strict=True):
            o = float(w @ x + b > 0)
            w, b = w + 0.5 * (t - o) * x, b + 0.5 * (t - o)
    np.testing.assert_allclose([*model.coef_[0], model.intercept_[0]], [*w, b])
    assert model.score(X, y) == 1.0
    X, y = load_xor()
    assert Perceptron(max_iter=50, tol=None).fit(X, y).score(X, y) <= 0.75


@pytest.mark.parametrize(("load", "left"), [(load_or, 0.0027), (load_xor, 0.5001)])
def test_the_error_of_a_logistic_neuron(load: Any, left: float) -> None:
    """C.R10, C.M08.02, C.M08.03: 2000 online epochs with rate 0.5: the error of OR falls, that of XOR does not."""
    X, y = load()
    neuron = LogisticNeuron(error="squared", rate=0.5, max_iter=2000, tol=None, start=0.5, random_state=0).fit(X, y)
    half = 0.5 * float(((neuron.predict_proba(X)[:, 1] - y) ** 2).sum())
    assert round(half, 4) == left
    assert len(neuron.loss_curve_) == 2000


def test_one_online_and_one_batch_step_by_hand() -> None:
    """C.M08.02 - C.M08.04: eta (t - s) s (1 - s) x, after each row or summed over the epoch."""
    X, y = load_or()
    begun = np.random.RandomState(3)
    w, b = begun.uniform(-0.5, 0.5, (2, 1))[:, 0], begun.uniform(-0.5, 0.5, 1)[0]
    options: dict[str, Any] = {"error": "squared", "rate": 0.5, "max_iter": 1, "start": 0.5, "random_state": 3}
    online = LogisticNeuron(**options, shuffle=False).fit(X, y)
    batch = LogisticNeuron(**options, mode="batch").fit(X, y)
    at, summed = np.array([*w, b]), np.zeros(3)
    for x, t in zip(X, y, strict=True):
        row = np.array([*x, 1.0])
        for theta, move in ((at, True), (np.array([*w, b]), False)):
            s = 1.0 / (1.0 + np.exp(-theta @ row))
            step = 0.5 * (t - s) * s * (1.0 - s) * row
            if move:
                at = at + step
            else:
                summed += step
    np.testing.assert_allclose([*online.coef_[0], online.intercept_[0]], at, rtol=1e-12)
    np.testing.assert_allclose([*batch.coef_[0], batch.intercept_[0]], np.array([*w, b]) + summed, rtol=1e-12)


def test_a_batch_is_deterministic() -> None:
    """C.E31: descent by the sum over all rows draws nothing; only the first weights are drawn."""
    X, y = load_or()
    options: dict[str, Any] = {"mode": "batch", "start": 0.0, "max_iter": 50, "tol": None}
    first, second = (LogisticNeuron(**options, random_state=seed).fit(X, y) for seed in (1, 2))
    np.testing.assert_array_equal(first.coef_, second.coef_)
    shuffled = [LogisticNeuron(start=0.0, max_iter=3, random_state=seed).fit(X, y).coef_ for seed in (1, 2)]
    assert not np.array_equal(*shuffled)


def test_xor_in_a_net_of_two_two_one() -> None:
    """C.R12, C.M08.07, C.M08.09, C.M08.11: of ten runs from small random weights nine separate the classes."""
    X, y = load_xor()
    nets = [
        MLPClassifier(
            (2,), "logistic", loss="squared_error", learning_rate_init=0.5, max_iter=8000, start=1.0,
            random_state=seed, **ONLINE
        ).fit(X, y)
        for seed in range(10)
    ]  # fmt: skip
    right = [net for net in nets if net.score(X, y) == 1.0]
    assert len(right) == 9
    curves = np.array([net.loss_curve_ for net in nets])
    assert curves.shape == (10, 8000)
    recoded = right[0].hidden_outputs(X)  # there a hyperplane separates them
    assert Perceptron(stop="mistakes", max_iter=10000).fit(recoded, y).score(recoded, y) == 1.0


def test_eight_values_through_three_units() -> None:
    """C.R13, C.M08.10: 8-3-8 says all one-hot rows again; which code it finds differs from run to run."""
    X = np.eye(8)
    found = [
        Autoassociator(
            (3,), output="logistic", learning_rate_init=0.3, max_iter=5000, start=0.1, random_state=seed, **ONLINE
        ).fit(X)
        for seed in range(4)
    ]
    for net in found:
        assert net.reconstruct(X).argmax(axis=1).tolist() == list(range(8))
    assert max(len(np.unique(net.transform(X).round(), axis=0)) for net in found) == 8


def test_tanh_units() -> None:
    """C.M08.05: tanh(z) = 2 logistic(2 z) - 1: the same nets, in other weights."""
    X, y = load_xor()
    net = MLPClassifier((3,), "tanh", solver="lbfgs", alpha=0.0, random_state=0).fit(X, y)
    assert net.score(X, y) == 1.0
    hidden = net.hidden_outputs(X)
    z = X @ net.coefs_[0] + net.intercepts_[0]
    np.testing.assert_allclose(hidden, 2.0 / (1.0 + np.exp(-2.0 * z)) - 1.0, atol=1e-14)


def test_a_small_penalty_nears_the_largest_margin() -> None:
    """C.M09.01: mean log loss + 1e-5 sum of squared weights points almost where the largest margin does."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X @ [1.0, 0.5] > 0, 1, 0)
    X += np.outer(2 * y - 1, [0.6, 0.3])
    soft = LogisticRegression(C=1.0 / (2e-5 * len(X)), tol=1e-10, max_iter=1000).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hard = SVC(kernel="linear", C=1e6).fit(X, y)
    a, b = (np.append(model.coef_[0], model.intercept_) for model in (soft, hard))
    assert a @ b / np.sqrt((a @ a) * (b @ b)) > 0.995
