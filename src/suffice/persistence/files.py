"""Models, summaries and schemas as files: numbers and a description, never code."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase, BytesIO
from typing import Any

from suffice.core.errors import BadFile, Said, bad, refusal
from suffice.persistence import atomic, layout
from suffice.persistence.assemble import assemble
from suffice.persistence.dismantle import dismantle

Path = str | os.PathLike[str]

WHOLE = "a whole file written by save"
FOLDER = ("in a folder that exists", "Make the folder first.")
RIGHTS = ("in a folder that may be written", "Choose another folder.")
ROOM = ("on a disk with room for it", "Free some space or choose another disk.")
TROUBLES: dict[int | None, tuple[str, str]] = {
    errno.ENOENT: FOLDER,
    errno.ENOTDIR: FOLDER,
    errno.EACCES: RIGHTS,
    errno.EPERM: RIGHTS,
    errno.EROFS: RIGHTS,
    errno.ENOSPC: ROOM,
    errno.EDQUOT: ROOM,
    errno.EFBIG: ROOM,
}


def save(value: Any, path: Path) -> None:
    """Save a model, a summary or a schema.

    The file is replaced as a whole: whatever happens, the path leads to the old file or to the new one. A link is
    followed, and an old file's permissions are kept.

    Parameters
    ----------
    value : what to save
        Values of registered classes, NumPy arrays of numbers, and tuples, lists, dicts and ranges, numbers, text, dates
        and None, nested in any way.
    path : str or os.PathLike
        The file to write.

    >>> import os, tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "counts.suffice")
    ...     save({"labels": ("no", "yes"), "counts": np.array([3, 4])}, path)
    ...     load(path)
    {'labels': ('no', 'yes'), 'counts': array([3, 4])}
    """
    text = _text("save", path)
    target = os.path.realpath(text)
    if os.path.exists(target) and not os.path.isfile(target):
        raise bad("save", "path", "the name of a file", text, "There is a folder or a device of that name.")
    pieces = layout.pieces(*dismantle(value))
    try:
        atomic.replace(target, pieces)
    except OSError as error:
        rule, remedy = TROUBLES.get(error.errno, ("writable", f"The system says: {error.strerror}."))
        raise bad("save", "path", rule, Said(f"{text!r}"), f"Nothing was changed. {remedy}") from error


def load(path: Path) -> Any:
    """Read what `save` wrote. Nothing in a file is ever executed; a file that is not whole and well-formed is refused.

    Parameters
    ----------
    path : str or os.PathLike
        The file to read.
    """
    text = _text("load", path)
    with _refusing("load", repr(text), WHOLE), _opened(text) as stream:
        return assemble(*layout.read(stream, os.fstat(stream.fileno()).st_size))


def to_bytes(value: Any) -> bytes:
    """The bytes of the file that `save` would write.

    >>> from_bytes(to_bytes((1, 2.5, "three", None)))
    (1, 2.5, 'three', None)
    """
    return b"".join(layout.pieces(*dismantle(value)))


def from_bytes(data: bytes | bytearray | memoryview) -> Any:
    """Read what `to_bytes` gave; as careful as `load`."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise bad("from_bytes", "data", "bytes", data, "Use load for a path.")
    with _refusing("from_bytes", "data", f"the bytes of {WHOLE}"):
        return assemble(*layout.read(BytesIO(data), memoryview(data).nbytes))


def _text(owner: str, path: Path) -> str:
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise bad(owner, "path", "a path", path, "Give a str or an os.PathLike.") from None
    if not text or "\0" in text:
        raise bad(owner, "path", "the name of a file", text)
    return text


@contextmanager
def _refusing(owner: str, name: str, rule: str) -> Iterator[None]:
    """Whatever is wrong with a file is told in one sentence that names it; who reads it says only the reason."""

    def told(reason: str) -> BadFile:
        return refusal(BadFile, owner, name, rule, Said(reason), joint="but")

    try:
        yield
    except BadFile as error:
        raise told(str(error)) from error.__cause__
    except FileNotFoundError:
        raise told("there is no such file") from None
    except IsADirectoryError:
        raise told("it is a folder") from None
    except OSError as error:
        raise told(f"it cannot be read ({error.strerror})") from error
    except MemoryError:
        raise told("it needs more memory than there is") from None


@contextmanager
def _opened(text: str) -> Iterator[BufferedIOBase]:
    """An ordinary file, open; a pipe must not keep us waiting, nor an endless device fill the memory."""
    with open(text, "rb", opener=lambda path, flags: os.open(path, flags | getattr(os, "O_NONBLOCK", 0))) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise BadFile("it is not an ordinary file")
        yield stream
