"""Output layers: what the last units answer, the error of that, and its derivative by their weighted sums z.

cross-entropy with logistic or softmax outputs, half squared error with identity ones, Poisson deviance with
exponential ones:                   dE/dz = s - t
half squared error, logistic:       dE/dz = (s - t) s (1 - s)
half squared error, softmax:        dE/dz_k = s_k (g_k - sum_j g_j s_j),     g = s - t

The cross-entropy is minus the log likelihood as it is: there is no further logarithm to take (C.E32). No scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, xlogy

from suffice.core.block import Array


@dataclass(frozen=True)
class OutputLayer:
    """Outputs and their error.

    >>> layer = OUTPUT_LAYERS["log_loss", "logistic"]
    >>> layer.delta(np.array([[1.0]]), np.array([[0.75]])).tolist()
    [[-0.25]]
    """

    code: int  # for loops
    apply: Callable[[Array], None]  # z -> s, in place
    errors: Callable[[Array, Array], Array]  # targets, outputs -> the error of each row (n,)
    delta: Callable[[Array, Array], Array]  # targets, outputs -> dE/dz of each row (n, t)


def _same(Z: Array) -> None:
    """Nothing to do."""


def logistic(Z: Array) -> None:
    """In place."""
    expit(Z, out=Z)


def softmax(Z: Array) -> None:
    """Shares that add to 1, in place."""
    Z -= Z.max(axis=1, keepdims=True)
    np.exp(Z, out=Z)
    Z /= Z.sum(axis=1, keepdims=True)


def _exponential(Z: Array) -> None:
    np.exp(Z, out=Z)


def _squares(T: Array, S: Array) -> Array:
    gap = S - T
    return np.asarray(0.5 * np.einsum("ij,ij->i", gap, gap))


def _inner(S: Array) -> Array:
    """Away from 0 and 1, where a logarithm has an end."""
    least = np.finfo(S.dtype).eps
    return np.asarray(np.clip(S, least, 1.0 - least))


def _two_sided_entropy(T: Array, S: Array) -> Array:
    S = _inner(S)
    return np.asarray(-(T * np.log(S) + (1.0 - T) * np.log1p(-S)).sum(axis=1))


def _entropy(T: Array, S: Array) -> Array:
    return np.asarray(-(T * np.log(_inner(S))).sum(axis=1))


def _deviance(T: Array, S: Array) -> Array:
    return np.asarray((xlogy(T, T / S) - T + S).sum(axis=1))


def _gap(T: Array, S: Array) -> Array:
    return S - T


def _logistic_gap(T: Array, S: Array) -> Array:
    return np.asarray((S - T) * S * (1.0 - S))


def _softmax_gap(T: Array, S: Array) -> Array:
    gap = S - T
    return np.asarray(S * (gap - np.einsum("ij,ij->i", gap, S)[:, None]))


OUTPUT_LAYERS: Mapping[tuple[str, str], OutputLayer] = {  # by loss and activation
    ("squared_error", "identity"): OutputLayer(0, _same, _squares, _gap),
    ("log_loss", "logistic"): OutputLayer(1, logistic, _two_sided_entropy, _gap),
    ("log_loss", "softmax"): OutputLayer(2, softmax, _entropy, _gap),
    ("poisson", "exp"): OutputLayer(3, _exponential, _deviance, _gap),
    ("squared_error", "logistic"): OutputLayer(4, logistic, _squares, _logistic_gap),
    ("squared_error", "softmax"): OutputLayer(5, softmax, _squares, _softmax_gap),
}
OUTPUTS: Mapping[str, Callable[[Array], None]] = {name: layer.apply for (_, name), layer in OUTPUT_LAYERS.items()}
