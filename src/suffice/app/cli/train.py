"""`suffice train`: learn a model from a table, test it on rows held out, save it."""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options


@click.command(name="train", short_help="Learn to predict a column of a table.")
@options.files
@click.option("--target", required=True, metavar="COL", help="The column to predict.")
@click.option("--out", type=options.PATH, metavar="MODEL", help="The file to save the model to.")
@click.option(
    "--model", "kind", type=click.Choice(["naive-bayes"]), default="naive-bayes", show_default=True,
    help="The kind of model.",
)  # fmt: skip
@click.option(
    "--test-size", type=options.Share(max_open=True), default=0.2, show_default=True, metavar="SHARE",
    help="The share of rows to hold out for the scores; 0 for none.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, metavar="NUMBER",
    help="Decides, with its number, whether a row is held out.",
)  # fmt: skip
@click.option("--stratify", is_flag=True, help="Hold out the same share of every class, in the order of its rows.")
@click.option(
    "--refit/--no-refit", default=True, show_default=True, help="Whether the saved model learns held-out rows too."
)
@options.together(options.ledger, options.key)
@options.together(*options.columns, options.weights, *options.written, options.style)
def command(files: tuple[str, ...], out: str | None, style: str, **given: Any) -> None:
    """Learn to predict a column of FILE from the others.

    Some rows are held out, by their number and the seed alone. The scores are those of the model of the other rows. The
    model that is saved has learned the held-out rows too (which costs nothing, as summaries add), unless --no-refit.

    \b
    suffice train patients.csv --target diagnosis --out clinic.suffice
    suffice train north.csv --target diagnosis --kinds notes=text --identifier patient
    """
    from suffice.app.cli.training import TrainingTask, train
    from suffice.app.report.output import check_outputs

    check_outputs(out, files)
    train(TrainingTask.of(files, **given), out).write(style)
