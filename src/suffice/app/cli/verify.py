"""`suffice verify`: whether receipts of forgetting lead to a model."""

from __future__ import annotations

import click

from suffice.app.cli import options


@click.command(name="verify", short_help="Check receipts of forgotten rows.")
@options.model
@click.argument("receipts", metavar="RECEIPT...", nargs=-1, required=True, type=options.PATH)
@options.style
def command(model: str, receipts: tuple[str, ...], style: str) -> None:
    """Check that each RECEIPT of forget follows from the one before and that the last left MODEL.

    \b
    suffice forget clinic.suffice withdrawn.csv --out clinic.suffice --receipt withdrawn.json
    suffice verify clinic.suffice withdrawn.json
    """
    from suffice.app.cli.verifying import verify

    verify(model, receipts).write(style)
