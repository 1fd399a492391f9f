"""Weight of evidence and information value: what each value of a column says for a class. NumPy alone.

WoE = ln(P(value | +) / P(value | -)),     IV = sum (P(value | +) - P(value | -)) WoE
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array


class EvidenceRow(NamedTuple):
    """One value, or one interval [low, high)."""

    value: Any
    positive: float  # weight
    negative: float
    woe: float  # infinite where one class never has the value
    information: float  # its part of the information value


@dataclass(frozen=True)
class EvidenceTable:
    """The rows, and their information value: below 0.02 useless, above 0.3 strong, by a rule of thumb."""

    rows: tuple[EvidenceRow, ...]

    @property
    def information_value(self) -> float:
        """The sum of its parts; infinite where a value separates the classes."""
        return float(sum(row.information for row in self.rows))

    def __iter__(self) -> Iterator[EvidenceRow]:
        """Row by row."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def __str__(self) -> str:
        """As a table."""
        head = f"{'value':>24} {'positive':>10} {'negative':>10} {'woe':>9} {'information':>12}"
        lines = [
            f"{_shown(r.value):>24} {r.positive:>10g} {r.negative:>10g} {r.woe:>9.4f} {r.information:>12.4f}"
            for r in self.rows
        ]
        return "\n".join([head, *lines, f"information value {self.information_value:.4f}"])


def evidence_table(values: Sequence[Any], positive: Array, negative: Array) -> EvidenceTable:
    """From the weights of both classes at each value.

    >>> table = evidence_table(["a", "b"], np.array([3.0, 1.0]), np.array([1.0, 3.0]))
    >>> round(table.rows[0].woe, 4), round(table.information_value, 4)
    (1.0986, 1.0986)
    """
    rows = []
    P, N = float(positive.sum()) or 1.0, float(negative.sum()) or 1.0
    for value, m, u in zip(values, positive.tolist(), negative.tolist(), strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            woe = float(np.log(np.float64(m) / P) - np.log(np.float64(u) / N)) if m or u else 0.0
        gap = m / P - u / N
        rows.append(EvidenceRow(value, m, u, woe, gap * woe if gap else 0.0))
    return EvidenceTable(tuple(rows))


def _shown(value: Any) -> str:
    if isinstance(value, tuple) and len(value) == 2:
        return f"[{value[0]:.6g}, {value[1]:.6g})"
    return str(value)
