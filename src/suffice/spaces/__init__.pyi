"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.spaces.given_kernels import GivenKernel as GivenKernel
from suffice.spaces.named_kernels import KERNELS as KERNELS
from suffice.spaces.kernels import Kernel as Kernel
from suffice.spaces.given_kernels import KernelFunction as KernelFunction
from suffice.spaces.kernels import LinearKernel as LinearKernel
from suffice.spaces.kernels import PolynomialKernel as PolynomialKernel
from suffice.spaces.kernels import RbfKernel as RbfKernel
from suffice.spaces.kernels import SigmoidKernel as SigmoidKernel
from suffice.spaces.feature_maps import monomial_map as monomial_map
from suffice.spaces.feature_maps import quadratic_map as quadratic_map
from suffice.spaces.named_kernels import read_gamma as read_gamma
from suffice.spaces.named_kernels import read_kernel as read_kernel
from suffice.spaces.euclidean import squared_distances as squared_distances

__all__ = [
    "GivenKernel",
    "KERNELS",
    "Kernel",
    "KernelFunction",
    "LinearKernel",
    "PolynomialKernel",
    "RbfKernel",
    "SigmoidKernel",
    "monomial_map",
    "quadratic_map",
    "read_gamma",
    "read_kernel",
    "squared_distances",
]
