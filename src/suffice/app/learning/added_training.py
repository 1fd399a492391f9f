"""Training by adding: both parts of the rows are learned apart in one pass, and added. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from suffice.app.cli.hold_out import HELD, HoldOutFold, WatchedFold, classes_alone, refuse_names
from suffice.app.cli.model_files import usual
from suffice.app.cli.reading import watched_chunks
from suffice.app.learning.training_task import TrainingTask
from suffice.app.report.score_sections import ScoreRows
from suffice.core.folds import placed
from suffice.core.learner import Always, LearnedFolds, learn, learn_folds
from suffice.estimators.ledger.noting import note_for
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.loaded import SavedModel
from suffice.sources.engines.file_source import FileSource
from suffice.sources.engines.noted_blocks import NotingPlan
from suffice.sources.engines.partitioned_source import PartitionedSource
from suffice.sources.files.read_report import Report


@dataclass(frozen=True)
class TrainedModel:
    """A model that was trained, and what is known of how."""

    value: SavedModel
    met: Report
    learned: int  # rows
    held: int
    scores: Any = None  # of the held-out rows; None where there are none
    usual: Any = None  # the most frequent class among the rows learned from
    classes: dict[Any, tuple[int, float]] = field(default_factory=dict)  # label -> rows and weight


def rows_of(task: TrainingTask, doing: str, note: Any = None) -> FileSource | PartitionedSource:
    """The rows of a task, as its model reads them."""
    plan, target = task.wanted.plan, task.reading.roles.target
    if task.wanted.numbers:
        return task.reading.source(plan, doing, number=target)
    watch = lambda chunks: classes_alone(target, watched_chunks(chunks, doing))  # noqa: E731
    source = task.reading.source(plan, doing, watch=watch)
    return replace(source, note=note) if isinstance(source, FileSource) else source


def by_adding(task: TrainingTask) -> TrainedModel:
    """One pass that learns from both parts of the rows apart, and one that tests."""
    note = note_for("train", task.ledger, None)
    source = rows_of(task, "learning", note)
    fold: HoldOutFold | WatchedFold = task.hold_out()
    plan: Any = source.plan
    if note is not None and isinstance(source, PartitionedSource):
        schema, parts = _noted_by_workers(note, source, task.hold_out(), task.refit)
    else:
        if note is not None and not task.refit:
            note.numbered, fold = True, WatchedFold(task.hold_out())
        schema, parts = learn_folds(plan, source, fold)
    if task.wanted.estimator is not None:
        for part in parts:
            task.wanted.estimator._check_kept(part)
    written = source.rows.label_texts
    learned, held = (_of_files(FittedModel(plan, schema, part, written=written)) for part in parts)
    whole = learned.merge([held])
    task.refuse_empty(whole.empty)
    if not task.wanted.numbers:
        refuse_names(task.reading.roles.target, whole.summary.labels, whole.rows)
    met = source.rows.report
    tested = not (held.empty or learned.empty)
    scores = held_scores(learned.model, source.read_as(schema), task.hold_out()) if tested else None
    final = whole if task.refit or learned.empty else learned
    if note is not None:
        kept = note.ledger()
        final = replace(
            final, ledger=kept.but(fold.held) if final is learned and isinstance(fold, WatchedFold) else kept
        )
    final.model  # noqa: B018  (what cannot be estimated is refused before anything is written)
    rows = [0 if part.empty else part.rows for part in (learned, held)]
    often = None if task.wanted.numbers or learned.empty else usual(learned)
    return TrainedModel(task.saved(final), met, rows[0], rows[1], scores, often)


def _of_files(fitted: FittedModel) -> FittedModel:
    """The same, knowing the columns of the files by name where its plan takes columns by their place."""
    if not hasattr(fitted.plan, "of_files"):
        return fitted
    plan = fitted.plan.of_files(fitted.schema)
    return replace(fitted, plan=plan, schema=plan.named(fitted.schema))


def _noted_by_workers(note: Any, source: PartitionedSource, fold: HoldOutFold, refit: bool) -> LearnedFolds:
    """The folds; workers keep a ledger of each, and that of the rows that the model is to keep becomes the note's."""
    schema, both = learn_folds(NotingPlan(source.plan, note), source, fold)
    learned, held = (part.parts[1] for part in both)
    note.take(type(learned).sum([learned, held]) if refit or not len(learned) else learned)
    return LearnedFolds(schema, tuple(part.parts[0] for part in both))


def held_scores(model: Any, source: Any, fold: Any) -> Any:
    """The scores of the rows that are held out."""
    return learn(Always(ScoreRows(model, placed(source, fold), HELD)), testing(source)).summary


def testing(source: Any) -> Any:
    """The same rows, which are not learned from now."""
    if not isinstance(source, FileSource):
        return source
    return replace(source, watch=lambda chunks: watched_chunks(chunks, "testing"), note=None)
