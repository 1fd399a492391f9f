"""Text split into cells by the standard library; every text that a faster way does not understand comes here."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from suffice.sources.cut_rows import Piece
from suffice.sources.header import split
from suffice.sources.page import Layout, Page
from suffice.sources.written import ListText

Row = list[str | None]


@dataclass(frozen=True)
class CsvSplitter:
    r"""Rows of one file, split.

    >>> from suffice.sources.format import Format
    >>> layout = Layout("a.csv", Format(), ",", ("age", "site"))
    >>> page = CsvSplitter(layout)(Piece(b"31,north\n44\n"))
    >>> page.columns["site"].cells, page.short
    (('north', None), 1)
    """

    layout: Layout

    def __call__(self, piece: Piece) -> Page:
        """The rows of a piece."""
        layout = self.layout
        _allow(len(piece.data))
        lines = io.TextIOWrapper(io.BytesIO(piece.data), "utf-8", newline="")
        rows: list[Row] = list(split(lines, layout.separator, layout.format.quote))  # type: ignore[arg-type]
        d = len(layout.names)
        if d == 1 or set(map(len, rows)) != {d} or piece.open:
            return self._ragged(rows, piece)
        return self._page(rows, piece.nuls)

    def _ragged(self, rows: list[Row], piece: Piece) -> Page:
        """Rows of other lengths: blank lines are none, short rows lack cells, long ones can't be told apart."""
        d = len(self.layout.names)
        rows = [row for row in rows if row and not (d > 1 and len(row) == 1 and not (row[0] or "").strip())]
        cut = bool(rows) and not piece.ended and (piece.open or len(rows[-1]) < d)
        if cut:
            rows[-1] = rows[-1][:-1]  # the last cell may be cut as well
        rows = [_unfilled(row, d) for row in rows]
        short = sum(len(row) < d for row in rows) - cut
        long = tuple(i for i, row in enumerate(rows) if len(row) > d)
        none: Row = [None] * d
        even = [none if len(row) > d else row + none[len(row) :] for row in rows]
        return self._page(even, piece.nuls)._replace(short=short, long=long, cut=int(cut))

    def _page(self, rows: list[Row], nuls: int) -> Page:
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(self.layout.names)
        texts = {name: ListText(columns[place], self.layout.format) for place, name in self.layout.wanted}
        return Page(self.layout.where, self.layout.names, texts, len(rows), nuls=nuls)


def _unfilled(row: Row, d: int) -> Row:
    """A row that is too long only by empty cells at its end, as after a last separator, is not too long."""
    if len(row) > d and not any(cell and cell.strip() for cell in row[d:]):
        return row[:d]
    return row


def _allow(size: int) -> None:
    """Let cells be as large as the text; raised for all, never lowered, because another thread may be reading."""
    if csv.field_size_limit() < size:
        csv.field_size_limit(size)
