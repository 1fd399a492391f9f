"""Arrays of codes as tables: symbols that are whole numbers already."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.core.block import Array, Coded
from suffice.core.errors import NegativeCounts, refusal
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.sources.tables.grid import same_width
from suffice.sources.tables.parts import Parts

FAR = 2**7  # no negative number of any width is read as a smaller one


@dataclass(frozen=True)
class Codes:
    """An array of whole numbers from 0 that stand for symbols.

    >>> import numpy as np
    >>> Codes(np.array([[0, 2], [1, 0]])).parts(Codes(np.array([[0, 2]])).infer(), slice(None))[0].labels
    (range(0, 3), range(0, 3))
    """

    X: Array
    owner: str = "a model"

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.X)

    def infer(self) -> Schema:
        """All categorical."""
        return Schema.numbered([Kind.CATEGORICAL] * self.X.shape[1])

    def at_once(self, schema: Schema) -> int:
        """All rows: nothing is converted."""
        return max(self.n, 1)

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; the numbers are the codes, and all up to the largest are labels."""
        codes = self.X[rows]
        same_width(codes, schema)
        top = _largest(codes)
        if top >= FAR and (low := int(codes.min())) < 0:
            told = f"Negative values in data passed to {self.owner} (input X)"
            raise refusal(NegativeCounts, self.owner, "codes", f"at least 0 ({told})", low, "Codes count from 0.")
        tops = [top] * codes.shape[1] if top < 256 else codes.max(axis=0).tolist()  # one maximum is faster than many
        return (Coded(codes, tuple(range(top + 1) for top in tops)),)


def _largest(codes: Array) -> int:
    """The largest code. Read as unsigned numbers, negative ones are the largest, so that one look is enough."""
    if not codes.size:
        return -1
    return int(codes.view(f"u{codes.dtype.itemsize}").max()) if codes.dtype.kind == "i" else int(codes.max())
