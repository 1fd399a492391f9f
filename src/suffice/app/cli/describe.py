"""`suffice describe`: what is in a table."""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options


@click.command(name="describe", short_help="Tell what is in a table.")
@options.files
@options.together(*options.columns, options.weights, *options.written, options.style)
def command(files: tuple[str, ...], style: str, **given: Any) -> None:
    """Tell what is in FILE: kinds of columns, missing and bad cells, and the statistics that each kind permits.

    \b
    suffice describe patients.csv
    suffice describe north/ south.parquet --kinds notes=text --format json
    """
    from suffice.app.cli.describing import described
    from suffice.app.cli.reading import FileReading
    from suffice.app.report.output import check_outputs

    check_outputs(None, files)
    described(FileReading.of(files, **given)).write(style)
