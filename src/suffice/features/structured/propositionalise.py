"""Propositionalise: related tables flattened into one, a column for each amount of the rows that belong to a case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import narwhals.stable.v1 as nw

from suffice.core.errors import Said, bad

AMOUNTS = ("min", "max", "mean", "sum")
AT_ONCE = 50  # columns


class Key(NamedTuple):
    """Rows of a table belong to the row of the parent whose column has the same value."""

    column: str
    parent: str | None = None  # a table; None: the cases
    parent_column: str | None = None  # None: of the same name


@dataclass(frozen=True)
class Propositionalise:
    """Cases with related rows in other tables, as one flat table: up front (`__call__`) or column by column (`column`).

    For every table that hangs on the cases: how many of its rows belong to a case, the least, largest, mean and sum of
    its numbers, and, of each symbol that occurs in at most `values` different ways, how many of the rows have each
    value. Tables that hang on those are flattened first, at most `depth` deep. A case without rows has counts of 0 and
    no amounts.

    Parameters
    ----------
    tables : name -> table, of one library (pandas, polars, Arrow)
    keys : name -> (column, parent table or None for the cases, column of the parent); the column alone where it has the
        same name in the cases
    amounts : which of "min", "max", "mean", "sum"
    values : symbols with more values than this are only counted
    depth : how many tables away from the cases
    most : columns that may be made; more are refused
    target : a column that no table may hold, because it is what is to be predicted

    Examples
    --------
    >>> import pandas as pd
    >>> from suffice.features import Propositionalise
    >>> orders = pd.DataFrame({"id": [1, 1, 2], "price": [3.0, 5.0, 7.0]})
    >>> flat = Propositionalise({"orders": orders}, {"orders": "id"}, amounts=["mean"])
    >>> flat(pd.DataFrame({"id": [1, 2, 3]})).to_dict("list")
    {'id': [1, 2, 3], 'COUNT(orders)': [2, 1, 0], 'MEAN(orders.price)': [4.0, 7.0, nan]}
    """

    tables: Mapping[str, Any]
    keys: Mapping[str, Any]
    amounts: Sequence[str] = AMOUNTS
    values: int = 20
    depth: int = 2
    most: int = 1000
    target: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse tables that hang on nothing, and amounts that are none."""
        strange = [how for how in self.amounts if how not in AMOUNTS]
        if strange:
            raise bad("Propositionalise", "amounts", f"some of {list(AMOUNTS)}", strange[0], "Correct it.")
        for name in self.tables:
            if name not in self.keys:
                raise bad("Propositionalise", "keys", f"given for table {name!r}", list(self.keys), "Name its column.")
        for name in self.keys:
            key = self._key(name)
            if name not in self.tables or not (key.parent is None or key.parent in self.tables):
                came = Said(f"{name!r} on {key.parent!r}")
                raise bad("Propositionalise", "keys", f"of the tables {list(self.tables)}", came, "Correct the name.")
            if self.target is not None and self.target in self._columns(name):
                rule = f"tables without the target {self.target!r}"
                remedy = "It would tell what is to be predicted: drop the column."
                raise bad("Propositionalise", "tables", rule, Said(f"{name!r}, which has it"), remedy)
            if key.column not in self._columns(name):
                came = Said(f"{key.column!r}, which {name!r} lacks")
                raise bad("Propositionalise", "keys", "columns of their tables", came, "Correct the name.")

    def __call__(self, cases: Any) -> Any:
        """The cases with all columns beside theirs, in their order: a table of their library."""
        flat = self._flat(nw.from_native(cases, eager_only=True), None, self.depth, ())
        made = len(flat.columns) - len(nw.from_native(cases, eager_only=True).columns)
        if made > self.most:
            remedy = "Lower depth or values, name fewer amounts, or raise most."
            raise bad("Propositionalise", "columns", f"at most {self.most}", made, remedy)
        return flat.to_native()

    def column(self, cases: Any, name: str) -> Any:
        """One of the columns, made on demand: a Series of their library.

        Parameters
        ----------
        cases : table
        name : as `__call__` names it, for example "MEAN(orders.price)"
        """
        flat = self._flat(nw.from_native(cases, eager_only=True), None, self.depth, ())
        if name not in flat.columns:
            raise bad("Propositionalise", "a column", f"one of {flat.columns[:12]} ...", name, "Correct the name.")
        return flat[name].to_native()

    def _key(self, name: str) -> Key:
        given = self.keys[name]
        return Key(given) if isinstance(given, str) else Key(*given)

    def _columns(self, name: str) -> list[str]:
        return list(nw.from_native(self.tables[name], eager_only=True).columns)

    def _flat(self, table: Any, name: str | None, depth: int, above: tuple[str | None, ...]) -> Any:
        """A table with what hangs on it beside its columns."""
        hanging = [child for child in self.keys if self._key(child).parent == name and child not in above]
        for child in hanging if depth > 0 else ():
            key = self._key(child)
            here = key.parent_column or key.column
            if here not in table.columns:
                came = Said(f"{here!r}, which {name or 'the table of cases'} lacks")
                raise bad("Propositionalise", "keys", "columns of the parent", came, "Name the column of the parent.")
            rows = nw.from_native(self.tables[child], eager_only=True)
            rows = self._flat(rows, child, depth - 1, (*above, name))
            told = self._told(rows, child, key.column)
            table = self._joined(table, told, here, key.column)
        return table

    def _told(self, rows: Any, child: str, key: str) -> Any:
        """One row a value of the key, with counts and amounts."""
        symbols: list[str] = []
        marks: list[Any] = []
        for column in rows.columns:
            if column == key or column in self._links(child):
                continue
            if not rows.schema[column].is_numeric() or rows.schema[column] == nw.Boolean:
                symbols.append(column)
        columns = [nw.len().alias(f"COUNT({child})"), *self._amounts(rows, child, key, symbols)]
        for column in symbols:
            different = sorted(rows[column].drop_nulls().unique().to_list(), key=str)
            for value in different if len(different) <= self.values else ():
                marks.append((nw.col(column) == value).cast(nw.Int64).alias(f"{column} = {value}"))
                columns.append(nw.col(f"{column} = {value}").sum().alias(f"COUNT({child} WHERE {column} = {value})"))
        return _grouped(rows.filter(~nw.col(key).is_null()).with_columns(*marks), key, columns)

    def _amounts(self, rows: Any, child: str, key: str, symbols: list[str]) -> Iterator[Any]:
        for column in rows.columns:
            if column != key and column not in symbols and column not in self._links(child):
                for how in self.amounts:
                    yield getattr(nw.col(column), how)().alias(f"{how.upper()}({child}.{column})")

    def _links(self, name: str) -> set[str]:
        """Columns that other tables hang on: names of rows, no values."""
        hanging = (self._key(child) for child in self.keys if self._key(child).parent == name)
        return {key.parent_column or key.column for key in hanging}

    def _joined(self, table: Any, told: Any, here: str, key: str) -> Any:
        counts = [column for column in told.columns if column.startswith("COUNT(")]
        order = "__row__"
        try:
            both = table.with_row_index(order).join(told, left_on=here, right_on=key, how="left").sort(order)
        except Exception as error:
            came = Said(f"{here!r} and {key!r} ({error})")
            raise bad("Propositionalise", "keys", "of one type", came, "Convert one of them.") from error
        both = both.with_columns(*(nw.col(column).fill_null(0).cast(nw.Int64) for column in counts))
        extra = [order] if key == here or key in table.columns else [order, key]
        return both.drop(*[column for column in extra if column in both.columns])


def _grouped(rows: Any, key: str, columns: Sequence[Any]) -> Any:
    """One row a value of the key. Some columns at a time: pandas warns of tables put together from very many."""
    told = rows.group_by(key).agg(*columns[:AT_ONCE])
    for start in range(AT_ONCE, len(columns), AT_ONCE):
        told = told.join(rows.group_by(key).agg(*columns[start : start + AT_ONCE]), on=key, how="left")
    return told
