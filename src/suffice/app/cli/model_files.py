"""Model files on the command line: read with care, and told about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.app.cli.reading import FileReading, analyzer_of, columns_known
from suffice.app.report.report import CommandReport, Section
from suffice.core.by_class import ByClass
from suffice.core.errors import BadFile, Said, bad, refusal
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.persistence import load
from suffice.sources.engines.file_source import FileSource
from suffice.sources.engines.partitioned_source import PartitionedSource

LONGEST_KEY = 65_536  # bytes


def read_model(path: str) -> SavedModel:
    """The model of a file; a file of anything else is refused."""
    value = load(path)
    if not isinstance(value, SavedModel):
        raise refusal(
            BadFile,
            "",
            f"{path!r}",
            "a model file",
            Said(f"it holds a {type(value).__name__}"),
            "Name a file that train wrote.",
            joint="but",
        )
    try:
        value.fitted.model  # noqa: B018
    except Exception as error:  # pieces that are each well-formed, but do not belong together, fail in any way
        raise refusal(
            BadFile,
            "",
            f"{path!r}",
            "a whole model file",
            Said(f"no model can be made of its pieces ({error})"),
            "Train it again.",
            joint="but",
        ) from error
    return value


def read_summary(path: str) -> SavedModel:
    """A model that kept a summary, to which rows can be added and from which they can be taken."""
    model = read_model(path)
    if not model.fitted.adds:
        raise _unfit(path, model, "a model that learned in one pass")
    return model


def read_key(path: str) -> str:
    """The key of a ledger, from its file; a line break at its end is none of it."""
    with open(path, "rb") as file:
        data = file.read(LONGEST_KEY + 1)
    key = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
    if not key or len(data) > LONGEST_KEY:
        raise bad("", "--key", f"a file of 1 to {LONGEST_KEY:,} bytes", Said(f"{path!r}"), "Write a key into it.")
    return key


def refuse_face(path: str, model: SavedModel, faces: tuple[str, ...], rule: str) -> None:
    """Refuse a model that does not answer what is asked."""
    if model.fitted.plan.face in faces:
        raise _unfit(path, model, rule)


def refuse_unexplained(path: str, model: SavedModel) -> None:
    """Refuse a model whose answers are no sums over the columns."""
    if not hasattr(model.fitted.model, "factors"):
        raise _unfit(path, model, "a model that can explain its answers")


def file_source(
    reading: FileReading, model: SavedModel, doing: str = "reading", known: bool = True
) -> FileSource | PartitionedSource:
    """Files as the model reads rows; as its own were, where what their columns are is `known`."""
    fitted = model.fitted
    reading = reading.as_model(fitted, model.origin.names)
    number = reading.roles.target if fitted.plan.face == "regressor" else None
    source = reading.source(fitted.plan, doing, number, analyzer=analyzer_of(fitted))
    return replace(source, known=fitted.schema if known else None, order=columns_known(fitted, model.origin.names))


def _unfit(path: str, model: SavedModel, rule: str) -> BadFile:
    return refusal(BadFile, "", f"{path!r}", rule, Said(f"it holds a {model.name}"), "Use it from Python.", joint="but")


def usual(fitted: FittedModel, scores: Any = None) -> Any:
    """What the majority rule answers: the most frequent class of training, or of the scored rows for want of it."""
    if isinstance(fitted.summary, ByClass):
        return fitted.summary.labels[int(np.argmax(fitted.summary.tally.weight.value))]
    shares = getattr(fitted.model, "log_prior", None)
    if shares is None and scores is not None:
        return scores.labels[int(np.argmax(scores.tally.weight.value))]
    return fitted.model.classes[0 if shares is None else int(np.argmax(shares))]


def model_report(model: SavedModel, path: str, whole: bool = False) -> CommandReport:
    """What a model is: its kind, target, rows and classes, where it has some; and its columns, to tell the `whole`."""
    fitted = model.fitted
    target = None if model.target is None else str(model.target)
    facts: dict[str, Any] = {"model": path, "kind": model.name, "target": target}
    sections = []
    if isinstance(fitted.summary, ByClass):
        tally = fitted.summary.tally
        facts |= {"rows": int(tally.rows.sum()), "weight": float(tally.weight.value.sum())}
        sections.append(classes_section(fitted))
    elif fitted.adds:
        facts |= {"rows": fitted.rows}
    if fitted.ledger is not None:
        where = "held by the user" if fitted.ledger.key is None else "in this file, which so tells who was learned"
        facts |= {"ledger": f"{len(fitted.ledger):,} rows", "key": where}
    if isinstance(fitted.state, Found) and fitted.state.passes:
        facts |= {"passes": fitted.state.passes}
    if whole:
        sections.append(_columns_section(fitted))
    return CommandReport({name: fact for name, fact in facts.items() if fact is not None}, sections)


def classes_section(fitted: FittedModel) -> Section:
    """How many rows each class has."""
    tally = fitted.summary.tally
    weight = tally.weight.value
    rows = zip(fitted.summary.labels, tally.rows.tolist(), (weight / weight.sum()).tolist(), strict=True)
    return Section("classes", ("class", "rows", "share"), [(str(label), *counts) for label, *counts in rows])


def class_lines(counted: Mapping[Any, tuple[int, float]]) -> Section:
    """The same from rows and weights by label."""
    whole = sum(weight for _, weight in counted.values())
    lines = [(str(label), rows, weight / whole) for label, (rows, weight) in counted.items()]
    return Section("classes", ("class", "rows", "share"), lines)


def _columns_section(fitted: FittedModel) -> Section:
    """The columns that users give, of the kinds they had before rows became codes."""
    design = getattr(fitted.plan, "design", None)
    given = getattr(design, "schema", fitted.schema)
    columns = [(str(c.name), c.kind.value, " < ".join(map(str, c.order)) if c.order else None) for c in given.columns]
    return Section("columns", ("column", "kind", "order"), columns)
