"""What a joint table answers besides another joint table: conditionals, independence, posteriors of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.bayes.joint.table_axes import MAX_CELLS, Axes, Variables, check_names, numbers, weights
from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad

CLOSE = 1e-9  # how far from 1 the sum of a distribution may be


class TablePosterior(NamedTuple):
    """p(target | x) for rows x. Where the table gives x no probability, `seen` is False and the row is the prior."""

    proba: Array  # (n, K)
    prior: Array  # (K,)
    seen: Array  # (n,) bool
    values: tuple[Any, ...]  # K values of the target


@dataclass(frozen=True)
class Independence:
    """Whether two sets of variables are independent: true or false by itself, with the largest gap and where it is."""

    gap: float  # largest |p(a, b | c) - p(a | c) p(b | c)|
    at: dict[str, Any]
    tolerance: float

    def __bool__(self) -> bool:
        """Independent, up to the tolerance."""
        return self.gap <= self.tolerance


@dataclass(frozen=True, init=False, eq=False)
class Conditional:
    """A distribution over some variables for every combination of values of others: p(of | given).

    Parameters: `given` and `of` map names to values; `table` has the axes of `given`, then those of `of`, and sums to 1
    over the latter. A row of NaN says that its combination has probability 0; `undefined` lists these.

    >>> Conditional({"kind": ("spam", "ham")}, {"word": (0, 1)}, [[0.1, 0.9], [0.9, 0.1]]).undefined
    ()
    """

    given: Axes
    of: Axes
    table: Array

    def __init__(self, given: Variables, of: Variables, table: Any, *, max_cells: int = MAX_CELLS) -> None:
        """From the distributions; `JointTable.conditional` is the other way in."""
        check_names(given)
        check_names(of)
        if set(given) & set(of):
            raise bad(self, "given and of", "without a variable in common", (tuple(given), tuple(of)))
        both = Axes.of({**given, **of}, max_cells)
        for field, names in (("given", tuple(given)), ("of", tuple(of))):
            object.__setattr__(self, field, both.pick(names))
        object.__setattr__(self, "table", self._distributions(table, both))

    def _distributions(self, table: Any, axes: Axes) -> Array:
        """The table, every row of it a distribution or undefined."""
        cells = numbers(self, "table", table, axes.shape)
        undefined = np.isnan(cells).all(axis=self.of_axes, keepdims=True)
        weights(self, "table", np.where(undefined, 0.0, cells), axes.shape)
        total = cells.sum(axis=self.of_axes)
        wrong = total[np.abs(total - 1.0) > CLOSE]
        if wrong.size:
            raise bad(self, "every row of table", "probabilities that sum to 1", float(wrong[0]))
        cells.setflags(write=False)
        return cells

    @property
    def of_axes(self) -> tuple[int, ...]:
        """The axes of the table that `of` takes."""
        return tuple(range(len(self.given.names), len(self.given.names) + len(self.of.names)))

    @property
    def undefined(self) -> tuple[dict[str, Any], ...]:
        """The combinations of values of `given` that have probability 0."""
        return tuple(self.given.cell(index) for index in np.argwhere(np.isnan(self.table).all(axis=self.of_axes)))

    def along(self, axes: Axes) -> Array:
        """The table against other axes that hold those of `given`, so that the two multiply."""
        order = np.argsort([axes.place(name) for name in self.given.names])
        lengths = (len(v) if name in self.given.names else 1 for name, v in zip(*axes, strict=True))
        return self.table.transpose(*order, *self.of_axes).reshape(*lengths, *self.of.shape)


def impossible(condition: dict[str, Any]) -> BadInput:
    """The error for asking under a condition that cannot occur."""
    told = ", ".join(f"{name}={value!r}" for name, value in condition.items())
    return bad(
        "JointTable",
        f"the condition {told}",
        "possible",
        Said("probability 0"),
        "Ask under a condition that occurs, or learn the table with alpha above 0.",
    )


def grid(axes: Axes, table: Array) -> str:
    """One or two variables as text: a row for each value of the first, with the sums of a table of two."""
    columns = [str(value) for value in axes.values[1]] if table.ndim == 2 else ["p"]
    rows = [[str(value), *map(number, line)] for value, line in zip(axes.values[0], np.c_[table], strict=True)]
    if table.ndim == 2:
        rows = [[*row, number(total)] for row, total in zip(rows, table.sum(axis=1), strict=True)]
        rows.append(["sum", *map(number, table.sum(axis=0)), number(table.sum())])
        columns.append("sum")
    lines = [[" \\ ".join(axes.names), *columns], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    )


def number(p: float) -> str:
    """A probability with four digits."""
    return f"{p:.4g}"
