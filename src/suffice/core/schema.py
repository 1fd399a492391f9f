"""The schema: which column is of which kind, and where its cells lie in a block.

A block has one part for all numbers, one for all symbols and one for each text, in this order; a part that would be
empty is left out. Schemas join as their columns' kinds do, so that shards may disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any

from suffice.core.errors import BadFile, BadInput, Said, bad, refusal, shown
from suffice.core.kinds import Kind, Storage, join
from suffice.core.phrases import Phrase, Setting
from suffice.core.registry import saved
from suffice.core.written_forms import is_date_form, is_number_form, is_plain, join_forms, read_more

MANY = 64  # columns from which a schema of one kind is kept for the next table


@saved
@dataclass(frozen=True)
class Column:
    """A column of a table. `order` lists the values of an ordinal column, lowest first; None: they sort by themselves.

    Truth values of files keep the texts they were written with, so that a file in which the column holds more than two
    words finds them again. Numbers and dates of files keep the form they were written in (`core.written_forms`), by
    which more of them are read.

    >>> Column("pain", Kind.ORDINAL, ("none", "mild", "severe")).values
    ('none', 'mild', 'severe')
    """

    name: Any
    kind: Kind
    order: tuple[Any, ...] | None = None
    written: tuple[tuple[str, ...], tuple[str, ...]] | None = field(default=None, compare=False)  # texts of False, True
    form: str | None = field(default=None, compare=False, repr=False)  # how numbers and dates are written

    def __post_init__(self) -> None:
        """Refuse pieces of a file that are none of a column."""
        if not (isinstance(self.kind, Kind) and (self.order is None or isinstance(self.order, tuple))):
            raise TypeError("a column has a kind, and an order that is a tuple or None")
        known = is_date_form if self.kind is Kind.DATE else is_number_form
        if self.form is not None and not (self.kind.storage is Storage.NUMBERS and known(self.form)):
            raise TypeError("the form of a column is one of its kind or None")

    @property
    def values(self) -> tuple[Any, ...] | None:
        """The only values that its cells may have; None where any may come."""
        return (False, True) if self.kind is Kind.BOOLEAN else self.order

    def join(self, other: Column) -> Column:
        """The least column that the cells of both may be taken for; two different orders are no order."""
        kind = join(self.kind, other.kind)
        if kind is None:
            raise bad(
                "Schema",
                f"the kind of column {self.name!r}",
                "one in all tables",
                Said(f"{self.kind.value} in one and {other.kind.value} in another"),
                "Declare its kind for all of them.",
            )
        if kind is Kind.BOOLEAN:
            return Column(self.name, kind, written=_united(self.written, other.written))
        if kind.storage is Storage.NUMBERS:
            return Column(self.name, kind, form=self._joined_form(other))
        orders = {c.order for c in (self, other) if c.kind is Kind.ORDINAL}
        if kind is not Kind.ORDINAL or len(orders) > 1:
            return Column(self.name, Kind.CATEGORICAL if kind is Kind.ORDINAL else kind)
        return Column(self.name, kind, orders.pop())

    def _joined_form(self, other: Column) -> str | None:
        try:
            return join_forms(self.form, other.form)
        except ValueError as error:
            raise bad(
                "Schema",
                f"the cells of column {self.name!r}",
                "written in one form in all tables",
                Said(str(error)),
                "Write them alike, and learn from both again.",
            ) from None

    def same(self, other: Column) -> bool:
        """Whether two columns are equal in what they remember of files, too."""
        return (self, self.written, self.form) == (other, other.written, other.form)

    def in_words(self) -> dict[Any, str]:
        """The text of each truth value, for where the column turns out to hold more than these."""
        words: dict[Any, str] = {}
        for value, texts in zip((False, True), self.written or ((), ()), strict=True):
            if len(texts) > 1:
                raise bad(
                    "Schema",
                    f"the truth values of column {self.name!r}",
                    "written alike where another table has more than two words for it",
                    Said(" and ".join(map(repr, texts[:2]))),
                    Phrase("Read all of them with ", Setting("", kinds={self.name: "categorical"}), "."),
                )
            words.update(dict.fromkeys([value] if texts else [], texts[0] if texts else ""))
        return words


@lru_cache(maxsize=16)  # arrays of the same columns come again and again
def _numbered(kinds: tuple[Kind, ...]) -> Schema:
    return Schema(tuple(Column(f"x{i}", kind) for i, kind in enumerate(kinds)))


def _united(a: Any, b: Any) -> Any:
    """The texts of both, in one order."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(tuple(sorted({*some, *others})) for some, others in zip(a, b, strict=True))


