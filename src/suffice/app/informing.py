"""Telling what a model file holds."""

from __future__ import annotations

from dataclasses import replace

from suffice.app.models import model_report, read_model
from suffice.app.report import Report


def info(path: str, tables: bool) -> Report:
    """What a model is; with `tables`, everything it has learned."""
    model = read_model(path)
    report = model_report(model, path, whole=True)
    if not tables:
        return report
    learned = str(model.fitted.plan.loaded(model))
    return replace(report, notes=(*report.notes, learned))
