"""Cross-validating a model of a file: its kind and parameters, learned anew from rows and tested fold by fold."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor

from suffice.app.cli.model_files import usual
from suffice.app.cli.reading import FileReading, analyzer_of, remarks
from suffice.app.learning.seeded_draws import draws_from
from suffice.app.learning.whole_table import read_whole
from suffice.app.report.report import CommandReport, Section
from suffice.app.report.score_sections import number_sections, score_sections
from suffice.compose.given_kinds import give_kinds, kinds_of_columns
from suffice.core.errors import Said, bad
from suffice.estimators.folds.fold_models import adds
from suffice.estimators.state.loaded import SavedModel, model_of
from suffice.evaluation.scores.named_scores import SCORES
from suffice.evaluation.selection.cross_validation import CrossValidation, cross_validate


def cross_validated(path: str, model: SavedModel, reading: FileReading, folds: int) -> tuple[CommandReport, Any]:
    """The scores of a model of the same kind on rows that it has not learned from, and those scores themselves."""
    estimator = clone(model_of(model).estimator())
    numbers = bool(is_regressor(estimator))
    known = reading.as_model(model.fitted, model.origin.names)  # the columns that it was trained on, and no others
    if adds(estimator):
        number = known.roles.target if numbers else None
        source = known.source(estimator._plan(), "learning", number, analyzer=analyzer_of(model.fitted))
        found = cross_validate(estimator, source, cv=folds)
        met = source.rows.report
    elif known.session is not None:
        rule = "left out for folds of a model that does not learn in one pass"
        raise bad("", "--engine", rule, Said(f"a {model.name}"), "Leave --folds or --engine out.")
    else:
        table = read_whole(reading, numbers=numbers, rows=known.rows(analyzer_of(model.fitted)))
        told = give_kinds(kinds_of_columns(estimator, table.columns), table.kinds)
        with draws_from(0):
            found = cross_validate(told, table.X, table.y, cv=folds, sample_weight=table.w)
        met = table.met
    total = found.total
    scored = int(total.moments.rows[0, 0] if numbers else total.tally.rows.sum())
    if scored < folds:
        raise bad("evaluate", "--folds", f"at most the number of rows with a target, {scored}", folds, "Take fewer.")
    sections = number_sections(total) if numbers else score_sections(total, usual(model.fitted, total))
    facts = {"model": path, "rows": met.rows, "scored": scored, "folds": len(found.scores), "learned": found.path}
    return CommandReport(facts, [*sections, folds_section(found)], remarks(met)), total


def folds_section(found: CrossValidation) -> Section:
    """The scores of each fold, and their mean with its standard error."""
    names = SCORES[type(found.scores[0])]
    values = {name: found.values(name) for name in names}
    usable = [name for name in names if np.isfinite(values[name]).all()]
    lines = [(str(k + 1), *(float(values[name][k]) for name in usable)) for k in range(len(found.scores))]
    lines.append(("mean", *(found.mean(name) for name in usable)))
    lines.append(("standard error", *(found.standard_error(name) for name in usable)))
    return Section("by_fold", ("fold", *usable), lines, "scores fold by fold")
