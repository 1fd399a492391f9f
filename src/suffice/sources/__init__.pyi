"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.sources.tables.analyzer import Analyzer as Analyzer
from suffice.sources.files.chunk import Chunk as Chunk
from suffice.sources.tables.codes import Codes as Codes
from suffice.sources.tables.columns import Columns as Columns
from suffice.sources.tables.grid import FiniteGrid as FiniteGrid
from suffice.sources.files.text_format import Format as Format
from suffice.sources.tables.frame import Frame as Frame
from suffice.sources.tables.grid import Grid as Grid
from suffice.sources.tables.matrix import Matrix as Matrix
from suffice.sources.engines.memory import MemorySource as MemorySource
from suffice.sources.engines.partition_progress import PrintProgress as PrintProgress
from suffice.sources.files.read_report import Report as Report
from suffice.sources.files.roles import Roles as Roles
from suffice.sources.files.rows import Rows as Rows
from suffice.sources.tables.table import Table as Table
from suffice.sources.tables.labels import code_labels as code_labels
from suffice.sources.engines.open_engine import open_engine as open_engine
from suffice.sources.files.rows import open_rows as open_rows
from suffice.sources.tables.table import open_table as open_table

__all__ = [
    "Analyzer",
    "Chunk",
    "Codes",
    "Columns",
    "FiniteGrid",
    "Format",
    "Frame",
    "Grid",
    "Matrix",
    "MemorySource",
    "PrintProgress",
    "Report",
    "Roles",
    "Rows",
    "Table",
    "code_labels",
    "open_engine",
    "open_rows",
    "open_table",
]
