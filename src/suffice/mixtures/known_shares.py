"""A pass over rows whose shares are known: where a mixture begins."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.core.block import Block
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.mixtures.learner import Mixture


@dataclass(frozen=True)
class KnownShares:
    """Summarizes rows for `Mixture.begin`.

    Parameters
    ----------
    mixture : the learner
    shares : of all rows, by their numbers, weights included
    """

    mixture: Mixture
    shares: Shares

    def summarize(self, block: Block, model: None = None) -> Together:
        """Rows of a block."""
        return self.mixture.shared(block, self.shares[block.start : block.start + block.n])
