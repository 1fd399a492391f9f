"""Rows that come through a pipe: kept first, because files may be read twice."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing

import click

from suffice.sources.files.kept import Kept

STDIN = "-"


def stored(files: Sequence[str]) -> tuple[str | Kept, ...]:
    """What can be read twice; what had to be kept goes when the command is done, or the process."""
    context = click.get_current_context()
    if files.count(STDIN) > 1:
        raise click.UsageError("standard input must be named once, got '-' more often. Name it once.", context)
    return tuple(context.with_resource(closing(_kept(file))) if _is_pipe(file) else file for file in files)


def _is_pipe(file: str) -> bool:
    return file == STDIN or (os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file))


def _kept(file: str) -> Kept:
    if file == STDIN:
        return Kept.of("standard input", sys.stdin.buffer)
    with open(file, "rb") as pipe:
        return Kept.of(file, pipe)
