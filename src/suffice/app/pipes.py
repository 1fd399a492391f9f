"""Rows that come through a pipe: stored first, because files may be read twice."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext

import click

STDIN = "-"


def stored(files: Sequence[str]) -> tuple[str, ...]:
    """Paths of files that can be read twice; what had to be stored goes when the command is done."""
    if not any(map(_is_pipe, files)):
        return tuple(files)
    folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="suffice-"))
    return tuple(_store(file, f"{folder}/{_name(file)}") if _is_pipe(file) else file for file in files)


def _name(file: str) -> str:
    """What messages call it."""
    return "standard input" if file == STDIN else os.path.basename(file)


def _is_pipe(file: str) -> bool:
    return file == STDIN or (os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file))


def _store(file: str, path: str) -> str:
    with open(path, "wb") as spool, nullcontext(sys.stdin.buffer) if file == STDIN else open(file, "rb") as pipe:
        shutil.copyfileobj(pipe, spool)
    return path
