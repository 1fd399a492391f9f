"""Predicting: rows stream through a model, and each comes out with an answer and the probability of each class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from suffice.app.cli.answers import BY_FACE, AnswerColumns
from suffice.app.cli.decisions import read_decision
from suffice.app.cli.model_files import read_model, refuse_face, refuse_unexplained
from suffice.app.cli.reading import FileReading, analyzer_of, columns_known, schema_read, warn_of_bad, watched_chunks
from suffice.app.engines.answer_parts import AnswerFiles, answer_parts, check_folder
from suffice.app.report.output import check_outputs
from suffice.app.report.row_output import write_rows
from suffice.app.report.row_styles import Rows
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.decision.decide.decision import Decision
from suffice.estimators.faces.probabilistic import DECIDING
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.loaded_faces import FACES
from suffice.numerics.loop import whole
from suffice.sources.files.chunk import Chunk


def predict(
    path: str,
    files: Sequence[str],
    *,
    prior: Mapping[str, float] | str | None,
    costs: str | None,
    reject: float | None,
    at_least: float | None,
    refusal: str | None,
    explain: bool,
    identifier: Sequence[str],
    no_formulas: bool,
    out: str | None,
    style: str,
    **written: Any,
) -> None:
    """Answer every row and write it."""
    reading = FileReading.of(files, identifier=identifier, **written)
    if reading.session is None:
        check_outputs(out, (path, *files, *([] if costs is None else [costs])), rows=True)
    else:
        check_folder(out, style)
    model = read_model(path)
    refuse_face(path, model, tuple({*FACES} - {*BY_FACE}), "a model that predicts")
    asked = any(wish is not None for wish in (prior, costs, reject, at_least)) or explain
    if asked:
        others = ("classifier", "regressor", "density", "clusterer")
        refuse_face(path, model, others, "a model that gives probabilities of classes, as the options ask")
    if explain:
        refuse_unexplained(path, model)
    classes = getattr(model.fitted.model, "classes", ())
    decision = read_decision(classes, prior, costs, reject, at_least) if asked else _wished(model.fitted)
    label = refusal if refusal is not None else model.parameters.get("refusal")
    reading = reading.as_model(model.fitted, model.origin.names)
    rows = reading.rows(analyzer_of(model.fitted))
    chunks: Any = watched_chunks(rows.chunks(), "predicting")
    first = list(islice(chunks, 1))  # now it is known which columns there are
    shown = shown_columns(model.fitted, rows.schema, identifier)
    answering = BY_FACE[model.fitted.plan.face](
        model.fitted, shown, decision, label, explain, columns_known(model.fitted, model.origin.names)
    )
    if reading.session is not None:
        assert out is not None
        chunks.close()
        warn_of_bad(answer_parts(answering, reading, AnswerFiles(out, style, no_formulas)))
        return
    answered_rows = answered(answering, _delayed(chain(first, chunks)))
    write_rows(answering.columns, answered_rows, out, style, no_formulas)
    warn_of_bad(rows.report)


def _wished(fitted: FittedModel) -> Decision:
    """What the model itself decides by, where it does."""
    wishes = {name: wish for name, wish in getattr(fitted.plan, "wishes", {}).items() if name in DECIDING}
    return Decision.read("predict", fitted.model.classes, **wishes) if wishes else Decision()


def _delayed(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Each chunk when the next is read, the last when the end is: only then is it known whether too much was bad."""
    waiting: list[Chunk] = []
    for chunk in chunks:
        yield from waiting
        waiting = [chunk]
    yield from waiting


def answered(answering: AnswerColumns, chunks: Iterable[Chunk]) -> Iterator[Rows]:
    """The rows of chunks, answered."""
    cells = 0
    for chunk in chunks:
        cells += chunk.table.n * len(schema_read(answering.fitted).columns)
        with whole(cells):  # loops are compiled once enough cells have come
            yield answering.rows(chunk)


def shown_columns(fitted: FittedModel, found: Schema, more: Sequence[str]) -> tuple[str, ...]:
    """The model's identifiers that are in the file, and the columns asked for."""
    known = [c.name for c in schema_read(fitted).columns if c.kind is Kind.IDENTIFIER and c.name in found.names]
    return tuple(dict.fromkeys((*known, *more)))
