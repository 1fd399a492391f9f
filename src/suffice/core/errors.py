"""The errors of the library: one clear sentence each, saying what must hold, what came, and what to do.

SufficeError
├── BadInput (ValueError)        a parameter or a table breaks a rule
│   ├── BadType (TypeError)      it is of the wrong type
│   ├── BadCell                  a cell is missing, infinite or too large to be summed
│   ├── NeverAdded               taking away rows that were never added
│   └── NegativeCounts           counts below 0
├── NotASummary (TypeError)      values that do not add
└── BadFile (ValueError)         a model file that is damaged, foreign or hostile

An error carries the fields of its sentence, so that another way in, such as the command line, makes its own sentence of
them; the sentence itself is made here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Self, TypeVar

# Cells, as scikit-learn prints them.
PRINTED = re.compile(r":\s*array=.*?\.\s*(?=Reshape|$)|(?<=Complex data not supported)\s.*", re.DOTALL)


class Fields(NamedTuple):
    """What an error says: `{owner}: {name} {must} {rule}, {joint} {got}. {remedy}`, without what is empty."""

    owner: str = ""  # who refuses: an estimator, a function, a file
    name: str = ""  # what is refused: a parameter, a column
    rule: str = ""  # what must hold
    got: str = ""  # what came
    remedy: str = ""  # what to do; a `Phrase` where it names parameters
    must: str = "must be"
    joint: str = "got"

    def sentence(self) -> str:
        """The sentence."""
        who = f"{self.owner}: " if self.owner else ""
        what = " ".join(filter(None, (self.name, self.must, self.rule)))
        came = f", {self.joint} {self.got}." if self.got else ""
        return f"{who}{what}{came}{' ' if self.remedy else ''}{self.remedy}"


class SufficeError(Exception):
    """Everything the library raises on purpose.

    >>> error = bad("fit", "alpha", "at least 0", -1.0, "0 is no smoothing.")
    >>> print(error)
    fit: alpha must be at least 0, got -1.0. 0 is no smoothing.
    >>> error.owner, error.name, error.rule, error.got, error.remedy
    ('fit', 'alpha', 'at least 0', '-1.0', '0 is no smoothing.')
    """

    fields = Fields()

    @property
    def owner(self) -> str:
        """Who refuses."""
        return self.fields.owner

    @property
    def name(self) -> str:
        """What is refused."""
        return self.fields.name

    @property
    def rule(self) -> str:
        """What must hold."""
        return self.fields.rule

    @property
    def got(self) -> str:
        """What came, as it is shown."""
        return self.fields.got

    @property
    def remedy(self) -> str:
        """What to do."""
        return self.fields.remedy

    def say(self, **fields: str) -> Self:
        """Say it with other fields, where more is known of what was refused; the same error."""
        self.fields = self.fields._replace(**fields)
        self.args = (self.fields.sentence(),)
        return self


class BadInput(SufficeError, ValueError):
    """A parameter or a table breaks a rule."""


class BadType(BadInput, TypeError):
    """A parameter or a table is of the wrong type."""


class BadCell(BadInput):
    """A cell of a table breaks a rule."""

    cell = 0.0
    shown = ""  # how it is told


class NoRows(BadInput):
    """There are no rows below the names of the columns: a partition may be so, where others have some."""


class NeverAdded(BadInput):
    """Rows are taken away that were never added."""


class NegativeCounts(BadInput):
    """Counts are below 0."""


class NotASummary(SufficeError, TypeError):
    """Values are added that do not belong together."""


class BadFile(SufficeError, ValueError):
    """A model file is damaged, foreign or hostile."""


class Said(str):
    """Words in place of a value: an error shows them as they are, whole and without quotes.

    >>> print(bad("fit", "X", "a table with rows", Said("none")))
    fit: X must be a table with rows, got none.
    """

    def __repr__(self) -> str:
        """The words."""
        return str(self)


E = TypeVar("E", bound=SufficeError)


def bad(owner: object, name: str, rule: str, value: Any, remedy: str = "", must: str = "must be") -> BadInput:
    """The error `{Owner}: {name} must be {rule}, got {value}. {What to do}`."""
    return refusal(BadInput, owner, name, rule, value, remedy, must)


def refusal(
    kind: type[E],
    owner: object,
    name: str,
    rule: str,
    value: Any,
    remedy: str = "",
    must: str = "must be",
    joint: str = "got",
) -> E:
    """An error of some kind, with its fields.

    Parameters
    ----------
    kind : class of the error
    owner : who refuses, a name or a value of the class that does; "" for nobody
    name, rule, remedy : see `Fields`; a `Phrase` where they name parameters
    value : what came; words about it are `Said`
    must, joint : where the sentence goes otherwise, such as "must have been" and "but"
    """
    who = owner if isinstance(owner, str) else type(owner).__name__
    return _made(kind, Fields(who, name, rule, shown(value), remedy, must, joint))


def quoted(kind: type[E], owner: str, words: str) -> E:
    """An error in the words of another library, which say all but who asked; on one line, without the cells.

    Lists of columns stay as they are: programs read scikit-learn's.
    """
    if not words.startswith("The feature names should match"):
        words = " ".join(PRINTED.sub(". ", words).split())
    return _made(kind, Fields(owner, rule=words, must=""))


@contextmanager
def in_our_name(owner: str) -> Iterator[None]:
    """Around a call of scikit-learn's checks: their sentences say what came and what to do, but not who asked."""
    try:
        yield
    except SufficeError:
        raise
    except TypeError as error:
        raise quoted(BadType, owner, str(error)) from error
    except ValueError as error:
        raise quoted(BadInput, owner, str(error)) from error


def never_added(name: str, got: str) -> NeverAdded:
    """The error of forgetting what was never learned."""
    remedy = "Nothing was changed; forget only rows this model has learned from."
    return refusal(NeverAdded, "forget", name, "added before", Said(got), remedy, "must have been")


def _made(kind: type[E], fields: Fields) -> E:
    error = kind(fields.sentence())
    error.fields = fields
    return error


def shown(value: Any, limit: int = 60) -> str:
    """`repr`, cut to a readable length, on one line; what is `Said` is never cut."""
    text = " ".join(repr(value).split())
    return text if len(text) <= limit or isinstance(value, Said) else text[: limit - 3] + "..."
