"""Values that write themselves to files. What writes files stands above everything that is written."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any


def save_value(value: Any, path: str | PathLike[str]) -> None:
    """Write a value to a file: numbers and a description, never code. `suffice.load` reads it."""
    import_module("suffice.persistence").save(value, path)
