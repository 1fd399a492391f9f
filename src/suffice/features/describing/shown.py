"""Statistics of columns as text and as HTML with small histograms. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from suffice.core.kinds import Storage
from suffice.features.describing.column_statistics import ColumnStatistics
from suffice.features.describing.permitted import Answer, permission

SHOWN = ("minimum", "median", "mean", "maximum", "sd", "interquartile_range", "skewness", "excess")
HEAD = ("column", "kind", "cells", "missing", "different", *SHOWN, "mode")
WIDTH, HEIGHT, BARS = 120, 24, 24  # of a histogram


def as_text(columns: Sequence[ColumnStatistics]) -> str:
    """One line a column, aligned; what a kind does not permit is left empty."""
    rows = [[name.replace("interquartile_range", "iqr") for name in HEAD], *map(_line, columns)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def as_html(columns: Sequence[ColumnStatistics]) -> str:
    """A table, every cell escaped, with a histogram for each column."""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in (*HEAD, "histogram"))
    rows = []
    for column in columns:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in _line(column))
        rows.append(f"<tr>{cells}<td>{_bars(column)}</td></tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _line(column: ColumnStatistics) -> list[str]:
    start = [str(column.name), column.kind.value, str(column.cells), str(column.missing)]
    if len(column.kept.parts) == 1:
        return [*start, "0", *("" for _ in SHOWN), ""]
    told = [_said(column, name) for name in SHOWN]
    modes = column.mode
    mode = ", ".join(_text(v) for v in modes[:2]) + (", ..." if len(modes) > 2 else "")
    return [*start, str(column.distinct), *told, mode if len(modes) < column.distinct or len(modes) == 1 else ""]


def _said(column: ColumnStatistics, name: str) -> str:
    if permission(column.kind, name).answer is Answer.REFUSED or not column.distinct:
        return ""
    return _text(getattr(column, name))


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _bars(column: ColumnStatistics) -> str:
    """Bars of a histogram, or of the most frequent values."""
    if len(column.kept.parts) == 1 or not column.distinct:
        return ""
    if column.kind.storage is Storage.NUMBERS:
        heights = column.histogram(BARS)[0]
    else:
        heights = np.sort(column.weights)[::-1][:BARS]
    top = float(heights.max()) or 1.0
    step = WIDTH / len(heights)
    tall = (HEIGHT * heights / top).tolist()
    bars = "".join(
        f'<rect x="{i * step:.1f}" y="{HEIGHT - h:.1f}" width="{step:.1f}" height="{h:.1f}"/>'
        for i, h in enumerate(tall)
    )
    return f'<svg width="{WIDTH}" height="{HEIGHT}" fill="currentColor" role="img">{bars}</svg>'
