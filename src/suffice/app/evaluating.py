"""Evaluating: the scores of a model on rows whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.app.forgetting import target_of
from suffice.app.models import read_probabilities, usual
from suffice.app.output import check_outputs
from suffice.app.reading import Reading, remarks, watched_chunks
from suffice.app.report import Report
from suffice.app.scoring import score, score_sections
from suffice.core.errors import bad
from suffice.evaluation.scores import Scores


def evaluate(path: str, files: Sequence[str], *, target: str | None = None, **given: Any) -> Report:
    """Answer all rows that have a label, and tell how well."""
    check_outputs(None, (path, *files))
    model = read_probabilities(path)
    fitted = model.fitted
    reading = Reading.of(files, target=target_of("evaluate", model, target), **given)
    rows = reading.for_model(fitted)
    scores = []
    for chunk in watched_chunks(rows.chunks(), "evaluating"):
        known = np.arange(chunk.table.n) if chunk.keep is None else np.flatnonzero(chunk.keep)
        if len(known):
            scores.append(score(fitted.model, fitted.schema, chunk, known))
    if not scores:
        raise bad(
            "evaluate", f"the target {reading.roles.target!r}", "present in some row", "none", "Check the column."
        )
    total = Scores.sum(scores)
    facts = {"model": path, "rows": rows.report.rows, "scored": int(total.tally.rows.sum())}
    return Report(facts, score_sections(total, usual(fitted)), remarks(rows.report))
