"""Coefficients as a table in plain text."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.core.block import Array

HEAD = ("coefficient", "std. error", "t", "p", "95% low", "95% high")


def table_text(names: Sequence[str], columns: Sequence[Array], said: Sequence[tuple[str, float]]) -> str:
    """One line a term, numbers to six digits, then one line for each thing said of the whole."""
    rows = [("", *HEAD), *((name, *(f"{column[i]:.6g}" for column in columns)) for i, name in enumerate(names))]
    widths = [max(len(row[j]) for row in rows) for j in range(len(HEAD) + 1)]
    lines = ["  ".join(_set(row[j], width, j > 0) for j, width in enumerate(widths)) for row in rows]
    wide = max(len(what) for what, _ in said)
    return "\n".join([*lines, "", *(f"{what:{wide}}  {value:.6g}" for what, value in said)])


def _set(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)
