"""Where rows lie: kernels and squared distances between them."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "GivenKernel": "suffice.spaces.given_kernels",
    "KERNELS": "suffice.spaces.named_kernels",
    "Kernel": "suffice.spaces.kernels",
    "KernelFunction": "suffice.spaces.given_kernels",
    "LinearKernel": "suffice.spaces.kernels",
    "PolynomialKernel": "suffice.spaces.kernels",
    "RbfKernel": "suffice.spaces.kernels",
    "SigmoidKernel": "suffice.spaces.kernels",
    "monomial_map": "suffice.spaces.feature_maps",
    "quadratic_map": "suffice.spaces.feature_maps",
    "read_gamma": "suffice.spaces.named_kernels",
    "read_kernel": "suffice.spaces.named_kernels",
    "squared_distances": "suffice.spaces.euclidean",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
