"""Scores as sections of a report: each with its interval, then who was taken for whom."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.app.majority import gain_over
from suffice.app.report import Section
from suffice.core.block import Array, Block, Coded
from suffice.core.schema import Schema
from suffice.estimators.fitted import ClassModel
from suffice.evaluation.estimate import Estimate
from suffice.evaluation.scores import Scores
from suffice.sources.chunk import Chunk

SHOWN = 20  # classes from which only the most frequent mistakes are listed


def score(model: ClassModel, schema: Schema, chunk: Chunk, rows: Array) -> Scores:
    """The scores of some rows of a chunk, by their places."""
    assert chunk.y is not None
    block = Block(chunk.table.parts(schema, slice(0, chunk.table.n)), chunk.y, chunk.w).take(rows)
    assert isinstance(block.y, Coded)
    truth = [block.y.labels[0][code] for code in block.y.codes[:, 0].tolist()]
    return Scores.of(truth, np.exp(model.log_posterior(block)), model.classes, sample_weight=block.w)


def score_sections(scores: Scores, usual: Any) -> list[Section]:
    """Scores, and the confusion table; `usual` is what the majority rule answers."""
    estimates: dict[str, Estimate] = {
        "accuracy": scores.accuracy,
        f"always {usual}": _share_of(scores, usual),
        "gained over that": gain_over(scores, usual),
        "log loss": scores.log_loss,
        "Brier score": scores.brier,
    }
    rows = [(name, e.value, *_interval(e), _whole(e.n)) for name, e in estimates.items()]
    columns = ("score", "value", "low", "high", "rows")
    return [Section("scores", columns, rows, "scores, each with its 95 % interval"), _answers(scores)]


def _share_of(scores: Scores, label: Any) -> Estimate:
    """The accuracy of always answering a label."""
    from suffice.evaluation.estimate import share

    weight = dict(zip(scores.labels, scores.tally.weight.value.tolist(), strict=True))
    return share(weight.get(label, 0.0), sum(weight.values()))


def _interval(estimate: Estimate) -> tuple[float | None, float | None]:
    return (estimate.low, estimate.high) if estimate.low <= estimate.high else (None, None)


def _answers(scores: Scores) -> Section:
    labels, table, _ = scores.confusion
    names = [str(label) for label in labels]
    if len(labels) <= SHOWN:
        rows = [(name, *(_whole(cell) for cell in line)) for name, line in zip(names, table.tolist(), strict=True)]
        return Section("confusion", ("true", *names), rows, "who was taken for whom: true classes down, answers across")
    wrong = table * (1.0 - np.eye(len(labels)))
    order = np.argsort(-wrong, axis=None, kind="stable")[:SHOWN]
    pairs = [divmod(int(place), len(labels)) for place in order]
    rows = [(names[t], names[a], _whole(float(wrong[t, a]))) for t, a in pairs if wrong[t, a] > 0]
    return Section("mistakes", ("true", "answered", "rows"), rows, "the most frequent mistakes")


def _whole(weight: float) -> int | float:
    return int(weight) if weight.is_integer() else weight
