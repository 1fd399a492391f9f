"""The normal distributions inside a fitted model: components of a mixture, or classes of a Gaussian classifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.families.normals.gaussian import Gaussian

OWNER = "normal_components"
REMEDY = "Use a Gaussian mixture, GaussianNB, or discriminant analysis with store_covariance=True."


def normal_components(model: Any) -> list[Gaussian]:
    """One normal distribution for each component or class, from scikit-learn's fitted attributes.

    Parameters
    ----------
    model : a fitted Gaussian mixture, GaussianNB, or linear or quadratic discriminant analysis, ours or scikit-learn's

    >>> from suffice import GaussianNB
    >>> found = normal_components(GaussianNB(var_smoothing=0.0).fit([[0.0], [2.0], [5.0], [9.0]], [0, 0, 1, 1]))
    >>> [(one.mean.tolist(), one.covariance.tolist()) for one in found]
    [([1.0], [[1.0]]), ([7.0], [[4.0]])]
    """
    means, spread, shape = _read(model)
    means = np.asarray(means, dtype=np.float64)
    covariances = SHAPES[shape](spread, *means.shape)
    return [Gaussian(mean, covariance) for mean, covariance in zip(means, covariances, strict=True)]


def _read(model: Any) -> tuple[Any, Any, str]:
    """Means, covariances, and the shape in which these are kept."""
    for centre, spread, shape in KEPT:
        if hasattr(model, centre) and hasattr(model, spread):
            covariances = getattr(model, spread)
            known = getattr(model, "covariance_type", None) or shape
            return getattr(model, centre), covariances, "full" if isinstance(covariances, list) else known
    raise bad(OWNER, "model", "fitted, with means and covariances", Said(type(model).__name__), REMEDY)


KEPT = (("means_", "covariances_", "full"), ("theta_", "var_", "diag"), ("means_", "covariance_", "tied"))

SHAPES: dict[str, Callable[[Any, int, int], Array]] = {
    "full": lambda C, K, d: np.stack([np.asarray(one, dtype=np.float64) for one in C]),
    "tied": lambda C, K, d: np.broadcast_to(np.asarray(C, dtype=np.float64), (K, d, d)),
    "diag": lambda C, K, d: np.asarray(C, dtype=np.float64)[:, :, None] * np.eye(d),
    "spherical": lambda C, K, d: np.asarray(C, dtype=np.float64)[:, None, None] * np.eye(d),
}
