"""Kernels of sparse rows: from their products and lengths, without filling them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.spaces.kernels import Kernel, ProductKernel, RbfKernel


@dataclass(frozen=True)
class SparseKernel(Kernel):
    """A kernel of products or of distances over sparse rows (CSR).

    >>> from scipy.sparse import csr_array
    >>> SparseKernel(RbfKernel(0.5)).between(csr_array([[0.0, 1.0], [0.0, 2.0]])).round(6)
    array([[1.      , 0.606531],
           [0.606531, 1.      ]])
    """

    base: Kernel

    @staticmethod
    def takes(kernel: Any) -> bool:
        """Whether a kernel is a function of products and lengths alone."""
        return isinstance(kernel, (ProductKernel, RbfKernel))

    def between(self, X: Any, Z: Any = None) -> Array:
        """k of each row of X and each of Z (n, m); 1 exactly for a row and itself."""
        other = X if Z is None else Z
        products = (X @ other.T).toarray()
        if isinstance(self.base, ProductKernel):
            return self.base.of_products(products)
        assert isinstance(self.base, RbfKernel)
        products *= 2.0
        products -= squares(X)[:, None]
        products -= squares(other)
        products *= self.base.gamma
        np.minimum(products, 0.0, out=products)
        np.exp(products, out=products)
        if Z is None:
            np.fill_diagonal(products, 1.0)
        return np.asarray(products)

    def diagonal(self, X: Any) -> Array:
        """k of each row and itself (n,)."""
        lengths = squares(X)
        return self.base.of_products(lengths) if isinstance(self.base, ProductKernel) else np.ones(len(lengths))


def squares(X: Any) -> Array:
    """norm(x)^2 of each sparse row (n,)."""
    return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
