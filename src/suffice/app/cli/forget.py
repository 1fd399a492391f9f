"""`suffice forget`: a model without some of its rows."""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options


@click.command(name="forget", short_help="Take rows out of a model.")
@options.model
@options.files
@click.option("--target", metavar="COL", help="The column with the labels; the one of training unless given.")
@click.option(
    "--out", required=True, type=options.PATH, metavar="FILE", help="The file to save the model without them to."
)
@click.option("--receipt", type=options.PATH, metavar="FILE", help="The file to write a receipt to, for verify.")
@options.key
@options.together(options.weights, *options.written, options.style)
def command(model: str, files: tuple[str, ...], out: str, style: str, **given: Any) -> None:
    """Take the rows of FILE out of MODEL: the model that never saw them. Rows it has not learned from are refused.

    \b
    suffice forget clinic.suffice withdrawn.csv --out clinic.suffice
    """
    from suffice.app.cli.forgetting import forget

    forget(model, files, out, **given).write(style)
