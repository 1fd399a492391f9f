"""Files as pages: paths, folders, patterns, and files that are open already."""

from __future__ import annotations

import glob
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO

from suffice.core.errors import Said, bad
from suffice.sources.files.arrow_files import typed_pages
from suffice.sources.files.csv_files import Splitting, text_pages
from suffice.sources.files.excel_files import excel_pages
from suffice.sources.files.header import LOOKED_AT
from suffice.sources.files.json_lines import is_json_lines, json_keys, json_pages
from suffice.sources.files.kept import Kept
from suffice.sources.files.open_bytes import OpenedFile, Peeking, as_utf8, opened
from suffice.sources.files.page import Page, TypedPage
from suffice.sources.files.roles import Roles
from suffice.sources.files.text_format import Format

Pages = Iterator[Page | TypedPage]


@dataclass(frozen=True)
class Files:
    """Files that are read one after the other, as one table."""

    paths: tuple[Path | Kept, ...]
    keys: dict[str, Mapping[str, None]] = field(default_factory=dict, compare=False)  # of JSON lines, by encoding

    @property
    def name(self) -> str:
        """What messages call them."""
        return str(self.paths[0]) if len(self.paths) == 1 else f"{len(self.paths)} files from {self.paths[0]} on"

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(map(_size, self.paths))

    def pages(self, roles: Roles, format: Format, engine: Splitting) -> Pages:
        """The rows of all files."""
        for path in self.paths:
            with _open(path) as file, opened(str(path), file) as got:
                again = file if isinstance(path, Kept) else str(path)
                yield from _pages(got, again, roles, format, engine, self._json_keys)

    def _json_keys(self, format: Format) -> Mapping[str, None]:
        """The keys of all files of JSON lines, read once for that: a key may come late, or in one file only."""
        if format.encoding not in self.keys:
            found: dict[str, None] = {}
            for path in self.paths:
                with _open(path) as file, opened(str(path), file) as got:
                    found.update(_keys_inside(got, format))
            self.keys[format.encoding] = found
        return self.keys[format.encoding]


def _size(path: Path | Kept) -> int:
    if isinstance(path, Kept):
        return path.size
    return path.stat().st_size if path.exists() else 0


def _open(path: Path | Kept) -> BinaryIO:
    try:
        return path.open("rb") if isinstance(path, Path) else path.open()
    except OSError as error:
        said = error.strerror or error
        raise bad(str(path), "the file", "readable", Said(repr(said)), "Check its name and rights.") from None


@dataclass(frozen=True)
class OpenFile:
    """A file that is open already, for reading bytes or text; it is left open."""

    file: Any
    start: int | None  # where it stood; None where it cannot go back
    read: list[bool]  # filled when it is first read

    @classmethod
    def of(cls, file: Any) -> OpenFile:
        """Remember where the file stands."""
        start = None
        with suppress(OSError, ValueError, AttributeError, TypeError):
            start = file.tell() if file.seekable() else None
        return cls(file, start, [])

    @property
    def name(self) -> str:
        """What messages call it."""
        name = getattr(self.file, "name", None)
        return name if isinstance(name, str) else "the open file"

    def pages(self, roles: Roles, format: Format, engine: Splitting) -> Pages:
        """The rows from where the file stood on."""
        if getattr(self.file, "closed", False):
            raise bad(self.name, "the file", "open", "a closed one", "Read it before it is closed, or pass its path.")
        if self.read and self.start is None:
            raise bad(self.name, "a stream", "read once", "a second pass", "Pass the path of a file to read it again.")
        if self.read:
            self.file.seek(self.start)
        self.read.append(True)
        with self._opened(format) as (got, format):
            yield from _pages(got, self._seekable, roles, format, engine, self._json_keys)

    @contextmanager
    def _opened(self, format: Format) -> Iterator[tuple[OpenedFile, Format]]:
        """What is read on from here; a text is UTF-8, without the mark that it may begin with."""
        if isinstance(self.file.read(0), str):
            yield OpenedFile(self.name, _Encoding(self.file), None), replace(format, encoding="utf-8")
            return
        with opened(self.name, self.file) as got:
            yield got, format

    def _json_keys(self, format: Format) -> Mapping[str, None] | None:
        """The keys of JSON lines; None where they cannot be read twice."""
        if self.start is None:
            return None
        at = self.file.tell()
        self.file.seek(self.start)
        with self._opened(format) as (got, format):
            found = _keys_inside(got, format)
        self.file.seek(at)
        return found

    @property
    def _seekable(self) -> Any:
        """The file itself, back where it stood; None where it cannot go back."""
        return self.file if self.start is not None else None


