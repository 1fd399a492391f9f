"""Training: one pass that learns from both parts of the rows apart, one that tests, and the model as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from suffice.app.cli.hold_out import FEW, HELD, MANY, HoldOutFold, WatchedFold, classes_alone, refuse_names
from suffice.app.cli.model_files import classes_section, read_key, usual
from suffice.app.cli.reading import FileReading, remarks, watched_chunks
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.app.report.score_sections import ScoreRows, score_sections
from suffice.bayes.naive.naive_plan import NaivePlan
from suffice.core.errors import bad
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import Always, learn, learn_folds
from suffice.core.summary import Together
from suffice.estimators.ledger.noting import note_for
from suffice.estimators.state.fitted import FittedModel, Plan
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin
from suffice.evaluation.scores.classification_scores import Scores
from suffice.persistence import save
from suffice.sources.engines.file_source import FileSource
from suffice.sources.files.read_report import Report as Met

MODELS: Mapping[str, tuple[str, Callable[..., Plan]]] = {"naive-bayes": ("NaiveBayes", NaivePlan)}


@dataclass(frozen=True)
class TrainingTask:
    """What is to be learned, from what, and how it is tested."""

    reading: FileReading
    name: str  # of the estimator
    plan: Plan
    kinds: Mapping[str, Any]  # of features, as they were declared
    share: float  # of the rows that are held out
    seed: int
    stratify: bool
    refit: bool
    ledger: str | bool | None = None  # a key, or whether to draw one

    @classmethod
    def of(
        cls,
        files: Sequence[str],
        *,
        kind: str,
        test_size: float,
        seed: int,
        stratify: bool,
        refit: bool,
        ledger: bool = False,
        key_file: str | None = None,
        kinds: Mapping[str, Any],
        identifier: Sequence[str] = (),
        **given: Any,
    ) -> TrainingTask:
        """From the options of the command."""
        reading = FileReading.of(files, kinds=kinds, identifier=identifier, **given)
        said = {**kinds, **dict.fromkeys(identifier, Kind.IDENTIFIER.value)}
        apart = {*reading.roles.apart, *reading.roles.ignore}
        features = {column: kind for column, kind in said.items() if column not in apart}
        name, plan = MODELS[kind]
        key = ledger if key_file is None else read_key(key_file)
        return cls(reading, name, plan(kinds=features), features, test_size, seed, stratify, refit, key)

    def hold_out(self) -> HoldOutFold:
        """Which rows are held out, from the first on."""
        return HoldOutFold(self.share, self.seed, self.stratify)

    def saved(self, fitted: FittedModel) -> SavedModel:
        """The model as a file holds it."""
        names = fitted.schema.names
        origin = Origin(len(names), names, "mapping")
        parameters = {"kinds": dict(self.kinds) or None, **({"ledger": True} if self.ledger else {})}
        return SavedModel(self.name, fitted, origin, parameters, self.reading.roles.target)


def train(files: Sequence[str], out: str | None, **given: Any) -> CommandReport:
    """Learn, test, save if there is a path, and tell."""
    check_outputs(out, files)
    task = TrainingTask.of(files, **given)
    rows = task.reading.rows()
    target = rows.roles.target
    watch = lambda chunks: classes_alone(target, watched_chunks(chunks, "learning"))  # noqa: E731
    note = note_for("train", task.ledger, None)
    source = FileSource(rows, task.plan, watch=watch, note=note)
    fold: HoldOutFold | WatchedFold = task.hold_out()
    if note is not None and not task.refit:
        note.numbered, fold = True, WatchedFold(task.hold_out())
    schema, parts = learn_folds(task.plan, source, fold)
    written = rows.label_texts
    learned, held = (FittedModel(task.plan, schema, part, written=written) for part in parts)
    whole = learned.merge([held])
    if whole.empty:
        rule = "present in a row that weighs more than 0"
        raise bad(task.name, f"the target {target!r}", rule, "no such row", "Check the column and the weights.")
    refuse_names(target, len(whole.summary.labels), _rows(whole))
    met = rows.report
    scores = None if held.empty or learned.empty else _score_held_out(task, learned, source)
    final = whole if task.refit or learned.empty else learned
    if note is not None:
        kept = note.ledger()
        final = replace(
            final, ledger=kept.but(fold.held) if final is learned and isinstance(fold, WatchedFold) else kept
        )
    final.model  # noqa: B018  (what cannot be estimated is refused before anything is written)
    if out is not None:
        save(task.saved(final), out)
    return told(task, met, learned, held, final, scores, out)


def _score_held_out(task: TrainingTask, learned: FittedModel, source: FileSource) -> Scores:
    """The scores of the rows that were held out."""
    watch = lambda chunks: watched_chunks(chunks, "testing")  # noqa: E731
    again = replace(source, watch=watch).read_as(learned.schema)
    found: Scores = learn(Always(ScoreRows(learned.model, task.hold_out(), HELD)), again).summary
    return found


def told(
    task: TrainingTask,
    met: Met,
    learned: FittedModel,
    held: FittedModel,
    final: FittedModel,
    scores: Scores | None,
    out: str | None,
) -> CommandReport:
    """What there is to tell about a training."""
    facts = {"rows": met.rows, "learned_from": _rows(learned), "held_out": _rows(held), "model": out}
    sections = [columns_section(met), classes_section(final)]
    if scores is not None:
        sections += score_sections(scores, usual(learned))
    notes = [*remarks(met), *_names_of_rows(final), *_about(task, final, scores, held, out)]
    return CommandReport({name: fact for name, fact in facts.items() if fact is not None}, sections, notes)


def columns_section(met: Met) -> Section:
    """Kinds, missing and bad cells."""
    rows = [(str(c.name), c.kind.value, c.missing, c.bad) for c in met.columns]
    return Section("columns", ("column", "kind", "missing", "bad"), rows)


def _rows(fitted: FittedModel) -> int:
    return int(fitted.summary.tally.rows.sum())


def _names_of_rows(fitted: FittedModel) -> list[str]:
    """A remark about each column of symbols that differs in nearly every row."""
    summary, rows = fitted.summary.summary, _rows(fitted)
    assert isinstance(summary, Together)
    told = []
    for (storage, places), kept in zip(fitted.schema.parts, summary.parts, strict=True):
        for place, labels in zip(places, getattr(kept, "labels", ()), strict=False):
            if storage is Storage.SYMBOLS and rows >= FEW and len(labels) > MANY * rows:
                name = fitted.schema.columns[place].name
                told.append(
                    f"Column {name!r} has {len(labels):,} different values in {rows:,} rows; if it only names them, "
                    f"say --identifier {name}, if it is prose, --kinds {name}=text."
                )
    return told


def _about(
    task: TrainingTask, final: FittedModel, scores: Scores | None, held: FittedModel, out: str | None
) -> list[str]:
    """What the scores are of, and what the saved model knows."""
    notes = []
    if len(final.summary.labels) == 1:
        notes.append(
            f"All rows are of one class, {final.summary.labels[0]!r}: merge this model with others to predict."
        )
    if scores is None:
        notes.append("No row was held out with others left to learn from, so there are no scores.")
    elif scores.impossible:
        notes.append(f"{scores.impossible:,} rows had a true class of probability 0, so the log loss is infinite.")
    if scores is not None and task.refit:
        notes.append("The scores are of the model of the other rows; the final model knows the held-out rows too.")
    if out is None:
        notes.append("The model was not saved; name a file by --out.")
    return notes
