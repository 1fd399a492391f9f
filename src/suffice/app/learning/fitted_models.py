"""Fitting a model to files, whatever way it learns: in one pass, in passes, or from all rows in memory."""

from __future__ import annotations

import inspect
from typing import Any

from suffice.app.cli.reading import FileReading, watched_chunks
from suffice.app.learning.whole_table import read_whole
from suffice.compose.given_kinds import give_kinds
from suffice.sources.engines.file_source import FileSource


def fit_to_files(model: Any, reading: FileReading) -> Any:
    """The same model, fitted to all rows; one with a target where the model takes one."""
    parameters = inspect.signature(model.fit).parameters
    if "target" not in parameters and "in_memory" not in parameters:
        table = read_whole(reading)
        return give_kinds(model, table.kinds).fit(table.X, *([] if table.y is None else [table.y]))
    way = model._target
    rows = reading.rows()
    number = rows.roles.target if way.numbers else None
    rows = rows if way.needed and number is None else rows.without_target()
    source = FileSource(rows, model._plan(), number, watch=lambda chunks: watched_chunks(chunks, "learning"))
    return model.fit(source, **({"in_memory": True} if "in_memory" in parameters else {}))
