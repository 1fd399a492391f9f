"""JSON lines as pages: one object a line, whose keys are the columns; a key that a line lacks is a missing cell.

Values become written cells, so that what a column is goes by all of them, as in CSV.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from suffice.core.errors import BadInput, Said, bad, shown
from suffice.sources.files.cut_rows import cut_rows
from suffice.sources.files.open_bytes import Stream
from suffice.sources.files.page import Page
from suffice.sources.files.text_format import Format
from suffice.sources.written.written_cells import ListText

NAMES = (".jsonl", ".ndjson")
_LIST = re.compile(rb'\[\s*\{\s*"')  # how a list of objects begins, which as CSV would be a strange header
_WORDS = {True: "true", False: "false"}


def is_json_lines(name: str, head: bytes) -> bool:
    """Whether a text is of JSON lines: by its name, or because it begins with an object.

    >>> is_json_lines("a.txt", b'{"age": 31}'), is_json_lines("a.txt", b"{a},b"), is_json_lines("a.jsonl.gz", b"")
    (True, False, True)
    """
    stem, packed = os.path.splitext(name.lower())
    if (stem if packed in (".gz", ".bz2", ".xz", ".zip") else name.lower()).endswith(NAMES):
        return True
    begin = head.lstrip()
    if _LIST.match(begin):
        remedy = "Write one object a line, without brackets around them."
        raise bad(name, "the file", "CSV or JSON lines", Said("a JSON list of objects"), remedy, "must hold")
    if not begin.startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(begin.split(b"\n", 1)[0]), dict)
    except (ValueError, RecursionError):
        return (
            begin.startswith((b'{"', b'{ "')) and b"\n" not in begin
        )  # the first line is longer than what was looked at


def json_keys(name: str, text: Stream, format: Format) -> dict[str, None]:
    """All keys, in the order in which they come first."""
    keys: dict[str, None] = {}
    for _, rows in _objects(name, text, format):
        for _, row in rows:
            keys.update(dict.fromkeys(row))
    return keys


def json_pages(
    name: str, text: Stream, format: Format, ignore: Collection[Any], keys: Mapping[str, None] | None
) -> Iterator[Page]:
    """The pages of a text; its keys are known where it can be read twice, otherwise those of the first page are all."""
    names: tuple[str, ...] | None = None if keys is None else tuple(keys)
    for nuls, rows in _objects(name, text, format):
        if names is None:
            names = tuple(dict.fromkeys(key for _, row in rows for key in row))
        if not names:
            break
        known, wanted = frozenset(names), [key for key in names if key not in ignore]
        columns: dict[str, list[str | None]] = {key: [] for key in wanted}
        for line, row in rows:
            if not known.issuperset(row):
                raise _late(name, next(key for key in row if key not in known), line)
            for key in wanted:
                columns[key].append(_cell(name, line, key, row.get(key)))
        yield Page(name, names, {key: ListText(cells, format) for key, cells in columns.items()}, len(rows), nuls=nuls)
    if not names:
        raise bad(name, "the file", "objects with keys", Said("none"), "Give it rows to read.", "must hold")


def _objects(name: str, text: Stream, format: Format) -> Iterator[tuple[int, list[tuple[int, dict[str, Any]]]]]:
    """Block by block, the NUL characters that were removed, and objects with the numbers of their lines."""
    point = format.decimal
    read = json.JSONDecoder(
        parse_float=str if point == "." else lambda number: number.replace(".", point),
        parse_int=str,
        parse_constant=lambda word: None,  # NaN
    ).decode
    line = 0
    for piece in cut_rows(name, text, format.text_block, None, ","):
        rows = []
        for words in piece.data.decode("utf-8").removesuffix("\n").split("\n"):
            line += 1
            if words and not words.isspace():
                rows.append((line, _object(name, line, words, read)))
        yield piece.nuls, rows


def _object(name: str, line: int, words: str, read: Any) -> dict[str, Any]:
    try:
        row = read(words)
    except (ValueError, RecursionError) as error:
        got = Said(f"{shown(words[:60])} ({error})")
        raise bad(name, f"line {line}", "one JSON object", got, "Write one object a line.") from None
    if not isinstance(row, dict):
        raise bad(name, f"line {line}", "one JSON object", Said(shown(words[:60])), "Write one object a line.")
    return row


def _cell(name: str, line: int, key: str, value: Any) -> str | None:
    """A value as it would be written in CSV."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return _WORDS[value]
    rule = "a text, a number, true, false or null"
    remedy = "Give each of its values a key of its own, or leave the key out."
    raise bad(
        name,
        f"the value of {key!r} in line {line}",
        rule,
        Said("a list" if isinstance(value, list) else "an object"),
        remedy,
    )


def _late(name: str, key: str, line: int) -> BadInput:
    rule = "among those of the first lines where rows can be read only once"
    return bad(name, "every key", rule, Said(f"{key!r} in line {line}"), "Write the rows to a file first.")
