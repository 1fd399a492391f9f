"""Evaluating: the scores of a model on rows whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.app.cli.answers import refuse_several_labels, targets_of
from suffice.app.cli.decisions import read_decision
from suffice.app.cli.forget import target_of
from suffice.app.cli.model_files import file_source, read_model, refuse_face, usual
from suffice.app.cli.pictures import check_picture, save_picture
from suffice.app.cli.reading import FileReading, remarks
from suffice.app.learning.option_errors import usage
from suffice.app.report.decided_scores import DecideRows, decided_sections
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport
from suffice.app.report.score_sections import ScoreRows, number_sections, score_sections
from suffice.core.block import Block
from suffice.core.errors import Said, bad
from suffice.core.learner import Always, learn
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.loaded_faces import FACES
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.regression_scores import RegressionScores
from suffice.summaries.start_rows import StartRows

DRAWN = 2_000  # points of a picture
PREDICTING = ("probabilistic", "classifier", "regressor")  # faces


def evaluate(
    path: str,
    files: Sequence[str],
    *,
    target: str | None = None,
    prior: Any = None,
    costs: str | None = None,
    reject: float | None = None,
    at_least: float | None = None,
    folds: int | None = None,
    plot: str | None = None,
    **given: Any,
) -> CommandReport:
    """Answer all rows that have a target, and tell how well; or learn them anew, fold by fold, where that is asked."""
    check_picture(plot)
    check_outputs(plot, (path, *files), option="--plot")
    model = read_model(path)
    refuse_face(path, model, tuple({*FACES} - {*PREDICTING}), "a model that predicts classes or numbers")
    refuse_several_labels("evaluate", model.fitted, "Score it in Python.")
    if model.fitted.plan.face == "regressor" and targets_of(model.fitted) > 1:
        rule = "one that predicts one number a row"
        raise bad("evaluate", "the model", rule, Said("several numbers a row"), "Score it in Python.")
    reading = FileReading.of(files, target=target_of("evaluate", model, target), **given)
    wishes = (prior, costs, reject, at_least)
    if folds is None:
        report, scores = _answered(path, model, reading, wishes, plot)
    else:
        if any(wish is not None for wish in wishes):
            raise usage(
                "--folds", "folds are tested by plain answers; leave --prior, --costs, --reject, --at-least out."
            )
        from suffice.app.cli.cross_validate import cross_validated

        report, scores = cross_validated(path, model, reading, folds)
        if plot is not None:
            _draw(plot, scores)
    return report


def _answered(
    path: str, model: SavedModel, reading: FileReading, wishes: Sequence[Any], plot: str | None
) -> tuple[CommandReport, Scores | RegressionScores]:
    """The scores of the model as it is."""
    fitted = model.fitted
    source = file_source(reading, model, "evaluating")
    decision = None
    if any(wish is not None for wish in wishes):
        refuse_face(path, model, tuple({*FACES} - {"probabilistic"}), "a model with probabilities, to decide anew")
        decision = read_decision(fitted.model.classes, *wishes)
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
        sections = decided_sections(scores, usual(fitted, scores), decision, tuple(fitted.model.classes))
    else:
        sections = number_sections(scores) if numbers else score_sections(scores, usual(fitted, scores))
    if plot is not None and numbers:
        _draw_residuals(plot, fitted.model, source)
    elif plot is not None:
        _draw(plot, scores)
    return CommandReport({"model": path, "rows": report.rows, "scored": scored}, sections, remarks(report)), scores


def _draw(plot: str, scores: Scores | RegressionScores) -> None:
    """Who was taken for whom."""
    if isinstance(scores, RegressionScores):
        raise bad("", "--plot", "left out with --folds of numbers", Said("both"), "Leave one of them out.")
    from suffice.plots.displays.confusion_display import ConfusionDisplay

    save_picture(lambda axes: ConfusionDisplay(confusion=scores.confusion).plot(axes), plot)


def _draw_residuals(plot: str, model: Any, source: Any) -> None:
    """What predictions are off by, for some rows that the numbers of rows choose."""
    from suffice.plots.displays.residual_display import ResidualDisplay

    drawn = learn(Always(DrawResiduals(model)), source).summary
    predicted, residuals = drawn.in_order().rows.T
    save_picture(lambda axes: ResidualDisplay(predicted=predicted, residuals=residuals).plot(axes), plot)


@dataclass(frozen=True)
class DrawResiduals:
    """Draws rows evenly, each with its prediction and what that is off by; they add, wherever rows are read."""

    model: Any

    def summarize(self, block: Block, model: None = None) -> StartRows:
        """Those of a block."""
        y = np.asarray(block.y, dtype=np.float64)
        predicted = np.asarray(self.model.predict(block)).reshape(y.shape)
        cells = np.hstack([predicted[:, :1], (y - predicted)[:, :1]])
        return StartRows.drawn(block._replace(parts=(cells,)), 0, DRAWN)
