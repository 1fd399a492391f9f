"""Telling what a model file holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from suffice.app.cli.model_files import model_report, read_model
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.estimators.state.loaded import model_of
from suffice.sources.files.header import unique_names


def info(path: str, tables: bool) -> CommandReport:
    """What a model is; with `tables`, everything it has learned."""
    check_outputs(None, [path])
    model = read_model(path)
    report = model_report(model, path, whole=True)
    if not tables:
        return report
    learned = model_of(model)
    if not hasattr(learned, "tables"):
        return replace(report, notes=(*report.notes, f"A {model.name} has no tables; load it in Python to see more."))
    return replace(report, sections=(*report.sections, *table_sections(learned)))


def table_sections(learned: Any) -> list[Section]:
    """One for the shares of the classes, then one a column."""
    found = learned.tables()
    names, _ = unique_names([table.name for table in found])
    columns = ("parameter", *map(str, learned.classes_))
    return [
        Section(name, columns, [(of, *numbers) for of, numbers in table.rows], table.title, group="tables")
        for name, table in zip(names, found, strict=True)
    ]
