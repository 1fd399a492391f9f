"""Lists written in one word of the command line: `a,b`, `name=value,name=value`, with quotes around what has commas."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click


def names(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> tuple[str, ...]:
    """Column names, from an option that may be given more than once."""
    found = tuple(item for word in words for item in items(word))
    if "" in found:
        raise click.BadParameter("a name is empty; write names with commas between them.")
    return found


def pairs(words: Iterable[str], example: str) -> dict[str, str]:
    """Names and their values; the last `=` divides them."""
    found: dict[str, str] = {}
    for item in (item for word in words for item in items(word)):
        name, equals, value = item.rpartition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"{item!r} is not of the form name=value; write it like {example}.")
        if name in found:
            raise click.BadParameter(f"{name!r} is given twice; give it once.")
        found[name] = value
    return found


def items(word: str) -> list[str]:
    """What stands between the commas; commas in quotes do not count.

    >>> items('a, "b,c"')
    ['a', 'b,c']
    """
    try:
        return [item.strip() for item in next(csv.reader([word], skipinitialspace=True), [""])]
    except csv.Error as error:
        raise click.BadParameter(f"{word!r} is no list of one line ({error}).") from None


def kinds(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> dict[str, Any]:
    """Kinds by column: `age=count`; values with `<` between them are those of an ordinal, lowest first."""
    from suffice.core.kinds import Kind

    known = {kind.value for kind in Kind} - {Kind.UNKNOWN.value}
    return {
        name: [step.strip() for step in value.split("<")] if "<" in value else _kind(name, value, known)
        for name, value in pairs(words, "age=count,notes=text,pain=none<mild<severe").items()
    }


def forms(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> dict[str, str]:
    """Forms by column: `born=DD/MM/YYYY`."""
    return pairs(words, 'born=DD/MM/YYYY,"price=1.234,5 EUR"')


def _kind(name: str, value: str, known: set[str]) -> str:
    if value not in known:
        choice = ", ".join(sorted(known))
        raise click.BadParameter(f"the kind of {name!r} must be one of {choice}, or low<high, got {value!r}.")
    return value


def prior(context: click.Context, parameter: click.Parameter, word: str | None) -> Mapping[str, float] | str | None:
    """Shares by class, or the word `uniform`."""
    if word is None or word == "uniform":
        return word
    return {label: number(label, share) for label, share in pairs([word], "cold=0.9,flu=0.1, or uniform").items()}


def number(name: str, text: str, read: Callable[[str], float] = float) -> float:
    """The number that a text is."""
    try:
        return read(text)
    except ValueError:
        raise click.BadParameter(f"{text!r}, given for {name!r}, is not a number.") from None
