"""Words that name parameters: Python writes a parameter as a keyword, a command line as an option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Setting:
    """A parameter that words name, and the value it should have; `...` where any value will do.

    >>> print(Setting("Format", missing=...), Setting("Format", quote=None), Setting("", kinds={"age": "count"}))
    Format(missing=...) Format(quote=None) kinds={'age': 'count'}
    """

    def __init__(self, owner: str, **values: Any) -> None:
        """The class that takes the parameters, "" for the call itself, and the parameters."""
        self.owner, self.values = owner, values

    def __str__(self) -> str:
        """As Python writes it."""
        inside = ", ".join(f"{name}={'...' if value is ... else repr(value)}" for name, value in self.values.items())
        return f"{self.owner}({inside})" if self.owner else inside


class ForPython(str):
    """Words about Python alone, such as what None means, which a command line says by leaving an option out."""


class Phrase(str):
    """A text that knows which of its parts are parameters; as a text, it is written for Python.

    >>> told = Phrase("Name the text in ", Setting("Format", missing=...), ".")
    >>> print(told)
    Name the text in Format(missing=...).
    >>> told.spelled(lambda setting: " ".join(f"--{name}" for name in setting.values))
    'Name the text in --missing.'
    """

    parts: tuple[str | Setting, ...]

    def __new__(cls, *parts: str | Setting) -> Phrase:
        """From texts and settings, in their order."""
        phrase = super().__new__(cls, "".join(map(str, parts)))
        phrase.parts = parts
        return phrase

    def __getnewargs__(self) -> tuple[str | Setting, ...]:  # type: ignore[override]
        """The parts, so that copies and processes keep them."""
        return self.parts

    def spelled(self, spell: Callable[[Setting], str]) -> str:
        """The same words with other names for the parameters, and without what only Python has."""
        said = (
            spell(part) if isinstance(part, Setting) else part for part in self.parts if type(part) is not ForPython
        )
        return "".join(said)

    def plain(self) -> tuple[Any, ...]:
        """As tuples and texts, which travel; `of_plain` reads them.

        >>> Phrase.of_plain(Phrase("Say ", Setting("", limit=...)).plain()).parts[1].values
        {'limit': Ellipsis}
        """
        return tuple(_plain(part) for part in self.parts)

    @classmethod
    def of_plain(cls, told: tuple[Any, ...]) -> Phrase:
        """What `plain` told."""
        return cls(*map(_part, told))


def _plain(part: str | Setting) -> Any:
    if isinstance(part, Setting):
        known = {name: value for name, value in part.values.items() if value is not ...}
        return part.owner, tuple(part.values), known
    return (str(part),) if type(part) is ForPython else str(part)


def _part(told: Any) -> str | Setting:
    if isinstance(told, str):
        return told
    if len(told) == 1:
        return ForPython(told[0])
    owner, names, known = told
    return Setting(owner, **{name: known.get(name, ...) for name in names})
