"""Kernels: inner products k(x, z) = phi(x).phi(z) of rows in a space of features that is never built.

A kernel is a value. `between(X, Z)` gives the table of k over two sets of rows, `between(X)` the Gram matrix of one,
exactly symmetric. (A *window* smooths a density; a kernel is positive semi-definite, the sigmoid only nearly so.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from numbers import Integral, Real
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.spaces.euclidean import Centred, distances_to

HARMLESS = 64.0  # gamma norm(x)^2 about the centre up to which the rounding of a product leaves 12 digits of k
CACHED = 1 << 15  # kernel values that one row after the other is worked on while they are in the cache
EPS = float(np.finfo(np.float64).eps)


class Kernel(ABC):
    """k(x, z), a symmetric function of two rows."""

    @abstractmethod
    def between(self, X: Array, Z: Array | None = None) -> Array:
        """k of each row of X and each of Z (n, m); without Z, of X and itself, exactly symmetric."""

    @abstractmethod
    def diagonal(self, X: Array) -> Array:
        """k(x, x) of each row (n,)."""

    def towards(self, Z: Array) -> Callable[[Array], Array]:
        """`between(X, Z)` as a function of X; what depends on Z alone is worked out once."""
        return lambda X: self.between(X, Z)

    def blocks(self, X: Array, runs: Sequence[slice]) -> Callable[[int, int], Array]:
        """k of the rows of two runs, by their numbers; what depends on one run alone is worked out once."""
        rows = [X[run] for run in runs]
        towards = [self.towards(mine) for mine in rows]
        return lambda i, j: self.between(rows[i]) if i == j else towards[j](rows[i])


class ProductKernel(Kernel):
    """A kernel that is a function of the inner product u.v."""

    @abstractmethod
    def of_products(self, products: Array) -> Array:
        """k from u.v; may write into it."""

    def between(self, X: Array, Z: Array | None = None) -> Array:
        """k of the matrix product; NumPy computes one triangle of X X^T and copies it."""
        X = np.asarray(X, dtype=np.float64)
        other = X if Z is None else np.asarray(Z, dtype=np.float64)
        return self.of_products(X @ other.T)

    def diagonal(self, X: Array) -> Array:
        """k from the squared lengths."""
        X = np.asarray(X, dtype=np.float64)
        return self.of_products(np.einsum("ij,ij->i", X, X))


@saved
@dataclass(frozen=True)
class LinearKernel(ProductKernel):
    """k(u, v) = u.v.

    >>> LinearKernel().between(np.array([[1.0, 2.0], [-1.0, 2.0]]))
    array([[5., 3.],
           [3., 5.]])
    """

    def of_products(self, products: Array) -> Array:
        """The product itself."""
        return products


@saved
@dataclass(frozen=True)
class PolynomialKernel(ProductKernel):
    """k(u, v) = (gamma u.v + coef0)^degree: all products of up to `degree` inputs, or of exactly so many if coef0 = 0.

    >>> PolynomialKernel(2).between(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0]]))
    array([[36.]])
    """

    degree: int = 3
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        """Check the three numbers."""
        if not isinstance(self.degree, Integral) or isinstance(self.degree, bool) or self.degree < 0:
            raise bad(self, "degree", "a whole number of at least 0", self.degree, "Give degree=2 or 3.")
        _check_gamma(self, self.gamma)
        _check_coef0(self, self.coef0)

    def of_products(self, products: Array) -> Array:
        """A power by repeated squaring: three times as fast as `**` on an array, and as exact."""
        products *= self.gamma
        products += self.coef0
        if self.degree == 1:
            return products
        result, power = np.ones_like(products), int(self.degree)
        while power:
            if power & 1:
                result *= products
            power >>= 1
            if power:
                products *= products
        return result


@saved
@dataclass(frozen=True)
class SigmoidKernel(ProductKernel):
    """k(u, v) = tanh(gamma u.v + coef0): a neuron. Not positive semi-definite for every gamma and coef0."""

    gamma: float = 1.0
    coef0: float = 0.0

    def __post_init__(self) -> None:
        """Check the two numbers."""
        _check_gamma(self, self.gamma)
        _check_coef0(self, self.coef0)

    def of_products(self, products: Array) -> Array:
        """tanh, in place."""
        products *= self.gamma
        products += self.coef0
        return np.tanh(products, out=products)


@saved
@dataclass(frozen=True)
class RbfKernel(Kernel):
    """k(u, v) = exp(-gamma norm(u - v)^2): 1 for equal rows, towards 0 as they part.

    >>> RbfKernel.of_width(2.0)
    RbfKernel(gamma=0.125)
    >>> RbfKernel(0.5).between(np.array([[1e8], [1e8 + 1.0]])).round(6)
    array([[1.      , 0.606531],
           [0.606531, 1.      ]])
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        """Check gamma."""
        _check_gamma(self, self.gamma)

    @classmethod
    def of_width(cls, sigma: float) -> RbfKernel:
        """exp(-norm(u - v)^2 / (2 sigma^2)): gamma = 1 / (2 sigma^2)."""
        if not _is_number(sigma) or not sigma > 0:
            raise bad("RbfKernel", "sigma", "a number above 0", sigma, "Give the width of the kernel.")
        return cls(1.0 / (2.0 * sigma * sigma))

    def between(self, X: Array, Z: Array | None = None) -> Array:
        """From squared distances about the centre of Z; 1 exactly for equal rows."""
        near = Centred.of(X if Z is None else Z)
        return self._near(near, near if Z is None else Centred.of(X, near.centre))

    def towards(self, Z: Array) -> Callable[[Array], Array]:
        """Z is centred once."""
        near = Centred.of(Z)
        longest = near.squares.max(initial=0.0)
        return lambda X: self._near(near, Centred.of(X, near.centre), longest)

    def blocks(self, X: Array, runs: Sequence[slice]) -> Callable[[int, int], Array]:
        """All rows are centred once."""
        near = Centred.of(X)
        some = [Centred(near.centre, near.rows[run], near.squares[run], near.given[run]) for run in runs]
        return lambda i, j: self._near(some[j], some[i])

    def diagonal(self, X: Array) -> Array:
        """1."""
        return np.ones(len(X))

    def _near(self, near: Centred, X: Centred, longest: float | None = None) -> Array:
        longest = near.squares.max(initial=0.0) if longest is None else longest
        largest = float(longest + X.squares.max(initial=0.0))
        if self.gamma * largest <= HARMLESS:
            return self._by_products(near, X, (near.rows.shape[1] + 6) * EPS * self.gamma * largest)
        return distances_to(near, X, self._of_squares)

    def _by_products(self, near: Centred, X: Centred, error: float) -> Array:
        """exp(gamma (2 x.z - norm(x)^2 - norm(z)^2)), where rounding cannot show: an exponent within it is 0."""
        same, own = X is near, self.gamma * X.squares
        left = X.rows * (sqrt(2.0 * self.gamma) if same else 2.0 * self.gamma)
        found = left @ (left if same else near.rows).T  # of a table and itself: one triangle, and its copy
        other = own if same else self.gamma * near.squares
        step = max(1, CACHED // max(1, len(near.rows)))
        for start in range(0, len(found), step):
            block = found[start : start + step]
            if same:  # both at once, so that the order of two rows does not matter
                block -= np.add.outer(own[start : start + step], other)
                np.einsum("ii->i", block[:, start : start + step])[:] = -1.0  # rows and themselves, which need no look
            else:
                block -= own[start : start + step, None]
                block -= other
            if block.size and np.maximum.reduce(block, axis=None) >= -error:
                block[block >= -error] = 0.0
            if same:
                np.einsum("ii->i", block[:, start : start + step])[:] = 0.0
            np.exp(block, out=block)
        return found

    def _of_squares(self, block: Array) -> None:
        block *= -self.gamma
        np.exp(block, out=block)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


def _check_gamma(owner: object, gamma: Any) -> None:
    if not _is_number(gamma) or gamma < 0:
        raise bad(owner, "gamma", "a number of at least 0", gamma, "Give 1 / (columns * variance) to begin with.")


def _check_coef0(owner: object, coef0: Any) -> None:
    if not _is_number(coef0):
        raise bad(owner, "coef0", "a number", coef0, "Give 0 or 1.")
