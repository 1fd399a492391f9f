"""Coefficients that are shown as a sparse matrix where somebody asks for it: methods for readings. No scikit-learn."""

from __future__ import annotations

from typing import Any

from suffice.core.block import Array

FLAG = "_sparse_coef"  # among the attributes of the estimator, gone with the next `fit`


def sparsify(holder: Any) -> Any:
    """Show `coef_` as a sparse matrix, which pays where most coefficients are 0; what is predicted stays the same."""
    holder._state()
    vars(holder)[FLAG] = True
    return holder


def densify(holder: Any) -> Any:
    """Show `coef_` as an array, as after `fit`."""
    holder._state()
    vars(holder).pop(FLAG, None)
    return holder


def as_shown(holder: Any, coef: Array) -> Any:
    """The coefficients as the holder was asked to show them."""
    if not vars(holder).get(FLAG, False):
        return coef
    from scipy.sparse import csr_matrix

    return csr_matrix(coef)
