"""Rows with other numbers of cells than the header: blank ones, short ones, long ones, and the last one, cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Row = list[str | None]


class Even(NamedTuple):
    """Rows with as many cells as the header, None where they have none."""

    rows: list[Row]
    short: int = 0  # rows that lack cells
    long: tuple[int, ...] = ()  # places of rows with too many: they cannot be told apart, so all are missing
    cut: int = 0  # 1 where the last row is cut off


def is_blank(row: Sequence[str | None], d: int) -> bool:
    """Whether this is no row: an empty line, or blanks where there are several columns."""
    return not row or (d > 1 and len(row) == 1 and not (row[0] or "").strip())


def even(rows: Sequence[Row], d: int, cut: bool) -> Even:
    """Rows made to have d cells; of a row that is cut off, the last cell may be cut as well.

    >>> even([["1", "x"], ["2"], ["3", "y", "z"], ["4", "y", ""]], 2, cut=False)
    Even(rows=[['1', 'x'], ['2', None], [None, None], ['4', 'y']], short=1, long=(2,), cut=0)
    """
    none: Row = [None] * d
    done, short, long = [], 0, []
    for i, row in enumerate(rows):
        last = cut and i == len(rows) - 1
        row = row[:-1] if last else _unfilled(row, d)
        if len(row) > d:
            long.append(i)
            row = none
        short += len(row) < d and not last
        done.append(row + none[len(row) :])
    return Even(done, short, tuple(long), int(cut))


def _unfilled(row: Row, d: int) -> Row:
    """A row that is too long only by empty cells at its end, as after a last separator, is not too long."""
    if len(row) > d and not any(cell and cell.strip() for cell in row[d:]):
        return row[:d]
    return row
