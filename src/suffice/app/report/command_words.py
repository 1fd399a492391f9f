"""Errors of the library in the words of the command line: the same fields, with options in the place of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

from suffice.core.errors import SufficeError
from suffice.core.phrases import Phrase, Setting

UNMET = {"open_rows", "rows", "Roles", "X"}  # owners that nobody meets at the command line
OPTIONS = {  # owner -> those of its parameters that are options here
    "Format": {"encoding", "separator", "quote", "decimal", "missing", "limit", "header", "written"},
    "predict": {"prior", "costs", "reject", "at_least"},
}
FILES = {"load": "a whole model file"}  # owner -> what a file must be, where its name is what is refused
REMEDIES = {  # what to do, where leaving an option out does what None does in Python
    ("Format", "separator"): "Left out, it is found out.",
    ("Format", "quote"): "Say none where nothing is quoted.",
}


def told(error: SufficeError) -> str:
    """The sentence of an error.

    >>> from suffice.core.errors import bad
    >>> remedy = Phrase("Name the text in ", Setting("Format", missing=...), ".")
    >>> told(bad("open_rows", "cells", "numbers", "old", remedy))
    "cells must be numbers, got 'old'. Name the text in --missing."
    >>> told(bad("predict", "at_least", "a probability", 2.0))
    '--at-least must be a probability, got 2.0.'
    """
    fields = error.fields
    if not fields.rule:
        return str(error)
    owner, name = fields.owner, fields.name
    rule, remedy = spelled(fields.rule), REMEDIES.get((owner, name)) or spelled(fields.remedy)
    if owner in OPTIONS and name in OPTIONS[owner]:
        owner, name = "", _flag(name)
    elif owner in FILES and name != "path":
        owner, rule = "", FILES[owner]
    elif owner in UNMET:
        owner = ""
    return fields._replace(owner=owner, name=name, rule=rule, remedy=remedy).sentence()


def spelled(words: str) -> str:
    """Words of the library with options in the place of parameters."""
    return words.spelled(_options) if isinstance(words, Phrase) else words


def _options(setting: Setting) -> str:
    return " and ".join(_option(name, value) for name, value in setting.values.items())


def _option(name: str, value: Any) -> str:
    """An option as it is typed, quoted where a shell or a list of names needs it.

    >>> _option("kinds", {"age": "count"}), _option("quote", None), _option("limit", ...)
    ('--kinds age=count', '--quote none', '--limit')
    >>> print(_option("kinds", {"dose, mg": "count"}))
    --kinds '"dose, mg=count"'
    """
    if value is ...:
        return _flag(name)
    if isinstance(value, Mapping):
        value = ",".join(_item(f"{key}={item}", str(key)) for key, item in value.items())
    return f"{_flag(name)} {quote('none' if value is None else value)}"


def _item(text: str, name: str) -> str:
    """An item of a list; a comma or a quote in a name would divide it."""
    divided = any(sign in name for sign in ',"') or text != text.strip()
    return '"' + text.replace('"', '""') + '"' if divided else text


def named(option: str, name: Any) -> str:
    """An option that names a column.

    >>> print(named("identifier", "id of row"), named("identifier", "dose, mg"))
    --identifier 'id of row' --identifier '"dose, mg"'
    """
    return f"{_flag(option)} {quote(_item(str(name), str(name)))}"


def kind_of(name: Any, kind: str) -> str:
    """The option that declares the kind of a column.

    >>> print(kind_of("age in years", "count"))
    --kinds 'age in years=count'
    """
    return _option("kinds", {name: kind})


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
