"""KernelKMeans: k-means in the space of a kernel, which is never built.

norm(phi(x) - m_j)^2 = k(x, x) - 2 / W_j sum_i w_i k(x, x_i) + 1 / W_j^2 sum_ii' w_i w_i' k(x_i, x_i')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.k_means import AT_LEAST_ONE, check_rows
from suffice.clusters.centres.kernel_means import KernelMeans, KernelMeansPlan, KernelReadings, to_means
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_clusterer import MemoryClusterer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel
from suffice.spaces.named_kernels import GAMMAS, KERNELS, read_kernel


def kernel_step(K: Array, labels: Array, w: Array, clusters: int) -> tuple[Array, float]:
    """Rows to the nearest feature-space mean of a partition: new labels, and the scatter before."""
    Z = np.zeros((len(w), clusters))
    Z[np.arange(len(w)), labels] = w
    G, weight = K @ Z, Z.sum(axis=0)
    inner = np.einsum("ij,ij->j", Z, G)
    far = to_means(G, np.diagonal(K), inner, weight)
    scatter = float(w @ np.maximum(far[np.arange(len(w)), labels], 0.0))
    return _kept(far, labels), scatter


def printed_step(K: Array, labels: Array, w: Array, clusters: int) -> tuple[Array, float]:
    """Rows to the cluster of least mean kernel distance: another rule than k-means, and no descent."""
    own = np.diagonal(K)
    apart = np.sqrt(np.maximum(own[:, None] - 2.0 * K + own, 0.0))
    Z = np.zeros((len(w), clusters))
    Z[np.arange(len(w)), labels] = w
    weight = Z.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(weight > 0, apart @ Z / weight, np.inf)
    return _kept(far, labels), float(w @ far[np.arange(len(w)), labels])


def _kept(far: Array, labels: Array) -> Array:
    """The nearest; of equals the cluster a row is in."""
    new = far.argmin(axis=1)
    at = np.arange(len(labels))
    return np.where(far[at, labels] <= far[at, new], labels, new)


RULES: Mapping[str, Callable[[Array, Array, Array, int], tuple[Array, float]]] = {
    "mean": kernel_step,
    "printed": printed_step,
}


class KernelKMeans(KernelReadings, MemoryClusterer):
    """k-means in the space of a kernel, on partitions. In memory: n^2 kernel values.

    Parameters
    ----------
    n_clusters : number of clusters
    kernel, gamma, degree, coef0 : as for `SVC`
    rule : "mean" (distance to the mean in the space of the kernel: k-means) or "printed" (mean kernel distance to the
        members, a rule found in print: another one, whose total may rise)
    init : labels (n,) to begin with; None draws them
    n_init, max_iter, random_state : starts, most sweeps, seed

    Attributes
    ----------
    labels_, inertia_, n_iter_, kernel_, n_features_in_, feature_names_in_

    Notes
    -----
    A cluster that empties out stays empty. `predict` gives a row the nearest mean; with "precomputed", X holds its
    kernel values with all rows of training. A row of weight w counts as w copies. Missing cells are refused.

    Examples
    --------
    >>> from suffice import KernelKMeans
    >>> X = [[8.0], [44.0], [50.0], [58.0], [84.0]]
    >>> model = KernelKMeans(2, kernel="linear", init=[0, 1, 1, 1, 1]).fit(X)
    >>> model.labels_, round(model.inertia_, 6)
    (array([0, 1, 1, 1, 1], dtype=int32), 932.0)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "kernel": [StrOptions(set(KERNELS)), callable, Kernel],
        "gamma": [StrOptions(set(GAMMAS)), Interval(Real, 0.0, None, closed="left")],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "rule": [StrOptions(set(RULES))],
        "init": ["array-like", None],
        "n_init": AT_LEAST_ONE,
        "max_iter": AT_LEAST_ONE,
        "random_state": ["random_state"],
    }
    _door = DistanceRows({"dtype": np.float64})
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state", "init")

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        kernel: Any = "rbf",
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        rule: str = "mean",
        init: Any = None,
        n_init: int = 5,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.rule = rule
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _plan(self) -> KernelMeansPlan:
        return KernelMeansPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Sweeps from each start; of all ends the best."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, np.ones(block.n) if block.w is None else block.w
        check_rows(self._owner, X, block.w, self.n_clusters)
        options = {"degree": self.degree, "gamma": self.gamma, "coef0": self.coef0, "w": block.w}
        kernel = read_kernel(self._owner, self.kernel, X, **options)
        given = isinstance(kernel, GivenKernel)
        if given and X.shape[0] != X.shape[1]:
            rule = "a square of kernel values where kernel='precomputed'"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give k of each row with each row.")
        G = np.asarray(X if given else kernel.between(X), dtype=np.float64)
        best: tuple[float, Array, int, bool] | None = None
        for labels in self._starts(block.n, w):
            run = self._sweeps(G, labels, w)
            best = run if best is None or run[0] < best[0] else best
        assert best is not None
        scatter, labels, steps, settled = best
        Z = np.zeros((block.n, self.n_clusters))
        Z[np.arange(block.n), labels] = w
        inner = np.einsum("ij,ij->j", Z, G @ Z)
        rows = np.arange(block.n) if given else X
        kept = labels.astype(np.int32)
        model = KernelMeans(rows, kernel, kept, w, inner, scatter, steps, settled, self.rule)
        return Found(model, steps, settled)

    def _sweeps(self, G: Array, labels: Array, w: Array) -> tuple[float, Array, int, bool]:
        step, settled, sweeps = RULES[self.rule], False, 0
        while sweeps < self.max_iter:
            sweeps += 1
            new, _ = step(G, labels, w, self.n_clusters)
            if (new == labels).all():
                settled = True
                break
            labels = new
        return kernel_step(G, labels, w, self.n_clusters)[1], labels, sweeps, settled

    def _starts(self, n: int, w: Array) -> list[Array]:
        K = self.n_clusters
        if self.init is None:
            rng = check_random_state(self.random_state)
            return [_drawn(n, K, rng) for _ in range(self.n_init)]
        labels = np.asarray(self.init)
        if labels.shape != (n,) or labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= K:
            rule = f"one label a row ({n}), from 0 to {K - 1}"
            raise bad(self._owner, "init", rule, self.init, "Leave it None.")
        return [labels.astype(np.int64)]


def _drawn(n: int, K: int, rng: Any) -> Array:
    """A random partition in which every cluster has a row."""
    labels = rng.randint(K, size=n)
    labels[rng.permutation(n)[:K]] = np.arange(K)
    return np.asarray(labels)
