"""Members that vote with weights, as boosting makes them. They predict on NumPy alone if their members do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.from_proba import FromShares
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class BoostedModel(FromShares):
    """The vote of each member for its class weighs alpha; or, with `real`, members say by how much."""

    helds: tuple[Held, ...]
    alphas: Array  # (T,)
    errors: Array  # (T,)
    classes: tuple[Any, ...]
    shares: Array  # (K,) of the training rows
    real: bool = False
    history: Array | None = None  # (T + 1, n) weights of the rows by round, where they were kept

    def votes(self, block: Block) -> Iterator[Array]:
        """What each member adds to the score of each class (n, K)."""
        X, K = block.parts[0], len(self.classes)
        for held, alpha in zip(self.helds, self.alphas.tolist(), strict=True):
            if self.real:
                yield real_votes(np.asarray(held.live.predict_proba(X)))
            else:
                at = np.asarray(held.live.predict(X)).astype(np.int64)
                yield np.where(at[:, None] == np.arange(K), alpha, -alpha / max(K - 1, 1))

    def staged(self, block: Block) -> Iterator[Array]:
        """Scores (n, K) after each round, divided by the weight of the members so far."""
        total: Any = 0.0
        for t, votes in enumerate(self.votes(block)):
            total = total + votes
            yield total / (t + 1.0 if self.real else max(float(self.alphas[: t + 1].sum()), 1e-300))

    def full(self, block: Block) -> Array:
        """Scores of all members (n, K)."""
        *_, last = self.staged(block)
        return np.asarray(last)

    def proba(self, block: Block) -> Array:
        """exp(score / (K - 1)) of each class, in shares (n, K)."""
        return shares_of_scores(self.full(block))

    def likeliest(self, block: Block) -> Array:
        """The class of the highest score (n,), the first of equals."""
        return np.asarray(self.full(block).argmax(axis=1))

    def holding(self, change: Callable[[Held], Held]) -> BoostedModel:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))


def real_votes(proba: Array) -> Array:
    """(K - 1) (log p_k - mean of log p): what a member with probabilities adds."""
    log_p = np.log(np.clip(proba, np.finfo(np.float64).eps, None))
    return np.asarray((proba.shape[1] - 1) * (log_p - log_p.mean(axis=1, keepdims=True)))


def shares_of_scores(scores: Array) -> Array:
    """Scores (n, K) as probabilities."""
    K = scores.shape[1]
    if K == 1:
        return np.ones_like(scores)
    raised = scores / (K - 1) if K > 2 else scores  # of two classes each score is half of their difference
    raised = raised - raised.max(axis=1, keepdims=True)
    p = np.exp(raised)
    return np.asarray(p / p.sum(axis=1, keepdims=True))
