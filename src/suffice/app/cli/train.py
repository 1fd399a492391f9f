"""Training: learn, test on rows held out, save, and tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from suffice.app.cli.hold_out import FEW, MANY
from suffice.app.cli.model_files import class_lines, classes_section
from suffice.app.cli.reading import remarks
from suffice.app.learning.added_training import TrainedModel, by_adding
from suffice.app.learning.training_task import TrainingTask
from suffice.app.report.command_words import kind_of, named
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.app.report.score_sections import number_sections, score_sections
from suffice.core.by_class import ByClass
from suffice.core.kinds import Storage
from suffice.core.summary import Together
from suffice.estimators.state.fitted import FittedModel
from suffice.persistence import save
from suffice.sources.files.read_report import Report as Met


def train(files: Sequence[str], out: str | None, **given: Any) -> CommandReport:
    """Learn, test, save if there is a path, and tell."""
    check_outputs(out, files)
    task = TrainingTask.of(files, **given)
    found = _trained(task)
    if out is not None:
        save(found.value, out)
    return told(task, found, out)


def _trained(task: TrainingTask) -> TrainedModel:
    if task.wanted.estimator is None:
        return by_adding(task)
    from suffice.app.learning.ways_to_train import trained

    return trained(task)


def told(task: TrainingTask, found: TrainedModel, out: str | None) -> CommandReport:
    """What there is to tell about a training."""
    facts: dict[str, Any] = {"rows": found.met.rows, "learned_from": found.learned, "held_out": found.held}
    if task.wanted.estimator is not None:
        facts["kind"] = repr(task.wanted.estimator) if task.wanted.name == "Chain" else task.wanted.name
    facts["model"] = out
    sections = [columns_section(found.met)]
    if isinstance(found.value.fitted.summary, ByClass):
        sections.append(classes_section(found.value.fitted))
    elif found.classes:
        sections.append(class_lines(found.classes))
    if found.scores is not None:
        sections += number_sections(found.scores) if task.wanted.numbers else score_sections(found.scores, found.usual)
    notes = [*remarks(found.met), *_names_of_rows(found.value.fitted), *_about(task, found, out)]
    return CommandReport({name: fact for name, fact in facts.items() if fact is not None}, sections, notes)


def columns_section(met: Met) -> Section:
    """Kinds, missing and bad cells."""
    rows = [(str(c.name), c.kind.value, c.missing, c.bad) for c in met.columns]
    return Section("columns", ("column", "kind", "missing", "bad"), rows)


def _names_of_rows(fitted: FittedModel) -> list[str]:
    """A remark about each column of symbols that differs in nearly every row."""
    summary = fitted.summary.summary if isinstance(fitted.summary, ByClass) else None
    if not isinstance(summary, Together):
        return []
    rows, told = fitted.rows, []
    for (storage, places), kept in zip(fitted.schema.parts, summary.parts, strict=False):
        for place, labels in zip(places, getattr(kept, "labels", ()), strict=False):
            if storage is Storage.SYMBOLS and rows >= FEW and len(labels) > MANY * rows:
                name = fitted.schema.columns[place].name
                told.append(
                    f"Column {name!r} has {len(labels):,} different values in {rows:,} rows; if it only names them, "
                    f"say {named('identifier', name)}, if it is prose, {kind_of(name, 'text')}."
                )
    return told


def _about(task: TrainingTask, found: TrainedModel, out: str | None) -> list[str]:
    """What the scores are of, and what the saved model knows."""
    notes, fitted, scores = [], found.value.fitted, found.scores
    if isinstance(fitted.summary, ByClass) and len(fitted.summary.labels) == 1:
        notes.append(
            f"All rows are of one class, {fitted.summary.labels[0]!r}: merge this model with others to predict."
        )
    if scores is None:
        notes.append("No row was held out with others left to learn from, so there are no scores.")
    elif getattr(scores, "impossible", 0):
        notes.append(f"{scores.impossible:,} rows had a true class of probability 0, so the log loss is infinite.")
    if scores is not None and task.refit:
        notes.append("The scores are of the model of the other rows; the final model knows the held-out rows too.")
    if out is None:
        notes.append("The model was not saved; name a file by --out.")
    return notes
