"""Forgetting rows: the model that never saw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from suffice.app.cli.model_files import file_source, model_report, read_summary
from suffice.app.cli.reading import FileReading, warn_of_bad
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport
from suffice.core.errors import Said, bad
from suffice.core.learner import learn
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.loaded import SavedModel
from suffice.persistence import save


def forget(path: str, files: Sequence[str], out: str, *, target: str | None = None, **given: Any) -> CommandReport:
    """Summarize the rows, take them away, save what is left."""
    check_outputs(out, files, own=[path])
    model = read_summary(path)
    plan = model.fitted.plan
    reading = FileReading.of(files, target=target_of("forget", model, target), **given)
    source = file_source(reading, model.fitted, known=False)
    taken = FittedModel(plan, *learn(plan, source))
    warn_of_bad(source.rows.report)
    if taken.empty:
        rule = "present in a row that weighs more than 0"
        raise bad(
            model.name, f"the target {reading.roles.target!r}", rule, "no such row", "Check the column and the weights."
        )
    left = model.fitted.forget(taken)
    if left.empty:
        raise bad("forget", "the rows left", "at least one", Said("none"), "Delete the model instead.")
    left.model  # noqa: B018  (what cannot be estimated is refused before anything is written)
    save(model.holding(left), out)
    return model_report(model.holding(left), out)


def target_of(owner: str, model: SavedModel, given: str | None) -> str:
    """The column of labels: the one given, or the one of training."""
    if given is not None:
        return given
    if model.target is None:
        raise bad(
            owner, "the target", "given for a model that was not trained from files", Said("none"), "Say --target."
        )
    return str(model.target)
