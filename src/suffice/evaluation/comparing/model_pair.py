"""ModelPair: two models on the same splits: how far apart, whether by chance, and which rows tell them apart."""

from __future__ import annotations

from typing import NamedTuple

from suffice.evaluation.comparing.paired_errors import PairedErrors
from suffice.evaluation.comparing.paired_tests import PairedT
from suffice.evaluation.scores.estimate import LEVEL


class ModelPair(NamedTuple):
    """Two models that were tested on the same rows."""

    first: str  # the better one
    second: str
    test: PairedT | None  # of first - second over the splits; None where a score is infinite
    p: float  # adjusted for all pairs that were compared; NaN without a test
    errors: PairedErrors | None  # which answered rightly how often; None for numbers

    @property
    def tied(self) -> bool:
        """Whether the difference may be chance."""
        return not self.p <= 1.0 - LEVEL

    def __str__(self) -> str:
        """Who is better, by how much, and whether that may be chance."""
        if self.test is None:
            return f"{self.first} and {self.second}: no test, as a score is infinite"
        low, high = self.test.interval()
        told = "a tie" if self.tied else "a difference"
        apart = f"{self.test.difference:.4g} ({low:.4g} to {high:.4g})"
        return f"{self.first} - {self.second}: {apart}, {told}, p = {self.p:.4f}"
