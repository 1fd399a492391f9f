"""NMF: non-negative matrix factorisation, for scikit-learn's users.

X ~ W H,     W, H >= 0,     least squares by coordinates, or any beta divergence by multiplicative steps
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.fitted import Found
from suffice.numerics.sparse_product import SparseProduct
from suffice.numerics.threads import processors
from suffice.projections.factors.beta_divergence import NAMED, beta_of, check_loss, divergence, multiplied
from suffice.projections.factors.nonnegative_model import (
    NonnegativeModel,
    NonnegativePlan,
    NonnegativeReadings,
    coordinate_step,
)
from suffice.projections.factors.nonnegative_start import start
from suffice.sources.engines.memory import MemorySource


class NMF(NonnegativeReadings, MemoryTransformer):
    """Rows as sums of few non-negative parts, in memory.

    Parameters
    ----------
    n_components : number of parts; None or "auto" takes one a column, or as many as `H` has
    init : None, "random", "nndsvd", "nndsvda", "nndsvdar", or "custom" with W and H given to `fit_transform`
    solver : "cd", coordinate by coordinate (squared error); "mu", multiplicative steps (any beta loss)
    beta_loss : "frobenius", "kullback-leibler", "itakura-saito", or a power
    tol, max_iter, random_state, shuffle : of the iterations
    alpha_W, alpha_H, l1_ratio : penalties of both factors, and how much of them is of absolute values
    verbose : taken for the sake of scikit-learn's interface

    Attributes
    ----------
    components_, n_components_, reconstruction_err_, n_iter_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import NMF
    >>> X = np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 2.0])
    >>> model = NMF(1).fit(X)
    >>> model.inverse_transform(model.transform(X)).round(3).tolist()
    [[1.0, 0.0, 2.0], [2.0, 0.0, 4.0], [3.0, 0.0, 6.0]]

    References
    ----------
    A. Cichocki, A.-H. Phan, Fast local algorithms for large scale nonnegative matrix factorizations (2009).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None, StrOptions({"auto"})],
        "init": [StrOptions({"random", "nndsvd", "nndsvda", "nndsvdar", "custom"}), None],
        "solver": [StrOptions({"mu", "cd"})],
        "beta_loss": [StrOptions(set(NAMED)), Real],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "alpha_W": [Interval(Real, 0, None, closed="left")],
        "alpha_H": [Interval(Real, 0, None, closed="left"), StrOptions({"same"})],
        "l1_ratio": [Interval(Real, 0, 1, closed="both")],
        "verbose": ["verbose"],
        "shuffle": ["boolean"],
    }
    _not_saved = ("random_state",)
    _door = DistanceRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        init: str | None = None,
        solver: str = "cd",
        beta_loss: Any = "frobenius",
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: Any = None,
        alpha_W: float = 0.0,
        alpha_H: Any = "same",
        l1_ratio: float = 0.0,
        verbose: int = 0,
        shuffle: bool = False,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle

    def fit(self, X: Any, y: Any = None, W: Any = None, H: Any = None, *, in_memory: bool = False) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers of at least 0; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : not used
        W, H : where to begin, with init="custom"
        in_memory : whether the rows of files may be read whole
        """
        self._factorize(X, W, H, in_memory)
        return self

    def fit_transform(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Array:
        """Learn from these rows, and their shares of the parts (n, k).

        Parameters
        ----------
        X, y : as for `fit`
        W, H : where to begin, with init="custom"
        """
        found = self._factorize(X, W, H, False)
        return np.asarray(found.astype(np.float32) if self._origin.cell_type == "<f4" else found)

    def _factorize(self, X: Any, W: Any, H: Any, in_memory: bool) -> Array:
        """Learn both factors, of which the model keeps one."""
        self.__dict__["_begun"] = (W, H)
        try:
            self._fit(X, None, None, None, in_memory)
            found: Array = self.__dict__["_shares"]
        finally:
            self.__dict__.pop("_begun", None)
            self.__dict__.pop("_shares", None)
        return found

    @property
    def components_(self) -> Array:
        """Parts, one a row (k, d)."""
        H = self._state()[0].model.H
        return np.asarray(H.astype(np.float32) if self._origin.cell_type == "<f4" else H)

    def _plan(self) -> NonnegativePlan:
        if self.solver == "cd" and beta_of(self.beta_loss) != 2.0:
            told = f"Invalid beta_loss parameter: solver {self.solver!r} does not handle beta_loss = {self.beta_loss!r}"
            raise bad(self._owner, "beta_loss", f"frobenius ({told})", self.beta_loss, 'Use solver="mu".')
        if self.solver == "mu" and self.init == "nndsvd":
            told = "The multiplicative update ('mu') solver cannot update zeros present in the initialization"
            warnings.warn(f"{self._owner}: {told}. Use init='nndsvda'.", UserWarning, stacklevel=6)
        return NonnegativePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Alternate between both factors."""
        X = source.block(slice(0, source.table.n)).parts[0].astype(np.float64)
        beta = beta_of(self.beta_loss)
        self._check_rows(X, beta)
        rng = check_random_state(self.random_state)
        W, H = self._begin_at(X, rng)
        penalties = self._penalties(*X.shape)
        step = self._by_coordinates if self.solver == "cd" else self._by_factors
        W, H, steps = step(X, W, H, penalties, rng)
        if steps == self.max_iter and self.tol > 0:
            told = f"Maximum number of iterations {self.max_iter} reached."
            warnings.warn(
                f"{self._owner}: {told} Increase it to improve convergence.", ConvergenceWarning, stacklevel=6
            )
        self.__dict__["_shares"] = W
        error = float(np.sqrt(max(2.0 * divergence(X, W, H, beta), 0.0)))
        (l1, l2), cd = penalties[0], self.solver == "cd"
        model = NonnegativeModel(H, error, steps, beta, cd, l1, l2, int(self.max_iter), float(self.tol))
        return Found(model, steps, steps < self.max_iter)

    def _check_rows(self, X: Any, beta: float) -> None:
        cells = X.data if hasattr(X, "tocsr") else X
        if (cells < 0).any():
            rule = "at least 0 (Negative values in data passed to NMF (input X))"
            raise bad(self._owner, "X", rule, Said(f"{cells.min():g}"), "Shift the columns, or use PCA.")
        check_loss(self._owner, X, beta)

    def _begin_at(self, X: Any, rng: Any) -> tuple[Array, Array]:
        """Where the iterations begin."""
        W, H = self.__dict__.get("_begun", (None, None))
        asked = self.n_components
        k = X.shape[1] if asked in (None, "auto") else int(asked)
        if self.init != "custom":
            if W is not None or H is not None:
                told = "When init!='custom', provided W or H are ignored. Set init='custom' to use them."
                warnings.warn(f"{self._owner}: {told}", RuntimeWarning, stacklevel=8)
            return start(self._owner, X, k, self.init, rng)
        if asked == "auto" and H is not None:
            k = len(H)
        shapes = {"W": (W, (X.shape[0], k)), "H": (H, (k, X.shape[1]))}
        for name, (given, shape) in shapes.items():
            if given is None or np.shape(given) != shape:
                told = f"Array with wrong shape passed to NMF (input {name})"
                rule = f"an array of shape {shape} with init='custom' ({told})"
                raise bad(self._owner, name, rule, Said(f"shape {np.shape(given)}"), "Give both, or another init.")
            if (np.asarray(given) < 0).any() or not np.max(given) > 0:
                rule = f"at least 0 and not all 0 (Negative values in data passed to NMF (input {name}))"
                raise bad(self._owner, name, rule, Said("another"), "Begin elsewhere.")
        return np.array(W, dtype=np.float64), np.array(H, dtype=np.float64)

    def _penalties(self, n: int, d: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Those of absolute values and of squares, of W and of H."""
        alpha_H = self.alpha_W if self.alpha_H == "same" else self.alpha_H
        r = self.l1_ratio
        return (d * self.alpha_W * r, d * self.alpha_W * (1 - r)), (n * alpha_H * r, n * alpha_H * (1 - r))

    def _by_coordinates(self, X: Any, W: Array, H: Array, penalties: Any, rng: Any) -> tuple[Array, Array, int]:
        (l1w, l2w), (l1h, l2h) = penalties
        V, first, k = np.ascontiguousarray(H.T), 0.0, W.shape[1]
        rows, columns = X, X.T
        if hasattr(X, "tocsr"):
            rows, columns = (SparseProduct(some.tocsr(), processors()) for some in (X, X.T))
        for step in range(1, self.max_iter + 1):
            orders = [rng.permutation(k) if self.shuffle else range(k) for _ in range(2)]
            off = coordinate_step(W, V.T @ V + l2w * np.eye(k), _less(rows @ V, l1w), orders[0]).sum()
            off += coordinate_step(V, W.T @ W + l2h * np.eye(k), _less(columns @ W, l1h), orders[1]).sum()
            first = off if step == 1 else first
            if first == 0.0 or off / first <= self.tol:
                break
        return W, V.T.copy(), step

    def _by_factors(self, X: Any, W: Array, H: Array, penalties: Any, rng: Any) -> tuple[Array, Array, int]:
        beta, (w, h) = beta_of(self.beta_loss), penalties
        if beta not in (1.0, 2.0) and hasattr(X, "tocsr"):
            X = X.toarray()
        turned = X.T.tocsr() if hasattr(X, "tocsr") else X.T
        first = last = np.sqrt(2.0 * max(divergence(X, W, H, beta), 0.0))
        for step in range(1, self.max_iter + 1):
            W = multiplied(X, W, H, beta, *w)
            H = multiplied(turned, H.T, W.T, beta, *h).T
            if beta <= 1.0:  # what vanishes would never come back, and costs time as a subnormal number
                H = np.where(np.finfo(float).eps > H, 0.0, H)
            if beta < 1.0:
                W = np.where(np.finfo(float).eps > W, 0.0, W)
            if self.tol > 0 and step % 10 == 0:
                now = np.sqrt(2.0 * max(divergence(X, W, H, beta), 0.0))
                if (last - now) / max(first, np.finfo(float).tiny) < self.tol:
                    break
                last = now
        return W, np.ascontiguousarray(H), step

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _less(products: Any, l1: float) -> Array:
    """New products less a penalty, in place: another array of their size takes as long to get as they to make."""
    found = np.asarray(products)
    if l1:
        found -= l1
    return found
