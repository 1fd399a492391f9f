"""Where rows come from: tables of every library and files of any size, as blocks of rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Analyzer": "suffice.sources.analyzer",
    "Chunk": "suffice.sources.chunk",
    "Codes": "suffice.sources.codes",
    "Columns": "suffice.sources.columns",
    "FiniteGrid": "suffice.sources.grid",
    "Format": "suffice.sources.format",
    "Frame": "suffice.sources.frame",
    "Grid": "suffice.sources.grid",
    "Matrix": "suffice.sources.matrix",
    "MemorySource": "suffice.sources.memory",
    "Report": "suffice.sources.report",
    "Roles": "suffice.sources.roles",
    "Rows": "suffice.sources.rows",
    "Table": "suffice.sources.table",
    "code_labels": "suffice.sources.labels",
    "open_rows": "suffice.sources.rows",
    "open_table": "suffice.sources.table",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
