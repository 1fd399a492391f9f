"""Ways to train a named model: by adding where its folds add, in passes over files, or from all rows in memory."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.app.cli.hold_out import HELD, LEARNED, CountedFold, refuse_names
from suffice.app.learning.added_training import TrainedModel, by_adding, rows_of, testing
from suffice.app.learning.scored_folds import ScoreAndCount, ScoredFolds
from suffice.app.learning.seeded_draws import draws_from
from suffice.app.learning.training_task import TrainingTask
from suffice.app.learning.whole_table import read_whole
from suffice.compose.chain_steps import takes_rows
from suffice.compose.given_kinds import give_kinds, kinds_of_columns
from suffice.core.block import Coded
from suffice.core.errors import Said, bad
from suffice.core.folds import placed
from suffice.core.learner import Always, learn
from suffice.estimators.folds.fold_models import Splits, adds, parts_of_rows
from suffice.estimators.state.loaded import SavedModel
from suffice.evaluation.selection.cross_validation import split_scores
from suffice.sources.engines.wrapped_sources import SomeFolds
from suffice.sources.tables.labels import code_labels


def trained(task: TrainingTask) -> TrainedModel:
    """The model of a task, by the way that it allows."""
    task.refuse_bare()
    with draws_from(task.seed):
        return _trained(task)


def _trained(task: TrainingTask) -> TrainedModel:
    if adds(task.wanted.estimator):
        return by_adding(task)
    if "target" in inspect.signature(task.wanted.estimator.fit).parameters and takes_rows(task.wanted.estimator):
        return _by_passes(task)
    if task.reading.session is not None:
        rule = "left out for a model that takes all rows at once"
        remedy = "Choose a model of one pass or in passes, such as NaiveBayes, LogisticRegression or Tree."
        raise bad("", "--engine", rule, Said(f"a {task.wanted.name}"), remedy)
    return _in_memory(task)


def _by_passes(task: TrainingTask) -> TrainedModel:
    """Passes over the rows that are not held out, one that tests, and passes over all rows for the model to keep."""
    source = rows_of(task, "learning")
    apart = SomeFolds(source, task.hold_out, frozenset({LEARNED}))
    held = task.share > 0.0
    first = _fit(task, apart if held else source)
    fitted = first.fitted_
    learner = ScoreAndCount(fitted.model, placed(source, task.hold_out()))
    found = ScoredFolds(*learn(Always(learner), testing(_read_for(source, fitted))).summary.parts)
    scores = found.scores if found.rows(HELD) else None
    final = _fit(task, source) if held and task.refit else first
    if not task.wanted.numbers:
        refuse_names(task.reading.roles.target, found.classes, found.rows(LEARNED) + found.rows(HELD))
    return TrainedModel(
        _value(task, final),
        source.rows.report,
        found.rows(LEARNED),
        found.rows(HELD),
        scores,
        found.usual,
        found.classes,
    )


def _read_for(source: Any, fitted: Any) -> Any:
    """The rows as a fitted model reads them: by the levels that it has met, where it has some."""
    by_levels = getattr(fitted.plan, "design", None) is not None and hasattr(source, "read_by")
    return (source.read_by(fitted.plan) if by_levels else source).read_as(fitted.schema)


def _fit(task: TrainingTask, source: Any) -> Any:
    model = clone(task.wanted.estimator)
    in_memory = {"in_memory": True} if "in_memory" in inspect.signature(model.fit).parameters else {}
    return model.fit(source, **in_memory)


def _in_memory(task: TrainingTask) -> TrainedModel:
    """All rows as a table: for models around models."""
    table = read_whole(task.reading, numbers=task.wanted.numbers)
    X, y, w = table.X, table.y, table.w
    assert y is not None
    coded: Coded | None = None if task.wanted.numbers else code_labels(y)
    if coded is not None:
        refuse_names(task.reading.roles.target, coded.labels[0], table.n)
    held = task.hold_out().of_numbers(table.numbers, coded)
    places = [np.flatnonzero(held == part) for part in (LEARNED, HELD)]
    model = give_kinds(kinds_of_columns(task.wanted.estimator, table.columns), table.kinds)
    some = len(places[0]) > 0 and len(places[1]) > 0
    everything = np.arange(table.n)
    (first,) = parts_of_rows(model, X, y, w, Splits(((places[0] if some else everything, places[1]),), None))
    scores = split_scores(first, X, y, w, places[1]) if some else None
    final = first
    if some and task.refit:
        (final,) = parts_of_rows(model, X, y, w, Splits(((everything, places[1]),), None))
    counted = CountedFold(task.hold_out())
    if coded is not None:
        counted.count(coded, w, held)
    return TrainedModel(
        _value(task, final), table.met, len(places[0]), len(places[1]), scores, counted.usual(), counted.classes()
    )


def _value(task: TrainingTask, fitted: Any) -> SavedModel:
    """A fitted estimator as a file holds it."""
    found: SavedModel = replace(fitted._saved(), target=task.reading.roles.target)
    return found
