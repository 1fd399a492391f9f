"""Kernels by the names scikit-learn gives them, and its two rules for gamma."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, isfinite
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.given_kernels import GivenKernel, KernelFunction
from suffice.spaces.kernels import Kernel, LinearKernel, PolynomialKernel, RbfKernel, SigmoidKernel

KERNELS: Mapping[str, Callable[[int, float, float], Kernel]] = {
    "linear": lambda degree, gamma, coef0: LinearKernel(),
    "poly": PolynomialKernel,
    "rbf": lambda degree, gamma, coef0: RbfKernel(gamma),
    "sigmoid": lambda degree, gamma, coef0: SigmoidKernel(gamma, coef0),
    "precomputed": lambda degree, gamma, coef0: GivenKernel(),
}  # of degree, gamma and coef0

WITHOUT_GAMMA = "linear", "precomputed"


def _scale(X: Any, w: Array | None) -> float:
    """1 / (columns * variance of all cells), 1 where nothing varies. A row of weight w counts as w copies."""
    spread = X.shape[1] * _variance(X, w) if X.size else 0.0
    if spread > 0:
        return 1.0 / spread
    rows = X if w is None else X[w > 0]
    cells = rows.data if hasattr(rows, "indptr") else rows
    return inf if cells.size and cells.min() < cells.max() else 1.0  # infinite where squares vanish


def _variance(X: Any, w: Array | None) -> float:
    if hasattr(X, "indptr"):
        each = np.ones(X.shape[0]) if w is None else w
        cells = float(each.sum()) * X.shape[1]
        mean = float((each @ X).sum()) / cells
        return float(float((each @ X.multiply(X)).sum()) / cells - mean**2)
    if w is None:
        return float(X.var())
    share = w / (w.sum() * X.shape[1])
    return float((share @ (X - float((share @ X).sum())) ** 2).sum())


def _auto(X: Array, w: Array | None) -> float:
    """1 / columns."""
    return float(1.0 / max(1, X.shape[1]))


GAMMAS: Mapping[str, Callable[[Array, Array | None], float]] = {"scale": _scale, "auto": _auto}


def read_gamma(owner: object, gamma: Any, X: Array, w: Array | None = None) -> float:
    """A number, or what "scale" or "auto" means for these rows."""
    if isinstance(gamma, str) and gamma in GAMMAS:
        found = GAMMAS[gamma](X, w)
        if not isfinite(found):
            rule = "finite where it is one over the variance of the cells of X"
            raise bad(owner, "gamma", rule, Said("infinity"), "Take another unit, or give a number.")
        return found
    if not isinstance(gamma, Real) or isinstance(gamma, bool) or not isfinite(gamma) or gamma < 0:
        raise bad(owner, "gamma", "'scale', 'auto' or a number of at least 0", gamma, "Leave it 'scale'.")
    return float(gamma)


def read_kernel(
    owner: object,
    kernel: Any,
    X: Array,
    *,
    degree: int = 3,
    gamma: Any = "scale",
    coef0: float = 0.0,
    w: Array | None = None,
) -> Kernel:
    """A `Kernel`, one of the five by its name, or a function k(X, Z) that gives a table.

    >>> import numpy as np
    >>> read_kernel("SVC", "rbf", np.array([[0.0, 2.0], [2.0, 0.0]]))
    RbfKernel(gamma=0.5)
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str) and kernel in KERNELS:
        unused = kernel in WITHOUT_GAMMA and isinstance(gamma, str) and gamma in GAMMAS
        return KERNELS[kernel](degree, 1.0 if unused else read_gamma(owner, gamma, X, w), coef0)
    if callable(kernel):
        return KernelFunction(kernel)
    rule = f"one of {', '.join(KERNELS)}, a Kernel, or a function of two tables"
    raise bad(owner, "kernel", rule, kernel, "Choose one of these.")
