"""Axes of tables with more columns than can be multiplied in pairs: the rows themselves are decomposed, in memory.

Randomised: the axes of Y = (Z Z')^q Z G, with G random and Z all the rows, not a sample of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.linalg import LinearOperator, svds

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.core.errors import Said, bad
from suffice.projections.components.component_counts import count_components
from suffice.projections.components.principal_axes import turned
from suffice.projections.components.principal_model import PrincipalModel
from suffice.summaries.wide_moments import NARROW

EXACT: Mapping[str, Any] = MappingProxyType({"tol": 0.0, "random_state": 0})


@contextmanager
def in_batches(estimator: Any) -> Iterator[None]:
    """While rows come in batches: those of wide tables are kept, so that later ones add."""
    vars(estimator)["_in_batches"] = True
    try:
        yield
    finally:
        vars(estimator).pop("_in_batches", None)


class WideOptions(NamedTuple):
    """How rows are decomposed, and what is made of their axes."""

    components: Any  # a number, a share, the name of a rule, or None
    whiten: bool
    name: str
    solver: str = (
        "exact"  # "auto", "full", "arpack", "randomized"; "exact": full, or arpack of some axes of sparse rows
    )
    given: Mapping[str, Any] = EXACT  # of arpack and randomized


def axes_of_rows(owner: str, X: Any, w: Array | None, wish: WideOptions) -> PrincipalModel:
    """Principal axes of complete rows, an array or sparse, from the rows themselves."""
    X, root, n = weighted_rows(owner, X, w)
    sparse = hasattr(X, "tocsr")
    mean = np.asarray((root**2) @ X, dtype=np.float64).ravel() / n
    Z, (rows, d) = centred_operator(X, root, mean), X.shape
    most, k = min(rows, d), wish.components
    solver, count = _solver(wish, sparse, most)
    if solver == "full" and sparse:
        Z = centred_operator(X.toarray(), root, mean)
    values, axes = svd_of(Z, count, solver, wish.given)
    squares = (X.multiply(X).T @ root**2 - n * mean**2) if sparse else (Z**2).sum(axis=0)
    total, spectrum = float(squares.sum()) / max(n - 1.0, 1.0), values**2 / max(n - 1.0, 1.0)
    if solver == "full":
        count = count_components(owner, k, spectrum, n, d)
    left = max(total - float(spectrum[:count].sum()), 0.0) / (most - count) if count < most else 0.0
    mine = spectrum[:count]
    return PrincipalModel(exact(mean), turned(axes[:count]), mine, total, left, n, wish.whiten, wish.name, spectrum)


def _solver(wish: WideOptions, sparse: bool, most: int) -> tuple[str, int]:
    """How a wide table is decomposed, and into how many axes."""
    k, solver = wish.components, wish.solver
    some = isinstance(k, Integral) and 1 <= int(k) < 0.8 * most
    if solver in ("exact", "auto"):  # shares and rules are read from all axes
        iterative = "arpack" if sparse else "randomized" if solver == "auto" else "full"
        solver = iterative if some else "full"
    if solver == "full":
        return solver, most
    return solver, int(k) if isinstance(k, Integral) else most - (solver == "arpack")


def weighted_rows(owner: str, X: Any, w: Array | None) -> tuple[Any, Array, float]:
    """Rows times the roots of their weights (sparse where they are), those roots, and the weight of all."""
    cells = X.data if hasattr(X, "tocsr") else X
    if not np.isfinite(cells).all():
        rule = f"complete where columns are more than {NARROW} and rows fewer than two a column"
        raise bad(owner, "X", rule, Said("missing cells"), "Fill them, or leave columns out.")
    root = np.ones(X.shape[0]) if w is None else np.sqrt(w)
    return X, root, float((root**2).sum())


def svd_of(Z: Any, k: int, solver: str, given: Mapping[str, Any]) -> tuple[Array, Array]:
    """Singular values and axes (k, d) of centred rows, or of an operator that acts as such.

    Parameters
    ----------
    Z : (n, d)
    k : how many
    solver : "full", "arpack" or "randomized"
    given : tol, n_iter, n_oversamples, power_iteration_normalizer, random_state
    """
    from sklearn.utils import check_random_state  # here, as files of models are read without scikit-learn
    from sklearn.utils.extmath import randomized_svd

    rng = check_random_state(given["random_state"])
    if solver == "randomized":
        _, values, axes = randomized_svd(
            Z,
            k,
            n_oversamples=given["n_oversamples"],
            n_iter=given["n_iter"],
            power_iteration_normalizer=given["power_iteration_normalizer"],
            flip_sign=False,
            random_state=rng,
        )
        return values, axes
    if solver == "arpack":
        start = rng.uniform(-1, 1, size=min(Z.shape))
        _, values, axes = svds(Z, k=k, tol=given["tol"], v0=start)
        return values[::-1].copy(), axes[::-1].copy()
    _, values, axes = np.linalg.svd(Z, full_matrices=False)
    return values[:k], axes[:k]


def centred_operator(X: Any, root: Array, mean: Array) -> Any:
    """sqrt(w) (X - mean) as an operator where X is sparse, else as an array."""
    if not hasattr(X, "tocsr"):
        return (np.asarray(X, dtype=np.float64) - mean) * root[:, None]
    S = X.astype(np.float64).multiply(root[:, None]).tocsr()
    return LinearOperator(
        shape=S.shape,
        dtype=np.float64,
        matvec=lambda v: S @ v - root * (mean @ v),
        rmatvec=lambda v: S.T @ v - mean * (root @ v),
        matmat=lambda V: S @ V - np.outer(root, mean @ V),
        rmatmat=lambda V: S.T @ V - np.outer(mean, root @ V),
    )
