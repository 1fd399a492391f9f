"""The bytes of a file: the layout of safetensors, so that anyone can open the arrays.

    8 bytes, length of the header | header in JSON, padded with spaces | the arrays, end to end, little-endian, C order

The header's `sha256` is that of the whole file with those 64 digits read as zeros: any change is noticed. It finds
damage; it does not prove who wrote the file. Arrays of wider numbers come first, so that each one is aligned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from io import BufferedIOBase

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile, shown
from suffice.persistence import header as heading
from suffice.persistence import strict_json


def pieces(tree: str, arrays: Mapping[str, Array]) -> list[bytes | memoryview]:
    """The bytes of a file, in the order in which they are written."""
    ordered = dict(sorted(arrays.items(), key=lambda item: -item[1].itemsize))
    text = heading.compose(tree, ordered)
    start = len(text).to_bytes(8, "little") + text
    buffers = [_buffer(array) for array in ordered.values()]
    digest = hashlib.sha256(start)
    for buffer in buffers:
        digest.update(buffer)
    return [start.replace(_mark(heading.BLANK), _mark(digest.hexdigest()), 1), *buffers]


def read(stream: BufferedIOBase, size: int) -> tuple[str, dict[str, Array]]:
    """The tree and the arrays of a file of `size` bytes."""
    start = _read_start(stream, size)
    table = strict_json.parse(start[8:], "header")
    about = heading.description(table)
    places = heading.places(table, size - len(start))
    digest = hashlib.sha256(start.replace(_mark(about["sha256"]), _mark(heading.BLANK), 1))
    arrays = {}
    for place in places:
        arrays[place.name] = array = np.empty(place.shape, place.dtype)
        flat = array.reshape(-1).view(np.uint8)
        if stream.readinto(flat.data) != flat.size:
            raise BadFile("it became shorter while it was read")
        digest.update(flat.data)
    if digest.hexdigest() != about["sha256"]:
        raise BadFile("its checksum does not match: some bytes have changed since it was written")
    return about["tree"], {name: _native(name, array) for name, array in arrays.items()}


def _read_start(stream: BufferedIOBase, size: int) -> bytes:
    """Length and header."""
    if size < 8:
        raise BadFile(f"it has only {size} bytes")
    length = stream.read(8)
    count = int.from_bytes(length, "little")
    if count > min(size - 8, heading.MOST_BYTES):
        raise BadFile(f"it is another kind of file, or cut short: a header of {count} bytes in a file of {size}")
    text = stream.read(count)
    if len(text) != count:
        raise BadFile("it became shorter while it was read")
    if text[:1] != b"{":
        raise BadFile("it is another kind of file: its header does not begin with a brace")
    return length + text


def _buffer(array: Array) -> memoryview:
    """An array's bytes as they stand in the file."""
    ordered = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    return ordered.reshape(-1).view(np.uint8).data


def _native(name: str, array: Array) -> Array:
    """An array as this machine counts; a truth value is 0 or 1, as NumPy trusts it to be."""
    if array.dtype == np.bool_ and array.view(np.uint8).max(initial=0) > 1:
        raise BadFile(f"its array {shown(name)} is boolean but holds bytes other than 0 and 1")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _mark(digest: str) -> bytes:
    """Where the checksum stands; inside the tree every quotation mark is escaped, so there is only one such place."""
    return f'"sha256":"{digest}"'.encode("ascii")
