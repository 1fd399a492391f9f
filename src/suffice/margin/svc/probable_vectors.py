"""A support vector machine that was asked for probabilities: values of pairs of classes, and a map of these."""

from __future__ import annotations

from dataclasses import dataclass, field

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.decision.maps.pair_map import PairMap
from suffice.margin.svc.support_vectors import SupportVectors


@saved
@dataclass(frozen=True)
class ProbableVectors(SupportVectors, FromProba):
    """Support vectors, and what their values say of the chances of classes; answers go by votes nevertheless."""

    chances: PairMap = field(kw_only=True)

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        super().__post_init__()
        if not isinstance(self.chances, PairMap) or len(self.chances.prior) != len(self.classes):
            raise BadFile("its probabilities are those of other classes")

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return self.chances.proba(self.values(self._read(block)))

    @property
    def prior(self) -> Array:
        """The class shares that the probabilities assume (K,)."""
        return self.chances.prior
