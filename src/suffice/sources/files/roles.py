"""What the columns of a file are for: features, unless they are the target, the weight, a group, or left out."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from suffice.core.errors import BadInput, bad

SHOWN = 6  # names that a sentence lists


@dataclass(frozen=True)
class Roles:
    """Columns that are no features, by name.

    Parameters
    ----------
    target : the column to predict; rows where it is missing are not learned from
    weight : a column of row weights, each a number of at least 0
    group : a column whose rows belong together, such as the patient of each visit
    ignore : columns that are not read
    identifier : columns that are shown with their rows but never learned from

    >>> Roles(target="ill", ignore="note").ignore
    ('note',)
    """

    target: Any = None
    weight: Any = None
    group: Any = None
    ignore: tuple[Any, ...] = ()
    identifier: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        """One name is taken as a list of one; a column has one role."""
        for role in ("target", "weight", "group"):
            if not isinstance(given := getattr(self, role), Hashable):
                raise bad(self, role, "the name of one column", given, "Name one, or pass a table and y.")
        for role in ("ignore", "identifier"):
            given = getattr(self, role)
            if isinstance(given, str):
                object.__setattr__(self, role, (given,))
            elif isinstance(given, (list, tuple)):
                object.__setattr__(self, role, tuple(given))
            else:
                raise bad(self, role, "a tuple of column names", given, "List the names.")
        named = [name for _, name in self._named()]
        twice = [name for i, name in enumerate(named) if name in named[:i]]
        if twice:
            raise bad(self, "every column", "named in one role", f"{twice[0]!r} in two", "Name it once.")

    @property
    def apart(self) -> tuple[Any, ...]:
        """The columns that are read, but not as part of the table."""
        return tuple(name for name in (self.target, self.weight, self.group) if name is not None)

    def check(self, where: str, names: Sequence[Any]) -> None:
        """Refuse roles of columns that a table of these names does not have, and a table that keeps none."""
        known = set(names)
        for role, name in self._named():
            if name not in known:
                raise absent(where, f"the {role} column", name, names)
        if not known - {*self.apart, *self.ignore}:
            raise bad(where, "the table", "left with a column", f"only {_some(names)}", "Leave fewer columns out.")

    def _named(self) -> Iterator[tuple[str, Any]]:
        for role in ("target", "weight", "group"):
            if getattr(self, role) is not None:
                yield role, getattr(self, role)
        for role in ("ignore", "identifier"):
            yield from ((role, name) for name in getattr(self, role))


def absent(where: str, what: str, name: Any, names: Sequence[Any]) -> BadInput:
    """The error about a column that is not there: the names most like it, or some of those that are."""
    texts = {str(known).casefold(): known for known in reversed(names)}
    near = [texts[text] for text in get_close_matches(str(name).casefold(), list(texts), n=3, cutoff=0.6)]
    remedy = (
        f"Did you mean {' or '.join(map(repr, near))}?"
        if near
        else "Correct the name, or the separator if this is one column."
    )
    return bad(where, what, f"one of the columns ({_some(names)})", name, remedy)


def _some(names: Sequence[Any]) -> str:
    return ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
