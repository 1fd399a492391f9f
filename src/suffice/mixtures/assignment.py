"""How rows are divided among components in a pass: by their posterior, or each to its most probable component."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.numerics.log_space import best, normalize

LEAST = 2.0**-100  # a share below this is nobody's: no sum of shares could notice it


class Divided(NamedTuple):
    """Rows divided among components."""

    shares: Shares
    heights: Array  # (n,) what each row adds to the log-likelihood that is climbed


class Assignment(Protocol):
    """Divides rows among components."""

    whole: ClassVar[bool]  # whether a row goes to one component as a whole

    def divide(self, log_joint: Array, log_weights: Array, w: Array | None) -> Divided:
        """By log p(component, x) (n, K); a row that is impossible under every component is shared as their weights."""


@dataclass(frozen=True)
class Soft:
    """Every row by its posterior: expectation-maximisation proper. Heights are log p(x).

    >>> Soft().divide(np.log([[0.3, 0.1]]), np.log([0.5, 0.5]), np.array([2.0])).shares.dense()
    array([[1.5, 0.5]])
    """

    whole: ClassVar[bool] = False

    def divide(self, log_joint: Array, log_weights: Array, w: Array | None) -> Divided:
        """p(component | x) times the weight of the row."""
        top = log_joint.max(axis=1, keepdims=True)
        odd = ~np.isfinite(top[:, 0])
        with np.errstate(invalid="ignore"):
            share = np.exp(log_joint - top)
            total = share.sum(axis=1, keepdims=True)
            share /= total
            heights = (top + np.log(total))[:, 0]
        if odd.any():
            share[odd], heights[odd] = np.exp(normalize(log_joint[odd], log_weights)), top[odd, 0]
        share[share < LEAST] = 0.0
        return Divided(Shares.soft(share if w is None else share * w[:, None]), heights)


@dataclass(frozen=True)
class Hard:
    """Every row to its most probable component, the first of equals. Heights are log p(x, its component).

    What is climbed is the likelihood of rows and components together, not that of the mixture. With round components
    of one width and equal weights this is k-means.

    >>> Hard().divide(np.log([[0.3, 0.1]]), np.log([0.5, 0.5]), np.array([2.0])).shares.dense()
    array([[2., 0.]])
    """

    whole: ClassVar[bool] = True

    def divide(self, log_joint: Array, log_weights: Array, w: Array | None) -> Divided:
        """All of the row's weight."""
        heights = np.asarray(log_joint.max(axis=1))
        joint = log_joint if np.isfinite(heights).all() else normalize(log_joint, log_weights)
        return Divided(Shares.hard(best(joint).astype(np.int32), log_joint.shape[1], w), heights)


ASSIGNMENTS: Mapping[str, Assignment] = {"soft": Soft(), "hard": Hard()}
