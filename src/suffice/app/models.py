"""Model files on the command line: read with care, and told about."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.app.report import Report, Section
from suffice.core.errors import BadFile
from suffice.estimators.fitted import FittedModel
from suffice.estimators.loaded import SavedModel
from suffice.persistence import load


def read_model(path: str) -> SavedModel:
    """The model of a file; a file of anything else is refused."""
    value = load(path)
    if not isinstance(value, SavedModel):
        raise BadFile(
            f"{path!r} must be a model file, but it holds a {type(value).__name__}. Name a file that train wrote."
        )
    try:
        value.fitted.model  # noqa: B018
    except Exception as error:  # pieces that are each well-formed, but do not belong together, fail in any way
        raise BadFile(
            f"{path!r} must be a whole model file, but no model can be made of its pieces ({error}). Train it again."
        ) from error
    return value


def read_classes(path: str) -> SavedModel:
    """A model whose summary is by class, from which rows can be taken."""
    model = read_model(path)
    if not isinstance(model.fitted, FittedModel):
        raise _unfit(path, model, "a model that learned classes in one pass")
    return model


def read_probabilities(path: str, explain: bool = False) -> SavedModel:
    """A model that gives probabilities of classes; where its answers are to be explained, as sums over the columns."""
    model = read_model(path)
    if not hasattr(model.fitted.model, "log_posterior"):
        raise _unfit(path, model, "a model that gives probabilities of classes")
    if explain and not hasattr(model.fitted.model, "factors"):
        raise _unfit(path, model, "a model that can explain its answers")
    return model


def _unfit(path: str, model: SavedModel, rule: str) -> BadFile:
    return BadFile(f"{path!r} must be {rule}, but it holds a {model.name}. Use it from Python.")


def usual(fitted: FittedModel) -> Any:
    """What the majority rule answers: the most frequent class of training."""
    if isinstance(fitted, FittedModel):
        return fitted.summary.labels[int(np.argmax(fitted.summary.tally.weight.value))]
    return fitted.model.classes[int(np.argmax(fitted.model.log_prior))]


def model_report(model: SavedModel, path: str, whole: bool = False) -> Report:
    """What a model is: its kind, target, rows and classes, where it has some; and its columns, to tell the `whole`."""
    fitted = model.fitted
    target = None if model.target is None else str(model.target)
    facts: dict[str, Any] = {"model": path, "kind": model.name, "target": target}
    sections = []
    if isinstance(fitted, FittedModel):
        tally = fitted.summary.tally
        facts |= {"rows": int(tally.rows.sum()), "weight": float(tally.weight.value.sum())}
        sections.append(classes_section(fitted))
    if whole:
        sections.append(_columns_section(fitted))
    return Report({name: fact for name, fact in facts.items() if fact is not None}, sections)


def classes_section(fitted: FittedModel) -> Section:
    """How many rows each class has."""
    tally = fitted.summary.tally
    weight = tally.weight.value
    rows = zip(fitted.summary.labels, tally.rows.tolist(), (weight / weight.sum()).tolist(), strict=True)
    return Section("classes", ("class", "rows", "share"), [(str(label), *counts) for label, *counts in rows])


def _columns_section(fitted: FittedModel) -> Section:
    columns = [
        (str(c.name), c.kind.value, " < ".join(map(str, c.order)) if c.order else None) for c in fitted.schema.columns
    ]
    return Section("columns", ("column", "kind", "order"), columns)
