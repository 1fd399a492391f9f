"""Where rows come from: tables of every library and files of any size, as blocks of rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Analyzer": "suffice.sources.tables.analyzer",
    "Chunk": "suffice.sources.files.chunk",
    "Codes": "suffice.sources.tables.codes",
    "Columns": "suffice.sources.tables.columns",
    "FiniteGrid": "suffice.sources.tables.grid",
    "Format": "suffice.sources.files.text_format",
    "Frame": "suffice.sources.tables.frame",
    "Grid": "suffice.sources.tables.grid",
    "Matrix": "suffice.sources.tables.matrix",
    "MemorySource": "suffice.sources.engines.memory",
    "PrintProgress": "suffice.sources.engines.partition_progress",
    "Report": "suffice.sources.files.read_report",
    "Roles": "suffice.sources.files.roles",
    "Rows": "suffice.sources.files.rows",
    "Table": "suffice.sources.tables.table",
    "code_labels": "suffice.sources.tables.labels",
    "open_engine": "suffice.sources.engines.open_engine",
    "open_rows": "suffice.sources.files.rows",
    "open_table": "suffice.sources.tables.table",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
