"""Writing a file so that, whatever happens, its name leads to the old file or to the new one, each whole.

The new bytes go to a file of their own in the same folder, reach the disk, and only then take over the name. A process
killed on the way leaves that file behind. It is locked for as long as its writer lives, so that the next save in the
folder can tell what was left behind, and removes it: there are never more such files than were killed since.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress

if sys.platform != "win32":
    import fcntl

MARK = re.compile(r"\.suffice-[0-9a-f]{16}\.saving")
FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def replace(target: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Put a file of these bytes in the place of `target`; on any error what was there stays, and nothing else does."""
    folder = os.path.dirname(target)
    _sweep(folder)
    path = _new_name(folder)
    try:  # from here on, as an interruption may come as soon as there is a file
        while (descriptor := _begin(path)) is None:
            path = _new_name(folder)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            _fill(descriptor, pieces, target)
            if sys.platform == "win32":  # there an open file is as good as locked, and cannot take over a name
                file.close()
            os.replace(path, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise
    _settle(folder)


def _new_name(folder: str) -> str:
    return os.path.join(folder, f".suffice-{os.urandom(8).hex()}.saving")


def _begin(path: str) -> int | None:
    """A new file, locked; None where another process swept it away before it was."""
    descriptor = os.open(path, FLAGS | os.O_CREAT | os.O_EXCL, 0o666)
    if sys.platform == "win32":
        return descriptor
    with suppress(OSError):  # a file system without locks: nobody can lock, so nobody sweeps
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    if os.fstat(descriptor).st_nlink:
        return descriptor
    os.close(descriptor)
    return None


def _fill(descriptor: int, pieces: Iterable[bytes | memoryview], target: str) -> None:
    """Write everything and wait for the disk; who may read the old file may read the new one."""
    with suppress(OSError):  # no old file, or a file system without permissions
        if sys.platform != "win32":
            os.fchmod(descriptor, stat.S_IMODE(os.stat(target).st_mode))
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def _settle(folder: str) -> None:
    """Make the new name last.

    The file is in its place by now, so there is nothing to undo where a folder cannot be synced.
    """
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sweep(folder: str) -> None:
    """Remove what killed processes left behind."""
    left: list[str] = []
    with suppress(OSError):
        left = [name for name in os.listdir(folder) if MARK.fullmatch(name)]
    for name in left:
        with suppress(OSError):
            _remove(os.path.join(folder, name))


def _remove(path: str) -> None:
    """Remove a file unless its writer lives, which shows as a lock."""
    if sys.platform == "win32":
        os.unlink(path)
        return
    descriptor = os.open(path, FLAGS)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(descriptor)
