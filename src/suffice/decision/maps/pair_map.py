"""PairMap: probabilities of classes from the values of machines that each know two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.decision.maps.coupling import couple
from suffice.decision.maps.logistic_map import LogisticMap
from suffice.decision.maps.score_map import logistic


@saved
@dataclass(frozen=True, eq=False)
class PairMap:
    """A sigmoid a pair, and the shares of the classes that fit all pairs best.

    A value of two classes speaks for the second of them; of more, each speaks for the first of its pair.
    """

    curves: LogisticMap  # of each pair (P,)
    prior: Array  # (K,) class shares that the probabilities assume

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        K = len(self.prior)
        if not isinstance(self.curves, LogisticMap) or self.curves.width != K * (K - 1) // 2:
            raise BadFile(f"its curves are not those of the pairs of {K} classes")

    @classmethod
    def of(cls, pairs: Iterable[tuple[Array, Array, Array | None]], prior: Array) -> PairMap:
        """Learn the curves, by Platt's rule, from the values, sides and weights of the rows of each pair.

        Parameters
        ----------
        pairs : of each pair, values (m,), whether they are of the class that the value speaks for (m,), weights (m,)
        prior : class shares of all rows (K,)
        """
        found = [LogisticMap.of(values, sides.astype(np.int32), w) for values, sides, w in pairs]
        parts = (np.concatenate([getattr(map, name) for map in found]) for name in ("gamma", "d0", "bias"))
        return cls(LogisticMap(*parts), prior)

    def proba(self, values: Array) -> Array:
        """p(class | x) (n, K) from the values of each pair (n, P)."""
        said = np.column_stack([logistic(self.curves.log_odds(values[:, j], j)) for j in range(self.curves.width)])
        return (
            np.column_stack([1.0 - said[:, 0], said[:, 0]]) if len(self.prior) == 2 else couple(said, len(self.prior))
        )
