"""The axes of a joint table: variables with their values, checked before a cell is allocated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import bad, shown

Variables = Mapping[str, Sequence[Any]]

MAX_CELLS = 10_000_000
MAX_VARIABLES = 32  # as many axes as every NumPy can index at once


class Axes(NamedTuple):
    """The variables of a table, in the order of its axes, each with its values."""

    names: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, variables: Variables, max_cells: int) -> Axes:
        """Check the names, how many cells they make, and the values."""
        check_names(variables)
        for name, values in variables.items():
            if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not len(values):
                raise bad("JointTable", f"the values of {name!r}", "a sequence of at least one value", values)
        guard([len(values) for values in variables.values()], max_cells)
        return cls(tuple(variables), tuple(declared(name, values) for name, values in variables.items()))

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each variable."""
        return tuple(len(values) for values in self.values)

    def place(self, name: Any) -> int:
        """The axis of a variable."""
        if name not in self.names:
            raise bad("JointTable", "a variable", f"one of {shown(self.names)}", name)
        return self.names.index(name)

    def code(self, name: str, value: Any) -> int:
        """The place of a value on the axis of its variable."""
        values = self.values[self.place(name)]
        if value not in values:
            raise bad("JointTable", name, f"one of {shown(values)}", value)
        return values.index(value)

    def pick(self, names: Sequence[str]) -> Axes:
        """Some of the variables, in the order asked for."""
        return Axes(tuple(names), tuple(self.values[self.place(name)] for name in names))

    def cell(self, index: Iterable[Any]) -> dict[str, Any]:
        """The values of the variables in one cell."""
        return {name: values[i] for name, values, i in zip(self.names, self.values, index, strict=True)}


def check_names(columns: Any) -> None:
    """Some variables, under names that are strings."""
    if not isinstance(columns, Mapping) or not 1 <= len(columns) <= MAX_VARIABLES:
        raise bad("JointTable", "variables", f"a mapping of 1 to {MAX_VARIABLES} names to values", columns)
    for name in columns:
        if not isinstance(name, str):
            raise bad("JointTable", "the name of a variable", "a string", name, "Rename the column.")


def guard(shape: Sequence[int], max_cells: int) -> None:
    """Refuse a table that is too large, before it is allocated."""
    cells = math.prod(shape)
    if cells > max_cells:
        remedy = "Use fewer variables or values, assume independence, or raise max_cells."
        raise bad("JointTable", "the table", f"of at most {max_cells} cells", cells, remedy)


def declared(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Values as they were declared: each once."""
    distinct = labels(name, values)
    if len(distinct) < len(values):
        raise bad("JointTable", f"the values of {name!r}", "distinct", values)
    return distinct


def labels(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Distinct values as plain Python values, in the order they came; a missing one is refused."""
    try:
        distinct = tuple(plain(value) for value in dict.fromkeys(values))
    except TypeError as error:
        raise bad("JointTable", f"the values of {name!r}", "hashable, one plain value a row", values) from error
    for value in distinct:
        if missing(value):
            remedy = "A full joint cannot hold a missing value: drop these rows, fill them in, or name it 'unknown'."
            raise bad("JointTable", f"column {name!r}", "without missing values", value, remedy)
    return distinct


def plain(value: Any) -> Any:
    """A NumPy scalar as a Python value; dates stay, since Python's are coarser."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value


def missing(value: Any) -> bool:
    """None, or a value that is not equal to itself (NaN, NaT), or that does not say (pandas.NA)."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def union(vocabularies: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Values of all tables: as they are where all agree, otherwise in an order that does not depend on who is first."""
    if all(values == vocabularies[0] for values in vocabularies):
        return vocabularies[0]
    return canonical(value for values in vocabularies for value in values)


def pseudo(alpha: Any) -> float:
    """A pseudo-count."""
    return float(weights("JointTable", "alpha", alpha, ()))


def numbers(owner: object, name: str, table: Any, shape: tuple[int, ...]) -> Array:
    """A copy as float64, of this shape."""
    try:
        cells: Array = np.array(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise bad(owner, name, "an array of numbers", table) from error
    if cells.shape != shape:
        raise bad(owner, name, f"of shape {shape}", cells.shape)
    return cells


def weights(owner: object, name: str, table: Any, shape: tuple[int, ...]) -> Array:
    """A copy as float64, of this shape, finite and not negative."""
    cells = numbers(owner, name, table, shape)
    wrong = cells[~(np.isfinite(cells) & (cells >= 0))]
    if wrong.size:
        raise bad(owner, name, "finite and not negative", float(wrong[0]))
    return cells


def summed(table: Array, places: Sequence[int]) -> Array:
    """Sum over all axes but these, and put these in the order given; always a new array."""
    others = tuple(axis for axis in range(table.ndim) if axis not in places)
    order = [sorted(places).index(place) for place in places]
    return np.array(table.sum(axis=others) if others else table).transpose(order)
