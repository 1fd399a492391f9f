"""Describing a table: what is in each column, and what its kind lets one say of it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from suffice.app.cli.reading import FileReading, remarks, watched_chunks
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.bayes.naive.naive_plan import NaivePlan
from suffice.core.block import Array, Block, Coded
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import learn
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.estimators.state.fitted import FittedModel
from suffice.sources.engines.memory import MemorySource
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.rows import Rows

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
EPOCH = datetime.datetime(1970, 1, 1)

Statistics = dict[str, Any]


@dataclass
class ColumnRanges:
    """The smallest and the largest number of each column, by name."""

    low: dict[Any, float] = field(default_factory=dict)
    high: dict[Any, float] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)  # threads may share a block

    def add(self, names: Sequence[Any], X: Array) -> None:
        """Some more rows (n, d), NaN where missing."""
        lows, highs = (pick.reduce(X, axis=0, initial=start) for pick, start in ((np.fmin, np.inf), (np.fmax, -np.inf)))
        with self.lock:
            for name, low, high in zip(names, lows.tolist(), highs.tolist(), strict=True):
                self.low[name] = min(low, self.low.get(name, np.inf))
                self.high[name] = max(high, self.high.get(name, -np.inf))


@dataclass(frozen=True)
class WatchRange:
    """Keeps of rows what the families keep, as if all were of one class, and looks at the range of numbers."""

    learner: Any
    names: Sequence[Any]  # of the columns of numbers, where these come first
    found: ColumnRanges

    def summarize(self, block: Block, model: None = None) -> Any:
        """Some rows."""
        if self.names:
            self.found.add(self.names, block.parts[0])
        return self.learner.summarize(block)


@dataclass
class Met:
    """What the rows so far said, as those of one class."""

    plan: NaivePlan = field(default_factory=NaivePlan)
    found: ColumnRanges = field(default_factory=ColumnRanges)
    fitted: FittedModel | None = None
    watching: tuple[Schema, WatchRange] | None = None  # how rows of a schema are summarized

    def add(self, chunk: Chunk) -> None:
        """Some more rows."""
        y = Coded(np.zeros((chunk.table.n, 1), dtype=np.int32), (("all",),))
        more = FittedModel(self.plan, *learn(self, MemorySource(chunk.table, chunk.schema, y, chunk.w)))
        self.fitted = more if self.fitted is None else self.fitted.merge([more])

    def learner(self, schema: Schema) -> WatchRange:
        """Made anew only while kinds are learned."""
        if self.watching is None or self.watching[0] is not schema:
            storage, places = schema.parts[0]
            names = [schema.columns[i].name for i in places] if storage is Storage.NUMBERS else []
            self.watching = schema, WatchRange(self.plan.learner(schema), names, self.found)
        return self.watching[1]

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """As the plan does."""
        return self.plan.lift(summary, old, new)


def describe(files: Sequence[str], **given: Any) -> CommandReport:
    """Read all rows once, and tell."""
    check_outputs(None, files)
    rows = FileReading.of(files, **given).rows()
    seen = _seen(rows)
    if rows.mistaken:  # columns are not what their first cells were
        seen = _seen(rows)
    met = rows.report
    said = {} if seen.fitted is None else _statistics(seen.fitted, seen.found)
    lines = []
    for column in met.columns:
        known = said.get(column.name, {})
        start = (str(column.name), column.kind.value, column.rows - column.missing - column.bad)
        lines.append((*start, column.missing, column.bad, *(known.get(name) for name in COLUMNS[5:])))
    return CommandReport({"rows": met.rows}, [Section("columns", COLUMNS, lines)], remarks(met))


def _seen(rows: Rows) -> Met:
    """What all rows say."""
    seen = Met()
    for chunk in watched_chunks(rows.chunks(), "reading"):
        if chunk.schema.parts:
            seen.add(chunk)
    return seen


def _statistics(fitted: FittedModel, found: ColumnRanges) -> dict[Any, Statistics]:
    """What may be said of each column, by name."""
    summary = fitted.summary.summary
    assert isinstance(summary, Together)
    told: dict[Any, Statistics] = {}
    for (storage, places), kept in zip(fitted.schema.parts, summary.parts, strict=True):
        columns = [fitted.schema.columns[place] for place in places]
        told.update(zip((column.name for column in columns), _SAY[storage](columns, kept, found), strict=True))
    return told


def _of_numbers(columns: Sequence[Column], moments: Any, found: ColumnRanges) -> Iterator[Statistics]:
    """All columns at once: a mean read off for one of them would be computed for all, as often."""
    weight = moments.weight.value[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(moments.scatter.value[0] / (weight - 1.0))
    read = (values.tolist() for values in (moments.rows[0], weight, moments.mean.value[0], sd))
    for column, rows, whole, mean, spread in zip(columns, *read, strict=True):
        show: Callable[[float], Any] = _day if column.kind is Kind.DATE else float
        yield (
            {
                "mean": show(mean),
                "sd": spread if whole > 1.0 else None,
                "min": show(found.low[column.name]),
                "max": show(found.high[column.name]),
            }
            if rows
            else {}
        )


def _of_symbols(columns: Sequence[Column], counts: Any, found: ColumnRanges) -> Iterator[Statistics]:
    for labels, cells in zip(counts.labels, counts.slices, strict=True):
        weight = counts.weight[0, cells]
        total = weight.sum()
        order = np.argsort(-weight, kind="stable")[:SHOWN].tolist()
        frequent = ", ".join(f"{labels[i]} {weight[i] / total:.0%}" for i in order) if total else None
        yield {"different": len(labels), "most frequent": frequent}


def _of_words(columns: Sequence[Column], kept: Any, found: ColumnRanges) -> Iterator[Statistics]:
    _, counts = kept.parts  # documents and words
    words, times = counts.labels[0], counts.weight[0]
    order = np.argsort(-times, kind="stable")[:SHOWN].tolist()
    frequent = ", ".join(str(words[i]) for i in order) or None
    yield {"words": float(times.sum()), "different": len(words), "most frequent": frequent}


def _day(days: float) -> str:
    """A date; with its time where it has one."""
    try:
        when = EPOCH + datetime.timedelta(days=days)
    except OverflowError:
        return f"{days:g} days after 1970"
    return when.date().isoformat() if when.time() == datetime.time() else when.isoformat(" ", "seconds")


_SAY: dict[Storage, Callable[[Sequence[Column], Any, ColumnRanges], Iterator[Statistics]]] = {
    Storage.NUMBERS: _of_numbers,
    Storage.SYMBOLS: _of_symbols,
    Storage.WORDS: _of_words,
}