@saved
@dataclass(frozen=True)
class Schema:
    """The columns of a table, in table order.

    >>> schema = Schema((Column("age", Kind.COUNT), Column("pain", Kind.ORDINAL, ("none", "mild"))))
    >>> print(schema)
    column  kind
    age     count
    pain    ordinal: none < mild
    >>> Schema.from_json(schema.to_json()) == schema
    True
    """

    columns: tuple[Column, ...]

    @classmethod
    def numbered(cls, kinds: Iterable[Kind]) -> Schema:
        """The schema of an array, whose columns have no names: x0, x1, ..."""
        kinds = tuple(kinds)
        if kinds and kinds.count(kinds[0]) == len(kinds):
            return _alike(kinds[0], len(kinds))
        return _numbered(kinds)

    @cached_property
    def unnamed(self) -> Schema:
        """The schema of an array whose columns are of these kinds."""
        return Schema.numbered([column.kind for column in self.columns])

    @cached_property
    def names(self) -> tuple[Any, ...]:
        """Column names, in table order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def parts(self) -> tuple[tuple[Storage, tuple[int, ...]], ...]:
        """The parts of a block: how their cells are kept, and which columns (by place in the table) they hold."""
        where: dict[Storage, list[int]] = {storage: [] for storage in Storage}
        for i, column in enumerate(self.columns):
            where[column.kind.storage].append(i)
        tabular = [(s, tuple(where[s])) for s in (Storage.NUMBERS, Storage.SYMBOLS) if where[s]]
        return (*tabular, *((Storage.WORDS, (i,)) for i in where[Storage.WORDS]))

    @cached_property
    def plain_numbers(self) -> int:
        """How many columns there are, where all are numbers, so that an array serves as it is; else -1."""
        d = len(self.columns)
        return d if self.parts == ((Storage.NUMBERS, tuple(range(d))),) else -1

    @cached_property
    def features(self) -> tuple[Column, ...]:
        """The columns a model may learn from, in table order."""
        return tuple(column for column in self.columns if column.kind.storage is not Storage.NOTHING)

    @property
    def forms(self) -> dict[Any, str]:
        """By column, the form that more rows are to be read in, where numbers or dates of files were seen."""
        return {column.name: read_more(column.form) for column in self.columns if column.form is not None}

    def without_features(self, owner: object) -> BadInput:
        """The error of a table with no column that a model may learn from, as where all cells are missing."""
        rule = "one with a column that a model can learn from"
        came = [column.kind.value for column in self.columns]
        return bad(owner, "the table", rule, came, "Declare kinds or add columns.")

    def declare(self, owner: object, kinds: Mapping[Any, Any]) -> Schema:
        """The same with some kinds given by the user; values may be a kind's name or an ordinal's list of values."""
        if not kinds:
            return self
        known = set(self.names)
        strange = [name for name in kinds if name not in known]
        if strange:
            near = get_close_matches(str(strange[0]), [str(name) for name in self.names], n=1)
            remedy = f"Did you mean {near[0]!r}?" if near else "Correct it."
            raise bad(owner, "kinds", f"about columns of the table ({_some(self.names)})", strange[0], remedy)
        return Schema(tuple(_declared(owner, c, kinds[c.name]) if c.name in kinds else c for c in self.columns))

    def join(self, other: Schema) -> Schema:
        """The least schema that tables of both may be read with."""
        if self is other:
            return self
        if self == other and all(a.same(b) for a, b in zip(self.columns, other.columns, strict=True)):
            return self
        if self.names != other.names:
            odd = set(self.names) ^ set(other.names)
            first = next((name for name in (*self.names, *other.names) if name in odd), None)
            came = f"{first!r} in one of them only" if odd else "another order"
            raise bad(
                "Schema", "the columns", "the same in all tables", Said(came), "Give every table the same columns."
            )
        return Schema(tuple(a.join(b) for a, b in zip(self.columns, other.columns, strict=True)))

    def turned(self, new: Schema) -> dict[int, dict[Any, str]]:
        """By place, the texts of truth values in columns that turn out to hold more than two words."""
        pairs = enumerate(zip(self.columns, new.columns, strict=True))
        return {i: a.in_words() for i, (a, b) in pairs if a.written and b.kind is Kind.CATEGORICAL}

    def ordered(self, names: Sequence[Any]) -> Schema:
        """The same columns, those with these names first, in this order: as a model knows them that may know no others.

        >>> Schema((Column("a", Kind.COUNT), Column("b", Kind.COUNT), Column("c", Kind.COUNT))).ordered("cxb").names
        ('c', 'b', 'a')
        """
        known = {column.name: column for column in self.columns}
        first = [known.pop(name) for name in dict.fromkeys(names) if name in known]
        found = (*first, *known.values())
        return self if found == self.columns else Schema(found)

    def find(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """By which name a table whose columns have these names holds each of ours; raises if it lacks a feature.

        Columns that came from an array have no names of their own; a table of as many columns is taken as it stands.
        """
        known = set(names)
        absent = [column.name for column in self.features if column.name not in known]
        if not absent:
            return self.names
        if len(names) == len(self.names) and self.names == self.unnamed.names:
            return tuple(names)
        rule = f"those of the training table, {absent[0]!r} among them"
        raise bad("X", "the columns", rule, list(names), "Add the column, empty if need be.")

    def to_json(self) -> str:
        """As text that `from_json` reads."""
        try:
            return json.dumps(
                [
                    {
                        "name": c.name,
                        "kind": c.kind.value,
                        "order": c.order,
                        **({"written": c.written} if c.written else {}),
                        **({"form": c.form} if c.form else {}),
                    }
                    for c in self.columns
                ],
                allow_nan=False,
            )
        except (TypeError, ValueError) as error:
            raise bad(
                "Schema",
                "names and ordered values",
                "texts, numbers or Booleans to become JSON",
                Said(f"others ({error})"),
                "Rename the column or its values.",
            ) from None

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """From the text of `to_json`."""
        try:
            columns = tuple(_read_column(row) for row in json.loads(text))
            if len({c.name for c in columns}) < len(columns):
                raise ValueError("a name occurs twice")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise refusal(
                BadFile, "Schema", "the text", "what to_json wrote", Said(f"{shown(text)} ({error})"), "Write it again."
            ) from None
        return cls(columns)

    def __str__(self) -> str:
        """Column names and kinds, as a table."""
        rows = [("column", "kind"), *((str(c.name), _described(c)) for c in self.columns)]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {kind}" for name, kind in rows)


@lru_cache(maxsize=8)
def _alike(kind: Kind, d: int) -> Schema:
    """Columns of one kind: made once, as a column is worth more time than the cells of a few rows."""
    return Schema(tuple(Column(f"x{i}", kind) for i in range(d)))


def _declared(owner: object, column: Column, given: Any) -> Column:
    if not isinstance(given, (list, tuple)):
        kind = Kind.read(owner, column.name, given)
        form = column.form if (kind is Kind.DATE) == (column.kind is Kind.DATE) else None
        return Column(
            column.name,
            kind,
            column.order if kind is Kind.ORDINAL else None,
            form=form if kind.storage is Storage.NUMBERS else None,
        )
    try:
        different = len(set(given)) == len(given) > 0
    except TypeError:  # not hashable
        different = False
    if not different:
        rule = "given by different values, lowest first"
        raise bad(owner, f"the order of column {column.name!r}", rule, given, "List each value once.")
    return Column(column.name, Kind.ORDINAL, tuple(given))


def _read_column(row: Any) -> Column:
    """A column from JSON, where tuples have become lists."""
    name, kind, order = row["name"], Kind(row["kind"]), row["order"]
    if not (order is None or (isinstance(order, list) and kind is Kind.ORDINAL)):
        raise ValueError("an order must be the list of an ordinal column")
    written = row.get("written")
    if written is not None and not _is_written(written):
        raise ValueError("what truth values were written as must be two lists of texts")
    words = None if written is None else (tuple(written[0]), tuple(written[1]))
    form = row.get("form")
    return Column(_plain(name), kind, None if order is None else tuple(map(_plain, order)), words, form)


def _is_written(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in value)
    )


def _plain(value: Any) -> Any:
    value = tuple(map(_plain, value)) if isinstance(value, list) else value
    hash(value)  # an object is no name: TypeError
    return value


def _described(column: Column) -> str:
    if not column.order:
        return column.kind.value if is_plain(column.form) else f"{column.kind.value}, written {column.form}"
    return f"{column.kind.value}: {' < '.join(map(str, column.order[:6]))}{' < ...' if len(column.order) > 6 else ''}"


def _some(names: Sequence[Any], limit: int = 6) -> str:
    shown_names = ", ".join(map(repr, names[:limit]))
    return shown_names + (", ..." if len(names) > limit else "")
