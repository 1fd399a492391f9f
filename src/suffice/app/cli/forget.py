"""Forgetting rows: the model that never saw them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from suffice.app.cli.model_files import file_source, model_report, read_key, read_summary
from suffice.app.cli.reading import FileReading, warn_of_bad
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport
from suffice.core.errors import Said, bad
from suffice.core.learner import learn
from suffice.estimators.ledger.noting import note_for
from suffice.estimators.ledger.receipt import BY_LEDGER, receipt_of
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.loaded import SavedModel
from suffice.persistence import atomic, save


def forget(
    path: str,
    files: Sequence[str],
    out: str,
    *,
    target: str | None = None,
    receipt: str | None = None,
    key_file: str | None = None,
    **given: Any,
) -> CommandReport:
    """Summarize the rows, take them away, save what is left, and a receipt where one is asked for."""
    check_outputs(out, files, own=[path])
    check_outputs(receipt, [*files, path, out])
    model = read_summary(path)
    plan = model.fitted.plan
    reading = FileReading.of(files, target=target_of("forget", model, target), **given)
    note = note_for("forget", None if key_file is None else read_key(key_file), model.fitted)
    opened: Any = file_source(reading, model, known=False)
    source = replace(opened, note=note)
    taken = FittedModel(plan, *learn(plan, source), written=source.rows.label_texts)
    warn_of_bad(source.rows.report)
    if taken.empty:
        rule = "present in a row that weighs more than 0"
        raise bad(
            model.name, f"the target {reading.roles.target!r}", rule, "no such row", "Check the column and the weights."
        )
    if note is not None:
        taken = replace(taken, ledger=note.ledger())
    left = model.fitted.forget(taken)
    if left.empty:
        raise bad("forget", "the rows left", "at least one", Said("none"), "Delete the model instead.")
    left.model  # noqa: B018  (what cannot be estimated is refused before anything is written)
    save(model.holding(left), out)
    made = receipt_of(model.fitted, left, taken.rows, taken.ledger)
    if receipt is not None:
        atomic.replace(os.path.realpath(receipt), [made.to_json().encode()])
    report = model_report(model.holding(left), out)
    return replace(report, facts={**report.facts, "forgotten": made.rows, "verified_by": told(made.verified)})


def target_of(owner: str, model: SavedModel, given: str | None) -> str:
    """The column of labels: the one given, or the one of training."""
    if given is not None:
        return given
    if model.target is None:
        raise bad(
            owner, "the target", "given for a model that was not trained from files", Said("none"), "Say --target."
        )
    return str(model.target)


def told(verified: str) -> str:
    """How rows were known, in words."""
    return "the ledger" if verified == BY_LEDGER else "plausibility only; train with --ledger to know each row"
