"""Where answers go: standard output, or a file that takes its name only when it is whole."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import click

from suffice.app.terminal.pipes import STDIN
from suffice.app.terminal.standard_streams import Closed
from suffice.core.errors import BadInput, Said, bad
from suffice.persistence import atomic
from suffice.sources.files.files import find_files


def check_outputs(
    out: str | None, read: Sequence[str], *, own: Sequence[str] = (), rows: bool = False, option: str = "--out"
) -> None:
    """Refuse, before hours of work are lost, an output that cannot be written, and one that is also read.

    Parameters
    ----------
    out : the file to write; None where there is none
    read : the files, folders and patterns that are read
    own : models that are read whole before anything is written, and may be replaced by `out`
    rows : whether rows are written, to `out` or else to standard output, in place of a model to one and a report to
        the other
    option : which names the output, for messages
    """
    if out is not None:
        _check_file(option, out, devices=rows)
        _check_apart(option, _stat(out), read)
    if not rows or out is None:
        if isinstance(sys.stdout, Closed):
            raise sys.stdout.refuse()
        _check_apart("standard output", _stat_stream(sys.stdout), (*own, *read))


def _check_file(option: str, out: str, devices: bool) -> None:
    folder = os.path.dirname(os.path.realpath(out))
    if out == STDIN:
        raise bad("", option, "the name of a file", Said("'-'"), "Write ./- for a file of that name.")
    if os.path.isdir(out):
        raise bad("", option, "the name of a file", Said(f"the folder {out!r}"), "Add a name.")
    if not os.path.isdir(folder):
        raise bad("", option, "in a folder that exists", Said(f"{out!r}"), "Make the folder first.")
    _check_name(option, out)
    if not devices and os.path.exists(out) and not os.path.isfile(out):
        raise bad("", option, "the name of a file", Said(f"the device {out!r}"), "Choose another name.")
    if not os.access(out if os.path.exists(out) else folder, os.W_OK):
        raise bad("", option, "a file that may be written", Said(f"{out!r}"), "Choose another name or folder.")


def _check_name(option: str, out: str) -> None:
    """Refuse a name that the system does not take: too long, or a link to itself."""
    try:
        os.stat(out)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise bad(
            "", option, "a file that may be written", Said(f"{out!r}, of which the system says: {error.strerror}")
        ) from None


def _check_apart(what: str, written: os.stat_result | None, read: Sequence[str]) -> None:
    """Refuse a file that is read under any name: through links, in a folder, by a pattern, as standard input."""
    if written is None or not stat.S_ISREG(written.st_mode):  # what goes to a terminal or a pipe replaces nothing
        return
    for name, one in _stats(read):
        if os.path.samestat(one, written):
            raise click.UsageError(
                f"{what} must be another file than those read, got {name!r}. Choose another name.",
                click.get_current_context(silent=True),
            )


def _stats(read: Sequence[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The files that are read; what is not there is told by who opens it."""
    for name in read:
        found: Iterable[object] = (name,)
        if name != STDIN and not os.path.isfile(name):
            with suppress(BadInput):
                found = find_files([name])
        for file in found:
            there = _stat_stream(sys.stdin) if file == STDIN else _stat(str(file))
            if there is not None:
                yield str(file), there


def _stat(path: str) -> os.stat_result | None:
    with suppress(OSError, ValueError):
        return os.stat(path)
    return None


def _stat_stream(stream: object) -> os.stat_result | None:
    with suppress(OSError, ValueError, AttributeError):  # a stream of tests, or of a notebook, has no number
        return os.fstat(stream.fileno())  # type: ignore[attr-defined]
    return None


def write(pieces: Iterable[str | bytes], out: str | None) -> None:
    """Write pieces of text, or of bytes, as they come."""
    if out is None:
        for piece in pieces:
            sys.stdout.write(piece if isinstance(piece, str) else piece.decode("utf-8"))
        sys.stdout.flush()
        return
    encoded = (memoryview(p if isinstance(p, bytes) else p.encode("utf-8", "surrogatepass")) for p in pieces)
    target = os.path.realpath(out)
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # a pipe or a device keeps its name
            with open(target, "wb") as device:
                for data in encoded:
                    device.write(data)
        else:
            atomic.replace(target, encoded)
    except OSError as error:
        raise bad(
            "", "--out", "a file that can be written", Said(f"{out!r}, of which the system says: {error.strerror}")
        ) from error