class _Encoding:
    """An open text file, as UTF-8."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def read(self, size: int) -> bytes:
        text: str = self.file.read(size)
        return text.encode("utf-8", "replace")  # bytes that Python could not decode are no text


Keys = Callable[[Format], Mapping[str, None] | None]  # those of JSON lines, None where nobody can know before


def _text_of(got: OpenedFile, format: Format) -> tuple[Peeking, bool]:
    """The text of an opened file, and whether it is one of JSON lines."""
    text = Peeking(as_utf8(got.name, got.stream, format.encoding))
    return text, is_json_lines(got.name, text.peek(LOOKED_AT))


def _keys_inside(got: OpenedFile, format: Format) -> Mapping[str, None]:
    """The keys of a file, if it is one of JSON lines."""
    if got.typed is not None:
        return {}
    text, lines = _text_of(got, format)
    return json_keys(got.name, text, format) if lines else {}


def _pages(got: OpenedFile, again: Any, roles: Roles, format: Format, engine: Splitting, keys: Keys) -> Pages:
    """The pages of an opened file; `again` is how pyarrow finds it, None where it can only be read on."""
    if got.typed is None:
        text, lines = _text_of(got, format)
        if lines:
            yield from json_pages(got.name, text, format, roles.ignore, keys(format))
        else:
            yield from text_pages(got.name, text, format, roles.ignore, engine)
        return
    if got.typed == "excel":
        yield from excel_pages(got.name, got.stream, format, roles.ignore)
        return
    if again is None:
        again = io.BytesIO(got.stream.read())
    elif not isinstance(again, str):
        again.seek(-len(got.stream.ahead), os.SEEK_CUR)
    yield from typed_pages(got.name, got.typed, again, format.typed_block, roles.ignore)


def find_files(what: Sequence[str | os.PathLike[str] | Kept]) -> tuple[Path | Kept, ...]:
    """The files that paths, folders and patterns name; those of a folder or a pattern in the order of their names."""
    return tuple(file for one in what for file in ([one] if isinstance(one, Kept) else _found(os.fspath(one))))


def _found(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return _in_folder(path)
    if path.exists():
        return [path]
    if glob.has_magic(name):
        matching = sorted(Path(found) for found in glob.glob(name, recursive=True) if Path(found).is_file())
        if not matching:
            raise bad("open_rows", "the pattern", "of files that exist", Said(repr(name)), "Correct it.")
        return matching
    near = get_close_matches(path.name, _names(path.parent), n=3, cutoff=0.6)
    remedy = f"Near it: {', '.join(map(repr, near))}." if near else "Check the name and the folder."
    raise bad("open_rows", "the path", "of a file, a folder or a pattern that exists", Said(repr(name)), remedy)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _in_folder(folder: Path) -> list[Path]:
    """All files below, but for those whose names begin with a dot or an underscore, as marks of other programs do."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not _is_mark(path.relative_to(folder))]
    if not files:
        raise bad("open_rows", "the folder", "of at least one file", str(folder), "Check the name.")
    for path in files:
        parts = path.relative_to(folder).parts[:-1]
        if any("=" in part for part in parts):
            rule = "without columns in the names of its folders"
            raise bad("open_rows", "the folder", rule, "/".join(parts), "Write the column into the files.")
    return files


def _is_mark(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)
