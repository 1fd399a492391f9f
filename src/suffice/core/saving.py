"""Values that write themselves to files. What writes files stands above everything that is written."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any


def save_value(value: Any, path: str | PathLike[str]) -> None:
    """Write a value to a file: numbers and a description, never code. `suffice.load` reads it."""
    import_module("suffice.persistence").save(value, path)


def value_bytes(value: Any) -> bytes:
    """The bytes of the file that a value would be saved to."""
    data: bytes = import_module("suffice.persistence").to_bytes(value)
    return data


def bytes_value(data: bytes) -> Any:
    """The value that such bytes hold; nothing in them is executed."""
    return import_module("suffice.persistence").from_bytes(data)
