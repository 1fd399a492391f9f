"""`suffice evaluate`: how good a model is on rows whose truth is known."""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options


@click.command(name="evaluate", short_help="Score a model on rows whose truth is known.")
@options.model
@options.files
@click.option("--target", metavar="COL", help="The column with the truth; the one of training unless given.")
@options.together(*options.decided)
@options.together(options.weights, *options.written, options.style)
def command(model: str, files: tuple[str, ...], style: str, **given: Any) -> None:
    """Score the answers of MODEL to the rows of FILE, each score with a 95 % interval, and count who is taken for whom.

    With shares of classes, costs or refusal, the answers are those of `predict` under them, and the mean cost is told.

    \b
    suffice evaluate clinic.suffice later.csv
    suffice evaluate clinic.suffice later.csv --costs costs.csv --reject 0.3
    """
    from suffice.app.cli.evaluating import evaluate

    evaluate(model, files, **given).write(style)
