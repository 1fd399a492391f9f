"""Columns as powers and products of others, and as truth values: maps that are free of the rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.features.column_plan import NumberCells

SEVEN = ((1, 0), (0, 1), (3, 0), (0, 3), (1, 1), (2, 0), (0, 2))
SIXTEEN = (
    *((1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (3, 0), (0, 3), (2, 1), (1, 2)),
    *((4, 0), (0, 4), (3, 1), (1, 3), (2, 2), (5, 0), (0, 5)),
)


@saved
@dataclass(frozen=True)
class ProductPlan(NumberCells):
    """How columns become products: an object that says the exponents for d columns."""

    how: Any = None  # an object with `powers`
    order: str = "C"

    keeps_cells: ClassVar[bool] = False

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> ProductColumns:
        """Exponents."""
        return ProductColumns(np.asarray(self.how.powers(self.owner, len(schema.columns)), dtype=np.int64), self.order)

    def readings(self) -> tuple[type[Any], ...]:
        """Exponents."""
        return (ProductReadings,)


@saved
@dataclass(frozen=True)
class GivenTerms:
    """Exponents that were listed."""

    terms: tuple[tuple[int, ...], ...]

    def powers(self, owner: str, d: int) -> Array:
        """Exponents (terms, d)."""
        if any(len(term) != d for term in self.terms):
            found = next(term for term in self.terms if len(term) != d)
            raise bad(owner, "terms", f"exponents of {d} columns each", Said(str(found)), "Give one exponent a column.")
        return np.array(self.terms, dtype=np.int64)


@saved
@dataclass(frozen=True)
class UpToDegree:
    """All products of some degrees."""

    least: int = 0
    most: int = 2
    interactions: bool = False  # no column twice
    bias: bool = True

    def powers(self, owner: str, d: int) -> Array:
        """Exponents (terms, d)."""
        from itertools import chain, combinations, combinations_with_replacement

        ways = combinations if self.interactions else combinations_with_replacement
        start = max(1, self.least)
        chosen = chain.from_iterable(ways(range(d), i) for i in range(start, self.most + 1))
        terms = [(), *chosen] if self.bias else list(chosen)
        if not terms:
            rule = "such that a column is left (it would result in an empty output array)"
            raise bad(owner, "degree", rule, self.most, "Use include_bias or a larger degree.")
        out = np.zeros((len(terms), d), dtype=np.int64)
        for i, term in enumerate(terms):
            for j in term:
                out[i, j] += 1
        return out


class ProductReadings:
    """Exponents."""

    @property
    def powers_(self: Any) -> Array:
        """Exponent of each column in each product (terms, d)."""
        return np.asarray(self._state()[0].model.powers)

    @property
    def n_output_features_(self: Any) -> int:
        """Number of products."""
        return len(self._state()[0].model.powers)


@dataclass(frozen=True)
class ProductColumns:
    """Products of powers of columns."""

    powers: Array  # (terms, d)
    order: str = "C"

    def map(self, block: Block) -> Block:
        """Products (n, terms); missing cells make theirs missing."""
        X = np.asarray(block.parts[0])
        out = np.empty((len(X), len(self.powers)), dtype=X.dtype if X.dtype.kind == "f" else np.float64, order="F")
        for i, term in enumerate(self.powers.tolist()):
            column: Any = None
            for j, power in enumerate(term):
                for _ in range(power):
                    column = X[:, j] if column is None else column * X[:, j]
            out[:, i] = 1.0 if column is None else column
        return block._replace(parts=(np.asarray(out, order=self.order),))  # type: ignore[call-overload]

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """Such as x0^2 x1."""
        return tuple(_named(term, names) for term in self.powers.tolist())


def _named(term: Sequence[int], names: Sequence[Any]) -> str:
    factors = [f"{name}^{p}" if p > 1 else str(name) for name, p in zip(names, term, strict=True) if p]
    return " ".join(factors) or "1"


@saved
@dataclass(frozen=True)
class AbovePlan(NumberCells):
    """Cells above a given threshold are 1, others 0."""

    threshold: float = 0.0

    keeps_cells: ClassVar[bool] = False

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> Above:
        """The threshold."""
        return Above(self.threshold)


@dataclass(frozen=True)
class Above:
    """z = 1 if x > threshold, else 0."""

    threshold: float

    def map(self, block: Block) -> Block:
        """Zeros and ones of the type of the cells."""
        X = np.asarray(block.parts[0])
        return block._replace(parts=((self.threshold < X).astype(X.dtype),))

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns."""
        return schema

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
