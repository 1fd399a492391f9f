"""Where answers go: standard output, or a file that takes its name only when it is whole."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from suffice.core.errors import BadInput
from suffice.persistence import atomic


def check_out(out: str | None, files: Sequence[str] = ()) -> None:
    """Refuse a file that cannot be written, before hours of work are lost, and one that is being read."""
    if out is None:
        return
    folder = os.path.dirname(os.path.realpath(out))
    if os.path.isdir(out):
        raise BadInput(f"--out must be the name of a file, got the folder {out!r}. Add a name.")
    if not os.path.isdir(folder):
        raise BadInput(f"--out must be in a folder that exists, got {out!r}. Make the folder first.")
    if not os.access(out if os.path.exists(out) else folder, os.W_OK):
        raise BadInput(f"--out must be a file that may be written, got {out!r}. Choose another name or folder.")
    if any(os.path.exists(file) and os.path.exists(out) and os.path.samefile(file, out) for file in files):
        raise BadInput(f"--out must be another file than those read, got {out!r}. Choose another name.")


def write(pieces: Iterable[str], out: str | None) -> None:
    """Write pieces of text as they come."""
    if out is None:
        for piece in pieces:
            sys.stdout.write(piece)
        sys.stdout.flush()
        return
    encoded = (memoryview(piece.encode("utf-8", "surrogatepass")) for piece in pieces)
    target = os.path.realpath(out)
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # a pipe or a device keeps its name
            with open(target, "wb", buffering=0) as device:
                for data in encoded:
                    device.write(data)
        else:
            atomic.replace(target, encoded)
    except OSError as error:
        raise BadInput(
            f"--out must be a file that can be written, got {out!r}, of which the system says: {error.strerror}."
        ) from error
