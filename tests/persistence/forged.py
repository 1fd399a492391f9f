"""Files as a stranger could make them: sealed with a proper checksum, so that only what they say is wrong."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

SEAL = re.compile(rb'"sha256":"[0-9a-f]{64}"')


def sealed(data: bytes) -> bytes:
    """The same file, its checksum made right again."""
    blank = b'"sha256":"' + b"0" * 64 + b'"'
    zeroed = SEAL.sub(blank, data, count=1)
    return zeroed.replace(blank, b'"sha256":"' + hashlib.sha256(zeroed).hexdigest().encode() + b'"', 1)


def framed(header: bytes, body: bytes = b"") -> bytes:
    """A file with that header and that body, sealed."""
    return sealed(len(header).to_bytes(8, "little") + header + body)


def about(tree: Any = None, **changes: Any) -> dict[str, Any]:
    """Our part of a header; a change to None leaves the entry out."""
    text = tree if isinstance(tree, str) else json.dumps(tree)
    entries = {"format": "suffice", "version": "1", "library": "0.1.0", "sha256": "0" * 64, "tree": text, **changes}
    return {key: entry for key, entry in entries.items() if entry is not None}


def array(dtype: Any = "F64", shape: Any = (2,), offsets: Any = (0, 16)) -> dict[str, Any]:
    """The entry of one array."""
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def forged(tree: Any = None, body: bytes = b"", arrays: dict[str, Any] | None = None, **changes: Any) -> bytes:
    """A file with that tree, those entries of arrays and those changes to our part of the header."""
    header = {"__metadata__": about(tree, **changes), **(arrays or {})}
    return framed(json.dumps(header, separators=(",", ":")).encode(), body)
