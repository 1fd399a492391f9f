"""A pass over complete rows under normals, by two matrix products a block.

The log density of a normal is linear in the columns and their products, and these are also all that is summed:

    log tau_k p(x | k) = theta_k . f(t),      sums_k = sum_i r_ik f(t_i),      t = x - c

with f(t) = (1, t_j, t_i t_j) for columns that vary together and (1, t_j, t_j^2) for those that do not. A block costs
one product with theta and one with the shares, and nothing of size n K d is ever held. Where that would cost digits (a
component that is narrow beside its distance from the centre c), it is evaluated and summed about its own mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.double_double import exact
from suffice.core.summary import Summary
from suffice.core.tally import Tally
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.normal import Normals
from suffice.families.product import Factors
from suffice.mixtures.assignment import Assignment
from suffice.mixtures.passes.column_form import ColumnForm
from suffice.mixtures.passes.joint_form import JointForm
from suffice.mixtures.passes.log_likelihood_sum import heights
from suffice.summaries.moments import Moments

ROWS = 16_384  # rows between two additions of pairs
FEW = 2_048  # rows whose products are held at a time


class Form(Protocol):
    """How the log densities of a kind of normals are linear, and what their sums say."""

    theta: Array  # (K, s), the weights of the components included
    narrow: Array  # components for which theta has too few digits

    def fill(self, X: Array, out: Array) -> Array:
        """f of rows (n, d), side by side (s, n), into an array that is large enough."""

    def logs(self, X: Array, k: int) -> Array:
        """log tau_k p(x | k) about the mean of the component."""

    def summary(self, rows: Array, sums: Array, X: Array, share: Array) -> Summary:
        """What the family keeps, from sums (K, s); about their own means where components are far from the centre."""


FORMS: dict[type[Any], Callable[[Any, Array], Form]] = {JointNormals: JointForm, Normals: ColumnForm}


def sole_normals(factors: Factors, parts: Sequence[Any]) -> Any | None:
    """The normals of all columns, if they are one kind and no cell is missing."""
    (group, *others), (distribution, *_) = factors.groups, factors.distributions
    one = not others and len(parts) == 1 and group.columns is None and type(distribution) in FORMS
    return distribution if one and _complete(parts[0]) else None


def _complete(X: Array) -> bool:
    """Whether every cell is there; sums that overflow go the safe way too."""
    with np.errstate(invalid="ignore", over="ignore"):
        return bool(np.isfinite(X.sum()))


def product_pass(block: Block, normals: Any, log_weights: Array, assign: Assignment) -> tuple[Tally, Summary, Moments]:
    """Weights, moments and heights of a block."""
    X, w, form = block.parts[0], block.w, FORMS[type(normals)](normals, log_weights)
    cuts = [slice(a, a + ROWS) for a in range(0, max(len(X), 1), ROWS)]
    found = [_chunk(X[cut], None if w is None else w[cut], form, log_weights, assign) for cut in cuts]
    tallies, kept, seen = zip(*found, strict=True)
    return Tally.sum(tallies), type(kept[0]).sum(kept), Moments.sum(seen)


def _chunk(
    X: Array, w: Array | None, form: Form, log_weights: Array, assign: Assignment
) -> tuple[Tally, Summary, Moments]:
    """Some rows: small blocks of products, which stay in the cache; pairs at the end."""
    n, (K, s) = len(X), form.theta.shape
    share, high, sums, products = np.empty((K, n)), np.empty(n), np.zeros((s, K)), np.empty((s, min(FEW, n)))
    for a in range(0, n, FEW):
        some = slice(a, min(a + FEW, n))
        f = form.fill(X[some], products)
        joint = form.theta @ f
        for k in form.narrow:
            joint[k] = form.logs(X[some], k)
        R, high[some] = assign.divide(joint.T, log_weights, None if w is None else w[some])
        share[:, some] = R.dense().T
        sums += f @ share[:, some].T
    rows = (share != 0.0).sum(axis=1)
    return Tally(rows, exact(sums[0])), form.summary(rows, sums.T, X, share), heights(high, w)
