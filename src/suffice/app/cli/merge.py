"""`suffice merge`: one model from several."""

from __future__ import annotations

import click

from suffice.app.cli import options


@click.command(name="merge", short_help="Make one model of several.")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=options.PATH)
@click.option(
    "--out", required=True, type=options.PATH, metavar="FILE", help="The file to save the model of all rows to."
)
@options.style
def command(models: tuple[str, ...], out: str, style: str) -> None:
    """Merge models of different rows into the model that all rows together would have given. No rows are needed.

    \b
    suffice merge north.suffice south.suffice --out both.suffice
    """
    from suffice.app.cli.merging import merge

    merge(models, out).write(style)
