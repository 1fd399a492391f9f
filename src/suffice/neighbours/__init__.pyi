"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.neighbours.kernel_density import KernelDensity as KernelDensity
from suffice.neighbours.kernel_regression import KernelRegression as KernelRegression

__all__ = [
    "KernelDensity",
    "KernelRegression",
]
