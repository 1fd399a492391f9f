"""Text split into cells by the standard library; every text that a faster way does not understand comes here."""

from __future__ import annotations

import io
from dataclasses import dataclass

from suffice.sources.files.cut_rows import TextPiece
from suffice.sources.files.header import allow_cells, split
from suffice.sources.files.page import Layout, Page
from suffice.sources.files.ragged import Row, even, is_blank
from suffice.sources.written.written_cells import ListText


@dataclass(frozen=True)
class CsvSplitter:
    r"""Rows of one file, split.

    >>> from suffice.sources.files.text_format import Format
    >>> layout = Layout("a.csv", Format(), ",", ("age", "site"))
    >>> page = CsvSplitter(layout)(TextPiece(b"31,north\n44\n"))
    >>> page.columns["site"].cells, page.short
    (('north', None), 1)
    """

    layout: Layout

    def __call__(self, piece: TextPiece) -> Page:
        """The rows of a piece."""
        layout = self.layout
        allow_cells(len(piece.data))
        lines = io.TextIOWrapper(io.BytesIO(piece.data), "utf-8", newline="")
        rows: list[Row] = list(split(lines, layout.separator, layout.format.quote))  # type: ignore[arg-type]
        d = len(layout.names)
        if d == 1 or set(map(len, rows)) != {d} or piece.open:
            return self._ragged(rows, piece)
        return self._page(rows, piece.nuls)

    def _ragged(self, rows: list[Row], piece: TextPiece) -> Page:
        d = len(self.layout.names)
        rows = [row for row in rows if not is_blank(row, d)]
        cut = bool(rows) and not piece.ended and (piece.open or len(rows[-1]) < d)
        found = even(rows, d, cut)
        return self._page(found.rows, piece.nuls)._replace(short=found.short, long=found.long, cut=found.cut)

    def _page(self, rows: list[Row], nuls: int) -> Page:
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(self.layout.names)
        texts = {name: ListText(columns[place], self.layout.format) for place, name in self.layout.wanted}
        return Page(self.layout.where, self.layout.names, texts, len(rows), nuls=nuls)
