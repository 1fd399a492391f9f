"""Linear discriminant analysis of a table with more columns than rows: from products of rows, never of columns.

Rows about the mean of their class, each column in units of its spread within classes, span few directions; the axes of
the classes are sums of such rows. The same rule as from covariances, but these are not kept, so that models do not add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from scipy import linalg

from suffice.bayes.discriminants.discriminant_axes import DiscriminantRule
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.numerics.blas_threads import one_thread_if_small
from suffice.numerics.log_space import log_sum_exp
from suffice.numerics.row_products import row_products
from suffice.sources.tables.grid import FiniteGrid

WIDE = 256  # columns from which products of all pairs of them cost more than all else


@saved
@dataclass(frozen=True)
class WideDiscriminantModel:
    """Linear scores of classes, and the axes they are read from."""

    classes: tuple[Any, ...]
    log_prior: Array  # (K,)
    moments: ByClass  # rows and weights of the classes; nothing of the columns
    means: Array  # (K, d)
    xbar: Array  # (d,)
    rule: DiscriminantRule

    def log_evidence(self, block: Block) -> Array:
        """Scores of the classes (n, K): log p(class, x) but for what the classes of a row share."""
        FiniteGrid(block.parts[0], "LinearDiscriminantAnalysis").refuse()
        level = self.rule.intercept + self.rule.coef @ self.xbar
        return np.asarray((block.parts[0] - self.xbar) @ self.rule.coef.T + level)

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K)."""
        scores = self.log_evidence(block)
        return np.asarray(scores - log_sum_exp(scores, axis=1)[:, None])

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,), the first of equals."""
        return np.asarray(np.exp(self.log_posterior(block)).argmax(axis=1))

    def log_joint(self, block: Block) -> NoReturn:
        """There are no densities."""
        raise refusal(
            NotASummary,
            "LinearDiscriminantAnalysis",
            "densities",
            "of a table with more rows than columns, as they need a covariance of all columns",
            Said(f"one of {len(self.xbar):,} columns"),
            "Use predict_proba, or store_covariance=True.",
        )

    log_density = log_joint


def is_wide(X: Any) -> bool:
    """Whether a table has so many more columns than rows that products of rows are the shorter way."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return len(shape) == 2 and shape[1] >= WIDE and shape[0] < shape[1] and not hasattr(X, "tocsr")


def wide_discriminant(block: Block, prior: Any, tol: float) -> WideDiscriminantModel:
    """The model of rows that weigh something.

    Parameters
    ----------
    block : all rows
    prior : of the class shares
    tol : directions that spread less, as a share of one column, are left out
    """
    assert isinstance(block.y, Coded)
    labels = block.y.labels[0]
    look = ByClass.of(labels, Tally.of(Shares.hard(block.y.codes[:, 0], len(labels), block.w)), Together(()))
    place = {label: k for k, label in enumerate(look.labels)}
    own = np.array([place.get(label, -1) for label in labels])[block.y.codes[:, 0]]
    w = np.ones(block.n) if block.w is None else np.asarray(block.w, dtype=np.float64)
    some, weight = np.flatnonzero((own >= 0) & (w > 0)), look.tally.weight.value
    own, root = own[some], np.sqrt(w[some])
    X = np.asarray(block.parts[0], dtype=np.float64)[some]
    K = len(look.labels)
    member = np.zeros((K, len(some)))
    member[own, np.arange(len(some))] = root**2
    first = X[0].copy()
    X -= first  # far-off columns cost no digits
    with one_thread_if_small(len(X)):
        means = member @ X / weight[:, None]
    shares = prior.estimate(look.labels, weight)
    B = _within(X, means, own, root)
    with one_thread_if_small(len(B)):
        rule, xbar = _rule(B, means, shares, float(weight.sum()), tol)
    with np.errstate(divide="ignore"):
        log_prior = np.log(shares)
    rule = rule._replace(intercept=rule.intercept + log_prior - rule.coef @ first)
    return WideDiscriminantModel(look.labels, log_prior, look, means + first, xbar + first, rule)


def _within(X: Array, means: Array, own: Array, root: Array) -> Array:
    """Rows about the mean of their class, by the roots of their weights; in place."""
    X -= means[own]
    X *= root[:, None]
    return X


def _rule(B: Array, means: Array, shares: Array, free: float, tol: float) -> tuple[DiscriminantRule, Array]:
    """Whiten within classes, then turn to where their means differ, by products of rows."""
    spread = np.einsum("ij,ij->j", B, B)
    sd = np.sqrt(np.where(spread > 0, spread / free, 1.0))
    B /= sd
    squares, U = np.linalg.eigh(row_products(B))
    kept = np.flatnonzero(squares / free > tol * tol)[::-1]
    xbar = shares @ means
    away = (means - xbar) / sd
    whiten = U[:, kept] / squares[kept] * np.sqrt(free)  # B' whiten / sd are the axes
    _, S, Vt = linalg.svd(np.sqrt(shares)[:, None] * ((away @ B.T) @ whiten), full_matrices=False)
    total = np.square(S).sum()
    axes = whiten @ Vt.T[:, : int((tol * S.max(initial=0.0) < S).sum())]
    scalings = (B.T @ axes) / sd[:, None]
    projected = (means - xbar) @ scalings
    coef = projected @ scalings.T
    intercept = -0.5 * np.square(projected).sum(axis=1) - coef @ xbar
    return DiscriminantRule(coef, intercept, scalings, np.square(S) / (total if total > 0 else 1.0)), xbar
