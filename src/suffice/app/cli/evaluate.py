"""Evaluating: the scores of a model on rows whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from suffice.app.cli.decisions import read_decision
from suffice.app.cli.forget import target_of
from suffice.app.cli.model_files import file_source, read_model, refuse_face, usual
from suffice.app.cli.reading import FileReading, remarks, watched_chunks
from suffice.app.report.decided_scores import DecideRows, decided_sections
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport
from suffice.app.report.score_sections import ScoreRows, number_sections, score_sections
from suffice.core.errors import bad
from suffice.core.learner import Always, learn
from suffice.estimators.state.loaded_faces import FACES
from suffice.evaluation.scores.regression_scores import RegressionScores


def evaluate(
    path: str,
    files: Sequence[str],
    *,
    target: str | None = None,
    prior: Any = None,
    costs: str | None = None,
    reject: float | None = None,
    at_least: float | None = None,
    **given: Any,
) -> CommandReport:
    """Answer all rows that have a target, and tell how well."""
    check_outputs(None, (path, *files))
    model = read_model(path)
    refuse_face(path, model, ("density", "clusterer"), "a model that predicts classes or numbers")
    fitted = model.fitted
    reading = FileReading.of(files, target=target_of("evaluate", model, target), **given)
    source = file_source(reading, fitted, lambda chunks: watched_chunks(chunks, "evaluating"))
    wished = any(wish is not None for wish in (prior, costs, reject, at_least))
    decision = None
    if wished:
        refuse_face(path, model, tuple({*FACES} - {"probabilistic"}), "a model with probabilities, to decide anew")
        decision = read_decision(fitted.model.classes, prior, costs, reject, at_least)
    learner: Any = ScoreRows(fitted.model) if decision is None else DecideRows(fitted.model, decision)
    scores = learn(Always(learner), source).summary
    report = source.rows.report
    numbers = isinstance(scores, RegressionScores)
    scored = int(scores.moments.rows[0, 0] if numbers else scores.tally.rows.sum())
    if not scored:
        raise bad(
            "evaluate", f"the target {reading.roles.target!r}", "present in some row", "none", "Check the column."
        )
    if decision is not None:
        sections = decided_sections(scores, usual(fitted), decision, tuple(fitted.model.classes))
    else:
        sections = number_sections(scores) if numbers else score_sections(scores, usual(fitted))
    return CommandReport({"model": path, "rows": report.rows, "scored": scored}, sections, remarks(report))
