"""Describing a table: what is in each column, and what its kind lets one say of it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.app.reading import Reading, remarks, watched_chunks
from suffice.app.report import Report, Section
from suffice.bayes.plan import NaivePlan
from suffice.core.block import Array, Coded
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import learn
from suffice.core.schema import Column
from suffice.core.summary import Together
from suffice.estimators.fitted import FittedModel
from suffice.sources.chunk import Chunk
from suffice.sources.memory import MemorySource

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
class Range:
    """The smallest and the largest number of each column, by name."""

    low: dict[Any, float] = field(default_factory=dict)
    high: dict[Any, float] = field(default_factory=dict)

    def add(self, names: Iterable[Any], X: Array) -> None:
        """Some more rows (n, d), NaN where missing."""
        for j, name in enumerate(names):
            present = X[~np.isnan(X[:, j]), j]
            if len(present):
                self.low[name] = min(float(present.min()), self.low.get(name, np.inf))
                self.high[name] = max(float(present.max()), self.high.get(name, -np.inf))


def described(reading: Reading) -> Report:
    """Read all rows once, and tell."""
    plan, rows, found = NaivePlan(), reading.rows(), Range()
    done: list[FittedModel] = []
    for chunk in watched_chunks(rows.chunks(), "reading"):
        if chunk.schema.parts:
            done = [_added(done, _summarized(plan, chunk, found))]
    met = rows.report
    said = _statistics(done[0], found) if done else {}
    lines = []
    for column in met.columns:
        known = said.get(column.name, {})
        start = (str(column.name), column.kind.value, column.rows - column.missing - column.bad)
        lines.append((*start, column.missing, column.bad, *(known.get(name) for name in COLUMNS[5:])))
    return Report({"rows": met.rows}, [Section("columns", COLUMNS, lines)], remarks(met))


def _summarized(plan: NaivePlan, chunk: Chunk, found: Range) -> FittedModel:
    """The rows of a chunk as those of one class."""
    n = chunk.table.n
    y = Coded(np.zeros((n, 1), dtype=np.int32), (("all",),))
    source = MemorySource(chunk.table, chunk.schema, y, chunk.w)
    if chunk.schema.parts[0][0] is Storage.NUMBERS:
        places = chunk.schema.parts[0][1]
        found.add((chunk.schema.columns[i].name for i in places), source.block(slice(0, n)).parts[0])
    return FittedModel(plan, *learn(plan, source))


def _added(done: list[FittedModel], more: FittedModel) -> FittedModel:
    return done[0].merge([more]) if done else more


def _statistics(fitted: FittedModel, found: Range) -> dict[Any, Statistics]:
    """What may be said of each column, by name."""
    summary = fitted.summary.summary
    assert isinstance(summary, Together)
    told: dict[Any, Statistics] = {}
    for (storage, places), kept in zip(fitted.schema.parts, summary.parts, strict=True):
        for at, place in enumerate(places):
            column = fitted.schema.columns[place]
            told[column.name] = _SAY[storage](column, kept, at, found)
    return told


def _of_numbers(column: Column, moments: Any, at: int, found: Range) -> Statistics:
    show: Callable[[float], Any] = _day if column.kind is Kind.DATE else float
    weight = float(moments.weight.value[0, at])
    spread = float(moments.scatter.value[0, at])
    if not moments.rows[0, at]:
        return {}
    return {
        "mean": show(float(moments.mean.value[0, at])),
        "sd": float(np.sqrt(spread / (weight - 1.0))) if weight > 1.0 else None,
        "min": show(found.low[column.name]),
        "max": show(found.high[column.name]),
    }


def _of_symbols(column: Column, counts: Any, at: int, found: Range) -> Statistics:
    labels, weight = counts.labels[at], counts.column(at)[0]
    total = weight.sum()
    order = np.argsort(-weight, kind="stable")[:SHOWN].tolist()
    frequent = ", ".join(f"{labels[i]} {weight[i] / total:.0%}" for i in order) if total else None
    return {"different": len(labels), "most frequent": frequent}


def _of_words(column: Column, kept: Any, at: int, found: Range) -> Statistics:
    _, counts = kept.parts  # documents and words
    words, times = counts.labels[0], counts.weight[0]
    order = np.argsort(-times, kind="stable")[:SHOWN].tolist()
    frequent = ", ".join(str(words[i]) for i in order) or None
    return {"words": float(times.sum()), "different": len(words), "most frequent": frequent}


def _day(days: float) -> str:
    """A date; with its time where it has one."""
    try:
        when = EPOCH + datetime.timedelta(days=days)
    except OverflowError:
        return f"{days:g} days after 1970"
    return when.date().isoformat() if when.time() == datetime.time() else when.isoformat(" ", "seconds")


_SAY: dict[Storage, Callable[[Column, Any, int, Range], Statistics]] = {
    Storage.NUMBERS: _of_numbers,
    Storage.SYMBOLS: _of_symbols,
    Storage.WORDS: _of_words,
}
