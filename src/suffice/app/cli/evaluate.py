"""`suffice evaluate`: how good a model is on rows whose truth is known."""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options


@click.command(name="evaluate", short_help="Score a model on rows whose truth is known.")
@options.model
@options.files
@click.option("--target", metavar="COL", help="The column with the truth; the one of training unless given.")
@options.together(options.weights, *options.written, options.style)
def command(model: str, files: tuple[str, ...], style: str, **given: Any) -> None:
    """Score the answers of MODEL to the rows of FILE, each score with a 95 % interval, and count who is taken for whom.

    \b
    suffice evaluate clinic.suffice later.csv
    """
    from suffice.app.cli.evaluating import evaluate

    evaluate(model, files, **given).write(style)
