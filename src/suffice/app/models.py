"""Model files on the command line: read with care, and told about."""

from __future__ import annotations

from suffice.app.report import Report, Section
from suffice.core.errors import BadFile
from suffice.estimators.loaded import SavedModel
from suffice.persistence import load


def read_model(path: str) -> SavedModel:
    """The model of a file; a file of anything else is refused."""
    value = load(path)
    if not isinstance(value, SavedModel):
        raise BadFile(
            f"{path!r} must be a model file, but it holds a {type(value).__name__}. Name a file that train wrote."
        )
    return value


def model_report(model: SavedModel, path: str, whole: bool = False) -> Report:
    """What a model is: its kind, target, rows and classes; and its columns, to tell the `whole`."""
    fitted = model.fitted
    tally = fitted.summary.tally
    facts = {
        "model": path,
        "kind": model.name,
        "target": None if model.target is None else str(model.target),
        "rows": int(tally.rows.sum()),
        "weight": float(tally.weight.value.sum()),
    }
    weight = tally.weight.value
    classes = zip(fitted.summary.labels, tally.rows.tolist(), (weight / weight.sum()).tolist(), strict=True)
    columns = [
        (str(c.name), c.kind.value, " < ".join(map(str, c.order)) if c.order else None) for c in fitted.schema.columns
    ]
    return Report(
        {name: fact for name, fact in facts.items() if fact is not None},
        [
            Section("classes", ("class", "rows", "share"), [(str(label), *counts) for label, *counts in classes]),
            *([Section("columns", ("column", "kind", "order"), columns)] if whole else []),
        ],
    )
