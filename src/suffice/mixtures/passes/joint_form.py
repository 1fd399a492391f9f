"""Normals whose columns vary together, as linear functions of all products of columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.families.normals.joint_normals import JointNormals
from suffice.mixtures.passes.enough_digits import LARGE, centre_of, finite, mean_of
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.power_sums import middle
from suffice.summaries.shifted_sums import keeps_digits


class JointForm:
    """theta_k . (1, t_j, t_i t_j with i <= j), for a covariance in each component or one for all."""

    def __init__(self, normals: JointNormals, log_weights: Array) -> None:
        """Find theta, about the mean of the means."""
        self.normals, self.log_weights = normals, log_weights
        self.whitened = normals.whitenings(np.ones(normals.covariance.shape[1], dtype=bool))
        self.centre = centre_of(normals.mean, log_weights)
        self.theta = self._natural()
        self.narrow = self._narrow()

    def fill(self, X: Array, out: Array) -> Array:
        """1, columns about the centre, and their products."""
        return products(X.T, self.centre, out)

    def logs(self, X: Array, k: int) -> Array:
        """By whitened columns."""
        mine, mean = self.whitened[k % len(self.whitened)], self.normals.mean
        x = X if len(mine.columns) == X.shape[1] else X[:, mine.columns]
        z = (x.T - mean.high[k, mine.columns, None]) - mean.low[k, mine.columns, None]
        z = mine.W @ z
        return np.asarray(self.log_weights[k] + mine.height.sum() - 0.5 * np.square(z, out=z).sum(axis=0))

    def summary(self, rows: Array, sums: Array, X: Array, share: Array) -> FullMoments:
        """Full moments about the centre."""
        d = len(self.centre)
        first, second = np.ascontiguousarray(sums[:, 1 : 1 + d]), _square(sums[:, 1 + d :], d)
        moments = FullMoments(self.centre, rows, exact(sums[:, 0].copy()), exact(first), exact(second))
        squares = np.diagonal(second, axis1=1, axis2=2)
        far = ~keeps_digits(sums[:, :1], first, squares) & (rows > 0)[:, None]
        return self._with_far(moments, far, X, share) if far.any() else moments

    def _with_far(self, moments: FullMoments, far: Array, X: Array, share: Array) -> FullMoments:
        """Components with far columns are summed about their own means, and moved as pairs to a shift near them."""
        moments = moments.about(np.where(far.any(axis=0), middle(X), self.centre))
        noise = moments.noise.copy()
        for k in np.flatnonzero(far.any(axis=1)):
            r, own = share[k], mean_of(X, share[k])
            z = X - own
            first = r @ z
            z *= np.sqrt(r)[:, None]
            sums = Pair(*(half[[k]] for half in moments.weight)), exact(first[None]), exact((z.T @ z)[None])
            back = FullMoments(own, moments.rows[[k]], *sums).about(moments.shift)
            for mine, theirs in zip((*moments.first, *moments.second), (*back.first, *back.second), strict=True):
                mine[k] = theirs[0]
            noise[k] = back.noise[0]  # of the new sums alone
        return replace(moments, noise=noise)

    def _natural(self) -> Array:
        d, K = len(self.centre), self.normals.K
        i, j = np.triu_indices(d)
        gap = (self.normals.mean - exact(np.broadcast_to(self.centre, (K, d)))).value
        theta = np.empty((K, 1 + d + len(i)))
        for k in range(K):
            mine = self.whitened[k % len(self.whitened)]
            W = np.zeros((len(mine.W), d))
            W[:, mine.columns] = mine.W
            z = W @ gap[k]
            theta[k, 0] = finite(self.log_weights)[k] + mine.height.sum() - 0.5 * (z @ z)
            theta[k, 1 : 1 + d] = W.T @ z
            theta[k, 1 + d :] = np.where(i == j, -0.5, -1.0) * (W.T @ W)[i, j]
        return theta

    def _narrow(self) -> Array:
        sd = np.sqrt(np.diagonal(self.normals.covariance, axis1=1, axis2=2))
        reach = np.abs(self.normals.mean.high - self.centre) + 6.0 * sd
        terms = products(reach.T, np.zeros(reach.shape[1]), np.empty((self.theta.shape[1], len(reach))))
        size = np.einsum("ks,sk->k", np.abs(self.theta[:, 1:]), terms[1:])
        return np.flatnonzero(~(size <= LARGE) | np.isneginf(self.log_weights))


def products(x: Array, centre: Array, out: Array) -> Array:
    """1, columns about the centre, and their products (1 + d + d (d + 1) / 2, n) of rows side by side (d, n)."""
    d, n = x.shape
    f = out[:, :n]
    t = f[1 : 1 + d]
    f[0] = 1.0
    np.subtract(x, centre[:, None], out=t)
    at = 1 + d
    for j in range(d):
        np.multiply(t[j], t[j:], out=f[at : at + d - j])
        at += d - j
    return f


def _square(upper: Array, d: int) -> Array:
    """Products (K, d (d + 1) / 2) as symmetric matrices (K, d, d)."""
    out = np.empty((len(upper), d, d))
    i, j = np.triu_indices(d)
    out[:, i, j] = upper
    out[:, j, i] = upper
    return out
