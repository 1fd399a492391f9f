"""The errors of the library: one clear sentence each, saying what must hold, what came, and what to do.

SufficeError
├── BadInput (ValueError)        a parameter or a table breaks a rule
│   ├── BadType (TypeError)      it is of the wrong type
│   ├── NeverAdded               taking away rows that were never added
│   └── NegativeCounts           counts below 0
├── NotASummary (TypeError)      values that do not add
└── BadFile (ValueError)         a model file that is damaged, foreign or hostile
"""

from __future__ import annotations

from typing import Any


class SufficeError(Exception):
    """Everything the library raises on purpose."""


class BadInput(SufficeError, ValueError):
    """A parameter or a table breaks a rule."""


class BadType(BadInput, TypeError):
    """A parameter or a table is of the wrong type."""


class NeverAdded(BadInput):
    """Rows are taken away that were never added."""


class NegativeCounts(BadInput):
    """Counts are below 0."""


class NotASummary(SufficeError, TypeError):
    """Values are added that do not belong together."""


class BadFile(SufficeError, ValueError):
    """A model file is damaged, foreign or hostile."""


class Said(str):
    """Words in place of a value: an error shows them as they are, without quotes.

    >>> print(bad("fit", "X", "a table with rows", Said("none")))
    fit: X must be a table with rows, got none.
    """

    def __repr__(self) -> str:
        """The words."""
        return str(self)


def bad(owner: object, name: str, rule: str, value: Any, remedy: str = "") -> BadInput:
    """The error `{Owner}: {name} must be {rule}, got {value}. {What to do}`."""
    who = owner if isinstance(owner, str) else type(owner).__name__
    tail = f" {remedy}" if remedy else ""
    return BadInput(f"{who}: {name} must be {rule}, got {shown(value)}.{tail}")


def shown(value: Any, limit: int = 60) -> str:
    """`repr`, cut to a readable length, on one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."
