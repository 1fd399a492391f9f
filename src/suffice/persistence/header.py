"""The header of a file: the type, shape and place of each array, and our own description of the value.

    {"__metadata__": {"format": "suffice", "version": "1", "library": ..., "sha256": ..., "tree": ...},
     name: {"dtype": "F64", "shape": [2, 3], "data_offsets": [0, 48]}, ...}

Every type, shape and offset is checked here, against the size of the file, before anything is allocated.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile, bad, shown

VERSION = 1
MOST_BYTES = 16 * 2**20
MOST_ARRAYS = 100_000
MOST_AXES = 64  # NumPy's own limit
NAMES: dict[str, str] = {
    "bool": "BOOL",
    **{f"{kind}{bits}": f"{kind[0].upper()}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "float32": "F32",
    "float64": "F64",
}  # NumPy's name of a type -> safetensors'
TYPES: dict[str, np.dtype[Any]] = {theirs: np.dtype(ours).newbyteorder("<") for ours, theirs in NAMES.items()}
KEYS = {"format", "version", "library", "sha256", "tree"}
BLANK = "0" * 64  # where the checksum will stand


class ArrayPlace(NamedTuple):
    """Where an array lies in the part after the header."""

    start: int
    end: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    name: str


def compose(tree: str, arrays: Mapping[str, Array]) -> bytes:
    """The header's text, padded to a multiple of 8 bytes, its checksum still blank."""
    if len(arrays) > MOST_ARRAYS:
        raise bad(
            "save", "value", f"a tree of at most {MOST_ARRAYS} arrays", len(arrays), "Join small arrays to large ones."
        )
    about = {"format": "suffice", "version": str(VERSION), "library": _library(), "sha256": BLANK, "tree": tree}
    table: dict[str, Any] = {"__metadata__": about}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.nbytes
        table[name] = {"dtype": NAMES[array.dtype.name], "shape": list(array.shape), "data_offsets": [start, end]}
    text = json.dumps(table, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    if len(text) > MOST_BYTES:
        rule = f"described in {MOST_BYTES} bytes, not counting arrays and long tuples of one type"
        raise bad("save", "value", rule, len(text), "Keep large tables in arrays or in such tuples.")
    return text


def description(table: dict[str, Any]) -> dict[str, str]:
    """Our own part of the header, taken out of the table and checked."""
    about = table.pop("__metadata__", None)
    if not isinstance(about, dict) or about.get("format") != "suffice":
        raise BadFile("its header has no description by suffice")
    if _version(about.get("version")) > VERSION:
        raise BadFile(f"it was made by a newer version of suffice, {shown(about.get('library'))}; upgrade suffice")
    if about["version"] != str(VERSION) or about.keys() != KEYS or not all(isinstance(v, str) for v in about.values()):
        raise BadFile(f"its description does not have the entries of format version {VERSION}")
    if len(about["sha256"]) != len(BLANK) or not set(about["sha256"]) <= set("0123456789abcdef"):
        raise BadFile(f"its checksum is written as {shown(about['sha256'])}")
    return about


def places(table: dict[str, Any], room: int) -> list[ArrayPlace]:
    """Where the arrays lie, in that order: end to end, over all the room there is."""
    if len(table) > MOST_ARRAYS:
        raise BadFile(f"it has {len(table)} arrays, more than {MOST_ARRAYS}")
    ordered = sorted((_place(name, entry) for name, entry in table.items()), key=lambda place: place[:2])
    end = 0
    for place in ordered:
        if place.start != end:
            raise BadFile(f"its array {shown(place.name)} begins at byte {place.start} where {end} was due")
        end = place.end
    if end != room:
        raise BadFile(f"its arrays take {end} bytes but the file has {room} for them")
    return ordered


def _place(name: str, entry: Any) -> ArrayPlace:
    """One array's entry, checked by itself."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise BadFile(f"its array {shown(name)} is not described by dtype, shape and data_offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in TYPES:
        raise BadFile(f"its array {shown(name)} has the unknown dtype {shown(dtype)}")
    size = TYPES[dtype].itemsize
    if not _whole(shape) or len(shape) > MOST_AXES or not _countable(shape, size):
        raise BadFile(f"its array {shown(name)} has the impossible shape {shown(shape)}")
    if not _whole(offsets) or len(offsets) != 2:
        raise BadFile(f"its array {shown(name)} has the impossible offsets {shown(offsets)}")
    if offsets[1] - offsets[0] != size * math.prod(shape):
        raise BadFile(f"its array {shown(name)} has shape {shown(shape)}, which does not fit offsets {shown(offsets)}")
    return ArrayPlace(offsets[0], offsets[1], TYPES[dtype], tuple(shape), name)


def _whole(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(type(number) is int and 0 <= number < 2**63 for number in numbers)


def _countable(shape: list[int], size: int) -> bool:
    """NumPy multiplies the axes that are not 0, even when the array is empty."""
    return size * math.prod(axis for axis in shape if axis) < 2**63


def _version(text: Any) -> int:
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10):
        raise BadFile(f"its format version is {shown(text)}")
    return int(text)


@cache
def _library() -> str:
    try:
        return metadata.version("suffice")
    except metadata.PackageNotFoundError:
        return "unknown"
