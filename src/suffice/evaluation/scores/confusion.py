"""Confusion: what was answered where what was true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from suffice.core.block import Array

SHOWN = 20  # more classes are not printed
WIDTH = 24  # characters of a label that are printed


class Confusion(NamedTuple):
    """Weight of the rows of each true class and answer, over all labels that were true or answered.

    >>> import numpy as np
    >>> print(Confusion(("cold", "flu"), np.array([[3.0, 1.0], [0.0, 2.0]]), np.array([0.0, 1.0])))
    true \\ answered  cold  flu  refused
    cold                3    1        0
    flu                 0    2        1
    """

    labels: tuple[Any, ...]  # L labels, in canonical order
    table: Array  # (L, L) true class, answer
    refused: Array  # (L,) true class

    def __str__(self) -> str:
        """A table; only its size where it is too large to read."""
        if len(self.labels) > SHOWN:
            return f"confusion table of {len(self.labels)} classes"
        head = ["true \\ answered", *map(label_text, self.labels)]
        rows = [[label_text(t), *map(number_text, line)] for t, line in zip(self.labels, self.table, strict=True)]
        if self.refused.any():
            head.append("refused")
            rows = [[*row, number_text(weight)] for row, weight in zip(rows, self.refused, strict=True)]
        return aligned([head, *rows])


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Lines of text in columns: the first flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def label_text(label: Any) -> str:
    """A label as one short piece of printable text."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label))
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def number_text(weight: float) -> str:
    """A weight: whole ones as they are, others to four digits."""
    return f"{weight:.0f}" if weight == round(weight) else f"{weight:.4g}"
