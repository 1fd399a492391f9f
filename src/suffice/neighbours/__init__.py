"""Models that keep their rows and ask which are near: window densities, kernel regression."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "KernelDensity": "suffice.neighbours.kernel_density",
    "KernelRegression": "suffice.neighbours.kernel_regression",
}

_TOP = _HOMES.keys()  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
