"""Comparing: several models by cross-validation on the rows of files, which are read into memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from suffice.app.cli.pictures import check_picture, save_picture
from suffice.app.cli.reading import FileReading, remarks
from suffice.app.learning.model_names import read_settings, shared_settings
from suffice.app.learning.seeded_draws import draws_from
from suffice.app.learning.training_task import target_is_number
from suffice.app.learning.wanted_models import predictor
from suffice.app.learning.whole_table import read_whole
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.evaluation.comparing.compare_models import compare as compare_models
from suffice.evaluation.comparing.comparison_text import columns, lines, sentences
from suffice.evaluation.comparing.model_comparison import ModelComparison
from suffice.evaluation.comparing.usual_models import names_of

SHOWN = 10  # rows that people see of those that models disagree on
PAIR = ("first", "second", "difference", "low", "high", "p", "tied", "only_first_wrong", "only_second_wrong")


def compare(
    files: Sequence[str],
    *,
    kinds_of_model: Sequence[str],
    settings: Sequence[str] = (),
    folds: int,
    scoring: str | None,
    plot: str | None,
    **given: Any,
) -> CommandReport:
    """Read the rows, test every model on the same folds, and tell."""
    check_picture(plot)
    check_outputs(plot, files, option="--plot")
    reading = FileReading.of(files, **given)
    given_to = shared_settings(kinds_of_model, read_settings(settings))
    models = [predictor(name, said) for name, said in zip(kinds_of_model, given_to, strict=True)]
    numbers = bool(is_regressor(models[0])) if models else target_is_number(reading)
    table = read_whole(reading, numbers=numbers)
    named = dict(zip(names_of(models), models, strict=True)) or None
    score = None if scoring is None else scoring.replace("-", "_")
    told: dict[str, Any] = {"cv": folds, "scoring": score, "sample_weight": table.w, "kinds": table.kinds}
    with draws_from(0):
        found = compare_models(table.X, table.y, named, **told)
    if plot is not None:
        from suffice.plots.learning.comparison_display import ComparisonDisplay

        save_picture(lambda axes: ComparisonDisplay.from_comparison(found, ax=axes), plot)
    facts = {"rows": table.met.rows, "compared_on": table.n, "folds": found.splits, "scoring": found.scoring}
    facts |= {"best": found.best.name, "plot": plot}
    notes = [*remarks(table.met), *sentences(found)]
    return CommandReport({k: v for k, v in facts.items() if v is not None}, sections(found, table.numbers), notes)


def sections(found: ModelComparison, numbers: Any) -> list[Section]:
    """The models, every pair of them, and the rows on which those disagree that are tied."""
    names = tuple(name.replace(" ", "_") for name in columns(found))
    told = [Section("models", names, lines(found), "models, the best first")]
    if len(found.models) < 2:
        return told
    told.append(Section("pairs", PAIR, [_pair(pair) for pair in found.pairs], "pairs of models, the better one first"))
    tied = found.ties if len(found.ties) > 1 else [model.name for model in found.models]
    rows = found.disagreements(*tied)
    answers = [np.asarray(found[name].answers) for name in tied]
    cells = [(int(numbers[i]), _plain(found.truth[i]), *(_plain(a[i]) for a in answers)) for i in rows.tolist()]
    title = f"rows that {'tied models' if len(found.ties) > 1 else 'models'} answer differently"
    told.append(Section("disagreements", ("row", "truth", *tied), cells, title, shown=SHOWN))
    return told


def _pair(pair: Any) -> tuple[Any, ...]:
    test, errors = pair.test, pair.errors
    apart = (None, None, None) if test is None else (test.difference, *test.interval())
    wrong = (None, None) if errors is None else (errors.only_first, errors.only_second)
    return (pair.first, pair.second, *apart, None if pair.p != pair.p else pair.p, pair.tied, *wrong)


def _plain(cell: Any) -> Any:
    return cell.item() if hasattr(cell, "item") else cell
