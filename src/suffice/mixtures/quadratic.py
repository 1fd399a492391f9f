"""A pass over complete rows under full normals, by two matrix products a block.

The log density of a normal is linear in the columns and their products, and these are also all that is summed:

    log tau_k p(x | k) = theta_k . f(t),    sums_k = sum_i r_ik f(t_i),    f(t) = (1, t_j, t_i t_j),  t = x - c

so that a block costs one product with theta and one with the shares, and nothing of size n K d is ever held. Where the
products would cost digits (a component that is narrow beside its distance from the centre c), a component is evaluated
and summed about its own mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.pairs import Pair, exact
from suffice.core.tally import Tally
from suffice.families.full_normal import FullNormal
from suffice.families.joint_normals import JointNormals
from suffice.families.product import Product
from suffice.mixtures.assignment import Assignment
from suffice.mixtures.heights import heights
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments

ROWS = 16_384  # rows between two additions of pairs
FEW = 2_048  # rows whose products are held at a time
LARGE = 2.0**20  # terms of a log density up to this size cancel with an error below 1e-10, as a rule of 1e-12
FAR = 2.0**-10  # a scatter that is a smaller share of the sum of squares would have lost more than ten bits

Sums = tuple[Tally, FullMoments, Moments]


def serves(product: Product, parts: Sequence[Any]) -> bool:
    """Whether all columns are one full or tied normal and no cell is missing."""
    (group, *others) = product.groups
    if others or len(parts) > 1 or group.columns is not None or not isinstance(group.family, FullNormal):
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        return bool(np.isfinite(parts[0].sum()))  # sums that overflow go the safe way too


def quadratic_pass(block: Block, normals: JointNormals, log_weights: Array, assign: Assignment) -> Sums:
    """Weights, moments and heights of a block."""
    work = _Pass(normals, log_weights, assign)
    X, w = block.parts[0], block.w
    cuts = [slice(a, a + ROWS) for a in range(0, max(len(X), 1), ROWS)]
    tallies, moments, seen = zip(*(work.chunk(X[cut], None if w is None else w[cut]) for cut in cuts), strict=True)
    return Tally.sum(tallies), FullMoments.sum(moments), Moments.sum(seen)


class _Pass:
    """What is the same for all blocks of a pass."""

    def __init__(self, normals: JointNormals, log_weights: Array, assign: Assignment) -> None:
        self.normals, self.log_weights, self.assign = normals, log_weights, assign
        self.whitened = normals.whitenings(np.ones(normals.covariance.shape[1], dtype=bool))
        one, weights = normals.mean.high[0], np.exp(log_weights)
        self.centre = one + weights @ (normals.mean.high - one)  # a constant column is exactly its own centre
        self.theta = self._natural()
        self.narrow = self._narrow()

    def chunk(self, X: Array, w: Array | None) -> Sums:
        """Some rows: small blocks of products, which stay in the cache; pairs at the end."""
        n, K, d = len(X), self.normals.K, X.shape[1]
        share, high = np.empty((K, n)), np.empty(n)
        sums, products = np.zeros((self.theta.shape[1], K)), np.empty((self.theta.shape[1], min(FEW, n)))
        for a in range(0, n, FEW):
            some = slice(a, min(a + FEW, n))
            f = _products(X[some].T, self.centre, products)
            joint = self.theta @ f
            for k in self.narrow:
                joint[k] = self._logs(X[some], k)
            R, high[some] = self.assign.divide(joint.T, self.log_weights, None if w is None else w[some])
            share[:, some] = R.dense().T
            sums += f @ share[:, some].T
        rows, weight = (share != 0.0).sum(axis=1), exact(sums[0])
        first, second = exact(np.ascontiguousarray(sums[1 : 1 + d].T)), exact(_square(sums[1 + d :].T, d))
        moments = self._about_own_means(FullMoments(self.centre, rows, weight, first, second), X, share)
        return Tally(rows, weight), moments, heights(high, w)

    def _natural(self) -> Array:
        """theta (K, 1 + d + d (d + 1) / 2), about the centre."""
        d, K = len(self.centre), self.normals.K
        i, j = np.triu_indices(d)
        gap = (self.normals.mean - exact(np.broadcast_to(self.centre, (K, d)))).value
        theta = np.empty((K, 1 + d + len(i)))
        for k in range(K):
            mine = self.whitened[k % len(self.whitened)]
            W = np.zeros((len(mine.W), d))
            W[:, mine.columns] = mine.W
            z = W @ gap[k]
            theta[k, 0] = (
                (self.log_weights[k] if self.log_weights[k] > -np.inf else 0.0) + mine.height.sum() - 0.5 * (z @ z)
            )
            theta[k, 1 : 1 + d] = W.T @ z
            theta[k, 1 + d :] = np.where(i == j, -0.5, -1.0) * (W.T @ W)[i, j]
        return theta

    def _narrow(self) -> Array:
        """Components whose log densities, where they matter, are small sums of large terms."""
        sd = np.sqrt(np.diagonal(self.normals.covariance, axis1=1, axis2=2))
        reach = np.abs(self.normals.mean.high - self.centre) + 6.0 * sd
        terms = _products(reach.T, np.zeros(reach.shape[1]), np.empty((self.theta.shape[1], len(reach))))
        size = np.einsum("ks,sk->k", np.abs(self.theta[:, 1:]), terms[1:])
        return np.flatnonzero(~(size <= LARGE) | np.isneginf(self.log_weights))  # one without weight has no theta

    def _logs(self, X: Array, k: int) -> Array:
        """log tau_k p(x | k) about the mean of the component."""
        mine, mean = self.whitened[k % len(self.whitened)], self.normals.mean
        x = X if len(mine.columns) == X.shape[1] else X[:, mine.columns]
        z = (x.T - mean.high[k, mine.columns, None]) - mean.low[k, mine.columns, None]
        z = mine.W @ z
        return np.asarray(self.log_weights[k] + mine.height.sum() - 0.5 * np.square(z, out=z).sum(axis=0))

    def _about_own_means(self, moments: FullMoments, X: Array, share: Array) -> FullMoments:
        """The same sums, with those of components far from the centre made anew about their own means."""
        squares = np.diagonal(moments.second.high, axis1=1, axis2=2)
        mean = np.divide(
            moments.first.high,
            moments.weight.high[:, None],
            where=moments.rows[:, None] > 0,
            out=np.zeros_like(squares),
        )
        far = (squares - moments.first.high * mean < FAR * squares).any(axis=1) & (moments.rows > 0)
        for k in np.flatnonzero(far):
            own = self.centre + mean[k]
            z = X - own
            first = share[k] @ z
            z *= np.sqrt(share[k])[:, None]
            alone = FullMoments(
                own,
                moments.rows[[k]],
                Pair(*(half[[k]] for half in moments.weight)),
                exact(first[None]),
                exact((z.T @ z)[None]),
            )
            back = alone.about(self.centre)
            for mine, theirs in zip((*moments.first, *moments.second), (*back.first, *back.second), strict=True):
                mine[k] = theirs[0]
        return moments


def _products(x: Array, centre: Array, out: Array) -> Array:
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
