"""Describing a table: what is in each column, and what its kind lets one say of it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.app.cli.pictures import check_picture, save_figure
from suffice.app.cli.reading import FileReading, remarks, watched_chunks
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.core.kinds import Kind, Storage
from suffice.features.describing.column_statistics import ColumnStatistics
from suffice.features.describing.table_description import HowToDescribe, TableDescription, described_rows
from suffice.sources.files.read_report import Report

COLUMNS = (
    "column",
    "kind",
    "cells",
    "missing",
    "bad",
    "mean",
    "sd",
    "min",
    "max",
    "words",
    "different",
    "most frequent",
)
SHOWN = 3  # labels that are listed
MOST = 10_000  # different numbers of a column that are kept


def describe(files: Sequence[str], *, plot: str | None = None, **given: Any) -> CommandReport:
    """Read all rows once, and tell."""
    check_picture(plot)
    check_outputs(plot, files, option="--plot")
    found, met = _described(FileReading.of(files, **given))
    lines = []
    for column in met.columns:
        known = {} if found is None else _statistics(found.columns.get(column.name))
        start = (str(column.name), column.kind.value, column.rows - column.missing - column.bad)
        lines.append((*start, column.missing, column.bad, *(known.get(name) for name in COLUMNS[5:])))
    if plot is not None and found is not None:
        from suffice.plots.table_displays.description_display import DescriptionDisplay

        save_figure(DescriptionDisplay(description=found).draw, plot)
    facts = {"rows": met.rows, **({} if plot is None else {"plot": plot})}
    return CommandReport(facts, [Section("columns", COLUMNS, lines)], remarks(met))


def _described(reading: FileReading) -> tuple[TableDescription | None, Report]:
    """What all rows say, read here or on an engine."""
    how = HowToDescribe(most=MOST, words=True)
    if reading.session is not None:
        from suffice.features.describing.describe_partitions import describe_partitions

        return describe_partitions(reading.partitions("reading"), how)
    rows = reading.rows()
    found = described_rows(rows, how, lambda chunks: watched_chunks(chunks, "reading"))
    return found, rows.report


def _statistics(column: ColumnStatistics | None) -> dict[str, Any]:
    """What may be said of a column."""
    if column is None or len(column.kept.parts) == 1 or not column.distinct:
        return {}
    if column.kind.storage is Storage.NUMBERS:
        return _of_numbers(column)
    order = np.argsort(-column.weights, kind="stable")[:SHOWN].tolist()
    total = float(column.weights.sum())
    if column.kind is Kind.TEXT:
        frequent = ", ".join(str(column.values[i]) for i in order)
        return {"words": total, "different": column.distinct, "most frequent": frequent}
    frequent = ", ".join(f"{column.values[i]} {column.weights[i] / total:.0%}" for i in order)
    return {"different": column.distinct, "most frequent": frequent}


def _of_numbers(column: ColumnStatistics) -> dict[str, Any]:
    """The standard deviation is that of a sample (divisor n - 1)."""
    weight = float(column.weights.sum())
    sd = float(np.sqrt(column.variance * weight / (weight - 1.0))) if weight > 1.0 else None
    told = {"mean": column.mean, "min": column.minimum, "max": column.maximum}
    return {"sd": sd, **{name: _shown(value) for name, value in told.items()}}


def _shown(value: Any) -> Any:
    """A date as text, with its time where it has one."""
    if not isinstance(value, datetime.datetime):
        return float(value)
    return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "seconds")
