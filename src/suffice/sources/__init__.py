"""Where rows come from: tables of every library and files of any size, as blocks of rows."""

from __future__ import annotations

from importlib import import_module
from typing import Any

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


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'suffice.sources' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
