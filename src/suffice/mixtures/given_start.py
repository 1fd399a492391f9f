"""Weights and means that a user begins with, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad


def read_weights_init(owner: str, given: Any, K: int) -> Array | None:
    """Shares of the components, or None."""
    if given is None:
        return None
    weights = _numbers(owner, "weights_init", given)
    _check_shape(owner, "weights", weights, (K,))
    if not ((weights >= 0) & (weights <= 1)).all():
        told = f"The parameter 'weights' should be in the range [0, 1], but got max value {weights.min():.5f}, "
        told += f"min value {weights.max():.5f}"  # in the order of scikit-learn's sentence
        raise bad(owner, "weights_init", f"between 0 and 1 ({told})", given, "Correct the share.")
    if not abs(weights.sum() - 1.0) <= 1e-6:
        told = f"The parameter 'weights' should be normalized, but got sum(weights) = {weights.sum():.5f}"
        raise bad(owner, "weights_init", f"of sum 1 ({told})", given, f"Divide them by {weights.sum():.6g}.")
    return weights


def read_means_init(owner: str, given: Any, K: int, d: int) -> Array | None:
    """Means of the components, or None."""
    if given is None:
        return None
    means = _numbers(owner, "means_init", given)
    _check_shape(owner, "means", means, (K, d))
    if not np.isfinite(means).all():
        raise bad(owner, "means_init", "finite", Said("NaN or infinity"), "Give every component a mean.")
    return means


def _numbers(owner: str, name: str, given: Any) -> Array:
    try:
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, name, "numbers", given, "Give one for each component.") from None


def _check_shape(owner: str, name: str, values: Array, shape: tuple[int, ...]) -> None:
    if values.shape != shape:
        told = f"The parameter '{name}' should have the shape of {shape}, but got {values.shape}"
        raise bad(owner, f"{name}_init", f"of shape {shape} ({told})", Said(f"{values.shape}"), "Reshape it.")
