"""Kinds of columns: what may be said of their values, how they are stored, and what two blocks that disagree become.

unknown < boolean, ordinal < categorical          symbols
unknown < count < ratio < quantitative            numbers
unknown < date;  unknown < text;  unknown < identifier
"""

from __future__ import annotations

from enum import Enum
from functools import reduce

from suffice.core.errors import bad
from suffice.core.registry import saved


@saved
class Storage(Enum):
    """How a column's cells are kept in a block."""

    NUMBERS = "numbers"
    SYMBOLS = "symbols"
    WORDS = "words"
    NOTHING = "nothing"  # never a feature


@saved
class Kind(Enum):
    """What a column holds.

    >>> Kind("date").storage
    <Storage.NUMBERS: 'numbers'>
    """

    UNKNOWN = "unknown"  # every cell is missing so far
    BOOLEAN = "boolean"
    ORDINAL = "ordinal"
    CATEGORICAL = "categorical"
    COUNT = "count"
    RATIO = "ratio"  # quantitative, with a true zero
    QUANTITATIVE = "quantitative"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"

    @property
    def storage(self) -> Storage:
        """How its cells are kept."""
        return _STORAGE[self]

    @classmethod
    def read(cls, owner: object, column: object, name: object) -> Kind:
        """The kind that a user names; a kind is found, never declared, to be unknown."""
        known = {kind.value: kind for kind in cls if kind is not Kind.UNKNOWN}
        kind = name if isinstance(name, Kind) else known.get(name) if isinstance(name, str) else None
        if kind is None or kind is Kind.UNKNOWN:
            rule = f"one of {', '.join(known)}, or a list of values, lowest first"
            raise bad(owner, f"the kind of column {column!r}", rule, name, "Correct it.")
        return kind


_STORAGE = {
    Kind.UNKNOWN: Storage.NOTHING,
    Kind.BOOLEAN: Storage.SYMBOLS,
    Kind.ORDINAL: Storage.SYMBOLS,
    Kind.CATEGORICAL: Storage.SYMBOLS,
    Kind.COUNT: Storage.NUMBERS,
    Kind.RATIO: Storage.NUMBERS,
    Kind.QUANTITATIVE: Storage.NUMBERS,
    Kind.DATE: Storage.NUMBERS,
    Kind.TEXT: Storage.WORDS,
    Kind.IDENTIFIER: Storage.NOTHING,
}

_ABOVE = {  # the other kinds that a kind may be taken for, nearest first
    Kind.BOOLEAN: (Kind.CATEGORICAL,),
    Kind.ORDINAL: (Kind.CATEGORICAL,),
    Kind.COUNT: (Kind.RATIO, Kind.QUANTITATIVE),
    Kind.RATIO: (Kind.QUANTITATIVE,),
}


def kinds_above(kind: Kind) -> tuple[Kind, ...]:
    """The other kinds that a kind may be taken for once more cells are seen, nearest first.

    >>> kinds_above(Kind.COUNT)
    (<Kind.RATIO: 'ratio'>, <Kind.QUANTITATIVE: 'quantitative'>)
    """
    return _ABOVE.get(kind, ())


def join(*kinds: Kind | None) -> Kind | None:
    """The least kind that all of these may be taken for; None if there is none, and then for good.

    >>> join(Kind.COUNT, Kind.QUANTITATIVE)
    <Kind.QUANTITATIVE: 'quantitative'>
    >>> join(Kind.COUNT, Kind.TEXT) is None
    True
    """
    nothing: Kind | None = Kind.UNKNOWN
    return reduce(_join, kinds, nothing)


def _join(a: Kind | None, b: Kind | None) -> Kind | None:
    if a is None or b is None:
        return None
    if a is Kind.UNKNOWN or b is Kind.UNKNOWN:
        return b if a is Kind.UNKNOWN else a
    shared = {b, *_ABOVE.get(b, ())}
    return next((kind for kind in (a, *_ABOVE.get(a, ())) if kind in shared), None)
