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


class Storage(Enum):
    """How a column's cells are kept in a block."""

    NUMBERS = "numbers"
    SYMBOLS = "symbols"
    WORDS = "words"
    NOTHING = "nothing"  # never a feature


@saved
class Kind(Enum):
    """What a column holds."""

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
        return _STORAGE.get(self, Storage.NUMBERS)

    @classmethod
    def read(cls, owner: object, column: object, name: object) -> Kind:
        """The kind of that name."""
        if isinstance(name, Kind):
            return name
        try:
            return cls(name)
        except ValueError:
            known = ", ".join(kind.value for kind in cls if kind is not Kind.UNKNOWN)
            raise bad(owner, f"the kind of column {column!r}", f"one of {known}", name, "Correct the name.") from None


_STORAGE = {
    Kind.UNKNOWN: Storage.NOTHING,
    Kind.BOOLEAN: Storage.SYMBOLS,
    Kind.ORDINAL: Storage.SYMBOLS,
    Kind.CATEGORICAL: Storage.SYMBOLS,
    Kind.TEXT: Storage.WORDS,
    Kind.IDENTIFIER: Storage.NOTHING,
}

_ABOVE = {  # each kind and the kinds it may be taken for, nearest first
    Kind.BOOLEAN: (Kind.BOOLEAN, Kind.CATEGORICAL),
    Kind.ORDINAL: (Kind.ORDINAL, Kind.CATEGORICAL),
    Kind.COUNT: (Kind.COUNT, Kind.RATIO, Kind.QUANTITATIVE),
    Kind.RATIO: (Kind.RATIO, Kind.QUANTITATIVE),
    Kind.UNKNOWN: tuple(Kind),
}


def join(*kinds: Kind) -> Kind | None:
    """The least kind that all of these may be taken for; None if there is none.

    >>> join(Kind.COUNT, Kind.QUANTITATIVE).value
    'quantitative'
    """
    return reduce(_join, kinds, Kind.UNKNOWN)  # type: ignore[arg-type]


def _join(a: Kind | None, b: Kind) -> Kind | None:
    if a is None or a is Kind.UNKNOWN or b is Kind.UNKNOWN:
        return b if a is Kind.UNKNOWN else a
    shared = set(_ABOVE.get(a, (a,))) & set(_ABOVE.get(b, (b,)))
    return next((kind for kind in _ABOVE.get(a, (a,)) if kind in shared), None)
