"""Rows for the tests of mixtures."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.learner import Always, learn
from suffice.core.shares import Shares
from suffice.families.normals.covariance_priors import VarianceRidge
from suffice.families.product import Group, Product
from suffice.mixtures.assignment import Soft
from suffice.mixtures.known_shares import KnownShares
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import Grid

Array = Any


def blobs(n: int, d: int, K: int, seed: int = 0, far: float = 4.0) -> Array:
    """Rows of K correlated normals, shuffled."""
    rng = np.random.default_rng(seed)
    rows = [
        far * rng.normal(size=d) + rng.normal(size=(n // K, d)) @ (np.eye(d) + 0.4 * rng.normal(size=(d, d)))
        for _ in range(K)
    ]
    return rng.permutation(np.concatenate(rows))


def source(X: Array, w: Array | None = None, threads: int = 1) -> MemorySource:
    """An array as a source."""
    table = Grid(X)
    return MemorySource(table, table.infer(), w=w, threads=threads)


def learner(family: Any, assign: Any = None, alpha: float = 0.0) -> Mixture:
    """A mixture of one family over all columns."""
    return Mixture(Product((Group(0, family),)), assign or Soft(), alpha)


def begin(mixture: Mixture, X: Array, share: Array, w: Array | None = None) -> MixtureModel:
    """The model of known shares (n, K)."""
    weighted = share if w is None else share * w[:, None]
    return begin_from(mixture, source(X, w), weighted)


def begin_from(mixture: Mixture, rows: MemorySource, weighted: Array) -> MixtureModel:
    """The model of known shares (n, K), weights included."""
    return mixture.begin(learn(Always(KnownShares(mixture, Shares.soft(weighted))), rows).summary)


def random_shares(n: int, K: int, seed: int = 0) -> Array:
    """Random shares (n, K)."""
    share = np.random.default_rng(seed).random((n, K))
    return share / share.sum(axis=1, keepdims=True)


RIDGE = VarianceRidge(1e-6)
