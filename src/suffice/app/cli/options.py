"""Options that several commands share, and how lists are written in one word: `a,b`, `name=value,name=value`."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])
UNITS = ("B", "KB", "MB", "GB", "TB")  # of memory, each a thousand times the one before


class Share(click.FloatRange):
    """A number from 0 to 1."""

    name = "number from 0 to 1"

    def __init__(self, max_open: bool = False) -> None:
        """With or without 1."""
        super().__init__(0, 1, max_open=max_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it; what is not a number is in no range."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail("nan is not a number", param, ctx)
        return number


class Name(click.Path):
    """The name of a file; whether it is there is found out, and told, by who opens it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it; an empty one would be the current folder."""
        if not value or "\0" in os.fsdecode(value):
            self.fail(f"{value!r} is not the name of a file.", param, ctx)
        return super().convert(value, param, ctx)


def names(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> tuple[str, ...]:
    """Column names, from an option that may be given more than once."""
    found = tuple(item for word in words for item in items(word))
    if "" in found:
        raise click.BadParameter("a name is empty; write names with commas between them.")
    return found


def pairs(words: Iterable[str], example: str) -> dict[str, str]:
    """Names and their values; the last `=` divides them."""
    return _divided((item for word in words for item in items(word)), example)


def _divided(named: Iterable[str], example: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in named:
        name, equals, value = item.rpartition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"{item!r} is not of the form name=value; write it like {example}.")
        if name in found:
            raise click.BadParameter(f"{name!r} is given twice; give it once.")
        found[name] = value
    return found


def size(context: click.Context, parameter: click.Parameter, word: str | None) -> int | None:
    """An amount of memory, in bytes or with a unit."""
    if word is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMGT]?B)?", word.strip(), re.IGNORECASE)
    if found is None:
        raise click.BadParameter(f"{word!r} is no amount of memory; write a number and a unit, such as 500MB or 2GB.")
    return int(Fraction(found[1]) * 1000 ** UNITS.index((found[2] or "B").upper()))


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
    """Forms by column: `born=DD/MM/YYYY,price=1.234,5`; what no name stands before belongs to the form before it."""
    whole: list[str] = []
    for item in (item for word in words for item in items(word)):
        if whole and "=" not in item:
            whole[-1] += f",{item}"
        else:
            whole.append(item)
    return _divided(whole, "born=DD/MM/YYYY,price=1.234,5")


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


PATH = Name()
MAPS = ("smooth-isotonic", "isotonic", "logistic", "means", "binned", "temperature")  # from scores to probabilities


class Model(click.ParamType[str]):
    """The name of an estimator, or of several with + between them; which there are is found out when it is used."""

    name = "model"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read it; an empty one is none."""
        if not str(value).strip():
            self.fail(f"{value!r} is not the name of a model.", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names that begin so. Imports no model."""
        import suffice

        start, plus, last = incomplete.rpartition("+")
        known = [name for name in suffice.__all__ if name[:1].isupper() and name.lower().startswith(last.lower())]
        return [CompletionItem(f"{start}{plus}{name}") for name in known]


def kind(default: str, multiple: bool = False) -> Callable[[F], F]:
    """The option that names a model."""
    return click.option(
        "--model", "kinds_of_model" if multiple else "kind", type=Model(), metavar="NAME", multiple=multiple,
        help=f"The class of the model, such as Tree, or a chain such as TableEncoder+Ridge; {default}",
    )  # fmt: skip


files = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
model = click.argument("model", metavar="MODEL", type=PATH)
style = click.option(
    "--format", "style", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
    help="How to write what there is to tell.",
)  # fmt: skip
ledger = click.option("--ledger", is_flag=True, help="Keep a digest of every row, so that forget knows strangers.")
key = click.option(
    "--key", "key_file", type=PATH, metavar="FILE",
    help="A file with the key of the ledger, which then is not in the model; shards need the same.",
)  # fmt: skip
settings = click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE",
    help="A parameter of the model, as in Python; of a chain also step__name. May be given more than once.",
)  # fmt: skip
save = click.option("--save", "save_to", type=PATH, metavar="MODEL", help="The file to save the model to.")
_rows_out = (
    click.option("--out", type=PATH, metavar="FILE",
                 help="Where to write; standard output unless given. Parquet if it ends in .parquet."),
    click.option("--format", "style", type=click.Choice(["csv", "json", "table"]), default="csv", show_default=True,
                 help="How to write: CSV, a JSON list with one row a line, or a table for people."),
)  # fmt: skip
weights = click.option("--weights", metavar="COL", help="The column of row weights.")
columns = (
    click.option("--kinds", multiple=True, callback=kinds, metavar="LIST",
                 help="Kinds of columns that their cells do not show: age=count,notes=text,pain=none<mild<severe."),
    click.option("--ignore", multiple=True, callback=names, metavar="LIST", help="Columns to leave out: a,b."),
    click.option("--identifier", multiple=True, callback=names, metavar="LIST",
                 help="Columns that name a row: shown, never learned from."),
)  # fmt: skip
written = (
    click.option("--separator", metavar="CHAR", callback=lambda c, p, v: tab(v),
                 help="Between the cells of a CSV file; found out by itself."),
    click.option("--quote", default='"', show_default=True, metavar="CHAR",
                 help='Around cells that hold separators, or "none".'),
    click.option("--encoding", default="utf-8", show_default=True, help="Of CSV files."),
    click.option("--decimal", type=click.Choice([".", ","]), default=".", show_default=True, help="The decimal sign."),
    click.option("--missing", multiple=True, metavar="LIST", callback=names,
                 help="Texts that mean missing, besides the usual ones: -9,unknown."),
    click.option("--present", multiple=True, metavar="LIST", callback=names,
                 help="Texts that are values like others, though they usually mean missing: ?,None."),
    click.option("--no-header", "header", is_flag=True, default=True, flag_value=False,
                 help="The first row of a text file is data: columns are x0, x1, ..."),
    click.option("--written", multiple=True, metavar="LIST", callback=forms,
                 help="Forms of numbers and dates that their cells do not tell: born=DD/MM/YYYY."),
    click.option("--limit", type=Share(), metavar="SHARE", default=0.01, show_default=True,
                 help="The share of bad cells in a column above which reading fails."),
)  # fmt: skip
seed = click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, metavar="NUMBER",
    help="Where what the model draws begins.",
)  # fmt: skip
keep = click.option(
    "--keep", callback=size, metavar="SIZE",
    help="Memory, such as 2GB, that a model in passes may take to keep rows that it has read; else files are read in "
    "each pass.",
)  # fmt: skip
engines = (
    click.option("--engine", type=click.Choice(["dask", "spark"]), metavar="NAME",
                 help="Who reads FILE, a folder of parts: the workers of dask or of spark."),
    click.option("--workers", type=click.IntRange(1, 1024), metavar="N",
                 help="How many workers to start for this command; one a processor unless given."),
    click.option("--scheduler", metavar="ADDRESS",
                 help="Workers that run already: tcp://host:8786 of dask, spark://host:7077 of spark."),
)  # fmt: skip


decided = (
    click.option("--prior", callback=prior, metavar="LIST",
                 help="Class shares to assume instead of those learned: cold=0.9,flu=0.1, or uniform."),
    click.option("--costs", type=PATH, metavar="FILE",
                 help="What answers cost: CSV with true classes down and answers across, or JSON "
                 "{true: {answer: cost}}; what is not named costs 0 if right, 1 if wrong."),
    click.option("--reject", type=float, metavar="COST", help="Refuse where every answer is expected to cost more."),
    click.option("--at-least", type=Share(), metavar="P", help="Refuse where the answer is less probable."),
)  # fmt: skip


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def plot(what: str) -> Callable[[F], F]:
    """The option that names a picture."""
    return click.option(
        "--plot", type=PATH, metavar="FILE", help=f"Draw {what} to a .png, .pdf or .svg file; needs matplotlib."
    )


def tab(sign: str | None) -> str | None:
    """A tab may be written as shells let one: `\\t` or `tab`."""
    return "\t" if sign in ("\\t", "tab") else sign


rows_out = together(*_rows_out)
