"""`suffice predict`: answers and probabilities for the rows of a table."""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options
from suffice.app.cli.lists import names


@click.command(name="predict", short_help="Answer the rows of a table, with probabilities.")
@options.model
@options.files
@options.together(*options.decided)
@click.option(
    "--refusal", metavar="LABEL", help="What to write where nothing is answered; what the model says, or nothing."
)
@click.option("--explain", is_flag=True, help="Add what speaks for each answer, strongest first, as log odds.")
@click.option("--identifier", multiple=True, callback=names, metavar="LIST", help="More columns to show with each row.")
@click.option(
    "--no-formulas", is_flag=True, help="In CSV, put ' before text that a spreadsheet would run as a formula."
)
@click.option("--out", type=options.PATH, metavar="FILE", help="Where to write; standard output unless given.")
@click.option(
    "--format", "style", type=click.Choice(["csv", "json", "table"]), default="csv", show_default=True,
    help="How to write: CSV, a JSON list with one row a line, or a table for people.",
)  # fmt: skip
@options.together(*options.written)
def command(model: str, files: tuple[str, ...], **given: Any) -> None:
    """Answer every row of FILE with MODEL.

    Written are the number of the row (from 0), its identifiers, the answer, and the probability of each class. Shares
    of classes, costs and refusal are chosen here, not in training.

    \b
    suffice predict clinic.suffice new.csv
    suffice predict clinic.suffice new.csv --prior cold=0.2,flu=0.7,pneumonia=0.1 --reject 0.3 --refusal ask
    suffice predict clinic.suffice new.csv --costs costs.csv --explain --format table
    """
    from suffice.app.cli.predicting import predict

    predict(model, files, **given)
