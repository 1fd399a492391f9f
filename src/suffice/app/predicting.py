"""Predicting: rows stream through a model, and each comes out with an answer and the probability of each class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np

from suffice.app.models import read_probabilities
from suffice.app.output import check_outputs, write
from suffice.app.reading import Reading, warn_of_bad, watched_chunks
from suffice.app.row_styles import STYLES, Reason, Reasons, Rows, as_csv_without_formulas
from suffice.app.wishes import read_decision
from suffice.bayes.cell_logs import CellLogs
from suffice.bayes.explanation import explain
from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.loop import whole
from suffice.core.schema import Column, Schema
from suffice.decision.decision import Decision
from suffice.decision.posterior import Posterior
from suffice.estimators.fitted import FittedModel
from suffice.sources.chunk import Chunk
from suffice.sources.header import unique_names

STRONGEST = 5  # reasons given


@dataclass(frozen=True)
class Answering:
    """How the rows of a chunk are answered."""

    fitted: FittedModel
    decision: Decision
    refusal: Any
    explained: bool
    shown: tuple[str, ...]  # columns that are written with their rows

    @property
    def columns(self) -> list[str]:
        """The names of what is written."""
        classes = [f"p({label})" for label in self.fitted.model.classes]
        ours = ["row", "prediction", *classes, *(["against", "because"] if self.explained else [])]
        names, _ = unique_names([*ours, *self.shown])  # columns of the file give way: row is row_2
        row, *others = names[: len(ours)]
        return [row, *names[len(ours) :], *others]

    def rows(self, chunk: Chunk) -> Rows:
        """The rows of a chunk, answered."""
        model, n = self.fitted.model, chunk.table.n
        block = Block(chunk.table.parts(self.fitted.schema, slice(0, n)), start=chunk.start)
        shares = np.exp(model.log_prior)
        posterior = Posterior(np.exp(model.log_posterior(block)), shares / shares.sum())
        actions = self.decision.decide(posterior)
        if self.decision.prior is not None:
            posterior = posterior.shift(self.decision.prior)
        labels = [*model.classes, self.refusal]  # number -1 is the last
        told = [range(chunk.start, chunk.start + n), *(_cells(chunk, name) for name in self.shown)]
        told += [[labels[a] for a in actions.tolist()], *posterior.proba.T.tolist()]
        told += self._reasons(block, actions) if self.explained else []
        return list(zip(*told, strict=True))

    def _reasons(self, block: Block, actions: Array) -> list[list[Any]]:
        """The class each answer was weighed against, and what spoke for the answer; of a refusal, the likeliest one."""
        model = self.fitted.model
        if self.decision.prior is not None:
            with np.errstate(divide="ignore"):
                model = replace(model, log_prior=np.log(self.decision.prior))
        against: list[Any] = [None] * block.n
        because: list[Any] = [None] * block.n
        for action in np.unique(actions).tolist():
            places = np.flatnonzero(actions == action)
            logs = CellLogs(model, block.take(places), self.fitted.schema)
            told = explain("predict", logs, None if action < 0 else model.classes[action], None)
            for i, place in enumerate(places.tolist()):
                against[place] = told.versus[i]
                because[place] = _strongest(told.features, told.contributions[i], float(told.prior[i]))
        return [against, because]


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
    check_outputs(out, (path, *files, *([] if costs is None else [costs])), rows=True)
    model = read_probabilities(path, explain)
    decision = read_decision(model.fitted.model.classes, prior, costs, reject, at_least)
    label = refusal if refusal is not None else model.parameters.get("refusal")
    rows = Reading.of(files, identifier=identifier, **written).for_model(model.fitted)
    chunks = watched_chunks(rows.chunks(), "predicting")
    first = list(islice(chunks, 1))  # now it is known which columns there are
    answering = Answering(model.fitted, decision, label, explain, _shown(model.fitted, rows.schema, identifier))
    styled = as_csv_without_formulas if no_formulas and style == "csv" else STYLES[style]
    write(styled(answering.columns, _answered(answering, _delayed(chain(first, chunks)))), out)
    warn_of_bad(rows.report)


def _delayed(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Each chunk when the next is read, the last when the end is: only then is it known whether too much was bad."""
    waiting: list[Chunk] = []
    for chunk in chunks:
        yield from waiting
        waiting = [chunk]
    yield from waiting


def _answered(answering: Answering, chunks: Iterable[Chunk]) -> Iterator[Rows]:
    cells = 0
    for chunk in chunks:
        cells += chunk.table.n * len(answering.fitted.schema.columns)
        with whole(cells):  # loops are compiled once enough cells have come
            yield answering.rows(chunk)


def _shown(fitted: FittedModel, found: Schema, more: Sequence[str]) -> tuple[str, ...]:
    """The model's identifiers that are in the file, and the columns asked for."""
    known = [c.name for c in fitted.schema.columns if c.kind is Kind.IDENTIFIER and c.name in found.names]
    return tuple(dict.fromkeys((*known, *more)))


def _cells(chunk: Chunk, name: str) -> list[Any]:
    """The cells of a column as they are written, None where missing."""
    (part,) = chunk.table.parts(Schema((Column(name, Kind.CATEGORICAL),)), slice(0, chunk.table.n))
    labels = [*part.labels[0], None]
    return [labels[code] for code in part.codes[:, 0].tolist()]


def _strongest(features: Sequence[Any], logs: Array, prior: float) -> Reasons:
    told = [Reason(str(name), value) for name, value in zip(features, logs.tolist(), strict=True)]
    told = sorted([*told, Reason("(prior)", prior)], key=lambda reason: -abs(reason.log_odds))
    return Reasons(reason for reason in told[:STRONGEST] if reason.log_odds)
