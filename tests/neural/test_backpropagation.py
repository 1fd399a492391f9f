"""Derivatives against finite differences; the compiled loop against its twin; steps against their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from suffice.neural import backpropagate, finite_differences
from suffice.neural.activations import ACTIVATIONS
from suffice.neural.flat_weights import FlatWeights
from suffice.neural.online_epoch import online_epoch
from suffice.neural.optimizers import KINDS, Momentum, OptimizerOptions
from suffice.neural.output_layers import OUTPUT_LAYERS

RNG = np.random.default_rng(0)
SIZES = (2, 3, 2)  # C.R11


def net(loss: str, output: str, hidden: str = "logistic", sizes: tuple[int, ...] = SIZES) -> FlatWeights:
    return FlatWeights.drawn(sizes, hidden, output, loss, np.float64, np.random.RandomState(1), 1.0)


def targets(output: str, n: int, t: int) -> Any:
    if output in ("softmax", "logistic"):
        return np.eye(t)[RNG.integers(0, t, n)] if t > 1 else RNG.integers(0, 2, (n, 1)).astype(float)
    return RNG.poisson(2.0, (n, t)).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("hidden", ACTIVATIONS)
@pytest.mark.parametrize(("loss", "output"), OUTPUT_LAYERS)
def test_backpropagation_is_the_derivative(loss: str, output: str, hidden: str, weighted: bool) -> None:
    """C.R11, C.M08.08, C.E26: deltas go back over the weights that lead on, and all weights get their derivative."""
    parameters = net(loss, output, hidden)
    X, T = RNG.normal(size=(7, 2)), targets(output, 7, 2)
    w = RNG.random(7) if weighted else None
    found = np.empty_like(parameters.flat)
    backpropagate(parameters, X, T, w, 0.1, found)
    np.testing.assert_allclose(found, finite_differences(parameters, X, T, w, 0.1), rtol=1e-6, atol=1e-8)
    sparse = np.empty_like(parameters.flat)
    backpropagate(parameters, sp.csr_array(X), T, w, 0.1, sparse)
    np.testing.assert_allclose(sparse, found, rtol=1e-12, atol=1e-14)


def test_the_update_of_a_logistic_output_and_of_a_hidden_unit() -> None:
    """C.M08.08, C.E26 by hand: delta = (t - s) s (1 - s); a hidden delta sums over the units p that n feeds."""
    parameters = net("squared_error", "logistic")
    x, t = np.array([[0.3, -0.7]]), np.array([[1.0, 0.0]])
    h = 1.0 / (1.0 + np.exp(-(x @ parameters.coefs[0] + parameters.intercepts[0])))
    s = 1.0 / (1.0 + np.exp(-(h @ parameters.coefs[1] + parameters.intercepts[1])))
    output = (t - s) * s * (1.0 - s)
    hidden = np.array(
        [h[0, n] * (1 - h[0, n]) * sum(output[0, p] * parameters.coefs[1][n, p] for p in range(2)) for n in range(3)]
    )
    found = np.empty_like(parameters.flat)
    backpropagate(parameters, x, t, None, 0.0, found)
    downhill = parameters.at(-found)
    np.testing.assert_allclose(downhill.coefs[1], h.T @ output, rtol=1e-13)
    np.testing.assert_allclose(downhill.coefs[0], x.T @ hidden[None], rtol=1e-13)
    np.testing.assert_allclose(downhill.intercepts[0], hidden, rtol=1e-13)


@pytest.mark.parametrize("summed", [False, True])
@pytest.mark.parametrize("hidden", ACTIVATIONS)
@pytest.mark.parametrize(("loss", "output"), OUTPUT_LAYERS)
def test_the_loop_is_its_twin(loss: str, output: str, hidden: str, summed: bool) -> None:
    parameters = net(loss, output, hidden, (3, 4, 3, 2))
    X, T, w = RNG.normal(size=(6, 3)), targets(output, 6, 2), np.array([1.0, 2.0, 0.0, 0.5, 1.0, 1.0])
    order, options = np.array([3, 0, 2, 5, 1, 4]), OptimizerOptions("sgd", 0.05, momentum=0.7, nesterov=not summed)
    twin, gradient = FlatWeights(parameters.flat.copy(), *_rest(parameters)), np.empty_like(parameters.flat)
    step, error = Momentum(options, twin.flat, None), 0.0
    for i in order[w[order] > 0]:
        error += w[i] * backpropagate(twin, X[i : i + 1], T[i : i + 1], w[i : i + 1], 0.0, gradient)
        backpropagate(twin, X[i : i + 1], T[i : i + 1], w[i : i + 1], 0.3, gradient)
        step.step(twin.flat, gradient * (w[i] if summed else 1.0))
    mine = Momentum(options, parameters.flat, None)
    told = online_epoch(parameters, X, T, w, order, 0.3, mine, summed)
    np.testing.assert_allclose(parameters.flat, twin.flat, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(told, error, rtol=1e-10)


def _rest(parameters: FlatWeights) -> Any:
    return parameters.sizes, parameters.hidden, parameters.output, parameters.loss


def test_steps_by_their_formulas() -> None:
    g, start = np.array([0.5, -2.0]), np.zeros(2)
    flat = start.copy()
    sgd = OptimizerOptions("sgd", 0.1, momentum=0.9, nesterov=False).begin(flat, None)
    sgd.step(flat, g.copy())
    sgd.step(flat, g.copy())
    np.testing.assert_allclose(flat, -0.1 * g - (0.1 * g + 0.9 * 0.1 * g), rtol=1e-14)
    flat = start.copy()
    adam = OptimizerOptions("adam", 0.1).begin(flat, None)
    adam.step(flat, g.copy())
    np.testing.assert_allclose(flat, -0.1 * np.sign(g), rtol=1e-6)  # the first step is of the size of the rate
    assert set(KINDS) == {"sgd", "adam"}


def test_schedules() -> None:
    falling: Any = OptimizerOptions("sgd", 0.5, "invscaling", 0.25).begin(np.zeros(1), None)
    falling.ended(15)
    assert falling.rate == 0.5 / 16**0.25
    adaptive: Any = OptimizerOptions("sgd", 1e-5, "adaptive").begin(np.zeros(1), None)
    assert [adaptive.stops(), adaptive.stops(), adaptive.stops()] == [False, False, True]
    assert adaptive.rate == pytest.approx(1e-5 / 25)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_loop_of_adam_is_numpy_to_the_last_digit(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from suffice.neural import optimizers

    rng = np.random.default_rng(0)
    start, gradients = rng.normal(size=50).astype(kind), rng.normal(size=(5, 50)).astype(kind)
    found = []
    for loops in (False, True):
        monkeypatch.setattr(type(optimizers._adam_step), "pays", lambda self, cells, loops=loops: loops)
        flat = start.copy()
        adam = optimizers.OptimizerOptions("adam", 0.1).begin(flat, None)
        for gradient in gradients:
            adam.step(flat, gradient.copy())
        found.append((flat, *adam.state().kept))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
