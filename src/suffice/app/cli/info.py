"""`suffice info`: what a model file holds."""

from __future__ import annotations

import click

from suffice.app.cli import options


@click.command(name="info", short_help="Tell what a model is.")
@options.model
@click.option("--tables", is_flag=True, help="Also everything learned: probabilities and parameters, column by column.")
@options.style
def command(model: str, tables: bool, style: str) -> None:
    """Tell what MODEL is: its kind, target, rows, classes and columns.

    \b
    suffice info clinic.suffice --tables
    """
    from suffice.app.cli.informing import info

    info(model, tables).write(style)
