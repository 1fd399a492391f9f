"""Bounds on what a file may ask for: ranges, large integers, keys that collide, patterns that never end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from suffice.core.errors import BadFile, shown

LONGEST = 65_536  # of a range that no array of the file stands beside
MANY = 512  # keys from which it matters whether they collide
ALIKE = 16  # different keys that may share a hash
LARGE = 1_000  # integers beyond 64 bits in one file
LETTERS = 4_096  # of a pattern

_parser: Any = import_module("re._parser")  # what `re` itself reads patterns with
_NO_END = int(_parser.MAXREPEAT)


def bounded_range(ends: tuple[int, int, int], bytes_beside: int) -> range:
    """A range that is no longer than the arrays of its file could be wide."""
    found = range(*ends)
    size = max(0, (found.stop - found.start + found.step - (1 if found.step > 0 else -1)) // found.step)
    if size > max(LONGEST, bytes_beside):
        raise BadFile(f"its description has a range of {size:,} numbers beside {bytes_beside:,} bytes of arrays")
    return found


def refuse_alike(keys: Sequence[Any]) -> None:
    """Refuse many different keys of one hash, as -1 and -2 have, which would make every look-up a search."""
    if len(keys) < MANY:
        return
    try:
        hashes = set(map(hash, keys))
    except TypeError:  # no keys: they cannot be hashed
        return
    if len(hashes) * ALIKE < len(keys) and len(hashes) * ALIKE < len(set(map(repr, keys))):
        raise BadFile(f"its description has {len(keys):,} values that were made to collide")


def refuse_endless(pattern: Any) -> None:
    """Refuse a regular expression whose time may grow exponentially with the text: what repeats inside what repeats."""
    if not isinstance(pattern, str) or len(pattern) > LETTERS:
        raise BadFile(f"it holds the pattern {shown(pattern)}, which is none or too long")
    try:
        tree = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError, ValueError):
        return  # who compiles it says what is wrong
    if _endless(tree, False):
        raise BadFile(f"it holds the pattern {shown(pattern)}, which may take for ever; make the analyzer anew")


def _endless(tree: Iterable[Any], repeated: bool) -> bool:
    for code, body in tree:
        name = str(code)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, inside = body
            many = most > 1 and not _one_of_a_kind(inside)
            if (repeated and most > 16) or (most == _NO_END and many and _endless(inside, True)):
                return True
            if _endless(inside, repeated):
                return True
        elif (
            (name == "BRANCH" and (repeated or any(_endless(one, repeated) for one in body[1])))
            or (name == "SUBPATTERN" and _endless(body[-1], repeated))
            or (name in ("ASSERT", "ASSERT_NOT") and _endless(body[1], repeated))
            or (name == "ATOMIC_GROUP" and _endless(body, repeated))
            or name.startswith("GROUPREF")
        ):
            return True
    return False


def _one_of_a_kind(inside: Any) -> bool:
    """Whether what repeats is one character, which can be read in one way only."""
    return len(inside) == 1 and str(inside[0][0]) in ("IN", "LITERAL", "ANY", "NOT_LITERAL", "CATEGORY")
